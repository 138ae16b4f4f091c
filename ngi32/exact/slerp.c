#include "ngi32/exact/slerp.h"

#include "ngi32/exact/one.h"

ENTRY bool Exact_Slerp(ExactSum order, const float q0[4], const float q1[4], const float *t,
                       float result[4]) {
    const __m128 from = _mm_loadu_ps(q0), to = _mm_loadu_ps(q1);
    return Exact_IsFraction(t) && Exact_AreAllModerate(from, to) &&
           Slerp(order, from, to, *t, result);
}

/* Returns the squared length. Each product and sum is rounded. */
static inline float SquaredLength(__m128 q) {
    return Dot(EXACT_SEQUENTIAL, q, q);
}

/* Returns b, negated if -b is nearer to a. Sums and differences of numbers of the sizes that are
 * allowed here are 0 or at least 2^-63, and their squares at least 2^-126. */
static inline __m128 NearerSide(__m128 a, __m128 b) {
    const bool is_far = SquaredLength(_mm_add_ps(a, b)) < SquaredLength(_mm_sub_ps(a, b));
    return is_far ? _mm_xor_ps(b, _mm_set1_ps(-0.0f)) : b;
}

/* Returns the last four numbers of a pose: the rotation's last one, and the position. */
static inline __m128 LastFour(const ExactPose *pose) {
    return _mm_loadu_ps((const float *)(const void *)((const char *)pose + 3 * sizeof(float)));
}
_Static_assert(sizeof(ExactPose) == 7 * sizeof(float), "seven numbers");

ENTRY bool Exact_BlendPoses(ExactSum order, const ExactPose *a, const ExactPose *b,
                            const float *weight, ExactPose *result) {
    const __m128 qa = _mm_loadu_ps(a->quaternion), qb = _mm_loadu_ps(b->quaternion);
    const __m128 pa = LastFour(a), pb = LastFour(b);
    if (!Exact_IsFraction(weight) || !Exact_AreAllModerate(qa, qb) ||
        !Exact_AreAllModerate(pa, pb) ||
        !Slerp(order, qa, NearerSide(qa, qb), *weight, result->quaternion))
        return false;
    float between[4];
    _mm_storeu_ps(between, _mm_add_ps(_mm_mul_ps(_mm_set1_ps(1 - *weight), pa),
                                      _mm_mul_ps(_mm_set1_ps(*weight), pb)));
    memcpy(result->position, between + 1, sizeof result->position);
    return true;
}
