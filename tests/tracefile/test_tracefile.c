#include "tests/replay/fixture.h"

#include "tracefile/encode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a small trace with everything in it ----------------------------------------------------- */

#define CALLS 5

static TraceWriter *Create(const char *path, bool compress) {
    TraceHeader header;
    TraceWriter *writer;
    TraceHeader_Init(&header);
    assert_int_equal(TraceWriter_Create(path, &header, compress, &writer, NULL), RP_OK);
    return writer;
}

static void WriteEverything(const char *path, bool compress) {
    static const uint32_t one[4] = {0x3F800000, 0, 0, 0};
    static const uint8_t bytes[12] = {0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8};
    const TraceRelocation relocation = {0, 8, 3};
    const TraceMemory memories[] = {{7, 11, bytes, 1, &relocation}, {8, 4, bytes, 0, NULL}};
    TraceHeader header;
    TraceWriter *writer;
    TraceCall crashed = Fixture_Slerp(4, one), exited = crashed, timed_out = crashed;
    TraceCall sample = Fixture_Call("animesh.SampleNode", 9, FIXTURE_WORDS(7, 11, 0x3F800000),
                                    FIXTURE_WORDS(1, 2, 3, 4, 5, 6, 7));
    crashed.outcome = TRACE_CRASHED;
    crashed.output_size = 12;
    exited.outcome = TRACE_EXITED;
    exited.output_size = 4;
    exited.sequence = 5;
    timed_out.outcome = TRACE_TIMED_OUT;
    timed_out.output_size = 0;
    timed_out.sequence = 6;
    const TraceCall calls[CALLS] = {Fixture_Slerp(3, one), crashed, exited, timed_out, sample};
    TraceHeader_Init(&header);
    assert_int_equal(TraceHeader_Set(&header, "scenario", "everything", NULL), RP_OK);
    assert_int_equal(TraceWriter_Create(path, &header, compress, &writer, NULL), RP_OK);
    for (int i = 0; i < 2; i++)
        assert_int_equal(TraceWriter_Memory(writer, &memories[i], NULL), RP_OK);
    for (int i = 0; i < CALLS; i++) {
        assert_int_equal(TraceWriter_Call(writer, &calls[i], NULL), RP_OK);
        if (i == 2)
            assert_int_equal(TraceWriter_Flush(writer, NULL), RP_OK);
    }
    assert_int_equal(TraceWriter_Close(writer, NULL), RP_OK);
}

/* Reads to the end or to an error, and demands that what was read is the beginning of the small
 * trace. */
static RpStatus ReadAll(const uint8_t *bytes, size_t size, unsigned *calls, RpError *error) {
    static const uint64_t sequences[CALLS] = {3, 4, 5, 6, 9};
    static const uint8_t outcomes[CALLS] = {TRACE_RETURNED, TRACE_CRASHED, TRACE_EXITED,
                                            TRACE_TIMED_OUT, TRACE_RETURNED};
    TraceReader *reader;
    TraceCall call;
    bool found = true;
    *calls = 0;
    memset(error, 0, sizeof *error);
    RpStatus status = TraceReader_OpenBuffer(bytes, size, "small", &reader, error);
    if (status)
        return status;
    while (!(status = TraceReader_Next(reader, &call, &found, error)) && found) {
        assert_true(*calls < CALLS);
        assert_int_equal(call.sequence, sequences[*calls]);
        assert_int_equal(call.outcome, outcomes[*calls]);
        ++*calls;
    }
    assert_false(status && found);
    TraceReader_Close(reader);
    return status;
}

