/* The functions of many.h for one width of vectors. A file of a width includes the header of its
 * lanes, and then this file. Everything is written once, with operators of vectors. The lanes of
 * one vector need two vectors in binary64.
 *
 * Each function takes its nodes through one short step after the other, and keeps the intermediate
 * results in memory. The processor can then work on several nodes at a time. In one long chain of
 * operations, it would wait for each of them to end. */
#include "ngi32/exact/arc.h"
#include "ngi32/exact/entry.h"
#include "ngi32/exact/exact_range.h"
#include "ngi32/exact/many.h"
#include "ngi32/exact/unrolled.h"

/* ---- lanes ----------------------------------------------------------------------------------- */

#define STEP static inline __attribute__((always_inline))

STEP Floats All(float number) {
    return (Floats){0} + number;
}

/* Infinity minus infinity is an invalid operation, which sets a flag. */
STEP Words IsFinite(Floats numbers) {
    return numbers - numbers == 0;
}

/* Returns the lanes with a fraction that slerp.h takes, from 2^-40 to 1. Negative numbers and NaNs
 * are not in that range. */
STEP Words IsFraction(Floats numbers) {
    const Words bits = (Words)numbers;
    return (bits > (int32_t)EXACT_BITS_2_M40 - 1) & (bits < (int32_t)EXACT_BITS_ONE + 1);
}

/* These do something only on machines without flags. There they find the lanes of numbers with
 * which a step might leave the range of binary32. The first range is that of Exact_AreModerate.
 * With numbers of the second one, products are normal, and a sum of products that is not normal is
 * exact. */
#if MACHINE_HAS_FLAGS
STEP Words MayLeaveRange(Floats numbers) {
    (void)numbers;
    return (Words){0};
}

STEP void GuardProducts(Floats numbers) {
    (void)numbers;
}
#else
STEP Words IsOutside(Floats numbers, int32_t least, int32_t most) {
    const Words sizes = (Words)numbers & INT32_MAX;
    return ~(((sizes > least - 1) & (sizes < most + 1)) | (sizes == 0));
}

STEP Words MayLeaveRange(Floats numbers) {
    return IsOutside(numbers, (int32_t)EXACT_BITS_2_M40, (int32_t)EXACT_BITS_2_40);
}

STEP void GuardProducts(Floats numbers) {
    const int32_t least = 0x20000000, most = 0x5E800000; /* 2^-63, 2^62 */
    if (Words_Signs(IsOutside(numbers, least, most)) != 0)
        exact_left_range = true;
}
#endif

/* The lanes behind the last node repeat it, so only their own bits are wrong, and OfCount removes
 * these. */
STEP uint64_t BitsOf(Words mask, int first) {
    return (uint64_t)Words_Signs(mask) << first;
}

STEP uint64_t OfCount(uint64_t bits, int count) {
    return count < 64 ? bits & ((UINT64_C(1) << count) - 1) : bits;
}

/* ---- the weights of arcs, as in slerp.c and arc.h -------------------------------------------- */

STEP Doubles ArcTangent(Doubles x) {
    const double *k = exact_arc_tangent;
    const Doubles y = x * x, y2 = y * y, y4 = y2 * y2, y8 = y4 * y4;
    const Doubles low = (k[0] + k[1] * y) + (k[2] + k[3] * y) * y2;
    const Doubles middle = (k[4] + k[5] * y) + (k[6] + k[7] * y) * y2;
    const Doubles high = (k[8] + k[9] * y) + (k[10] + k[11] * y) * y2;
    const Doubles p = (low + middle * y4) + (high + k[12] * y4) * y8;
    return x + x * (y * p);
}

/* Returns the polynomial of eight coefficients whose constant term is 1, minus 1, over y. */
STEP Doubles Polynomial(const double k[8], Doubles y, Doubles y2, Doubles y4) {
    return ((k[0] + k[1] * y) + (k[2] + k[3] * y) * y2) +
           ((k[4] + k[5] * y) + (k[6] + k[7] * y) * y2) * y4;
}

typedef struct Slope {
    /* `tangent` is that of theta, of half of it, or of pi/2 less theta. */
    Doubles tangent, reciprocal_sine;
} Slope;

