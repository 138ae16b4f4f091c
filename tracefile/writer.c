#include "tracefile/writer.h"

#include "tracefile/encode.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define FLUSH_BYTES 0x100000u /* a chunk of calls is about this large */

typedef struct Pending {
    uint8_t *bytes;
    size_t size, capacity;
    uint32_t records;
} Pending;

struct TraceWriter {
    TraceSink sink;
    char path[256]; /* named in messages */
    bool compress;
    Pending pending[TRACE_CHUNK_END]; /* FUNC, MEM and CALL, which are written in this order */
    uint16_t *function_ids; /* by row of abi_functions: id + 1, or 0 as long as it has none */
    uint16_t functions;
    TraceIds memories;
    uint64_t calls, last_sequence;
};

static RpStatus NoMemory(const TraceWriter *writer, RpError *error) {
    return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a trace", writer->path, "",
                       "");
}

/* Makes what has been written so far readable for others. */
static RpStatus Flush(const TraceWriter *writer, RpError *error) {
    if (writer->sink.flush(writer->sink.context))
        return RP_OK;
    return RpError_Set(error, RP_IO, RP_NOWHERE, "cannot write the trace", writer->path, "",
                       strerror(errno));
}

static RpStatus Append(const TraceWriter *writer, const void *bytes, size_t size, RpError *error) {
    return writer->sink.append(writer->sink.context, bytes, size, error);
}

/* Makes room for one more record at the end of a pending chunk, or returns null. */
static uint8_t *Reserve(Pending *pending, size_t size) {
    if (pending->size + size > pending->capacity) {
        size_t capacity = (pending->size + size) * 2;
        uint8_t *bytes = realloc(pending->bytes, capacity);
        if (!bytes)
            return NULL;
        pending->bytes = bytes;
        pending->capacity = capacity;
    }
    uint8_t *record = pending->bytes + pending->size;
    pending->size += size;
    pending->records++;
    return record;
}

static RpStatus WriteChunk(TraceWriter *writer, TraceChunkType type, uint32_t flags,
                           const uint8_t *stored, uint32_t stored_size, uint32_t size,
                           uint32_t records, RpError *error) {
    uint8_t head[TRACE_CHUNK_BYTES];
    Trace_PutChunkHead(head, trace_chunk_names[type], flags, stored, stored_size, size, records);
    RpStatus status = Append(writer, head, sizeof head, error);
    return status ? status : Append(writer, stored, stored_size, error);
}

/* Ends the pending chunks if one more record would make this one larger than FLUSH_BYTES. */
static RpStatus MakeRoom(TraceWriter *writer, TraceChunkType type, size_t size, RpError *error) {
    const Pending *pending = &writer->pending[type];
    if (pending->size > 0 && pending->size + size > FLUSH_BYTES)
        return TraceWriter_Flush(writer, error);
    return RP_OK;
}

static void FreeWriter(TraceWriter *writer) {
    for (size_t i = 0; i < TRACE_CHUNK_END; i++)
        free(writer->pending[i].bytes);
    free(writer->function_ids);
    TraceIds_Free(&writer->memories);
    free(writer);
}

RpStatus TraceWriter_CreateOn(const TraceSink *sink, const char *name, const TraceHeader *header,
                              bool compress, TraceWriter **result, RpError *error) {
    *result = NULL;
    TraceWriter *writer = calloc(1, sizeof *writer);
    uint16_t *function_ids = calloc(abi_function_count, sizeof *function_ids);
    if (!writer || !function_ids) {
        free(writer);
        free(function_ids);
        sink->abandon(sink->context);
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a trace", name, "", "");
    }
    snprintf(writer->path, sizeof writer->path, "%s", name);
    writer->sink = *sink;
    writer->compress = compress;
    writer->function_ids = function_ids;

    uint8_t head[TRACE_HEAD_BYTES];
    size_t size = strlen(header->text);
    Trace_PutHead(head, header->major, header->minor, header->text, (uint32_t)size);
    RpStatus status = Append(writer, head, sizeof head, error);
    if (!status)
        status = Append(writer, header->text, size, error);
    if (!status)
        status = Flush(writer, error);

    if (status)
        TraceWriter_Abandon(writer);
    else
        *result = writer;
    return status;
}

/* ---- traces in memory ------------------------------------------------------------------------ */

