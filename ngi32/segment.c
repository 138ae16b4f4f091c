/* Slot 45 of g_FastProc (facts/ngi32.md B.4d, facts/anchors.md 3.5a), in the order of operations of
 * docs/reference/arithmetic.md. */
#include "ngi32/reading.h"
#include "ngi32/sums.h"
#include "retropose/fastproc.h"

#include <float.h>
#include <string.h>

static const float zero = 0.0f, one = 1.0f, two = 2.0f;
static const float minus_least_normal = -FLT_MIN; /* the bits 0x80800000, stored at 0x1001FA00 */

/* The order after the three of a sum: the products are added to the plane's offset. */
enum { PLANE_OFFSET_FIRST = 3 };

/* ---- x87 ------------------------------------------------------------------------------------- */

typedef struct X87Options {
    const float *direction_limit; /* n . v must be less than this */
    int order;                    /* plane-sum */
    bool inclusive;               /* plane-far */
    bool reciprocal;              /* plane-division */
} X87Options;

/* Returns n . point + offset. */
static inline X87 DistanceX87(int order, const float plane[4], const float point[3]) {
    if (order != PLANE_OFFSET_FIRST)
        return X87_Add(X87_Dot3(order, plane, 1, point, 1), X87_Load(&plane[3]));
    X87 sum = X87_Load(&plane[3]);
    for (int i = 0; i < 3; i++)
        sum = X87_Add(sum, X87_Mul(X87_Load(&plane[i]), X87_Load(&point[i])));
    return sum;
}

static inline bool IsBehindX87(bool inclusive, X87 distance) {
    X87 nothing = X87_Load(&zero);
    return inclusive ? X87_LessOrEqual(distance, nothing) : X87_Less(distance, nothing);
}

static inline X87 FractionX87(bool reciprocal, X87 d0, X87 nv) {
    if (reciprocal)
        return X87_Mul(d0, X87_Div(X87_Load(&one), X87_Neg(nv)));
    return X87_Div(d0, X87_Neg(nv));
}

static inline __attribute__((always_inline)) bool
SegmentPlaneBy(X87Options options, const float start[3], const float end[3], const float plane[4],
               float hit[3]) {
    X87 x = X87_Sub(X87_Load(&end[0]), X87_Load(&start[0]));
    X87 y = X87_Sub(X87_Load(&end[1]), X87_Load(&start[1]));
    X87 z = X87_Sub(X87_Load(&end[2]), X87_Load(&start[2]));
    X87 nv = X87_Dot3OfStack(options.order, plane, 1, x, y, z);
    if (!X87_Less(nv, X87_Load(options.direction_limit)))
        return false;
    X87 d0 = DistanceX87(options.order, plane, start);
    if (!X87_LessOrEqual(X87_Load(&zero), d0))
        return false;
    if (!IsBehindX87(options.inclusive, DistanceX87(options.order, plane, end)))
        return false;
    X87 k = FractionX87(options.reciprocal, d0, nv);
    X87_Store(X87_Add(X87_Load(&start[0]), X87_Mul(x, k)), &hit[0]);
    X87_Store(X87_Add(X87_Load(&start[1]), X87_Mul(y, k)), &hit[1]);
    X87_Store(X87_Add(X87_Load(&start[2]), X87_Mul(z, k)), &hit[2]);
    return true;
}

/* The default choices have a function of their own. It is fast, because the compiler knows them and
 * keeps all numbers in the x87's eight registers. */
static __attribute__((noinline)) bool SegmentPlaneByDefaults(const float *direction_limit,
                                                             const float start[3],
                                                             const float end[3],
                                                             const float plane[4], float hit[3]) {
    const X87Options defaults = {.direction_limit = direction_limit};
    return SegmentPlaneBy(defaults, start, end, plane, hit);
}

static bool SegmentPlaneX87(const float *direction_limit, const RpArithmetic *arithmetic,
                            const float start[3], const float end[3], const float plane[4],
                            float hit[3]) {
    const X87Options options = {.direction_limit = direction_limit,
                                .order = Reading_Choice(arithmetic, READING_PLANE_SUM),
                                .inclusive = Reading_IsAlternative(arithmetic, READING_PLANE_FAR),
                                .reciprocal =
                                    Reading_IsAlternative(arithmetic, READING_PLANE_DIVISION)};
    if (options.order == SUM3_SEQUENTIAL && !options.inclusive && !options.reciprocal)
        return SegmentPlaneByDefaults(direction_limit, start, end, plane, hit);
    return SegmentPlaneBy(options, start, end, plane, hit);
}

/* ---- SSE ------------------------------------------------------------------------------------- */