#define BITS_OF_LESS_ONE     ((int64_t)0xBFF0000000000000)
#define FROM_LESS_ONE_TO_TWO ((int64_t)0xBFF0000000000000 ^ (int64_t)0x4000000000000000)

STEP Slope SlopeOf(Doubles c, Doubles r) {
    const Doubles e = r * r - (1 - c) * (1 + c);
    const Doubles excess = e * 0.5 - e * e * 0.125;
    const Doubles over_r = 1 / r;
    const Doubles leg = ChooseDoubles(c >= 0.5, (1 - c) + excess, c);
    return (Slope){.tangent = leg * over_r, .reciprocal_sine = over_r + over_r * excess};
}

STEP Doubles AngleOf(Doubles c, Doubles tangent) {
    const Longs is_half = c >= 0.5;
    const Doubles start = (Doubles)(~is_half & (Longs)((Doubles){0} + 0x1.921fb54442d18p0));
    const Doubles factor = (Doubles)((is_half & FROM_LESS_ONE_TO_TWO) ^ BITS_OF_LESS_ONE);
    return start + factor * ArcTangent(tangent);
}

/* Rounds to 24 bits. Sets the lanes whose rounding cannot be decided in *undecided. */
STEP Floats Round(Doubles low, Doubles high, Words *undecided) {
    const int32_t middle = 1 << (EXACT_REST_BITS - 1);
    const Words rest = Doubles_LowWords(low, high) & ((1 << EXACT_REST_BITS) - 1);
    *undecided |= (rest > middle - EXACT_WINDOW - 1) & (rest < middle + EXACT_WINDOW + 1);
    return Floats_Round(low, high);
}

STEP Floats RoundAbsolutely(Doubles low, Doubles high, Words *undecided) {
    const double error = EXACT_COSINE_ERROR;
    const Floats least = Floats_Round(low - error, high - error);
    *undecided |= least != Floats_Round(low + error, high + error);
    return least;
}

/* What the steps of an interpolation pass on to each other. */
typedef struct Arcs {
    EXACT_LANES float
        c[EXACT_MANY]; /* the cosine of the angle; in lanes that have no arc, any valid cosine */
    float t[EXACT_MANY];
    int32_t linear[EXACT_MANY]; /* -1: no arc; the weights are 1 - t and t */
    int32_t sign[EXACT_MANY];   /* the sign of w1: 0 or the sign bit */
    int32_t refused[EXACT_MANY];
    float phi[EXACT_MANY], reciprocal[EXACT_MANY];
    double tangent[EXACT_MANY];
} Arcs;

STEP void Doubles_Store(Doubles low, Doubles high, double *to) {
    memcpy(to, &low, sizeof low);
    memcpy(to + LANES / 2, &high, sizeof high);
}

STEP void Doubles_Load(const double *from, Doubles *low, Doubles *high) {
    memcpy(low, from, sizeof *low);
    memcpy(high, from + LANES / 2, sizeof *high);
}

STEP void Words_Store(Words words, int32_t *to) {
    Floats_Store((Floats)words, (float *)(void *)to);
}

/* Lanes whose rotation is that of one end, unchanged: the first where t is 0, the second where t is
 * 1. The weights 1 and 0 give exactly that, because a number of a decoded rotation is never -0. */
typedef struct Ends {
    Words first, second;
} Ends;

/* Finds out by its dot product which kind of interpolation each lane needs. */
STEP void BeginArcs(Arcs *arcs, int i, Floats dot, Floats t, Ends ends, Words refused) {
    const Words sign = (dot < 0) & INT32_MIN;
    const Floats c = (Floats)((Words)dot ^ sign);
    const Words linear = (1 - c <= All(Exact_Limit())) | ends.first | ends.second;
    /* The errors are not known for other cosines (arc_errors.h), among them -0. */
    refused |= ~linear & ~(((Words)c > (int32_t)EXACT_BITS_2_M103 - 1) | ((Words)c == 0));
    Floats_Store(Choose(linear | refused, All(0.5f), c), arcs->c + i);
    Floats_Store(t, arcs->t + i);
    Words_Store(linear, arcs->linear + i);
    Words_Store(sign & ~ends.second, arcs->sign + i);
    Words_Store(refused, arcs->refused + i);
}

