/* Samples one node at one time, as AniMesh 0x10012880 does (seed 000 section 3, facts/animesh.md
 * E.4), in the order of operations of docs/reference/arithmetic.md. */
#include "animesh/sample.h"

#include "animesh/column.h"
#include "animesh/float_bits.h"
#include "animesh/lerp.h"
#include "animesh/streams.h"
#include "core/bytes.h"
#include "ngi32/arc_readings.h"
#include "ngi32/exact/force.h"
#include "ngi32/exact/keys.h"
#include "ngi32/processor/scope.h"
#include "ngi32/reading.h"

#include <string.h>

/* ---- streams --------------------------------------------------------------------------------- */

typedef struct Track {
    uint16_t map_start;
    uint16_t fallback;
} Track;

/* A key is read as a whole, so its members have to lie as in the file. */
#define CHECK_KEY(offset, type, count, name)                                                       \
    _Static_assert(offsetof(PoseKey, name) == (offset) &&                                          \
                       sizeof((PoseKey *)0)->name == STORED_BYTES_##type * (count),                \
                   "a key of Res8");
STORED_KEY(CHECK_KEY)
_Static_assert(sizeof(PoseKey) == KEY_BYTES, "a key of Res8");

static inline bool Inside(const PoseContext *context, uint64_t offset, uint32_t size,
                          uint32_t available) {
    if (!context->bounded || (offset <= available && size <= available - offset))
        return true;
    if (context->counters)
        context->counters->out_of_bounds++;
    return false;
}

static inline bool ReadTrack(const PoseContext *context, uint32_t node, Track *track) {
    const RpSkeleton *skeleton = context->skeleton;
    uint64_t offset = (uint64_t)node * NODE_BYTES;
    if (!Inside(context, offset, NODE_AT_slots, skeleton->node_bytes))
        return false;
    const uint8_t *record = skeleton->nodes + (size_t)offset;
    track->map_start = Bytes_U16(record + NODE_AT_map_start);
    track->fallback = Bytes_U16(record + NODE_AT_fallback);
    return true;
}

/* The position wraps in 32 bits, as the original's does when a frame lies far beyond any real frame
 * map. */
static inline bool ReadMap(const PoseContext *context, uint32_t index, uint16_t *word) {
    const RpSkeleton *skeleton = context->skeleton;
    uint32_t offset = index * MAP_WORD_BYTES;
    if (!Inside(context, offset, MAP_WORD_BYTES, skeleton->frame_map_bytes))
        return false;
    *word = Bytes_U16(skeleton->frame_map + offset);
    return true;
}

/* Returns the key's bytes, or null. */
static inline const uint8_t *KeyBytes(const PoseContext *context, uint32_t index) {
    const RpSkeleton *skeleton = context->skeleton;
    uint64_t offset = (uint64_t)index * KEY_BYTES;
    if (!Inside(context, offset, KEY_BYTES, skeleton->key_bytes))
        return NULL;
    return skeleton->keys + (size_t)offset;
}

static PoseKey ReadKey(const void *bytes) {
    PoseKey key;
    memcpy(&key, bytes, sizeof key);
    return key;
}

static uint32_t TimeBitsOf(const void *key) {
    return Float_BitsOf((const float *)((const char *)key + offsetof(PoseKey, time)));
}

/* ---- keys ------------------------------------------------------------------------------------ */

uint32_t Pose_FrameAt(float t) {
    static const float half = 0.5f;
    return (uint32_t)X87_StoreI64(X87_Sub(X87_Load(&t), X87_Load(&half)));
}

/* Returns whether the exact core may take the steps between keys. */
static bool StepsExactly(const RpArithmetic *arithmetic) {
    return Reading_IsServed(arithmetic, OF_KEYS) && Exact_IsInForce(arithmetic);
}

static bool DecodesExactly(const RpArithmetic *arithmetic) {
    return Reading_IsServed(arithmetic, OF_KEY_WORDS);
}

bool Pose_IsExact(const RpArithmetic *arithmetic) {
    return DecodesExactly(arithmetic) && StepsExactly(arithmetic);
}

/* What the exact core may do for a sample. This is found out once. */
typedef struct Exact {
    bool keys; /* the steps between keys */
    bool arcs; /* the rotations, too, with dot products in this order */
    ExactSum order;
} Exact;

static inline Exact ExactOf(const PoseContext *context) {
    const RpArithmetic *arithmetic = context->arithmetic;
    Exact exact = {.keys = StepsExactly(arithmetic)};
    exact.arcs = exact.keys && context->math->is_librarys && DecodesExactly(arithmetic) &&
                 Arc_IsExact(arithmetic);
    exact.order = Arc_Order(arithmetic);
    return exact;
}

bool Pose_IsByCore(const PoseContext *context, ExactSum *order) {
    const Exact exact = ExactOf(context);
    *order = exact.order;
    return exact.arcs;
}

