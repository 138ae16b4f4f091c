/* Tests which batches of calls a host refuses, because a length in them is wrong. */
#include "replay/provider/batch.h"
#include "tests/test.h"

#include <stdio.h>
#include <string.h>

#define CALL_BYTES ((uint32_t)sizeof(BatchRecord) + 16)

static BatchPart part;
static RpError error;

/* Appends a record whose length is the given one. */
static BatchRecord *Append(BatchKind kind, uint32_t bytes, uint32_t size, uint32_t result) {
    BatchRecord *record = (BatchRecord *)(void *)(part.records + part.bytes);
    *record = (BatchRecord){.kind = kind, .bytes = bytes, .size = size, .result = result};
    part.bytes += bytes;
    return record;
}

/* A call of sixteen bytes, a memory of five bytes with one relocation, and another call. */
AROUND(BeforeEach) {
    memset(&part, 0, sizeof part);
    Append(BATCH_CALL, CALL_BYTES, 16, 4);
    Append(BATCH_MEMORY, (uint32_t)sizeof(BatchRecord) + 8 + 16, 5, 1);
    Append(BATCH_CALL, CALL_BYTES, 13, 64);
}

static BatchRecord *First(void) {
    return (BatchRecord *)(void *)part.records;
}

static BatchRecord *Second(void) {
    return (BatchRecord *)(void *)(part.records + CALL_BYTES);
}

static void Refuses(uint64_t at, const char *what, const char *expected, const char *found) {
    assert_int_equal(Batch_Check(&part, &error), RP_CORRUPT);
    assert_int_equal(error.offset, at);
    assert_non_null(strstr(error.what, what));
    assert_string_equal(error.expected, expected);
    assert_string_equal(error.found, found);
}

TEST(RecordsThatFitAreTaken) {
    assert_int_equal(Batch_Check(&part, &error), RP_OK);
    part.bytes = 0;
    assert_int_equal(Batch_Check(&part, &error), RP_OK);
    while (part.bytes <= BATCH_RECORD_BYTES - CALL_BYTES)
        Append(BATCH_CALL, CALL_BYTES, 16, 40);
    assert_int_equal(Batch_Check(&part, &error), RP_OK);
}

TEST(TheRecordsAreInsideOfTheFile) {
    part.bytes = BATCH_RECORD_BYTES + 8;
    Refuses(0, "bytes of all records", "0 to 524288", "524296");
}

TEST(TheLastRecordIsWhole) {
    part.bytes -= 8;
    Refuses(CALL_BYTES + 64, "bytes of a record", "53 to 48", "56");
    part.bytes = CALL_BYTES + 39;
    Refuses(CALL_BYTES, "left for a record", "40 to 524288", "39");
}

TEST(ARecordWithoutALengthDoesNotHangAHost) {
    First()->bytes = 0;
    Refuses(0, "bytes of a record", "56 to 176", "0");
}

TEST(ARecordHoldsWhatBelongsToIt) {
    First()->size = 17;
    Refuses(0, "bytes of a record", "57 to 176", "56");
    First()->size = UINT32_MAX;
    Refuses(0, "bytes of a record", "4294967335 to 176", "56");
    First()->size = 16;
    Second()->result = 2;
    Refuses(CALL_BYTES, "bytes of a record", "72 to 120", "64");
    Second()->result = UINT32_MAX;
    Refuses(CALL_BYTES, "bytes of a record", "51539607588 to 120", "64");
}

TEST(RecordsBeginAtMultiplesOf8) {
    First()->bytes += 4;
    Refuses(0, "multiple of 8", "56 to 176", "60");
}

TEST(ThereAreTwoKinds) {
    Second()->kind = 3;
    Refuses(CALL_BYTES, "kind", "1 to 2", "3");
}

TEST(TheOutcomesFitIntoAFile) {
    const uint32_t most = BATCH_RECORD_BYTES - (uint32_t)sizeof(BatchOutcome) - 80;
    First()->result = most;
    assert_int_equal(Batch_Check(&part, &error), RP_OK);
    First()->result = most + 1;
    Refuses(CALL_BYTES + 64, "bytes of all outcomes", "0 to 524288", "524296");
    First()->result = UINT32_MAX;
    Refuses(0, "bytes of all outcomes", "0 to 524288", "4294967312");
}

#ifndef _WIN32
/* Starts the host with files of these sizes. It opens them before it looks at the pair. */
static void HostRefuses(size_t inputs, size_t outputs, const char *words) {
    static const char *const names[] = {"test_batch.calls", "test_batch.outcomes"};
    const size_t sizes[] = {inputs, outputs};
    char command[1200], text[400] = "";
    for (int i = 0; i < 2; i++) {
        FILE *file = fopen(names[i], "wb");
        assert_non_null(file);
        assert_int_equal(fseek(file, (long)sizes[i] - 1, SEEK_SET), 0);
        assert_int_equal(fputc(0, file), 0);
        assert_int_equal(fclose(file), 0);
    }
    snprintf(command, sizeof command,
             "'%s' --ngi32 %s --animesh %s --batches %s --output %s "
             "2>&1 </dev/null",
             RETROPOSE_HOST, names[0], names[0], names[0], names[1]);
    FILE *out = popen(command, "r");
    assert_non_null(out);
    text[fread(text, 1, sizeof text - 1, out)] = 0;
    assert_int_not_equal(pclose(out), 0);
    for (int i = 0; i < 2; i++)
        remove(names[i]);
    if (!strstr(text, words))
        print_error("the host says: %s\n", text);
    assert_non_null(strstr(text, words));
}

TEST(FilesHaveTheSizeOfTheirLayout) {
    const size_t inputs = sizeof(BatchInputs), outputs = sizeof(BatchOutputs);
    HostRefuses(inputs - 1, outputs, "this is no file of batches");
    HostRefuses(inputs + 1, outputs, "this is no file of batches");
    HostRefuses(inputs, outputs - 1, "this is no file for outcomes");
    HostRefuses(inputs, outputs, "batches of another build");
}
#endif