STEP void FindSlopes(Arcs *arcs, int i) {
    const Floats c = Floats_Load(arcs->c + i);
    const Floats r = Floats_SquareRoot((1 + c) * (1 - c));
    const Slope low = SlopeOf(Floats_Low(c), Floats_Low(r));
    const Slope high = SlopeOf(Floats_High(c), Floats_High(r));
    Words undecided = {0};
    Doubles_Store(low.tangent, high.tangent, arcs->tangent + i);
    Floats_Store(Round(low.reciprocal_sine, high.reciprocal_sine, &undecided),
                 arcs->reciprocal + i);
    undecided &= ~Words_Load(arcs->linear + i);
    Words_Store(Words_Load(arcs->refused + i) | undecided, arcs->refused + i);
}

STEP void FindAngles(Arcs *arcs, int i) {
    const Floats c = Floats_Load(arcs->c + i), t = Floats_Load(arcs->t + i);
    Words undecided = {0};
    Doubles low, high;
    Doubles_Load(arcs->tangent + i, &low, &high);
    low = AngleOf(Floats_Low(c), low) * Floats_Low(t);
    high = AngleOf(Floats_High(c), high) * Floats_High(t);
    Floats_Store(Round(low, high, &undecided), arcs->phi + i);
    undecided &= ~Words_Load(arcs->linear + i);
    Words_Store(Words_Load(arcs->refused + i) | undecided, arcs->refused + i);
}

STEP Doubles Sine(Doubles x, Doubles y, Doubles y2, Doubles y4) {
    return x + (x * y) * Polynomial(exact_sine, y, y2, y4);
}

STEP Doubles Cosine(Doubles y, Doubles y2, Doubles y4) {
    return 1 + y * Polynomial(exact_cosine, y, y2, y4);
}

/* Returns the lanes that are refused. */
STEP Words FindWeights(const Arcs *arcs, int i, Floats *weight0, Floats *weight1) {
    const Floats phi = Floats_Load(arcs->phi + i), reciprocal = Floats_Load(arcs->reciprocal + i);
    const Floats c = Floats_Load(arcs->c + i), t = Floats_Load(arcs->t + i);
    const Words is_near = Words_Load(arcs->linear + i);
    const Doubles low = Floats_Low(phi), high = Floats_High(phi);
    const Doubles ly = low * low, ly2 = ly * ly, ly4 = ly2 * ly2;
    const Doubles hy = high * high, hy2 = hy * hy, hy4 = hy2 * hy2;
    Words undecided = {0};
    const Floats w1 = Round(Sine(low, ly, ly2, ly4) * Floats_Low(reciprocal),
                            Sine(high, hy, hy2, hy4) * Floats_High(reciprocal), &undecided);
    const Floats rest = w1 * c;
    const Floats w0 = RoundAbsolutely(Cosine(ly, ly2, ly4) - Floats_Low(rest),
                                      Cosine(hy, hy2, hy4) - Floats_High(rest), &undecided);
    *weight0 = Choose(is_near, 1 - t, w0);
    *weight1 = (Floats)((Words)Choose(is_near, t, w1) ^ Words_Load(arcs->sign + i));
    return Words_Load(arcs->refused + i) | (undecided & ~is_near);
}

/* Call it with a constant order; otherwise the order is tested again and again. */
STEP Floats Dot(ExactSum order, const Floats p[4]) {
    switch (order) {
    case EXACT_PAIRS:
        return (p[0] + p[1]) + (p[2] + p[3]);
    case EXACT_REVERSE:
        return ((p[3] + p[2]) + p[1]) + p[0];
    case EXACT_W_LAST:
        return ((p[1] + p[2]) + p[3]) + p[0];
    case EXACT_HALVES:
        return (p[0] + p[2]) + (p[1] + p[3]);
    default:
        return ((p[0] + p[1]) + p[2]) + p[3];
    }
}

/* ---- interpolating --------------------------------------------------------------------------- */