static void RoundTrip(bool compress) {
    const char *path = Fixture_Path("round");
    TraceReader *reader;
    TraceCall call;
    char value[64];
    bool found;
    WriteEverything(path, compress);
    assert_int_equal(TraceReader_Open(path, &reader, NULL), RP_OK);
    assert_int_equal(TraceReader_CallCount(reader), CALLS);
    assert_true(TraceHeader_Get(TraceReader_Header(reader), "scenario", value, sizeof value));
    assert_string_equal(value, "everything");
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < CALLS; i++)
            assert_true(TraceReader_Next(reader, &call, &found, NULL) == RP_OK && found);
        assert_string_equal(call.function->key, "animesh.SampleNode");
        assert_int_equal(call.input_size, 12);
        assert_int_equal(Bytes_U32(call.outputs + 24), 7);
        assert_int_equal(call.control_in, 0x003F);
        assert_int_equal(call.mxcsr_out, 0x1F80);
        assert_true(TraceReader_Next(reader, &call, &found, NULL) == RP_OK && !found);
        assert_true(TraceReader_Next(reader, &call, &found, NULL) == RP_OK && !found);
        TraceReader_Rewind(reader);
    }
    assert_int_equal(TraceReader_MemoryCount(reader), 2);
    const TraceMemory *memory = TraceReader_Memory(reader, 7);
    assert_non_null(memory);
    assert_ptr_equal(memory, TraceReader_MemoryAt(reader, 0));
    assert_int_equal(memory->size, 11);
    assert_int_equal(memory->bytes[10], 7);
    assert_int_equal(memory->relocations[0].target, 8);
    assert_int_equal(memory->relocations[0].target_offset, 3);
    assert_null(TraceReader_Memory(reader, 9));
    assert_null(TraceReader_MemoryAt(reader, 2));
    TraceReader_Close(reader);
}

TEST(ATraceComesBackAsWritten) {
    RoundTrip(false);
    RoundTrip(true);
}

TEST(ATraceCutAnywhereYieldsItsValidPrefix) {
    for (int compress = 0; compress < 2; compress++) {
        const char *path = Fixture_Path("cut");
        size_t size;
        unsigned last = 0, calls;
        RpError error;
        WriteEverything(path, compress);
        uint8_t *bytes = Fixture_Read(path, &size);
        for (size_t cut = 0; cut < size; cut++) {
            /* The block has exactly this size, so that a sanitizer sees a read behind it. */
            uint8_t *part = malloc(cut + 1);
            memcpy(part, bytes, cut);
            assert_int_equal(ReadAll(part, cut, &calls, &error), RP_TRUNCATED);
            assert_int_equal(error.offset, cut);
            assert_true(calls >= last);
            last = calls;
            free(part);
        }
        assert_int_equal(last, CALLS);
        assert_int_equal(ReadAll(bytes, size, &calls, &error), RP_OK);
        free(bytes);
    }
}

TEST(EveryFlippedBitIsAnError) {
    for (int compress = 0; compress < 2; compress++) {
        const char *path = Fixture_Path("flip");
        size_t size;
        unsigned calls;
        RpError error;
        WriteEverything(path, compress);
        uint8_t *bytes = Fixture_Read(path, &size);
        for (size_t bit = 0; bit < size * 8; bit++) {
            bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
            RpStatus status = ReadAll(bytes, size, &calls, &error);
            if (status == RP_OK)
                fail_msg("bit %u of byte %u is not noticed", (unsigned)bit % 8,
                         (unsigned)(bit / 8));
            assert_int_equal(error.status, status);
            assert_true(error.offset != RP_NOWHERE);
            assert_true(error.expected[0] && error.found[0]);
            bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        }
        free(bytes);
    }
}

TEST(AnotherMinorVersionIsRead) {
    const char *path = Fixture_Path("minor");
    size_t size;
    unsigned calls;
    RpError error;
    WriteEverything(path, false);
    uint8_t *bytes = Fixture_Read(path, &size);
    uint32_t text = Bytes_U32(bytes + 12);
    Bytes_PutU16(bytes + 10, 77);
    Bytes_PutU32(bytes + 16, Trace_Crc(bytes, 16, bytes + TRACE_HEAD_BYTES, text));
    assert_int_equal(ReadAll(bytes, size, &calls, &error), RP_OK);
    Bytes_PutU16(bytes + 8, 2);
    Bytes_PutU32(bytes + 16, Trace_Crc(bytes, 16, bytes + TRACE_HEAD_BYTES, text));
    assert_int_equal(ReadAll(bytes, size, &calls, &error), RP_UNSUPPORTED);
    free(bytes);
}

/* ---- hostile traces, with right checksums ---------------------------------------------------- */

