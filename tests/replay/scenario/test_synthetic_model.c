/* Tests of synthetic models: they are valid archives, canonical if asked for, and never read out of
 * bounds. */
#include "model_check.h"
#include "replay/scenario/calls.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static ModelImage Build(const ModelSpec *spec) {
    ModelImage image;
    RpError error = {0};
    assert_int_equal(ModelImage_Make(spec, &image, &error), RP_OK);
    return image;
}

static CheckedModel Check(const ModelImage *image) {
    CheckedModel model;
    const char *fault = Model_Check(image->bytes, image->size, &model);
    if (fault)
        print_error("broken rule: %s\n", fault);
    assert_null(fault);
    return model;
}

static bool IsCanonical(const ModelSpec *spec) {
    return spec->map == MODEL_MAP_CANONICAL && spec->times != MODEL_TIMES_EQUAL;
}

TEST(CorpusIsValid) {
    uint32_t canonical = 0, animated = 0, longest = 0, most_nodes = 0;
    for (uint64_t seed = 0; seed < 8; seed++)
        for (uint32_t i = 0; i < CORPUS_ALL_MODELS; i++) {
            ModelSpec spec;
            Corpus_Spec(seed, i, &spec);
            ModelImage image = Build(&spec);
            CheckedModel model = Check(&image);
            const char *fault = Model_CheckCanonical(&model);
            if (IsCanonical(&spec) && fault)
                print_error("%s: %s\n", spec.name, fault);
            assert_true(!IsCanonical(&spec) || !fault);
            /* A model that is meant not to be canonical must not be. */
            assert_true(IsCanonical(&spec) || fault);
            canonical += !fault;
            animated += spec.animated > 0;
            longest = image.frame_count > longest ? image.frame_count : longest;
            most_nodes = image.node_count > most_nodes ? image.node_count : most_nodes;
            assert_int_equal(image.node_count, model.streams[1].attr1);
            assert_int_equal(image.key_count, model.streams[8].attr1);
            assert_int_equal(image.frame_count, model.streams[19].attr2);
            ModelImage_Free(&image);
        }
    assert_true(canonical >= 8 * 24 && animated >= 8 * 20 && longest >= 1024 && most_nodes == 38);
}

TEST(FirstModelIsTheLongestOfTheGame) {
    ModelSpec spec;
    Corpus_Spec(1, 0, &spec);
    assert_int_equal(spec.nodes, 10);
    assert_int_equal(spec.animated, 10);
    assert_int_equal(spec.frame_count, 124);
}

static uint32_t CountKeys(const ModelSpec *spec, bool (*wanted)(const uint8_t *key)) {
    ModelImage image = Build(spec);
    const ModelStream *keys = ModelImage_Stream(&image, 8);
    uint32_t count = 0;
    for (uint32_t i = 0; i < image.key_count; i++)
        count += wanted(image.bytes + keys->offset + 24 * i);
    ModelImage_Free(&image);
    return count;
}

static bool IsAllZero(const uint8_t *key) {
    return Get32(key + 16) == 0 && Get32(key + 20) == 0;
}

static bool IsUnnormalised(const uint8_t *key) {
    int64_t square = 0;
    for (uint32_t i = 0; i < 4; i++) {
        int64_t value = (int16_t)Get16(key + 16 + 2 * i);
        square += value * value;
    }
    return square < 32700LL * 32700 || square > 32900LL * 32900;
}

static bool HasFraction(const uint8_t *key) {
    float time = GetFloat(key + 12);
    return time != (float)(int)time;
}

TEST(OddContentsAreThereWhereAskedFor) {
    ModelSpec spec = {.name = "odd",
                      .nodes = 3,
                      .animated = 3,
                      .frame_count = 50,
                      .keys_per_node = 20,
                      .slots = 3,
                      .seed = 1};
    assert_int_equal(CountKeys(&spec, IsAllZero), 0);
    assert_int_equal(CountKeys(&spec, IsUnnormalised), 0);
    assert_int_equal(CountKeys(&spec, HasFraction), 0);
    spec.rotations = MODEL_ROTATIONS_ZERO;
    assert_true(CountKeys(&spec, IsAllZero) >= 5);
    spec.rotations = MODEL_ROTATIONS_UNNORMALISED;
    assert_true(CountKeys(&spec, IsUnnormalised) >= 30);
    spec.times = MODEL_TIMES_FRACTIONAL;
    assert_true(CountKeys(&spec, HasFraction) >= 20);
}

