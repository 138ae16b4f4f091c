#include "replay/compare/processor_freedom.h"

#include "animesh/sample.h"
#include "ngi32/reading.h"
#include "ngi32/sums.h"
#include "replay/compare/range.h"
#include "replay/provider/native.h"
#include "replay/provider/processor_state.h"
#include "tracefile/format.h"

#include <float.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define X87_MASKS 0x003Fu
/* The bits for precision and rounding, which are 0 in the game's control word. */
#define X87_MODES     0x0F00u
#define X87_DIRECTION 0x0C00u
#define MXCSR_MASKS   0x1F80u
#define MXCSR_DEFINED 0xFFFFu
#define SLERP_CAUSE   "fsin, fcos, fpatan"
/* the greatest error of rcpss and rsqrtss, relative to the true value */
#define ESTIMATE_ERROR 0x1.8p-12

struct Processor {
    Native *native; /* knows the builds of the slots, and the pieces of the models */
    RpReadings readings;
};

/* The decisions that a computation meets one after the other, and which of its possible results
 * each of them takes. All combinations are tried in turn; the last decision changes first. */
enum { MOST_CHOICES = 512 };
typedef struct Choices {
    uint32_t count; /* the number of decisions that this run met */
    uint32_t chosen[MOST_CHOICES], possible[MOST_CHOICES];
    bool too_many;
} Choices;

static uint32_t Choices_Make(Choices *choices, uint32_t possible) {
    if (choices->count == MOST_CHOICES) {
        choices->too_many = true;
        return 0;
    }
    choices->possible[choices->count] = possible;
    return choices->chosen[choices->count++];
}

/* Prepares the next run. Returns false when all combinations have been tried. */
static bool Choices_Advance(Choices *choices) {
    uint32_t at = choices->count;
    while (at > 0 && choices->chosen[at - 1] + 1 == choices->possible[at - 1])
        choices->chosen[--at] = 0;
    choices->count = 0;
    if (at == 0)
        return false;
    choices->chosen[at - 1]++;
    return true;
}

/* The call that is being evaluated. */
typedef struct Evaluation {
    /* chooses among the results of fsin, fcos and fpatan; null computes with the range of all of
     * them */
    Choices *instructions;
    Processor *processor;
    const TraceCall *call;
    RpArithmetic arithmetic;
    bool directed;
} Evaluation;

static ProcessorState StateOf(const TraceCall *call) {
    return (ProcessorState){call->control_in, call->mxcsr_in & MXCSR_DEFINED};
}

static const float zero = 0.0f, one = 1.0f, two = 2.0f, half = 0.5f, three = 3.0f;

static void ReadFloats(const uint8_t *from, float *to, size_t count) {
    memcpy(to, from, count * sizeof *to);
}

/* ---- estimates: slot 45 and slot 11 -------------------------------------------------------------
 * Every estimate that the manuals allow is tried, and the steps after it are followed exactly. So
 * an answer is compared with those that some estimate gives, and not with a range. */

typedef struct Estimates {
    float least, greatest;
} Estimates;

/* Works only for numbers that are far from the ends of binary32's range. */
static bool EstimatesOf(double truth, Estimates *estimates) {
    if (!(truth > (double)FLT_MIN * 4 && truth < (double)FLT_MAX / 4))
        return false;
    estimates->least = (float)(truth * (1 - ESTIMATE_ERROR));
    estimates->greatest = (float)(truth * (1 + ESTIMATE_ERROR));
    return true;
}

static float NextEstimate(float estimate) {
    uint32_t bits;
    memcpy(&bits, &estimate, sizeof bits);
    bits++;
    memcpy(&estimate, &bits, sizeof bits);
    return estimate;
}

typedef struct Segment {
    const float *start, *end, *plane;
    float direction[3], towards, distance; /* end - start, -n . v, d0 */
} Segment;

SSE_STEP Sse Dot(int order, const float a[3], const float b[3]) {
    Sse terms[3];
    for (int i = 0; i < 3; i++)
        terms[i] = Sse_Mul(Sse_Load(&a[i]), Sse_Load(&b[i]));
    return Sse_Sum3(order, terms[0], terms[1], terms[2]);
}

/* Takes steps 1 and 2 of the SSE build, and the left side of step 4. */
SSE_BUILD static void PrepareSegment(int order, Segment *segment) {
    enum { OFFSET_FIRST = 3 };
    const float *plane = segment->plane;
    for (int i = 0; i < 3; i++)
        Sse_Store(Sse_Sub(Sse_Load(&segment->end[i]), Sse_Load(&segment->start[i])),
                  &segment->direction[i]);
    Sse distance = Sse_Load(&plane[3]);
    if (order == OFFSET_FIRST)
        for (int i = 0; i < 3; i++)
            distance =
                Sse_Add(distance, Sse_Mul(Sse_Load(&plane[i]), Sse_Load(&segment->start[i])));
    else
        distance = Sse_Add(Dot(order, plane, segment->start), distance);
    Sse_Store(distance, &segment->distance);
    Sse_Store(Sse_Neg(Dot(order, plane, segment->direction)), &segment->towards);
}

