/* Tests that a trace of format 1.0 can still be read and still means the same. */
#include "tests/test.h"
#include "tracefile/tracefile.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#define GOLDEN_FILE "tests/tracefile/golden-1.0.rptrace"
#define GOLDEN_SIZE 1663
#define GOLDEN_CRC  0x53F132D5

/* ---- what the file holds: every outcome, violation, kind of input and kind of reference ---- */

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char *const golden_header[][2] = {
    {"producer", "retropose golden"},
    {"abi", "0123456789abcdef"},
    {"scenario", "golden"},
    {"seed", "18446744073709551615"},
    {"provider", "stand-in"},
    {"force-cpu", "7"},
    {"hypotheses", "key-order=wxyz"},
    {"unknown-key", "\xD0\x9F\xD0\xB0\xD1\x80\xD0\xBA\xD0\xB0\xD0\xBD = kept"},
};

static const uint8_t corners[] = {
    0, 0, 0,    0,    0, 0, 0,    0,    0, 0, 0, 0, /* 0, 0, 0 */
    0, 0, 0x80, 0x3F, 0, 0, 0,    0,    0, 0, 0, 0, /* 1, 0, 0 */
    0, 0, 0x80, 0x3F, 0, 0, 0x80, 0x3F, 0, 0, 0, 0, /* 1, 1, 0 */
};
static const uint8_t odd[] = {'s', 'e', 'v', 'e', 'n', '!', '!'};
static const uint8_t pointers[16] = {0, 0, 0, 0, 0x11, 0x22, 0x33, 0x44};
/* One relocation leads to an earlier memory, and one to a later memory. */
static const TraceRelocation relocations[] = {{0, 1, 12}, {8, 0xFFFFFFFD, 4}};

static const TraceMemory golden_memories[] = {
    {1, sizeof corners, corners, 0, NULL},
    {2, sizeof pointers, pointers, 2, relocations},
    {0xFFFFFFFD, sizeof odd, odd, 0, NULL},
};

#define W(value)                                                                                   \
    (uint8_t)(value), (uint8_t)((uint32_t)(value) >> 8), (uint8_t)((uint32_t)(value) >> 16),       \
        (uint8_t)((uint32_t)(value) >> 24)
#define UNWRITTEN W(0xA5A5A5A5)

static const uint8_t palette_in[] = {W(1), W(0x80000000), W(0xFFFFFFFF)};
static const uint8_t text_in[] = {W(6), 'l', 'i', 'n', 'e', '\n', 0, 0, 0};
static const uint8_t cosine_in[] = {W(0), W(0x80000000), W(0x3F800000),
                                    W(0), W(0x7FC00000), W(0x00000001)};
static const uint8_t cosine_out[] = {0, 1, 2, 3, 4, 5, 6, 0x80, 0xFF, 0x3F, 0, 0};
static const uint8_t slerp_in[] = {W(0x3F800000), W(0), W(0), W(0),         W(0),
                                   W(0x3F800000), W(0), W(0), W(0x3F000000)};
static const uint8_t slerp_out[] = {W(0x3F3504F3), W(0x3F3504F3), UNWRITTEN, W(0x80000000)};
static const uint8_t polygon_in[] = {
    W(0),  W(0),          W(0x3F800000), W(0),          W(1), W(0), W(1),          W(12), W(1),
    W(24), W(0xFFFFFFFF), W(0),          W(0xFFFFFFFE), W(0), W(5), W(0x3F000000), W(0),  W(0)};
static const uint8_t polygon_out[] = {W(1)};
static const uint8_t piece_in[] = {W(2), W(0), W(0xFFC00001)};
static const uint8_t crash_out[] = {W(0xC0000005), W(0x12880), W(1)};
static const uint8_t exit_out[] = {W(0x10)};
static const uint8_t string_in[] = {W(2), W(8)};
static const uint8_t string_out[] = {W(0xFFFFFFFD), W(4)};

