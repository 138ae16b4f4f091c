/* Tests of the type `state`: an object in the trace's memory that a call changes in place. */
#include "tests/replay/fixture.h"

#include "replay/compare/compare.h"
#include "replay/compare/describe.h"
#include "replay/session/minimise.h"
#include "tracefile/format.h"
#include "tracefile/select.h"
#include "tracefile/trim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OBJECT = 3, READER = 4, OTHER = 5, UNUSED = 6 };
enum { PIECES = SIGNATURE_STATE_PIECES, PIECE = 0x130, PIECE_COUNT = 2 };
enum { OBJECT_BYTES = PIECES + PIECE_COUNT * PIECE };

static const char set_phase[] = "animesh.IAnimation.25", tilt_node[] = "animesh.IAnimation.31",
                  clear_cache[] = "animesh.ClearPoseCache", query[] = "animesh.IMesh2.6";

#define STATE_WORDS(...) (const uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__})

/* ---- grammar --------------------------------------------------------------------------------- */

TEST(AStateIsOneInoutPointerWithoutACount) {
    static const struct {
        const char *params;
        uint64_t column;
    } cases[] = {
        {"state x", 0},
        {"in state x", 3},
        {"out state x", 4},
        {"inout state[2] x", 11},
        {"inout state x, inout state y", 27},
        {"inout state x, in f32[n] y, u32 n", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        Fixture_Malformed(cases[i].params, cases[i].column);
    assert_int_equal(Signature_StateParam(Fixture_Signature(tilt_node)), 0);
    assert_int_equal(Signature_StateParam(Fixture_Signature("ngi32.slot17")), -1);
}

/* ---- sizes ----------------------------------------------------------------------------------- */

static bool Fits(const Signature *signature, const uint32_t *words, size_t size, RpError *error) {
    return Signature_CheckInputs(signature, (const uint8_t *)words, (uint32_t)size, error) == RP_OK;
}

TEST(PatchesAndRangesGiveTheSizes) {
    const Signature *signature = Fixture_Signature(query);
    /* The words are one patch, two ranges, the segment, the query and the hit. */
    uint32_t words[4 + 2 + 4 + 6 + 8 + 9] = {OBJECT, 4, 1, 2, 0x1F4, 7, 0, 3, 0x240, 2};
    const uint8_t *inputs = (const uint8_t *)words;
    SignatureMap map;
    assert_true(Signature_Map(signature, inputs, sizeof words, &map));
    assert_int_equal(map.input_bytes[0], 40);
    assert_int_equal(map.input_offset[1], 40);
    assert_int_equal(map.output_offset[0], 4); /* it comes after the result */
    assert_int_equal(map.output_bytes[0], 20);
    assert_int_equal(map.output_offset[3], 24);
    assert_int_equal(map.output_bytes[3], 36);
    assert_int_equal(map.output_size, 60);
    assert_int_equal(Signature_OutputBytes(signature, inputs, sizeof words), 60);
    assert_int_equal(Signature_ParamBytes(signature, 0, inputs, sizeof words), 40);
    const SignatureState read = Signature_ReadState(inputs);
    assert_int_equal(read.memory, OBJECT);
    assert_int_equal(read.offset, 4);
    assert_int_equal(read.patch_count, 1);
    assert_int_equal(Bytes_U32(read.patches + 4), 7);
    assert_int_equal(Bytes_U32(read.ranges + 8), 0x240);
    assert_false(Signature_Map(signature, inputs, sizeof words - 4, &map));
}

TEST(MalformedStatesAreRefusedWhereTheyAre) {
    static const struct {
        uint32_t words[10];
        uint32_t count;
        uint64_t offset;
    } cases[] = {
        {{1, 0, 0}, 3, 0},                              /* less than a whole head */
        {{1, 0, 1, 0, 8}, 5, 0},                        /* half a patch */
        {{1, 0, 0, 1}, 4, 0},                           /* no range */
        {{1, 0, 65537, 0}, 4, 8},                       /* too many patches */
        {{1, 0, 0, 65537}, 4, 12},                      /* too many ranges */
        {{1, 0, UINT32_MAX, UINT32_MAX}, 4, 8},         /* overflow */
        {{1, 0, 1, 0, 2, 0}, 6, 16},                    /* a patch that is not at a dword */
        {{1, 0, 2, 0, 8, 0, 8, 0}, 8, 24},              /* two patches of the same dword */
        {{1, 0, 2, 0, 8, 0, 4, 0}, 8, 24},              /* offsets that fall */
        {{1, 0, 0, 1, 8, 0}, 6, 20},                    /* an empty range */
        {{1, 0, 0, 2, 8, 2, 12, 1}, 8, 24},             /* ranges that overlap */
        {{1, 0, 0, 1, 8, 65537}, 6, 20},                /* too many dwords, */
        {{1, 0, 0, 2, 8, 65536, 0x40008, 1}, 8, 28},    /* ranges with too many dwords together */
        {{1, 0, 0, 1, UINT32_MAX - 3, 2}, 6, 20},       /* a range beyond the end of all memory */
        {{1, 0, 0, 0, 0}, 5, 16},                       /* bytes after the state */
        {{1, 0, 1, 1, 12, 0, 8, UINT32_MAX / 4}, 8, 28} /* a length that wraps */
    };
    const Signature *signature = Fixture_Signature(clear_cache);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        RpError error = {0};
        if (Fits(signature, cases[i].words, 4 * cases[i].count, &error) ||
            error.offset != cases[i].offset)
            fail_msg("case %zu: offset %llu, %s", i, (unsigned long long)error.offset,
                     error.expected);
    }
    static const uint32_t good[][8] = {{1, 0, 0, 0}, {1, 0, 1, 1, UINT32_MAX - 3, 5, 8, 65536}};
    assert_true(Fits(signature, good[0], 16, NULL));
    assert_true(Fits(signature, good[1], 32, NULL));
}

/* ---- elements -------------------------------------------------------------------------------- */

static void AssertElement(bool outputs, const uint32_t *words, size_t size, uint32_t index,
                          const char *path, SignatureType type, uint32_t offset, uint32_t bytes) {
    const Signature *signature = Fixture_Signature(clear_cache);
    const uint8_t *inputs = (const uint8_t *)words;
    SignatureElement element;
    SignatureCursor cursor = (outputs ? Signature_OutputElements
                                      : Signature_InputElements)(signature, inputs, (uint32_t)size);
    for (uint32_t i = 0; i <= index; i++)
        assert_true(Signature_NextElement(&cursor, &element));
    assert_string_equal(element.path, path);
    assert_int_equal(element.type, type);
    assert_int_equal(element.offset, offset);
    assert_int_equal(element.size, bytes);
    assert_true(element.compared);
}

TEST(DwordsAreNamedByTheLayout) {
    const uint32_t ranges[] = {OBJECT,
                               0,
                               0,
                               5,
                               0x1F4,
                               2,
                               0x238,
                               3,
                               PIECES + 0x70,
                               1,
                               PIECES + 0x110,
                               2,
                               PIECES + 2 * PIECE + 0x118,
                               1};
    const size_t size = sizeof ranges;
    AssertElement(true, ranges, size, 0, "mesh.phase", SIGNATURE_F32, 0, 4);
    AssertElement(true, ranges, size, 1, "mesh.weight", SIGNATURE_F32, 4, 4);
    AssertElement(true, ranges, size, 2, "mesh.life_step[3]", SIGNATURE_F32, 8, 4);
    AssertElement(true, ranges, size, 3, "mesh+0x23C", SIGNATURE_U32, 12, 4);
    AssertElement(true, ranges, size, 4, "piece[0].tag", SIGNATURE_U32, 16, 4);
    AssertElement(true, ranges, size, 5, "piece[0].model[1][0]", SIGNATURE_F32, 20, 4);
    AssertElement(true, ranges, size, 6, "piece[0].cache_valid", SIGNATURE_U8, 24, 1);
    AssertElement(true, ranges, size, 9, "piece[0].tilted", SIGNATURE_U8, 27, 1);
    AssertElement(true, ranges, size, 10, "piece[0].phase", SIGNATURE_F32, 28, 4);
    AssertElement(true, ranges, size, 11, "piece[2].weight", SIGNATURE_F32, 32, 4);
    const uint32_t patches[] = {OBJECT,    8, 3, 0, 0, 1, PIECES + 0x18, 2, PIECES + PIECE + 0x110,
                                0x01020304};
    AssertElement(false, patches, sizeof patches, 0, "self", SIGNATURE_REF, 0, 8);
    AssertElement(false, patches, sizeof patches, 1, "mesh.animation", SIGNATURE_U32, 20, 4);
    AssertElement(false, patches, sizeof patches, 2, "piece[0].parent", SIGNATURE_I32, 28, 4);
    AssertElement(false, patches, sizeof patches, 4, "piece[1].flying", SIGNATURE_U8, 37, 1);
}

/* Every byte of the object is in exactly one element, in order, because the layouts have no
 * gaps. */
TEST(ElementsTileTheRanges) {
    const Signature *signature = Fixture_Signature(clear_cache);
    static const uint32_t starts[] = {0, 4, 0x1FC, 0x23C, PIECES, PIECES + 0x110, PIECES + PIECE};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        const uint32_t dwords = (OBJECT_BYTES - starts[i]) / 4;
        const uint32_t words[] = {OBJECT, 0, 0, 1, starts[i], dwords};
        SignatureElement element;
        uint32_t offset = 0, index = 0;
        SignatureCursor cursor =
            Signature_OutputElements(signature, (const uint8_t *)words, sizeof words);
        for (; Signature_NextElement(&cursor, &element); index++) {
            assert_int_equal(element.offset, offset);
            offset += element.size;
        }
        assert_int_equal(offset, 4 * dwords);
        assert_true(index > dwords); /* bytes are elements of their own */
    }
}