static uint32_t FrameAt(Exact exact, float t) {
    uint32_t frame;
    return exact.keys && Exact_FrameAt(&t, &frame) ? frame : Pose_FrameAt(t);
}

/* Returns the first key of the segment around `frame`, or the fallback key. */
static inline uint32_t KeyAt(const PoseContext *context, Track track, uint32_t frame) {
    uint16_t key;
    if (frame >= context->skeleton->frame_count || track.map_start == NO_INDEX ||
        !ReadMap(context, track.map_start + frame, &key) || key >= track.fallback)
        return track.fallback;
    return key;
}

/* Compares through the x87 unit, because an SSE comparison would obey the denormals-are-zero bit of
 * MXCSR. The thread's control word might let a NaN or a denormal cause a fault. Such times are
 * rare, so this is not inlined, which would only cost registers. */
static __attribute__((noinline)) bool SameOddTime(const RpArithmetic *arithmetic, const float *t,
                                                  const float *key_time) {
    const ArithmeticScope scope = Arithmetic_Enter(arithmetic);
    const X87 a = X87_Load(t), b = X87_Load(key_time);
    bool same;
    if (X87_LessOrEqual(a, b))
        same = X87_LessOrEqual(b, a);
    else /* the time is greater, or one of them is a NaN */
        same = !X87_Less(b, a) && Reading_IsAlternative(arithmetic, READING_NAN_EQUAL);
    Arithmetic_Leave(scope);
    return same;
}

/* For normal numbers the bits alone decide. */
static inline bool SameTime(const PoseContext *context, float t, const void *key) {
    const uint32_t a = Float_BitsOf(&t), b = TimeBitsOf(key);
    if (Bits_AreNormal(a) && Bits_AreNormal(b))
        return a == b;
    float key_time;
    memcpy(&key_time, &b, sizeof key_time);
    return SameOddTime(context->arithmetic, &t, &key_time);
}

/* The keys around a time. `second` is null if the first one's pose holds. */
typedef struct Keys {
    const uint8_t *first, *second;
} Keys;

/* Returns false when a key or a word would have to be read outside of its stream. */
static inline bool FindKeys(const PoseContext *context, uint32_t node, float t, uint32_t frame,
                            Keys *keys) {
    Track track;
    if (!ReadTrack(context, node, &track))
        return false;
    const uint32_t index = KeyAt(context, track, frame);
    keys->first = KeyBytes(context, index);
    keys->second = NULL;
    /* A missing key cannot be replaced here: it is the fallback key itself or lies before it. */
    if (!keys->first || index == track.fallback || SameTime(context, t, keys->first))
        return keys->first != NULL;
    const uint8_t *second = KeyBytes(context, index + 1);
    if (second && SameTime(context, t, second))
        keys->first = second;
    else
        keys->second = second;
    return second != NULL;
}

static float DecodeComponent(const PoseContext *context, int16_t component) {
    static const uint32_t inverse_bits = 0x38000100; /* 1/32767 in binary32 */
    static const uint64_t inverse_bits64 = 0x3F00002000400080;
    static const float limit = 32767.0f;
    X87 value = X87_LoadI16(&component);
    float inverse;
    double inverse64;
    float result;
    switch (Reading_Choice(context->arithmetic, READING_KEY_SCALE)) {
    case 0: /* multiply by the reciprocal in binary32 */
        memcpy(&inverse, &inverse_bits, sizeof inverse);
        value = X87_Mul(value, X87_Load(&inverse));
        break;
    case 1: /* multiply by the reciprocal in binary64 */
        memcpy(&inverse64, &inverse_bits64, sizeof inverse64);
        value = X87_Mul(value, X87_LoadF64(&inverse64));
        break;
    default: /* divide by 32767 */
        value = X87_Div(value, X87_Load(&limit));
    }
    X87_Store(value, &result);
    return result;
}

/* The result is in the order w, x, y, z, whatever the order in the file is. */
static void DecodeRotation(const PoseContext *context, Exact exact, const PoseKey *key,
                           float quaternion[4]) {
    if (exact.keys && DecodesExactly(context->arithmetic)) {
        Exact_DecodeRotation(key->rotation, quaternion);
        return;
    }
    static const uint8_t orders[2][4] = {{3, 0, 1, 2}, {0, 1, 2, 3}}; /* xyzw, wxyz */
    const uint8_t *order = orders[Reading_IsAlternative(context->arithmetic, READING_KEY_ORDER)];
    for (int i = 0; i < 4; i++)
        quaternion[i] = DecodeComponent(context, key->rotation[order[i]]);
}

static void DecodeKey(const PoseContext *context, Exact exact, const void *bytes,
                      float quaternion[4], float position[3]) {
    const PoseKey key = ReadKey(bytes);
    memcpy(position, key.position, sizeof key.position);
    DecodeRotation(context, exact, &key, quaternion);
}

/* ---- between keys ---------------------------------------------------------------------------- */