static const struct {
    const char *key;
    uint64_t sequence;
    uint16_t control_in, control_out;
    uint32_t mxcsr_in, mxcsr_out;
    uint8_t outcome, violations;
    const uint8_t *inputs;
    uint32_t input_size;
    const uint8_t *outputs;
    uint32_t output_size;
} golden_calls[] = {
    {"ngi32.SetFpuControlWord", 0, 0x027F, 0x007F, 0x1F80, 0x1F80, TRACE_RETURNED, 0, NULL, 0, NULL,
     0},
    {"ngi32.ngiSetPalette", 1, 0x007F, 0x007F, 0x1F80, 0x1F80, TRACE_RETURNED, 0x1F, palette_in,
     sizeof palette_in, NULL, 0},
    {"ngi32.niOutputDebugString", 5, 0x007F, 0x007F, 0x1F80, 0x1F80, TRACE_NOT_RUN, 0, text_in,
     sizeof text_in, NULL, 0},
    {"ngi32.DirectionalCosine", 6, 0x0F7F, 0x0F7F, 0x7F80, 0x7FA1, TRACE_RETURNED, 4, cosine_in,
     sizeof cosine_in, cosine_out, sizeof cosine_out},
    {"ngi32.slot17", 1000, 0x037F, 0x037F, 0x1F80, 0x1FA0, TRACE_RETURNED, 0, slerp_in,
     sizeof slerp_in, slerp_out, sizeof slerp_out},
    {"ngi32.mrnPointInPoly", 4294967296, 0x007F, 0x007F, 0x1F80, 0x1F80, TRACE_RETURNED, 0,
     polygon_in, sizeof polygon_in, polygon_out, sizeof polygon_out},
    {"animesh.SampleNode", 4294967297, 0x007F, 0x007F, 0x1F80, 0x1F80, TRACE_CRASHED, 0, piece_in,
     sizeof piece_in, crash_out, sizeof crash_out},
    {"animesh.SampleNode", 4294967298, 0x007F, 0x007F, 0x1F80, 0x1F80, TRACE_EXITED, 0, piece_in,
     sizeof piece_in, exit_out, sizeof exit_out},
    {"animesh.SampleNode", 4294967299, 0x007F, 0x007F, 0x1F80, 0x1F80, TRACE_TIMED_OUT, 0, piece_in,
     sizeof piece_in, NULL, 0},
    {"animesh.SampleNode", 4294967300, 0x007F, 0x007F, 0x1F80, 0x1F80, TRACE_UNSUPPORTED, 0,
     piece_in, sizeof piece_in, NULL, 0},
    {"animesh.NodeString", 9007199254740991, 0x007F, 0x007F, 0x1F80, 0x1F80, TRACE_RETURNED, 0,
     string_in, sizeof string_in, string_out, sizeof string_out},
};

/* Returns the index-th call. Its signature is parsed into the caller's. */
static TraceCall Golden(size_t index, Signature *signature) {
    TraceCall call = {.function = Abi_Find(golden_calls[index].key),
                      .signature = signature,
                      .sequence = golden_calls[index].sequence,
                      .control_in = golden_calls[index].control_in,
                      .control_out = golden_calls[index].control_out,
                      .mxcsr_in = golden_calls[index].mxcsr_in,
                      .mxcsr_out = golden_calls[index].mxcsr_out,
                      .outcome = golden_calls[index].outcome,
                      .violations = golden_calls[index].violations,
                      .inputs = golden_calls[index].inputs,
                      .input_size = golden_calls[index].input_size,
                      .outputs = golden_calls[index].outputs,
                      .output_size = golden_calls[index].output_size};
    Signature_Parse(call.function, signature, NULL);
    return call;
}

/* ---- tests -------------------------------------------------------------------------------- */

static TraceReader *OpenGolden(void) {
    RpError error = {0};
    TraceReader *reader = NULL;
    RpStatus status = TraceReader_Open(GOLDEN_FILE, &reader, &error);
    if (status != RP_OK)
        print_error("%s, %s\n", error.what, error.found);
    assert_int_equal(status, RP_OK);
    return reader;
}

