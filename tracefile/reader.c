/* Reads traces. Every number of the file is checked before it is used (docs/formats/trace.md). */
#include "tracefile/reader.h"

#include "core/stop.h"
#include "tracefile/encode.h"
#include "tracefile/signature_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

typedef struct Chunk {
    TraceChunkType type;
    bool is_note;
    bool packed;            /* the payload in the file is compressed */
    uint64_t offset;        /* the chunk's place in the file */
    const uint8_t *payload; /* in the source's bytes, or in a buffer of the reader */
    uint32_t size, cursor;
    uint32_t records; /* records that have not been read yet */
} Chunk;

typedef struct Memory {
    TraceMemory memory;
    TraceRelocation *relocations;
    bool complete; /* every memory that it reaches is defined */
    /* The relocations by their offsets. It is made when somebody first asks for one. */
    TraceIds places;
    /* For each dword, the number of dwords before it that hold a pointer. It is made when the
     * memory is first used as a state. */
    uint32_t *pointers;
} Memory;

struct TraceReader {
    TraceSource source; /* empty if `maker` makes the calls */
    TraceMaker maker;
    uint64_t start, position; /* where the first chunk begins, and the next one */
    uint64_t defined;         /* everything that chunks before this offset define has been read */
    char name[256];
    TraceHeader header;
    TraceHeader notes; /* only the text of it is used */
    uint64_t announced_calls, calls, last_sequence;
    bool ended;
    RpError failure; /* the first failure; nothing is read after it */
    Chunk chunk;
    uint8_t *stored; /* the payload of the chunk as it is in the file; this buffer only grows */
    uint32_t stored_capacity;
    uint8_t *unpacked; /* has exactly the payload's size, so that a sanitizer notices a read behind
                          its end */
    Signature **functions; /* by the id of the function */
    uint32_t function_capacity;
    Memory **memories;
    uint32_t memory_count, memory_capacity;
    uint64_t memory_bytes;
    TraceIds ids;
    uint8_t **kept; /* bytes of memories that are not in the source's bytes */
    uint32_t kept_count;
};

/* ---- errors ---------------------------------------------------------------------------------- */

static RpStatus Corrupt(const TraceReader *reader, uint64_t offset, const char *what,
                        const char *expected, uint64_t found, RpError *error) {
    char text[32];
    snprintf(text, sizeof text, "%llu", (unsigned long long)found);
    return RpError_Set(error, RP_CORRUPT, offset, what, reader->name, expected, text);
}

static RpStatus Truncated(const TraceReader *reader, const char *expected, RpError *error) {
    return RpError_Set(error, RP_TRUNCATED, reader->source.size, "the trace is cut", reader->name,
                       expected, "the end of the file");
}

static RpStatus NoMemory(const TraceReader *reader, RpError *error) {
    return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a trace", reader->name, "",
                       "");
}

static RpStatus BadCrc(const TraceReader *reader, uint64_t offset, uint32_t stored,
                       uint32_t computed, RpError *error) {
    char expected[16], found[16];
    snprintf(expected, sizeof expected, "%08x", stored);
    snprintf(found, sizeof found, "%08x", computed);
    return RpError_Set(error, RP_CORRUPT, offset, "wrong checksum", reader->name, expected, found);
}

/* Returns where a byte of the current chunk is in the file. For a compressed chunk this is where
 * the chunk begins. */
static uint64_t ChunkOffset(const Chunk *chunk, uint32_t cursor) {
    return chunk->packed ? chunk->offset : chunk->offset + TRACE_CHUNK_BYTES + cursor;
}

/* ---- bytes ----------------------------------------------------------------------------------- */

/* Copies bytes that are inside of the trace. */
static RpStatus CopyBytes(const TraceReader *reader, uint64_t offset, void *bytes, size_t size,
                          RpError *error) {
    const TraceSource *source = &reader->source;
    if (!source->bytes)
        return size > 0 ? source->read(source->context, offset, bytes, size, error) : RP_OK;
    memcpy(bytes, source->bytes + offset, size);
    return RP_OK;
}

static RpStatus Resize(const TraceReader *reader, uint8_t **buffer, uint32_t size, RpError *error) {
    uint8_t *bytes = realloc(*buffer, size ? size : 1);
    if (!bytes)
        return NoMemory(reader, error);
    *buffer = bytes;
    return RP_OK;
}

/* ---- header ---------------------------------------------------------------------------------- */

/* Checks the lines of `text`, a copy of `size` bytes at `offset` that ends with a NUL. */
static RpStatus CheckLines(const TraceReader *reader, const char *text, uint64_t size,
                           uint64_t offset, const char *what, RpError *error) {
    if (strlen(text) != size || (size > 0 && text[size - 1] != '\n'))
        return Corrupt(reader, offset, what, "lines of text", size, error);
    for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
        const char *equals = strpbrk(line, "=\n");
        if (*equals != '=' || equals == line)
            return Corrupt(reader, offset + (uint64_t)(line - text), what, "a line key=value",
                           (uint8_t)*line, error);
    }
    return RP_OK;
}

