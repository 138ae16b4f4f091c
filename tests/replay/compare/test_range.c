/* Compares the ranges of replay/compare/range.h with correctly rounded values: what fsin, fcos and
 * fpatan may give includes the true value, and nothing farther from it than the manuals allow. */
#include <stddef.h>
#include <stdint.h>

#include <mpfr.h>
#include <string.h>

#include "core/random.h"
#include "replay/compare/range.h"
#include "tests/test.h"

#define SAMPLES 20000
#define BITS    300

static uint64_t random_state = 2001;

static uint32_t Random(void) {
    return Random_Lcg64Word(&random_state);
}

/* Returns a number of magnitude 2^low to 2^high, of either sign unless `positive` is set. */
static float RandomFloat(int low, int high, bool positive) {
    uint32_t exponent = (uint32_t)(127 + low) + Random() % (uint32_t)(high - low);
    uint32_t bits = exponent << 23 | Random() >> 9 | (positive ? 0 : Random() & 0x80000000u);
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* Returns number - truth in units of the last of 64 bits of the truth. */
static double UnitsFrom(mpfr_t truth, long double number) {
    mpfr_t error;
    mpfr_init2(error, BITS);
    mpfr_set_ld(error, number, MPFR_RNDN);
    mpfr_sub(error, error, truth, MPFR_RNDN);
    mpfr_mul_2si(error, error, 64 - mpfr_get_exp(truth), MPFR_RNDN);
    double units = mpfr_get_d(error, MPFR_RNDN);
    mpfr_clear(error);
    return units;
}

static void AssertAround(mpfr_t truth, Range range, bool directed) {
    double allowed = directed ? 1.5 : 1, low = UnitsFrom(truth, range.low);
    double high = UnitsFrom(truth, range.high);
    assert_true(low <= 0 && high >= 0);
    assert_true(low >= -allowed && high <= allowed);
    /* The next number of 64 bits would be too far. Next to a power of two it is two units away. */
    assert_true(low < 2 - allowed + 1e-9 && high > allowed - 2 - 1e-9);
}

/* Computes sin(angle + turn * pi / 2). The angle is reduced by the processors' pi, which ends after
 * 66 bits. */
static void Sine(mpfr_t sine, float angle, long turn) {
    mpfr_t rest, quarter, quarters;
    mpfr_inits2(BITS, rest, quarter, quarters, (mpfr_ptr)0);
    mpfr_set_str(quarter, "c90fdaa22168c234c", 16, MPFR_RNDN);
    mpfr_div_2ui(quarter, quarter, 67, MPFR_RNDN);
    mpfr_set_flt(rest, angle, MPFR_RNDN);
    mpfr_div(quarters, rest, quarter, MPFR_RNDN);
    mpfr_round(quarters, quarters);
    long place = mpfr_get_si(quarters, MPFR_RNDN) + turn;
    mpfr_mul(quarters, quarters, quarter, MPFR_RNDN);
    mpfr_sub(rest, rest, quarters, MPFR_RNDN);
    (place & 1 ? mpfr_cos : mpfr_sin)(sine, rest, MPFR_RNDN);
    if (place & 2)
        mpfr_neg(sine, sine, MPFR_RNDN);
    mpfr_clears(rest, quarter, quarters, (mpfr_ptr)0);
}

TEST(SinesHoldTheTruthAndNoMore) {
    mpfr_t truth;
    mpfr_init2(truth, BITS);
    for (int i = 0; i < SAMPLES; i++) {
        float angle = RandomFloat(-40, 62, false);
        bool directed = i & 1;
        Sine(truth, angle, 0);
        AssertAround(truth, Range_Sine(directed, Range_Of(angle)), directed);
        Sine(truth, angle, 1);
        AssertAround(truth, Range_Cosine(directed, Range_Of(angle)), directed);
    }
    mpfr_clear(truth);
}

TEST(ArcTangentsHoldTheTruthAndNoMore) {
    mpfr_t truth, y, x;
    mpfr_inits2(BITS, truth, y, x, (mpfr_ptr)0);
    for (int i = 0; i < SAMPLES; i++) {
        float of_y = RandomFloat(-20, 2, true), of_x = RandomFloat(-20, 2, true);
        bool directed = i & 1;
        mpfr_set_flt(y, of_y, MPFR_RNDN);
        mpfr_set_flt(x, of_x, MPFR_RNDN);
        mpfr_atan2(truth, y, x, MPFR_RNDN);
        AssertAround(truth, Range_ArcTangent(directed, Range_Of(of_y), Range_Of(of_x)), directed);
    }
    mpfr_clears(truth, y, x, (mpfr_ptr)0);
}

/* Between two angles the sine may be greater than at either of them. */
TEST(ASineOverARangeHoldsWhatIsBetween) {
    for (int i = 0; i < SAMPLES; i++) {
        float start = RandomFloat(-3, 4, false), width = RandomFloat(-6, 3, true);
        float part = (float)(Random() >> 8) * 0x1p-24f;
        Range low = Range_Of(start), high = Range_Of(start + width);
        Range angle = {low.low, high.high}, inner = Range_Of(start + width * part);
        if (inner.low > angle.high)
            continue;
        Range all = Range_Sine(false, angle), one = Range_Sine(false, inner);
        assert_true(all.low <= one.low && one.high <= all.high);
        all = Range_Cosine(false, angle);
        one = Range_Cosine(false, inner);
        assert_true(all.low <= one.low && one.high <= all.high);
    }
}

TEST(WhatIsNoRangeStaysNone) {
    const Range one = Range_Of(1), around_zero = {-1, 1};
    Range none = Range_Div(one, around_zero);
    assert_false(Range_IsValid(none));
    assert_false(Range_IsValid(Range_Sine(false, none)));
    assert_false(Range_IsValid(Range_Add(RANGE_SSE, one, Range_Mul(RANGE_X87, none, one))));
    assert_false(Range_IsValid(Range_Hull(one, none)));
    assert_false(Range_IsValid(Range_ArcTangent(false, Range_Of(0), Range_Of(0))));
    const Range large = Range_Of(0x1p63f); /* fsin leaves such an argument unchanged */
    assert_true(Range_Sine(false, large).low == 0x1p63L);
    assert_false(Range_IsValid(Range_Sine(false, (Range){0x1p62L, 0x1p63L})));
}
