#include "animesh/pose_many.h"

#include "animesh/float_bits.h"
#include "animesh/streams.h"
#include "core/bytes.h"
#include "ngi32/arc_readings.h"
#include "ngi32/exact/force.h"
#include "ngi32/exact/keys.h"
#include "ngi32/reading.h"

#include <stddef.h>
#include <string.h>

/* ---- when the core serves -------------------------------------------------------------------- */

/* Under the control word that the core asks for, the fraction between two keys has 24 bits whether
 * it is stored or not, and no number of 24 bits lies between the two limits of slerp-limit. What
 * NaNs compare as does not matter, because nodes with one are posed one by one. So neither
 * key-alpha-bits nor slerp-limit nor nan-equal is among these. */
static bool AreServed(const RpArithmetic *arithmetic) {
    static const int defaults[] = {
        READING_KEY_ORDER,  READING_KEY_SCALE, READING_KEY_LERP,      READING_KEY_ALPHA,
        READING_BLEND_LERP, READING_FLIP_SUM,  READING_QUAT_DIAGONAL, READING_QUAT_DIAGONAL_SSE};
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++)
        if (Reading_Choice(arithmetic, defaults[i]))
            return false;
    return true;
}

bool PoseMany_IsExact(const RpArithmetic *arithmetic) {
    return Exact_IsInForce(arithmetic) && AreServed(arithmetic) && Arc_IsExact(arithmetic);
}

/* Returns whether a number is 0 or normal. Comparisons of others may depend on MXCSR's modes. */
static bool IsOrdinary(float number) {
    const uint32_t bits = Float_BitsOf(&number);
    return bits << 1 == 0 || Bits_AreNormal(bits);
}

/* Gives the frame of a side; one whose time the core cannot take is not served. */
static bool HasFrame(bool counts, float t, uint32_t *frame) {
    return !counts || Exact_FrameAt(&t, frame);
}

PoseMany PoseMany_Begin(const PoseContext *context, const ExactWidth *width, float t_a, float t_b,
                        float weight) {
    PoseMany many = {.context = context, .t_a = t_a, .t_b = t_b, .weight = weight, .finite = true};
    if (!width || !context->bounded || !IsOrdinary(t_a) || !IsOrdinary(t_b) ||
        !IsOrdinary(weight) || !PoseMany_IsExact(context->arithmetic))
        return many;
    many.has_a = weight < 1 && t_a >= 0;
    many.has_b = weight > 0 && t_b >= 0;
    many.order = Arc_Order(context->arithmetic);
    if ((many.has_a || many.has_b) && HasFrame(many.has_a, t_a, &many.frame_a) &&
        HasFrame(many.has_b, t_b, &many.frame_b))
        many.width = width;
    return many;
}

/* The kernel's layout of a key is that of the table. */
_Static_assert((int)EXACT_KEY_BYTES == KEY_BYTES && (int)EXACT_KEY_AT_ROTATION == KEY_AT_rotation &&
                   offsetof(PoseKey, position) == 0 && offsetof(PoseKey, time) == 12,
               "a key of Res8");

/* ---- keys ------------------------------------------------------------------------------------ */

/* Returns the key for a frame, or the fallback key; false where a read would leave a stream. */
static bool FindKey(const RpSkeleton *skeleton, const uint8_t *node, uint32_t frame,
                    uint32_t *index, uint32_t *fallback) {
    const uint32_t start = Bytes_U16(node + NODE_AT_map_start);
    *index = *fallback = Bytes_U16(node + NODE_AT_fallback);
    if (frame >= skeleton->frame_count || start == NO_INDEX)
        return true;
    const uint64_t offset = ((uint64_t)start + frame) * MAP_WORD_BYTES;
    if (offset + MAP_WORD_BYTES > skeleton->frame_map_bytes)
        return false;
    const uint32_t key = Bytes_U16(skeleton->frame_map + offset);
    if (key < *fallback)
        *index = key;
    return true;
}

/* A segment for nodes that the kernel is not to pose: two keys that are always there. */
static const uint8_t no_key[EXACT_KEY_BYTES];

/* Finds the keys of each node. Returns the nodes for which a read would leave a stream. The
 * skeleton is a copy: for all the compiler knows, what is written to `segments` might change
 * another. */