static RpStatus ReadHeader(TraceReader *reader, RpError *error) {
    uint8_t head[TRACE_HEAD_BYTES + TRACE_HEADER_MAX];
    const uint64_t whole = reader->source.size;
    const size_t magic = whole < 8 ? (size_t)whole : 8;
    const RpStatus status =
        CopyBytes(reader, 0, head, whole < sizeof head ? (size_t)whole : sizeof head, error);
    if (status)
        return status;
    if (memcmp(head, TRACE_MAGIC, magic) != 0)
        return RpError_Set(error, RP_CORRUPT, 0, "not a trace", reader->name, "the magic RPTRACE",
                           "other bytes");
    if (whole < TRACE_HEAD_BYTES)
        return Truncated(reader, "a header of 20 bytes", error);
    reader->header.major = Bytes_U16(head + 8);
    reader->header.minor = Bytes_U16(head + 10);
    char version[32];
    snprintf(version, sizeof version, "%u.%u", reader->header.major, reader->header.minor);
    if (reader->header.major != TRACE_VERSION_MAJOR)
        return RpError_Set(error, RP_UNSUPPORTED, 8, "a trace of another version", reader->name,
                           "version 1", version);
    uint32_t size = Bytes_U32(head + 12);
    if (size >= TRACE_HEADER_MAX)
        return Corrupt(reader, 12, "the header text is too large", "at most 8191", size, error);
    if (size > whole - TRACE_HEAD_BYTES)
        return Truncated(reader, "the header text", error);
    uint32_t crc = Trace_Crc(head, 16, head + TRACE_HEAD_BYTES, size);
    if (crc != Bytes_U32(head + 16))
        return BadCrc(reader, 16, Bytes_U32(head + 16), crc, error);
    memcpy(reader->header.text, head + TRACE_HEAD_BYTES, size);
    reader->start = reader->position = TRACE_HEAD_BYTES + size;
    return CheckLines(reader, reader->header.text, size, TRACE_HEAD_BYTES, "malformed header text",
                      error);
}

/* ---- chunks ---------------------------------------------------------------------------------- */

static TraceChunkType ChunkType(const uint8_t *head) {
    for (int type = 0; type < TRACE_CHUNK_OTHER; type++)
        if (memcmp(head, trace_chunk_names[type], 4) == 0)
            return (TraceChunkType)type;
    return TRACE_CHUNK_OTHER;
}

static RpStatus Unpack(TraceReader *reader, const uint8_t *stored, uint32_t stored_size,
                       RpError *error) {
    Chunk *chunk = &reader->chunk;
    /* zlib never packs tighter than 1032 to 1, so a small file cannot ask for much memory. */
    if (chunk->size > (uint64_t)stored_size * 1032 + 64)
        return Corrupt(reader, chunk->offset + 12, "impossible unpacked size",
                       "at most 1032 times the stored size", chunk->size, error);
    const RpStatus status = Resize(reader, &reader->unpacked, chunk->size, error);
    if (status)
        return status;
    chunk->payload = reader->unpacked;
    chunk->packed = true;
    uLongf size = chunk->size;
    uLong used = stored_size;
    int result = uncompress2(reader->unpacked, &size, stored, &used);
    if (result != Z_OK || size != chunk->size || used != stored_size)
        return RpError_Set(error, RP_CORRUPT, chunk->offset + TRACE_CHUNK_BYTES,
                           "a packed chunk does not unpack", reader->name,
                           "a zlib stream of the stated size", zError(result));
    return RP_OK;
}

static void DropChunk(TraceReader *reader) {
    memset(&reader->chunk, 0, sizeof reader->chunk);
}

/* Each kind of record has a minimal size, which limits how many a chunk can hold. */
static RpStatus CheckRecordCount(const TraceReader *reader, RpError *error) {
    static const uint32_t smallest[TRACE_CHUNK_OTHER] = {TRACE_FUNC_BYTES, TRACE_MEM_BYTES,
                                                         TRACE_CALL_BYTES, TRACE_END_BYTES};
    const Chunk *chunk = &reader->chunk;
    if (chunk->type == TRACE_CHUNK_OTHER)
        return RP_OK;
    if (chunk->type == TRACE_CHUNK_END && (chunk->size != TRACE_END_BYTES || chunk->records != 0))
        return Corrupt(reader, chunk->offset, "malformed end chunk", "16 bytes without records",
                       chunk->size, error);
    if (chunk->records > chunk->size / smallest[chunk->type])
        return Corrupt(reader, chunk->offset + 16, "more records than fit the chunk",
                       "as many as the payload holds", chunk->records, error);
    return RP_OK;
}

/* Loads the chunk at `position`. Returns RP_TRUNCATED when a part of it is missing. */
static RpStatus LoadChunk(TraceReader *reader, RpError *error) {
    DropChunk(reader);
    Chunk *chunk = &reader->chunk;
    uint8_t head[TRACE_CHUNK_BYTES];
    uint64_t room = reader->source.size - reader->position;
    if (room == 0)
        return Truncated(reader, "an end chunk", error);
    if (room < TRACE_CHUNK_BYTES)
        return Truncated(reader, "a chunk of at least 24 bytes", error);
    RpStatus status = CopyBytes(reader, reader->position, head, sizeof head, error);
    if (status)
        return status;
    uint32_t flags = Bytes_U32(head + 4), stored = Bytes_U32(head + 8);
    chunk->type = ChunkType(head);
    chunk->is_note = memcmp(head, TRACE_NOTE, 4) == 0;
    chunk->offset = reader->position;
    chunk->size = Bytes_U32(head + 12);
    chunk->records = Bytes_U32(head + 16);
    if (stored > TRACE_CHUNK_MAX || chunk->size > TRACE_CHUNK_MAX)
        return Corrupt(reader, chunk->offset + 8, "the chunk is too large", "at most 64 MiB",
                       stored > chunk->size ? stored : chunk->size, error);
    if (stored > room - TRACE_CHUNK_BYTES)
        return Truncated(reader, "the rest of a chunk", error);

    /* The payload as it is in the file is copied only if the source has no bytes in memory. */
    const uint64_t payload_at = chunk->offset + TRACE_CHUNK_BYTES;
    const uint8_t *payload;
    if (reader->source.bytes) {
        payload = reader->source.bytes + payload_at;
    } else {
        if (!reader->stored || stored > reader->stored_capacity) {
            free(reader->stored); /* its old content need not be copied */
            reader->stored = NULL;
            reader->stored_capacity = stored;
            status = Resize(reader, &reader->stored, stored, error);
        }
        if (!status)
            status = CopyBytes(reader, payload_at, reader->stored, stored, error);
        if (status)
            return status;
        payload = reader->stored;
    }

    uint32_t crc = Trace_Crc(head, 20, payload, stored);
    if (crc != Bytes_U32(head + 20))
        return BadCrc(reader, chunk->offset + 20, Bytes_U32(head + 20), crc, error);
    if (flags & ~TRACE_CHUNK_ZLIB)
        return Corrupt(reader, chunk->offset + 4, "unknown flags of a chunk", "0 or 1", flags,
                       error);
    status = CheckRecordCount(reader, error);
    if (!status && flags & TRACE_CHUNK_ZLIB) {
        status = Unpack(reader, payload, stored, error);
    } else if (!status && stored != chunk->size) {
        status = Corrupt(reader, chunk->offset + 12, "two sizes of an unpacked chunk",
                         "the stored size", chunk->size, error);
    } else {
        chunk->payload = payload;
    }
    reader->position += TRACE_CHUNK_BYTES + stored;
    return status;
}