/* Returns (t - from) / (to - from) without rounding it to memory. */
static X87 FractionBetween(const PoseContext *context, float t, float from, float to) {
    static const float one = 1.0f;
    X87 start = X87_Load(&from);
    X87 past = X87_Sub(X87_Load(&t), start), whole = X87_Sub(X87_Load(&to), start);
    /* This choice multiplies by the reciprocal. */
    if (Reading_IsAlternative(context->arithmetic, READING_KEY_ALPHA))
        return X87_Mul(past, X87_Div(X87_Load(&one), whole));
    return X87_Div(past, whole);
}

/* Computes position and fraction by the steps of the x87. */
static void StepBetween(const PoseContext *context, bool weights, const PoseKey *k0,
                        const PoseKey *k1, float t, float *alpha, float position[3]) {
    const RpArithmetic *arithmetic = context->arithmetic;
    X87 fraction = FractionBetween(context, t, k0->time, k1->time), weight = fraction;
    X87_Store(fraction, alpha);
    /* The default rounds the fraction to memory first. */
    if (!Reading_IsAlternative(arithmetic, READING_KEY_ALPHA_BITS))
        weight = X87_Load(alpha);
    for (int i = 0; i < 3; i++)
        (weights ? Lerp_ByWeights : Lerp_ByDelta)(&k0->position[i], &k1->position[i], weight,
                                                  &position[i]);
}

static bool ByWeights(const PoseContext *context) {
    return Reading_IsAlternative(context->arithmetic, READING_KEY_LERP);
}

/* Returns false when the core refuses. Nothing has then been written or counted. */
static bool TryKeys(const PoseContext *context, Exact exact, const void *first, const void *second,
                    float t, float quaternion[4], float position[3]) {
    if (!exact.arcs ||
        !Exact_SampleKeys(exact.order, first, second, &t, ByWeights(context), quaternion, position))
        return false;
    if (context->counters)
        context->counters->by_core++;
    return true;
}

static void InterpolateKeys(const PoseContext *context, Exact exact, const void *first,
                            const void *second, float t, float quaternion[4], float position[3]) {
    if (TryKeys(context, exact, first, second, t, quaternion, position))
        return;
    const bool weights = ByWeights(context);
    const PoseKey k0 = ReadKey(first), k1 = ReadKey(second);
    float alpha, q0[4], q1[4];
    if (!exact.keys || !Exact_BetweenKeys(&k0, &k1, &t, weights, &alpha, position))
        StepBetween(context, weights, &k0, &k1, t, &alpha, position);
    DecodeRotation(context, exact, &k0, q0);
    DecodeRotation(context, exact, &k1, q1);
    context->math->interpolate(context, q0, q1, alpha, quaternion);
}

static void SetIdentityPose(float quaternion[4], float position[3]) {
    for (int i = 0; i < 4; i++)
        quaternion[i] = i == 0 ? 1.0f : 0.0f;
    for (int i = 0; i < 3; i++)
        position[i] = 0.0f;
}

/* Returns false when a part of the sample is left to the x87. Nothing has then been written or
 * counted. What is done here depends neither on the thread's control word nor on its modes for
 * denormals, so it needs no scope. */
static bool SampleByCore(const PoseContext *context, uint32_t node, float t, float quaternion[4],
                         float position[3]) {
    const Exact exact = ExactOf(context);
    uint32_t frame;
    Keys keys;
    if (!exact.arcs || !Exact_FrameAt(&t, &frame))
        return false;
    if (!FindKeys(context, node, t, frame, &keys))
        SetIdentityPose(quaternion, position);
    else if (!keys.second)
        DecodeKey(context, exact, keys.first, quaternion, position);
    else
        return TryKeys(context, exact, keys.first, keys.second, t, quaternion, position);
    return true;
}

static void SampleInSteps(const PoseContext *context, uint32_t node, float t, float quaternion[4],
                          float position[3]) {
    const Exact exact = ExactOf(context);
    Keys keys;
    if (!FindKeys(context, node, t, FrameAt(exact, t), &keys))
        SetIdentityPose(quaternion, position);
    else if (!keys.second)
        DecodeKey(context, exact, keys.first, quaternion, position);
    else
        InterpolateKeys(context, exact, keys.first, keys.second, t, quaternion, position);
}

void Pose_Sample(const PoseContext *context, uint32_t node, float t, float quaternion[4],
                 float position[3]) {
    if (SampleByCore(context, node, t, quaternion, position))
        return;
    const ArithmeticScope scope = Arithmetic_Enter(context->arithmetic);
    SampleInSteps(context, node, t, quaternion, position);
    Arithmetic_Leave(scope);
}

void Pose_SampleKeys(const PoseContext *context, const PoseKey *first, const PoseKey *second,
                     float t, float quaternion[4], float position[3]) {
    const Exact exact = ExactOf(context);
    if (!second || SameTime(context, t, first))
        DecodeKey(context, exact, first, quaternion, position);
    else if (SameTime(context, t, second))
        DecodeKey(context, exact, second, quaternion, position);
    else
        InterpolateKeys(context, exact, first, second, t, quaternion, position);
}
