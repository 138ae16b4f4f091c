/* Tests of dumps, assembly and glTF: what the text and the exports of an animation contain. */
#include "core/random.h"
#include "tests/siblings/isle/synthetic.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void ExpectRoundTrip(const RpAni *ani) {
    OWNED(RpBuffer) text = {0}, before = {0}, after = {0};
    OWNED(RpAni) assembled;
    RpError error;
    assert_int_equal(RpAni_Write(ani, &before, NULL), RP_OK);
    assert_int_equal(RpAni_Dump(ani, &text, NULL), RP_OK);
    if (RpAni_Assemble((const char *)text.bytes, text.size, NULL, &assembled, &error))
        fail_msg("%s at %s: expected %s, found %s", error.what, error.where, error.expected,
                 error.found);
    assert_int_equal(RpAni_Write(&assembled, &after, NULL), RP_OK);
    assert_int_equal(after.size, before.size);
    assert_memory_equal(after.bytes, before.bytes, after.size);
}

TEST(ADumpIsAssembledByteForByte) {
    OWNED(RpAni) ani;
    Synthetic_Make(&ani, NULL);
    ExpectRoundTrip(&ani);
    ani.has_header = false; /* a bare body */
    ExpectRoundTrip(&ani);
}

TEST(ADumpOfTheSampleFileIsAssembledByteForByte) {
    OWNED(RpBuffer) image;
    OWNED(RpAni) ani;
    if (!Sample_Load(&image))
        skip();
    assert_int_equal(RpAni_Read(image.bytes, image.size, RP_ANI_FILE, RP_STRICT, NULL, &ani, NULL),
                     RP_OK);
    ExpectRoundTrip(&ani);
}

/* Tries floats that are hard to write as text: NaNs, infinity, minus zero, the smallest and the
 * largest, and random ones. */
TEST(EveryFloatSurvivesText) {
    static const uint32_t hard[] = {0x7FC00000, 0x7F800001, 0xFFFFFFFF, 0x7F800000, 0xFF800000,
                                    0x80000000, 0x00000001, 0x007FFFFF, 0x00800000, 0x7F7FFFFF};
    enum { HARD = sizeof hard / sizeof *hard, KEYS = 2000 };
    static RpAniKey keys[KEYS];
    uint32_t node, seed = 3;
    OWNED(RpAni) ani;
    RpAni_Init(&ani, NULL);
    RpAni_AddNode(&ani, RP_ANI_NO_NODE, "r", 1, &node, NULL);
    for (uint32_t i = 0; i < KEYS; i++)
        for (int k = 0; k < 4; k++) {
            Random_Lcg32(&seed);
            const uint32_t bits = i < HARD ? hard[(i + (uint32_t)k) % HARD] : seed ^ seed >> 15;
            memcpy(&keys[i].value[k], &bits, sizeof bits);
            keys[i].flags = (uint8_t)(seed >> 8);
        }
    assert_int_equal(RpAni_SetKeys(&ani, node, RP_ANI_ROTATION, keys, KEYS, NULL), RP_OK);
    ExpectRoundTrip(&ani);
}

TEST(NamesOfAnyBytesSurviveText) {
    char every[256];
    OWNED(RpAni) ani;
    for (int i = 0; i < 256; i++)
        every[i] = (char)i;
    RpAni_Init(&ani, NULL);
    RpAni_AddActor(&ani, every, 256, 0xFFFFFFFF, NULL);
    RpAni_AddActor(&ani, "", 0, 0, NULL);
    RpAni_AddNode(&ani, RP_ANI_NO_NODE, "\"quo\\ted\" </script>", SIZE_MAX, NULL, NULL);
    RpAni_AddNode(&ani, 0, every, 256, NULL, NULL);
    RpAni_AddNode(&ani, 0, "", 0, NULL, NULL);
    ani.has_camera = INT32_MIN;
    ani.duration = INT32_MIN;
    RpAni_SetTrailing(&ani, every, 256, NULL);
    ExpectRoundTrip(&ani);
}

typedef struct BadText {
    const char *text, *where;
} BadText;

#define HEAD "{\"format\": \"retropose ani\", \"version\": 1, "
#define REST "\"actors\": [], \"duration\": 1, "