static RpStatus AppendToBuffer(void *context, const void *bytes, size_t size, RpError *error) {
    return RpBuffer_Append(context, bytes, size) ? RP_OK
                                                 : RpMemory_Refused(error, "no memory for a trace");
}

static bool FlushBuffer(void *context) {
    (void)context;
    return true;
}

static RpStatus CommitBuffer(void *context, RpError *error) {
    (void)context;
    (void)error;
    return RP_OK;
}

static void KeepBuffer(void *context) {
    (void)context;
}

RpStatus TraceWriter_CreateBuffer(RpBuffer *buffer, const TraceHeader *header, TraceWriter **writer,
                                  RpError *error) {
    const TraceSink sink = {AppendToBuffer, FlushBuffer, CommitBuffer, KeepBuffer, buffer};
    return TraceWriter_CreateOn(&sink, "a trace in memory", header, false, writer, error);
}

/* ---- records --------------------------------------------------------------------------------- */

static RpStatus BadRecord(uint64_t number, const char *what, const char *expected, RpError *error) {
    char found[32];
    snprintf(found, sizeof found, "%llu", (unsigned long long)number);
    return RpError_Set(error, RP_INVALID, RP_NOWHERE, what, "", expected, found);
}

RpStatus TraceWriter_Memory(TraceWriter *writer, const TraceMemory *memory, RpError *error) {
    uint64_t size = TRACE_MEM_BYTES + (((uint64_t)memory->size + 3) & ~3ull) +
                    (uint64_t)memory->relocation_count * TRACE_RELOC_BYTES;
    if (memory->id == TRACE_NO_MEMORY || memory->id == TRACE_FOREIGN_MEMORY)
        return BadRecord(memory->id, "a reserved memory id", "an id below 4294967294", error);
    if (size > TRACE_CHUNK_MAX)
        return BadRecord(memory->size, "the memory is too large for a trace", "at most 64 MiB",
                         error);
    for (uint32_t i = 0; i < memory->relocation_count; i++) {
        const uint32_t offset = memory->relocations[i].offset;
        if (memory->size < 4 || offset > memory->size - 4)
            return BadRecord(offset, "a relocation outside its memory", "4 bytes inside", error);
        if (Bytes_U32(memory->bytes + offset) != 0)
            return BadRecord(offset, "a relocated field is not zero", "zero", error);
    }

    RpStatus status = MakeRoom(writer, TRACE_CHUNK_MEM, (size_t)size, error);
    if (status)
        return status;
    status = TraceIds_Add(&writer->memories, memory->id, writer->memories.count);
    if (status == RP_INVALID)
        return BadRecord(memory->id, "a memory is defined twice", "a new id", error);
    uint8_t *record = status ? NULL : Reserve(&writer->pending[TRACE_CHUNK_MEM], (size_t)size);
    if (!record)
        return NoMemory(writer, error);

    uint32_t padded = Trace_PadTo4(memory->size);
    Trace_PutMemoryHead(record, memory->id, memory->size, memory->relocation_count);
    record += TRACE_MEM_BYTES;
    if (memory->size > 0)
        memcpy(record, memory->bytes, memory->size);
    memset(record + memory->size, 0, padded - memory->size);
    Trace_PutRelocations(record + padded, memory->relocations, memory->relocation_count);

    return RP_OK;
}

void TraceCall_EndWithout(TraceCall *call, TraceOutcome outcome, const uint8_t *outputs,
                          uint32_t output_size) {
    call->outcome = (uint8_t)outcome;
    call->violations = 0;
    call->control_out = call->control_in;
    call->mxcsr_out = call->mxcsr_in;
    call->outputs = outputs;
    call->output_size = output_size;
}

