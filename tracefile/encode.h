/* Writes the records of docs/formats/trace.md as bytes, for the trace writer and for the recorder
 * inside of the DLLs. All of it is inline, because the recorder is compiled so that it touches no
 * register of the game's arithmetic, and must call nothing that may. */
#ifndef RETROPOSE_TRACEFILE_ENCODE_H
#define RETROPOSE_TRACEFILE_ENCODE_H

#include "tracefile/format.h"

#include <string.h>
#include <zlib.h>

/* Returns the CRC-32 of two runs of bytes as if the second one followed the first. */
static inline uint32_t Trace_Crc(const uint8_t *first, size_t first_size, const uint8_t *second,
                                 size_t second_size) {
    uLong crc = crc32(crc32(0, NULL, 0), first, (uInt)first_size);
    return (uint32_t)(second_size > 0 ? crc32(crc, second, (uInt)second_size) : crc);
}

/* Writes TRACE_HEAD_BYTES, which come before the header's text. */
static inline void Trace_PutHead(uint8_t *head, uint16_t major, uint16_t minor, const char *text,
                                 uint32_t size) {
    memcpy(head, TRACE_MAGIC, sizeof TRACE_MAGIC);
    Bytes_PutU16(head + 8, major);
    Bytes_PutU16(head + 10, minor);
    Bytes_PutU32(head + 12, size);
    Bytes_PutU32(head + 16, Trace_Crc(head, 16, (const uint8_t *)text, size));
}

/* Writes TRACE_CHUNK_BYTES, which come before the payload as it is stored. `size` is that of the
 * unpacked payload. */
static inline void Trace_PutChunkHead(uint8_t *head, const char *name, uint32_t flags,
                                      const uint8_t *stored, uint32_t stored_size, uint32_t size,
                                      uint32_t records) {
    memcpy(head, name, 4);
    Bytes_PutU32(head + 4, flags);
    Bytes_PutU32(head + 8, stored_size);
    Bytes_PutU32(head + 12, size);
    Bytes_PutU32(head + 16, records);
    Bytes_PutU32(head + 20, Trace_Crc(head, 20, stored, stored_size));
}

/* Writes TRACE_FUNC_BYTES, which come before the key and the signature. */
static inline void Trace_PutFunctionHead(uint8_t *record, uint16_t id, size_t key_length,
                                         size_t signature_length) {
    Bytes_PutU16(record, id);
    Bytes_PutU16(record + 2, (uint16_t)key_length);
    Bytes_PutU16(record + 4, (uint16_t)signature_length);
}

/* Writes TRACE_MEM_BYTES, which come before the bytes of a memory. */
static inline void Trace_PutMemoryHead(uint8_t *record, uint32_t id, uint32_t size,
                                       uint32_t relocations) {
    Bytes_PutU32(record, id);
    Bytes_PutU32(record + 4, size);
    Bytes_PutU32(record + 8, relocations);
}

/* Writes what follows the padded bytes of a memory, and returns where it ends. */
static inline uint8_t *Trace_PutRelocations(uint8_t *at, const TraceRelocation *relocations,
                                            uint32_t count) {
    for (uint32_t i = 0; i < count; i++, at += TRACE_RELOC_BYTES) {
        Bytes_PutU32(at, relocations[i].offset);
        Bytes_PutU32(at + 4, relocations[i].target);
        Bytes_PutU32(at + 8, relocations[i].target_offset);
    }
    return at;
}

static inline uint32_t Trace_CallBytes(const TraceCall *call) {
    return TRACE_CALL_BYTES + call->input_size + call->output_size;
}

/* Writes the Trace_CallBytes of a call. `function` is the id that a FUNC record gave the
 * function. */
static inline void Trace_PutCall(uint8_t *record, const TraceCall *call, uint16_t function) {
    Bytes_PutU16(record, function);
    record[2] = call->outcome;
    record[3] = call->violations;
    Trace_Put64(record + 4, call->sequence);
    Bytes_PutU16(record + 12, call->control_in);
    Bytes_PutU16(record + 14, call->control_out);
    Bytes_PutU32(record + 16, call->mxcsr_in);
    Bytes_PutU32(record + 20, call->mxcsr_out);
    Bytes_PutU32(record + 24, call->input_size);
    Bytes_PutU32(record + 28, call->output_size);
    if (call->input_size > 0)
        memcpy(record + TRACE_CALL_BYTES, call->inputs, call->input_size);
    if (call->output_size > 0)
        memcpy(record + TRACE_CALL_BYTES + call->input_size, call->outputs, call->output_size);
}

/* Writes TRACE_END_BYTES, the payload of the last chunk. */
static inline void Trace_PutEnd(uint8_t *end, uint64_t calls, uint32_t memories) {
    memset(end, 0, TRACE_END_BYTES);
    Trace_Put64(end, calls);
    Bytes_PutU32(end + 8, memories);
}

#endif
