/* The instructions that x87.h names, in software, for machines without an x87 and for tests that
 * compare the two. Each function does what its instruction does under the control word
 * `soft_x87_control_word` with all exceptions masked: precision, rounding, denormals, infinities
 * and the choice among NaNs. No exception flags are kept, because no step reads them.
 *
 * fsin, fcos and fpatan are *ideal*: the true value, correctly rounded to 64 bits, where a
 * processor may err in the last bit. The argument of fsin and fcos is first reduced by whole
 * multiples of pi/2 with a pi of 66 bits, as processors do (soft_trig.c). */
#ifndef RETROPOSE_NGI32_PROCESSOR_SOFT_X87_H
#define RETROPOSE_NGI32_PROCESSOR_SOFT_X87_H

#include <stdbool.h>
#include <stdint.h>

/* A number of the x87 stack, as its 80 bits. */
typedef struct SoftX87 {
    uint64_t significand; /* with the integer bit */
    uint16_t head;        /* sign and exponent, which is biased by 16383 */
} SoftX87;

/* The control word of this thread. Bits 8 and 9 are the precision, 10 and 11 the rounding; no
 * others are read. A new thread has 0x037F, as after FNINIT. */
extern _Thread_local uint16_t soft_x87_control_word;

/* ---- memory ---------------------------------------------------------------------------------- */

/* Loading makes a signalling NaN quiet. */
SoftX87 SoftX87_Load(const float *at);
SoftX87 SoftX87_LoadF64(const double *at);
SoftX87 SoftX87_LoadI16(const int16_t *at);
SoftX87 SoftX87_LoadI32(const int32_t *at);
void SoftX87_Store(SoftX87 value, float *to);
/* Numbers that do not fit become 0x8000000000000000. */
int64_t SoftX87_StoreI64(SoftX87 value);
/* This is exact. `long double` must have at least 64 significant bits and 15 of exponent. */
long double SoftX87_ToLongDouble(SoftX87 value);
/* Returns the number for which SoftX87_ToLongDouble gives this. */
SoftX87 SoftX87_FromLongDouble(long double value);

/* ---- arithmetic ------------------------------------------------------------------------------ */

SoftX87 SoftX87_Add(SoftX87 a, SoftX87 b);
SoftX87 SoftX87_Sub(SoftX87 a, SoftX87 b);
SoftX87 SoftX87_Mul(SoftX87 a, SoftX87 b);
/* Multiplies by a number in memory. Of two NaNs, the quiet one is the result. */
SoftX87 SoftX87_MulMemory(SoftX87 a, const float *b);
SoftX87 SoftX87_Div(SoftX87 a, SoftX87 b);
SoftX87 SoftX87_Sqrt(SoftX87 x);
SoftX87 SoftX87_Neg(SoftX87 x);
SoftX87 SoftX87_Abs(SoftX87 x);

/* ---- transcendental -------------------------------------------------------------------------- */

SoftX87 SoftX87_Sin(SoftX87 x);
SoftX87 SoftX87_Cos(SoftX87 x);
SoftX87 SoftX87_Patan(SoftX87 y, SoftX87 x);

/* ---- comparison: false with a NaN ------------------------------------------------------------ */

bool SoftX87_Less(SoftX87 a, SoftX87 b);
bool SoftX87_LessOrEqual(SoftX87 a, SoftX87 b);

/* ---- for soft_trig.c --------------------------------------------------------------------- */

enum { SOFT_X87_BIAS = 16383, SOFT_X87_SPECIAL = 0x7FFF };

/* A finite number that is not 0: significand * 2^(exponent - 63), in which the leading bit of the
 * significand is set. */
typedef struct SoftX87Parts {
    bool negative;
    int32_t exponent;
    uint64_t significand;
} SoftX87Parts;

bool SoftX87_IsNan(SoftX87 x);
bool SoftX87_IsInfinite(SoftX87 x);
bool SoftX87_IsZero(SoftX87 x);
bool SoftX87_IsNegative(SoftX87 x);
SoftX87Parts SoftX87_Parts(SoftX87 x);
SoftX87 SoftX87_Zero(bool negative);
/* Returns the result of an invalid operation. */
SoftX87 SoftX87_Indefinite(void);
/* Returns the result of an operation of which at least one operand is a NaN. */
SoftX87 SoftX87_ChooseNan(SoftX87 a, SoftX87 b);
/* Rounds (significand + rest / 2^64) * 2^(exponent - 63) to a significand of `precision` bits. The
 * leading bit of the significand must be set. The lowest bit of `rest` may stand for all lower
 * ones. */
SoftX87 SoftX87_Round(SoftX87Parts parts, uint64_t rest, int precision);

#endif