/* Takes steps 4 and 5, starting with the given estimate. */
SSE_BUILD static void HitBy(float estimate, bool factored, const Segment *segment, float hit[3]) {
    Sse r = Sse_Load(&estimate), m = Sse_Load(&segment->towards);
    if (factored)
        r = Sse_Mul(r, Sse_Sub(Sse_Load(&two), Sse_Mul(m, r)));
    else
        r = Sse_Sub(Sse_Add(r, r), Sse_Mul(Sse_Mul(m, r), r));
    Sse k = Sse_Mul(Sse_Load(&segment->distance), r);
    for (int i = 0; i < 3; i++)
        Sse_Store(
            Sse_Add(Sse_Load(&segment->start[i]), Sse_Mul(Sse_Load(&segment->direction[i]), k)),
            &hit[i]);
}

static bool ExplainsSegmentPlane(const Evaluation *evaluation, const TraceCall *a,
                                 const TraceCall *b) {
    enum { HIT_AT = 4, HIT_BYTES = 12 };
    float in[10];
    Estimates estimates;
    Segment segment = {.start = in, .end = in + 3, .plane = in + 6};
    if (evaluation->arithmetic.build != RP_BUILD_SSE ||
        memcmp(a->outputs, b->outputs, HIT_AT) != 0 || Bytes_U32(a->outputs) != 1)
        return false;
    ReadFloats(a->inputs, in, 10);
    bool factored = Reading_IsAlternative(&evaluation->arithmetic, READING_PLANE_NEWTON);
    bool has_a = false, has_b = false;
    ProcessorState own = ProcessorState_Swap(StateOf(a));
    PrepareSegment(Reading_Choice(&evaluation->arithmetic, READING_PLANE_SUM_SSE), &segment);
    ProcessorState_Swap(own);
    if (!EstimatesOf(1 / (double)segment.towards, &estimates))
        return false;
    ProcessorState_Swap(StateOf(a));
    for (float r = estimates.least; r <= estimates.greatest && !(has_a && has_b);
         r = NextEstimate(r)) {
        float hit[3];
        HitBy(r, factored, &segment, hit);
        has_a |= memcmp(hit, a->outputs + HIT_AT, HIT_BYTES) == 0;
        has_b |= memcmp(hit, b->outputs + HIT_AT, HIT_BYTES) == 0;
    }
    ProcessorState_Swap(own);
    return has_a && has_b;
}

/* Computes (0.5 * r) * (3 - (x * r) * r) and loads it into ST0, in which it is returned. */
SSE_BUILD static void RootBy(float estimate, const float *x, uint8_t returned[10]) {
    Sse r = Sse_Load(&estimate), rest = Sse_Mul(Sse_Mul(Sse_Load(x), r), r);
    float root;
    Sse_Store(Sse_Mul(Sse_Mul(Sse_Load(&half), r), Sse_Sub(Sse_Load(&three), rest)), &root);
    const X87 value = X87_Load(&root);
    memcpy(returned, &value, 10);
}

/* Computes the reciprocal of a square root in binary64 by bisection, because this code is linked
 * without the mathematics library. */
static double ReciprocalRoot(double x) {
    double low = 0x1p-75, high = 0x1p75, root = 1;
    for (int i = 0; i < 256; i++) {
        root = low + (high - low) / 2;
        if (root * root * x > 1)
            high = root;
        else
            low = root;
    }
    return root;
}

static bool ExplainsReciprocalRoot(const Evaluation *evaluation, const TraceCall *a,
                                   const TraceCall *b) {
    float x;
    Estimates estimates;
    bool has_a = false, has_b = false;
    ReadFloats(a->inputs, &x, 1);
    if (Reading_BuildOfSlot(&evaluation->arithmetic) != RP_BUILD_SSE ||
        !Reading_IsAlternative(&evaluation->arithmetic, READING_RSQRT_SSE) ||
        !(x >= FLT_MIN && x <= FLT_MAX) || !EstimatesOf(ReciprocalRoot((double)x), &estimates))
        return false;
    ProcessorState own = ProcessorState_Swap(StateOf(a));
    for (float r = estimates.least; r <= estimates.greatest && !(has_a && has_b);
         r = NextEstimate(r)) {
        uint8_t returned[10];
        RootBy(r, &x, returned);
        has_a |= memcmp(returned, a->outputs, sizeof returned) == 0;
        has_b |= memcmp(returned, b->outputs, sizeof returned) == 0;
    }
    ProcessorState_Swap(own);
    return has_a && has_b;
}

/* ---- the weights of an arc: slots 17 and 22, step 4 ------------------------------------------ */

typedef struct Arc {
    Choices *instructions; /* null computes with ranges */
    int acos;
    bool quotient, store_theta, store_trig, store_weights;
    bool stored; /* null lets it compute with ranges */
    bool directed;
} Arc;