/* ---- traces ---------------------------------------------------------------------------------- */

static const TraceRelocation links[] = {
    {0x1A8, OBJECT, PIECES}, {PIECES + 0x12C, READER, 0}, {PIECES + PIECE + 0x12C, READER, 4}};

static void WriteTrace(const char *path, const TraceRelocation *relocations,
                       uint32_t relocation_count, const TraceCall *calls, size_t count) {
    static const uint8_t bytes[OBJECT_BYTES];
    const TraceMemory memories[] = {
        {OBJECT, OBJECT_BYTES, bytes, relocation_count, relocations},
        {READER, 8, bytes, 0, NULL},
        {OTHER, 0, bytes, 0, NULL},
        {UNUSED, 12, bytes, 0, NULL},
    };
    Fixture_Put(path, (FixtureTrace){.memories = memories,
                                     .memory_count = sizeof memories / sizeof *memories,
                                     .calls = calls,
                                     .call_count = count});
}

static RpStatus ReadOne(const char *path, RpError *error) {
    TraceReader *reader = Fixture_Open(path);
    TraceCall call;
    bool found;
    RpStatus status = TraceReader_Next(reader, &call, &found, error);
    if (!status) /* a second look-up finds what the first one has stored */
        TraceReader_Rewind(reader);
    if (!status)
        status = TraceReader_Next(reader, &call, &found, error);
    assert_true(status || found);
    TraceReader_Close(reader);
    return status;
}