SSE_STEP Sse DistanceSse(int order, const float plane[4], const float point[3]) {
    if (order != PLANE_OFFSET_FIRST)
        return Sse_Add(Sse_Dot3(order, plane, 1, point, 1), Sse_Load(&plane[3]));
    Sse sum = Sse_Load(&plane[3]);
    for (int i = 0; i < 3; i++)
        sum = Sse_Add(sum, Sse_Mul(Sse_Load(&plane[i]), Sse_Load(&point[i])));
    return sum;
}

typedef struct SseOptions {
    int order;     /* plane-sum-sse */
    bool factored; /* plane-newton */
    RpEstimates estimates;
} SseOptions;

/* Computes 1 / m from an estimate and one Newton step. */
SSE_STEP Sse ReciprocalSse(SseOptions options, Sse m) {
    Sse r = Sse_RcpOf(options.estimates, m);
    if (options.factored)
        return Sse_Mul(r, Sse_Sub(Sse_Load(&two), Sse_Mul(m, r)));
    return Sse_Sub(Sse_Add(r, r), Sse_Mul(Sse_Mul(m, r), r));
}

SSE_STEP Sse DifferenceSse(const float *a, const float *b) {
    return Sse_Sub(Sse_Load(a), Sse_Load(b));
}

SSE_STEP bool SegmentPlaneBySse(SseOptions options, const float start[3], const float end[3],
                                const float plane[4], float hit[3]) {
    Sse x = DifferenceSse(&end[0], &start[0]), nx = Sse_Mul(Sse_Load(&plane[0]), x);
    Sse y = DifferenceSse(&end[1], &start[1]), ny = Sse_Mul(Sse_Load(&plane[1]), y);
    Sse z = DifferenceSse(&end[2], &start[2]), nz = Sse_Mul(Sse_Load(&plane[2]), z);
    Sse nv = Sse_Sum3(options.order, nx, ny, nz), nothing = Sse_Load(&zero);
    if (!Sse_Less(nv, nothing))
        return false;
    Sse d0 = DistanceSse(options.order, plane, start);
    if (!Sse_LessOrEqual(nothing, d0))
        return false;
    if (!Sse_LessOrEqual(DistanceSse(options.order, plane, end), nothing))
        return false;
    Sse k = Sse_Mul(d0, ReciprocalSse(options, Sse_Neg(nv)));
    x = Sse_Add(Sse_Load(&start[0]), Sse_Mul(x, k));
    y = Sse_Add(Sse_Load(&start[1]), Sse_Mul(y, k));
    z = Sse_Add(Sse_Load(&start[2]), Sse_Mul(z, k));
    Sse_Store(x, &hit[0]);
    Sse_Store(y, &hit[1]);
    Sse_Store(z, &hit[2]);
    return true;
}

SSE_BUILD static bool SegmentPlaneByOptionsSse(const RpArithmetic *arithmetic, const float start[3],
                                               const float end[3], const float plane[4],
                                               float hit[3]) {
    const SseOptions options = {.order = Reading_Choice(arithmetic, READING_PLANE_SUM_SSE),
                                .factored = Reading_IsAlternative(arithmetic, READING_PLANE_NEWTON),
                                .estimates = Arithmetic_Estimates(arithmetic)};
    return SegmentPlaneBySse(options, start, end, plane, hit);
}

/* The default choices have a function of their own here, too. */
SSE_BUILD static bool SegmentPlaneByDefaultsSse(const float start[3], const float end[3],
                                                const float plane[4], float hit[3]) {
    const SseOptions defaults = {.order = SUM3_SEQUENTIAL};
    return SegmentPlaneBySse(defaults, start, end, plane, hit);
}

static inline bool SegmentPlaneSse(const RpArithmetic *arithmetic, const float start[3],
                                   const float end[3], const float plane[4], float hit[3]) {
    if (Reading_IsServed(arithmetic, OF_SEGMENT_SSE) &&
        Arithmetic_Estimates(arithmetic) == RP_ESTIMATES_OF_THIS)
        return SegmentPlaneByDefaultsSse(start, end, plane, hit);
    return SegmentPlaneByOptionsSse(arithmetic, start, end, plane, hit);
}

/* ---- slot 45 --------------------------------------------------------------------------------- */

uint32_t RpSegment_Plane(const RpArithmetic *arithmetic, const float start[3], const float end[3],
                         const float plane[4], float hit[3]) {
    float crossing[3];
    bool crosses;
    const RpBuild build = Arithmetic_Build(arithmetic);
    const ArithmeticScope scope = Arithmetic_Enter(arithmetic);
    if (build == RP_BUILD_SSE) {
        crosses = SegmentPlaneSse(arithmetic, start, end, plane, hit);
    } else {
        const float *limit = build == RP_BUILD_FXCH ? &zero : &minus_least_normal;
        crosses = SegmentPlaneX87(limit, arithmetic, start, end, plane, crossing);
        if (crosses)
            memcpy(hit, crossing, sizeof crossing);
    }
    Arithmetic_Leave(scope);
    return crosses;
}
