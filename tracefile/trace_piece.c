#include "tracefile/trace_piece.h"

#include "core/bytes.h"
#include "exports/animesh_offsets.h"

/* Returns `size` bytes of a memory, or null. */
static const uint8_t *BytesAt(const TraceMemory *memory, uint32_t offset, uint32_t size) {
    if (!memory || offset > memory->size || size > memory->size - offset)
        return NULL;
    return memory->bytes + offset;
}

/* Finds the stream that the pointer field at `offset` of a memory leads to. */
static bool FindStream(const TraceReader *reader, uint32_t id, uint32_t offset,
                       const uint8_t **stream, uint32_t *size) {
    const TraceRelocation *relocation = TraceReader_Relocation(reader, id, offset);
    *stream = NULL;
    *size = 0;
    if (!relocation)
        return true;
    const TraceMemory *target = TraceReader_Memory(reader, relocation->target);
    *stream = BytesAt(target, relocation->target_offset, 0);
    if (*stream)
        *size = target->size - relocation->target_offset;
    return *stream != NULL;
}

bool TracePiece_Find(const TraceReader *reader, uint32_t id, uint32_t offset, RpSkeleton *skeleton,
                     uint32_t *node) {
    const TraceMemory *pieces = TraceReader_Memory(reader, id);
    const uint8_t *piece = BytesAt(pieces, offset, ABI_PIECE_SIZE);
    const TraceRelocation *link =
        piece ? TraceReader_Relocation(reader, id, offset + PIECE_AT_reader) : NULL;
    if (!link)
        return false;
    const TraceMemory *readers = TraceReader_Memory(reader, link->target);
    const uint8_t *record = BytesAt(readers, link->target_offset, ABI_READER_SIZE);
    if (!record)
        return false;
    const uint32_t readers_id = link->target, base = link->target_offset;
    *node = Bytes_U32(piece + PIECE_AT_node);
    skeleton->frame_count = Bytes_U32(record + READER_AT_frame_count);
    return FindStream(reader, readers_id, base + READER_AT_nodes, &skeleton->nodes,
                      &skeleton->node_bytes) &&
           FindStream(reader, readers_id, base + READER_AT_keys, &skeleton->keys,
                      &skeleton->key_bytes) &&
           FindStream(reader, readers_id, base + READER_AT_frame_map, &skeleton->frame_map,
                      &skeleton->frame_map_bytes);
}