typedef struct Weights {
    Range w0, w1;
} Weights;

enum { ACOS_CRT, ACOS_PLAIN, ACOS_QUOTIENT, ACOS_HALF, ACOS_COMPLEMENT };

/* If the results of instructions are to be chosen, takes one number of the range; otherwise keeps
 * the whole range. */
static Range Chosen(const Arc *arc, Range range) {
    enum { MOST_NUMBERS = 16 };
    if (!arc->instructions || !Range_IsValid(range))
        return range;
    uint32_t count = Range_Count(range, MOST_NUMBERS);
    arc->instructions->too_many |= count == MOST_NUMBERS;
    return Range_At(range, Choices_Make(arc->instructions, count));
}

static Range SineOn(const Arc *arc, Range angle) {
    return Chosen(arc, Range_Sine(arc->directed, angle));
}

static Range ArcTangentOn(const Arc *arc, Range y, Range x) {
    return Chosen(arc, Range_ArcTangent(arc->directed, y, x));
}

static Range Kept(bool stored, Range range) {
    return stored ? Range_Store(range) : range;
}

static Range Sum(Range a, Range b) {
    return Range_Add(RANGE_X87, a, b);
}

static Range Difference(Range a, Range b) {
    return Range_Sub(RANGE_X87, a, b);
}

static Range Product(Range a, Range b) {
    return Range_Mul(RANGE_X87, a, b);
}

static Range FactoredSine(const Arc *arc, Range c) {
    Range unit = Range_Of(one);
    Range product = Product(Sum(unit, c), Difference(unit, c));
    return Kept(arc->stored, Range_Sqrt(Kept(arc->stored, product)));
}

static Range PlainSine(const Arc *arc, Range c) {
    Range square = Kept(arc->stored, Product(c, c));
    return Kept(arc->stored, Range_Sqrt(Difference(Range_Of(one), square)));
}

static Range ArcCosine(const Arc *arc, Range c) {
    switch (arc->acos) {
    case ACOS_PLAIN:
        return ArcTangentOn(arc, PlainSine(arc, c), c);
    case ACOS_QUOTIENT:
        return ArcTangentOn(arc, Kept(arc->stored, Range_Div(PlainSine(arc, c), c)), Range_Of(one));
    case ACOS_HALF: { /* twice the half of the angle */
        Range unit = Range_Of(one);
        Range less = Kept(arc->stored, Range_Sqrt(Difference(unit, c)));
        Range more = Kept(arc->stored, Range_Sqrt(Sum(unit, c)));
        Range angle = Kept(arc->stored, ArcTangentOn(arc, less, more));
        return Sum(angle, angle);
    }
    case ACOS_COMPLEMENT: { /* a right angle less the arc sine */
        static const double right_angle = 0x1.921FB54442D18p0;
        X87 value = X87_LoadF64(&right_angle);
        Range sine = Kept(arc->stored, ArcTangentOn(arc, c, FactoredSine(arc, c)));
        return Difference((Range){value, value}, sine);
    }
    default:
        return ArcTangentOn(arc, FactoredSine(arc, c), c);
    }
}

/* ---- slots 17 and 22 ------------------------------------------------------------------------- */

static RangeBuild RangeBuildOf(const Evaluation *evaluation) {
    return evaluation->arithmetic.build == RP_BUILD_SSE ? RANGE_SSE : RANGE_X87;
}

/* Adds in the orders that X87_Sum4 knows: sequential, pairs, reverse, w-last. */
static Range Sum4(RangeBuild build, int order, const Range p[4]) {
    static const uint8_t places[4][4] = {{0, 1, 2, 3}, {0, 1, 2, 3}, {3, 2, 1, 0}, {1, 2, 3, 0}};
    enum { PAIRS = 1 };
    if (order == PAIRS)
        return Range_Add(build, Range_Add(build, p[0], p[1]), Range_Add(build, p[2], p[3]));
    const uint8_t *place = places[order & 3];
    Range sum = p[place[0]];
    for (int i = 1; i < 4; i++)
        sum = Range_Add(build, sum, p[place[i]]);
    return sum;
}

static Range DotOf(const Evaluation *evaluation, const Range q0[4], const Range q1[4]) {
    RangeBuild build = RangeBuildOf(evaluation);
    Range p[4];
    for (int i = 0; i < 4; i++)
        p[i] = Range_Mul(build, q0[i], q1[i]);
    if (build == RANGE_X87)
        return Sum4(build, Reading_Choice(&evaluation->arithmetic, READING_DOT4), p);
    switch (Reading_Choice(&evaluation->arithmetic, READING_DOT4_SSE)) {
    case 1: /* sequential */
        return Sum4(build, 0, p);
    case 2: /* pairs */
        return Sum4(build, 1, p);
    default: /* halves */
        return Range_Add(build, Range_Add(build, p[0], p[2]), Range_Add(build, p[1], p[3]));
    }
}

