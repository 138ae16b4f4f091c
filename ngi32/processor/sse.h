/* The steps of an SSE build: each function is one instruction (docs/reference/arithmetic.md, "Rules
 * for SSE builds"), volatile like those of x87.h. Every operation rounds to binary32 as MXCSR says.
 * The left operand is the instruction's destination, which decides between two NaNs.
 *
 * A value is a register, of which the scalar steps mean the low element. Functions that use these
 * steps are declared SSE_BUILD; the rest of a file, and the processor that runs it, needs no SSE.
 *
 * A machine without SSE has the same steps in C (ngi32/processor/soft_sse.h), which round as its
 * operations do. Its estimates are Intel's.
 */
#ifndef RETROPOSE_NGI32_PROCESSOR_SSE_H
#define RETROPOSE_NGI32_PROCESSOR_SSE_H

#include "ngi32/processor/estimates.h"
#include "ngi32/processor/in_software.h"

#if MACHINE_HAS_X87

#include <stdbool.h>
#include <stdint.h>

typedef float Sse __attribute__((vector_size(16)));

/* Spilled registers need an aligned stack, which callers of the 32-bit ABI do not provide. */
#define SSE_BUILD __attribute__((target("sse"), noinline, force_align_arg_pointer))
#define SSE_STEP  static inline __attribute__((always_inline, target("sse")))

/* ---- memory: copies bits --------------------------------------------------------------------- */

SSE_STEP Sse Sse_Load(const float *at) {
    Sse value;
    __asm__ volatile("movss %1, %0" : "=x"(value) : "m"(*at));
    return value;
}

SSE_STEP void Sse_Store(Sse value, float *to) {
    __asm__ volatile("movss %1, %0" : "=m"(*to) : "x"(value));
}

SSE_STEP uint32_t Sse_Bits(Sse value) {
    uint32_t bits;
    __asm__ volatile("movss %1, %0" : "=m"(bits) : "x"(value));
    return bits;
}

SSE_STEP Sse Sse_OfBits(uint32_t bits) {
    Sse value;
    __asm__ volatile("movss %1, %0" : "=x"(value) : "m"(bits));
    return value;
}

SSE_STEP Sse Sse_Load4(const float *at) {
    Sse value;
    __asm__ volatile("movups %1, %0" : "=x"(value) : "m"(*(const float(*)[4])at));
    return value;
}

SSE_STEP void Sse_Store4(Sse value, float *to) {
    __asm__ volatile("movups %1, %0" : "=m"(*(float(*)[4])to) : "x"(value));
}

/* Copies the low element into all four. */
SSE_STEP Sse Sse_Broadcast(Sse value) {
    __asm__ volatile("shufps $0, %0, %0" : "+x"(value));
    return value;
}

/* ---- arithmetic ------------------------------------------------------------------------------ */

SSE_STEP Sse Sse_Add(Sse a, Sse b) {
    __asm__ volatile("addss %1, %0" : "+x"(a) : "x"(b));
    return a;
}

SSE_STEP Sse Sse_Sub(Sse a, Sse b) {
    __asm__ volatile("subss %1, %0" : "+x"(a) : "x"(b));
    return a;
}

SSE_STEP Sse Sse_Mul(Sse a, Sse b) {
    __asm__ volatile("mulss %1, %0" : "+x"(a) : "x"(b));
    return a;
}

SSE_STEP Sse Sse_Div(Sse a, Sse b) {
    __asm__ volatile("divss %1, %0" : "+x"(a) : "x"(b));
    return a;
}

SSE_STEP Sse Sse_Sqrt(Sse x) {
    __asm__ volatile("sqrtss %0, %0" : "+x"(x));
    return x;
}

/* Returns b when either operand is a NaN or both are zero. */
SSE_STEP Sse Sse_Max(Sse a, Sse b) {
    __asm__ volatile("maxss %1, %0" : "+x"(a) : "x"(b));
    return a;
}

/* The following two functions give estimates, which differ between processors. */
SSE_STEP Sse Sse_Rcp(Sse x) {
    __asm__ volatile("rcpss %0, %0" : "+x"(x));
    return x;
}

SSE_STEP Sse Sse_Rsqrt(Sse x) {
    __asm__ volatile("rsqrtss %0, %0" : "+x"(x));
    return x;
}

/* Flips the sign bit, even of a NaN. */
SSE_STEP Sse Sse_Neg(Sse x) {
    static const float minus_zero = -0.0f;
    Sse sign = Sse_Load(&minus_zero);
    __asm__ volatile("xorps %1, %0" : "+x"(x) : "x"(sign));
    return x;
}

SSE_STEP Sse Sse_Add4(Sse a, Sse b) {
    __asm__ volatile("addps %1, %0" : "+x"(a) : "x"(b));
    return a;
}

SSE_STEP Sse Sse_Mul4(Sse a, Sse b) {
    __asm__ volatile("mulps %1, %0" : "+x"(a) : "x"(b));
    return a;
}