STEP void LoadRotation(const ExactRotations *rotations, int i, Floats rotation[4]) {
    UNROLLED
    for (int k = 0; k < 4; k++)
        rotation[k] = Floats_Load(rotations->number[k] + i);
}

STEP void FindAllAngles(Arcs *arcs, int count) {
    for (int i = 0; i < count; i += LANES)
        FindSlopes(arcs, i);
    for (int i = 0; i < count; i += LANES)
        FindAngles(arcs, i);
}

/* Adds up the weighted rotations a and b. Returns the nodes that are refused. */
STEP uint64_t Weigh(const Arcs *arcs, const ExactRotations *a, const ExactRotations *b, int count,
                    ExactRotations *result) {
    uint64_t refused = 0;
    for (int i = 0; i < count; i += LANES) {
        Floats w0, w1, qa[4], qb[4];
        refused |= BitsOf(FindWeights(arcs, i, &w0, &w1), i);
        LoadRotation(a, i, qa);
        LoadRotation(b, i, qb);
        UNROLLED
        for (int k = 0; k < 4; k++)
            Floats_Store(w0 * qa[k] + w1 * qb[k], result->number[k] + i);
    }
    return OfCount(refused, count);
}

STEP void BeginInterpolation(ExactSum order, const ExactRotations *q0, const ExactRotations *q1,
                             const float *t, int count, Arcs *arcs) {
    for (int i = 0; i < count; i += LANES) {
        const Floats fraction = Floats_Load(t + i);
        Floats a[4], b[4], product[4];
        LoadRotation(q0, i, a);
        LoadRotation(q1, i, b);
        Words refused = ~IsFraction(fraction);
        UNROLLED
        for (int k = 0; k < 4; k++) {
            product[k] = a[k] * b[k];
            refused |= MayLeaveRange(a[k]) | MayLeaveRange(b[k]);
        }
        BeginArcs(arcs, i, Dot(order, product), fraction, (Ends){0}, refused);
    }
}

/* Calls a step with its order as a constant. */
#define IN_ORDER(order, Step, ...)                                                                 \
    do {                                                                                           \
        switch (order) {                                                                           \
        case EXACT_PAIRS:                                                                          \
            Step(EXACT_PAIRS, __VA_ARGS__);                                                        \
            break;                                                                                 \
        case EXACT_REVERSE:                                                                        \
            Step(EXACT_REVERSE, __VA_ARGS__);                                                      \
            break;                                                                                 \
        case EXACT_W_LAST:                                                                         \
            Step(EXACT_W_LAST, __VA_ARGS__);                                                       \
            break;                                                                                 \
        case EXACT_HALVES:                                                                         \
            Step(EXACT_HALVES, __VA_ARGS__);                                                       \
            break;                                                                                 \
        default:                                                                                   \
            Step(EXACT_SEQUENTIAL, __VA_ARGS__);                                                   \
        }                                                                                          \
    } while (0)

ENTRY static uint64_t Interpolate(const ExactRotations *q0, const ExactRotations *q1,
                                  const float *t, int count, ExactSum order,
                                  ExactRotations *result) {
    Arcs arcs;
    IN_ORDER(order, BeginInterpolation, q0, q1, t, count, &arcs);
    FindAllAngles(&arcs, count);
    const uint64_t refused = Weigh(&arcs, q0, q1, count, result);
    Lanes_Leave();
    return refused;
}

/* ---- sampling -------------------------------------------------------------------------------- */

STEP Floats Decode(Floats component) {
    return component * 0x1.0002p-15f; /* 1/32767 in binary32, 0x38000100 */
}

/* Interpolates positions. At an end, -0 is added to the first position, which leaves every number
 * as it is, even -0. */
