#include "ngi32/processor/soft_x87.h"

#include <float.h>
#include <string.h>

#define INTEGER_BIT 0x8000000000000000u
#define QUIET_BITS  0xC000000000000000u

_Thread_local uint16_t soft_x87_control_word = 0x037F;

enum { TO_NEAREST, DOWN, UP, TO_ZERO };

static int Rounding(void) {
    return soft_x87_control_word >> 10 & 3;
}

static int Precision(void) {
    static const uint8_t precisions[4] = {24, 64, 53, 64}; /* the second one is reserved */
    return precisions[soft_x87_control_word >> 8 & 3];
}

/* ---- kinds of numbers ------------------------------------------------------------------------ */

static int32_t ExponentField(SoftX87 x) {
    return x.head & SOFT_X87_SPECIAL;
}

static SoftX87 Number(bool negative, int32_t field, uint64_t significand) {
    return (SoftX87){significand, (uint16_t)((negative ? 0x8000 : 0) | field)};
}

bool SoftX87_IsNan(SoftX87 x) {
    return ExponentField(x) == SOFT_X87_SPECIAL && x.significand << 1 != 0;
}

bool SoftX87_IsInfinite(SoftX87 x) {
    return ExponentField(x) == SOFT_X87_SPECIAL && x.significand << 1 == 0;
}

bool SoftX87_IsZero(SoftX87 x) {
    return x.significand == 0;
}

bool SoftX87_IsNegative(SoftX87 x) {
    return x.head >> 15 != 0;
}

SoftX87 SoftX87_Zero(bool negative) {
    return Number(negative, 0, 0);
}

static SoftX87 Infinity(bool negative) {
    return Number(negative, SOFT_X87_SPECIAL, INTEGER_BIT);
}

SoftX87 SoftX87_Indefinite(void) {
    return Number(true, SOFT_X87_SPECIAL, QUIET_BITS);
}

static int LeadingZeros(uint64_t bits) {
    return __builtin_clzll(bits);
}

SoftX87Parts SoftX87_Parts(SoftX87 x) {
    const int32_t field = ExponentField(x);
    const int shift = LeadingZeros(x.significand); /* it is not 0 for a denormal */
    return (SoftX87Parts){SoftX87_IsNegative(x), (field ? field : 1) - SOFT_X87_BIAS - shift,
                          x.significand << shift};
}

/* The NaN with the larger significand wins. If these are equal, the positive one does. Signalling
 * NaNs do not come here, because loading makes them quiet. */
SoftX87 SoftX87_ChooseNan(SoftX87 a, SoftX87 b) {
    if (!SoftX87_IsNan(a))
        return b;
    if (!SoftX87_IsNan(b))
        return a;
    if (a.significand != b.significand)
        return a.significand > b.significand ? a : b;
    return SoftX87_IsNegative(a) ? b : a;
}

/* ---- rounding -------------------------------------------------------------------------------- */

/* Shifts a pair of words to the right. The lowest bit stays set if a set bit is lost. */
static void ShiftRight(uint64_t *high, uint64_t *low, int32_t count) {
    if (count == 0)
        return;
    if (count >= 128) {
        *low = (*high | *low) != 0;
        *high = 0;
    } else if (count >= 64) {
        const uint64_t lost = *low | (count > 64 ? *high << (128 - count) : 0);
        *low = (count > 64 ? *high >> (count - 64) : *high) | (lost != 0);
        *high = 0;
    } else {
        const uint64_t lost = *low << (64 - count);
        *low = *low >> count | *high << (64 - count) | (lost != 0);
        *high >>= count;
    }
}

/* Returns whether rounding increases a number whose lowest kept bit is `odd`. `half` says whether
 * the bits behind it are less than (-1), exactly (0) or more than (1) half of that bit; they are
 * not all 0. */
static bool IsRaised(bool negative, bool odd, int half) {
    switch (Rounding()) {
    case TO_NEAREST:
        return half > 0 || (half == 0 && odd);
    case DOWN:
        return negative;
    case UP:
        return !negative;
    default:
        return false;
    }
}

/* Keeps the upper `bits` bits of a significand. Returns whether rounding carried it beyond its
 * leading bit. */