typedef struct Forged {
    uint8_t bytes[16384];
    size_t size;
} Forged;

static void ForgeHead(Forged *f, const char *text) {
    memset(f, 0, sizeof *f);
    memcpy(f->bytes, TRACE_MAGIC, 8);
    Bytes_PutU16(f->bytes + 8, 1);
    Bytes_PutU32(f->bytes + 12, (uint32_t)strlen(text));
    memcpy(f->bytes + 20, text, strlen(text));
    Bytes_PutU32(f->bytes + 16, Trace_Crc(f->bytes, 16, f->bytes + 20, strlen(text)));
    f->size = 20 + strlen(text);
}

static void ForgeChunk(Forged *f, const char *type, uint32_t flags, const uint8_t *payload,
                       uint32_t stored, uint32_t unpacked, uint32_t records) {
    uint8_t *head = f->bytes + f->size;
    memcpy(head, type, 4);
    Bytes_PutU32(head + 4, flags);
    Bytes_PutU32(head + 8, stored);
    Bytes_PutU32(head + 12, unpacked);
    Bytes_PutU32(head + 16, records);
    memcpy(head + 24, payload, stored);
    Bytes_PutU32(head + 20, Trace_Crc(head, 20, payload, stored));
    f->size += 24 + stored;
}

static void AssertCorrupt(const Forged *f, const char *what) {
    unsigned calls;
    RpError error;
    RpStatus status = ReadAll(f->bytes, f->size, &calls, &error);
    if ((status != RP_CORRUPT && status != RP_UNSUPPORTED) || !strstr(error.what, what))
        fail_msg("expected \"%s\", got status %d \"%s\"", what, status, error.what);
    assert_true(error.offset != RP_NOWHERE && error.offset <= f->size);
}

static void ForgeFunction(Forged *f, uint16_t id, const char *key, const char *text) {
    uint8_t record[512] = {0};
    Bytes_PutU16(record, id);
    Bytes_PutU16(record + 2, (uint16_t)strlen(key));
    Bytes_PutU16(record + 4, (uint16_t)strlen(text));
    memcpy(record + 6, key, strlen(key));
    memcpy(record + 6 + strlen(key), text, strlen(text));
    uint32_t size = 6 + (uint32_t)(strlen(key) + strlen(text));
    ForgeChunk(f, "FUNC", 0, record, size, size, 1);
}

static void ForgeSampler(Forged *f) {
    char text[256];
    ForgeHead(f, "a=b\n");
    Signature_Text(Fixture_Signature("animesh.SampleNode"), text, sizeof text);
    ForgeFunction(f, 0, "animesh.SampleNode", text);
}

TEST(HostileHeadersAreRefused) {
    Forged f;
    static const char *const texts[] = {"no line end", "=value\n", "nothing\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ForgeHead(&f, texts[i]);
        AssertCorrupt(&f, "malformed header text");
    }
    ForgeHead(&f, "a=b\n");
    Bytes_PutU32(f.bytes + 12, 8192);
    AssertCorrupt(&f, "the header text is too large");
}

TEST(HostileChunksAreRefused) {
    static const struct {
        const char *type;
        uint32_t flags, stored, unpacked, records;
        const char *what;
    } cases[] = {{"MEM ", 0, 12, 12, 2, "more records than fit"},
                 {"MEM ", 0, 16, 12, 1, "two sizes"},
                 {"MEM ", 2, 12, 12, 1, "unknown flags"},
                 {"MEM ", 1, 12, 0x04000000, 1, "impossible unpacked size"},
                 {"MEM ", 1, 12, 12, 1, "does not unpack"},
                 /* one memory of 12 bytes, with 4 bytes after it */
                 {"MEM ", 0, 16, 16, 1, "bytes behind the last record"},
                 {"MEM ", 0, 4, 0x04000001, 1, "too large"},
                 {"END ", 0, 12, 12, 0, "malformed end chunk"}};
    Forged f;
    const uint8_t payload[64] = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ForgeHead(&f, "");
        ForgeChunk(&f, cases[i].type, cases[i].flags, payload, cases[i].stored, cases[i].unpacked,
                   cases[i].records);
        AssertCorrupt(&f, cases[i].what);
    }
}