/* Takes steps 3 and 4; c is not negative. Near the limit both branches are possible. */
static Weights WeightsOf(const Evaluation *evaluation, Range c, float t) {
    RangeBuild build = RangeBuildOf(evaluation);
    const RpArithmetic *h = &evaluation->arithmetic;
    const Arc arc = {.instructions = evaluation->instructions,
                     .acos = Reading_Choice(h, READING_SLERP_ACOS),
                     .quotient = Reading_IsAlternative(h, READING_SLERP_SINE),
                     .store_theta = Reading_IsAlternative(h, READING_SLERP_THETA),
                     .store_trig = Reading_IsAlternative(h, READING_SLERP_TRIG),
                     .store_weights = Reading_IsAlternative(h, READING_SLERP_WEIGHTS),
                     .stored = evaluation->arithmetic.build == RP_BUILD_SSE &&
                               Reading_IsAlternative(h, READING_SLERP_TRIG_SSE),
                     .directed = evaluation->directed};
    Range unit = Range_Of(one), at = Range_Of(t), gap = Range_Sub(build, unit, c);
    static const float limit_f32 = 1e-5f;
    static const double limit_f64 = 1e-5;
    bool by_f64 = evaluation->arithmetic.build != RP_BUILD_SSE &&
                  Reading_IsAlternative(h, READING_SLERP_LIMIT);
    X87 limit = by_f64 ? X87_LoadF64(&limit_f64) : X87_Load(&limit_f32);
    Weights linear = {Range_Sub(build, unit, at), at};
    if (build == RANGE_X87)
        linear.w0 = Kept(arc.store_weights, linear.w0);
    if (X87_LessOrEqual(gap.high, limit))
        return linear;
    bool both = X87_LessOrEqual(gap.low, limit);
    if (both)
        c.high = X87_Sub(X87_Load(&one), limit);

    bool store_trig = arc.stored || arc.store_trig;
    Range theta = Kept(arc.stored || arc.store_theta, ArcCosine(&arc, c));
    Range phi = Kept(arc.stored, Product(at, theta));
    Range sin_theta = Kept(store_trig, SineOn(&arc, theta));
    Range sin_phi = Kept(store_trig, SineOn(&arc, phi));
    Weights curved;
    if (arc.quotient)
        curved.w1 = Range_Div(sin_phi, sin_theta);
    else
        curved.w1 = Product(sin_phi, Kept(arc.stored, Range_Div(Range_Of(one), sin_theta)));
    curved.w1 = Kept(arc.stored || arc.store_weights, curved.w1);
    Range cos_phi = Kept(store_trig, Chosen(&arc, Range_Cosine(arc.directed, phi)));
    curved.w0 = Difference(cos_phi, Kept(arc.stored, Product(curved.w1, c)));
    curved.w0 = Kept(arc.store_weights, curved.w0);
    if (build == RANGE_SSE)
        curved = (Weights){Range_Store(curved.w0), Range_Store(curved.w1)};
    if (!both)
        return curved;
    return (Weights){Range_Hull(linear.w0, curved.w0), Range_Hull(linear.w1, curved.w1)};
}

/* Takes steps 3 to 6 for one sign of the dot product. */
static void InterpolateSide(const Evaluation *evaluation, Range c, float sign, const Range q0[4],
                            const Range q1[4], float t, Range result[4]) {
    RangeBuild build = RangeBuildOf(evaluation);
    Weights weights = WeightsOf(evaluation, c, t);
    weights.w1 = Range_Mul(build, Range_Of(sign), weights.w1);
    for (int i = 0; i < 4; i++)
        result[i] = Range_Store(Range_Add(build, Range_Mul(build, weights.w0, q0[i]),
                                          Range_Mul(build, weights.w1, q1[i])));
}

static void HullOf4(Range a[4], const Range b[4]) {
    for (int i = 0; i < 4; i++)
        a[i] = Range_Hull(a[i], b[i]);
}

static void Interpolate(const Evaluation *evaluation, const Range q0[4], const Range q1[4], float t,
                        Range result[4]) {
    Range c = DotOf(evaluation, q0, q1), other[4];
    X87 nothing = X87_Load(&zero);
    bool negative = X87_Less(c.low, nothing), positive = X87_LessOrEqual(nothing, c.high);
    if (!negative) {
        InterpolateSide(evaluation, c, 1.0f, q0, q1, t, result);
        return;
    }
    Range turned = Range_Neg((Range){c.low, positive ? nothing : c.high});
    InterpolateSide(evaluation, turned, -1.0f, q0, q1, t, result);
    if (!positive)
        return;
    InterpolateSide(evaluation, (Range){nothing, c.high}, 1.0f, q0, q1, t, other);
    HullOf4(result, other);
}

/* Gives the place of the binary32 number with these bits in the order of all numbers; -0 comes
 * before 0. */
static int64_t Rank(uint32_t bits) {
    return bits >> 31 ? -(int64_t)(bits & 0x7FFFFFFF) - 1 : (int64_t)bits;
}

