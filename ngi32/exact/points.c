#include "ngi32/exact/points.h"

#include "ngi32/exact/force.h"
#include "ngi32/exact/many.h"

#include <emmintrin.h>
#include <string.h>

/* A function of its own, because nothing of it may happen before MXCSR is set or after it is read,
 * and because it is asked after the processor has been. */
#ifdef __i386__
__attribute__((force_align_arg_pointer))
#endif
__attribute__((noinline)) static bool
Move(const float matrix[16], float *points, int count) {
    __m128 x = _mm_loadu_ps(matrix), y = _mm_loadu_ps(matrix + 4), z = _mm_loadu_ps(matrix + 8);
    __m128 last = _mm_setzero_ps(), odd = _mm_setzero_ps();
    float moved[3 * EXACT_MOST_POINTS + 1];
    _MM_TRANSPOSE4_PS(x, y, z, last);
    for (int i = 0; i < 3 * count; i += 3) {
        const __m128 sum = _mm_add_ps(_mm_add_ps(_mm_mul_ps(x, _mm_set1_ps(points[i])),
                                                 _mm_mul_ps(y, _mm_set1_ps(points[i + 1]))),
                                      _mm_mul_ps(z, _mm_set1_ps(points[i + 2])));
        const __m128 point = _mm_add_ps(sum, last);
        /* 0, or a NaN where the number is not finite. */
        odd = _mm_or_ps(odd, _mm_sub_ps(point, point));
        _mm_storeu_ps(moved + i, point);
    }
    if (_mm_movemask_ps(_mm_cmpunord_ps(odd, odd)))
        return false;
    memcpy(points, moved, 3 * (size_t)count * sizeof *points);
    return true;
}

bool Exact_MovePoints(const float matrix[16], float *points, int count) {
    float moved[3 * EXACT_MOST_POINTS];
    const size_t bytes = 3 * (size_t)count * sizeof *points;
    if (!Exact_IsInForce())
        return false;
    memcpy(moved, points, bytes);
    const uint32_t before = Exact_Enter();
    const bool finite = Move(matrix, moved, count);
    if (!Exact_Leave(before) || !finite)
        return false;
    memcpy(points, moved, bytes);
    return true;
}
