/* Tests the processor's results that the model takes as given: fsin, fcos and fpatan are compared
 * with their true values by MPFR, for the arguments for which slots 17 and 22 and ngiGetSinCos use
 * them.
 *
 * Bounds are in units in the last place of the 64-bit significand. The manuals of both vendors
 * promise an error of less than one under round to nearest. A directed rounding may add up to
 * one. */
#include "hardware.h"
#include "number.h"
#include "tests/ngi32/floats.h"
#include "tests/test.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define CASES 200000
/* enough, with room to spare, for the reduction of any binary32 argument up to 2^128 */
#define PRECISION 320

typedef struct Truth {
    mpfr_t argument, second, value, difference, pi, turns;
} Truth;

static void Truth_Init(Truth *truth) {
    mpfr_inits2(PRECISION, truth->argument, truth->second, truth->value, truth->difference,
                truth->pi, truth->turns, (mpfr_ptr)NULL);
    mpfr_const_pi(truth->pi, MPFR_RNDN);
}

static void Truth_Clear(Truth *truth) {
    mpfr_clears(truth->argument, truth->second, truth->value, truth->difference, truth->pi,
                truth->turns, (mpfr_ptr)NULL);
}

/* Returns |hardware - truth->value| in units in the last place of the true value's 64-bit
 * significand. */
static double Ulps(Truth *truth, long double hardware) {
    Number number = Number_FromLongDouble(hardware);
    mpfr_t view;
    Number_View(view, &number, 64);
    mpfr_sub(truth->difference, view, truth->value, MPFR_RNDN);
    if (mpfr_zero_p(truth->difference))
        return 0;
    if (mpfr_zero_p(truth->value))
        return HUGE_VAL;
    mpfr_abs(truth->difference, truth->difference, MPFR_RNDN);
    mpfr_mul_2si(truth->difference, truth->difference, 64 - mpfr_get_exp(truth->value), MPFR_RNDN);
    return mpfr_get_d(truth->difference, MPFR_RNDU);
}

static void SetArgument(Truth *truth, long double x) {
    Number number = Number_FromLongDouble(x);
    mpfr_t view;
    Number_View(view, &number, 64);
    mpfr_set(truth->argument, view, MPFR_RNDN);
}

/* Computes the result of a processor that reduces with pi cut to 66 bits: the
 * argument less whole multiples of half of that pi, plus the same multiples of the true half. */
static void ReduceBy66Bits(Truth *truth) {
    mpfr_t shortened;
    mpfr_init2(shortened, 66);
    mpfr_set(shortened, truth->pi, MPFR_RNDZ);
    mpfr_div(truth->turns, truth->argument, shortened, MPFR_RNDN);
    mpfr_mul_2ui(truth->turns, truth->turns, 1, MPFR_RNDN);
    mpfr_rint(truth->turns, truth->turns, MPFR_RNDN);
    mpfr_sub(truth->difference, truth->pi, shortened, MPFR_RNDN);
    mpfr_mul(truth->difference, truth->difference, truth->turns, MPFR_RNDN);
    mpfr_div_2ui(truth->difference, truth->difference, 1, MPFR_RNDN);
    mpfr_add(truth->argument, truth->argument, truth->difference, MPFR_RNDN);
    mpfr_clear(shortened);
}

typedef struct Worst {
    double sine, cosine, tangent;
} Worst;

static void Raise(double *worst, double value) {
    if (value > *worst)
        *worst = value;
}

static void MeasureSineCosine(Truth *truth, long double x, bool reduce, Worst *worst) {
    SetArgument(truth, x);
    if (reduce)
        ReduceBy66Bits(truth);
    mpfr_sin(truth->value, truth->argument, MPFR_RNDN);
    Raise(&worst->sine, Ulps(truth, Hardware_Sine(x)));
    mpfr_cos(truth->value, truth->argument, MPFR_RNDN);
    Raise(&worst->cosine, Ulps(truth, Hardware_Cosine(x)));
}

/* Returns a random number of 64 significant bits in [0, limit). */
static long double DrawWide(Random *random, long double limit) {
    return (long double)Random_Next64(random) * 0x1p-64L * limit;
}

static void PrintWorst(const char *what, const Worst *worst) {
    print_message("%-44s fsin %.4f  fcos %.4f  of %d cases\n", what, worst->sine, worst->cosine,
                  CASES);
}

/* No reduction takes place up to pi / 4. Slot 17 needs this for fsin(theta), fsin(phi) and
 * fcos(phi) of keys less than a right angle apart. */
TEST(SineAndCosineUnreduced) {
    Truth truth;
    Worst worst = {0, 0, 0};
    Random random = {1};
    Truth_Init(&truth);
    for (int i = 0; i < CASES; i++)
        MeasureSineCosine(&truth, DrawWide(&random, 0.785398L), false, &worst);
    Truth_Clear(&truth);
    PrintWorst("|x| < pi/4, against the true value:", &worst);
    assert_true(worst.sine > 0 && worst.sine < 1 && worst.cosine > 0 && worst.cosine < 1);
}

