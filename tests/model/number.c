#include "number.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(GMP_NUMB_BITS == 64, "a Number is one limb of 64 bits");

#define QUIET_NAN_BITS 0xC000000000000000u /* integer bit, quiet bit */

static const Number indefinite = {QUIET_NAN_BITS, 0, MPFR_NAN_KIND, true};

/* ---- formats --------------------------------------------------------------------------------- */

static mpfr_rnd_t Rounding(unsigned two_bits) {
    static const mpfr_rnd_t modes[4] = {MPFR_RNDN, MPFR_RNDD, MPFR_RNDU, MPFR_RNDZ};
    return modes[two_bits & 3];
}

Format Format_X87(uint16_t control_word) {
    static const mpfr_prec_t precisions[4] = {24, 0, 53, 64};
    return (Format){precisions[control_word >> 8 & 3], Rounding(control_word >> 10), -16381, 16384,
                    false};
}

static Format Binary32(mpfr_rnd_t rounding) {
    return (Format){24, rounding, -125, 128, true};
}

Format Format_Sse(uint32_t mxcsr) {
    return Binary32(Rounding(mxcsr >> 13));
}

Format Format_Stored(const Format *x87) {
    return Binary32(x87->rounding);
}

/* ---- MPFR ------------------------------------------------------------------------------------ */

void Number_View(mpfr_ptr view, Number *storage, mpfr_prec_t precision) {
    mpfr_custom_init_set(view, storage->negative ? -storage->kind : storage->kind,
                         storage->exponent, precision, &storage->significand);
}

static bool IsKind(Number a, int kind) {
    return a.kind == kind;
}

bool Number_IsNan(Number a) {
    return IsKind(a, MPFR_NAN_KIND);
}

/* Takes over what an MPFR function left outside the limb. */
static void TakeHead(mpfr_srcptr view, Number *number) {
    number->kind = abs(mpfr_custom_get_kind(view));
    number->exponent = mpfr_regular_p(view) ? mpfr_custom_get_exp(view) : 0;
    number->negative = mpfr_signbit(view) != 0;
}

/* Rounds the value behind `view`, whose limb is result->significand, to a number of the format. */
static Number Round(const Format *format, mpfr_ptr view, int ternary, Number *result) {
    if (mpfr_nan_p(view))
        return indefinite;
    if (mpfr_regular_p(view) &&
        (mpfr_get_exp(view) < format->least || mpfr_get_exp(view) > format->most)) {
        /* No chain of binary32 inputs in docs/reference/arithmetic.md leaves the exponents of the
         * 80-bit format. If one does, the model does not know the answer. */
        if (!format->binary32)
            abort();
        const mpfr_exp_t emin = mpfr_get_emin(), emax = mpfr_get_emax();
        mpfr_set_emin(format->least - format->precision + 1);
        mpfr_set_emax(format->most);
        ternary = mpfr_check_range(view, ternary, format->rounding);
        mpfr_subnormalize(view, ternary, format->rounding);
        mpfr_set_emin(emin);
        mpfr_set_emax(emax);
    }
    TakeHead(view, result);
    return *result;
}

typedef int (*Binary)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
typedef int (*Unary)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

/* Chooses between two NaNs. The left operand is the destination. SSE keeps it; the x87 keeps the
 * NaN with the larger significand and, of equal ones, the positive one. */
static Number ChooseNan(const Format *format, Number a, Number b) {
    if (!Number_IsNan(a) || !Number_IsNan(b) || format->binary32)
        return Number_IsNan(a) ? a : b;
    if (a.significand != b.significand)
        return a.significand > b.significand ? a : b;
    return a.negative ? b : a;
}

static Number Apply2(const Format *format, Binary operation, Number a, Number b) {
    if (Number_IsNan(a) || Number_IsNan(b))
        return ChooseNan(format, a, b);
    mpfr_t x, y, z;
    Number result = {0, 0, MPFR_ZERO_KIND, false};
    Number_View(x, &a, 64);
    Number_View(y, &b, 64);
    Number_View(z, &result, format->precision);
    return Round(format, z, operation(z, x, y, format->rounding), &result);
}

static Number Apply1(const Format *format, Unary operation, Number a) {
    if (Number_IsNan(a))
        return a;
    mpfr_t x, z;
    Number result = {0, 0, MPFR_ZERO_KIND, false};
    Number_View(x, &a, 64);
    Number_View(z, &result, format->precision);
    return Round(format, z, operation(z, x, format->rounding), &result);
}

Number Number_Add(const Format *format, Number a, Number b) {
    return Apply2(format, mpfr_add, a, b);
}

Number Number_Subtract(const Format *format, Number a, Number b) {
    return Apply2(format, mpfr_sub, a, b);
}

Number Number_Multiply(const Format *format, Number a, Number b) {
    return Apply2(format, mpfr_mul, a, b);
}

Number Number_Divide(const Format *format, Number a, Number b) {
    return Apply2(format, mpfr_div, a, b);
}

Number Number_SquareRoot(const Format *format, Number a) {
    return Apply1(format, mpfr_sqrt, a);
}

Number Number_Negate(Number a) {
    a.negative = !a.negative;
    return a;
}

/* ---- comparison ------------------------------------------------------------------------------ */

/* Returns -1, 0 or 1, or 2 if either number is a NaN. */
static int Compare(Number a, Number b) {
    if (Number_IsNan(a) || Number_IsNan(b))
        return 2;
    mpfr_t x, y;
    Number_View(x, &a, 64);
    Number_View(y, &b, 64);
    const int order = mpfr_cmp(x, y);
    return (order > 0) - (order < 0);
}