static void AssertBytes(const uint8_t *a, uint32_t a_size, const uint8_t *b, uint32_t b_size) {
    assert_int_equal(a_size, b_size);
    if (a_size > 0)
        assert_memory_equal(a, b, a_size);
}

/* The file's bytes are tested, and not only their meaning, so that nobody "updates" the file. */
TEST(FileIsTheOneOfOld) {
    static uint8_t bytes[16384];
    FILE *stream = fopen(GOLDEN_FILE, "rb");
    assert_non_null(stream);
    size_t size = fread(bytes, 1, sizeof bytes, stream);
    fclose(stream);
    assert_int_equal(size, GOLDEN_SIZE);
    assert_int_equal(crc32(0, bytes, (uInt)size), GOLDEN_CRC);
}

TEST(HeaderIsKept) {
    char value[128];
    TraceReader *reader = OpenGolden();
    const TraceHeader *header = TraceReader_Header(reader);
    assert_int_equal(header->major, 1);
    assert_int_equal(header->minor, 0);
    for (size_t i = 0; i < COUNT(golden_header); i++) {
        assert_true(TraceHeader_Get(header, golden_header[i][0], value, sizeof value));
        assert_string_equal(value, golden_header[i][1]);
    }
    TraceReader_Close(reader);
}

TEST(CallsAreKept) {
    TraceReader *reader = OpenGolden();
    TraceCall call;
    bool found;
    for (size_t i = 0; i <= COUNT(golden_calls); i++) {
        Signature signature;
        assert_int_equal(TraceReader_Next(reader, &call, &found, NULL), RP_OK);
        assert_int_equal(found, i < COUNT(golden_calls));
        if (!found)
            break;
        TraceCall expected = Golden(i, &signature);
        assert_ptr_equal(call.function, expected.function);
        assert_true(call.sequence == expected.sequence);
        assert_int_equal(call.control_in, expected.control_in);
        assert_int_equal(call.control_out, expected.control_out);
        assert_int_equal(call.mxcsr_in, expected.mxcsr_in);
        assert_int_equal(call.mxcsr_out, expected.mxcsr_out);
        assert_int_equal(call.outcome, expected.outcome);
        assert_int_equal(call.violations, expected.violations);
        AssertBytes(call.inputs, call.input_size, expected.inputs, expected.input_size);
        AssertBytes(call.outputs, call.output_size, expected.outputs, expected.output_size);
    }
    assert_int_equal(TraceReader_CallCount(reader), COUNT(golden_calls));
    assert_int_equal(TraceReader_MemoryCount(reader), COUNT(golden_memories));
    for (size_t i = 0; i < COUNT(golden_memories); i++) {
        const TraceMemory *expected = &golden_memories[i];
        const TraceMemory *memory = TraceReader_Memory(reader, expected->id);
        assert_non_null(memory);
        AssertBytes(memory->bytes, memory->size, expected->bytes, expected->size);
        assert_int_equal(memory->relocation_count, expected->relocation_count);
        for (uint32_t k = 0; k < memory->relocation_count; k++)
            assert_memory_equal(&memory->relocations[k], &expected->relocations[k],
                                sizeof *memory->relocations);
    }
    TraceReader_Close(reader);
}

/* The file is only a useful test as long as it contains every outcome and every violation. */
TEST(EveryOutcomeIsInIt) {
    uint32_t outcomes = 0, violations = 0;
    for (size_t i = 0; i < COUNT(golden_calls); i++) {
        Signature signature;
        TraceCall call = Golden(i, &signature);
        outcomes |= 1u << call.outcome;
        violations |= call.violations;
    }
    assert_int_equal(outcomes, (1u << TRACE_NOT_CALLED) - 1);
    assert_int_equal(violations, 0x1F);
}
