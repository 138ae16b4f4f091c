/* Computes many interpolations at once, with the exact core where that is possible. */
#include "ngi32/exact/many.h"
#include "ngi32/arc_readings.h"
#include "ngi32/exact/force.h"
#include "ngi32/processor/scope.h"
#include "retropose/fastproc.h"

static void Gather(const float (*quaternions)[4], int count, ExactRotations *rotations) {
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 4; k++)
            rotations->number[k][i] = quaternions[i][k];
    for (int i = count; i % EXACT_MOST_LANES != 0; i++) /* these are numbers that set no flag */
        for (int k = 0; k < 4; k++)
            rotations->number[k][i] = k == 0;
}

/* Writes the interpolations that the core can do, and returns those that are still to be done. */
static uint64_t TryMany(const ExactWidth *width, ExactSum order, const float (*q0)[4],
                        const float (*q1)[4], const float *t, int count, float (*result)[4]) {
    ExactRotations a, b;
    float fractions[EXACT_MANY];
    for (int i = 0; i < count || i % EXACT_MOST_LANES != 0; i++)
        fractions[i] = i < count ? t[i] : 1;
    const uint32_t before = Exact_Enter();
    Gather(q0, count, &a);
    Gather(q1, count, &b);
    const uint64_t refused = width->interpolate(&a, &b, fractions, count, order, &a);
    if (!Exact_LeaveGuarded(before))
        return UINT64_MAX;
    for (int i = 0; i < count; i++)
        if (!(refused >> i & 1))
            for (int k = 0; k < 4; k++)
                result[i][k] = a.number[k][i];
    return refused;
}

void RpQuaternion_InterpolateMany(const RpArithmetic *arithmetic, size_t count,
                                  const float (*q0)[4], const float (*q1)[4], const float *t,
                                  float (*result)[4]) {
    const ArithmeticScope scope = Arithmetic_Enter(arithmetic);
    const ExactWidth *width =
        Arc_IsExact(arithmetic) && Exact_IsInForce(arithmetic) ? Exact_Width() : NULL;
    const ExactSum order = Arc_Order(arithmetic);
    for (size_t first = 0; first < count; first += EXACT_MANY) {
        const int run = count - first < EXACT_MANY ? (int)(count - first) : EXACT_MANY;
        const uint64_t refused =
            width ? TryMany(width, order, q0 + first, q1 + first, t + first, run, result + first)
                  : UINT64_MAX;
        for (int i = 0; refused && i < run; i++)
            if (refused >> i & 1)
                RpQuaternion_Interpolate(arithmetic, q0[first + (size_t)i], q1[first + (size_t)i],
                                         t[first + (size_t)i], result[first + (size_t)i]);
    }
    Arithmetic_Leave(scope);
}