/* Takes `size` bytes of the current chunk, or returns null where it has fewer. */
static const uint8_t *Take(Chunk *chunk, uint64_t size) {
    if (size > chunk->size - chunk->cursor)
        return NULL;
    const uint8_t *bytes = chunk->payload + chunk->cursor;
    chunk->cursor += (uint32_t)size;
    return bytes;
}

static RpStatus ShortRecord(const TraceReader *reader, const char *what, RpError *error) {
    const Chunk *chunk = &reader->chunk;
    return Corrupt(reader, ChunkOffset(chunk, chunk->cursor), what, "a record inside its chunk",
                   chunk->size - chunk->cursor, error);
}

/* ---- FUNC ------------------------------------------------------------------------------------ */

/* Parameter lists of older signatures under which a call has the same bytes. Slot 35 now writes its
 * result in the place of its vector. */
static const struct {
    const char *key, *params;
} former[] = {
    {"ngi32.slot35", "(in f32[16] matrix, in f32[3] vector, out f32[3] result)"},
};

/* Returns whether a signature's text is our own, except that its parameters are of such an older
 * list. */
static bool IsFormer(const char *key, const char *own, const char *text) {
    const size_t before = strcspn(own, "(");
    for (size_t i = 0; i < sizeof former / sizeof *former; i++)
        if (strcmp(former[i].key, key) == 0 && strncmp(own, text, before) == 0 &&
            strcmp(former[i].params, text + before) == 0)
            return true;
    return false;
}

/* Compares the texts of signatures, because calls that were recorded under another signature mean
 * something else. */
static RpStatus BindFunction(TraceReader *reader, const char *key, const char *text,
                             uint64_t offset, Signature *signature, RpError *error) {
    const AbiFunction *function = Abi_Find(key);
    if (!function)
        return RpError_Set(error, RP_UNSUPPORTED, offset, "an unknown function", reader->name,
                           "a key of the ABI tables", key);
    char own[TRACE_SIGNATURE_MAX];
    RpStatus status = Signature_Parse(function, signature, error);
    if (status)
        return status;
    Signature_Text(signature, own, sizeof own);
    if (strcmp(own, text) == 0 || IsFormer(key, own, text))
        return RP_OK;
    if (signature->returns == SIGNATURE_SLOT) { /* before format 1.2 such a result was opaque */
        char before[TRACE_SIGNATURE_MAX];
        signature->returns = SIGNATURE_ANY;
        Signature_Text(signature, before, sizeof before);
        if (strcmp(before, text) == 0)
            return RP_OK;
    }
    return RpError_Set(error, RP_UNSUPPORTED, offset, "another signature of a function", key, own,
                       text);
}

static RpStatus ReadFunction(TraceReader *reader, RpError *error) {
    Chunk *chunk = &reader->chunk;
    uint64_t offset = ChunkOffset(chunk, chunk->cursor);
    char key[128], text[TRACE_SIGNATURE_MAX];
    const uint8_t *record = Take(chunk, TRACE_FUNC_BYTES);
    if (!record)
        return ShortRecord(reader, "a function record is cut", error);
    uint16_t id = Bytes_U16(record), key_length = Bytes_U16(record + 2);
    uint16_t text_length = Bytes_U16(record + 4);
    if (key_length >= sizeof key || text_length >= sizeof text)
        return Corrupt(reader, offset, "a function's texts are too long",
                       "at most 127 and 1023 bytes", key_length, error);
    const uint8_t *texts = Take(chunk, (uint64_t)key_length + text_length);
    if (!texts)
        return ShortRecord(reader, "a function record is cut", error);
    memcpy(key, texts, key_length);
    memcpy(text, texts + key_length, text_length);
    key[key_length] = text[text_length] = 0;

    if (id >= reader->function_capacity) {
        uint32_t capacity = id + 64u;
        Signature **functions = realloc(reader->functions, capacity * sizeof *functions);
        if (!functions)
            return NoMemory(reader, error);
        memset(functions + reader->function_capacity, 0,
               (capacity - reader->function_capacity) * sizeof *functions);
        reader->functions = functions;
        reader->function_capacity = capacity;
    }

    if (reader->functions[id])
        return Corrupt(reader, offset, "a function id is defined twice", "a new id", id, error);
    Signature *signature = malloc(sizeof *signature);
    if (!signature)
        return NoMemory(reader, error);
    RpStatus status = BindFunction(reader, key, text, offset, signature, error);
    if (status)
        free(signature);
    else
        reader->functions[id] = signature;
    return status;
}

