/* The functions of one argument in a slerp (docs/reference/exact.md), computed in binary64, and the
 * tests whether their errors could change a rounding. They are in a header so that the project's
 * tests can compute each of them for every argument. The operations are those of SSE2 in a fixed
 * order, so that every compiler and every processor gives the same bits. */
#ifndef RETROPOSE_NGI32_EXACT_ARC_H
#define RETROPOSE_NGI32_EXACT_ARC_H

#include "ngi32/processor/sse2.h"
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* ---- rounding to 24 bits --------------------------------------------------------------------- */

/* The errors that the tests of rounding allow. Each is the least power of two that is at least four
 * times the error that is proven for what is rounded (arc_errors.h), so that an x87 that errs a
 * little more than its maker documents is still covered. tests/ngi32/exact demands this relation. A
 * relative error is counted in units of the last place of binary64; rounding to 24 bits drops 29 of
 * these bits. */
enum { EXACT_REST_BITS = 29, EXACT_WINDOW = 32 };
#define EXACT_COSINE_ERROR 0x1p-48

/* Rounds a normal number. Returns whether every number within EXACT_WINDOW units of it rounds to
 * the same result, which is not so near the middle between two numbers of 24 bits. */
static inline bool Exact_Round(double value, float *rounded) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint32_t rest = (uint32_t)bits & ((1u << EXACT_REST_BITS) - 1);
    const uint32_t middle = 1u << (EXACT_REST_BITS - 1);
    *rounded = (float)value;
    return rest - (middle - EXACT_WINDOW) > 2u * EXACT_WINDOW;
}

/* Does the same for an error that is absolute. */
static inline bool Exact_RoundAbsolutely(double value, double error, float *rounded) {
    *rounded = (float)(value - error);
    return *rounded == (float)(value + error);
}

/* ---- transcendental functions ---------------------------------------------------------------- */

/* The polynomials are found by Sollya's fpminimax, in the square of the argument
 * (ngi32/exact/proofs/slerp.sollya). The tables leave out the first coefficient, which is 1. Each
 * polynomial is evaluated in a fixed order, which decides the bits of the result. The functions
 * here evaluate it for one number, and many_kernel.h for the lanes of a vector. */
static const double exact_arc_tangent[13] = {
    -0x1.55555555554edp-2, 0x1.999999998d809p-3, -0x1.249249209e527p-3, 0x1.c71c70784929ep-4,
    -0x1.745cf670635a6p-4, 0x1.3b119c8d54d0dp-4, -0x1.10fa181e29365p-4, 0x1.e07dc6d512fa7p-5,
    -0x1.a7752ed5b3e1ap-5, 0x1.6773b2d472a52p-5, -0x1.0ca6dee79d1cp-5,  0x1.2ab33827fdfe5p-6,
    -0x1.5e22a8ee00436p-8};
static const double exact_sine[8] = {
    -0x1.5555555555555p-3,  0x1.11111111110c9p-7, -0x1.a01a01a014eb6p-13, 0x1.71de3a52aab95p-19,
    -0x1.ae6454d96099fp-26, 0x1.6123ce513361p-33, -0x1.ae43dc992f88bp-41, 0x1.883c1bfe82636p-49};
static const double exact_cosine[8] = {
    -0x1.ffffffffffffdp-2,  0x1.5555555555414p-5,  -0x1.6c16c16c0b5c6p-10, 0x1.a01a0199dede6p-16,
    -0x1.27e4f995cb532p-22, 0x1.1eece58bf5007p-29, -0x1.93521ed11f415p-37, 0x1.9f482b0b61bbcp-45};

/* The argument is at most tan(pi/6). The relative error of the approximation is below 2^-56. */
static inline double Exact_ArcTangent(double x) {
    const double *k = exact_arc_tangent;
    const double y = x * x, y2 = y * y, y4 = y2 * y2, y8 = y4 * y4;
    const double low = (k[0] + k[1] * y) + (k[2] + k[3] * y) * y2;
    const double middle = (k[4] + k[5] * y) + (k[6] + k[7] * y) * y2;
    const double high = (k[8] + k[9] * y) + (k[10] + k[11] * y) * y2;
    const double p = (low + middle * y4) + (high + k[12] * y4) * y8;
    return x + x * (y * p);
}

typedef struct ExactSineCosine {
    double sine, cosine;
} ExactSineCosine;

/* Returns a vector of two numbers, of which the low one is for the sine. */
static inline __m128d Exact_Lanes(double sine, double cosine) {
    return _mm_set_pd(cosine, sine);
}

/* Adds two neighbouring terms of both polynomials. */
static inline __m128d Exact_Terms(int first, __m128d y) {
    return _mm_add_pd(Exact_Lanes(exact_sine[first], exact_cosine[first]),
                      _mm_mul_pd(Exact_Lanes(exact_sine[first + 1], exact_cosine[first + 1]), y));
}