TEST(UnknownChunksAreSkipped) {
    Forged f;
    unsigned calls;
    RpError error;
    const uint8_t payload[16] = {0};
    ForgeHead(&f, "");
    ForgeChunk(&f, "NEW!", 0, payload, 7, 7, 99);
    ForgeChunk(&f, "END ", 0, payload, 16, 16, 0);
    assert_int_equal(ReadAll(f.bytes, f.size, &calls, &error), RP_OK);
    ForgeChunk(&f, "NEW!", 0, payload, 7, 7, 0);
    AssertCorrupt(&f, "bytes behind the end chunk");
}

TEST(HostileEndsAreRefused) {
    Forged f;
    for (int at = 0; at < 16; at += 4) {
        uint8_t payload[16] = {0};
        static const char *const whats[] = {"other calls", "other calls", "other memories",
                                            "malformed end chunk"};
        payload[at] = 1;
        ForgeHead(&f, "");
        ForgeChunk(&f, "END ", 0, payload, 16, 16, 0);
        AssertCorrupt(&f, whats[at / 4]);
    }
}

TEST(HostileFunctionsAreRefused) {
    Forged f;
    ForgeHead(&f, "");
    ForgeFunction(&f, 0, "ngi32.nothing", "stdcall void ()");
    AssertCorrupt(&f, "an unknown function");
    ForgeHead(&f, "");
    ForgeFunction(&f, 0, "ngi32.slot17", "stdcall void ()");
    AssertCorrupt(&f, "another signature");
    ForgeSampler(&f);
    char text[256];
    Signature_Text(Fixture_Signature("animesh.SampleNode"), text, sizeof text);
    ForgeFunction(&f, 0, "animesh.SampleNode", text);
    AssertCorrupt(&f, "defined twice");
    uint8_t record[16] = {0, 0, 0xFF, 0xFF, 0, 0};
    ForgeHead(&f, "");
    ForgeChunk(&f, "FUNC", 0, record, 16, 16, 1);
    AssertCorrupt(&f, "texts are too long");
    record[2] = 100;
    record[3] = 0;
    ForgeHead(&f, "");
    ForgeChunk(&f, "FUNC", 0, record, 16, 16, 1);
    AssertCorrupt(&f, "a function record is cut");
}

/* Reads recordings made before it was known that the result of slot 35 takes the place of its
 * vector. */
TEST(AFormerSignatureIsRead) {
    Forged f;
    unsigned calls;
    RpError error;
    const uint8_t end[16] = {0};
    static const char former[] =
        "fastcall void (in f32[16] matrix, in f32[3] vector, out f32[3] result)";
    ForgeHead(&f, "");
    ForgeFunction(&f, 0, "ngi32.slot35", former);
    ForgeChunk(&f, "END ", 0, end, 16, 16, 0);
    assert_int_equal(ReadAll(f.bytes, f.size, &calls, &error), RP_OK);
    ForgeHead(&f, "");
    ForgeFunction(&f, 0, "ngi32.slot38", former);
    AssertCorrupt(&f, "another signature");
}

/* Writes one memory: its id, its size, the number of its relocations, and `more` words. */
static void ForgeMemory(Forged *f, uint32_t id, uint32_t size, uint32_t relocations,
                        const uint32_t *more, uint32_t count) {
    uint8_t record[256];
    Bytes_PutU32(record, id);
    Bytes_PutU32(record + 4, size);
    Bytes_PutU32(record + 8, relocations);
    for (uint32_t i = 0; i < count; i++)
        Bytes_PutU32(record + 12 + 4 * i, more[i]);
    ForgeChunk(f, "MEM ", 0, record, 12 + 4 * count, 12 + 4 * count, 1);
}

