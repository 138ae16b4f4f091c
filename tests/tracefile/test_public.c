/* Tests the public interface of traces, retropose/trace.h, on small traces that the writer made. */
#include "tests/replay/fixture.h"

#include "retropose/file.h"
#include "retropose/trace.h"

#include <stdio.h>
#include <string.h>

static const uint32_t outputs[4] = {0x3F800000, 0x80000000, 0x7FC00001, 0x00000001};

/* Of the present test. */
static RpBuffer bytes;
static RpTrace *trace;
static RpTraceCall call;
static bool found;

static void OpenFile(const char *path) {
    RpBuffer_Init(&bytes, NULL);
    assert_int_equal(RpFile_Read(path, &bytes, NULL), RP_OK);
    assert_int_equal(RpTrace_Open(bytes.bytes, bytes.size, "small", &trace, NULL), RP_OK);
}

static void OpenTrace(const TraceCall *calls, size_t count) {
    const char *path = Fixture_Path("public.rptrace");
    Fixture_Trace(path, calls, count, true);
    OpenFile(path);
}

TEST_AROUND(Close) {
    RpTrace_Close(trace);
    RpBuffer_Free(&bytes);
    trace = NULL;
    found = false;
    return 0;
}

static void Next(bool expected) {
    assert_int_equal(RpTrace_Next(trace, &call, &found, NULL), RP_OK);
    assert_int_equal(found, expected);
}

TEST(CallsHaveTheirInputsAndResults) {
    TraceCall written[2] = {Fixture_Slerp(3, outputs), Fixture_Slerp(9, outputs)};
    written[0].violations = TRACE_X87_STACK;
    written[0].control_in = 0x007F;
    written[0].mxcsr_out = 0x1FA0;
    OpenTrace(written, 2);
    float values[4], t = 0;
    Next(true);
    assert_string_equal(call.function, "ngi32.slot17");
    assert_int_equal(call.sequence, 3);
    assert_int_equal(call.outcome, RP_TRACE_RETURNED);
    assert_int_equal(call.violations, 4);
    assert_int_equal(call.control_word, 0x007F);
    assert_int_equal(call.control_word_after, 0x003F);
    assert_int_equal(call.mxcsr, 0x1F80);
    assert_int_equal(call.mxcsr_after, 0x1FA0);
    assert_int_equal(call.input_size, written[0].input_size);
    assert_memory_equal(call.inputs, written[0].inputs, call.input_size);
    assert_int_equal(call.output_size, sizeof outputs);
    assert_true(RpTraceCall_Input(&call, "t", &t, 1));
    assert_true(t == 0.5f);
    assert_true(RpTraceCall_Input(&call, "q1", values, 4));
    assert_memory_equal(values, written[0].inputs + 16, sizeof values);
    assert_true(RpTraceCall_Result(&call, "result", values, 4));
    assert_memory_equal(values, outputs, sizeof values);
    Next(true);
    assert_int_equal(call.sequence, 9);
    Next(false);
    assert_false(RpTraceCall_Input(&call, "t", &t, 1));
}

TEST(OnlyWhatIsThereIsGiven) {
    TraceCall written[2] = {Fixture_Slerp(3, outputs), Fixture_Slerp(4, outputs)};
    written[1].outcome = TRACE_TIMED_OUT;
    written[1].output_size = 0;
    OpenTrace(written, 2);
    float values[8] = {7, 7, 7, 7, 7, 7, 7, 7};
    assert_int_equal(RpTrace_Next(trace, &call, &found, NULL), RP_OK);
    assert_false(RpTraceCall_Input(&call, "nothing", values, 4));
    assert_false(RpTraceCall_Input(&call, "result", values, 4));
    assert_false(RpTraceCall_Result(&call, "q0", values, 4));
    assert_false(RpTraceCall_Input(&call, "q0", values, 3));
    assert_false(RpTraceCall_Input(&call, "q0", values, 5));
    assert_int_equal(RpTrace_Next(trace, &call, &found, NULL), RP_OK);
    assert_int_equal(call.outcome, RP_TRACE_TIMED_OUT);
    assert_false(RpTraceCall_Result(&call, "result", values, 4));
    assert_true(values[0] == 7 && values[4] == 7);
    assert_true(RpTraceCall_Input(&call, "q0", values, 4));
}

