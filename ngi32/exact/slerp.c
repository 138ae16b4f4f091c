#include "ngi32/exact/slerp.h"

#include "ngi32/exact/one.h"

ENTRY bool Exact_Slerp(ExactSum order, const float q0[4], const float q1[4], const float *t,
                       float result[4]) {
    const __m128 from = _mm_loadu_ps(q0), to = _mm_loadu_ps(q1);
    return Exact_IsFraction(t) && Exact_AreAllModerate(from, to) &&
           Slerp(order, from, to, *t, result);
}