static TraceCall NotRun(TraceCall call) {
    call.outcome = TRACE_NOT_RUN;
    call.output_size = 0;
    return call;
}

static RpStatus ReadState(const TraceRelocation *relocations, uint32_t relocation_count,
                          const uint32_t *words, size_t size, RpError *error) {
    const char *path = Fixture_Path("state");
    const TraceCall call = NotRun(Fixture_Call(clear_cache, 1, words, size, NULL, 0));
    WriteTrace(path, relocations, relocation_count, &call, 1);
    RpStatus status = ReadOne(path, error);
    return status;
}

TEST(AReaderKnowsWhatAStateMayTouch) {
    static const struct {
        uint32_t words[8], count;
        const char *what; /* null if the call is valid */
    } cases[] = {
        {{OBJECT, 0, 0, 0}, 4, NULL},
        {{OBJECT, OBJECT_BYTES - 4, 1, 1, OBJECT_BYTES - 8, 1, OBJECT_BYTES - 24, 4}, 8, NULL},
        {{OBJECT, 0, 1, 1, 0x1A4, 1, 0x1AC, 16}, 8, NULL}, /* ranges on both sides of the pointer */
        {{99, 0, 0, 0}, 4, "undefined memory"},
        {{TRACE_NO_MEMORY, 0, 0, 0}, 4, "undefined memory"},
        {{TRACE_FOREIGN_MEMORY, 0, 0, 0}, 4, "undefined memory"},
        {{OTHER, 0, 0, 0}, 4, "a state lies behind its memory"},
        {{OBJECT, OBJECT_BYTES, 0, 0}, 4, "a state lies behind its memory"},
        {{OBJECT, 0, 1, 0, OBJECT_BYTES, 0}, 6, "a patch of a state lies behind its memory"},
        {{OBJECT, 0, 0, 1, OBJECT_BYTES - 4, 2}, 6, "a range of a state leaves its memory"},
        {{OBJECT, 0, 0, 1, UINT32_MAX - 3, 1}, 6, "a range of a state leaves its memory"},
        {{OBJECT, 0, 1, 0, 0x1A8, 0}, 6, "a patch of a state changes a relocated field"},
        {{OBJECT, 0, 0, 1, 0x1A4, 2}, 6, "a range of a state holds a relocated field"},
        {{OBJECT, 0, 0, 1, PIECES + 0x12C, 1}, 6, "a range of a state holds a relocated field"},
        {{OBJECT, 0, 0, 1, 0x1AC, 120}, 6, "a range of a state holds a relocated field"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        RpError error = {0};
        RpStatus status = ReadState(links, 3, cases[i].words, 4 * cases[i].count, &error);
        if (status != (cases[i].what ? RP_CORRUPT : RP_OK) ||
            (cases[i].what && !strstr(error.what, cases[i].what)))
            fail_msg("case %zu: %d, \"%s\"", i, status, error.what);
    }
}

TEST(ThePiecesAreBehindTheMesh) {
    const uint32_t words[] = {OBJECT, 0, 0, 0};
    const TraceRelocation elsewhere = {0x1A8, OBJECT, PIECES + 4}, other = {0x1A8, READER, 0};
    const TraceRelocation crooked = {0x1F2, READER, 0}; /* touches two dwords */
    RpError error = {0};
    assert_int_equal(ReadState(&elsewhere, 1, words, sizeof words, &error), RP_CORRUPT);
    assert_string_equal(error.what, "the pieces of a state lie elsewhere");
    assert_int_equal(ReadState(&other, 1, words, sizeof words, &error), RP_CORRUPT);
    assert_string_equal(error.what, "the pieces of a state lie in another memory");
    assert_int_equal(ReadState(NULL, 0, words, sizeof words, &error), RP_OK);
    for (uint32_t at = 0x1EC; at <= 0x1F8; at += 4) {
        const uint32_t patch[] = {OBJECT, 0, 1, 0, at, 0};
        const bool touched = at == 0x1F0 || at == 0x1F4;
        assert_int_equal(ReadState(&crooked, 1, patch, sizeof patch, &error),
                         touched ? RP_CORRUPT : RP_OK);
    }
}

TEST(TrimmingKeepsTheObjectAndWhatItReaches) {
    const char *input = Fixture_Path("long"), *output = Fixture_Path("short");
    const TraceCall calls[] = {
        Fixture_Call(clear_cache, 1, STATE_WORDS(UNUSED, 0, 0, 0), NULL, 0),
        Fixture_Call(tilt_node, 2,
                     STATE_WORDS(OBJECT, 0, 0, 1, 0, 1, 1, TRACE_NO_MEMORY, 0, TRACE_NO_MEMORY, 0),
                     STATE_WORDS(7)),
    };
    Selection *selection;
    uint64_t kept;
    WriteTrace(input, links, 3, calls, 2);
    assert_int_equal(Selection_Parse("2", &selection, NULL), RP_OK);
    assert_int_equal(Trim_Trace(input, output, selection, false, false, &kept, NULL, NULL), RP_OK);
    assert_int_equal(kept, 1);
    TraceReader *reader = Fixture_Open(output);
    const TraceCall call = Fixture_Next(reader);
    assert_non_null(TraceReader_Memory(reader, OBJECT));
    assert_non_null(TraceReader_Memory(reader, READER)); /* reached by a relocation */
    assert_null(TraceReader_Memory(reader, UNUSED));
    assert_int_equal(call.output_size, 4);
    TraceReader_Close(reader);
    Selection_Free(selection);
}

/* ---- differences ----------------------------------------------------------------------------- */

TEST(ADifferenceIsNamedByItsPlace) {
    const char *names[] = {Fixture_Path("a"), Fixture_Path("b")};
    TraceReader *readers[2];
    for (uint32_t i = 0; i < 2; i++) {
        const TraceCall call =
            Fixture_Call(set_phase, 1,
                         STATE_WORDS(OBJECT, 0, 1, 2, 0x1F4, 0, 0x1F4, 2, PIECES + PIECE + 0x70, 4,
                                     0x3F800000, 0x40000000),
                         STATE_WORDS(0x3F800000, 0x40000000, 0, 0, i, 0));
        WriteTrace(names[i], links, 3, &call, 1);
        readers[i] = Fixture_Open(names[i]);
    }
    Comparison *comparison = Comparison_Create(&(CompareOptions){0});
    assert_int_equal(Comparison_Add(comparison, readers[0], readers[1], "object", NULL), RP_OK);
    assert_int_equal(Comparison_DifferenceCount(comparison), 1);
    const Difference *difference = Comparison_DifferenceAt(comparison, 0);
    assert_string_equal(difference->path, "piece[1].model[1][2]");
    assert_int_equal(difference->elements, 1);
    assert_int_equal(difference->ulps, 1);
    Comparison_Destroy(comparison);
    for (uint32_t i = 0; i < 2; i++)
        TraceReader_Close(readers[i]);
}

TEST(ADescriptionShowsPatchesAndRangesByName) {
    const char *path = Fixture_Path("text");
    const TraceCall call =
        Fixture_Call(set_phase, 1,
                     STATE_WORDS(OBJECT, 0, 2, 2, 0x1F8, 0x3F800000, PIECES + 0x18, UINT32_MAX,
                                 0x1F4, 1, PIECES + PIECE + 0x60, 5, 0x3F800000, 0x40000000),
                     STATE_WORDS(0x40400000, 1, 2, 3, 4, 5));
    FILE *file = fopen(path, "wb");
    Describe_Call(file, &call);
    assert_true(Describe_CallJson(file, &call));
    fclose(file);
    size_t size;
    char *text = (char *)Fixture_Read(path, &size);
    assert_non_null(strstr(text, "self         00000003:00000000 memory 3\n"));
    assert_non_null(strstr(text, "mesh.weight  3f800000 1\n"));
    assert_non_null(strstr(text, "piece[0].parent ffffffff -1\n"));
    assert_non_null(strstr(text, "out mesh.phase   40400000 3\n"));
    assert_non_null(strstr(text, "out piece[1].model 00000001"));
    assert_non_null(strstr(text, "\"path\":\"piece[1].model[1][0]\",\"hex\":\"00000005\""));
    free(text);
}

/* ---- minimising ------------------------------------------------------------------------------ */

/* The traces differ as long as two of the patches are there. */
static RpStatus NeedsTwoPatches(void *context, const char *path, bool *differs, RpError *error) {
    TraceReader *reader;
    TraceCall call;
    bool found;
    unsigned seen = 0;
    ++*(unsigned *)context;
    assert_int_equal(TraceReader_Open(path, &reader, error), RP_OK);
    assert_int_equal(TraceReader_Next(reader, &call, &found, error), RP_OK);
    const SignatureState object = Signature_ReadState(call.inputs);
    for (uint32_t i = 0; found && i < object.patch_count; i++) {
        const uint32_t offset = Bytes_U32(object.patches + 8 * (size_t)i);
        seen += offset == 12 || offset == 68;
    }
    *differs = seen == 2;
    TraceReader_Close(reader);
    return RP_OK;
}

TEST(MinimisingDropsPatches) {
    enum { PATCHES = 20 };
    const char *input = Fixture_Path("many"), *output = Fixture_Path("few");
    uint32_t words[4 + 2 * PATCHES + 2 + 2] = {OBJECT, 0, PATCHES, 1};
    for (uint32_t i = 0; i < PATCHES; i++) {
        words[4 + 2 * i] = 4 * i;
        words[5 + 2 * i] = 0x12345678;
    }
    memcpy(words + 4 + 2 * PATCHES, (const uint32_t[]){0x1F4, 2, 0x40490FDB, 0}, 16);
    const TraceCall call = NotRun(Fixture_Call(set_phase, 1, words, sizeof words, NULL, 0));
    unsigned tries = 0;
    const MinimiseOptions options = {
        .differs = NeedsTwoPatches, .context = &tries, .candidate = Fixture_Path("candidate")};
    MinimiseResult result;
    WriteTrace(input, links, 3, &call, 1);
    assert_int_equal(Minimise_Trace(input, output, &options, &result, NULL), RP_OK);
    assert_int_equal(result.tries, tries);
    assert_true(tries < 40);
    TraceReader *reader = Fixture_Open(output);
    const TraceCall left = Fixture_Next(reader);
    /* Two patches of value 0, the range, and simple arguments are left. */
    static const uint32_t expected[] = {OBJECT, 0, 2, 1, 12, 0, 68, 0, 0x1F4, 2, 0, 0};
    assert_int_equal(left.input_size, sizeof expected);
    assert_memory_equal(left.inputs, expected, sizeof expected);
    TraceReader_Close(reader);
}