/* ---- MEM ------------------------------------------------------------------------------------- */

static RpStatus CheckRelocations(const TraceReader *reader, const TraceMemory *memory,
                                 uint64_t offset, RpError *error) {
    for (uint32_t i = 0; i < memory->relocation_count; i++) {
        const uint32_t at = memory->relocations[i].offset;
        if (memory->size < 4 || at > memory->size - 4)
            return Corrupt(reader, offset, "a relocation outside its memory", "4 bytes inside", at,
                           error);
        if (Bytes_U32(memory->bytes + at) != 0)
            return Corrupt(reader, offset, "a relocated field is not zero", "zero", at, error);
    }
    return RP_OK;
}

static RpStatus AddMemory(TraceReader *reader, Memory *entry, uint64_t offset, RpError *error) {
    if (reader->memory_count == TRACE_MAX_MEMORIES)
        return Corrupt(reader, offset, "the trace has too many memories", "at most 1048576",
                       reader->memory_count + 1ull, error);
    if (reader->memory_count == reader->memory_capacity) {
        uint32_t capacity = reader->memory_capacity * 2 + 64;
        Memory **memories = realloc(reader->memories, capacity * sizeof *memories);
        if (!memories)
            return NoMemory(reader, error);
        reader->memories = memories;
        reader->memory_capacity = capacity;
    }
    RpStatus status = TraceIds_Add(&reader->ids, entry->memory.id, reader->memory_count);
    if (status == RP_INVALID)
        return Corrupt(reader, offset, "a memory is defined twice", "a new id", entry->memory.id,
                       error);
    if (status)
        return NoMemory(reader, error);
    reader->memories[reader->memory_count++] = entry;
    return RP_OK;
}

/* Adds to the bytes of all memories, for which there is a limit. */
static RpStatus CountBytes(TraceReader *reader, const TraceMemory *memory, uint64_t offset,
                           RpError *error) {
    reader->memory_bytes += (((uint64_t)memory->size + 3) & ~3ull) +
                            (uint64_t)memory->relocation_count * TRACE_RELOC_BYTES;
    if (reader->memory_bytes > TRACE_MAX_MEMORY_BYTES)
        return Corrupt(reader, offset, "the trace has too much memory", "at most 256 MiB",
                       reader->memory_bytes, error);
    return RP_OK;
}

/* Reads what follows a memory's first 12 bytes into `entry`. */
static RpStatus ReadMemoryBody(TraceReader *reader, Memory *entry, uint64_t offset,
                               RpError *error) {
    Chunk *chunk = &reader->chunk;
    TraceMemory *memory = &entry->memory;
    uint64_t padded = ((uint64_t)memory->size + 3) & ~3ull;
    uint64_t relocation_bytes = (uint64_t)memory->relocation_count * TRACE_RELOC_BYTES;
    memory->bytes = Take(chunk, padded);
    const uint8_t *relocations = memory->bytes ? Take(chunk, relocation_bytes) : NULL;
    if (!relocations)
        return ShortRecord(reader, "a memory is cut", error);
    for (uint64_t i = memory->size; i < padded; i++)
        if (memory->bytes[i] != 0)
            return Corrupt(reader, offset, "the padding of a memory", "zero", memory->bytes[i],
                           error);
    const RpStatus status = CountBytes(reader, memory, offset, error);
    if (status)
        return status;
    const uint8_t *bytes = relocations;
    if (memory->relocation_count == 0)
        return RP_OK;
    entry->relocations = malloc(memory->relocation_count * sizeof *entry->relocations);
    if (!entry->relocations)
        return NoMemory(reader, error);
    memory->relocations = entry->relocations;
    for (uint32_t i = 0; i < memory->relocation_count; i++, bytes += TRACE_RELOC_BYTES)
        entry->relocations[i] =
            (TraceRelocation){Bytes_U32(bytes), Bytes_U32(bytes + 4), Bytes_U32(bytes + 8)};
    return CheckRelocations(reader, memory, offset, error);
}

static void FreeMemory(Memory *entry) {
    TraceIds_Free(&entry->places);
    free(entry->pointers);
    free(entry->relocations);
    free(entry);
}

/* Makes an entry of which only these three numbers are set. */
static RpStatus NewMemory(const TraceReader *reader, uint32_t id, uint32_t size,
                          uint32_t relocation_count, uint64_t offset, Memory **result,
                          RpError *error) {
    if (id == TRACE_NO_MEMORY || id == TRACE_FOREIGN_MEMORY)
        return Corrupt(reader, offset, "a reserved memory id", "an id below 4294967294", id, error);
    Memory *entry = calloc(1, sizeof *entry);
    if (!entry)
        return NoMemory(reader, error);
    entry->memory = (TraceMemory){.id = id, .size = size, .relocation_count = relocation_count};
    *result = entry;
    return RP_OK;
}

static RpStatus ReadMemory(TraceReader *reader, RpError *error) {
    Chunk *chunk = &reader->chunk;
    Memory *entry = NULL;
    uint64_t offset = ChunkOffset(chunk, chunk->cursor);
    const uint8_t *record = Take(chunk, TRACE_MEM_BYTES);
    if (!record)
        return ShortRecord(reader, "a memory is cut", error);
    RpStatus status = NewMemory(reader, Bytes_U32(record), Bytes_U32(record + 4),
                                Bytes_U32(record + 8), offset, &entry, error);
    if (status)
        return status;
    status = ReadMemoryBody(reader, entry, offset, error);
    if (!status)
        status = AddMemory(reader, entry, offset, error);
    if (status)
        FreeMemory(entry);
    return status;
}