/* The map names a segment of length 0, so that alpha divides by zero. */
TEST(EqualTimesAreSampled) {
    ModelSpec spec = {.name = "equal",
                      .nodes = 1,
                      .animated = 1,
                      .frame_count = 50,
                      .keys_per_node = 20,
                      .slots = 3,
                      .times = MODEL_TIMES_EQUAL,
                      .seed = 1};
    ModelImage image = Build(&spec);
    CheckedModel model = Check(&image);
    uint32_t sampled = 0;
    for (uint32_t frame = 0; frame < 50; frame++) {
        uint32_t word = Get16(model.streams[19].bytes + 2 * frame);
        if (word + 1 < image.key_count)
            sampled += ModelImage_KeyTime(&image, word) == ModelImage_KeyTime(&image, word + 1);
    }
    assert_true(sampled >= 3);
    ModelImage_Free(&image);
}

TEST(OptionalStreamsAndOrdersAreAllThere) {
    static const uint32_t types[4] = {15, 16, 18, 20};
    uint32_t sets = 0, orders = 0, first_types = 0;
    for (uint32_t i = 0; i < CORPUS_LOADER_MODELS; i++) {
        ModelSpec spec;
        Corpus_LoaderSpec(3, i, &spec);
        ModelImage image = Build(&spec);
        Check(&image);
        uint32_t set = 0;
        for (uint32_t k = 0; k < 4; k++)
            set |= (uint32_t)(ModelImage_Stream(&image, types[k]) != NULL) << k;
        sets |= 1u << set;
        orders += image.streams[0].type != 1;
        first_types |= 1u << image.streams[0].type;
        ModelImage_Free(&image);
    }
    assert_int_equal(sets, 0xFFFF);
    assert_true(orders >= 30);
    assert_true(first_types & (first_types - 1));
}

TEST(SameSpecSameBytes) {
    ModelSpec spec;
    Corpus_Spec(9, 3, &spec);
    ModelImage a = Build(&spec), b = Build(&spec);
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.bytes, b.bytes, a.size);
    spec.seed++;
    ModelImage_Free(&b);
    b = Build(&spec);
    assert_true(a.size != b.size || memcmp(a.bytes, b.bytes, a.size) != 0);
    ModelImage_Free(&a);
    ModelImage_Free(&b);
}

TEST(ImpossibleSpecsAreRefused) {
    const ModelSpec good = {
        .name = "x", .nodes = 4, .animated = 2, .frame_count = 10, .keys_per_node = 3, .slots = 3};
    ModelSpec bad[8];
    for (size_t i = 0; i < 8; i++)
        bad[i] = good;
    bad[0].name[0] = 0;
    memset(bad[1].name, 'x', sizeof bad[1].name);
    bad[2].nodes = 0;
    bad[3].slots = 0;
    bad[4].animated = 5;
    bad[5].frame_count = 1;
    bad[6].animated = 0;
    bad[7].nodes = bad[7].animated = 99, bad[7].frame_count = 1000;
    ModelImage image = Build(&good);
    ModelImage_Free(&image);
    for (size_t i = 0; i < 8; i++) {
        RpError error = {0};
        assert_int_equal(ModelImage_Make(&bad[i], &image, &error), RP_INVALID);
        assert_true(error.expected[0] != 0);
        assert_null(image.bytes);
    }
}

static uint32_t FindRelocation(const TraceRelocation *relocations, uint32_t count, uint32_t field) {
    for (uint32_t i = 0; i < count; i++)
        if (relocations[i].offset == field)
            return relocations[i].target_offset;
    return UINT32_MAX;
}

