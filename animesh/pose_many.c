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

bool PoseMany_IsExact(const RpArithmetic *arithmetic) {
    return Exact_IsInForce(arithmetic) && Reading_IsServed(arithmetic, OF_SKELETON) &&
           Arc_IsExact(arithmetic);
}

PoseMany PoseMany_Begin(const PoseContext *context, const ExactWidth *width) {
    PoseMany many = {.context = context};
    if (width && PoseMany_IsExact(context->arithmetic)) {
        many.width = width;
        many.order = Arc_Order(context->arithmetic);
        if (context->clip && context->clip->is_sound && context->clip->order == many.order)
            many.clip = context->clip;
    }
    return many;
}

/* ---- times ----------------------------------------------------------------------------------- */

/* Returns whether a number is 0 or normal. For others, comparisons may depend on MXCSR's modes. */
static bool IsOrdinary(float number) {
    const uint32_t bits = Float_BitsOf(&number);
    return bits << 1 == 0 || Bits_AreNormal(bits);
}

/* Gives the frame of a side. Returns false if the side counts and the core cannot take its time. */
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

/* The kernel's layout of a key must be that of the table. */
_Static_assert((int)EXACT_KEY_BYTES == KEY_BYTES && (int)EXACT_KEY_AT_ROTATION == KEY_AT_rotation &&
                   offsetof(PoseKey, position) == 0 && offsetof(PoseKey, time) == 12,
               "a key of Res8");

/* ---- keys ------------------------------------------------------------------------------------ */

/* Two keys that can always be read. They are used for nodes that the kernel is not to pose. */
static const uint8_t no_key[EXACT_KEY_BYTES];

/* `moves` is 1 if t lies between two keys, and 0 if the first key's pose holds. */
static inline void SetSegment(ExactSegments *segments, int i, const uint8_t *first, uint32_t moves,
                              float t) {
    segments->first[i] = first;
    segments->second[i] = first + (size_t)moves * EXACT_KEY_BYTES;
    segments->held[i] = (int32_t)moves - 1;
    segments->time[i] = t;
}

/* The words of a frame map that hold a frame's keys. */
typedef struct FrameWords {
    const uint8_t *at; /* the words for a map start of 0 */
    uint32_t count;    /* map starts below this have a word; NO_INDEX is not below it */
    uint32_t unmapped; /* NO_INDEX if the frame has no words, else 0 */
} FrameWords;

static FrameWords WordsOf(const RpSkeleton *skeleton, uint32_t frame) {
    const uint32_t words = skeleton->frame_map_bytes / MAP_WORD_BYTES;
    if (frame >= skeleton->frame_count)
        return (FrameWords){.unmapped = NO_INDEX};
    if (frame >= words)
        return (FrameWords){.count = 0};
    return (FrameWords){.at = skeleton->frame_map + (size_t)frame * MAP_WORD_BYTES,
                        .count = words - frame < NO_INDEX ? words - frame : NO_INDEX};
}

/* Finds the keys of each node: the one for the frame, or the fallback key. Returns the nodes for
 * which a read would leave a stream. The skeleton is passed as a copy, because otherwise the
 * compiler would have to assume that writing to `segments` changes it. */
static uint64_t FindSegments(const RpSkeleton skeleton, uint32_t first, int count, uint32_t frame,
                             float t, ExactSegments *segments, int to) {
    uint64_t odd = 0;
    const uint32_t keys = skeleton.key_bytes / KEY_BYTES;
    const FrameWords words = WordsOf(&skeleton, frame);
    const uint8_t *node = skeleton.nodes + (size_t)first * NODE_BYTES;
    for (int i = to; i < to + count; i++, node += NODE_BYTES) {
        const uint32_t start = Bytes_U16(node + NODE_AT_map_start);
        const uint32_t fallback = Bytes_U16(node + NODE_AT_fallback);
        uint32_t key = start | words.unmapped;
        if (start < words.count)
            key = Bytes_U16(words.at + (size_t)start * MAP_WORD_BYTES);
        const uint32_t moves = key < fallback, index = moves ? key : fallback;
        if ((start >= words.count && (start | words.unmapped) != NO_INDEX) ||
            index + moves >= keys) {
            odd |= UINT64_C(1) << i;
            SetSegment(segments, i, no_key, 0, 0);
            continue;
        }
        SetSegment(segments, i, skeleton.keys + (size_t)index * KEY_BYTES, moves, t);
    }
    return odd;
}

/* ---- tracks of one skeleton ------------------------------------------------------------------ */

/* Stands for a key that does not exist. */
enum { MISSING_KEY = INT32_MAX };