/* Makes a copy of bytes that is kept until the reader is closed. */
static RpStatus Keep(TraceReader *reader, const uint8_t *bytes, uint32_t size,
                     const uint8_t **result, RpError *error) {
    uint8_t *copy = NULL;
    uint8_t **kept = realloc(reader->kept, (reader->kept_count + 1) * sizeof *kept);
    if (!kept)
        return NoMemory(reader, error);
    reader->kept = kept;
    const RpStatus status = Resize(reader, &copy, size, error);
    if (status)
        return status;
    if (size > 0)
        memcpy(copy, bytes, size);
    kept[reader->kept_count++] = copy;
    *result = copy;
    return RP_OK;
}

RpStatus TraceReader_Define(TraceReader *reader, const TraceMemory *memory, RpError *error) {
    const size_t relocation_bytes = memory->relocation_count * sizeof *memory->relocations;
    Memory *entry = NULL;
    RpStatus status = NewMemory(reader, memory->id, memory->size, memory->relocation_count,
                                RP_NOWHERE, &entry, error);
    if (status)
        return status;
    status = CountBytes(reader, memory, RP_NOWHERE, error);
    if (!status)
        status = Keep(reader, memory->bytes, memory->size, &entry->memory.bytes, error);
    if (!status && relocation_bytes > 0) {
        entry->memory.relocations = entry->relocations = malloc(relocation_bytes);
        if (entry->relocations)
            memcpy(entry->relocations, memory->relocations, relocation_bytes);
        status = entry->relocations ? CheckRelocations(reader, &entry->memory, RP_NOWHERE, error)
                                    : NoMemory(reader, error);
    }
    if (!status)
        status = AddMemory(reader, entry, RP_NOWHERE, error);
    if (status)
        FreeMemory(entry);
    return status;
}

/* ---- references ------------------------------------------------------------------------------ */

static RpStatus Unresolved(const TraceReader *reader, uint64_t offset, uint32_t id,
                           RpError *error) {
    return Corrupt(reader, offset, "a reference to an undefined memory", "a memory defined before",
                   id, error);
}

static Memory *FindMemory(const TraceReader *reader, uint32_t id) {
    uint32_t index;
    return TraceIds_Find(&reader->ids, id, &index) ? reader->memories[index] : NULL;
}

/* Counts, for each dword, the dwords before it that contain a byte of a relocation. */
static RpStatus CountPointers(const TraceReader *reader, Memory *entry, uint64_t offset,
                              RpError *error) {
    const TraceMemory *memory = &entry->memory;
    uint32_t dwords = memory->size / 4 + 1; /* the last dword may be short */
    if (entry->pointers)
        return RP_OK;
    /* The layout of the pieces must be right, because the names in reports follow from it. */
    for (uint32_t i = 0; i < memory->relocation_count; i++) {
        const TraceRelocation *relocation = &memory->relocations[i];
        if (relocation->offset != SIGNATURE_STATE_PIECES_FIELD)
            continue;
        if (relocation->target != memory->id)
            return Corrupt(reader, offset, "the pieces of a state lie in another memory",
                           "the mesh's own", relocation->target, error);
        if (relocation->target_offset != SIGNATURE_STATE_PIECES)
            return Corrupt(reader, offset, "the pieces of a state lie elsewhere", "offset 576",
                           relocation->target_offset, error);
    }

    uint32_t *pointers = calloc(dwords + 1u, sizeof *pointers);
    if (!pointers)
        return NoMemory(reader, error);
    for (uint32_t i = 0; i < memory->relocation_count; i++) {
        pointers[memory->relocations[i].offset / 4 + 1] = 1;
        pointers[(memory->relocations[i].offset + 3) / 4 + 1] = 1;
    }
    for (uint32_t i = 0; i < dwords; i++)
        pointers[i + 1] += pointers[i];
    entry->pointers = pointers;

    /* Pointers must be 0 unless a relocation fills them. An address from the process that made the
     * trace would lead anywhere in the process that runs it. */
    for (uint32_t at = 0; at + 4 <= memory->size; at += 4)
        if (Bytes_U32(memory->bytes + at) != 0 && SignatureState_IsPointer(at))
            return Corrupt(reader, offset, "a pointer of a state without a relocation", "zero",
                           Bytes_U32(memory->bytes + at), error);
    return RP_OK;
}

/* Checks the patches or the ranges of a state. */
static RpStatus CheckPairs(const TraceReader *reader, const Memory *entry, const uint8_t *pairs,
                           uint32_t count, bool ranges, uint64_t offset, RpError *error) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = Bytes_U32(pairs + 8 * (size_t)i);
        uint32_t dwords = ranges ? Bytes_U32(pairs + 8 * (size_t)i + 4) : 1;
        if (at + 4 * (uint64_t)dwords > entry->memory.size)
            return Corrupt(reader, offset,
                           ranges ? "a range of a state leaves its memory"
                                  : "a patch of a state lies behind its memory",
                           "dwords inside", at, error);
        if (entry->pointers[at / 4 + dwords] != entry->pointers[at / 4])
            return Corrupt(reader, offset,
                           ranges ? "a range of a state holds a relocated field"
                                  : "a patch of a state changes a relocated field",
                           "plain dwords", at, error);
        if (!ranges && Bytes_U32(pairs + 8 * (size_t)i + 4) != 0 && SignatureState_IsPointer(at))
            return Corrupt(reader, offset, "a patch of a state sets a pointer", "zero",
                           Bytes_U32(pairs + 8 * (size_t)i + 4), error);
    }
    return RP_OK;
}

typedef struct Where {
    const TraceReader *reader;
    uint64_t offset;
} Where;