RpStatus TraceWriter_Call(TraceWriter *writer, const TraceCall *call, RpError *error) {
    if (writer->calls > 0 && call->sequence <= writer->last_sequence)
        return BadRecord(call->sequence, "the sequence number does not rise",
                         "a number above the last call's", error);
    if (call->outcome >= TRACE_OUTCOME_COUNT)
        return BadRecord(call->outcome, "an unknown outcome", "0 to 6", error);
    if (call->violations > TRACE_VIOLATION_MASK)
        return BadRecord(call->violations, "unknown violations", "0 to 31", error);
    if (call->input_size > TRACE_MAX_CALL_BYTES || call->output_size > TRACE_MAX_CALL_BYTES)
        return BadRecord(call->input_size, "the call is too large for a trace", "at most 1 MiB",
                         error);
    RpStatus status = Signature_CheckInputs(call->signature, call->inputs, call->input_size, error);
    if (status)
        return status;
    uint32_t outputs =
        Trace_OutputBytes(call->outcome, call->signature, call->inputs, call->input_size);
    if (call->output_size != outputs)
        return BadRecord(call->output_size, "the outputs do not fit the outcome",
                         "what the signature says", error);

    const uint32_t size = Trace_CallBytes(call);
    status = MakeRoom(writer, TRACE_CHUNK_CALL, size, error);
    if (status)
        return status;

    /* A function is defined before its first call. */
    const AbiFunction *function = call->signature->function;
    uint16_t *id = &writer->function_ids[function - abi_functions]; /* 0: not defined yet */
    if (*id == 0) {
        char text[TRACE_SIGNATURE_MAX];
        const size_t key_length = strlen(function->key);
        const size_t length = (size_t)Signature_Text(call->signature, text, sizeof text);
        if (length >= sizeof text)
            return BadRecord(length, "the signature is too long", "at most 1023 bytes", error);
        uint8_t *definition =
            Reserve(&writer->pending[TRACE_CHUNK_FUNC], TRACE_FUNC_BYTES + key_length + length);
        if (!definition)
            return NoMemory(writer, error);
        Trace_PutFunctionHead(definition, writer->functions, key_length, length);
        memcpy(definition + TRACE_FUNC_BYTES, function->key, key_length);
        memcpy(definition + TRACE_FUNC_BYTES + key_length, text, length);
        *id = ++writer->functions;
    }

    uint8_t *record = Reserve(&writer->pending[TRACE_CHUNK_CALL], size);
    if (!record)
        return NoMemory(writer, error);
    Trace_PutCall(record, call, (uint16_t)(*id - 1));
    writer->calls++;
    writer->last_sequence = call->sequence;
    return RP_OK;
}

RpStatus TraceWriter_Calls(TraceWriter *writer, TraceReader *reader, RpError *error) {
    uint32_t memories = 0;
    for (;;) {
        TraceCall call;
        bool found;
        RpStatus status = TraceReader_Next(reader, &call, &found, error);
        if (status || !found)
            return status;
        while (!status && memories < TraceReader_MemoryCount(reader))
            status = TraceWriter_Memory(writer, TraceReader_MemoryAt(reader, memories++), error);
        if (!status)
            status = TraceWriter_Call(writer, &call, error);
        if (status)
            return status;
    }
}

RpStatus TraceWriter_Flush(TraceWriter *writer, RpError *error) {
    RpStatus status = RP_OK;
    for (int type = TRACE_CHUNK_FUNC; type < TRACE_CHUNK_END && !status; type++) {
        Pending *pending = &writer->pending[type];
        uint32_t size = (uint32_t)pending->size, records = pending->records;
        if (records == 0)
            continue;
        pending->size = pending->records = 0;
        if (!writer->compress) {
            status = WriteChunk(writer, (TraceChunkType)type, 0, pending->bytes, size, size,
                                records, error);
            continue;
        }
        uLongf packed_size = compressBound(size);
        uint8_t *packed = malloc(packed_size);
        if (!packed || compress2(packed, &packed_size, pending->bytes, size, 9) != Z_OK) {
            free(packed);
            return NoMemory(writer, error);
        }
        bool smaller = packed_size < size;
        status = WriteChunk(writer, (TraceChunkType)type, smaller ? TRACE_CHUNK_ZLIB : 0,
                            smaller ? packed : pending->bytes,
                            smaller ? (uint32_t)packed_size : size, size, records, error);
        free(packed);
    }
    return status ? status : Flush(writer, error);
}

RpStatus TraceWriter_Close(TraceWriter *writer, RpError *error) {
    if (!writer)
        return RP_OK;
    uint8_t end[TRACE_END_BYTES];
    RpStatus status = TraceWriter_Flush(writer, error);
    Trace_PutEnd(end, writer->calls, writer->memories.count);
    if (!status)
        status = WriteChunk(writer, TRACE_CHUNK_END, 0, end, sizeof end, sizeof end, 0, error);
    if (status)
        writer->sink.abandon(writer->sink.context);
    else
        status = writer->sink.commit(writer->sink.context, error);
    FreeWriter(writer);
    return status;
}

void TraceWriter_Abandon(TraceWriter *writer) {
    if (!writer)
        return;
    writer->sink.abandon(writer->sink.context);
    FreeWriter(writer);
}