static bool KeepBits(bool negative, int bits, uint64_t *significand, uint64_t rest) {
    const int dropped = 64 - bits;
    const uint64_t unit = (uint64_t)1 << dropped, tail = *significand & (unit - 1);
    *significand -= tail;
    if (tail == 0 && rest == 0)
        return false;
    int half;
    if (dropped == 0)
        half = (rest > INTEGER_BIT) - (rest < INTEGER_BIT);
    else if (tail == unit >> 1)
        half = rest != 0;
    else
        half = tail > unit >> 1 ? 1 : -1;
    if (!IsRaised(negative, *significand & unit, half))
        return false;
    *significand += unit;
    return *significand == 0;
}

static SoftX87 Overflow(bool negative, int precision) {
    const int rounding = Rounding();
    if (rounding == TO_ZERO || rounding == (negative ? UP : DOWN))
        return Number(negative, SOFT_X87_SPECIAL - 1, ~(uint64_t)0 << (64 - precision));
    return Infinity(negative);
}

SoftX87 SoftX87_Round(SoftX87Parts parts, uint64_t rest, int precision) {
    int32_t field = parts.exponent + SOFT_X87_BIAS;
    if (field < 1) {
        ShiftRight(&parts.significand, &rest, 1 - field);
        field = 0;
    }
    if (KeepBits(parts.negative, precision, &parts.significand, rest)) {
        parts.significand = INTEGER_BIT;
        field++;
    }
    if (field == 0 && parts.significand & INTEGER_BIT)
        field = 1;
    if (field >= SOFT_X87_SPECIAL)
        return Overflow(parts.negative, precision);
    return Number(parts.negative, field, parts.significand);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Returns magnitude * 2^(exponent - 63), exactly. */
static SoftX87 Exact(bool negative, int32_t exponent, uint64_t magnitude) {
    if (magnitude == 0)
        return SoftX87_Zero(negative);
    const int shift = LeadingZeros(magnitude);
    return Number(negative, exponent - shift + SOFT_X87_BIAS, magnitude << shift);
}

/* Loads a number of IEEE 754 whose fraction is the upper bits of `fraction`. */
static SoftX87 LoadIeee(bool negative, int32_t field, int32_t special, uint64_t fraction) {
    if (field == special)
        return fraction == 0 ? Infinity(negative)
                             : Number(negative, SOFT_X87_SPECIAL, QUIET_BITS | fraction >> 1);
    const int32_t bias = special >> 1;
    if (field == 0)
        return Exact(negative, 1 - bias, fraction >> 1);
    return Number(negative, field - bias + SOFT_X87_BIAS, INTEGER_BIT | fraction >> 1);
}

SoftX87 SoftX87_Load(const float *at) {
    uint32_t bits;
    memcpy(&bits, at, sizeof bits);
    return LoadIeee(bits >> 31 != 0, bits >> 23 & 0xFF, 0xFF, (uint64_t)bits << 41);
}

SoftX87 SoftX87_LoadF64(const double *at) {
    uint64_t bits;
    memcpy(&bits, at, sizeof bits);
    return LoadIeee(bits >> 63 != 0, (int32_t)(bits >> 52 & 0x7FF), 0x7FF, bits << 12);
}

static SoftX87 FromInteger(int64_t integer) {
    return Exact(integer < 0, 63, integer < 0 ? 0 - (uint64_t)integer : (uint64_t)integer);
}

SoftX87 SoftX87_LoadI16(const int16_t *at) {
    int16_t integer;
    memcpy(&integer, at, sizeof integer);
    return FromInteger(integer);
}

SoftX87 SoftX87_LoadI32(const int32_t *at) {
    int32_t integer;
    memcpy(&integer, at, sizeof integer);
    return FromInteger(integer);
}

/* Returns the bits of a finite number that is not 0, without its sign. */
static uint32_t RoundToBinary32(SoftX87Parts parts) {
    enum { BIAS = 127, BITS = 24, SPECIAL = 0xFF };
    int32_t field = parts.exponent + BIAS;
    uint64_t rest = 0;
    if (field < 1) {
        ShiftRight(&parts.significand, &rest, 1 - field);
        field = 0;
    }
    if (KeepBits(parts.negative, BITS, &parts.significand, rest)) {
        parts.significand = INTEGER_BIT;
        field++;
    }
    if (field >= SPECIAL) {
        const SoftX87 limit = Overflow(parts.negative, BITS);
        return SoftX87_IsInfinite(limit) ? 0x7F800000 : 0x7F7FFFFF;
    }
    /* The leading bit adds one to the exponent, which also makes a rounded-up denormal number a
     * normal one. */
    return (uint32_t)(field ? field - 1 : 0) * 0x00800000 + (uint32_t)(parts.significand >> 40);
}

void SoftX87_Store(SoftX87 value, float *to) {
    uint32_t bits;
    if (SoftX87_IsNan(value))
        bits = 0x7F800000 | ((uint32_t)(value.significand >> 40) & 0x007FFFFF);
    else if (SoftX87_IsInfinite(value))
        bits = 0x7F800000;
    else if (SoftX87_IsZero(value))
        bits = 0;
    else
        bits = RoundToBinary32(SoftX87_Parts(value));
    bits |= SoftX87_IsNegative(value) ? 0x80000000 : 0;
    memcpy(to, &bits, sizeof bits);
}

int64_t SoftX87_StoreI64(SoftX87 value) {
    if (SoftX87_IsZero(value))
        return 0;
    if (ExponentField(value) == SOFT_X87_SPECIAL)
        return INT64_MIN;
    const SoftX87Parts parts = SoftX87_Parts(value);
    if (parts.exponent >= 63) /* -2^63 fits, and all numbers that do not fit become it */
        return INT64_MIN;
    uint64_t integer = parts.significand, rest = 0;
    ShiftRight(&integer, &rest, 63 - parts.exponent);
    (void)KeepBits(parts.negative, 64, &integer, rest);
    if (integer >= INTEGER_BIT)
        return INT64_MIN;
    return parts.negative ? -(int64_t)integer : (int64_t)integer;
}

long double SoftX87_ToLongDouble(SoftX87 value) {
    long double result = 0;
#if LDBL_MANT_DIG == 64
    memcpy(&result, &value.significand, 8);
    memcpy((char *)&result + 8, &value.head, 2);
#elif LDBL_MANT_DIG == 113
    /* A binary128 has the same exponents and no integer bit. */
    const uint64_t fraction = value.significand << 1;
    const uint64_t low = fraction << 48, high = (uint64_t)value.head << 48 | fraction >> 16;
    memcpy(&result, &low, 8);
    memcpy((char *)&result + 8, &high, 8);
#else
#error "long double does not hold the numbers of the x87"
#endif
    return result;
}

SoftX87 SoftX87_FromLongDouble(long double value) {
    SoftX87 result = {0, 0};
#if LDBL_MANT_DIG == 64
    memcpy(&result.significand, &value, 8);
    memcpy(&result.head, (const char *)&value + 8, 2);
#else
    uint64_t low, high;
    memcpy(&low, &value, 8);
    memcpy(&high, (const char *)&value + 8, 8);
    result.head = (uint16_t)(high >> 48);
    result.significand = (high << 16 | low >> 48) >> 1;
    if (ExponentField(result) != 0)
        result.significand |= INTEGER_BIT;
#endif
    return result;
}

/* ---- comparison ------------------------------------------------------------------------------ */

/* Orders the magnitudes of two numbers that are not NaNs. */
static int CompareMagnitudes(SoftX87 a, SoftX87 b) {
    const int32_t of_a = ExponentField(a), of_b = ExponentField(b);
    if (of_a != of_b)
        return of_a < of_b ? -1 : 1;
    return (a.significand > b.significand) - (a.significand < b.significand);
}

static int Compare(SoftX87 a, SoftX87 b) {
    if (SoftX87_IsZero(a) && SoftX87_IsZero(b))
        return 0;
    const bool negative = SoftX87_IsNegative(a);
    if (negative != SoftX87_IsNegative(b))
        return negative ? -1 : 1;
    const int order = CompareMagnitudes(a, b);
    return negative ? -order : order;
}

static bool IsUnordered(SoftX87 a, SoftX87 b) {
    return SoftX87_IsNan(a) || SoftX87_IsNan(b);
}

bool SoftX87_Less(SoftX87 a, SoftX87 b) {
    return !IsUnordered(a, b) && Compare(a, b) < 0;
}

bool SoftX87_LessOrEqual(SoftX87 a, SoftX87 b) {
    return !IsUnordered(a, b) && Compare(a, b) <= 0;
}

/* ---- arithmetic ------------------------------------------------------------------------------ */

SoftX87 SoftX87_Neg(SoftX87 x) {
    x.head ^= 0x8000;
    return x;
}

SoftX87 SoftX87_Abs(SoftX87 x) {
    x.head &= 0x7FFF;
    return x;
}

/* Both are finite and not 0, have the same sign, and a is at least as large as b. */
static SoftX87 AddMagnitudes(SoftX87Parts a, SoftX87Parts b) {
    uint64_t rest = 0;
    ShiftRight(&b.significand, &rest, a.exponent - b.exponent);
    a.significand += b.significand;
    if (a.significand < b.significand) { /* the sum has one bit more than a word holds */
        ShiftRight(&a.significand, &rest, 1);
        a.significand |= INTEGER_BIT;
        a.exponent++;
    }
    return SoftX87_Round(a, rest, Precision());
}

/* Both are finite and not 0, and the magnitude of a is the larger one. The result has the sign of
 * a. */
static SoftX87 SubtractMagnitudes(SoftX87Parts a, SoftX87Parts b) {
    uint64_t rest = 0;
    /* If the exponents differ by more than one, the result loses at most one leading bit. The rest
     * then still has 63 bits, and one that stands for all others. */
    ShiftRight(&b.significand, &rest, a.exponent - b.exponent);
    a.significand -= b.significand + (rest != 0);
    rest = 0 - rest;
    if (a.significand == 0) { /* the exponents differ by one at most, so the rest is exact */
        a.significand = rest;
        a.exponent -= 64;
        rest = 0;
    }
    const int shift = LeadingZeros(a.significand);
    if (shift != 0) {
        a.significand = a.significand << shift | rest >> (64 - shift);
        rest <<= shift;
        a.exponent -= shift;
    }
    return SoftX87_Round(a, rest, Precision());
}

SoftX87 SoftX87_Add(SoftX87 a, SoftX87 b) {
    if (IsUnordered(a, b))
        return SoftX87_ChooseNan(a, b);
    const bool differ = SoftX87_IsNegative(a) != SoftX87_IsNegative(b);
    if (SoftX87_IsInfinite(a))
        return differ && SoftX87_IsInfinite(b) ? SoftX87_Indefinite() : a;
    if (SoftX87_IsInfinite(b))
        return b;
    if (SoftX87_IsZero(a) && SoftX87_IsZero(b))
        return differ ? SoftX87_Zero(Rounding() == DOWN) : a;
    if (SoftX87_IsZero(a))
        return SoftX87_Round(SoftX87_Parts(b), 0, Precision());
    if (SoftX87_IsZero(b))
        return SoftX87_Round(SoftX87_Parts(a), 0, Precision());
    const int order = CompareMagnitudes(a, b);
    if (differ && order == 0)
        return SoftX87_Zero(Rounding() == DOWN);
    const SoftX87Parts large = SoftX87_Parts(order < 0 ? b : a);
    const SoftX87Parts small = SoftX87_Parts(order < 0 ? a : b);
    return differ ? SubtractMagnitudes(large, small) : AddMagnitudes(large, small);
}

SoftX87 SoftX87_Sub(SoftX87 a, SoftX87 b) {
    return IsUnordered(a, b) ? SoftX87_ChooseNan(a, b) : SoftX87_Add(a, SoftX87_Neg(b));
}

SoftX87 SoftX87_Mul(SoftX87 a, SoftX87 b) {
    if (IsUnordered(a, b))
        return SoftX87_ChooseNan(a, b);
    const bool negative = SoftX87_IsNegative(a) != SoftX87_IsNegative(b);
    const bool has_zero = SoftX87_IsZero(a) || SoftX87_IsZero(b);
    if (SoftX87_IsInfinite(a) || SoftX87_IsInfinite(b))
        return has_zero ? SoftX87_Indefinite() : Infinity(negative);
    if (has_zero)
        return SoftX87_Zero(negative);
    const SoftX87Parts x = SoftX87_Parts(a), y = SoftX87_Parts(b);
    SoftX87Parts product = {negative, x.exponent + y.exponent + 1, 0};
    /* The product of the significands has 128 bits. */
    const uint64_t x0 = (uint32_t)x.significand, x1 = x.significand >> 32;
    const uint64_t y0 = (uint32_t)y.significand, y1 = y.significand >> 32;
    const uint64_t p00 = x0 * y0, p01 = x0 * y1, p10 = x1 * y0, p11 = x1 * y1;
    const uint64_t middle = (p00 >> 32) + (uint32_t)p01 + (uint32_t)p10;
    uint64_t rest = middle << 32 | (uint32_t)p00;
    product.significand = p11 + (p01 >> 32) + (p10 >> 32) + (middle >> 32);
    if (!(product.significand & INTEGER_BIT)) {
        product.significand = product.significand << 1 | rest >> 63;
        rest <<= 1;
        product.exponent--;
    }
    return SoftX87_Round(product, rest, Precision());
}

SoftX87 SoftX87_MulMemory(SoftX87 a, const float *b) {
    enum { EXPONENT = 0x7F800000, QUIET = 0x00400000, PAYLOAD = 0x003FFFFF };
    uint32_t bits;
    memcpy(&bits, b, sizeof bits);
    const bool signals = (bits & EXPONENT) == EXPONENT && !(bits & QUIET) && (bits & PAYLOAD) != 0;
    return signals && SoftX87_IsNan(a) ? a : SoftX87_Mul(a, SoftX87_Load(b));
}

/* Returns one digit of 32 bits of (high, next) / divisor, where high < divisor and the divisor's
 * leading bit is set, and leaves the remainder in `high`. */
static uint64_t Digit(uint64_t *high, uint32_t next, uint64_t divisor) {
    const uint64_t d1 = divisor >> 32, d0 = (uint32_t)divisor;
    uint64_t digit = *high / d1, left = *high % d1;
    while (digit >> 32 != 0 || digit * d0 > (left << 32 | next)) {
        digit--;
        left += d1;
        if (left >> 32 != 0)
            break;
    }
    *high = (*high << 32 | next) - digit * divisor;
    return digit;
}

SoftX87 SoftX87_Div(SoftX87 a, SoftX87 b) {
    if (IsUnordered(a, b))
        return SoftX87_ChooseNan(a, b);
    const bool negative = SoftX87_IsNegative(a) != SoftX87_IsNegative(b);
    if (SoftX87_IsInfinite(a))
        return SoftX87_IsInfinite(b) ? SoftX87_Indefinite() : Infinity(negative);
    if (SoftX87_IsInfinite(b))
        return SoftX87_Zero(negative);
    if (SoftX87_IsZero(b))
        return SoftX87_IsZero(a) ? SoftX87_Indefinite() : Infinity(negative);
    if (SoftX87_IsZero(a))
        return SoftX87_Zero(negative);
    const SoftX87Parts x = SoftX87_Parts(a), y = SoftX87_Parts(b);
    SoftX87Parts quotient = {negative, x.exponent - y.exponent, 0};
    uint64_t left = x.significand, rest = 0;
    if (left < y.significand)
        quotient.exponent--;
    else /* the quotient has its leading bit; half of the dividend goes on */
        left -= y.significand;
    const bool has_leading = x.significand >= y.significand;
    const uint64_t first = Digit(&left, 0, y.significand);
    quotient.significand = first << 32 | Digit(&left, 0, y.significand);
    if (has_leading) {
        rest = quotient.significand << 63 | (left != 0);
        quotient.significand = quotient.significand >> 1 | INTEGER_BIT;
    } else { /* compares the remainder with half of the divisor */
        const uint64_t other = y.significand - left;
        rest = left == 0 ? 0 : left < other ? 1 : left == other ? INTEGER_BIT : INTEGER_BIT | 1;
    }
    return SoftX87_Round(quotient, rest, Precision());
}

SoftX87 SoftX87_Sqrt(SoftX87 x) {
    if (SoftX87_IsNan(x) || SoftX87_IsZero(x))
        return x;
    if (SoftX87_IsNegative(x))
        return SoftX87_Indefinite();
    if (SoftX87_IsInfinite(x))
        return x;
    const SoftX87Parts parts = SoftX87_Parts(x);
    /* Computes the root of significand * 2^62 or 2^63, which has 63 or 64 bits, one bit after the
     * other. The invariant: what is left is the operand's upper bits less the square of the root so
     * far. */
    const int odd = parts.exponent & 1;
    uint64_t root = 0, left_high = 0, left = 0;
    uint64_t high = parts.significand >> (1 - odd), low = odd ? 0 : parts.significand << 63;
    for (int i = 0; i < 64; i++) {
        left_high = left_high << 2 | left >> 62;
        left = left << 2 | high >> 62;
        high = high << 2 | low >> 62;
        low <<= 2;
        const uint64_t trial = root << 2 | 1, trial_high = root >> 62;
        root <<= 1;
        if (left_high > trial_high || (left_high == trial_high && left >= trial)) {
            left_high -= trial_high + (left < trial);
            left -= trial;
            root |= 1;
        }
    }
    /* The root is never in the middle between two numbers of 64 bits, because its square would then
     * have 129 bits. */
    const bool more = left_high != 0 || left > root;
    const uint64_t rest = left_high == 0 && left == 0 ? 0 : more ? INTEGER_BIT | 1 : 1;
    const SoftX87Parts result = {false, (parts.exponent - odd) / 2, root};
    return SoftX87_Round(result, rest, Precision());
}
