/* Tests with the models of the traces, which other code made: sound ones open strictly and come
 * back from their dumps, planned violations of rules are found, and poses and tracks agree. */
#include "fixture.h"

#include "replay/scenario/synthetic_model.h"
#include "retropose/msh_text.h"

#include <string.h>

static Findings findings;

static ModelSpec SpecOf(uint64_t seed) {
    ModelSpec spec = {.name = "model.msh",
                      .nodes = 1 + (uint32_t)(seed * 7 % 12),
                      .frame_count = 2 + (uint32_t)(seed % 30),
                      .keys_per_node = 2 + (uint32_t)(seed % 5),
                      .slots = 1 + (uint32_t)(seed % 6),
                      .optional = (uint32_t)(seed % 16),
                      .shuffled = seed % 3 == 0,
                      .moving = seed % 2 == 0,
                      .tree = (ModelTree)(seed % 3),
                      .times = seed % 4 == 0 ? MODEL_TIMES_FRACTIONAL : MODEL_TIMES_SPARSE,
                      .rotations = (ModelRotations)(seed % 6),
                      .map = (ModelMap)(seed / 2 % 4),
                      .seed = seed};
    spec.animated = spec.nodes - spec.nodes / 3;
    if (spec.keys_per_node > spec.frame_count)
        spec.keys_per_node = spec.frame_count;
    return spec;
}

static Image Build(const ModelSpec *spec, ModelImage *model) {
    RpError error;
    if (ModelImage_Make(spec, model, &error) != RP_OK)
        fail_msg("%s: expected %s, found %s", error.what, error.expected, error.found);
    return (Image){.bytes = model->bytes, .size = model->size};
}

static void AssertRoundTrip(const RpNRes *archive) {
    OWNED(RpBuffer) text = {0}, back = {0};
    assert_int_equal(RpMsh_Dump(archive, &text, NULL), RP_OK);
    assert_int_equal(RpMsh_Assemble((const char *)text.bytes, text.size, &back, NULL), RP_OK);
    assert_int_equal(back.size, archive->size);
    assert_memory_equal(back.bytes, archive->image, back.size);
}

TEST(SoundModelsOpenStrictly) {
    for (uint64_t seed = 0; seed < 150; seed++) {
        const ModelSpec spec = SpecOf(seed);
        OWNED(ModelImage) model;
        RpMsh msh;
        RpError error = {0};
        Image image = Build(&spec, &model);
        RpNRes archive = Image_Open(&image);
        if (RpMsh_Open(RpNRes_Entries(&archive), RP_STRICT, &msh, &error) != RP_OK)
            fail_msg("seed %u: %s, %s: expected %s, found %s", (unsigned)seed, error.what,
                     error.where, error.expected, error.found);
        assert_int_equal(RpMsh_Count(&msh, RP_MSH_NODES), model.node_count);
        assert_int_equal(RpMsh_Count(&msh, RP_MSH_KEYS), model.key_count);
        assert_int_equal(RpMsh_Count(&msh, RP_MSH_SLOTS), model.slot_count);
        assert_int_equal(msh.frame_count, model.frame_count);
        AssertRoundTrip(&archive);
    }
}

TEST(WhatWasAskedForIsFound) {
    ModelSpec spec = {.name = "odd",
                      .nodes = 6,
                      .animated = 5,
                      .frame_count = 40,
                      .keys_per_node = 9,
                      .slots = 3,
                      .seed = 4};
    static const struct {
        ModelTimes times;
        ModelRotations rotations;
        ModelMap map;
        const char *rule;
        RpSeverity severity;
    } odd[] = {
        {MODEL_TIMES_EQUAL, MODEL_ROTATIONS_SMOOTH, MODEL_MAP_CANONICAL, "M24", RP_SEVERITY_ERROR},
        {MODEL_TIMES_FRACTIONAL, MODEL_ROTATIONS_SMOOTH, MODEL_MAP_CANONICAL, "M24",
         RP_SEVERITY_CANONICAL},
        {MODEL_TIMES_SPARSE, MODEL_ROTATIONS_ZERO, MODEL_MAP_CANONICAL, "M29", RP_SEVERITY_INFO},
        {MODEL_TIMES_SPARSE, MODEL_ROTATIONS_UNNORMALISED, MODEL_MAP_CANONICAL, "M29",
         RP_SEVERITY_WARNING},
        {MODEL_TIMES_SPARSE, MODEL_ROTATIONS_SMOOTH, MODEL_MAP_ABOVE_FALLBACK, "M23",
         RP_SEVERITY_CANONICAL},
        {MODEL_TIMES_SPARSE, MODEL_ROTATIONS_SMOOTH, MODEL_MAP_WRONG_SEGMENT, "M28",
         RP_SEVERITY_CANONICAL},
        {MODEL_TIMES_SPARSE, MODEL_ROTATIONS_SMOOTH, MODEL_MAP_RANDOM, "M23",
         RP_SEVERITY_CANONICAL},
    };
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        OWNED(ModelImage) model;
        spec.times = odd[i].times;
        spec.rotations = odd[i].rotations;
        spec.map = odd[i].map;
        Image image = Build(&spec, &model);
        Findings_Check(&findings, &image);
        assert_non_null(Findings_Of(&findings, odd[i].rule, odd[i].severity, 0));
        for (uint32_t f = 0; f < findings.count; f++)
            if (findings.list[f].severity == RP_SEVERITY_ERROR)
                assert_string_equal(findings.list[f].rule, odd[i].rule);
    }
}

TEST(TracksAreThoseThatSamplingReads) {
    for (uint64_t seed = 0; seed < 60; seed++) {
        const ModelSpec spec = SpecOf(seed);
        OWNED(ModelImage) model;
        Image image = Build(&spec, &model);
        const RpMsh msh = Image_OpenModel(&image, RP_STRICT);
        for (uint32_t node = 0; node < model.node_count; node++) {
            const ModelTrack track = ModelImage_Track(&model, node);
            RpMshNode record;
            uint32_t first, last, key;
            assert_true(RpMsh_Node(&msh, node, &record));
            assert_int_equal(record.map_start, track.map_start);
            assert_int_equal(record.fallback, track.fallback);
            assert_true(RpMsh_Track(&msh, node, &first, &last));
            assert_int_equal(last, track.fallback);
            for (uint32_t frame = 0; frame <= msh.frame_count; frame++)
                assert_true(RpMsh_KeyAt(&msh, node, frame, &key) && key <= track.fallback);
        }
    }
}