static RpStatus VisitReference(void *context, uint32_t id, uint32_t target_offset, RpError *error) {
    const Where *where = context;

    const TraceReader *reader = where->reader;
    if (id == TRACE_NO_MEMORY || id == TRACE_FOREIGN_MEMORY)
        return RP_OK;
    Memory *memory = FindMemory(reader, id);
    if (!memory)
        return Unresolved(reader, where->offset, id, error);
    if (target_offset > memory->memory.size)
        return Corrupt(reader, where->offset, "a reference points behind its memory",
                       "an offset inside", target_offset, error);

    /* Everything that a call can reach must be defined before it. The stack holds memories whose
     * relocations have not been looked at yet; each memory is put there once. */
    if (memory->complete)
        return RP_OK;
    Memory **stack = malloc(reader->memory_count * sizeof *stack);
    if (!stack)
        return NoMemory(reader, error);
    RpStatus status = RP_OK;
    size_t depth = 0;
    stack[depth++] = memory;
    memory->complete = true;
    while (depth > 0 && !status) {
        const TraceMemory *visited = &stack[--depth]->memory;
        for (uint32_t i = 0; i < visited->relocation_count && !status; i++) {
            const TraceRelocation *relocation = &visited->relocations[i];
            Memory *target = FindMemory(reader, relocation->target);
            if (!target) {
                status = Unresolved(reader, where->offset, relocation->target, error);
            } else if (relocation->target_offset > target->memory.size) {
                status = Corrupt(reader, where->offset, "a relocation points behind its target",
                                 "an offset inside", relocation->target_offset, error);
            } else if (!target->complete) {
                target->complete = true;
                stack[depth++] = target;
            }
        }
    }
    free(stack);
    return status;
}

static RpStatus CheckReferences(const TraceReader *reader, const TraceCall *call, uint64_t offset,
                                RpError *error) {
    Where where = {reader, offset};
    SignatureMap map;
    if (!call->signature->refers)
        return RP_OK;
    const int param = Signature_StateParam(call->signature);
    RpStatus status = Trace_VisitReferences(call, false, VisitReference, &where, error);
    if (status || param < 0)
        return status;

    Signature_Map(call->signature, call->inputs, call->input_size, &map);
    SignatureState state = Signature_ReadState(call->inputs + map.input_offset[param]);
    Memory *entry = FindMemory(reader, state.memory);
    if (!entry)
        return Unresolved(reader, offset, state.memory, error);
    if (entry->memory.size > TRACE_MAX_STATE_BYTES)
        return Corrupt(reader, offset, "the memory of a state is too large", "at most 1 MiB",
                       entry->memory.size, error);
    if (state.offset >= entry->memory.size)
        return Corrupt(reader, offset, "a state lies behind its memory", "an offset inside",
                       state.offset, error);
    status = CountPointers(reader, entry, offset, error);
    if (!status)
        status = CheckPairs(reader, entry, state.patches, state.patch_count, false, offset, error);
    return status ? status
                  : CheckPairs(reader, entry, state.ranges, state.range_count, true, offset, error);
}

/* ---- CALL ------------------------------------------------------------------------------------ */

static RpStatus CheckCallData(const TraceReader *reader, const TraceCall *call, uint64_t offset,
                              RpError *error) {
    RpStatus status = Signature_CheckInputs(call->signature, call->inputs, call->input_size, error);
    if (status) {
        error->offset += offset + TRACE_CALL_BYTES;
        return status;
    }
    uint32_t expected =
        Trace_OutputBytes(call->outcome, call->signature, call->inputs, call->input_size);
    if (call->output_size != expected) {
        char text[32];
        snprintf(text, sizeof text, "%u", expected);
        return Corrupt(reader, offset + 28, "the size of the outputs does not fit the outcome",
                       text, call->output_size, error);
    }
    status = call->outcome == TRACE_RETURNED
                 ? Signature_CheckOutputs(call->signature, call->inputs, call->input_size,
                                          call->outputs, error)
                 : RP_OK;
    if (status) {
        error->offset += offset + TRACE_CALL_BYTES + call->input_size;
        return status;
    }
    return CheckReferences(reader, call, offset, error);
}