static void FindTracks(const RpSkeleton skeleton, uint32_t first, int count, uint32_t frame,
                       float t, ExactTracks *tracks, int to) {
    const FrameWords words = WordsOf(&skeleton, frame);
    const uint8_t *node = skeleton.nodes + (size_t)first * NODE_BYTES;
    for (int i = to; i < to + count; i++, node += NODE_BYTES) {
        const uint32_t start = Bytes_U16(node + NODE_AT_map_start) | words.unmapped;
        int32_t key = NO_INDEX, fallback = Bytes_U16(node + NODE_AT_fallback);
        if (start != NO_INDEX) {
            if (start < words.count)
                key = Bytes_U16(words.at + (size_t)start * MAP_WORD_BYTES);
            else
                key = fallback = MISSING_KEY;
        }
        tracks->key[i] = key;
        tracks->fallback[i] = fallback;
        tracks->time[i] = t;
    }
}

/* Does the same for a clip whose frame map is known never to be read outside of its stream. */
static void FindPrepared(const RpClip clip, uint32_t first, int count, uint32_t frame, float t,
                         ExactTracks *tracks, int to) {
    const FrameWords words = WordsOf(&clip.skeleton, frame);
    const ClipJoint *joint = clip.joints + first;
    for (int i = to; i < to + count; i++, joint++) {
        const uint32_t start = joint->map_start | words.unmapped;
        tracks->key[i] =
            start == NO_INDEX ? NO_INDEX : Bytes_U16(words.at + (size_t)start * MAP_WORD_BYTES);
        tracks->fallback[i] = joint->fallback;
        tracks->time[i] = t;
    }
}

/* ---- runs ------------------------------------------------------------------------------------ */

static uint64_t BitsFrom(int first, int count) {
    return (count < 64 ? (UINT64_C(1) << count) - 1 : UINT64_MAX) << first;
}

void PoseRun_Begin(PoseRun *run) {
    run->count = 0;
    run->refused = run->two_sided = 0;
    run->skeleton = NULL;
    run->clip = NULL;
}

static void BeginTracks(const PoseRun *run, ExactTracks *tracks) {
    const uint32_t keys = run->skeleton->key_bytes / KEY_BYTES;
    tracks->keys = keys ? run->skeleton->keys : no_key;
    tracks->key_count = (int32_t)keys;
    tracks->pairs = run->clip ? run->clip->pairs : NULL;
}

void PoseRun_BeginOne(PoseRun *run, const RpSkeleton *skeleton, const RpClip *clip) {
    PoseRun_Begin(run);
    run->skeleton = skeleton;
    run->clip = clip;
    BeginTracks(run, &run->side.tracks);
    BeginTracks(run, &run->other.tracks);
}

void PoseRun_Add(PoseRun *run, const RpSkeleton *skeleton, const PoseTimes *times, uint32_t first,
                 int count) {
    const int to = run->count;
    run->count += count;
    const uint64_t end = (uint64_t)first + (uint32_t)count;
    if (!skeleton || end * NODE_BYTES > skeleton->node_bytes || !(times->has_a || times->has_b)) {
        run->refused |= BitsFrom(to, count);
        for (int i = to; i < run->count; i++)
            SetSegment(&run->side.segments, i, no_key, 0, 0);
        return;
    }
    run->refused |= times->has_a ? FindSegments(*skeleton, first, count, times->frame_a, times->a,
                                                &run->side.segments, to)
                                 : FindSegments(*skeleton, first, count, times->frame_b, times->b,
                                                &run->side.segments, to);
    if (!times->has_a || !times->has_b)
        return;
    run->two_sided |= BitsFrom(to, count);
    run->refused |=
        FindSegments(*skeleton, first, count, times->frame_b, times->b, &run->other.segments, to);
    for (int i = to; i < run->count; i++)
        run->weight[i] = times->weight;
}

static void FindNodes(const PoseRun *run, uint32_t first, int count, uint32_t frame, float t,
                      ExactTracks *tracks) {
    if (run->clip)
        FindPrepared(*run->clip, first, count, frame, t, tracks, run->count);
    else
        FindTracks(*run->skeleton, first, count, frame, t, tracks, run->count);
}

void PoseRun_AddNodes(PoseRun *run, const PoseTimes *times, uint32_t first, int count) {
    ExactTracks *side = &run->side.tracks;
    if (times->has_a)
        FindNodes(run, first, count, times->frame_a, times->a, side);
    else if (times->has_b)
        FindNodes(run, first, count, times->frame_b, times->b, side);
    for (int i = run->count; !times->has_a && !times->has_b && i < run->count + count; i++) {
        side->key[i] = side->fallback[i] = MISSING_KEY;
        side->time[i] = 0;
    }
    if (times->has_a && times->has_b) {
        FindNodes(run, first, count, times->frame_b, times->b, &run->other.tracks);
        run->two_sided |= BitsFrom(run->count, count);
        for (int i = run->count; i < run->count + count; i++)
            run->weight[i] = times->weight;
    }
    run->count += count;
}

