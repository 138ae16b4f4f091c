#include "replay/compare/follow.h"

#include "animesh/records.h"
#include "core/bytes.h"
#include "exports/animesh_offsets.h"
#include "replay/provider/native.h"
#include "retropose/nres.h"

#include <stdlib.h>
#include <string.h>

enum { CORNERS = 8, MOST_OBJECT_BYTES = 1 << 20 };

/* ---- memory of the trace ----------------------------------------------------------------------
 */

static const uint8_t *BytesAt(const TraceMemory *memory, uint64_t offset, uint32_t size) {
    if (!memory || offset > memory->size || size > memory->size - offset)
        return NULL;
    return memory->bytes + offset;
}

static void ReadFloats(const uint8_t *bytes, float *values, size_t count) {
    memcpy(values, bytes, count * sizeof *values);
}

/* Finds a parameter by its name, and where its data is in the inputs. */
static const uint8_t *FindInput(const TraceCall *call, const char *name, uint32_t bytes) {
    SignatureMap map;
    if (!Signature_Map(call->signature, call->inputs, call->input_size, &map))
        return NULL;
    for (int i = 0; i < call->signature->param_count; i++)
        if (strcmp(call->signature->params[i].name, name) == 0 && map.input_bytes[i] >= bytes)
            return call->inputs + map.input_offset[i];
    return NULL;
}

/* ---- boxes of nodes ---------------------------------------------------------------------------
 */

/* Follows a field of a reader into the stream that it points to. */
static const uint8_t *StreamAt(const TraceReader *trace, uint32_t id, uint32_t field,
                               uint64_t offset, uint32_t size) {
    const TraceRelocation *link = TraceReader_Relocation(trace, id, field);
    if (!link)
        return NULL;
    return BytesAt(TraceReader_Memory(trace, link->target), link->target_offset + offset, size);
}

/* Adds the box of a node of the model whose reader is at `at` of the memory `id`. */
static void AddBox(const TraceReader *trace, uint32_t id, uint32_t at, uint32_t local,
                   const float matrix[16], FollowedNode *node) {
    const uint8_t *stored =
        StreamAt(trace, id, at + READER_AT_nodes, (uint64_t)local * NODE_BYTES, NODE_BYTES);
    const uint32_t slot = stored ? Bytes_U16(stored + NODE_AT_slots) : 0xFFFF;
    const uint8_t *bounds = slot != 0xFFFF ? StreamAt(trace, id, at + READER_AT_slots,
                                                      (uint64_t)slot * SLOT_BYTES, SLOT_BYTES)
                                           : NULL;
    float low[3], high[3];
    if (!bounds)
        return;
    ReadFloats(bounds + SLOT_AT_low, low, 3);
    ReadFloats(bounds + SLOT_AT_high, high, 3);
    /* which axes have the maximum at each corner: none, x, xy, y, yz, z, xz, xyz */
    static const uint8_t greatest[CORNERS] = {0, 1, 3, 2, 6, 4, 5, 7};
    for (int i = 0; i < CORNERS; i++) {
        float corner[3];
        for (int k = 0; k < 3; k++)
            corner[k] = greatest[i] >> k & 1 ? high[k] : low[k];
        /* The matrix (row-major, for columns) puts the corner into its place. */
        for (int k = 0; k < 3; k++)
            node->corners[i][k] = matrix[4 * k] * corner[0] + matrix[4 * k + 1] * corner[1] +
                                  matrix[4 * k + 2] * corner[2] + matrix[4 * k + 3];
    }
    node->has_box = true;
}

/* ---- the model of a piece ---------------------------------------------------------------------
 */

/* Returns the size of the stream that a field of a reader points to. The pointer does not say where
 * the stream ends, and the game's code reads as far as an index leads, which is why the skeleton of
 * a piece goes to the end of the memory. In an NRes image a stream ends with its entry; elsewhere,
 * at the latest, where the reader's next stream begins. */