TEST(HostileMemoriesAreRefused) {
    static const struct {
        uint32_t id, size, relocations, words[8], count;
        const char *what;
    } cases[] = {
        {TRACE_NO_MEMORY, 0, 0, {0}, 0, "reserved memory id"},
        {TRACE_FOREIGN_MEMORY, 0, 0, {0}, 0, "reserved memory id"},
        {1, 0xFFFFFFFF, 0, {0}, 1, "a memory is cut"},
        {1, 0xFFFFFFFD, 0, {0}, 1, "a memory is cut"},
        {1, 4, 0x20000000, {0}, 4, "a memory is cut"},
        {1, 4, 0xFFFFFFFF, {0}, 4, "a memory is cut"},
        {1, 3, 0, {0xFF000000}, 1, "padding"},
        {1, 4, 1, {0, 1, 1, 0}, 4, "relocation outside"},
        {1, 0, 1, {0, 1, 0}, 3, "relocation outside"},
        {1, 4, 1, {5, 0, 1, 0}, 4, "field is not zero"},
    };
    Forged f;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ForgeHead(&f, "");
        ForgeMemory(&f, cases[i].id, cases[i].size, cases[i].relocations, cases[i].words,
                    cases[i].count);
        AssertCorrupt(&f, cases[i].what);
    }
    ForgeHead(&f, "");
    ForgeMemory(&f, 1, 0, 0, NULL, 0);
    ForgeMemory(&f, 1, 0, 0, NULL, 0);
    AssertCorrupt(&f, "defined twice");
}

/* Writes a call of the sampler, with 12 bytes of inputs and 28 of outputs. */
static void ForgeCall(Forged *f, uint32_t at, uint32_t value, uint32_t memory) {
    uint8_t record[32 + 12 + 28] = {0};
    record[2] = TRACE_RETURNED;
    Bytes_PutU32(record + 24, 12);
    Bytes_PutU32(record + 28, 28);
    Bytes_PutU32(record + 32, memory);
    if (at != UINT32_MAX)
        Bytes_PutU32(record + at, value);
    ForgeChunk(f, "CALL", 0, record, sizeof record, sizeof record, 1);
}

/* Writes two calls, the second of which has the sequence number 0. The upper half of the first
 * one's number is given. */
static void AssertDoesNotRise(uint32_t upper) {
    Forged f;
    const uint32_t words[2] = {0, 0};
    ForgeSampler(&f);
    ForgeMemory(&f, 5, 8, 0, words, 2);
    ForgeCall(&f, 8, upper, 5);
    ForgeCall(&f, UINT32_MAX, 0, 5);
    RpError error;
    TraceReader *reader;
    TraceCall call;
    bool found;
    assert_int_equal(TraceReader_OpenBuffer(f.bytes, f.size, "order", &reader, &error), RP_OK);
    assert_int_equal(TraceReader_Next(reader, &call, &found, &error), RP_OK);
    assert_int_equal(TraceReader_Next(reader, &call, &found, &error), RP_CORRUPT);
    assert_non_null(strstr(error.what, "does not rise"));
    /* The error stays the same when the reader is asked again. */
    memset(&error, 0, sizeof error);
    assert_int_equal(TraceReader_Next(reader, &call, &found, &error), RP_CORRUPT);
    assert_non_null(strstr(error.what, "does not rise"));
    TraceReader_Rewind(reader);
    assert_int_equal(TraceReader_Next(reader, &call, &found, NULL), RP_CORRUPT);
    TraceReader_Close(reader);
}

TEST(HostileCallsAreRefused) {
    static const struct {
        uint32_t at, value;
        const char *what;
    } cases[] = {
        {0, 0x00010001, "undefined function"},
        {0, 0x0001FFFF, "undefined function"},
        {0, 0x00070000, "unknown outcome"},
        {0, 0x20010000, "unknown violations"},
        {24, 13, "size of the inputs"},
        {24, 0xFFFFFFFC, "size of the inputs"},
        {28, 0xFFFFFFFC, "size of the outputs"},
        {28, 30, "size of the outputs"},
        {24, 0x1000, "a call is cut"},
        {28, 0x1000, "a call is cut"},
        {24, 8, "do not fit the signature"},
        {28, 24, "does not fit the outcome"},
        {0, 0x00020000, "does not fit the outcome"},
        {32, 99, "undefined memory"},
        {36, 9, "behind its memory"},
    };
    Forged f;
    const uint32_t words[2] = {0, 0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ForgeSampler(&f);
        ForgeMemory(&f, 5, 8, 0, words, 2);
        ForgeCall(&f, cases[i].at, cases[i].value, 5);
        AssertCorrupt(&f, cases[i].what);
    }
    AssertDoesNotRise(1);
    AssertDoesNotRise(0); /* the same number twice */
}

