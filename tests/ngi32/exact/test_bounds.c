/* Tests that the functions of one argument in the exact core are as near to the x87's instructions
 * as their tests of rounding assume, for every argument or for one of so many:
 *
 *   test_ngi32_exact_bounds [STEP]
 *
 * STEP 1 takes all of them, which is some minutes of work. The default takes one of 1009. */
#include "ngi32/exact/arc.h"
#include "ngi32/exact/range.h"

#include "ngi32/x87.h"
#include "tests/ngi32/floats.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define LARGEST_COSINE 0x3F7FFF57u /* 1 - c is above the limit of the spherical case */
#define LEAST_PHI      0x27000000u /* 2^-49: t is at least 2^-40, theta at least 2^-8.9 */
#define LARGEST_PHI    0x3FC90FDBu /* pi/2, rounded */

/* The bounds are to be at least so many times the errors that are found, beside a half unit for the
 * product in which a result goes on. */
#define MARGIN 5

static uint32_t step = 1009;

static float FromBits(uint32_t bits) {
    float number;
    Float_Put(&number, bits);
    return number;
}

/* The precision of 64 bits, in which the transcendental instructions give their results. */
static Rounding UseAllBits(void) {
    const Rounding before = Rounding_Get(), all = {.control_word = 0x037F, .mxcsr = 0x1F80};
    Rounding_Set(all);
    return before;
}

/* In units of the last place of the binary64 number. */
static double UnitsApart(double found, long double truth) {
    int exponent;
    frexp(found, &exponent);
    return fabs((double)(((long double)found - truth) / ldexpl(1, exponent - 53)));
}

static void Keep(double *largest, double error) {
    if (!(error <= *largest)) /* a NaN, too */
        *largest = error;
}

static void test_the_angle_of_an_arc(void **state) {
    (void)state;
    const float one = 1;
    double theta = 0, sine = 0;
    const Rounding before = UseAllBits();
    for (uint64_t bits = EXACT_BITS_2_M103; bits <= LARGEST_COSINE; bits += step) {
        const float c = FromBits((uint32_t)bits);
        const float r = Exact_SquareRoot((1 + c) * (1 - c));
        const ExactAngle angle = Exact_Angle(c);
        const long double truth = X87_Patan(X87_Load(&r), X87_Load(&c));
        Keep(&theta, UnitsApart(angle.theta, truth));
        Keep(&sine, UnitsApart(angle.reciprocal_sine, X87_Div(X87_Load(&one), X87_Sin(truth))));
    }
    Rounding_Set(before);
    print_message("theta: %.2f units, 1/sin(theta): %.2f units\n", theta, sine);
    assert_true((theta + 0.5) * MARGIN <= EXACT_WINDOW);
    assert_true(sine * MARGIN <= EXACT_WINDOW);
}

static void test_sine_and_cosine(void **state) {
    (void)state;
    double sine = 0, cosine = 0;
    const Rounding before = UseAllBits();
    for (uint64_t bits = LEAST_PHI; bits <= LARGEST_PHI; bits += step) {
        const float phi = FromBits((uint32_t)bits);
        const ExactSineCosine found = Exact_SineCosine(phi);
        Keep(&sine, UnitsApart(found.sine, X87_Sin(X87_Load(&phi))));
        Keep(&cosine, fabs((double)((long double)found.cosine - X87_Cos(X87_Load(&phi)))));
    }
    Rounding_Set(before);
    print_message("sin(phi): %.2f units, cos(phi): %a\n", sine, cosine);
    assert_true((sine + 0.5) * MARGIN <= EXACT_WINDOW);
    /* The difference that is rounded is computed with an error of half a unit of 1 at most. */
    assert_true((cosine + 0x1p-53) * MARGIN <= EXACT_COSINE_ERROR);
}

/* With 0 as the dot product the angle is a right one. */
static void test_a_right_angle(void **state) {
    (void)state;
    const ExactAngle angle = Exact_Angle(0);
    assert_true(angle.theta == 0x1.921fb54442d18p0);
    assert_true(angle.reciprocal_sine == 1);
}

static void test_rounding_refuses_the_middle(void **state) {
    (void)state;
    const double unit = 0x1p-52, middle = 1 + 0x1p-24;
    float rounded;
    for (int i = -2 * EXACT_WINDOW; i <= 2 * EXACT_WINDOW; i++) {
        const bool is_near = i >= -EXACT_WINDOW && i <= EXACT_WINDOW;
        assert_int_equal(Exact_Round(middle + i * unit, &rounded), !is_near);
        assert_true(is_near || rounded == (i < 0 ? 1.0f : 1 + 0x1p-23f));
    }
    assert_false(Exact_RoundAbsolutely(0.5 + 0x1p-25, EXACT_COSINE_ERROR, &rounded));
    assert_false(Exact_RoundAbsolutely(0, EXACT_COSINE_ERROR, &rounded));
    assert_true(Exact_RoundAbsolutely(0.25, EXACT_COSINE_ERROR, &rounded));
    assert_true(rounded == 0.25f);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_angle_of_an_arc),
        cmocka_unit_test(test_sine_and_cosine),
        cmocka_unit_test(test_a_right_angle),
        cmocka_unit_test(test_rounding_refuses_the_middle),
    };
    if (argc > 1)
        step = (uint32_t)strtoul(argv[1], NULL, 10);
    if (step == 0) {
        fprintf(stderr, "usage: %s [STEP], with a STEP of 1 or more\n", argv[0]);
        return 2;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
