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

PoseMany PoseMany_Begin(const PoseContext *context, const ExactWidth *width) {
    PoseMany many = {.context = context};
    if (width && PoseMany_IsExact(context->arithmetic)) {
        many.width = width;
        many.order = Arc_Order(context->arithmetic);
    }
    return many;
}

/* ---- times ----------------------------------------------------------------------------------- */

/* Returns whether a number is 0 or normal. Comparisons of others may depend on MXCSR's modes. */
static bool IsOrdinary(float number) {
    const uint32_t bits = Float_BitsOf(&number);
    return bits << 1 == 0 || Bits_AreNormal(bits);
}

/* Gives the frame of a side; one whose time the core cannot take is not served. */
static bool HasFrame(bool counts, float t, uint32_t *frame) {
    return !counts || Exact_FrameAt(&t, frame);
}

PoseTimes PoseTimes_Of(float t_a, float t_b, float weight) {
    PoseTimes times = {.a = t_a, .b = t_b, .weight = weight};
    if (!IsOrdinary(t_a) || !IsOrdinary(t_b) || !IsOrdinary(weight))
        return times;
    const bool has_a = weight < 1 && t_a >= 0, has_b = weight > 0 && t_b >= 0;
    if (HasFrame(has_a, t_a, &times.frame_a) && HasFrame(has_b, t_b, &times.frame_b)) {
        times.has_a = has_a;
        times.has_b = has_b;
    }
    return times;
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

static inline void SetSegment(ExactSegments *segments, int i, const uint8_t *first,
                              const uint8_t *second, float t) {
    segments->first[i] = first;
    segments->second[i] = second;
    segments->held[i] = first == second ? -1 : 0;
    segments->time[i] = t;
}

/* Finds the keys of each node. Returns the nodes for which a read would leave a stream. The
 * skeleton is a copy: for all the compiler knows, what is written to `segments` might change
 * another. */
static uint64_t FindSegments(const RpSkeleton skeleton, uint32_t first, int count, uint32_t frame,
                             float t, ExactSegments *segments, int to) {
    uint64_t odd = 0;
    const uint32_t keys = skeleton.key_bytes / KEY_BYTES;
    const uint8_t *node = skeleton.nodes + (size_t)first * NODE_BYTES;
    for (int i = to; i < to + count; i++, node += NODE_BYTES) {
        uint32_t index, fallback;
        const bool found = FindKey(&skeleton, node, frame, &index, &fallback);
        const bool held = index == fallback;
        if (!found || index + (held ? 0 : 1) >= keys) {
            odd |= UINT64_C(1) << i;
            SetSegment(segments, i, no_key, no_key, 0);
            continue;
        }
        const uint8_t *key = skeleton.keys + (size_t)index * KEY_BYTES;
        SetSegment(segments, i, key, key + (held ? 0 : KEY_BYTES), t);
    }
    return odd;
}

/* ---- runs ------------------------------------------------------------------------------------ */

static uint64_t BitsFrom(int first, int count) {
    return (count < 64 ? (UINT64_C(1) << count) - 1 : UINT64_MAX) << first;
}

void PoseRun_Begin(PoseRun *run) {
    run->count = 0;
    run->refused = run->two_sided = 0;
}

static bool HasNodes(const RpSkeleton *skeleton, uint32_t first, int count) {
    return ((uint64_t)first + (uint32_t)count) * NODE_BYTES <= skeleton->node_bytes;
}

void PoseRun_Add(PoseRun *run, const RpSkeleton *skeleton, const PoseTimes *times, uint32_t first,
                 int count) {
    const int to = run->count;
    run->count += count;
    if (!skeleton || !HasNodes(skeleton, first, count) || !(times->has_a || times->has_b)) {
        run->refused |= BitsFrom(to, count);
        for (int i = to; i < run->count; i++)
            SetSegment(&run->side, i, no_key, no_key, 0);
        return;
    }
    run->refused |=
        times->has_a
            ? FindSegments(*skeleton, first, count, times->frame_a, times->a, &run->side, to)
            : FindSegments(*skeleton, first, count, times->frame_b, times->b, &run->side, to);
    if (!times->has_a || !times->has_b)
        return;
    run->two_sided |= BitsFrom(to, count);
    run->refused |=
        FindSegments(*skeleton, first, count, times->frame_b, times->b, &run->other, to);
    for (int i = to; i < run->count; i++)
        run->weight[i] = times->weight;
}

/* ---- poses ----------------------------------------------------------------------------------- */

/* Gives nodes of one side the same pose for the other, so that blending sets no flag. */
static void FillOther(PoseRun *run) {
    for (int i = 0; i < run->count; i++)
        if (!(run->two_sided >> i & 1)) {
            SetSegment(&run->other, i, run->side.first[i], run->side.second[i], run->side.time[i]);
            run->weight[i] = 1;
        }
    Exact_Pad(&run->other, run->count);
    for (int i = run->count; i % EXACT_MOST_LANES != 0; i++)
        run->weight[i] = 1;
}

static void TakeOneSided(const PoseRun *run, const ExactPoses *from, ExactPoses *to) {
    for (int i = 0; i < run->count; i++)
        if (!(run->two_sided >> i & 1)) {
            for (int k = 0; k < 4; k++)
                to->rotations.number[k][i] = from->rotations.number[k][i];
            for (int k = 0; k < 3; k++)
                to->position[k][i] = from->position[k][i];
        }
}

/* Blends what has two sides. Returns the nodes of these that are refused. */
static uint64_t BlendOthers(const PoseMany *many, PoseRun *run, const ExactPoses *side,
                            ExactPoses *poses) {
    FillOther(run);
    uint64_t refused = many->width->sample(&run->other, run->count, many->order, poses);
    refused |= many->width->blend(side, poses, run->count, run->weight, many->order, poses);
    TakeOneSided(run, side, poses);
    return refused & run->two_sided;
}

/* A node that is sampled at both times is interpolated three times. Those that were refused are
 * counted when they are posed one by one. */
static void CountServed(const PoseMany *many, const PoseRun *run) {
    const uint64_t served = BitsFrom(0, run->count) & ~run->refused;
    const int interpolations =
        __builtin_popcountll(served) + 2 * __builtin_popcountll(served & run->two_sided);
    if (many->context->counters)
        many->context->counters->by_core += (uint64_t)interpolations;
}

uint64_t PoseMany_Locals(const PoseMany *many, PoseRun *run, float (*local)[16]) {
    const uint32_t before = Exact_Enter();
    ExactPoses side, blended;
    Exact_Pad(&run->side, run->count);
    run->refused |= many->width->sample(&run->side, run->count, many->order, &side);
    if (run->two_sided)
        run->refused |= BlendOthers(many, run, &side, &blended);
    many->width->to_matrices(run->two_sided ? &blended : &side, run->count, local);
    if (!Exact_LeaveGuarded(before))
        run->refused = BitsFrom(0, run->count);
    CountServed(many, run);
    return run->refused;
}

/* ---- models ---------------------------------------------------------------------------------- */

bool PoseMany_Multiplies(const PoseMany *many) {
    const RpArithmetic *arithmetic = many->context->arithmetic;
    const bool by_sse = Reading_BuildOfSlot(arithmetic) == RP_BUILD_SSE;
    return !Reading_Choice(arithmetic, by_sse ? READING_MATRIX_SUM_SSE : READING_MATRIX_SUM);
}

bool PoseMany_Models(const PoseMany *many, uint32_t first, int count, const int32_t *parents,
                     const float (*local)[16], float (*model)[16]) {
    if (!PoseMany_Multiplies(many))
        return false;
    const uint32_t before = Exact_Enter();
    const bool finite = many->width->products(local, parents, count, model, first);
    return Exact_LeaveGuarded(before) && finite;
}
