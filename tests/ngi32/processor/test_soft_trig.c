/* Shows that fsin, fcos and fpatan of the x87 in software are the true values, correctly rounded in
 * all four ways: they are compared with MPFR's, bit by bit. */
#include "ngi32/processor/soft_x87.h"
#include "tests/ngi32/floats.h"
#include "tests/test.h"

#include <mpfr.h>
#include <stddef.h>

enum { CASES = 40000, WIDTH = 400 };

static const mpfr_rnd_t roundings[4] = {MPFR_RNDN, MPFR_RNDD, MPFR_RNDU, MPFR_RNDZ};

/* Draws a number with an exponent from -lowest to highest, and 64 bits. */
static SoftX87 Draw(Random *random, int lowest, int highest) {
    const int exponent = (int)Random_Below(random, (uint32_t)(lowest + highest + 1)) - lowest;
    uint64_t significand = Random_Next64(random) | (uint64_t)1 << 63;
    if (Random_Below(random, 4) == 0)
        significand &= ~(uint64_t)0 << Random_Below(random, 64);
    const uint32_t sign = Random_Below(random, 2) << 15;
    return (SoftX87){significand, (uint16_t)(sign | (uint32_t)(SOFT_X87_BIAS + exponent))};
}

static void Set(mpfr_ptr number, SoftX87 x) {
    mpfr_set_uj_2exp(number, x.significand, (x.head & 0x7FFF) - SOFT_X87_BIAS - 63, MPFR_RNDN);
    if (x.head >> 15)
        mpfr_neg(number, number, MPFR_RNDN);
}

/* Compares a result with `value`, which has 64 bits. */
static void Check(const char *name, mpfr_srcptr value, SoftX87 result) {
    mpfr_t found;
    mpfr_init2(found, 64);
    Set(found, result);
    if (!mpfr_equal_p(value, found) || mpfr_signbit(value) != mpfr_signbit(found))
        fail_msg("%s under %04X: %04X:%016llX", name, soft_x87_control_word, result.head,
                 (unsigned long long)result.significand);
    mpfr_clear(found);
}

/* Computes the angle less the nearest multiple of pi/2, with the pi of 66 bits, which is exact. */
static long Reduced(mpfr_ptr angle, mpfr_srcptr right_angle) {
    mpfr_t turns, whole;
    mpfr_inits2(WIDTH, turns, whole, (mpfr_ptr)NULL);
    mpfr_div(turns, angle, right_angle, MPFR_RNDN);
    mpfr_rint(turns, turns, MPFR_RNDN);
    mpfr_mul(whole, turns, right_angle, MPFR_RNDN);
    mpfr_sub(angle, angle, whole, MPFR_RNDN);
    mpfr_fmod_ui(turns, turns, 4, MPFR_RNDN);
    const long quarter = mpfr_get_si(turns, MPFR_RNDN);
    mpfr_clears(turns, whole, (mpfr_ptr)NULL);
    return quarter & 3;
}

/* Computes the sine of `turns` right angles and `rest`, correctly rounded. */
static void SineOf(mpfr_ptr sine, mpfr_srcptr rest, long turns, mpfr_rnd_t rounding) {
    if (turns & 2) /* the negative of the sine is returned */
        rounding = rounding == MPFR_RNDU ? MPFR_RNDD : rounding == MPFR_RNDD ? MPFR_RNDU : rounding;
    (turns & 1 ? mpfr_cos : mpfr_sin)(sine, rest, rounding);
    if (turns & 2)
        mpfr_neg(sine, sine, MPFR_RNDN);
}

TEST(SineAndCosineAreCorrectlyRounded) {
    Random random = {1};
    mpfr_t right_angle, angle, value;
    mpfr_inits2(WIDTH, right_angle, angle, (mpfr_ptr)NULL);
    mpfr_init2(value, 64);
    mpfr_set_prec(right_angle, 66);
    mpfr_const_pi(right_angle, MPFR_RNDZ);
    mpfr_div_2ui(right_angle, right_angle, 1, MPFR_RNDN);
    for (int i = 0; i < CASES; i++) {
        const SoftX87 x = Draw(&random, i % 8 ? 8 : 300, i % 4 ? 3 : 62);
        soft_x87_control_word = (uint16_t)(0x007F | i % 4 << 10);
        Set(angle, x);
        const long turns = Reduced(angle, right_angle);
        SineOf(value, angle, turns, roundings[i % 4]);
        Check("fsin", value, SoftX87_Sin(x));
        SineOf(value, angle, (turns + 1) & 3, roundings[i % 4]);
        Check("fcos", value, SoftX87_Cos(x));
    }
    mpfr_clears(right_angle, angle, value, (mpfr_ptr)NULL);
}

TEST(ArcTangentIsCorrectlyRounded) {
    Random random = {2};
    mpfr_t along, up, value;
    mpfr_inits2(64, along, up, value, (mpfr_ptr)NULL);
    for (int i = 0; i < CASES; i++) {
        const int size = i % 8 ? 4 : 150;
        const SoftX87 x = Draw(&random, size, size), y = i % 16 ? Draw(&random, size, size) : x;
        soft_x87_control_word = (uint16_t)(0x007F | i % 4 << 10);
        Set(along, x);
        Set(up, y);
        mpfr_atan2(value, up, along, roundings[i % 4]);
        Check("fpatan", value, SoftX87_Patan(y, x));
    }
    mpfr_clears(along, up, value, (mpfr_ptr)NULL);
}