/* ---- comparison: false with a NaN ------------------------------------------------------------ */

SSE_STEP bool Sse_Less(Sse a, Sse b) {
    bool less;
    __asm__ volatile("comiss %1, %2" : "=@cca"(less) : "x"(a), "x"(b));
    return less;
}

SSE_STEP bool Sse_LessOrEqual(Sse a, Sse b) {
    bool less_or_equal;
    __asm__ volatile("comiss %1, %2" : "=@ccae"(less_or_equal) : "x"(a), "x"(b));
    return less_or_equal;
}

#else

#include "ngi32/processor/soft_sse.h"

typedef struct Sse {
    uint32_t bits[4];
} Sse;

#define SSE_BUILD
#define SSE_STEP static inline

SSE_STEP Sse Sse_Load(const float *at) {
    Sse value = {{0}};
    memcpy(value.bits, at, sizeof *at);
    return value;
}

SSE_STEP void Sse_Store(Sse value, float *to) {
    memcpy(to, value.bits, sizeof *to);
}

SSE_STEP uint32_t Sse_Bits(Sse value) {
    return value.bits[0];
}

SSE_STEP Sse Sse_OfBits(uint32_t bits) {
    return (Sse){{bits}};
}

SSE_STEP Sse Sse_Load4(const float *at) {
    Sse value;
    memcpy(value.bits, at, sizeof value.bits);
    return value;
}

SSE_STEP void Sse_Store4(Sse value, float *to) {
    memcpy(to, value.bits, sizeof value.bits);
}

SSE_STEP Sse Sse_Broadcast(Sse value) {
    for (int i = 1; i < 4; i++)
        value.bits[i] = value.bits[0];
    return value;
}

SSE_STEP Sse Sse_Add(Sse a, Sse b) {
    a.bits[0] = SoftSse_Add(a.bits[0], b.bits[0]);
    return a;
}

SSE_STEP Sse Sse_Sub(Sse a, Sse b) {
    a.bits[0] = SoftSse_Sub(a.bits[0], b.bits[0]);
    return a;
}

SSE_STEP Sse Sse_Mul(Sse a, Sse b) {
    a.bits[0] = SoftSse_Mul(a.bits[0], b.bits[0]);
    return a;
}

SSE_STEP Sse Sse_Div(Sse a, Sse b) {
    a.bits[0] = SoftSse_Div(a.bits[0], b.bits[0]);
    return a;
}

SSE_STEP Sse Sse_Max(Sse a, Sse b) {
    a.bits[0] = SoftSse_Max(a.bits[0], b.bits[0]);
    return a;
}

SSE_STEP Sse Sse_Sqrt(Sse x) {
    x.bits[0] = SoftSse_Sqrt(x.bits[0]);
    return x;
}

SSE_STEP Sse Sse_Rcp(Sse x) {
    x.bits[0] = Estimates_Reciprocal(RP_ESTIMATES_OF_THIS, x.bits[0]);
    return x;
}

SSE_STEP Sse Sse_Rsqrt(Sse x) {
    x.bits[0] = Estimates_ReciprocalSquareRoot(RP_ESTIMATES_OF_THIS, x.bits[0]);
    return x;
}

SSE_STEP Sse Sse_Neg(Sse x) {
    x.bits[0] ^= SOFT_SSE_SIGN;
    return x;
}

SSE_STEP Sse Sse_Add4(Sse a, Sse b) {
    for (int i = 0; i < 4; i++)
        a.bits[i] = SoftSse_Add(a.bits[i], b.bits[i]);
    return a;
}

SSE_STEP Sse Sse_Mul4(Sse a, Sse b) {
    for (int i = 0; i < 4; i++)
        a.bits[i] = SoftSse_Mul(a.bits[i], b.bits[i]);
    return a;
}

SSE_STEP bool Sse_Less(Sse a, Sse b) {
    return SoftSse_Less(a.bits[0], b.bits[0]);
}

SSE_STEP bool Sse_LessOrEqual(Sse a, Sse b) {
    return SoftSse_LessOrEqual(a.bits[0], b.bits[0]);
}

#endif

/* These give a maker's estimates, and do not run the instruction. */
SSE_STEP Sse Sse_RcpOf(RpEstimates maker, Sse x) {
    if (maker == RP_ESTIMATES_OF_THIS)
        return Sse_Rcp(x);
    return Sse_OfBits(Estimates_Reciprocal(maker, Sse_Bits(x)));
}

SSE_STEP Sse Sse_RsqrtOf(RpEstimates maker, Sse x) {
    if (maker == RP_ESTIMATES_OF_THIS)
        return Sse_Rsqrt(x);
    return Sse_OfBits(Estimates_ReciprocalSquareRoot(maker, Sse_Bits(x)));
}

SSE_STEP bool Sse_Equal(Sse a, Sse b) {
    return Sse_LessOrEqual(a, b) && Sse_LessOrEqual(b, a);
}

#endif
