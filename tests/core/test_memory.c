/* Tests of buffers and findings, which every reader and writer of the library uses. */
#include "retropose/finding.h"
#include "retropose/memory.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Refuses blocks of more bytes than *context. */
static void *ResizeWithin(void *context, void *block, size_t size) {
    const size_t *limit = context;
    if (size == 0) {
        free(block);
        return NULL;
    }
    return size <= *limit ? realloc(block, size) : NULL;
}

TEST(AppendsLittleEndianNumbersAndPadding) {
    RpBuffer buffer;
    RpBuffer_Init(&buffer, NULL);
    assert_true(RpBuffer_AppendU16(&buffer, 0x1234));
    assert_true(RpBuffer_AppendU32(&buffer, 0x89ABCDEF));
    assert_true(RpBuffer_Align(&buffer, 8));
    assert_true(RpBuffer_Align(&buffer, 8));
    static const uint8_t expected[8] = {0x34, 0x12, 0xEF, 0xCD, 0xAB, 0x89, 0, 0};
    assert_int_equal(buffer.size, sizeof expected);
    assert_memory_equal(buffer.bytes, expected, sizeof expected);
    RpBuffer_Free(&buffer);
    assert_null(buffer.bytes);
}

TEST(PrintsLongTextsWhole) {
    OWNED(RpBuffer) buffer = {0};
    for (int i = 0; i < 1000; i++)
        assert_true(RpBuffer_Print(&buffer, "%03d,%s", i, "x"));
    assert_int_equal(buffer.size, 5000);
    assert_memory_equal(buffer.bytes + 4995, "999,x", 5);
}

TEST(RemembersARefusedAllocation) {
    size_t limit = 1000;
    const RpAllocator allocator = {.resize = ResizeWithin, .context = &limit};
    OWNED(RpBuffer) buffer;
    RpBuffer_Init(&buffer, &allocator);
    assert_true(RpBuffer_AppendText(&buffer, "fits"));
    assert_null(RpBuffer_Extend(&buffer, 2000));
    assert_true(buffer.failed);
    assert_false(RpBuffer_AppendText(&buffer, "fits, but too late"));
    assert_int_equal(buffer.size, 4);
}

TEST(VerdictIsTheFirstError) {
    RpFindingCounter counter = {.next = NULL};
    const RpFindingSink sink = RpFindingCounter_Sink(&counter);
    RpError error;
    RpFinding finding = RpFinding_New("N05", RP_SEVERITY_WARNING);
    RpFindingSink_Report(&sink, &finding);
    assert_int_equal(RpFindingCounter_Verdict(&counter, &error), RP_OK);
    finding = RpFinding_New("M20", RP_SEVERITY_ERROR);
    finding.offset = 77;
    finding.stream = 1;
    finding.node = 3;
    strcpy(finding.what, "the fallback key does not exist");
    RpFindingSink_Report(&sink, &finding);
    finding.rule = "M21";
    RpFindingSink_Report(&sink, &finding);
    assert_int_equal(RpFindingCounter_Verdict(&counter, &error), RP_CORRUPT);
    assert_string_equal(error.what, "M20: the fallback key does not exist");
    assert_string_equal(error.where, "Res1, node 3");
    assert_int_equal(error.offset, 77);
    assert_int_equal(counter.count[RP_SEVERITY_ERROR], 2);
    assert_int_equal(counter.count[RP_SEVERITY_WARNING], 1);
}
