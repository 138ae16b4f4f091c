/* Slot 45 of g_FastProc (facts/ngi32.md B.4d, facts/anchors.md 3.5a), in the order of operations of
 * docs/arithmetic.md. */
#include "hypothesis.h"
#include "retropose/fastproc.h"
#include "sse.h"
#include "x87.h"

#include <float.h>
#include <string.h>

static const float zero = 0.0f, two = 2.0f;
static const float minus_least_normal = -FLT_MIN; /* 0x80800000, at 0x1001FA00 */

/* ---- x87 ------------------------------------------------------------------------------------- */

/* n . point + offset */
static long double DistanceX87(const float plane[4], const float point[3]) {
    long double sum = X87_Mul(X87_Load(&plane[0]), X87_Load(&point[0]));
    for (int i = 1; i < 3; i++)
        sum = X87_Add(sum, X87_Mul(X87_Load(&plane[i]), X87_Load(&point[i])));
    return X87_Add(sum, X87_Load(&plane[3]));
}

static bool IsBehindX87(bool inclusive, long double distance) {
    long double nothing = X87_Load(&zero);
    return inclusive ? X87_LessOrEqual(distance, nothing) : X87_Less(distance, nothing);
}

static bool SegmentPlaneX87(const float *direction_limit, bool inclusive, const float start[3],
                            const float end[3], const float plane[4], float hit[3]) {
    long double v[3];
    for (int i = 0; i < 3; i++)
        v[i] = X87_Sub(X87_Load(&end[i]), X87_Load(&start[i]));
    long double nv = X87_Mul(X87_Load(&plane[0]), v[0]);
    for (int i = 1; i < 3; i++)
        nv = X87_Add(nv, X87_Mul(X87_Load(&plane[i]), v[i]));
    if (!X87_Less(nv, X87_Load(direction_limit)))
        return false;
    long double d0 = DistanceX87(plane, start);
    if (!X87_LessOrEqual(X87_Load(&zero), d0))
        return false;
    if (!IsBehindX87(inclusive, DistanceX87(plane, end)))
        return false;
    long double k = X87_Div(d0, X87_Neg(nv));
    for (int i = 0; i < 3; i++)
        X87_Store(X87_Add(X87_Load(&start[i]), X87_Mul(v[i], k)), &hit[i]);
    return true;
}

/* ---- SSE ------------------------------------------------------------------------------------- */

SSE_STEP Sse DistanceSse(const float plane[4], const float point[3]) {
    Sse sum = Sse_Mul(Sse_Load(&plane[0]), Sse_Load(&point[0]));
    for (int i = 1; i < 3; i++)
        sum = Sse_Add(sum, Sse_Mul(Sse_Load(&plane[i]), Sse_Load(&point[i])));
    return Sse_Add(sum, Sse_Load(&plane[3]));
}

/* 1 / m by the estimate and one Newton step */
SSE_STEP Sse ReciprocalSse(bool factored, Sse m) {
    Sse r = Sse_Rcp(m);
    if (factored)
        return Sse_Mul(r, Sse_Sub(Sse_Load(&two), Sse_Mul(m, r)));
    return Sse_Sub(Sse_Add(r, r), Sse_Mul(Sse_Mul(m, r), r));
}

SSE_BUILD static bool SegmentPlaneSse(bool factored, const float start[3], const float end[3],
                                      const float plane[4], float hit[3]) {
    Sse v[3], nothing = Sse_Load(&zero);
    for (int i = 0; i < 3; i++)
        v[i] = Sse_Sub(Sse_Load(&end[i]), Sse_Load(&start[i]));
    Sse nv = Sse_Mul(Sse_Load(&plane[0]), v[0]);
    for (int i = 1; i < 3; i++)
        nv = Sse_Add(nv, Sse_Mul(Sse_Load(&plane[i]), v[i]));
    if (!Sse_Less(nv, nothing))
        return false;
    Sse d0 = DistanceSse(plane, start);
    if (!Sse_LessOrEqual(nothing, d0))
        return false;
    if (!Sse_LessOrEqual(DistanceSse(plane, end), nothing))
        return false;
    Sse k = Sse_Mul(d0, ReciprocalSse(factored, Sse_Neg(nv)));
    for (int i = 0; i < 3; i++)
        Sse_Store(Sse_Add(Sse_Load(&start[i]), Sse_Mul(v[i], k)), &hit[i]);
    return true;
}

/* ---- slot 45 --------------------------------------------------------------------------------- */

int RpSegment_Plane(RpBuild build, const RpHypotheses *hypotheses, const float start[3],
                    const float end[3], const float plane[4], float hit[3]) {
    float crossing[3];
    bool crosses;
    if (build == RP_BUILD_SSE) {
        bool factored = Hypothesis_IsAlternative(hypotheses, HYPOTHESIS_PLANE_NEWTON);
        crosses = SegmentPlaneSse(factored, start, end, plane, crossing);
    } else {
        bool inclusive = Hypothesis_IsAlternative(hypotheses, HYPOTHESIS_PLANE_FAR);
        const float *limit = build == RP_BUILD_FXCH ? &zero : &minus_least_normal;
        crosses = SegmentPlaneX87(limit, inclusive, start, end, plane, crossing);
    }
    if (crosses)
        memcpy(hit, crossing, sizeof crossing);
    return crosses;
}