TEST(ReaderPointsIntoTheStreams) {
    ModelSpec spec = {.name = "all",
                      .nodes = 3,
                      .animated = 1,
                      .frame_count = 7,
                      .keys_per_node = 3,
                      .slots = 3,
                      .optional = 15};
    uint8_t reader[MODEL_READER_SIZE];
    TraceRelocation relocations[MODEL_READER_RELOCATIONS];
    ModelImage image = Build(&spec);
    uint32_t count = ModelImage_Reader(&image, 5, reader, relocations);
    assert_int_equal(count, MODEL_READER_RELOCATIONS);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(relocations[i].target, 5);
        assert_int_equal(Get32(reader + relocations[i].offset), 0);
    }
    assert_int_equal(FindRelocation(relocations, count, 0x08),
                     ModelImage_Stream(&image, 2)->offset + 0x8C);
    assert_int_equal(FindRelocation(relocations, count, 0x18),
                     ModelImage_Stream(&image, 8)->offset);
    assert_int_equal(FindRelocation(relocations, count, 0x54),
                     ModelImage_Stream(&image, 16)->offset + 4);
    assert_int_equal(Get32(reader + 0x9C), 7);
    assert_int_equal(Get32(reader + 0xA0), ModelImage_Stream(&image, 20)->attr1);
    assert_int_equal(Get32(reader + 0x50), 8);
    ModelImage_Free(&image);

    spec.optional = 0;
    image = Build(&spec);
    count = ModelImage_Reader(&image, 5, reader, relocations);
    assert_int_equal(FindRelocation(relocations, count, 0x4C), UINT32_MAX);
    assert_int_equal(FindRelocation(relocations, count, 0x64), UINT32_MAX);
    assert_int_equal(Get32(reader + 0x50), 0);
    assert_int_equal(Get32(reader + 0xA0), 0);
    ModelImage_Free(&image);
}

/* The tables say where the fields are, whereas the builder's offsets are literal numbers. */
static uint32_t FieldOffset(const char *structure, const char *name) {
    const AbiStruct *layout = Abi_FindStruct(structure, strlen(structure));
    for (size_t i = 0; i < layout->field_count; i++)
        if (strcmp(layout->fields[i].name, name) == 0)
            return layout->fields[i].offset;
    return UINT32_MAX;
}

TEST(PiecesFollowTheTables) {
    ModelSpec spec;
    Corpus_Spec(2, 0, &spec);
    ModelImage image = Build(&spec);
    uint8_t *pieces = malloc((image.node_count + 1) * MODEL_PIECE_SIZE);
    TraceRelocation relocations[64];
    assert_non_null(pieces);
    ModelImage_Pieces(&image, 6, pieces, relocations);
    assert_int_equal(Abi_FindStruct("piece", 5)->size, MODEL_PIECE_SIZE);
    assert_int_equal(Abi_FindStruct("reader", 6)->size, MODEL_READER_SIZE);
    for (uint32_t i = 0; i < image.node_count; i++) {
        const uint8_t *piece = pieces + i * MODEL_PIECE_SIZE;
        assert_int_equal(Get32(piece + FieldOffset("piece", "node")), i);
        assert_int_equal(Get32(piece + FieldOffset("piece", "variant")), i % 3);
        assert_int_equal(relocations[i].offset,
                         i * MODEL_PIECE_SIZE + FieldOffset("piece", "reader"));
        assert_int_equal(relocations[i].target, 6);
        assert_int_equal(relocations[i].target_offset, 0);
        assert_true(GetFloat(piece + FieldOffset("piece", "world")) == 1.0f);
    }
    free(pieces);
    ModelImage_Free(&image);
}

/* Tests the checker itself: it must not accept a damaged image. */
TEST(CheckerSeesDamage) {
    ModelSpec spec;
    Corpus_Spec(1, 5, &spec);
    ModelImage image = Build(&spec);
    CheckedModel model = Check(&image);
    uint8_t *record = image.bytes + ModelImage_Stream(&image, 1)->offset;
    const struct {
        uint8_t *at;
        uint32_t value;
    } damage[] = {
        {image.bytes, 0},                                /* magic */
        {image.bytes + 12, image.size + 1},              /* size */
        {record + 2, 0x7FFF},                            /* parent and map start */
        {record + 6, 0x7FFF},                            /* fallback */
        {record + 8, 0x7FFF},                            /* slot */
        {image.bytes + image.size - 64 + 12, 0x1000000}, /* a stream past the end */
        {image.bytes + image.size - 4, 0},               /* lookup order */
    };
    for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
        uint8_t saved[4];
        memcpy(saved, damage[i].at, 4);
        for (int k = 0; k < 4; k++)
            damage[i].at[k] = (uint8_t)(damage[i].value >> 8 * k);
        assert_non_null(Model_Check(image.bytes, image.size, &model));
        memcpy(damage[i].at, saved, 4);
    }
    assert_null(Model_Check(image.bytes, image.size, &model));
    ModelImage_Free(&image);
}
