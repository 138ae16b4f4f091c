/* Numbers of the model. A Number holds a value of at most 64 significant bits. A Format says how an
 * operation rounds: to the significand of the x87 control word with the exponents of the 80-bit
 * format, or to binary32.
 *
 * Two kinds of numbers have these functions, and nothing in either knows how the replacement
 * computes. number.c has MPFR values with what MPFR does not have, the bits of a NaN. number_x87.c
 * (MODEL_ON_X87) has the processor's own numbers, which are faster and exist in every build. */
#ifndef RETROPOSE_TESTS_MODEL_NUMBER_H
#define RETROPOSE_TESTS_MODEL_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#ifdef MODEL_ON_X87

typedef long double Number;

typedef struct Format {
    uint16_t control_word; /* the control word that is in force during an operation */
    /* rounds the result once more to binary32, and keeps a NaN as SSE does */
    bool binary32;
} Format;

#else

#include <mpfr.h>

typedef struct Number {
    mp_limb_t significand; /* leading bit set; of a NaN: integer bit, quiet bit, payload */
    mpfr_exp_t exponent;   /* as in MPFR: the value is significand / 2^64 * 2^exponent */
    int kind;              /* MPFR_NAN_KIND, MPFR_INF_KIND, MPFR_ZERO_KIND, MPFR_REGULAR_KIND */
    bool negative;
} Number;

typedef struct Format {
    mpfr_prec_t precision;
    mpfr_rnd_t rounding;
    mpfr_exp_t least, most; /* exponents of normal numbers, in MPFR's convention */
    bool binary32; /* an SSE step or a store, with subnormal numbers below `least`; the 80-bit
                      format's range is never left, see Round */
} Format;

/* Returns binary32, rounded as a store under this x87 format is. */
Format Format_Stored(const Format *x87);
uint32_t Number_ToBits(const Format *x87, Number number);
/* Makes a view of a number for MPFR functions. `storage` must outlive it. */
void Number_View(mpfr_ptr view, Number *storage, mpfr_prec_t precision);

#endif

/* Uses bits 8 and 9 (precision) and 10 and 11 (rounding) of a control word. */
Format Format_X87(uint16_t control_word);
/* Returns binary32, rounded as bits 13 and 14 of an MXCSR say. */
Format Format_Sse(uint32_t mxcsr);

Number Number_FromFloat(float value);   /* as fld m32: a signalling NaN becomes quiet */
Number Number_FromDouble(double value); /* for finite numbers other than zero */
Number Number_FromInteger(long value);
Number Number_FromLongDouble(long double value);
long double Number_ToLongDouble(Number number);
float Number_ToFloat(const Format *x87, Number number); /* as fstp m32 */
/* Does what fstp m32 and then fld m32 do. */
Number Number_Stored(const Format *x87, Number number);
/* Does what fistp m64 does: a NaN, an infinity and what does not fit give INT64_MIN. */
int64_t Number_ToInteger(const Format *x87, Number number);

Number Number_Add(const Format *format, Number a, Number b);
Number Number_Subtract(const Format *format, Number a, Number b);
Number Number_Multiply(const Format *format, Number a, Number b);
Number Number_Divide(const Format *format, Number a, Number b);
Number Number_SquareRoot(const Format *format, Number a);
Number Number_Negate(Number a); /* as fchs, or an xor of the sign, of a NaN too */

bool Number_IsNan(Number a);
bool Number_Less(Number a, Number b); /* false with a NaN, as the others are */
bool Number_LessEqual(Number a, Number b);
bool Number_Equal(Number a, Number b);

#endif
