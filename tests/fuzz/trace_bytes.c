#include "trace_bytes.h"

#include "core/random.h"
#include "tracefile/encode.h"
#include "tracefile/format.h"

#include <stdbool.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

/* ---- repairing ------------------------------------------------------------------------------- */

/* Returns where the chunks begin, or 0 for a file without a whole header. */
static size_t FirstChunk(const uint8_t *bytes, size_t size) {
    if (size < TRACE_HEAD_BYTES || Bytes_U32(bytes + 12) > size - TRACE_HEAD_BYTES)
        return 0;
    return TRACE_HEAD_BYTES + Bytes_U32(bytes + 12);
}

/* Returns the bytes of the chunk at `at`, or 0 where there is no whole one. */
static size_t ChunkBytes(const uint8_t *bytes, size_t size, size_t at) {
    if (at > size || size - at < TRACE_CHUNK_BYTES)
        return 0;
    size_t stored = Bytes_U32(bytes + at + 8);
    return stored > size - at - TRACE_CHUNK_BYTES ? 0 : TRACE_CHUNK_BYTES + stored;
}

void TraceBytes_RepairChecksums(uint8_t *bytes, size_t size) {
    size_t at = FirstChunk(bytes, size), chunk;
    if (at == 0)
        return;
    Bytes_PutU32(bytes + 16, Trace_Crc(bytes, 16, bytes + TRACE_HEAD_BYTES, at - TRACE_HEAD_BYTES));
    for (; (chunk = ChunkBytes(bytes, size, at)) > 0; at += chunk)
        Bytes_PutU32(bytes + at + 20, Trace_Crc(bytes + at, 20, bytes + at + TRACE_CHUNK_BYTES,
                                                chunk - TRACE_CHUNK_BYTES));
}

static bool IsType(const uint8_t *chunk, const char *type) {
    return memcmp(chunk, type, 4) == 0;
}

static bool IsPlain(const uint8_t *chunk) {
    return Bytes_U32(chunk + 4) == 0;
}

static uint64_t PadTo4(uint64_t size) {
    return (size + 3) & ~UINT64_C(3);
}

/* Returns how many bytes the record at the front says it has, or 0 for one that is cut. */
static size_t RecordBytes(const uint8_t *chunk, const uint8_t *record, size_t room) {
    uint64_t bytes = 0;
    if (IsType(chunk, "FUNC") && room >= TRACE_FUNC_BYTES)
        bytes =
            TRACE_FUNC_BYTES + (uint64_t)Bytes_U16(record + 2) + (uint64_t)Bytes_U16(record + 4);
    else if (IsType(chunk, "MEM ") && room >= TRACE_MEM_BYTES)
        bytes = TRACE_MEM_BYTES + PadTo4(Bytes_U32(record + 4)) +
                (uint64_t)Bytes_U32(record + 8) * TRACE_RELOC_BYTES;
    else if (IsType(chunk, "CALL") && room >= TRACE_CALL_BYTES)
        bytes =
            TRACE_CALL_BYTES + (uint64_t)Bytes_U32(record + 24) + (uint64_t)Bytes_U32(record + 28);
    return bytes > room ? 0 : (size_t)bytes;
}

static uint32_t CountRecords(const uint8_t *chunk, size_t bytes) {
    const uint8_t *record = chunk + TRACE_CHUNK_BYTES, *end = chunk + bytes;
    uint32_t count = 0;
    for (size_t size; (size = RecordBytes(chunk, record, (size_t)(end - record))) > 0; count++)
        record += size;
    return count;
}

/* Corrects the numbers that follow from the sizes: numbers of records, the counts at the end,
 * checksums. */
static void Repair(uint8_t *bytes, size_t size) {
    uint32_t calls = 0, memories = 0;
    size_t chunk;
    for (size_t at = FirstChunk(bytes, size); at > 0 && (chunk = ChunkBytes(bytes, size, at)) > 0;
         at += chunk) {
        uint8_t *head = bytes + at;
        if (IsType(head, "END ") && chunk == TRACE_CHUNK_BYTES + TRACE_END_BYTES) {
            Trace_Put64(head + TRACE_CHUNK_BYTES, calls);
            Bytes_PutU32(head + TRACE_CHUNK_BYTES + 8, memories);
            continue;
        }
        if (!IsPlain(head))
            continue;
        uint32_t records = CountRecords(head, chunk);
        Bytes_PutU32(head + 12, (uint32_t)(chunk - TRACE_CHUNK_BYTES));
        Bytes_PutU32(head + 16, records);
        calls += IsType(head, "CALL") ? records : 0;
        memories += IsType(head, "MEM ") ? records : 0;
    }
    TraceBytes_RepairChecksums(bytes, size);
}

/* ---- changing -------------------------------------------------------------------------------- */

typedef struct Random {
    uint32_t state;
} Random;

static uint32_t Below(Random *random, size_t limit) {
    const uint64_t word = Random_Lcg32(&random->state);
    return limit == 0 ? 0 : (uint32_t)((word * limit) >> 32);
}

/* Returns a chunk at random, or 0 where there is none. */
static size_t PickChunk(const uint8_t *bytes, size_t size, Random *random) {
    size_t picked = 0, count = 0, chunk;
    for (size_t at = FirstChunk(bytes, size); at > 0 && (chunk = ChunkBytes(bytes, size, at)) > 0;
         at += chunk)
        if (!IsType(bytes + at, "END ") && Below(random, ++count) == 0)
            picked = at;
    return picked;
}