TEST(WhatACallReachesMustBeDefined) {
    const uint32_t to_nowhere[] = {0, 0, 77, 0}, behind[] = {0, 0, 5, 9}, loop[] = {0, 0, 5, 4};
    Forged f;
    ForgeSampler(&f);
    ForgeMemory(&f, 5, 4, 1, to_nowhere, 4);
    ForgeCall(&f, UINT32_MAX, 0, 5);
    AssertCorrupt(&f, "undefined memory");
    ForgeSampler(&f);
    ForgeMemory(&f, 5, 4, 1, behind, 4);
    ForgeCall(&f, UINT32_MAX, 0, 5);
    AssertCorrupt(&f, "points behind its target");
    ForgeSampler(&f);
    ForgeMemory(&f, 5, 4, 1, loop, 4); /* a memory may refer to itself; the trace is then cut */
    ForgeCall(&f, UINT32_MAX, 0, 5);
    TraceReader *reader;
    TraceCall call;
    bool found;
    assert_int_equal(TraceReader_OpenBuffer(f.bytes, f.size, "loop", &reader, NULL), RP_OK);
    assert_int_equal(TraceReader_Next(reader, &call, &found, NULL), RP_OK);
    assert_true(found);
    assert_int_equal(TraceReader_Next(reader, &call, &found, NULL), RP_TRUNCATED);
    TraceReader_Close(reader);
}

/* ---- writing --------------------------------------------------------------------------------- */

TEST(TheWriterRefusesWhatAReaderWould) {
    static const uint32_t one[4] = {0};
    const char *path = Fixture_Path("refuse");
    const TraceCall good = Fixture_Slerp(3, one);
    const uint8_t bytes[4] = {1, 0, 0, 0};
    const TraceRelocation outside = {1, 0, 0}, busy = {0, 0, 0};
    const TraceMemory bad_memories[] = {{TRACE_NO_MEMORY, 0, NULL, 0, NULL},
                                        {1, 0x08000000, bytes, 0, NULL},
                                        {1, 4, bytes, 1, &outside},
                                        {1, 4, bytes, 1, &busy}};
    TraceHeader header;
    TraceWriter *writer;
    RpError error;
    writer = Create(path, false);
    for (size_t i = 0; i < sizeof bad_memories / sizeof *bad_memories; i++)
        assert_int_equal(TraceWriter_Memory(writer, &bad_memories[i], &error), RP_INVALID);
    const TraceMemory memory = {1, 4, bytes, 0, NULL};
    assert_int_equal(TraceWriter_Memory(writer, &memory, &error), RP_OK);
    assert_int_equal(TraceWriter_Memory(writer, &memory, &error), RP_INVALID);
    assert_int_equal(TraceWriter_Call(writer, &good, &error), RP_OK);
    assert_int_equal(TraceWriter_Call(writer, &good, &error), RP_INVALID); /* same sequence */
    TraceCall bad = good;
    bad.sequence = 4;
    bad.outcome = TRACE_OUTCOME_COUNT;
    assert_int_equal(TraceWriter_Call(writer, &bad, &error), RP_INVALID);
    bad.outcome = TRACE_NOT_RUN; /* it has outputs, which a call that was not run must not have */
    assert_int_equal(TraceWriter_Call(writer, &bad, &error), RP_INVALID);
    bad = good;
    bad.sequence = 4;
    bad.violations = 32;
    assert_int_equal(TraceWriter_Call(writer, &bad, &error), RP_INVALID);
    bad.violations = 0;
    bad.input_size = 32;
    assert_int_equal(TraceWriter_Call(writer, &bad, &error), RP_CORRUPT);
    bad.input_size = TRACE_MAX_CALL_BYTES + 4;
    assert_int_equal(TraceWriter_Call(writer, &bad, &error), RP_INVALID);
    assert_int_equal(TraceWriter_Close(writer, NULL), RP_OK);
    assert_int_equal(TraceWriter_Close(NULL, NULL), RP_OK);
    TraceWriter_Abandon(NULL);
    remove(path);
    assert_int_equal(TraceWriter_Create("/nowhere/at/all", &header, false, &writer, &error), RP_IO);
    assert_null(writer);
    TraceReader *reader;
    assert_int_equal(TraceReader_Open(path, &reader, &error), RP_NOT_FOUND);
    TraceReader_Close(NULL);
}

