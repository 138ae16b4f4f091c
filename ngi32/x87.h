/* The steps of an x87 build: each function is one instruction (docs/reference/arithmetic.md, "Rules
 * for x87 builds").
 *
 * A value is a `long double`, the 80-bit format of the x87 stack: the compiler can spill and reload
 * it without loss. The instructions are volatile, so no compiler folds, reorders or contracts them,
 * at any level, and each rounds as the control word in force says.
 *
 * Numbers that a step calls *copied* must not pass through here: loading a binary32 signalling NaN
 * makes it quiet. Copy such numbers as bytes.
 */
#ifndef RETROPOSE_NGI32_X87_H
#define RETROPOSE_NGI32_X87_H

#include <float.h>
#include <stdbool.h>
#include <stdint.h>

_Static_assert(LDBL_MANT_DIG == 64 && LDBL_MAX_EXP == 16384, "long double is the x87's format");

/* ---- memory ---------------------------------------------------------------------------------- */

static inline long double X87_Load(const float *at) {
    long double value;
    __asm__ volatile("flds %1" : "=t"(value) : "m"(*at));
    return value;
}

static inline long double X87_LoadF64(const double *at) {
    long double value;
    __asm__ volatile("fldl %1" : "=t"(value) : "m"(*at));
    return value;
}

static inline long double X87_LoadI16(const int16_t *at) {
    long double value;
    __asm__ volatile("filds %1" : "=t"(value) : "m"(*at));
    return value;
}

static inline long double X87_LoadI32(const int32_t *at) {
    long double value;
    __asm__ volatile("fildl %1" : "=t"(value) : "m"(*at));
    return value;
}

/* Rounds to binary32. */
static inline void X87_Store(long double value, float *to) {
    __asm__ volatile("fstps %0" : "=m"(*to) : "t"(value) : "st");
}

/* Rounds to an integer. NaN and numbers that 64 bits cannot hold become 0x8000000000000000. */
static inline int64_t X87_StoreI64(long double value) {
    int64_t integer;
    __asm__ volatile("fistpll %0" : "=m"(integer) : "t"(value) : "st");
    return integer;
}

/* ---- arithmetic ------------------------------------------------------------------------------ */

static inline long double X87_Add(long double a, long double b) {
    long double sum;
    __asm__ volatile("fadd %%st(1), %%st" : "=t"(sum) : "0"(a), "u"(b));
    return sum;
}

static inline long double X87_Sub(long double a, long double b) {
    long double difference;
    __asm__ volatile("fsub %%st(1), %%st" : "=t"(difference) : "0"(a), "u"(b));
    return difference;
}

static inline long double X87_Mul(long double a, long double b) {
    long double product;
    __asm__ volatile("fmul %%st(1), %%st" : "=t"(product) : "0"(a), "u"(b));
    return product;
}

static inline long double X87_Div(long double a, long double b) {
    long double quotient;
    __asm__ volatile("fdiv %%st(1), %%st" : "=t"(quotient) : "0"(a), "u"(b));
    return quotient;
}

static inline long double X87_Sqrt(long double x) {
    __asm__ volatile("fsqrt" : "+t"(x));
    return x;
}

static inline long double X87_Neg(long double x) {
    __asm__ volatile("fchs" : "+t"(x));
    return x;
}

static inline long double X87_Abs(long double x) {
    __asm__ volatile("fabs" : "+t"(x));
    return x;
}

/* ---- transcendental: 64 bits whatever the control word's precision --------------------------- */

/* The instruction leaves a number of |x| >= 2^63 unchanged. */
static inline long double X87_Sin(long double x) {
    __asm__ volatile("fsin" : "+t"(x));
    return x;
}

/* The instruction leaves a number of |x| >= 2^63 unchanged. */
static inline long double X87_Cos(long double x) {
    __asm__ volatile("fcos" : "+t"(x));
    return x;
}

/* Returns the angle of the point (x, y). */
static inline long double X87_Patan(long double y, long double x) {
    long double angle;
    __asm__ volatile("fpatan" : "=t"(angle) : "0"(x), "u"(y) : "st(1)");
    return angle;
}

/* ---- comparison: false with a NaN ------------------------------------------------------------ */

static inline bool X87_Less(long double a, long double b) {
    bool less;
    __asm__ volatile("fcomi %2, %1" : "=@cca"(less) : "t"(b), "u"(a));
    return less;
}

static inline bool X87_LessOrEqual(long double a, long double b) {
    bool less_or_equal;
    __asm__ volatile("fcomi %2, %1" : "=@ccae"(less_or_equal) : "t"(b), "u"(a));
    return less_or_equal;
}

/* Both equal and unordered operands set ZF, but only unordered ones set CF, which `a <= b` has
 * tested. */
static inline bool X87_Equal(long double a, long double b) {
    return X87_LessOrEqual(a, b) && X87_LessOrEqual(b, a);
}

#endif