static void RangesOf4(const float numbers[4], Range ranges[4]) {
    for (int i = 0; i < 4; i++)
        ranges[i] = Range_Of(numbers[i]);
}

/* ---- slot 14 ----------------------------------------------------------------------------------
 */

static Range Twice(RangeBuild build, Range a) {
    return Range_Add(build, a, a);
}

static Range Diagonal(RangeBuild build, int order, Range a, Range b) {
    enum { CHAIN = 1, REVERSE };
    Range unit = Range_Of(one);
    Range square_a = Range_Mul(build, a, a), square_b = Range_Mul(build, b, b);
    if (order == CHAIN || order == REVERSE) {
        Range first = order == CHAIN ? square_a : square_b;
        Range second = order == CHAIN ? square_b : square_a;
        return Range_Sub(build, Range_Sub(build, unit, Twice(build, first)), Twice(build, second));
    }
    return Range_Sub(build, unit, Twice(build, Range_Add(build, square_a, square_b)));
}

/* ---- SampleNode and BlendPoses ----------------------------------------------------------------
 */

/* Catches what the library's own sampling passes to slot 17. */
typedef struct Sampling {
    /* must be the first member, because the library's functions get a pointer to it */
    PoseContext context;
    bool interpolates;
    float q0[4], q1[4], t;
} Sampling;

static void Catch(const PoseContext *context, const float q0[4], const float q1[4], float t,
                  float result[4]) {
    Sampling *sampling = (Sampling *)(uintptr_t)context;
    sampling->interpolates = true;
    memcpy(sampling->q0, q0, sizeof sampling->q0);
    memcpy(sampling->q1, q1, sizeof sampling->q1);
    sampling->t = t;
    memcpy(result, q0, sizeof sampling->q0);
}

static void Sample(const Evaluation *evaluation, const RpSkeleton *skeleton, uint32_t node, float t,
                   Range quaternion[4]) {
    static const PoseMath math = {.interpolate = Catch, .blend = Catch, .to_matrix = Pose_ToMatrix};
    Sampling sampling = {.context = {.skeleton = skeleton,
                                     .bounded = true,
                                     .arithmetic = &evaluation->arithmetic,
                                     .math = &math}};
    float sampled[4], position[3];
    Pose_Sample(&sampling.context, node, t, sampled, position);
    RangesOf4(sampled, quaternion);
    if (!sampling.interpolates)
        return;
    Range q0[4], q1[4];
    RangesOf4(sampling.q0, q0);
    RangesOf4(sampling.q1, q1);
    Interpolate(evaluation, q0, q1, sampling.t, quaternion);
}

static Range SquaredLength(const Evaluation *evaluation, Range (*combine)(RangeBuild, Range, Range),
                           const Range a[4], const Range b[4]) {
    Range squares[4];
    for (int i = 0; i < 4; i++) {
        Range component = combine(RANGE_X87, a[i], b[i]);
        squares[i] = Product(component, component);
    }
    return Sum4(RANGE_X87, Reading_Choice(&evaluation->arithmetic, READING_FLIP_SUM), squares);
}

/* ---- mesh objects -------------------------------------------------------------------------------
 * A function of a mesh object is run with every result that each of its interpolations can have.
 * Nearly all interpolations have only one. */

enum { MOST_RESULTS = 64, MOST_RUNS = 4096, KNOWN_INTERPOLATIONS = 64 };

/* All results that one interpolation can have, depending on those of its instructions. */
typedef struct Results {
    float q0[4], q1[4], t;
    uint32_t count; /* 0 stands for too many */
    float result[MOST_RESULTS][4];
} Results;

typedef struct Trial {
    /* must be the first member, because Choose finds the trial by its address */
    NativeInterpolation interpolation;
    const Evaluation *evaluation;
    Choices choices; /* which result each interpolation of a run takes */
    uint32_t known_count;
    /* the interpolations that came first, which are kept because the same ones come again */
    Results known[KNOWN_INTERPOLATIONS];
} Trial;

static bool Add(Results *results, const Range ranges[4]) {
    float result[4];
    uint32_t i = 0;
    for (int k = 0; k < 4; k++)
        X87_Store(ranges[k].low, &result[k]);
    while (i < results->count && memcmp(results->result[i], result, sizeof result) != 0)
        i++;
    if (i == MOST_RESULTS)
        return false;
    memcpy(results->result[i], result, sizeof result);
    results->count += i == results->count;
    return true;
}

