/* Tests that a trace of format 1.0 can still be read and still means the same. */
#include "golden.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#define GOLDEN_FILE "tests/scenario/golden-1.0.rptrace"
#define GOLDEN_SIZE 1663
#define GOLDEN_CRC  0x53F132D5

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
    for (size_t i = 0; i < golden_header_count; i++) {
        assert_true(TraceHeader_Get(header, golden_header[i][0], value, sizeof value));
        assert_string_equal(value, golden_header[i][1]);
    }
    TraceReader_Close(reader);
}

TEST(CallsAreKept) {
    TraceReader *reader = OpenGolden();
    TraceCall call;
    bool found;
    for (size_t i = 0; i <= golden_call_count; i++) {
        Signature signature;
        assert_int_equal(TraceReader_Next(reader, &call, &found, NULL), RP_OK);
        assert_int_equal(found, i < golden_call_count);
        if (!found)
            break;
        TraceCall expected = Golden_Call(i, &signature);
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
    assert_int_equal(TraceReader_CallCount(reader), golden_call_count);
    assert_int_equal(TraceReader_MemoryCount(reader), golden_memory_count);
    for (size_t i = 0; i < golden_memory_count; i++) {
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
    for (size_t i = 0; i < golden_call_count; i++) {
        Signature signature;
        TraceCall call = Golden_Call(i, &signature);
        outcomes |= 1u << call.outcome;
        violations |= call.violations;
    }
    assert_int_equal(outcomes, (1u << TRACE_NOT_CALLED) - 1);
    assert_int_equal(violations, 0x1F);
}