static const BadText bad_texts[] = {
    {"", ""},
    {"[1", ""},
    {"{}", "the text"},
    {"{\"format\": \"other\"}", "the text"},
    {"{\"format\": \"retropose ani\", \"version\": 2}", "version"},
    {HEAD "\"duration\": 1}", "actors"},
    {HEAD "\"actors\": [5]}", "actors[0]"},
    {HEAD "\"actors\": [{\"name\": \"A\"}]}", "actors[0].type"},
    {HEAD "\"actors\": [{\"name\": {\"hex\": \"4\"}}]}", "actors[0].name"},
    {HEAD "\"actors\": [{\"name\": {\"hex\": \"4x\"}}]}", "actors[0].name"},
    {HEAD "\"actors\": [], \"duration\": 1.5}", "duration"},
    {HEAD REST "\"camera\": {}, \"nodes\": []}", "camera"},
    {HEAD REST "\"nodes\": []}", "nodes"},
    {HEAD REST "\"nodes\": [{\"depth\": 1, \"name\": \"\"}]}", "nodes[0].depth"},
    {HEAD REST "\"nodes\": [{\"depth\": 0, \"name\": \"\"}, {\"depth\": 0, \"name\": \"\"}]}",
     "nodes[1].depth"},
    {HEAD REST "\"nodes\": [{\"depth\": 0, \"name\": \"\", \"eye\": []}]}", "nodes[0].eye"},
    {HEAD REST "\"nodes\": [{\"depth\": 0, \"name\": \"\", \"scale\": {}}]}", "nodes[0].scale"},
    {HEAD REST "\"nodes\": [{\"depth\": 0, \"name\": \"\", \"scale\": [{\"time\": 16777216, "
               "\"flags\": 0, \"value\": [1, 1, 1]}]}]}",
     "nodes[0].scale[0].time"},
    {HEAD REST "\"nodes\": [{\"depth\": 0, \"name\": \"\", \"scale\": [{\"time\": 0, "
               "\"flags\": 256, \"value\": [1, 1, 1]}]}]}",
     "nodes[0].scale[0].flags"},
    {HEAD REST "\"nodes\": [{\"depth\": 0, \"name\": \"\", \"scale\": [{\"time\": 0, "
               "\"flags\": 0, \"value\": [1, 1]}]}]}",
     "nodes[0].scale[0].value"},
    {HEAD REST "\"nodes\": [{\"depth\": 0, \"name\": \"\", \"scale\": [{\"time\": 0, "
               "\"flags\": 0, \"value\": [1, 1, 1e39]}]}]}",
     "nodes[0].scale[0].value[2]"},
    {HEAD REST "\"nodes\": [{\"depth\": 0, \"name\": \"\"}], \"trailing\": \"0\"}", "trailing"},
    {HEAD REST "\"nodes\": [{\"depth\": 0, \"name\": \"\"}]} {}", ""},
    {HEAD "\"header\": {\"magic\": 17, \"has_camera\": 0, \"unused\": 0, \"centre\": [0, 0, 0]}}",
     "header.radius"},
};

TEST(BadTextsAreRefusedWithTheirPlace) {
    for (size_t i = 0; i < sizeof bad_texts / sizeof *bad_texts; i++) {
        const BadText *bad = &bad_texts[i];
        RpAni ani;
        RpError error;
        assert_int_equal(RpAni_Assemble(bad->text, strlen(bad->text), NULL, &ani, &error),
                         RP_CORRUPT);
        assert_string_equal(error.where, bad->where);
        assert_int_equal(ani.node_count, 0); /* nothing to free */
        assert_int_equal(RpAni_Assemble(bad->text, strlen(bad->text), NULL, &ani, NULL),
                         RP_CORRUPT);
    }
}

/* ---- glTF ------------------------------------------------------------------------------------ */

static void Export(const RpAni *ani, bool as_text, uint32_t step, RpBuffer *file,
                   RpStatus expected) {
    RpAniGltfOptions options = RpAniGltfOptions_Default();
    assert_int_equal(options.step, 50);
    assert_int_equal(options.policy, RP_ANI_POLICY_S);
    assert_false(options.text);
    options.text = as_text;
    options.step = step;
    RpBuffer_Init(file, NULL);
    assert_int_equal(RpAni_ExportGltf(ani, &options, file, NULL), expected);
}

