#include "machine/interpreter/soft_series.h"

#include <string.h>

#define LEADING 0x8000000000000000u

/* A number from 0 to less than 2^32, in units of 2^-160. The lowest limb comes first. */
enum { LIMBS = 6, FRACTION = 160 };
typedef struct Fixed {
    uint32_t limb[LIMBS];
} Fixed;

static const Fixed one = {{0, 0, 0, 0, 0, 1}};
static const Fixed ln_2 = {{0x40F34326, 0x03F2F6AF, 0xC9E3B398, 0xD1CF79AB, 0xB17217F7, 0}};
static const Fixed log2_e = {{0xD6AEF551, 0xD23A7D11, 0x7D0FFDA0, 0xB82FE177, 0x71547652, 1}};

static Fixed Add(Fixed a, Fixed b) {
    uint64_t carry = 0;
    for (int i = 0; i < LIMBS; i++) {
        carry += (uint64_t)a.limb[i] + b.limb[i];
        a.limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return a;
}

/* The difference must not be negative. */
static Fixed Subtract(Fixed a, Fixed b) {
    uint64_t borrow = 0;
    for (int i = 0; i < LIMBS; i++) {
        const uint64_t limb = (uint64_t)a.limb[i] - b.limb[i] - borrow;
        a.limb[i] = (uint32_t)limb;
        borrow = limb >> 63;
    }
    return a;
}

static Fixed Multiply(Fixed a, Fixed b) {
    uint32_t product[2 * LIMBS] = {0};
    for (int i = 0; i < LIMBS; i++) {
        uint64_t carry = 0;
        for (int k = 0; k < LIMBS; k++) {
            carry += (uint64_t)a.limb[i] * b.limb[k] + product[i + k];
            product[i + k] = (uint32_t)carry;
            carry >>= 32;
        }
        product[i + LIMBS] = (uint32_t)carry;
    }
    memcpy(a.limb, product + FRACTION / 32, sizeof a.limb);
    return a;
}

static Fixed DivideSmall(Fixed a, uint32_t divisor) {
    uint64_t left = 0;
    for (int i = LIMBS - 1; i >= 0; i--) {
        left = left << 32 | a.limb[i];
        a.limb[i] = (uint32_t)(left / divisor);
        left %= divisor;
    }
    return a;
}

static Fixed ShiftRight(Fixed a, int32_t count) {
    Fixed result = {{0}};
    const int32_t limbs = count / 32, bits = count % 32;
    for (int32_t i = 0; i + limbs < LIMBS; i++) {
        uint64_t pair = a.limb[i + limbs];
        if (i + limbs + 1 < LIMBS)
            pair |= (uint64_t)a.limb[i + limbs + 1] << 32;
        result.limb[i] = (uint32_t)(pair >> bits);
    }
    return result;
}

/* Returns a / b, which must be below 2. */
static Fixed Divide(Fixed a, Fixed b) {
    Fixed quotient = {{0}};
    for (int i = FRACTION; i >= 0; i--) {
        int limb = LIMBS - 1;
        while (limb > 0 && a.limb[limb] == b.limb[limb])
            limb--;
        if (a.limb[limb] >= b.limb[limb]) {
            a = Subtract(a, b);
            quotient.limb[i / 32] |= (uint32_t)1 << i % 32;
        }
        a = Add(a, a);
    }
    return quotient;
}

/* Converts a significand to the number from 1 to less than 2 that it stands for. */
static Fixed FromSignificand(uint64_t significand) {
    return (Fixed){{0, 0, 0, (uint32_t)(significand << 1), (uint32_t)(significand >> 31), 1}};
}

/* Rounds x * 2^exponent. The result is never exact. */
static SoftFloat Rounded(Fixed x, bool negative, int32_t exponent, SoftControl *control) {
    exponent += 31;
    while (!(x.limb[LIMBS - 1] >> 31)) {
        x = Add(x, x);
        exponent--;
    }
    const uint64_t significand = (uint64_t)x.limb[5] << 32 | x.limb[4];
    const uint64_t rest = (uint64_t)x.limb[3] << 32 | x.limb[2];
    return SoftFloat_Round((SoftFloat){SOFT_FINITE, negative, false, exponent, significand},
                           rest | 1, control);
}

SoftFloat SoftSeries_PowerLessOne(SoftFloat x, SoftControl *control) {
    enum { TERMS = 40 }; /* those left out are below 2^-170, as the argument is below 0.7 */
    const Fixed scaled = Multiply(FromSignificand(x.significand), ln_2);
    const Fixed argument = ShiftRight(scaled, x.exponent < -191 ? 191 : -x.exponent);
    /* The sum is 1 + a/2 (1 + a/3 (1 + ...)). Multiplied by a it is e^a - 1. */
    Fixed sum = one;
    for (uint32_t i = TERMS; i > 1; i--) {
        const Fixed term = DivideSmall(Multiply(sum, argument), i);
        sum = x.negative ? Subtract(one, term) : Add(one, term);
    }
    return Rounded(Multiply(scaled, sum), x.negative, x.exponent, control);
}

SoftFloat SoftSeries_Logarithm(SoftFloat x, bool plus_one, SoftFloat y, SoftControl *control) {
    int32_t whole = 0; /* the integer part of the logarithm */
    bool negative;     /* the sign of the rest of the logarithm */
    Fixed numerator, denominator;
    int32_t exponent; /* exponent of the numerator */
    if (plus_one && x.exponent >= -1) {
        /* The argument is outside of the instruction's range. The manuals do not say what then
         * happens. */
        SoftControl sum = *control;
        const SoftFloat unit = {SOFT_FINITE, false, false, 0, LEADING};
        x = SoftFloat_Operate(SOFT_ADD, x, unit, &sum);
        plus_one = false;
    }
    if (plus_one) {
        negative = x.negative;
        numerator = FromSignificand(x.significand);
        exponent = x.exponent;
        const Fixed size = ShiftRight(numerator, x.exponent < -191 ? 191 : -x.exponent);
        const Fixed two = Add(one, one);
        denominator = negative ? Subtract(two, size) : Add(two, size);
    } else {
        /* x = m 2^whole with m from 0.7 to 1.4, and z = (m - 1) / (m + 1). */
        const Fixed m = FromSignificand(x.significand);
        negative = x.significand >= 0xB504F333F9DE6484u; /* significands from the root of 2 on */
        whole = x.exponent + negative;
        uint64_t away = negative ? 0 - x.significand : x.significand << 1;
        if (away == 0)
            return SoftFloat_Operate(SOFT_MUL, y, SoftFloat_Integer(whole), control);
        exponent = -1 - __builtin_clzll(away);
        numerator = FromSignificand(away << __builtin_clzll(away));
        /* If m is halved, its distance from 1 is the distance of half of the significand from 1. */
        denominator = Add(negative ? ShiftRight(m, 1) : m, one);
    }
    /* The quotient is not normalised; its relative error stays below 2^-157 all the same. */
    const Fixed z = Divide(numerator, Add(denominator, denominator)); /* half of it, below 1 */
    exponent++;
    const Fixed size = ShiftRight(z, exponent < -191 ? 191 : exponent > 0 ? 0 : -exponent);

    /* 2 (1 + z^2/3 + z^4/5 + ...) / ln 2, multiplied by z, is log2((1 + z) / (1 - z)), for z up to
     * 1/3. */
    enum { TERMS = 52 };
    const Fixed square = Multiply(size, size);
    Fixed series = {{0}};
    for (uint32_t i = TERMS; i-- > 0;)
        series = Add(DivideSmall(one, 2 * i + 1), Multiply(series, square));
    series = Multiply(series, log2_e);
    Fixed logarithm = Multiply(z, Add(series, series));

    if (whole != 0) {
        const bool below = whole < 0;
        Fixed sum = {{0, 0, 0, 0, 0, (uint32_t)(below ? -whole : whole)}};
        logarithm = ShiftRight(logarithm, exponent < -191 ? 191 : -exponent);
        sum = below == negative ? Add(sum, logarithm) : Subtract(sum, logarithm);
        /* The multiplication needs the room above the number. */
        logarithm = ShiftRight(sum, 16);
        negative = below;
        exponent = 16;
    }
    const Fixed product = Multiply(logarithm, FromSignificand(y.significand));
    return Rounded(product, negative != y.negative, exponent + y.exponent, control);
}