/* ---- poses ----------------------------------------------------------------------------------- */

/* Samples all nodes on one side. */
static uint64_t Sample(const PoseMany *many, const PoseRun *run, PoseKeys *keys,
                       ExactPoses *poses) {
    if (!run->skeleton) {
        Exact_Pad(&keys->segments, run->count);
        return many->width->sample(&keys->segments, run->count, many->order, poses);
    }
    Exact_PadTracks(&keys->tracks, run->count);
    if (run->clip)
        return many->width->sample_prepared(&keys->tracks, run->count, poses);
    return many->width->sample_tracks(&keys->tracks, run->count, many->order, poses);
}

/* Returns the poses of the run, which are in one of the two `rooms`. */
static const ExactPoses *PoseNodes(const PoseMany *many, PoseRun *run, ExactPoses rooms[2]) {
    run->refused |= Sample(many, run, &run->side, &rooms[0]);
    if (!run->two_sided)
        return &rooms[0];

    /* If only one side of a node counts, the other side gets its pose, too, so that blending the
     * two sets no flag. */
    for (int i = 0; i < run->count; i++)
        if (!(run->two_sided >> i & 1)) {
            const ExactTracks *track = &run->side.tracks;
            const ExactSegments *segment = &run->side.segments;
            if (run->skeleton) {
                run->other.tracks.key[i] = track->key[i];
                run->other.tracks.fallback[i] = track->fallback[i];
                run->other.tracks.time[i] = track->time[i];
            } else {
                run->other.segments.first[i] = segment->first[i];
                run->other.segments.second[i] = segment->second[i];
                run->other.segments.held[i] = segment->held[i];
                run->other.segments.time[i] = segment->time[i];
            }
            run->weight[i] = 1;
        }
    for (int i = run->count; i % EXACT_MOST_LANES != 0; i++)
        run->weight[i] = 1;

    /* The nodes of which both sides count are blended. The others keep their pose. */
    const ExactPoses *side = &rooms[0];
    ExactPoses *poses = &rooms[1];
    uint64_t refused = Sample(many, run, &run->other, poses);
    refused |= many->width->blend(side, poses, run->count, run->weight, many->order, poses);
    for (int i = 0; i < run->count; i++)
        if (!(run->two_sided >> i & 1)) {
            for (int k = 0; k < 4; k++)
                poses->rotations.number[k][i] = side->rotations.number[k][i];
            for (int k = 0; k < 3; k++)
                poses->position[k][i] = side->position[k][i];
        }
    run->refused |= refused & run->two_sided;
    return poses;
}

static uint64_t EndRun(const PoseMany *many, PoseRun *run, uint32_t before) {
    if (!Exact_LeaveGuarded(before))
        run->refused = BitsFrom(0, run->count);

    /* A node that is sampled at both times is interpolated three times. Nodes that were refused are
     * counted later, when they are posed one by one. */
    const uint64_t served = BitsFrom(0, run->count) & ~run->refused;
    const int interpolations =
        __builtin_popcountll(served) + 2 * __builtin_popcountll(served & run->two_sided);
    if (many->context->counters)
        many->context->counters->by_core += (uint64_t)interpolations;

    return run->refused;
}

uint64_t PoseMany_Locals(const PoseMany *many, PoseRun *run, float (*local)[16]) {
    const uint32_t before = Exact_Enter();
    ExactPoses rooms[2];
    many->width->to_matrices(PoseNodes(many, run, rooms), run->count, local);
    return EndRun(many, run, before);
}

uint64_t PoseMany_LocalsOfPieces(const PoseMany *many, PoseRun *run,
                                 ExactPiece *pieces[EXACT_MANY]) {
    const uint32_t before = Exact_Enter();
    ExactPoses rooms[2];
    ExactPiece none;
    for (int i = run->count; i % EXACT_MOST_LANES != 0; i++)
        pieces[i] = &none;
    many->width->to_pieces(PoseNodes(many, run, rooms), run->count, pieces);
    return EndRun(many, run, before);
}

/* ---- models ---------------------------------------------------------------------------------- */

bool PoseMany_Multiplies(const PoseMany *many) {
    const RpArithmetic *arithmetic = many->context->arithmetic;
    const bool by_sse = Reading_BuildOfSlot(arithmetic) == RP_BUILD_SSE;
    return by_sse ? Reading_IsServed(arithmetic, OF_PRODUCTS_SSE)
                  : Reading_IsServed(arithmetic, OF_PRODUCTS);
}

bool PoseMany_Models(const PoseMany *many, uint32_t first, int count, const int32_t *parents,
                     const float (*local)[16], float (*model)[16]) {
    if (!PoseMany_Multiplies(many))
        return false;
    const uint32_t before = Exact_Enter();
    const bool finite = many->width->products(local, parents, count, model, first);
    return Exact_LeaveGuarded(before) && finite;
}