static uint64_t FindSegments(const RpSkeleton skeleton, uint32_t first, int count, uint32_t frame,
                             ExactSegments *segments) {
    uint64_t odd = 0;
    const uint32_t keys = skeleton.key_bytes / KEY_BYTES;
    const uint8_t *node = skeleton.nodes + (size_t)first * NODE_BYTES;
    for (int i = 0; i < count; i++, node += NODE_BYTES) {
        uint32_t index, fallback;
        const bool found = FindKey(&skeleton, node, frame, &index, &fallback);
        const bool held = index == fallback;
        if (!found || index + (held ? 0 : 1) >= keys) {
            odd |= UINT64_C(1) << i;
            segments->first[i] = segments->second[i] = no_key;
            segments->held[i] = -1;
            continue;
        }
        segments->first[i] = skeleton.keys + (size_t)index * KEY_BYTES;
        segments->second[i] = segments->first[i] + (held ? 0 : KEY_BYTES);
        segments->held[i] = held ? -1 : 0;
    }
    Exact_Pad(segments, count);
    return odd;
}

/* ---- poses ----------------------------------------------------------------------------------- */

static uint64_t Sample(const PoseMany *many, uint32_t first, int count, uint32_t frame, float t,
                       ExactPoses *poses) {
    ExactSegments segments;
    const uint64_t odd = FindSegments(*many->context->skeleton, first, count, frame, &segments);
    return odd | many->width->sample(&segments, count, t, many->order, poses);
}

/* Returns the nodes whose matrices are not valid. */
static uint64_t TryLocals(const PoseMany *many, uint32_t first, int count, float (*local)[16]) {
    const uint32_t before = Exact_Enter();
    ExactPoses poses, other;
    uint64_t refused = 0;
    if (many->has_a)
        refused |= Sample(many, first, count, many->frame_a, many->t_a, &poses);
    if (many->has_b)
        refused |=
            Sample(many, first, count, many->frame_b, many->t_b, many->has_a ? &other : &poses);
    if (many->has_a && many->has_b)
        refused |= many->width->blend(&poses, &other, count, many->weight, many->order, &poses);
    many->width->to_matrices(&poses, count, local);
    return Exact_LeaveGuarded(before) ? refused : UINT64_MAX;
}

static bool AreFinite(const float matrix[16]) {
    bool all = true;
    for (int i = 0; i < 16; i++)
        all = all && Bits_AreFinite(Float_BitsOf(&matrix[i]));
    return all;
}

/* A node that is sampled at both times is interpolated three times. Those that were refused are
 * counted when they are posed one by one. */
static void CountServed(const PoseMany *many, uint64_t refused, int count) {
    const uint64_t nodes = count < 64 ? (UINT64_C(1) << count) - 1 : UINT64_MAX;
    const int served = __builtin_popcountll(~refused & nodes);
    if (many->context->counters)
        many->context->counters->by_core +=
            (uint64_t)(served * (many->has_a && many->has_b ? 3 : 1));
}

void PoseMany_Locals(PoseMany *many, uint32_t first, int count, float (*local)[16]) {
    const uint64_t refused = many->width ? TryLocals(many, first, count, local) : UINT64_MAX;
    CountServed(many, refused, count);
    for (int i = 0; refused && i < count; i++)
        if (refused >> i & 1) {
            Pose_Blend(many->context, first + (uint32_t)i, many->t_a, many->t_b, many->weight,
                       local[i]);
            many->finite = many->finite && AreFinite(local[i]);
        }
}

/* ---- models ---------------------------------------------------------------------------------- */

/* Returns false where the products have to be computed one by one. */
static bool TryModels(const PoseMany *many, uint32_t first, int count, const int32_t *parents,
                      const float (*local)[16], float (*model)[16]) {
    const PoseContext *context = many->context;
    const bool by_sse = Reading_BuildOfSlot(context->arithmetic) == RP_BUILD_SSE;
    if (!many->width || !many->finite ||
        Reading_Choice(context->arithmetic, by_sse ? READING_MATRIX_SUM_SSE : READING_MATRIX_SUM))
        return false;
    const uint32_t before = Exact_Enter();
    many->width->products(local, parents, count, model, first);
    return Exact_LeaveGuarded(before);
}

void PoseMany_Models(PoseMany *many, uint32_t first, int count, const int32_t *parents,
                     const float (*local)[16], float (*model)[16]) {
    const PoseContext *context = many->context;
    if (TryModels(many, first, count, parents, local, model))
        return;
    many->finite = false; /* or nobody knows */
    for (int i = 0; i < count; i++) {
        float *product = model[first + (uint32_t)i];
        if (parents[i] < 0)
            memcpy(product, local[i], sizeof *model);
        else
            RpMatrix_PoseProduct(context->arithmetic, model[parents[i]], local[i], product);
    }
}