static const Results *Know(Trial *trial, const Results *wanted) {
    const size_t size = offsetof(Results, count);
    for (uint32_t i = 0; i < trial->known_count; i++)
        if (memcmp(&trial->known[i], wanted, size) == 0)
            return &trial->known[i];
    Results *results =
        &trial->known[trial->known_count < KNOWN_INTERPOLATIONS ? trial->known_count++
                                                                : KNOWN_INTERPOLATIONS - 1];
    memcpy(results, wanted, size);

    const Evaluation *evaluation = trial->evaluation;
    Choices instructions = {.count = 0};
    Evaluation choosing = *evaluation;
    Range a[4], b[4], ranges[4];
    RangesOf4(results->q0, a);
    RangesOf4(results->q1, b);
    results->count = 0;
    Interpolate(evaluation, a, b, results->t, ranges);
    bool points = true;
    for (int i = 0; i < 4; i++)
        points &= memcmp(&ranges[i].low, &ranges[i].high, 10) == 0;
    if (points) {
        Add(results, ranges);
        return results;
    }
    choosing.instructions = &instructions;
    bool fits = true;
    for (int runs = 0; fits && runs < MOST_RUNS; runs++) {
        Interpolate(&choosing, a, b, results->t, ranges);
        fits = !instructions.too_many && Add(results, ranges);
        if (fits && !Choices_Advance(&instructions))
            return results;
    }
    results->count = 0;
    return results;
}

static void Choose(const PoseContext *context, const float q0[4], const float q1[4], float t,
                   float result[4]) {
    Trial *trial = (Trial *)(uintptr_t)context->arithmetic;
    Results wanted;
    memcpy(wanted.q0, q0, sizeof wanted.q0);
    memcpy(wanted.q1, q1, sizeof wanted.q1);
    memcpy(&wanted.t, &t, sizeof t);
    const Results *results = Know(trial, &wanted);
    trial->choices.too_many |= results->count == 0;
    if (results->count > 0)
        memcpy(result, results->result[Choices_Make(&trial->choices, results->count)],
               sizeof results->result[0]);
    else
        memcpy(result, q0, sizeof wanted.q0);
}

static bool HasOutputs(const TraceCall *call, const TraceCall *other) {
    SignatureElement element;
    SignatureCursor cursor =
        Signature_OutputElements(call->signature, call->inputs, call->input_size);
    if (call->output_size != other->output_size)
        return false;
    while (Signature_NextElement(&cursor, &element))
        if (element.compared && memcmp(call->outputs + element.offset,
                                       other->outputs + element.offset, element.size) != 0)
            return false;
    return true;
}

static bool ExplainsMesh(const Evaluation *evaluation, const TraceCall *a, const TraceCall *b) {
    Native *native = evaluation->processor->native;
    Trial trial;
    trial.interpolation.interpolate = Choose;
    trial.evaluation = evaluation;
    trial.choices = (Choices){.count = 0};
    trial.known_count = 0;
    bool has_a = false, has_b = false;
    for (int runs = 0; runs < MOST_RUNS; runs++) {
        TraceCall call = *a;
        if (Native_CallWith(native, &call, &trial.interpolation, NULL) != RP_OK ||
            call.outcome != TRACE_RETURNED || trial.choices.too_many)
            return false;
        has_a |= HasOutputs(a, &call);
        has_b |= HasOutputs(b, &call);
        if (has_a && has_b)
            return true;
        if (!Choices_Advance(&trial.choices))
            return false;
    }
    return false;
}

/* ---- bounds ------------------------------------------------------------------------------------
 */

typedef uint32_t (*BoundsFunction)(const Evaluation *evaluation, Range ranges[9],
                                   uint32_t element[9]);

static uint32_t FromFirst(uint32_t count, uint32_t element[9]) {
    for (uint32_t i = 0; i < count; i++)
        element[i] = i;
    return count;
}

static uint32_t SineAndCosine(const Evaluation *evaluation, Range ranges[9], uint32_t element[9]) {
    float angle;
    ReadFloats(evaluation->call->inputs, &angle, 1);
    ranges[0] = Range_Store(Range_Sine(evaluation->directed, Range_Of(angle)));
    ranges[1] = Range_Store(Range_Cosine(evaluation->directed, Range_Of(angle)));
    return FromFirst(2, element);
}

static uint32_t Slerp(const Evaluation *evaluation, Range ranges[9], uint32_t element[9]) {
    float in[9];
    Range q0[4], q1[4];
    ReadFloats(evaluation->call->inputs, in, 9);
    RangesOf4(in, q0);
    RangesOf4(in + 4, q1);
    Interpolate(evaluation, q0, q1, in[8], ranges);
    return FromFirst(4, element);
}

static uint32_t SampleNode(const Evaluation *evaluation, Range ranges[9], uint32_t element[9]) {
    float t;
    RpSkeleton skeleton;
    uint32_t node;
    const uint8_t *inputs = evaluation->call->inputs;
    if (!Native_FindPiece(evaluation->processor->native, inputs, &skeleton, &node))
        return 0;
    ReadFloats(inputs + 8, &t, 1);
    Sample(evaluation, &skeleton, node, t, ranges);
    return FromFirst(4, element);
}