TEST(AnUnfinishedTraceLeavesTheOldOne) {
    static const uint32_t one[4] = {0};
    const char *path = Fixture_Path("unfinished");
    TraceWriter *writer;
    TraceReader *reader;
    const TraceCall call = Fixture_Slerp(3, one);
    Fixture_Trace(path, &call, 1, false);
    writer = Create(path, false);
    assert_int_equal(TraceWriter_Flush(writer, NULL), RP_OK);
    for (int abandoned = 0; abandoned < 2; abandoned++) {
        assert_int_equal(TraceReader_Open(path, &reader, NULL), RP_OK);
        assert_int_equal(TraceReader_CallCount(reader), 1);
        TraceReader_Close(reader);
        if (!abandoned)
            TraceWriter_Abandon(writer);
    }
    writer = Create(path, false);
    assert_int_equal(TraceWriter_Close(writer, NULL), RP_OK);
    assert_int_equal(TraceReader_Open(path, &reader, NULL), RP_OK);
    assert_int_equal(TraceReader_CallCount(reader), 0);
    TraceReader_Close(reader);
}

TEST(AGrowingTraceKeepsWhatWasFlushed) {
    static const uint32_t one[4] = {0};
    const char *path = Fixture_Path("abandon");
    TraceHeader header;
    TraceWriter *writer;
    TraceCall call = Fixture_Slerp(3, one);
    bool found;
    TraceHeader_Init(&header);
    assert_int_equal(TraceWriter_CreateGrowing(path, &header, &writer, NULL), RP_OK);
    assert_int_equal(TraceWriter_Call(writer, &call, NULL), RP_OK);
    assert_int_equal(TraceWriter_Flush(writer, NULL), RP_OK);
    call.sequence = 4;
    assert_int_equal(TraceWriter_Call(writer, &call, NULL), RP_OK);
    TraceWriter_Abandon(writer);
    TraceReader *reader = Fixture_Open(path);
    assert_int_equal(TraceReader_CallCount(reader), 0);
    assert_true(TraceReader_Next(reader, &call, &found, NULL) == RP_OK && found);
    assert_int_equal(TraceReader_Next(reader, &call, &found, NULL), RP_TRUNCATED);
    TraceReader_Close(reader);
}

TEST(ManyCallsAndMemoriesGoThroughManyChunks) {
    enum { MANY = 30000 };
    static const uint32_t one[4] = {1, 2, 3, 4};
    const char *path = Fixture_Path("many");
    TraceCall call = Fixture_Slerp(0, one);
    bool found;
    TraceWriter *writer = Create(path, false);
    for (uint32_t i = 0; i < MANY; i++) {
        const TraceMemory memory = {i * 3, 4, (const uint8_t *)one, 0, NULL};
        call.sequence = i;
        assert_int_equal(TraceWriter_Memory(writer, &memory, NULL), RP_OK);
        assert_int_equal(TraceWriter_Call(writer, &call, NULL), RP_OK);
    }
    assert_int_equal(TraceWriter_Close(writer, NULL), RP_OK);
    TraceReader *reader = Fixture_Open(path);
    for (uint32_t i = 0; i < MANY; i++)
        assert_true(TraceReader_Next(reader, &call, &found, NULL) == RP_OK && found);
    assert_true(TraceReader_Next(reader, &call, &found, NULL) == RP_OK && !found);
    assert_int_equal(TraceReader_MemoryCount(reader), MANY);
    assert_non_null(TraceReader_Memory(reader, (MANY - 1) * 3));
    assert_null(TraceReader_Memory(reader, 1));
    TraceReader_Close(reader);
}