static RpStatus ReadCall(TraceReader *reader, TraceCall *call, RpError *error) {
    Chunk *chunk = &reader->chunk;
    uint64_t offset = ChunkOffset(chunk, chunk->cursor);
    const uint8_t *record = Take(chunk, TRACE_CALL_BYTES);
    if (!record)
        return ShortRecord(reader, "a call is cut", error);
    uint16_t id = Bytes_U16(record);

    memset(call, 0, sizeof *call);
    call->outcome = record[2];
    call->violations = record[3];
    call->sequence = Trace_Get64(record + 4);
    call->control_in = Bytes_U16(record + 12);
    call->control_out = Bytes_U16(record + 14);
    call->mxcsr_in = Bytes_U32(record + 16);
    call->mxcsr_out = Bytes_U32(record + 20);
    call->input_size = Bytes_U32(record + 24);
    call->output_size = Bytes_U32(record + 28);

    if (id >= reader->function_capacity || !reader->functions[id])
        return Corrupt(reader, offset, "a call of an undefined function", "a defined id", id,
                       error);

    if (call->outcome >= TRACE_OUTCOME_COUNT)
        return Corrupt(reader, offset + 2, "an unknown outcome", "0 to 6", call->outcome, error);
    if (call->violations > TRACE_VIOLATION_MASK)
        return Corrupt(reader, offset + 3, "unknown violations", "0 to 31", call->violations,
                       error);
    if (reader->calls > 0 && call->sequence <= reader->last_sequence)
        return Corrupt(reader, offset + 4, "the sequence number does not rise",
                       "a number above the last call's", call->sequence, error);
    if (call->input_size > TRACE_MAX_CALL_BYTES || call->input_size % 4 != 0)
        return Corrupt(reader, offset + 24, "impossible size of the inputs",
                       "a multiple of 4, at most 1 MiB", call->input_size, error);
    if (call->output_size > TRACE_MAX_CALL_BYTES || call->output_size % 4 != 0)
        return Corrupt(reader, offset + 28, "impossible size of the outputs",
                       "a multiple of 4, at most 1 MiB", call->output_size, error);

    call->signature = reader->functions[id];
    call->function = call->signature->function;
    call->inputs = Take(chunk, call->input_size);
    call->outputs = call->inputs ? Take(chunk, call->output_size) : NULL;
    if (!call->outputs)
        return ShortRecord(reader, "a call is cut", error);
    RpStatus status = CheckCallData(reader, call, offset, error);
    reader->calls++;
    reader->last_sequence = call->sequence;
    return status;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Returns how many calls the file says it has, before they have been read. */
static uint64_t PeekCallCount(const TraceReader *reader) {
    uint8_t head[TRACE_CHUNK_BYTES + TRACE_END_BYTES];
    const uint8_t *payload = head + TRACE_CHUNK_BYTES;
    const uint64_t size = reader->source.size;
    if (size - reader->start < sizeof head ||
        CopyBytes(reader, size - sizeof head, head, sizeof head, NULL))
        return 0;
    if (ChunkType(head) != TRACE_CHUNK_END ||
        Trace_Crc(head, 20, payload, TRACE_END_BYTES) != Bytes_U32(head + 20))
        return 0;
    return Trace_Get64(payload);
}

/* Reads all records of a chunk of definitions. On a second pass these are known already. */
static RpStatus ReadDefinitions(TraceReader *reader, RpError *error) {
    Chunk *chunk = &reader->chunk;
    RpStatus status = RP_OK;
    if (chunk->offset < reader->defined) {
        chunk->records = 0;
        return RP_OK;
    }
    /* Even after an error, memories that were defined before it stay reachable. */
    if (chunk->type == TRACE_CHUNK_MEM) {
        /* The payload is kept, because memories point into it, and its buffer would be used again.
         */
        status = reader->source.bytes && !chunk->packed
                     ? RP_OK
                     : Keep(reader, chunk->payload, chunk->size, &chunk->payload, error);
    }
    for (; chunk->records > 0 && !status; chunk->records--)
        status = chunk->type == TRACE_CHUNK_FUNC ? ReadFunction(reader, error)
                                                 : ReadMemory(reader, error);
    if (!status && chunk->cursor != chunk->size)
        status = Corrupt(reader, ChunkOffset(chunk, chunk->cursor), "bytes behind the last record",
                         "the end of the chunk", chunk->size - chunk->cursor, error);
    reader->defined = reader->position;
    return status;
}

static RpStatus NextChunk(TraceReader *reader, RpError *error) {
    Chunk *chunk = &reader->chunk;
    RpStatus status = RP_OK;
    if (chunk->type == TRACE_CHUNK_CALL && chunk->cursor != chunk->size)
        status = Corrupt(reader, ChunkOffset(chunk, chunk->cursor), "bytes behind the last record",
                         "the end of the chunk", chunk->size - chunk->cursor, error);

    if (!status)
        status = LoadChunk(reader, error);
    if (status)
        return status;
    switch (chunk->type) {
    case TRACE_CHUNK_FUNC:
    case TRACE_CHUNK_MEM:
        return ReadDefinitions(reader, error);
    case TRACE_CHUNK_END: {
        uint64_t calls = Trace_Get64(chunk->payload);
        uint32_t memories = Bytes_U32(chunk->payload + 8);
        uint64_t offset = ChunkOffset(chunk, 0);
        char expected[48];
        snprintf(expected, sizeof expected, "%llu calls, as read",
                 (unsigned long long)reader->calls);
        if (calls != reader->calls)
            return Corrupt(reader, offset, "the end chunk counts other calls", expected, calls,
                           error);
        snprintf(expected, sizeof expected, "%u memories, as read", reader->memory_count);
        if (memories != reader->memory_count)
            return Corrupt(reader, offset + 8, "the end chunk counts other memories", expected,
                           memories, error);
        if (Bytes_U32(chunk->payload + 12) != 0)
            return Corrupt(reader, offset + 12, "malformed end chunk", "zero",
                           Bytes_U32(chunk->payload + 12), error);
        if (reader->position != reader->source.size)
            return Corrupt(reader, reader->position, "bytes behind the end chunk",
                           "the end of the file", reader->source.size - reader->position, error);
        reader->ended = true;
        return RP_OK;
    }
    case TRACE_CHUNK_OTHER:
        /* A NOTE or an unknown chunk. If there are several notes, the last one counts. */
        chunk->records = 0;
        if (!chunk->is_note)
            return RP_OK;
        if (chunk->size >= TRACE_HEADER_MAX)
            return Corrupt(reader, chunk->offset, "the note is too large", "at most 8191",
                           chunk->size, error);
        memcpy(reader->notes.text, chunk->payload, chunk->size);
        reader->notes.text[chunk->size] = 0;
        status = CheckLines(reader, reader->notes.text, chunk->size, ChunkOffset(chunk, 0),
                            "a malformed note", error);
        if (status)
            reader->notes.text[0] = 0;
        return status;
    default:
        return RP_OK;
    }
}

static RpStatus NextCall(TraceReader *reader, TraceCall *call, bool *found, RpError *error) {
    if (reader->maker.next) {
        /* A call that is made is held to the rules for calls that are read, because whoever runs it
         * trusts them. */
        const TraceMaker *maker = &reader->maker;
        RpStatus status = maker->next(maker->context, reader, call, found, error);
        if (status || !*found)
            return status;
        status = Signature_CheckInputs(call->signature, call->inputs, call->input_size, error);
        if (!status)
            status = CheckReferences(reader, call, RP_NOWHERE, error);
        *found = status == RP_OK;
        return status;
    }
    while (!reader->ended && (reader->chunk.type != TRACE_CHUNK_CALL || !reader->chunk.records)) {
        RpStatus status = NextChunk(reader, error);
        if (status)
            return status;
    }
    if (reader->ended)
        return RP_OK;
    RpStatus status = ReadCall(reader, call, error);
    reader->chunk.records--;
    *found = status == RP_OK;
    return status;
}

RpStatus TraceReader_Next(TraceReader *reader, TraceCall *call, bool *found, RpError *error) {
    *found = false;
    if (Stop_Asked()) /* every reader of a trace comes here for each call */
        return RpError_Set(error, RP_IO, RP_NOWHERE, "stopped by a signal", reader->name, "", "");
    if (!reader->failure.status) {
        RpStatus status = NextCall(reader, call, found, &reader->failure);
        if (!status)
            return RP_OK;
    }
    if (error)
        *error = reader->failure;
    return reader->failure.status;
}

/* Makes a reader that has only a name. On failure it releases the context. */
static RpStatus NewReader(const char *name, void (*release)(void *context), void *context,
                          TraceReader **result, RpError *error) {
    TraceReader *reader = *result = calloc(1, sizeof *reader);
    if (!reader) {
        if (release)
            release(context);
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a trace", name, "", "");
    }
    snprintf(reader->name, sizeof reader->name, "%s", name);
    return RP_OK;
}

RpStatus TraceReader_OpenOn(const TraceSource *source, const char *name, TraceReader **result,
                            RpError *error) {
    TraceReader *reader;
    RpStatus status = NewReader(name, source->release, source->context, &reader, error);
    *result = NULL;
    if (status)
        return status;
    reader->source = *source;
    status = ReadHeader(reader, error);
    if (status) {
        TraceReader_Close(reader);
        return status;
    }
    reader->announced_calls = PeekCallCount(reader);
    *result = reader;
    return RP_OK;
}

RpStatus TraceReader_OpenMaker(const TraceMaker *maker, const TraceHeader *header, const char *name,
                               TraceReader **reader, RpError *error) {
    const RpStatus status = NewReader(name, maker->release, maker->context, reader, error);
    if (status)
        return status;
    (*reader)->maker = *maker;
    (*reader)->header = *header;
    return RP_OK;
}

RpStatus TraceReader_OpenBuffer(const uint8_t *bytes, size_t size, const char *name,
                                TraceReader **reader, RpError *error) {
    /* An empty buffer may have no address. */
    const TraceSource source = {.bytes = bytes ? bytes : (const uint8_t *)"", .size = size};
    return TraceReader_OpenOn(&source, name, reader, error);
}

const TraceHeader *TraceReader_Header(const TraceReader *reader) {
    return &reader->header;
}

const TraceMemory *TraceReader_Memory(const TraceReader *reader, uint32_t id) {
    const Memory *entry = FindMemory(reader, id);
    return entry ? &entry->memory : NULL;
}

const TraceRelocation *TraceReader_Relocation(const TraceReader *reader, uint32_t id,
                                              uint32_t offset) {
    Memory *entry = FindMemory(reader, id);
    uint32_t index;
    if (!entry || entry->memory.relocation_count == 0)
        return NULL;
    if (entry->places.count == 0)
        for (uint32_t i = 0; i < entry->memory.relocation_count; i++)
            if (TraceIds_Add(&entry->places, entry->relocations[i].offset, i) == RP_NO_MEMORY)
                return NULL;
    return TraceIds_Find(&entry->places, offset, &index) ? &entry->relocations[index] : NULL;
}

uint32_t TraceReader_MemoryCount(const TraceReader *reader) {
    return reader->memory_count;
}

const TraceMemory *TraceReader_MemoryAt(const TraceReader *reader, uint32_t index) {
    return index < reader->memory_count ? &reader->memories[index]->memory : NULL;
}

const char *TraceReader_Name(const TraceReader *reader) {
    return reader->name;
}

uint64_t TraceReader_CallCount(const TraceReader *reader) {
    return reader->announced_calls;
}

const char *TraceReader_Notes(const TraceReader *reader) {
    return reader->notes.text;
}

bool TraceReader_Note(const TraceReader *reader, const char *key, char *value, size_t size) {
    return TraceHeader_Get(&reader->notes, key, value, size);
}

void TraceReader_Rewind(TraceReader *reader) {
    DropChunk(reader);
    reader->position = reader->start;
    reader->calls = reader->last_sequence = 0;
    reader->ended = false;
    if (reader->failure.status == RP_TRUNCATED)
        reader->failure.status = RP_OK;
}

void TraceReader_Close(TraceReader *reader) {
    if (!reader)
        return;
    for (uint32_t i = 0; i < reader->function_capacity; i++)
        free(reader->functions[i]);
    for (uint32_t i = 0; i < reader->memory_count; i++)
        FreeMemory(reader->memories[i]);
    for (uint32_t i = 0; i < reader->kept_count; i++)
        free(reader->kept[i]);
    free(reader->functions);
    free(reader->memories);
    free(reader->kept);
    free(reader->stored);
    free(reader->unpacked);
    TraceIds_Free(&reader->ids);
    if (reader->source.release)
        reader->source.release(reader->source.context);
    if (reader->maker.release)
        reader->maker.release(reader->maker.context);
    free(reader);
}
