/* The steps of an x87 build: each function is one instruction (docs/reference/arithmetic.md, "Rules
 * for x87 builds").
 *
 * On an x86 a value is a `long double`, the 80-bit format of the x87 stack: the compiler can spill
 * and reload it without loss. The instructions are volatile, so no compiler folds, reorders or
 * contracts them, at any level, and each rounds as the control word in force says.
 *
 * A machine without an x87 has the same steps in software (ngi32/processor/soft_x87.h), with a
 * control word that is a variable of the thread.
 *
 * Numbers that a step calls *copied* must not pass through here: loading a binary32 signalling NaN
 * makes it quiet. Copy such numbers as bytes.
 */
#ifndef RETROPOSE_NGI32_PROCESSOR_X87_H
#define RETROPOSE_NGI32_PROCESSOR_X87_H

#include "ngi32/processor/in_software.h"

#include <stdbool.h>
#include <stdint.h>

#if MACHINE_HAS_X87

#include <float.h>

typedef long double X87;

_Static_assert(LDBL_MANT_DIG == 64 && LDBL_MAX_EXP == 16384, "long double is the x87's format");

/* ---- memory ---------------------------------------------------------------------------------- */

static inline X87 X87_Load(const float *at) {
    X87 value;
    __asm__ volatile("flds %1" : "=t"(value) : "m"(*at));
    return value;
}

static inline X87 X87_LoadF64(const double *at) {
    X87 value;
    __asm__ volatile("fldl %1" : "=t"(value) : "m"(*at));
    return value;
}

static inline X87 X87_LoadI16(const int16_t *at) {
    X87 value;
    __asm__ volatile("filds %1" : "=t"(value) : "m"(*at));
    return value;
}

static inline X87 X87_LoadI32(const int32_t *at) {
    X87 value;
    __asm__ volatile("fildl %1" : "=t"(value) : "m"(*at));
    return value;
}

/* Rounds to binary32. */
static inline void X87_Store(X87 value, float *to) {
    __asm__ volatile("fstps %0" : "=m"(*to) : "t"(value) : "st");
}

/* Rounds to an integer. NaN and numbers that 64 bits cannot hold become 0x8000000000000000. */
static inline int64_t X87_StoreI64(X87 value) {
    int64_t integer;
    __asm__ volatile("fistpll %0" : "=m"(integer) : "t"(value) : "st");
    return integer;
}

/* ---- arithmetic ------------------------------------------------------------------------------ */

static inline X87 X87_Add(X87 a, X87 b) {
    X87 sum;
    __asm__ volatile("fadd %%st(1), %%st" : "=t"(sum) : "0"(a), "u"(b));
    return sum;
}

static inline X87 X87_Sub(X87 a, X87 b) {
    X87 difference;
    __asm__ volatile("fsub %%st(1), %%st" : "=t"(difference) : "0"(a), "u"(b));
    return difference;
}

static inline X87 X87_Mul(X87 a, X87 b) {
    X87 product;
    __asm__ volatile("fmul %%st(1), %%st" : "=t"(product) : "0"(a), "u"(b));
    return product;
}

/* Multiplies by a number in memory, which is not loaded first. If both are NaNs and the one in
 * memory is signalling, the result is `a`, other than that of X87_Mul with the loaded number. */
static inline X87 X87_MulMemory(X87 a, const float *b) {
    X87 product;
    __asm__ volatile("fmuls %2" : "=t"(product) : "0"(a), "m"(*b));
    return product;
}

static inline X87 X87_Div(X87 a, X87 b) {
    X87 quotient;
    __asm__ volatile("fdiv %%st(1), %%st" : "=t"(quotient) : "0"(a), "u"(b));
    return quotient;
}

static inline X87 X87_Sqrt(X87 x) {
    __asm__ volatile("fsqrt" : "+t"(x));
    return x;
}

static inline X87 X87_Neg(X87 x) {
    __asm__ volatile("fchs" : "+t"(x));
    return x;
}

static inline X87 X87_Abs(X87 x) {
    __asm__ volatile("fabs" : "+t"(x));
    return x;
}

/* ---- transcendental: 64 bits whatever the control word's precision --------------------------- */

