#include "tests/replay/fixture.h"

#include "core/files/mapping.h"
#include "tracefile/encode.h"
#include "tracefile/trim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __linux__
#include <dirent.h>
#include <sys/mman.h>
#include <sys/resource.h>
#endif

#if defined(__SANITIZE_ADDRESS__)
#define HAS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif

/* ---- the same trace, in memory and in a file ------------------------------------------------- */

#define CALLS 5

/* Writes functions, memories and calls; the calls are in two chunks. */
static void WriteSmall(const char *path, bool compress) {
    static const uint32_t one[4] = {0x3F800000, 0, 0, 0};
    static const uint8_t bytes[64] = {0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8};
    const TraceRelocation relocation = {0, 8, 3};
    const TraceMemory memories[] = {{7, 11, bytes, 1, &relocation}, {8, 64, bytes, 0, NULL}};
    TraceHeader header;
    TraceWriter *writer;
    TraceHeader_Init(&header);
    assert_int_equal(TraceHeader_Set(&header, "scenario", "small", NULL), RP_OK);
    assert_int_equal(TraceWriter_Create(path, &header, compress, &writer, NULL), RP_OK);
    for (int i = 0; i < 2; i++)
        assert_int_equal(TraceWriter_Memory(writer, &memories[i], NULL), RP_OK);
    for (uint64_t i = 0; i < CALLS; i++) {
        const TraceCall slerp = Fixture_Slerp(i, one);
        const TraceCall sample =
            Fixture_Call("animesh.SampleNode", i, FIXTURE_WORDS(7, 11, 0x3F800000),
                         FIXTURE_WORDS(1, 2, 3, 4, 5, 6, 7));
        assert_int_equal(TraceWriter_Call(writer, i % 2 ? &sample : &slerp, NULL), RP_OK);
        if (i == 2)
            assert_int_equal(TraceWriter_Flush(writer, NULL), RP_OK);
    }
    assert_int_equal(TraceWriter_Close(writer, NULL), RP_OK);
}

static void AssertSameCall(const TraceCall *a, const TraceCall *b) {
    assert_ptr_equal(a->function, b->function);
    assert_true(a->sequence == b->sequence);
    assert_int_equal(a->outcome, b->outcome);
    assert_int_equal(a->violations, b->violations);
    assert_int_equal(a->control_in, b->control_in);
    assert_int_equal(a->control_out, b->control_out);
    assert_int_equal(a->mxcsr_in, b->mxcsr_in);
    assert_int_equal(a->mxcsr_out, b->mxcsr_out);
    assert_int_equal(a->input_size, b->input_size);
    assert_int_equal(a->output_size, b->output_size);
    assert_memory_equal(a->inputs, b->inputs, a->input_size);
    assert_memory_equal(a->outputs, b->outputs, a->output_size);
}

static void AssertSameMemories(const TraceReader *a, const TraceReader *b) {
    assert_int_equal(TraceReader_MemoryCount(a), TraceReader_MemoryCount(b));
    for (uint32_t i = 0; i < TraceReader_MemoryCount(a); i++) {
        const TraceMemory *one = TraceReader_MemoryAt(a, i), *other = TraceReader_MemoryAt(b, i);
        assert_int_equal(one->id, other->id);
        assert_int_equal(one->size, other->size);
        assert_int_equal(one->relocation_count, other->relocation_count);
        assert_memory_equal(one->bytes, other->bytes, one->size);
        assert_memory_equal(one->relocations, other->relocations,
                            one->relocation_count * sizeof *one->relocations);
    }
}

static void AssertSameError(const RpError *a, const RpError *b) {
    assert_true(a->offset == b->offset);
    assert_string_equal(a->what, b->what);
    assert_string_equal(a->where, b->where);
    assert_string_equal(a->expected, b->expected);
    assert_string_equal(a->found, b->found);
}

/* Reads both traces to their ends, or to the same error, whose status it returns. */
static RpStatus ReadAlike(TraceReader *a, TraceReader *b, unsigned *calls, RpError *error_a,
                          RpError *error_b) {
    TraceCall call_a, call_b;
    bool found_a, found_b;
    for (*calls = 0;; ++*calls) {
        const RpStatus status = TraceReader_Next(a, &call_a, &found_a, error_a);
        assert_int_equal(TraceReader_Next(b, &call_b, &found_b, error_b), status);
        assert_int_equal(found_a, found_b);
        if (status || !found_a)
            return status;
        AssertSameCall(&call_a, &call_b);
    }
}