static uint32_t BlendPoses(const Evaluation *evaluation, Range ranges[9], uint32_t element[9]) {
    float in[3];
    RpSkeleton skeleton;
    uint32_t node;
    const uint8_t *inputs = evaluation->call->inputs;
    if (!Native_FindPiece(evaluation->processor->native, inputs, &skeleton, &node))
        return 0;
    ReadFloats(inputs + 8, in, 3);
    float t_a = in[0], t_b = in[1], weight = in[2];
    bool has_a = X87_Less(X87_Load(&weight), X87_Load(&one)) &&
                 X87_LessOrEqual(X87_Load(&zero), X87_Load(&t_a));
    bool has_b = X87_Less(X87_Load(&zero), X87_Load(&weight)) &&
                 X87_LessOrEqual(X87_Load(&zero), X87_Load(&t_b));
    Range a[4], b[4], quaternion[4];
    RangesOf4((const float[4]){1, 0, 0, 0}, a);
    memcpy(b, a, sizeof b);
    if (has_a)
        Sample(evaluation, &skeleton, node, t_a, a);
    if (has_b)
        Sample(evaluation, &skeleton, node, t_b, b);
    if (has_a && has_b) {
        /* Step 3 without the position. If it cannot be told which side is nearer, both results are
         * possible. */
        Range sum = SquaredLength(evaluation, Range_Add, a, b), turned[4], other[4];
        Range difference = SquaredLength(evaluation, Range_Sub, a, b);
        for (int i = 0; i < 4; i++)
            turned[i] = Range_Store(Range_Neg(b[i]));
        bool may_turn = X87_Less(sum.low, difference.high);
        bool may_stay = !X87_Less(sum.high, difference.low);
        Interpolate(evaluation, a, may_turn ? turned : b, weight, quaternion);
        if (may_turn && may_stay) {
            Interpolate(evaluation, a, b, weight, other);
            HullOf4(quaternion, other);
        }
    } else {
        memcpy(quaternion, has_a ? a : b, sizeof quaternion);
    }

    /* The nine elements, in the order of a matrix, columns 0 to 2. */
    enum { W, X, Y, Z };
    static const uint8_t factors[9][4] = {{0},          {X, Y, W, Z}, {X, Z, W, Y},
                                          {X, Y, W, Z}, {0},          {Y, Z, W, X},
                                          {X, Z, W, Y}, {Y, Z, W, X}, {0}};
    static const bool adds[9] = {[1] = true, [5] = true, [6] = true};
    RangeBuild build = RangeBuildOf(evaluation);
    int order =
        Reading_Choice(&evaluation->arithmetic,
                       build == RANGE_SSE ? READING_QUAT_DIAGONAL_SSE : READING_QUAT_DIAGONAL);
    ranges[0] = Diagonal(build, order, quaternion[Y], quaternion[Z]);
    ranges[4] = Diagonal(build, order, quaternion[X], quaternion[Z]);
    ranges[8] = Diagonal(build, order, quaternion[X], quaternion[Y]);
    for (int i = 0; i < 9; i++) {
        const uint8_t *f = factors[i];
        if (i % 4 == 0)
            continue;
        Range left = Range_Mul(build, quaternion[f[0]], quaternion[f[1]]);
        Range right = Range_Mul(build, quaternion[f[2]], quaternion[f[3]]);
        ranges[i] = Twice(build, (adds[i] ? Range_Add : Range_Sub)(build, left, right));
    }
    for (int i = 0; i < 9; i++)
        ranges[i] = Range_Store(ranges[i]);
    for (uint32_t i = 0; i < 9; i++)
        element[i] = i / 3 * 4 + i % 3;
    return 9;
}

typedef bool (*Explanation)(const Evaluation *evaluation, const TraceCall *a, const TraceCall *b);

/* A function whose results depend on what differs between makers. Its outputs are judged element by
 * element (`bounds`) or as a whole (`explains`). */
typedef struct Hanging {
    const char *key, *cause;
    BoundsFunction bounds;
    Explanation explains;
    bool estimates;
} Hanging;

static const Hanging *FindHanging(const AbiFunction *function) {
    static const Hanging hanging[] = {
        {"ngi32.slot11", "rsqrtss", NULL, ExplainsReciprocalRoot, true},
        {"ngi32.slot45", "rcpss", NULL, ExplainsSegmentPlane, true},
        {"ngi32.ngiGetSinCos", "fsin, fcos", SineAndCosine, NULL, false},
        {"ngi32.slot17", SLERP_CAUSE, Slerp, NULL, false},
        {"ngi32.slot22", SLERP_CAUSE, Slerp, NULL, false},
        {"animesh.SampleNode", SLERP_CAUSE, SampleNode, NULL, false},
        {"animesh.BlendPoses", SLERP_CAUSE, BlendPoses, NULL, false},
        {"animesh.PoseWalk", SLERP_CAUSE, NULL, ExplainsMesh, false},
        {"animesh.MeshBounds", SLERP_CAUSE, NULL, ExplainsMesh, false},
        {"animesh.IAnimation.4", SLERP_CAUSE, NULL, ExplainsMesh, false},
        {"animesh.IAnimation.31", SLERP_CAUSE, NULL, ExplainsMesh, false},
        {"animesh.IAnimation.32", SLERP_CAUSE, NULL, ExplainsMesh, false},
        {"animesh.IMesh2.15", SLERP_CAUSE, NULL, ExplainsMesh, false},
    };
    for (size_t i = 0; i < sizeof hanging / sizeof *hanging; i++)
        if (strcmp(hanging[i].key, function->key) == 0)
            return &hanging[i];
    return NULL;
}

