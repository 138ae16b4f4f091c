/* fsin, fcos and fpatan in software: true values, correctly rounded.
 *
 * Numbers between 0 and 16 are integers of 192 bits in units of 2^-188 (Wide). Series are evaluated
 * with an error of a few of these units, so a result is known to better than 2^-170 of itself,
 * and 64 bits of it are the correctly rounded ones: of all results that 64 bits of argument have,
 * the one nearest to a middle is expected about 2^-140 away. No result is exact but those that the
 * functions name first, because a sine, cosine or arc tangent of a rational number that is not 0
 * is irrational. */
#include "ngi32/processor/soft_x87.h"

#include <string.h>

enum { LIMBS = 6, FRACTION = 188, PRECISION = 64 };

typedef struct Wide {
    uint32_t limb[LIMBS]; /* the lowest first */
} Wide;

/* A positive number: mantissa * 2^exponent, the mantissa from 1/2 to less than 4. */
typedef struct Scaled {
    Wide mantissa;
    int32_t exponent;
} Scaled;

/* ---- wide numbers ---------------------------------------------------------------------------- */

static Wide One(void) {
    return (Wide){{0, 0, 0, 0, 0, (uint32_t)1 << (FRACTION - 32 * (LIMBS - 1))}};
}

static Wide Add(const Wide *a, const Wide *b) {
    Wide sum;
    uint64_t carry = 0;
    for (int i = 0; i < LIMBS; i++) {
        carry += (uint64_t)a->limb[i] + b->limb[i];
        sum.limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return sum;
}

/* The difference must not be negative. */
static Wide Subtract(const Wide *a, const Wide *b) {
    Wide difference;
    uint64_t borrow = 0;
    for (int i = 0; i < LIMBS; i++) {
        const uint64_t limb = (uint64_t)a->limb[i] - b->limb[i] - borrow;
        difference.limb[i] = (uint32_t)limb;
        borrow = limb >> 63;
    }
    return difference;
}

static Wide ShiftRight(const Wide *x, int32_t count) {
    Wide result = {{0}};
    const int32_t limbs = count / 32, bits = count % 32;
    for (int32_t i = 0; i + limbs < LIMBS; i++) {
        uint64_t pair = x->limb[i + limbs];
        if (i + limbs + 1 < LIMBS)
            pair |= (uint64_t)x->limb[i + limbs + 1] << 32;
        result.limb[i] = (uint32_t)(pair >> bits);
    }
    return result;
}

static Wide Multiply(const Wide *a, const Wide *b) {
    uint32_t product[2 * LIMBS] = {0};
    for (int i = 0; i < LIMBS; i++) {
        uint64_t carry = 0;
        for (int k = 0; k < LIMBS; k++) {
            carry += (uint64_t)a->limb[i] * b->limb[k] + product[i + k];
            product[i + k] = (uint32_t)carry;
            carry >>= 32;
        }
        product[i + LIMBS] = (uint32_t)carry;
    }
    enum { FIRST = FRACTION / 32, BITS = FRACTION % 32 };
    Wide result;
    for (int i = 0; i < LIMBS; i++)
        result.limb[i] =
            (uint32_t)(((uint64_t)product[i + FIRST + 1] << 32 | product[i + FIRST]) >> BITS);
    return result;
}

static Wide DivideSmall(const Wide *x, uint32_t divisor) {
    Wide quotient;
    uint64_t left = 0;
    for (int i = LIMBS - 1; i >= 0; i--) {
        left = left << 32 | x->limb[i];
        quotient.limb[i] = (uint32_t)(left / divisor);
        left %= divisor;
    }
    return quotient;
}

static Wide Square(const Scaled *x) {
    /* A square that is too small is made larger. Otherwise a result would be the same as that for
     * 0, which it never is in truth. */
    enum { LEAST = FRACTION - 180 };
    Wide square = Multiply(&x->mantissa, &x->mantissa);
    if (-2 * (int64_t)x->exponent > FRACTION)
        memset(&square, 0, sizeof square);
    else
        square = ShiftRight(&square, -2 * x->exponent);
    square.limb[0] |= (uint32_t)1 << LEAST;
    return square;
}

/* The result is less than one unit below the number. */
static Wide ToWide(const Scaled *x) {
    Wide result = {{0}};
    if (x->exponent > -32 * LIMBS)
        result = ShiftRight(&x->mantissa, -x->exponent);
    return result;
}

static SoftX87 Rounded(bool negative, const Scaled *x) {
    Wide mantissa = x->mantissa;
    int32_t exponent = x->exponent + 32 * LIMBS - 1 - FRACTION;
    while (!(mantissa.limb[LIMBS - 1] >> 31)) {
        mantissa = Add(&mantissa, &mantissa);
        exponent--;
    }
    const uint32_t *limb = mantissa.limb;
    const uint64_t significand = (uint64_t)limb[LIMBS - 1] << 32 | limb[LIMBS - 2];
    const uint64_t rest = (uint64_t)limb[LIMBS - 3] << 32 | limb[LIMBS - 4];
    /* A result is never exact, so it is never in the middle between two numbers. */
    return SoftX87_Round((SoftX87Parts){negative, exponent, significand}, rest | 1, PRECISION);
}

static SoftX87 RoundedWide(bool negative, const Wide *x) {
    return Rounded(negative, &(Scaled){*x, 0});
}

/* ---- quotients of integers of up to 127 bits ------------------------------------------------- */

typedef struct Pair {
    uint64_t high, low;
} Pair;

static Pair Pair_Twice(Pair x) {
    return (Pair){x.high << 1 | x.low >> 63, x.low << 1};
}

static bool Pair_IsLess(Pair a, Pair b) {
    return a.high < b.high || (a.high == b.high && a.low < b.low);
}

static Pair Pair_Add(Pair a, Pair b) {
    const uint64_t low = a.low + b.low;
    return (Pair){a.high + b.high + (low < a.low), low};
}

static Pair Pair_Subtract(Pair a, Pair b) {
    return (Pair){a.high - b.high - (a.low < b.low), a.low - b.low};
}

static Pair Pair_Times(uint64_t x, uint32_t factor, int32_t shift) {
    const uint64_t low = (uint32_t)x * (uint64_t)factor, high = (x >> 32) * factor;
    Pair product = Pair_Add((Pair){0, low}, (Pair){high >> 32, high << 32});
    while (shift-- > 0)
        product = Pair_Twice(product);
    return product;
}

/* Shifts the leading bit of a number that is not 0 to bit 126, and returns by how much. */
static int32_t Pair_Normalise(Pair *x) {
    int32_t shift = 0;
    for (; !(x->high >> 62); shift++)
        *x = Pair_Twice(*x);
    return shift;
}

/* Returns numerator / denominator * 2^exponent; neither is 0. */
static Scaled Quotient(Pair numerator, Pair denominator, int32_t exponent) {
    Scaled quotient = {.exponent = exponent};
    quotient.exponent += Pair_Normalise(&denominator) - Pair_Normalise(&numerator);
    for (int i = FRACTION; i >= 0; i--) {
        if (!Pair_IsLess(numerator, denominator)) {
            numerator = Pair_Subtract(numerator, denominator);
            quotient.mantissa.limb[i / 32] |= (uint32_t)1 << i % 32;
        }
        numerator = Pair_Twice(numerator);
    }
    return quotient;
}

/* ---- fsin and fcos --------------------------------------------------------------------------- */

/* The pi of the processors has 66 bits. pi/2 is this number times 2^-65. */
static const Pair right_angle_66 = {0x3, 0x243F6A8885A308D3};
enum { RIGHT_ANGLE_66_FRACTION = 65 };

/* Subtracts whole right angles from the size of an angle below 2^63, so that at most half of one is
 * left. Returns how many, modulo 4, and whether the rest is negative. The pi is odd and has more
 * bits than the angle, so the rest of an angle that is not 0 is not 0 either. */
static int Reduce(SoftX87Parts angle, Scaled *rest, bool *negative) {
    Pair left = {0, 0};
    unsigned turns = 0;
    *negative = false;
    if (angle.exponent < -1) {
        *rest =
            Quotient((Pair){0, angle.significand}, (Pair){0, (uint64_t)1 << 63}, angle.exponent);
        return 0;
    }
    const int32_t bits = angle.exponent - 63 + RIGHT_ANGLE_66_FRACTION;
    for (int32_t i = 63 + bits; i >= 0; i--) {
        left = Pair_Twice(left);
        left.low |= i >= bits ? angle.significand >> (i - bits) & 1 : 0;
        const bool fits = !Pair_IsLess(left, right_angle_66);
        if (fits)
            left = Pair_Subtract(left, right_angle_66);
        turns = turns << 1 | fits;
    }
    if (Pair_IsLess(right_angle_66, Pair_Twice(left))) {
        left = Pair_Subtract(right_angle_66, left);
        *negative = true;
        turns++;
    }
    *rest = Quotient(left, (Pair){2, 0}, 0);
    return (int)(turns & 3);
}

/* Returns 1 - u/(a(a+1)) (1 - u/((a+2)(a+3)) (1 - ...)). For a = 1 this is the cosine of the root
 * of u, and for a = 2 the sine of the root over the root. For u below 0.62 the terms that are left
 * out are below 2^-200. */
static Wide Series(const Wide *u, uint32_t a) {
    enum { TERMS = 22 };
    const Wide one = One();
    Wide sum = one;
    for (uint32_t i = TERMS; i-- > 0;) {
        const uint32_t k = a + 2 * i;
        sum = Multiply(&sum, u);
        sum = DivideSmall(&sum, k * (k + 1));
        sum = Subtract(&one, &sum);
    }
    return sum;
}

/* Returns the sine of |x| plus `turns` right angles, or its negative. */
static SoftX87 SineOf(bool minus, SoftX87Parts x, int turns) {
    Scaled rest;
    bool negative; /* whether the rest is negative */
    turns += Reduce(x, &rest, &negative);
    minus ^= (turns & 2) != 0;
    const Wide u = Square(&rest);
    if (turns & 1) {
        const Wide cosine = Series(&u, 1);
        return RoundedWide(minus, &cosine);
    }
    Scaled sine = rest;
    const Wide ratio = Series(&u, 2);
    sine.mantissa = Multiply(&sine.mantissa, &ratio);
    return Rounded(negative != minus, &sine);
}

/* Returns whether the argument is a special one, and sets *answer for it. */
static bool IsSpecial(SoftX87 x, SoftX87 of_zero, SoftX87 *answer) {
    enum { LIMIT = 63 };
    if (SoftX87_IsNan(x))
        *answer = x;
    else if (SoftX87_IsInfinite(x))
        *answer = SoftX87_Indefinite();
    else if (SoftX87_IsZero(x))
        *answer = of_zero;
    else if (SoftX87_Parts(x).exponent >= LIMIT)
        *answer = x;
    else
        return false;
    return true;
}

SoftX87 SoftX87_Sin(SoftX87 x) {
    SoftX87 answer;
    if (IsSpecial(x, x, &answer))
        return answer;
    return SineOf(SoftX87_IsNegative(x), SoftX87_Parts(x), 0);
}

SoftX87 SoftX87_Cos(SoftX87 x) {
    static const float one = 1.0f;
    SoftX87 answer;
    if (IsSpecial(x, SoftX87_Load(&one), &answer))
        return answer;
    return SineOf(false, SoftX87_Parts(x), 1);
}

/* ---- fpatan ---------------------------------------------------------------------------------- */

/* tests/ngi32/processor/test_soft_trig.c would notice a wrong digit. */
static const Wide right_angle = {
    {0x114CF98F, 0x252049C1, 0x701B839A, 0x9898CC51, 0x442D1846, 0x1921FB54}};
enum { STEPS = 16 };
/* The arc tangents of i / STEPS. */
static const Wide steps[STEPS + 1] = {
    {{0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000}},
    {{0xCF59D4B3, 0x51319C12, 0xDC0E2E0D, 0x36CB2792, 0xB967EF4E, 0x00FFAADD}},
    {{0xB2BB35B2, 0xEF1672AF, 0x3E7D111D, 0x65912F31, 0xAAC2F6DC, 0x01FD5BA9}},
    {{0x5A0E28AD, 0x1E4EB403, 0x207271D2, 0xD1EC2D3E, 0x79CB6044, 0x02F72F69}},
    {{0x0E22CE0E, 0x96A9FEA4, 0xD7DE885F, 0x55B71E7B, 0x25901BAC, 0x03EB6EBF}},
    {{0x28597AB0, 0x4045247C, 0xC693D799, 0x4E2D5DA4, 0xC1FAF2F3, 0x04D89DCD}},
    {{0xBD72A2AE, 0x19EC21CB, 0x16E7F224, 0x9C551909, 0x7937BC23, 0x05BD8650}},
    {{0xE90B0D3A, 0xB3700206, 0x4800F389, 0xB213E4AF, 0xF308FF2D, 0x06993BB0}},
    {{0x3930E6F8, 0x1B70A0AC, 0x65E1D468, 0x2B7F222F, 0x586ED3DA, 0x076B19C1}},
    {{0x8774DDFC, 0x0F1155CD, 0xB61A515C, 0xA4B6A09C, 0x6D9867E2, 0x0832BF4A}},
    {{0x0652B376, 0x7918A67E, 0x665C4374, 0xB5C835E1, 0xEF7F59F9, 0x08F005D5}},
    {{0x617489D6, 0xCDAE46F0, 0x2204FF3B, 0x04226F8E, 0x671BDDA2, 0x09A2F80E}},
    {{0x9EEB2B9E, 0xEE3F0868, 0xA457DAC9, 0x419A87F2, 0x934F7092, 0x0A4BC7D1}},
    {{0x643EFFE2, 0xA03742B4, 0xF3E52070, 0x014725E2, 0x8B4D8C08, 0x0AEAC4C3}},
    {{0x114C79A8, 0xD3D7AECC, 0x210A4443, 0x3CB2DA55, 0xBC2319E7, 0x0B8053E2}},
    {{0x7AEF436F, 0x4D58EE86, 0x46E92FA2, 0x089DD62C, 0x8AC52664, 0x0C0CE85B}},
    {{0x88A67CC7, 0x129024E0, 0xB80DC1CD, 0x4C4C6628, 0x22168C23, 0x0C90FDAA}},
};

static Scaled SmallArcTangent(const Scaled *z) {
    /* The ratio is 1 - v/3 + v^2/5 - ..., which is the arc tangent of the root of v, over the root.
     * For v below 2^-9 the terms that are left out are below 2^-200. */
    enum { TERMS = 22 };
    const Wide v = Square(z), one = One();
    Wide ratio = {{0}};
    for (uint32_t i = TERMS; i-- > 0;) {
        const Wide term = DivideSmall(&one, 2 * i + 1);
        ratio = Multiply(&ratio, &v);
        ratio = Subtract(&term, &ratio);
    }
    return (Scaled){Multiply(&z->mantissa, &ratio), z->exponent};
}

/* Returns the arc tangent of y / x, where 0 < y <= x. It is the sum of the arc tangents of i /
 * STEPS and of (STEPS y - i x) / (STEPS x + i y), for the i that makes the latter small. */
static Scaled ArcTangent(SoftX87Parts y, SoftX87Parts x) {
    enum { FIRST_STEP_AT = 5 }; /* half of 1 / STEPS is 2^-5 */
    const int32_t apart = x.exponent - y.exponent;
    const uint64_t of_x = apart > FIRST_STEP_AT ? 0 : (x.significand >> 32) << apart;
    const uint64_t i = of_x ? ((y.significand >> 32) * STEPS + of_x / 2) / of_x : 0;
    if (i == 0) {
        const Scaled z = Quotient((Pair){0, y.significand}, (Pair){0, x.significand}, -apart);
        return SmallArcTangent(&z);
    }
    const Pair up = Pair_Times(y.significand, STEPS, 0);
    const Pair down = Pair_Times(x.significand, (uint32_t)i, apart);
    const Pair whole = Pair_Add(Pair_Times(x.significand, STEPS, apart),
                                Pair_Times(y.significand, (uint32_t)i, 0));
    const bool is_less = Pair_IsLess(up, down);
    const Pair left = is_less ? Pair_Subtract(down, up) : Pair_Subtract(up, down);
    Scaled sum = {steps[i], 0};
    if (left.high == 0 && left.low == 0)
        return sum;
    const Scaled z = Quotient(left, whole, 0), small = SmallArcTangent(&z);
    const Wide addend = ToWide(&small);
    sum.mantissa = is_less ? Subtract(&sum.mantissa, &addend) : Add(&sum.mantissa, &addend);
    return sum;
}

/* Returns the angle of `count` eighths of a turn. */
static SoftX87 Eighths(bool negative, uint32_t count) {
    Wide angle = DivideSmall(&right_angle, 2), sum = angle;
    while (--count > 0)
        sum = Add(&sum, &angle);
    return RoundedWide(negative, &sum);
}

/* If the point is on an axis or infinitely far away, gives its angle, as the manuals' table
 * says. */
static bool IsOnAxis(SoftX87 y, SoftX87 x, SoftX87 *angle) {
    const bool below = SoftX87_IsNegative(y), left = SoftX87_IsNegative(x);
    const bool y_far = SoftX87_IsInfinite(y), x_far = SoftX87_IsInfinite(x);
    if (y_far && x_far)
        *angle = Eighths(below, left ? 3 : 1);
    else if (y_far || (SoftX87_IsZero(x) && !SoftX87_IsZero(y)))
        *angle = Eighths(below, 2);
    else if (x_far || SoftX87_IsZero(y))
        *angle = left ? Eighths(below, 4) : SoftX87_Zero(below);
    else
        return false;
    return true;
}

SoftX87 SoftX87_Patan(SoftX87 y, SoftX87 x) {
    if (SoftX87_IsNan(y) || SoftX87_IsNan(x))
        return SoftX87_ChooseNan(y, x);
    SoftX87 angle;
    if (IsOnAxis(y, x, &angle))
        return angle;
    const SoftX87Parts up = SoftX87_Parts(y), along = SoftX87_Parts(x);
    const bool is_steep = along.exponent < up.exponent ||
                          (along.exponent == up.exponent && along.significand < up.significand);
    const Scaled arc = is_steep ? ArcTangent(along, up) : ArcTangent(up, along);
    if (!is_steep && !along.negative)
        return Rounded(up.negative, &arc);
    Wide sum = ToWide(&arc);
    if (!is_steep)
        sum = Subtract(&right_angle, &sum);
    if (is_steep && !along.negative)
        sum = Subtract(&right_angle, &sum);
    else
        sum = Add(&right_angle, &sum);
    return RoundedWide(up.negative, &sum);
}