/* The instruction leaves a number of |x| >= 2^63 unchanged. */
static inline X87 X87_Sin(X87 x) {
    __asm__ volatile("fsin" : "+t"(x));
    return x;
}

/* The instruction leaves a number of |x| >= 2^63 unchanged. */
static inline X87 X87_Cos(X87 x) {
    __asm__ volatile("fcos" : "+t"(x));
    return x;
}

/* Returns the angle of the point (x, y). */
static inline X87 X87_Patan(X87 y, X87 x) {
    X87 angle;
    __asm__ volatile("fpatan" : "=t"(angle) : "0"(x), "u"(y) : "st(1)");
    return angle;
}

/* ---- comparison: false with a NaN ------------------------------------------------------------ */

static inline bool X87_Less(X87 a, X87 b) {
    bool less;
    __asm__ volatile("fcomi %2, %1" : "=@cca"(less) : "t"(b), "u"(a));
    return less;
}

static inline bool X87_LessOrEqual(X87 a, X87 b) {
    bool less_or_equal;
    __asm__ volatile("fcomi %2, %1" : "=@ccae"(less_or_equal) : "t"(b), "u"(a));
    return less_or_equal;
}

/* Converts a result that leaves the library. */
static inline long double X87_ToLongDouble(X87 value) {
    return value;
}

/* Returns whether two values have the same bits. */
static inline bool X87_IsSame(X87 a, X87 b) {
    enum { BYTES = 10 }; /* the bytes of a long double that hold its value; the rest is padding */
    return __builtin_memcmp(&a, &b, BYTES) == 0;
}

#else

#include "ngi32/processor/soft_x87.h"

typedef SoftX87 X87;

static inline X87 X87_Load(const float *at) {
    return SoftX87_Load(at);
}

static inline X87 X87_LoadF64(const double *at) {
    return SoftX87_LoadF64(at);
}

static inline X87 X87_LoadI16(const int16_t *at) {
    return SoftX87_LoadI16(at);
}

static inline X87 X87_LoadI32(const int32_t *at) {
    return SoftX87_LoadI32(at);
}

static inline void X87_Store(X87 value, float *to) {
    SoftX87_Store(value, to);
}

static inline int64_t X87_StoreI64(X87 value) {
    return SoftX87_StoreI64(value);
}

static inline X87 X87_Add(X87 a, X87 b) {
    return SoftX87_Add(a, b);
}

static inline X87 X87_Sub(X87 a, X87 b) {
    return SoftX87_Sub(a, b);
}

static inline X87 X87_Mul(X87 a, X87 b) {
    return SoftX87_Mul(a, b);
}

static inline X87 X87_MulMemory(X87 a, const float *b) {
    return SoftX87_MulMemory(a, b);
}

static inline X87 X87_Div(X87 a, X87 b) {
    return SoftX87_Div(a, b);
}

static inline X87 X87_Sqrt(X87 x) {
    return SoftX87_Sqrt(x);
}

static inline X87 X87_Neg(X87 x) {
    return SoftX87_Neg(x);
}

static inline X87 X87_Abs(X87 x) {
    return SoftX87_Abs(x);
}

static inline X87 X87_Sin(X87 x) {
    return SoftX87_Sin(x);
}

static inline X87 X87_Cos(X87 x) {
    return SoftX87_Cos(x);
}

static inline X87 X87_Patan(X87 y, X87 x) {
    return SoftX87_Patan(y, x);
}

static inline bool X87_Less(X87 a, X87 b) {
    return SoftX87_Less(a, b);
}

static inline bool X87_LessOrEqual(X87 a, X87 b) {
    return SoftX87_LessOrEqual(a, b);
}

static inline long double X87_ToLongDouble(X87 value) {
    return SoftX87_ToLongDouble(value);
}

static inline bool X87_IsSame(X87 a, X87 b) {
    return a.head == b.head && a.significand == b.significand;
}

#endif

/* FCOMI sets ZF for equal and for unordered operands, but CF only for unordered ones, which `a <=
 * b` has already tested. */
static inline bool X87_Equal(X87 a, X87 b) {
    return X87_LessOrEqual(a, b) && X87_LessOrEqual(b, a);
}

#endif