TEST(AnyNumbersAreFoundByTheirTree) {
    static const uint64_t numbers[] = {5,          0,          15,         16,         0xFFFFFFFD,
                                       0x00010000, 0x00020000, 1ull << 32, UINT64_MAX, 1ull << 63};
    enum { COUNT = sizeof numbers / sizeof *numbers };
    TraceIds ids = {0};
    uint32_t index;
    assert_false(TraceIds_Find(&ids, 0, &index));
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_false(TraceIds_Find(&ids, numbers[i], &index));
        assert_int_equal(TraceIds_Add(&ids, numbers[i], i), RP_OK);
        assert_int_equal(TraceIds_Add(&ids, numbers[i], 99), RP_INVALID);
    }
    assert_int_equal(ids.count, COUNT);
    for (uint32_t i = 0; i < COUNT; i++)
        assert_true(TraceIds_Find(&ids, numbers[i], &index) && index == i);
    assert_false(TraceIds_Find(&ids, 1, &index));
    assert_false(TraceIds_Find(&ids, 0x00030000, &index));
    TraceIds_Free(&ids);
}

/* Relocations may be in any order. Of two at one offset the first one counts. */
TEST(RelocationsAreFoundByTheirOffsets) {
    static const TraceRelocation links[] = {{8, 1, 1}, {0, 1, 2}, {8, 1, 3}, {3, 1, 4}};
    static const uint8_t bytes[12];
    const TraceMemory memory = {1, sizeof bytes, bytes, 4, links};
    TraceCall not_run =
        Fixture_Call("animesh.SampleNode", 1, FIXTURE_WORDS(1, 0, 0x3F800000), NULL, 0);
    const char *path = Fixture_Path("relocations");
    not_run.outcome = TRACE_NOT_RUN;
    Fixture_Put(
        path,
        (FixtureTrace){.memories = &memory, .memory_count = 1, .calls = &not_run, .call_count = 1});
    TraceReader *reader = Fixture_Open(path);
    Fixture_Next(reader);
    assert_int_equal(TraceReader_Relocation(reader, 1, 8)->target_offset, 1);
    assert_int_equal(TraceReader_Relocation(reader, 1, 0)->target_offset, 2);
    assert_int_equal(TraceReader_Relocation(reader, 1, 3)->target_offset, 4);
    assert_null(TraceReader_Relocation(reader, 1, 4));
    assert_null(TraceReader_Relocation(reader, 2, 0));
    TraceReader_Close(reader);
}

TEST(HeaderLinesAreSetAndReplaced) {
    TraceHeader header;
    char value[8];
    static char long_value[TRACE_HEADER_MAX];
    TraceHeader_Init(&header);
    assert_int_equal(TraceHeader_Set(&header, "seed", "1", NULL), RP_OK);
    assert_int_equal(TraceHeader_Set(&header, "system", "Linux", NULL), RP_OK);
    assert_int_equal(TraceHeader_Set(&header, "seed", "12345678901", NULL), RP_OK);
    assert_string_equal(header.text, "seed=12345678901\nsystem=Linux\n");
    assert_true(TraceHeader_Get(&header, "seed", value, sizeof value));
    assert_string_equal(value, "1234567"); /* cut to fit */
    assert_false(TraceHeader_Get(&header, "see", value, sizeof value));
    assert_string_equal(value, "");
    assert_int_equal(TraceHeader_Set(&header, "a=b", "1", NULL), RP_INVALID);
    assert_int_equal(TraceHeader_Set(&header, "", "1", NULL), RP_INVALID);
    assert_int_equal(TraceHeader_Set(&header, "a", "1\n2", NULL), RP_INVALID);
    memset(long_value, 'x', sizeof long_value - 1);
    assert_int_equal(TraceHeader_Set(&header, "a", long_value, NULL), RP_NO_MEMORY);
    assert_string_equal(header.text, "seed=12345678901\nsystem=Linux\n");
    assert_int_equal(TraceHeader_Set(&header, "seed", "", NULL), RP_OK);
    assert_string_equal(header.text, "seed=\nsystem=Linux\n");
}