static uint32_t StreamBytes(const TraceReader *trace, const TraceRelocation *reader,
                            uint32_t field) {
    RpNRes archive;
    const TraceRelocation *link =
        TraceReader_Relocation(trace, reader->target, reader->target_offset + field);
    const TraceMemory *memory = link ? TraceReader_Memory(trace, link->target) : NULL;
    if (!memory || link->target_offset > memory->size)
        return 0;
    const uint32_t begin = link->target_offset;
    uint32_t end = memory->size;
    if (RpNRes_Open(memory->bytes, memory->size, RP_TOLERANT, &archive, NULL) == RP_OK)
        for (uint32_t i = 0; i < archive.count; i++) {
            const RpNResEntry entry = RpNRes_Entry(&archive, i);
            if (entry.data && begin >= entry.data_offset && begin - entry.data_offset < entry.size)
                return entry.size - (begin - entry.data_offset);
        }
    for (uint32_t at = 0; at < ABI_READER_SIZE; at += 4) {
        const TraceRelocation *other =
            TraceReader_Relocation(trace, reader->target, reader->target_offset + at);
        if (other && other->target == link->target && other->target_offset > begin &&
            other->target_offset < end)
            end = other->target_offset;
    }
    return end - begin;
}

static bool FollowPiece(Followed *followed, const TraceReader *trace, const TraceCall *call) {
    RpSkeleton skeleton;
    uint32_t node = 0;
    const uint8_t *reference = FindInput(call, "piece", 8);
    Native *native = reference ? Native_Create() : NULL;
    if (!native)
        return false;
    Native_SetMemory(native, trace);
    const TraceRelocation *reader = TraceReader_Relocation(
        trace, Bytes_U32(reference), Bytes_U32(reference + 4) + PIECE_AT_reader);
    const bool found = reader && Native_FindPiece(native, reference, &skeleton, &node);
    if (found) {
        const uint32_t whole = RpSkeleton_NodeCount(&skeleton);
        const uint32_t own = StreamBytes(trace, reader, READER_AT_nodes) / NODE_BYTES;
        followed->has_model = true;
        followed->node_count = own < whole ? own : whole;
        followed->kept =
            followed->node_count < FOLLOW_MOST_NODES ? followed->node_count : FOLLOW_MOST_NODES;
        followed->node = node < followed->kept ? (int32_t)node : -1;
        followed->frame_count = skeleton.frame_count;
        followed->key_count = StreamBytes(trace, reader, READER_AT_keys) / KEY_BYTES;

        /* The whole model is posed at the first time of the call that is not negative. */
        static const char *const names[] = {"t", "t_a", "t_b"};
        followed->time = 0;
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            float time;
            const uint8_t *at = FindInput(call, names[i], sizeof time);
            if (!at)
                continue;
            ReadFloats(at, &time, 1);
            if (time >= 0) {
                followed->time = time;
                break;
            }
        }

        float matrices[FOLLOW_MOST_NODES][16];
        for (uint32_t i = 0; i < followed->kept; i++) {
            FollowedNode *posed = &followed->nodes[i];
            float local[16];
            const int32_t parent = RpSkeleton_Parent(&skeleton, i);
            posed->parent = parent >= 0 && (uint32_t)parent < i ? parent : -1;
            RpPose_Blend(&skeleton, NULL, i, followed->time, -1, 0, local, NULL);
            if (posed->parent < 0)
                memcpy(matrices[i], local, sizeof local);
            else
                RpMatrix_PoseProduct(NULL, matrices[posed->parent], local, matrices[i]);
            for (int k = 0; k < 3; k++)
                posed->origin[k] = matrices[i][4 * k + 3];
            AddBox(trace, reader->target, reader->target_offset, i, matrices[i], posed);
        }
    }
    Native_Destroy(native);
    return found;
}

/* ---- the pieces of an object ----------------------------------------------------------------- */