static bool Holds(RpBuffer *file, const char *text) {
    RpBuffer_Append(file, "", 1);
    return strstr((const char *)file->bytes, text) != NULL;
}

TEST(NullOptionsAreTheDefaults) {
    OWNED(RpAni) ani;
    OWNED(RpBuffer) file = {0}, usual = {0};
    const RpAniGltfOptions options = RpAniGltfOptions_Default();
    Synthetic_Make(&ani, NULL);
    assert_int_equal(RpAni_ExportGltf(&ani, NULL, &file, NULL), RP_OK);
    assert_int_equal(RpAni_ExportGltf(&ani, &options, &usual, NULL), RP_OK);
    assert_int_equal(file.size, usual.size);
    assert_memory_equal(file.bytes, usual.bytes, usual.size);
}

TEST(GltfHasTheTreeAndMirrorsZ) {
    OWNED(RpAni) ani;
    OWNED(RpBuffer) file;
    Synthetic_Make(&ani, NULL);
    Export(&ani, true, 0, &file, RP_OK);
    assert_true(Holds(&file, "\"name\":\"SCALE\",\"translation\":[1,2,-3]"));
    assert_true(Holds(&file, "\"visible\":[[0.1,0],[0.3,1],[0.7,0]]"));
    assert_true(Holds(&file, "\"children\":[1,2,3,4,5,6,7,8,9,10,11,12,13]"));
    RpBuffer_Free(&file);
    Export(&ani, false, 0, &file, RP_OK);
    assert_memory_equal(file.bytes, "glTF", 4);
}

TEST(ASmallerStepBakesMoreKeys) {
    OWNED(RpAni) ani;
    OWNED(RpBuffer) fine, coarse;
    Synthetic_Make(&ani, NULL);
    Export(&ani, false, 1, &fine, RP_OK);
    Export(&ani, false, 1000, &coarse, RP_OK);
    assert_true(fine.size > 10 * coarse.size);
}

/* Exports four hours of one rotation with a key every millisecond. */
TEST(ExportsHaveALimit) {
    const RpAniKey keys[2] = {RpAniKey_Rotation(0, 1, 0.6f, 0.8f, 0, 0),
                              RpAniKey_Rotation(RP_ANI_MOST_TIME, 1, 0.8f, 0.6f, 0, 0)};
    OWNED(RpAni) ani;
    OWNED(RpBuffer) file;
    RpAni_Init(&ani, NULL);
    RpAni_AddNode(&ani, RP_ANI_NO_NODE, "r", 1, NULL, NULL);
    RpAni_SetKeys(&ani, 0, RP_ANI_ROTATION, keys, 2, NULL);
    Export(&ani, false, 1, &file, RP_UNSUPPORTED);
    assert_int_equal(file.size, 0);
    Export(&ani, false, 100000, &file, RP_OK);
}

/* Exports numbers that JSON cannot hold, and quaternions without length. */
TEST(WhatGltfCannotHoldBecomesNothing) {
    const uint32_t nan_bits = 0x7FC00000;
    RpAniKey move = RpAniKey_Translation(0, 1, 1, 2, 3);
    const RpAniKey turn = RpAniKey_Rotation(0, 1, 0, 0, 0, 0);
    OWNED(RpAni) ani;
    OWNED(RpBuffer) file;
    memcpy(&move.value[1], &nan_bits, 4);
    RpAni_Init(&ani, NULL);
    RpAni_AddNode(&ani, RP_ANI_NO_NODE, "\xE9t\xE9", SIZE_MAX, NULL, NULL);
    RpAni_SetKeys(&ani, 0, RP_ANI_TRANSLATION, &move, 1, NULL);
    RpAni_SetKeys(&ani, 0, RP_ANI_ROTATION, &turn, 1, NULL);
    Export(&ani, true, 0, &file, RP_OK);
    assert_true(Holds(&file, "\"name\":\"\xC3\xA9t\xC3\xA9\",\"translation\":[1,0,-3],"
                             "\"rotation\":[0,0,0,1]"));
}
