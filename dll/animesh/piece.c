/* The functions that work on a piece, the 0x130-byte record of a loaded node, and on the columns of
 * its matrices (facts/animesh.md E.2 to E.5). */
#include "animesh/column.h"
#include "animesh/layout.h"
#include "animesh/sample.h"
#include "animesh/streams.h"
#include "core/bytes.h"
#include "dll/animesh/diagnose.h"
#include "dll/animesh/fastproc_math.h"
#include "dll/animesh/internals.h"
#include "dll/animesh/sizes.h"

RpArithmetic animesh_arithmetic = {.control_word = RP_THREADS_CONTROL_WORD};

/* ---- slots and strings ----------------------------------------------------------------------- */

static bool Inside(bool bounded, uint64_t offset, uint64_t size, uint64_t available) {
    return !bounded || (offset <= available && size <= available - offset);
}

ABI_PROTO_animesh_FindSlot(AniMesh_FindSlot) {
    const Piece *from = piece;
    const Reader *reader = (const void *)from->reader;
    if (!reader)
        return NULL;
    if (variant == -1)
        variant = from->variant;
    /* The offset is computed in 32 bits, as in the original. */
    uint32_t word = (uint32_t)variant * NODE_LEVELS + (uint32_t)level;
    uint32_t offset = from->node * NODE_BYTES + NODE_AT_slots + word * 2;
    PoseSizes sizes;
    bool bounded = PoseSizes_Find(reader, &sizes);
    if (!Inside(bounded, offset, 2, sizes.nodes)) {
        Diagnose_OutOfBounds("FindSlot", from, 1);
        return NULL;
    }
    uint16_t slot = Bytes_U16(reader->nodes + offset);
    return slot == NO_INDEX ? NULL : reader->slots + (uint32_t)slot * SLOT_BYTES;
}

/* Returns the size of one record of Res10: a length and, if that is not 0, the text with its
 * terminator. */
static uint64_t StringRecordBytes(uint32_t length) {
    return 4 + (length ? (uint64_t)length + 1 : 0);
}

ABI_PROTO_animesh_NodeString(AniMesh_NodeString) {
    const Piece *from = piece;
    const Reader *reader = (const void *)from->reader;
    PoseSizes sizes;
    bool bounded = PoseSizes_Find(reader, &sizes);
    uint64_t offset = 0;
    for (uint32_t node = 0;; node++) {
        uint32_t length = 0;
        bool inside = Inside(bounded, offset, 4, sizes.strings);
        if (inside) {
            length = Bytes_U32(reader->strings + (size_t)offset);
            inside = Inside(bounded, offset, StringRecordBytes(length), sizes.strings);
        }
        if (!inside) {
            Diagnose_OutOfBounds("NodeString", from, 1);
            return NULL;
        }
        if (node == from->node)
            return length ? reader->strings + (size_t)offset + 4 : NULL;
        offset += StringRecordBytes(length);
    }
}

/* ---- poses ----------------------------------------------------------------------------------- */

/* The streams that a piece's reader points to, and their sizes if LoadReader has recorded them. */
typedef struct PieceStreams {
    RpSkeleton skeleton;
    bool bounded;
} PieceStreams;

static PieceStreams StreamsOf(const Piece *piece) {
    const Reader *reader = (const void *)piece->reader;
    PoseSizes sizes;
    bool bounded = PoseSizes_Find(reader, &sizes);
    return (PieceStreams){.skeleton = {.nodes = reader->nodes,
                                       .node_bytes = sizes.nodes,
                                       .keys = reader->keys,
                                       .key_bytes = sizes.keys,
                                       .frame_map = reader->frame_map,
                                       .frame_map_bytes = sizes.frame_map,
                                       .frame_count = reader->frame_count},
                          .bounded = bounded};
}

static PoseContext ContextOf(const PieceStreams *streams, RpPoseCounters *counters) {
    return (PoseContext){.skeleton = &streams->skeleton,
                         .bounded = streams->bounded,
                         .arithmetic = &animesh_arithmetic,
                         .math = FastProc_PoseMath(),
                         .counters = counters};
}

static void Report(const char *function, const Piece *piece, const RpPoseCounters *counters) {
    if (counters->out_of_bounds)
        Diagnose_OutOfBounds(function, piece, (uint32_t)counters->out_of_bounds);
    if (counters->undefined)
        Diagnose_UndefinedBlend(piece);
}

ABI_PROTO_animesh_SampleNode(AniMesh_SampleNode) {
    const Piece *from = piece;
    PieceStreams streams = StreamsOf(from);
    RpPoseCounters counters = {0};
    PoseContext context = ContextOf(&streams, &counters);
    Pose_Sample(&context, from->node, t, quaternion, position);
    Report("SampleNode", from, &counters);
}

ABI_PROTO_animesh_BlendPoses(AniMesh_BlendPoses) {
    const Piece *from = piece;
    PieceStreams streams = StreamsOf(from);
    RpPoseCounters counters = {0};
    PoseContext context = ContextOf(&streams, &counters);
    Pose_Blend(&context, from->node, t_a, t_b, weight, matrix);
    Report("BlendPoses", from, &counters);
}

/* ---- columns --------------------------------------------------------------------------------- */

ABI_PROTO_animesh_SetColumn(AniMesh_SetColumn) {
    Matrix_SetColumn(matrix, column, vector);
}

ABI_PROTO_animesh_GetColumn(AniMesh_GetColumn) {
    Matrix_GetColumn(matrix, column, vector);
}