STEP Words StepPositions(Floats from[4], const Floats to[4], Floats alpha, Ends ends, int i,
                         ExactPoses *poses) {
    const Words minus = (ends.first | ends.second) & INT32_MIN;
    Words spoiled = {0};
    if (Words_Signs(ends.second) != 0) {
        UNROLLED
        for (int k = 0; k < 3; k++)
            from[k] = Choose(ends.second, to[k], from[k]);
    }
    UNROLLED
    for (int k = 0; k < 3; k++) {
        const Floats way = (to[k] - from[k]) * alpha;
        const Floats position = from[k] + (Floats)((Words)way | minus);
        /* Infinity minus infinity is an invalid operation, which sets a flag. */
        spoiled |= (Words)(position - position);
        Floats_Store(position, poses->position[k] + i);
    }
    return spoiled != 0;
}

/* The keys around the time of each lane. */
typedef struct Segment {
    const uint8_t *const *first, *const *second;
    Words held;
    Floats t;
    Words refused;
} Segment;

/* What the steps after reading the keys still need of a sample. */
typedef struct Moment {
    Floats alpha;
    Ends ends;
    Words refused;
} Moment;

/* Reads the keys, decodes the rotations and interpolates the positions. */
STEP Moment BetweenKeys(Segment segment, int i, Floats q0[4], Floats q1[4],
                        ExactRotations rotations[2], ExactPoses *poses) {
    const Floats t = segment.t;
    Floats from[4], to[4], stored0[4], stored1[4];
    Keys_Read(segment.first, from, stored0);
    Keys_Read(segment.second, to, stored1);
    UNROLLED
    for (int k = 0; k < 4; k++) {
        /* The rotation of a key is x, y, z, w. */
        q0[(k + 1) % 4] = Decode(stored0[k]);
        q1[(k + 1) % 4] = Decode(stored1[k]);
        Floats_Store(q0[(k + 1) % 4], rotations[0].number[(k + 1) % 4] + i);
        Floats_Store(q1[(k + 1) % 4], rotations[1].number[(k + 1) % 4] + i);
    }
    const Words first = segment.held | (from[3] == t);
    const Ends ends = {first, ~first & (to[3] == t)};
    const Words at_end = ends.first | ends.second;
    const Floats fraction = (t - from[3]) / Choose(at_end, All(1), to[3] - from[3]);
    const Words is_between = IsFraction(fraction) & ~at_end;
    const Floats alpha =
        (Floats)(((Words)fraction & is_between) | (ends.second & (int32_t)EXACT_BITS_ONE));
    Words refused = segment.refused | ~(is_between | at_end) | (MayLeaveRange(t) & ~at_end);
    UNROLLED
    for (int k = 0; k < 4; k++)
        refused |= (MayLeaveRange(from[k]) | MayLeaveRange(to[k])) & ~at_end;
    refused |= StepPositions(from, to, alpha, ends, i, poses);
    return (Moment){alpha, ends, refused};
}

STEP void BeginSample(ExactSum order, Segment segment, int i, ExactRotations rotations[2],
                      Arcs *arcs, ExactPoses *poses) {
    Floats q0[4], q1[4], product[4];
    const Moment moment = BetweenKeys(segment, i, q0, q1, rotations, poses);
    UNROLLED
    for (int k = 0; k < 4; k++)
        product[k] = q0[k] * q1[k];
    BeginArcs(arcs, i, Dot(order, product), moment.alpha, moment.ends, moment.refused);
}

STEP void BeginSamples(ExactSum order, const ExactSegments *segments, int count,
                       ExactRotations rotations[2], Arcs *arcs, ExactPoses *poses) {
    for (int i = 0; i < count; i += LANES) {
        const Segment segment = {segments->first + i,
                                 segments->second + i,
                                 Words_Load(segments->held + i),
                                 Floats_Load(segments->time + i),
                                 {0}};
        BeginSample(order, segment, i, rotations, arcs, poses);
    }
}

ENTRY static uint64_t Sample(const ExactSegments *segments, int count, ExactSum order,
                             ExactPoses *poses) {
    ExactRotations rotations[2];
    Arcs arcs;
    IN_ORDER(order, BeginSamples, segments, count, rotations, &arcs, poses);
    FindAllAngles(&arcs, count);
    const uint64_t refused = Weigh(&arcs, &rotations[0], &rotations[1], count, &poses->rotations);
    Lanes_Leave();
    return refused;
}

/* ---- sampling the tracks of one skeleton ----------------------------------------------------- */