/* Lets libFuzzer change the payload of a chunk, and corrects the chunk's size. */
static size_t MutatePayload(uint8_t *bytes, size_t size, size_t most, size_t at) {
    uint8_t *payload = bytes + at + TRACE_CHUNK_BYTES;
    size_t stored = Bytes_U32(bytes + at + 8), tail = size - at - TRACE_CHUNK_BYTES - stored;
    size_t limit = stored + (most - size);
    uint8_t kept[TRACE_CHUNK_BYTES + TRACE_END_BYTES];
    if (tail > sizeof kept)
        limit = stored; /* it must not grow into what follows */
    else
        memcpy(kept, payload + stored, tail);
    size_t fresh = LLVMFuzzerMutate(payload, stored, limit);
    if (tail > sizeof kept) {
        memmove(payload + fresh, payload + stored, tail);
    } else {
        memcpy(payload + fresh, kept, tail);
    }
    Bytes_PutU32(bytes + at + 8, (uint32_t)fresh);
    return size - stored + fresh;
}

static void SetDword(uint8_t *bytes, size_t at, Random *random) {
    static const uint32_t edges[] = {0,          1,          2,          3,          4,
                                     16,         64,         255,        4096,       4097,
                                     65535,      65536,      0x00100000, 0x7FFFFFFF, 0x80000000,
                                     0xFFFFFFFC, 0xFFFFFFFE, 0xFFFFFFFF, 0x3F800000, 0xBF800000,
                                     0x7F800000, 0x7FC00000, 0x00000001, 0x4B000000, 0x7F7FFFFF};
    size_t words = Bytes_U32(bytes + at + 8) / 4;
    if (words == 0)
        return;
    uint8_t *word = bytes + at + TRACE_CHUNK_BYTES + 4 * (size_t)Below(random, words);
    switch (Below(random, 3)) {
    case 0:
        Bytes_PutU32(word, edges[Below(random, sizeof edges / sizeof *edges)]);
        break;
    case 1:
        Bytes_PutU32(word, Bytes_U32(word) + Below(random, 9) * 4 - 16);
        break;
    /* copies another dword of the chunk, which may be a meaningful offset, id or count */
    default:
        memcpy(word, bytes + at + TRACE_CHUNK_BYTES + 4 * (size_t)Below(random, words), 4);
    }
}

static size_t Remove(uint8_t *bytes, size_t size, size_t from, size_t count) {
    memmove(bytes + from, bytes + from + count, size - from - count);
    return size - count;
}

static size_t Double(uint8_t *bytes, size_t size, size_t most, size_t from, size_t count) {
    if (count > most - size)
        return size;
    memmove(bytes + from + count, bytes + from, size - from);
    return size + count;
}

/* Doubles a record of the chunk or leaves it out. The sequence numbers of calls still rise. */
static size_t ChangeRecords(uint8_t *bytes, size_t size, size_t most, size_t at, Random *random) {
    size_t chunk = ChunkBytes(bytes, size, at), from = at + TRACE_CHUNK_BYTES, count;
    for (uint32_t i = Below(random, CountRecords(bytes + at, chunk)); i > 0; i--)
        from += RecordBytes(bytes + at, bytes + from, at + chunk - from);
    count = RecordBytes(bytes + at, bytes + from, at + chunk - from);
    if (count == 0)
        return size;
    size_t fresh = Below(random, 2) ? Double(bytes, size, most, from, count)
                                    : Remove(bytes, size, from, count);
    Bytes_PutU32(bytes + at + 8, (uint32_t)(chunk - TRACE_CHUNK_BYTES + fresh - size));
    return fresh;
}

static void NumberCalls(uint8_t *bytes, size_t size) {
    uint64_t sequence = 0;
    size_t chunk, record;
    for (size_t at = FirstChunk(bytes, size); at > 0 && (chunk = ChunkBytes(bytes, size, at)) > 0;
         at += chunk)
        for (size_t from = at + TRACE_CHUNK_BYTES;
             IsType(bytes + at, "CALL") && IsPlain(bytes + at) &&
             (record = RecordBytes(bytes + at, bytes + from, at + chunk - from)) > 0;
             from += record)
            Trace_Put64(bytes + from + 4, sequence++);
}

size_t TraceBytes_Mutate(uint8_t *bytes, size_t size, size_t most, unsigned seed) {
    Random random = {seed};
    for (uint32_t times = 1 + Below(&random, 4); times > 0; times--) {
        size_t at = PickChunk(bytes, size, &random);
        if (at == 0) {
            size = LLVMFuzzerMutate(bytes, size, most);
            continue;
        }
        switch (Below(&random, 8)) {
        case 0:
            size = LLVMFuzzerMutate(bytes, size, most);
            break;
        case 1:
        case 2:
            size = MutatePayload(bytes, size, most, at);
            break;
        case 3:
            size = ChangeRecords(bytes, size, most, at, &random);
            NumberCalls(bytes, size);
            break;
        case 4:
            size = Below(&random, 2) ? Double(bytes, size, most, at, ChunkBytes(bytes, size, at))
                                     : Remove(bytes, size, at, ChunkBytes(bytes, size, at));
            NumberCalls(bytes, size);
            break;
        default:
            SetDword(bytes, at, &random);
        }
    }
    Repair(bytes, size);
    return size;
}