/* Above that, the reduction of Intel's processors, and of AMD's family 25, is exact in everything
 * but the length of pi. */
TEST(SineAndCosineReduced) {
    if (!Hardware_ReducesBy66Bits()) {
        print_message("skipped: it is not known how this processor reduces an argument\n");
        skip();
    }
    static const long double limits[3] = {1.5707964L, 6.2831855L, 1e9L};
    for (int l = 0; l < 3; l++) {
        Truth truth;
        Worst worst = {0, 0, 0}, exact = {0, 0, 0};
        Random random = {2};
        Truth_Init(&truth);
        for (int i = 0; i < CASES / 2; i++) {
            /* First come 64-bit arguments, and then the binary32 ones that ngiGetSinCos is
             * given. */
            const long double x = DrawWide(&random, limits[l]);
            MeasureSineCosine(&truth, x, true, &worst);
            MeasureSineCosine(&truth, (long double)(float)x, true, &worst);
            MeasureSineCosine(&truth, (long double)(float)x, false, &exact);
        }
        Truth_Clear(&truth);
        char what[64];
        snprintf(what, sizeof what, "|x| < %Lg, against a 66-bit pi's:", limits[l]);
        PrintWorst(what, &worst);
        snprintf(what, sizeof what, "|x| < %Lg, floats, against the true value:", limits[l]);
        PrintWorst(what, &exact);
        assert_true(worst.sine > 0 && worst.sine < 1 && worst.cosine > 0 && worst.cosine < 1);
    }
}

/* Slot 17's theta has r = sqrt((1 + c)(1 - c)), rounded as each precision rounds it, and c in [0,
 * 1]. */
TEST(ArcTangent) {
    Truth truth;
    Worst worst = {0, 0, 0};
    Random random = {3};
    Truth_Init(&truth);
    for (int i = 0; i < CASES; i++) {
        static const uint16_t words[3] = {0x007F, 0x027F, 0x037F};
        const Format f = Format_X87(words[i % 3]);
        const Number one = Number_FromInteger(1);
        const Number c = Number_FromFloat((float)(Random_Next(&random) >> 8) * 0x1p-24F);
        Number r = Number_SquareRoot(
            &f, Number_Multiply(&f, Number_Add(&f, one, c), Number_Subtract(&f, one, c)));
        mpfr_t y, x;
        Number copy = c;
        Number_View(y, &r, 64);
        Number_View(x, &copy, 64);
        mpfr_atan2(truth.value, y, x, MPFR_RNDN);
        Raise(&worst.tangent,
              Ulps(&truth, Hardware_ArcTangent(Number_ToLongDouble(r), Number_ToLongDouble(c))));
    }
    Truth_Clear(&truth);
    print_message("%-44s fpatan %.4f  of %d cases\n",
                  "theta, against the true value:", worst.tangent, CASES);
    assert_true(worst.tangent > 0 && worst.tangent < 1);
}

/* The three instructions follow directed roundings to within one more unit. */
TEST(DirectedRounding) {
    const Rounding before = Rounding_Get();
    for (unsigned mode = 1; mode < 4; mode++) {
        Truth truth;
        Worst worst = {0, 0, 0};
        Random random = {4};
        Truth_Init(&truth);
        Rounding directed = before;
        directed.control_word = (uint16_t)(0x037F | mode << 10);
        for (int i = 0; i < CASES / 4; i++) {
            const long double x = DrawWide(&random, 0.785398L), y = DrawWide(&random, 1);
            long double sine, cosine, tangent;
            Rounding_Set(directed);
            sine = Hardware_Sine(x);
            cosine = Hardware_Cosine(x);
            tangent = Hardware_ArcTangent(y, x);
            Rounding_Set(before);
            SetArgument(&truth, x);
            mpfr_sin(truth.value, truth.argument, MPFR_RNDN);
            Raise(&worst.sine, Ulps(&truth, sine));
            mpfr_cos(truth.value, truth.argument, MPFR_RNDN);
            Raise(&worst.cosine, Ulps(&truth, cosine));
            Number n = Number_FromLongDouble(y);
            mpfr_t view;
            Number_View(view, &n, 64);
            mpfr_atan2(truth.value, view, truth.argument, MPFR_RNDN);
            Raise(&worst.tangent, Ulps(&truth, tangent));
        }
        Truth_Clear(&truth);
        print_message("rounding mode %u: %32s fsin %.4f  fcos %.4f  fpatan %.4f\n", mode, "",
                      worst.sine, worst.cosine, worst.tangent);
        assert_true(worst.sine < 2 && worst.cosine < 2 && worst.tangent < 2);
    }
}