/* The indices of the two keys of each node. */
typedef struct Places {
    EXACT_LANES int32_t first[EXACT_MANY];
    int32_t second[EXACT_MANY];
    int32_t held[EXACT_MANY], missing[EXACT_MANY];
} Places;

STEP void FindKeys(const ExactTracks *tracks, int count, Places *places) {
    for (int i = 0; i < count; i += LANES) {
        const Words key = Words_Load(tracks->key + i), fallback = Words_Load(tracks->fallback + i);
        const Words moves = key < fallback;
        const Words first = (key & moves) | (fallback & ~moves), second = first - moves;
        const Words missing = second > tracks->key_count - 1;
        Words_Store(first & ~missing, places->first + i);
        Words_Store(second & ~missing, places->second + i);
        Words_Store(~moves | missing, places->held + i);
        Words_Store(missing, places->missing + i);
    }
}

/* Addresses of the keys of the lanes. */
typedef struct Addresses {
    const uint8_t *first[LANES], *second[LANES];
} Addresses;

STEP Segment SegmentAt(const ExactTracks *tracks, const Places *places, int i,
                       Addresses *addresses) {
    ALL_UNROLLED
    for (int k = 0; k < LANES; k++) {
        const size_t first = (uint32_t)places->first[i + k],
                     second = (uint32_t)places->second[i + k];
        addresses->first[k] = tracks->keys + first * EXACT_KEY_BYTES;
        addresses->second[k] = tracks->keys + second * EXACT_KEY_BYTES;
    }
    return (Segment){addresses->first, addresses->second, Words_Load(places->held + i),
                     Floats_Load(tracks->time + i), Words_Load(places->missing + i)};
}

STEP void BeginTracks(ExactSum order, const ExactTracks *tracks, const Places *places, int count,
                      ExactRotations rotations[2], Arcs *arcs, ExactPoses *poses) {
    for (int i = 0; i < count; i += LANES) {
        Addresses addresses;
        const Segment segment = SegmentAt(tracks, places, i, &addresses);
        BeginSample(order, segment, i, rotations, arcs, poses);
    }
}

ENTRY static uint64_t SampleTracks(const ExactTracks *tracks, int count, ExactSum order,
                                   ExactPoses *poses) {
    ExactRotations rotations[2];
    Arcs arcs;
    Places places;
    FindKeys(tracks, count, &places);
    IN_ORDER(order, BeginTracks, tracks, &places, count, rotations, &arcs, poses);
    FindAllAngles(&arcs, count);
    const uint64_t refused = Weigh(&arcs, &rotations[0], &rotations[1], count, &poses->rotations);
    Lanes_Leave();
    return refused;
}

/* Does what BeginArcs and FindAngles do, with prepared pairs. */
STEP void BeginPreparedArcs(Arcs *arcs, int i, const ExactPair *const *pairs, Moment moment) {
    Doubles theta[2];
    Floats dot, reciprocal;
    Pairs_Read(pairs, theta, &dot, &reciprocal);
    const Words sign = (Words)dot & INT32_MIN;
    const Words linear = (reciprocal == 0) | moment.ends.first | moment.ends.second;
    Words undecided = (Words)reciprocal;
    const Floats phi = Round(theta[0] * Floats_Low(moment.alpha),
                             theta[1] * Floats_High(moment.alpha), &undecided);
    Floats_Store((Floats)((Words)dot ^ sign), arcs->c + i);
    Floats_Store(moment.alpha, arcs->t + i);
    Words_Store(linear, arcs->linear + i);
    Words_Store(sign & ~moment.ends.second, arcs->sign + i);
    Words_Store(moment.refused | (undecided & ~linear), arcs->refused + i);
    Floats_Store(phi, arcs->phi + i);
    Floats_Store(reciprocal, arcs->reciprocal + i);
}