TEST(ASampleHasItsModel) {
    const RpArithmetic arithmetic = {.build = RP_BUILD_SSE};
    RpSkeleton skeleton;
    uint32_t node = 0;
    float t = 0, sampled[7], quaternion[4], position[3];
    OpenFile("traces/poses.rptrace");
    for (int i = 0; i < 100; i++) {
        assert_int_equal(RpTrace_Next(trace, &call, &found, NULL), RP_OK);
        assert_true(RpTrace_Skeleton(trace, &call, &skeleton, &node));
        assert_true(RpTraceCall_Input(&call, "t", &t, 1));
        assert_true(RpTraceCall_Result(&call, "quaternion", quaternion, 4));
        assert_true(RpTraceCall_Result(&call, "position", position, 3));
        RpPose_Sample(&skeleton, &arithmetic, node, t, sampled, sampled + 4, NULL);
        assert_memory_equal(sampled, quaternion, sizeof quaternion);
        assert_memory_equal(sampled + 4, position, sizeof position);
    }
}

TEST(OtherCallsHaveNoModel) {
    const TraceCall written = Fixture_Slerp(3, outputs);
    OpenTrace(&written, 1);
    RpSkeleton skeleton;
    uint32_t node = 7;
    assert_int_equal(RpTrace_Next(trace, &call, &found, NULL), RP_OK);
    assert_false(RpTrace_Skeleton(trace, &call, &skeleton, &node));
    assert_int_equal(RpTrace_Next(trace, &call, &found, NULL), RP_OK);
    assert_false(RpTrace_Skeleton(trace, &call, &skeleton, &node));
}

TEST(CutAndForeignBytesAreRefused) {
    const TraceCall written = Fixture_Slerp(3, outputs);
    OpenTrace(&written, 1);
    RpError error;
    char value[32];
    assert_false(RpTrace_Header(trace, "nothing", value, sizeof value));
    assert_string_equal(value, "");
    RpTrace_Close(trace);
    assert_int_equal(RpTrace_Open(bytes.bytes, bytes.size - 1, "cut", &trace, NULL), RP_OK);
    assert_int_equal(RpTrace_Next(trace, &call, &found, &error), RP_OK);
    assert_int_equal(RpTrace_Next(trace, &call, &found, &error), RP_TRUNCATED);
    assert_false(found);
    assert_int_equal(error.offset, bytes.size - 1);
    RpTrace_Close(trace);
    assert_int_equal(RpTrace_Open("something else", 14, "other", &trace, &error), RP_CORRUPT);
    assert_null(trace);
    RpTrace_Close(trace);
    RpBuffer_Free(&bytes);
    RpBuffer_Init(&bytes, NULL);
    assert_int_equal(RpFile_Read(Fixture_Path("absent"), &bytes, &error), RP_NOT_FOUND);
    RpBuffer_Free(&bytes);
}

/* Makes a file of this many zeros, which takes no room if the system has files with holes. */
static void WriteZeros(const char *path, long size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fseek(file, size - 1, SEEK_SET), 0);
    assert_int_equal(fputc(0, file), 0);
    assert_int_equal(fclose(file), 0);
}

/* A file is appended to the buffer, and the limit is for the bytes of that file alone. */
TEST(FilesAreAppendedUpToALimit) {
    enum { LIMIT = 0x10000000 };
    const char *path = Fixture_Path("large");
    RpBuffer buffer;
    RpError error;
    RpBuffer_Init(&buffer, NULL);
    assert_int_equal(RpFile_Read(".", &buffer, &error), RP_IO);
    RpBuffer_Free(&buffer);
    if (sizeof(void *) < 8) /* a buffer that has grown this much may not fit into memory */
        return;
    RpBuffer_Init(&buffer, NULL);
    RpBuffer_AppendText(&buffer, "before");
    WriteZeros(path, LIMIT);
    assert_int_equal(RpFile_Read(path, &buffer, &error), RP_OK);
    assert_int_equal(buffer.size, LIMIT + 6);
    RpBuffer_Free(&buffer);
    RpBuffer_Init(&buffer, NULL);
    WriteZeros(path, LIMIT + 1);
    assert_int_equal(RpFile_Read(path, &buffer, &error), RP_UNSUPPORTED);
    RpBuffer_Free(&buffer);
}

AROUND_EACH(NULL, Close)