bool Processor_Estimates(const AbiFunction *function) {
    const Hanging *hanging = FindHanging(function);
    return hanging && hanging->estimates;
}

const char *Processor_Cause(const AbiFunction *function) {
    const Hanging *hanging = FindHanging(function);
    return hanging ? hanging->cause : NULL;
}

static Evaluation EvaluationOf(Processor *processor, const TraceCall *call) {
    const Native *native = processor->native;
    /* functions other than slots have the builds that poses use */
    bool slot = call->function->kind == ABI_SLOT;
    return (Evaluation){.processor = processor,
                        .call = call,
                        .arithmetic = {.build = slot ? Native_BuildOf(native, call->function)
                                                     : Native_Build(native),
                                       .control_word = RP_THREADS_CONTROL_WORD,
                                       .readings = processor->readings},
                        .directed = (call->control_in & X87_DIRECTION) != 0};
}

/* Returns whether the call can be made here. An unmasked exception would be a signal in this
 * process. */
static bool IsCallable(const TraceCall *call) {
    return (call->control_in & X87_MASKS) == X87_MASKS &&
           (call->mxcsr_in & MXCSR_MASKS) == MXCSR_MASKS && ProcessorState_IsThere(StateOf(call));
}

bool Processor_Bounds(Processor *processor, const TraceCall *call, ProcessorBounds *bounds) {
    const Hanging *hanging = FindHanging(call->function);
    Range ranges[9];
    if (!hanging || !hanging->bounds || !IsCallable(call) || (call->control_in & X87_MODES) == 0)
        return false;
    const Evaluation evaluation = EvaluationOf(processor, call);
    ProcessorState own = ProcessorState_Swap(StateOf(call));
    bounds->count = hanging->bounds(&evaluation, ranges, bounds->element);
    ProcessorState_Swap(own);
    bool finite = bounds->count > 0;
    for (uint32_t i = 0; i < bounds->count && finite; i++) {
        float *low = &bounds->low[i], *high = &bounds->high[i];
        X87_Store(ranges[i].low, low);
        X87_Store(ranges[i].high, high);
        finite = *low >= -FLT_MAX && *low <= *high && *high <= FLT_MAX;
    }
    return finite;
}

/* ---- the verdict -------------------------------------------------------------------------------
 */

static bool Inside(const ProcessorBounds *bounds, uint32_t index, const uint8_t *output) {
    uint32_t low, high;
    memcpy(&low, &bounds->low[index], sizeof low);
    memcpy(&high, &bounds->high[index], sizeof high);
    int64_t rank = Rank(Bytes_U32(output));
    return Rank(low) <= rank && rank <= Rank(high);
}

bool Processor_Explains(Processor *processor, const TraceCall *a, const TraceCall *b) {
    ProcessorBounds bounds;
    if (a->output_size != b->output_size || !IsCallable(a))
        return false;
    const Evaluation evaluation = EvaluationOf(processor, a);
    const Hanging *hanging = FindHanging(a->function);
    bool modes = (a->control_in & X87_MODES) != 0;
    if (hanging && hanging->explains)
        return (hanging->estimates || modes) && hanging->explains(&evaluation, a, b);

    /* Elements that depend on no transcendental instruction must be equal, and the others within
     * their bounds. */
    if (!Processor_Bounds(processor, a, &bounds))
        return false;
    uint32_t next = 0;
    for (uint32_t at = 0; at + 4 <= a->output_size; at += 4) {
        if (next < bounds.count && bounds.element[next] == at / 4) {
            if (!Inside(&bounds, next, a->outputs + at) || !Inside(&bounds, next, b->outputs + at))
                return false;
            next++;
        } else if (memcmp(a->outputs + at, b->outputs + at, 4) != 0) {
            return false;
        }
    }
    return next == bounds.count;
}

Processor *Processor_Create(const TraceHeader *header, const TraceReader *reader) {
    char text[TRACE_HEADER_MAX];
    Processor *processor = calloc(1, sizeof *processor);
    if (!processor)
        return NULL;
    TraceHeader_Get(header, "hypotheses", text, sizeof text);
    processor->native = Native_Create();
    if (!processor->native ||
        RpReadings_Parse(&processor->readings, RP_READS_RUNTIME, text, NULL) != RP_OK ||
        Native_ReadMachine(processor->native, header, NULL) != RP_OK) {
        Processor_Destroy(processor);
        return NULL;
    }
    Native_SetReadings(processor->native, &processor->readings);
    Native_SetMemory(processor->native, reader);
    return processor;
}

void Processor_Destroy(Processor *processor) {
    if (!processor)
        return;
    Native_Destroy(processor->native);
    free(processor);
}