ENTRY static uint64_t SamplePrepared(const ExactTracks *tracks, int count, ExactPoses *poses) {
    ExactRotations rotations[2];
    Arcs arcs;
    Places places;
    FindKeys(tracks, count, &places);
    for (int i = 0; i < count; i += LANES) {
        Floats q0[4], q1[4];
        Addresses addresses;
        const ExactPair *pairs[LANES];
        const Segment segment = SegmentAt(tracks, &places, i, &addresses);
        const Moment moment = BetweenKeys(segment, i, q0, q1, rotations, poses);
        ALL_UNROLLED
        for (int k = 0; k < LANES; k++)
            pairs[k] = tracks->pairs + (uint32_t)places.first[i + k];
        BeginPreparedArcs(&arcs, i, pairs, moment);
    }
    const uint64_t refused = Weigh(&arcs, &rotations[0], &rotations[1], count, &poses->rotations);
    Lanes_Leave();
    return refused;
}

/* ---- blending -------------------------------------------------------------------------------- */

/* Returns the sign bit where the sum of the quaternions is shorter than their difference, because b
 * is then on the far side. */
STEP Words FarSide(const Floats a[4], const Floats b[4]) {
    Floats sums[4], differences[4];
    UNROLLED
    for (int k = 0; k < 4; k++) {
        const Floats sum = a[k] + b[k], difference = a[k] - b[k];
        sums[k] = sum * sum;
        differences[k] = difference * difference;
    }
    return (Dot(EXACT_SEQUENTIAL, sums) < Dot(EXACT_SEQUENTIAL, differences)) & INT32_MIN;
}

STEP void BeginBlend(ExactSum order, const ExactPoses *a, const ExactPoses *b, int count,
                     const float *weight, ExactRotations *turned, Arcs *arcs, ExactPoses *poses) {
    for (int i = 0; i < count; i += LANES) {
        const Floats t = Floats_Load(weight + i), rest = 1 - t;
        Floats qa[4], qb[4], product[4];
        LoadRotation(&a->rotations, i, qa);
        LoadRotation(&b->rotations, i, qb);
        const Words is_far = FarSide(qa, qb);
        Words refused = ~IsFraction(t);
        UNROLLED
        for (int k = 0; k < 4; k++) {
            const Floats near_b = (Floats)((Words)qb[k] ^ is_far);
            product[k] = qa[k] * near_b;
            Floats_Store(near_b, turned->number[k] + i);
            refused |= MayLeaveRange(qa[k]) | MayLeaveRange(qb[k]);
        }
        UNROLLED
        for (int k = 0; k < 3; k++) {
            const Floats of_a = Floats_Load(a->position[k] + i);
            const Floats of_b = Floats_Load(b->position[k] + i);
            const Floats between = rest * of_a + t * of_b;
            refused |= ~IsFinite(between) | MayLeaveRange(of_a) | MayLeaveRange(of_b);
            Floats_Store(between, poses->position[k] + i);
        }
        BeginArcs(arcs, i, Dot(order, product), t, (Ends){0}, refused);
    }
}

ENTRY static uint64_t Blend(const ExactPoses *a, const ExactPoses *b, int count,
                            const float *weight, ExactSum order, ExactPoses *poses) {
    Arcs arcs;
    ExactRotations turned;
    IN_ORDER(order, BeginBlend, a, b, count, weight, &turned, &arcs, poses);
    FindAllAngles(&arcs, count);
    const uint64_t refused = Weigh(&arcs, &a->rotations, &turned, count, &poses->rotations);
    Lanes_Leave();
    return refused;
}

/* ---- matrices -------------------------------------------------------------------------------- */

STEP Floats Twice(Floats number) {
    return number + number;
}

/* Makes the matrices of the lanes. */
STEP void MakeMatrices(const ExactPoses *poses, int i, float *const matrices[LANES]) {
    const Floats zero = {0};
    const Floats w = Floats_Load(poses->rotations.number[0] + i),
                 x = Floats_Load(poses->rotations.number[1] + i);
    const Floats y = Floats_Load(poses->rotations.number[2] + i),
                 z = Floats_Load(poses->rotations.number[3] + i);
    GuardProducts(w);
    GuardProducts(x);
    GuardProducts(y);
    GuardProducts(z);
    const Floats xx = x * x, yy = y * y, zz = z * z;
    const Floats xy = x * y, wz = w * z, xz = x * z, wy = w * y, yz = y * z, wx = w * x;
    Rows_Store(1 - Twice(yy + zz), Twice(xy + wz), Twice(xz - wy),
               Floats_Load(poses->position[0] + i), matrices, 0);
    Rows_Store(Twice(xy - wz), 1 - Twice(xx + zz), Twice(yz + wx),
               Floats_Load(poses->position[1] + i), matrices, 1);
    Rows_Store(Twice(xz + wy), Twice(yz - wx), 1 - Twice(xx + yy),
               Floats_Load(poses->position[2] + i), matrices, 2);
    Rows_Store(zero, zero, zero, zero + 1, matrices, 3);
}