/* Reads bytes from memory and from a file, twice each, and demands that nothing is different. */
static RpStatus ReadTwoWays(const uint8_t *bytes, size_t size, unsigned *calls) {
    const char *path = Fixture_Path("two-ways");
    TraceReader *memory = NULL, *file = NULL;
    RpError memory_error = {0}, file_error = {0};
    Fixture_Write(path, bytes, size);
    *calls = 0;
    RpStatus status = TraceReader_OpenBuffer(bytes, size, path, &memory, &memory_error);
    assert_int_equal(TraceReader_Open(path, &file, &file_error), status);
    if (!status) {
        assert_string_equal(TraceReader_Header(memory)->text, TraceReader_Header(file)->text);
        assert_true(TraceReader_CallCount(memory) == TraceReader_CallCount(file));
        for (int pass = 0; pass < 2; pass++) {
            status = ReadAlike(memory, file, calls, &memory_error, &file_error);
            AssertSameMemories(memory, file);
            TraceReader_Rewind(memory);
            TraceReader_Rewind(file);
        }
    }
    if (status)
        AssertSameError(&memory_error, &file_error);
    TraceReader_Close(memory);
    TraceReader_Close(file);
    remove(path);
    return status;
}

TEST(AFileGivesTheCallsAndErrorsOfItsBytes) {
    for (int compress = 0; compress < 2; compress++) {
        const char *path = Fixture_Path("small");
        size_t size;
        unsigned calls;
        WriteSmall(path, compress);
        uint8_t *bytes = Fixture_Read(path, &size);
        for (size_t cut = 0; cut < size; cut++)
            assert_int_equal(ReadTwoWays(bytes, cut, &calls), RP_TRUNCATED);
        for (size_t i = 0; i < size; i++) {
            bytes[i] ^= 0x10;
            assert_int_not_equal(ReadTwoWays(bytes, size, &calls), RP_OK);
            bytes[i] ^= 0x10;
        }
        assert_int_equal(ReadTwoWays(bytes, size, &calls), RP_OK);
        assert_int_equal(calls, CALLS);
        free(bytes);
        remove(path);
    }
}

#ifdef RETROPOSE_TRACES
static void CheckBundled(const char *packed) {
    const char *plain = Fixture_Path("plain");
    TraceReader *a, *b;
    RpError error_a = {0}, error_b = {0};
    uint64_t copied;
    size_t size;
    unsigned calls;
    uint8_t *bytes = Fixture_Read(packed, &size);
    assert_int_equal(ReadTwoWays(bytes, size, &calls), RP_OK);
    free(bytes);
    assert_int_equal(Trim_Trace(packed, plain, NULL, false, false, &copied, NULL, NULL), RP_OK);
    assert_true(copied == calls);
    assert_int_equal(TraceReader_Open(packed, &a, NULL), RP_OK);
    assert_int_equal(TraceReader_Open(plain, &b, NULL), RP_OK);
    assert_int_equal(ReadAlike(a, b, &calls, &error_a, &error_b), RP_OK);
    assert_true(copied == calls);
    TraceReader_Close(a);
    TraceReader_Close(b);
    remove(plain);
}

TEST(TheBundledTracesAreTheSamePackedAndPlain) {
    DIR *folder = opendir(RETROPOSE_TRACES);
    unsigned traces = 0;
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        char path[1024];
        if (!strstr(entry->d_name, ".rptrace"))
            continue;
        snprintf(path, sizeof path, "%s/%.200s", RETROPOSE_TRACES, entry->d_name);
        CheckBundled(path);
        traces++;
    }
    closedir(folder);
    assert_true(traces > 20);
}
#endif

/* ---- files that change ----------------------------------------------------------------------- */

/* When a file is mapped, cutting it like this would end the process. */
TEST(AFileThatIsCutWhileItIsReadIsAnError) {
    const char *path = Fixture_Path("cut-later");
    TraceReader *reader;
    TraceCall call;
    RpError error;
    bool found;
    WriteSmall(path, false);
    assert_int_equal(TraceReader_Open(path, &reader, NULL), RP_OK);
    for (int i = 0; i < 3; i++)
        assert_true(TraceReader_Next(reader, &call, &found, NULL) == RP_OK && found);
    Fixture_Write(path, "", 0);
    assert_int_equal(call.sequence, 2); /* the chunk that was read is still there */
    assert_int_equal(Bytes_U32(call.outputs), 0x3F800000);
    assert_int_equal(TraceReader_Next(reader, &call, &found, &error), RP_IO);
    assert_non_null(strstr(error.what, "was cut while it was read"));
    assert_string_equal(error.where, path);
    TraceReader_Close(reader);
    remove(path);
}

/* ---- large files ----------------------------------------------------------------------------- */

static void SeekTo(FILE *file, uint64_t offset) {
#ifdef _WIN32
    assert_int_equal(_fseeki64(file, (long long)offset, SEEK_SET), 0);
#else
    assert_int_equal(fseeko(file, (off_t)offset, SEEK_SET), 0);
#endif
}

