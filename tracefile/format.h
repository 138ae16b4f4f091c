/* Sizes and numbers of docs/formats/trace.md that the trace reader and writer share. */
#ifndef RETROPOSE_TRACEFILE_FORMAT_H
#define RETROPOSE_TRACEFILE_FORMAT_H

#include "core/bytes.h"
#include "tracefile/tracefile.h"

#define TRACE_MAGIC          "RPTRACE"
#define TRACE_HEAD_BYTES     20u
#define TRACE_CHUNK_BYTES    24u
#define TRACE_CHUNK_MAX      0x04000000u
#define TRACE_CHUNK_ZLIB     1u
#define TRACE_FUNC_BYTES     6u  /* before key and signature */
#define TRACE_MEM_BYTES      12u /* before bytes and relocations */
#define TRACE_RELOC_BYTES    12u
#define TRACE_CALL_BYTES     32u
#define TRACE_END_BYTES      16u
#define TRACE_NOTE           "NOTE"
#define TRACE_VIOLATION_MASK 31u
#define TRACE_SIGNATURE_MAX  1024

typedef enum TraceChunkType {
    TRACE_CHUNK_FUNC,
    TRACE_CHUNK_MEM,
    TRACE_CHUNK_CALL,
    TRACE_CHUNK_END,
    TRACE_CHUNK_OTHER
} TraceChunkType;

extern const char trace_chunk_names[TRACE_CHUNK_OTHER][5];

static inline uint64_t Trace_Get64(const uint8_t *bytes) {
    return Bytes_U32(bytes) | (uint64_t)Bytes_U32(bytes + 4) << 32;
}

static inline void Trace_Put64(uint8_t *bytes, uint64_t value) {
    Bytes_PutU32(bytes, (uint32_t)value);
    Bytes_PutU32(bytes + 4, (uint32_t)(value >> 32));
}

static inline uint32_t Trace_PadTo4(uint32_t size) {
    return (size + 3) & ~3u;
}

/* Returns how many bytes of outputs a call with this outcome has. The inputs must have been
 * checked. */
uint32_t Trace_OutputBytes(uint8_t outcome, const Signature *signature, const uint8_t *inputs,
                           uint32_t input_size);

/* Visits every reference in the inputs of a call, or in the outputs of one that returned:
 * parameters of the types `ref` and `nres`, and the memory of a state. The inputs must fit the
 * signature. Stops at the first status that is not RP_OK. */
typedef RpStatus (*TraceVisit)(void *context, uint32_t id, uint32_t offset, RpError *error);
RpStatus Trace_VisitReferences(const TraceCall *call, bool outputs, TraceVisit visit, void *context,
                               RpError *error);

/* ---- from the id of a memory to its index in the order of definition ------------------------- */

/* Maps ids to indices. It is a tree in which each level takes four bits of an id, with as many
 * levels as the largest id needs. A trace from a stranger may choose its ids so that a hash table
 * would be slow; this tree stays fast. */
typedef struct TraceIds {
    uint32_t (*nodes)[16]; /* children or, on the lowest level, index + 1; node 0 stands for none */
    uint32_t node_count, capacity, root;
    uint32_t levels, count;
} TraceIds;

/* Returns RP_INVALID when the id exists already. */
RpStatus TraceIds_Add(TraceIds *ids, uint64_t id, uint32_t index);
bool TraceIds_Find(const TraceIds *ids, uint64_t id, uint32_t *index);
void TraceIds_Free(TraceIds *ids);

#endif