bool Number_Less(Number a, Number b) {
    return Compare(a, b) == -1;
}

bool Number_LessEqual(Number a, Number b) {
    return Compare(a, b) <= 0;
}

bool Number_Equal(Number a, Number b) {
    return Compare(a, b) == 0;
}

/* ---- conversion ------------------------------------------------------------------------------ */

Number Number_FromLongDouble(long double value) {
    unsigned char bytes[sizeof value];
    uint64_t significand;
    uint16_t head;
    memcpy(bytes, &value, sizeof value);
    memcpy(&significand, bytes, 8);
    memcpy(&head, bytes + 8, 2);
    const bool negative = head >> 15;
    const int exponent = head & 0x7FFF;
    if (exponent == 0x7FFF && significand << 1 == 0)
        return (Number){0, 0, MPFR_INF_KIND, negative};
    if (exponent == 0x7FFF)
        return (Number){significand | QUIET_NAN_BITS, 0, MPFR_NAN_KIND, negative};
    if (significand == 0)
        return (Number){0, 0, MPFR_ZERO_KIND, negative};
    const int shift = __builtin_clzll(significand); /* not 0 for a subnormal of the 80-bit format */
    return (Number){significand << shift, (exponent ? exponent : 1) - 16382 - shift,
                    MPFR_REGULAR_KIND, negative};
}

long double Number_ToLongDouble(Number number) {
    uint64_t significand = number.significand;
    int exponent = 0x7FFF;
    if (IsKind(number, MPFR_ZERO_KIND)) {
        significand = 0;
        exponent = 0;
    } else if (IsKind(number, MPFR_INF_KIND)) {
        significand = 0x8000000000000000u;
    } else if (!Number_IsNan(number)) {
        exponent = (int)number.exponent + 16382;
        if (exponent < 1 || exponent > 0x7FFE)
            abort();
    }
    const uint16_t head = (uint16_t)(exponent | (number.negative ? 0x8000 : 0));
    unsigned char bytes[sizeof(long double)] = {0};
    long double value;
    memcpy(bytes, &significand, 8);
    memcpy(bytes + 8, &head, 2);
    memcpy(&value, bytes, sizeof value);
    return value;
}

Number Number_FromFloat(float value) {
    uint32_t bits;
    memcpy(&bits, &value, 4);
    const uint32_t magnitude = bits & 0x7FFFFFFF;
    const bool negative = bits >> 31;
    if (magnitude > 0x7F800000)
        return (Number){QUIET_NAN_BITS | (uint64_t)(magnitude & 0x007FFFFF) << 40, 0, MPFR_NAN_KIND,
                        negative};
    if (magnitude == 0x7F800000)
        return (Number){0, 0, MPFR_INF_KIND, negative};
    if (magnitude == 0)
        return (Number){0, 0, MPFR_ZERO_KIND, negative};
    const int field = (int)(magnitude >> 23);
    const uint64_t significand = (magnitude & 0x007FFFFF) | (field ? 0x00800000 : 0);
    const int shift = __builtin_clzll(significand);
    /* The value is significand * 2^(field - 150), where `field` counts as at least 1. */
    return (Number){significand << shift, (field ? field : 1) - 150 + 64 - shift, MPFR_REGULAR_KIND,
                    negative};
}

Number Number_FromDouble(double value) {
    return Number_FromLongDouble((long double)value);
}

Number Number_FromInteger(long value) {
    mpfr_t view;
    Number result = {0, 0, MPFR_ZERO_KIND, false};
    Number_View(view, &result, 64);
    mpfr_set_si(view, value, MPFR_RNDN);
    TakeHead(view, &result);
    return result;
}

Number Number_Stored(const Format *x87, Number number) {
    const Format binary32 = Format_Stored(x87);
    if (Number_IsNan(number)) {
        number.significand &= ~(uint64_t)0 << 40;
        return number;
    }
    return Apply1(&binary32, mpfr_set, number);
}

uint32_t Number_ToBits(const Format *x87, Number number) {
    const Number stored = Number_Stored(x87, number);
    const uint32_t sign = stored.negative ? 0x80000000 : 0;
    if (Number_IsNan(stored))
        return sign | 0x7F800000 | ((stored.significand >> 40) & 0x007FFFFF);
    if (IsKind(stored, MPFR_INF_KIND))
        return sign | 0x7F800000;
    if (IsKind(stored, MPFR_ZERO_KIND))
        return sign;
    if (stored.exponent < -125) /* subnormal: units of 2^-149 */
        return sign | (uint32_t)(stored.significand >> (64 - (stored.exponent + 149)));
    return sign | (uint32_t)(stored.exponent + 126) << 23 |
           ((stored.significand >> 40) & 0x007FFFFF);
}

float Number_ToFloat(const Format *x87, Number number) {
    const uint32_t bits = Number_ToBits(x87, number);
    float value;
    memcpy(&value, &bits, 4);
    return value;
}

int64_t Number_ToInteger(const Format *x87, Number number) {
    if (Number_IsNan(number) || IsKind(number, MPFR_INF_KIND))
        return INT64_MIN;
    mpfr_t x, y;
    Number rounded = {0, 0, MPFR_ZERO_KIND, false};
    Number_View(x, &number, 64);
    Number_View(y, &rounded, 64);
    mpfr_rint(y, x, x87->rounding);
    return mpfr_fits_slong_p(y, MPFR_RNDZ) ? mpfr_get_si(y, MPFR_RNDZ) : INT64_MIN;
}