static void PutEnd(FILE *file, uint64_t calls) {
    uint8_t end[TRACE_CHUNK_BYTES + TRACE_END_BYTES];
    Trace_PutEnd(end + TRACE_CHUNK_BYTES, calls, 2);
    Trace_PutChunkHead(end, "END ", 0, end + TRACE_CHUNK_BYTES, TRACE_END_BYTES, TRACE_END_BYTES,
                       0);
    assert_int_equal(fwrite(end, 1, sizeof end, file), sizeof end);
}

/* The file has a hole between its first chunks and its end. */
TEST(ATraceLargerThanFourGigabytesIsRead) {
    const uint64_t large = UINT64_C(5) << 30;
    const char *path = Fixture_Path("large");
    TraceReader *reader;
    TraceCall call;
    RpError error;
    bool found;
    size_t size;
    WriteSmall(path, false);
    free(Fixture_Read(path, &size));
    const size_t end = size - TRACE_CHUNK_BYTES - TRACE_END_BYTES;
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    SeekTo(file, end);
    for (size_t i = end; i < size; i++)
        fputc(0, file);
    SeekTo(file, large - TRACE_CHUNK_BYTES - TRACE_END_BYTES);
    PutEnd(file, 77);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(TraceReader_Open(path, &reader, NULL), RP_OK);
    assert_int_equal(TraceReader_CallCount(reader), 77);
    for (int i = 0; i < CALLS; i++)
        assert_true(TraceReader_Next(reader, &call, &found, NULL) == RP_OK && found);
    assert_int_equal(TraceReader_Next(reader, &call, &found, &error), RP_CORRUPT);
    assert_true(error.offset == end + 20);
    TraceReader_Close(reader);
    remove(path);
}

#if defined(__linux__) && !defined(HAS_SANITIZER)
/* Returns the size of the process's address space. */
static size_t AddressSpace(void) {
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%lu", &pages), 1);
    fclose(file);
    return pages * 4096u;
}

/* Writes sixteen chunks of 16 MiB, of a kind that a reader skips. */
static void WriteLong(const char *path) {
    enum { CHUNKS = 16, PAYLOAD = 1 << 24 };
    size_t size;
    uint8_t head[TRACE_CHUNK_BYTES], *payload = calloc(1, PAYLOAD);
    WriteSmall(path, false);
    free(Fixture_Read(path, &size));
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_non_null(payload);
    SeekTo(file, size - TRACE_CHUNK_BYTES - TRACE_END_BYTES);
    Trace_PutChunkHead(head, "WORK", 0, payload, PAYLOAD, PAYLOAD, 1);
    for (int i = 0; i < CHUNKS; i++) {
        assert_int_equal(fwrite(head, 1, sizeof head, file), sizeof head);
        assert_int_equal(fwrite(payload, 1, PAYLOAD, file), PAYLOAD);
    }
    PutEnd(file, CALLS);
    assert_int_equal(fclose(file), 0);
    free(payload);
}

/* Leaves the process 64 MiB more than it has, and returns the limit that it had. The test is
 * skipped where nobody keeps to such limits, as in QEMU's user mode. */
static struct rlimit LimitAddressSpace(void) {
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    struct rlimit limit = before;
    limit.rlim_cur = AddressSpace() + (64u << 20);
    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
    void *beyond =
        mmap(NULL, 65u << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (beyond != MAP_FAILED) {
        munmap(beyond, 65u << 20);
        assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
        skip();
    }
    return before;
}

TEST(ALongTraceTakesTheMemoryOfOneChunk) {
    const char *path = Fixture_Path("long");
    TraceReader *reader;
    TraceCall call;
    bool found = true;
    unsigned calls = 0;
    WriteLong(path);
    const struct rlimit before = LimitAddressSpace();
    RpStatus status = TraceReader_Open(path, &reader, NULL);
    while (!status && found) {
        status = TraceReader_Next(reader, &call, &found, NULL);
        calls += found;
    }
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    assert_int_equal(status, RP_OK);
    assert_int_equal(calls, CALLS);
    TraceReader_Close(reader);
    remove(path);
}

TEST(WhatCannotBeMappedSaysThatItIsTooLarge) {
    const char *path = Fixture_Path("unmapped");
    Mapping mapping;
    RpError error;
    WriteLong(path);
    const struct rlimit before = LimitAddressSpace();
    const RpStatus status = Mapping_Open(path, &mapping, &error);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    assert_int_equal(status, RP_IO);
    assert_string_equal(error.what, "the file is too large to map");
    assert_non_null(strstr(error.expected, "fits the address space"));
    remove(path);
}
#endif