static bool FollowObject(Followed *followed, const TraceReader *trace, const TraceCall *call,
                         const char *path) {
    SignatureMap map;
    const int param = Signature_StateParam(call->signature);
    if (param < 0 || call->outcome != TRACE_RETURNED ||
        !Signature_Map(call->signature, call->inputs, call->input_size, &map))
        return false;
    const SignatureState state = Signature_ReadState(call->inputs + map.input_offset[param]);
    const TraceMemory *memory = TraceReader_Memory(trace, state.memory);
    if (!memory || memory->size < SIGNATURE_STATE_PIECES ||
        map.output_offset[param] + map.output_bytes[param] > call->output_size)
        return false;

    /* The object as it is before the call, and then as side a has left it. */
    uint8_t *object = memory->size <= MOST_OBJECT_BYTES ? malloc(memory->size + 1) : NULL;
    if (!object)
        return false;
    memcpy(object, memory->bytes, memory->size);
    for (uint32_t i = 0; i < state.patch_count; i++) {
        const uint32_t offset = Bytes_U32(state.patches + 8 * i);
        if (memory->size >= 4 && offset <= memory->size - 4)
            memcpy(object + offset, state.patches + 8 * i + 4, 4);
    }
    const uint8_t *contents = call->outputs + map.output_offset[param];
    const uint32_t content_size = map.output_bytes[param];
    for (uint32_t i = 0, done = 0; i < state.range_count; i++) {
        const uint32_t offset = Bytes_U32(state.ranges + 8 * i);
        const uint32_t bytes = 4 * Bytes_U32(state.ranges + 8 * i + 4);
        if (offset <= memory->size && bytes <= memory->size - offset && done <= content_size &&
            bytes <= content_size - done)
            memcpy(object + offset, contents + done, bytes);
        done += bytes;
    }

    const uint32_t room = (memory->size - SIGNATURE_STATE_PIECES) / ABI_PIECE_SIZE;
    const uint32_t count = Bytes_U32(object + MESH_AT_piece_count);
    /* The piece is the one that "piece[3].world[2][1]" or the pointer into the object names. */
    const int32_t piece = strncmp(path, "piece[", 6) == 0 ? (int32_t)strtol(path + 6, NULL, 10)
                          : state.offset >= SIGNATURE_STATE_PIECES
                              ? (int32_t)((state.offset - SIGNATURE_STATE_PIECES) / ABI_PIECE_SIZE)
                              : -1;
    followed->has_model = followed->is_object = true;
    followed->node_count = count < room ? count : room;
    followed->kept =
        followed->node_count < FOLLOW_MOST_NODES ? followed->node_count : FOLLOW_MOST_NODES;
    followed->node = piece >= 0 && (uint32_t)piece < followed->kept ? piece : -1;
    for (uint32_t i = 0; i < followed->kept; i++) {
        FollowedNode *node = &followed->nodes[i];
        const uint32_t at = SIGNATURE_STATE_PIECES + i * ABI_PIECE_SIZE;
        const TraceRelocation *reader =
            TraceReader_Relocation(trace, memory->id, at + PIECE_AT_reader);
        float world[16];
        const int32_t parent = (int32_t)Bytes_U32(object + at + PIECE_AT_parent);
        ReadFloats(object + at + PIECE_AT_world, world, 16);
        node->parent = parent >= 0 && (uint32_t)parent < followed->kept ? parent : -1;
        for (int k = 0; k < 3; k++)
            node->origin[k] = world[4 * k + 3];
        if (reader)
            AddBox(trace, reader->target, reader->target_offset,
                   Bytes_U32(object + at + PIECE_AT_node), world, node);
    }
    free(object);
    return followed->kept > 0;
}

/* ---- a polygon --------------------------------------------------------------------------------
 */

static bool FollowPolygon(Followed *followed, const TraceReader *trace, const TraceCall *call) {
    const uint8_t *count = FindInput(call, "count", 4), *point = FindInput(call, "point", 12);
    const uint32_t vertices = count ? Bytes_U32(count) : 0;
    const uint8_t *references = vertices > 0 && vertices <= SIGNATURE_MAX_COUNT
                                    ? FindInput(call, "vertices", 8 * vertices)
                                    : NULL;
    if (!references || !point)
        return false;
    for (uint32_t i = 0; i < vertices && i < FOLLOW_MOST_VERTICES; i++) {
        const uint8_t *vertex = BytesAt(TraceReader_Memory(trace, Bytes_U32(references + 8 * i)),
                                        Bytes_U32(references + 8 * i + 4), 12);
        if (!vertex)
            return false;
        ReadFloats(vertex, followed->vertices[i], 3);
    }
    ReadFloats(point, followed->point, 3);
    followed->vertex_count = vertices;
    return true;
}

Followed *Follow_Call(const TraceReader *reader, const TraceCall *a, const char *path) {
    Followed *followed = calloc(1, sizeof *followed);
    if (!followed)
        return NULL;
    followed->node = -1;
    if (FollowPiece(followed, reader, a) || FollowObject(followed, reader, a, path) ||
        FollowPolygon(followed, reader, a))
        return followed;
    free(followed);
    return NULL;
}