ENTRY static void ToMatrices(const ExactPoses *poses, int count, float (*matrices)[16]) {
    for (int i = 0; i < count; i += LANES) {
        float *to[LANES];
        ALL_UNROLLED
        for (int k = 0; k < LANES; k++)
            to[k] = matrices[i + k];
        MakeMatrices(poses, i, to);
    }
    Lanes_Leave();
}

ENTRY static void ToPieces(const ExactPoses *poses, int count, ExactPiece *const *pieces) {
    for (int i = 0; i < count; i += LANES) {
        float *to[LANES];
        ALL_UNROLLED
        for (int k = 0; k < LANES; k++)
            to[k] = pieces[i + k]->local;
        MakeMatrices(poses, i, to);
    }
    Lanes_Leave();
}

/* ---- products -------------------------------------------------------------------------------- */

STEP void GuardMatrix(const float matrix[16]) {
    UNROLLED
    for (int i = 0; i < 16; i += LANES)
        GuardProducts(Floats_Load(matrix + i));
}

/* The last rows are 0, 0, 0, 1, and so is the product's. 0 times a finite number is 0 of either
 * sign; adding the 0 of 0 * 1 or the 1 of 1 * 1 at the end makes that +0 or 1. */
ENTRY static bool Products(const float (*local)[16], const int32_t *parents, int count,
                           float (*model)[16], uint32_t first) {
    RowTotal total = {0};
    float(*product)[16] = model + first;
    for (int i = 0; i < count; i++, product++) {
        const int32_t parent = parents[i];
        if (parent < 0) {
            memcpy(product, local[i], sizeof *product);
            continue;
        }
        GuardMatrix(model[parent]);
        GuardMatrix(local[i]);
        total = Rows_Add(total, Rows_Multiply(model[parent], local[i], *product));
    }
    const bool are_finite = Rows_AreFinite(total);
    Lanes_Leave();
    return are_finite;
}

/* The bits in which a last row differs from 0, 0, 0, 1. */
typedef int32_t LastRow __attribute__((vector_size(16)));

STEP LastRow LastRow_Of(const float matrix[16]) {
    const LastRow usual = {0, 0, 0, (int32_t)EXACT_BITS_ONE};
    LastRow row;
    memcpy(&row, matrix + 12, sizeof row);
    return row ^ usual;
}

/* Only the world matrices are checked, because a NaN in a model matrix makes one in the world
 * matrix, too. */
ENTRY static bool Place(const float placement[16], const ExactPiece *const *parents,
                        ExactPiece *const *pieces, int count) {
    const RowFactors factors = Rows_Spread(placement);
    RowTotal total = {0};
    LastRow odd = LastRow_Of(placement);
    GuardMatrix(placement);
    for (int i = 0; i < count; i++) {
        const ExactPiece *parent = parents[i];
        ExactPiece *piece = pieces[i];
        GuardMatrix(piece->local);
        odd |= LastRow_Of(piece->local);
        if (parent) {
            GuardMatrix(parent->model);
            odd |= LastRow_Of(parent->model);
            Rows_Multiply(parent->model, piece->local, piece->model);
        } else {
            memcpy(piece->model, piece->local, sizeof piece->model);
        }
        GuardMatrix(piece->model);
        total = Rows_Add(total, Rows_MultiplySpread(&factors, piece->model, piece->world));
    }
    const bool are_finite = Rows_AreFinite(total);
    Lanes_Leave();
    return are_finite && (odd[0] | odd[1] | odd[2] | odd[3]) == 0;
}