static inline __m128d Exact_Line(__m128d constant, __m128d slope, __m128d y) {
    return _mm_add_pd(constant, _mm_mul_pd(slope, y));
}

/* The argument is at most pi/2. The error of the approximation is below 2^-61 relative to the sine,
 * and below 2^-57 for the cosine. Both polynomials have the same shape, so each has a lane. */
static inline ExactSineCosine Exact_SineCosine(double x) {
    const double square = x * x;
    const __m128d y = _mm_set1_pd(square), y2 = _mm_mul_pd(y, y), y4 = _mm_mul_pd(y2, y2);
    const __m128d low = Exact_Line(Exact_Terms(0, y), Exact_Terms(2, y), y2);
    const __m128d high = Exact_Line(Exact_Terms(4, y), Exact_Terms(6, y), y2);
    const __m128d p = Exact_Line(low, high, y4);
    const __m128d result = Exact_Line(Exact_Lanes(x, 1), Exact_Lanes(x * square, square), p);
    ExactSineCosine both;
    _mm_storel_pd(&both.sine, result);
    _mm_storeh_pd(&both.cosine, result);
    return both;
}

/* Half of the 66-bit pi by which fsin and fcos reduce their argument, in two parts of 31 and 32
 * bits. The product of a part and an integer below 2^20 is exact. */
static const double exact_right_angle[2] = {0x1.921fb544p0, 0x1.0b4611a6p-34};
#define EXACT_PER_RIGHT_ANGLE 0x1.45f306dc9c883p-1 /* 2/pi */

/* The angle is at most 2^19 in size. Subtracts the nearest multiple of a right angle, computes sine
 * and cosine of the rest, and rotates them by that multiple. */
static inline ExactSineCosine Exact_SineCosineOfAngle(double x) {
    const int turns = _mm_cvtsd_si32(_mm_set_sd(x * EXACT_PER_RIGHT_ANGLE));
    const double n = turns;
    const double rest = (x - n * exact_right_angle[0]) - n * exact_right_angle[1];
    const ExactSineCosine of = Exact_SineCosine(rest);
    const double sine = turns & 1 ? of.cosine : of.sine;
    const double cosine = turns & 1 ? of.sine : of.cosine;
    return (ExactSineCosine){.sine = turns & 2 ? -sine : sine,
                             .cosine = (turns + 1) & 2 ? -cosine : cosine};
}

/* ---- arcs ------------------------------------------------------------------------------------ */

/* 9.9999997e-6. Quaternions for which 1 - c is at most this are interpolated linearly
 * (docs/reference/arithmetic.md). */
static inline float Exact_Limit(void) {
    const uint32_t bits = 0x3727C5ACu;
    float limit;
    memcpy(&limit, &bits, sizeof limit);
    return limit;
}

static inline float Exact_SquareRoot(float x) {
    return _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(x)));
}

typedef struct ExactAngle {
    double theta, reciprocal_sine;
} ExactAngle;

/* Returns the angle of the point (c, r), where r is the stored root of (1 + c)(1 - c), and 1 over
 * the angle's sine. The point lies a little beside the unit circle: its radius is h = 1 + e/2 -
 * e^2/8, where r^2 + c^2 = 1 + e. So the sine is r/h, and the tangent of half of the angle is (h -
 * c)/r. */
static inline ExactAngle Exact_Angle(float c) {
    const float r = Exact_SquareRoot((1 + c) * (1 - c));
    const double wide_c = c, wide_r = r;
    const double e = wide_r * wide_r - (1 - wide_c) * (1 + wide_c);
    const double excess = e * 0.5 - e * e * 0.125; /* h - 1 */
    const double over_r = 1 / wide_r;
    /* Up to 60 degrees the angle is twice the arc tangent of its half; beyond that it is pi/2 less
     * the arc tangent of the complement. This does not branch, because a processor cannot predict
     * which of them is taken. */
    static const double start[] = {0x1.921fb54442d18p0, 0}, factor[] = {-1, 2};
    const __m128d is_half = _mm_cmpge_sd(_mm_set_sd(wide_c), _mm_set_sd(0.5));
    const __m128d leg = _mm_or_pd(_mm_and_pd(is_half, _mm_set_sd((1 - wide_c) + excess)),
                                  _mm_andnot_pd(is_half, _mm_set_sd(wide_c)));
    const int half = _mm_movemask_pd(is_half) & 1;
    const double theta = start[half] + factor[half] * Exact_ArcTangent(_mm_cvtsd_f64(leg) * over_r);
    return (ExactAngle){.theta = theta, .reciprocal_sine = over_r + over_r * excess};
}

#endif
