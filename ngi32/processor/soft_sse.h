/* The SSE instructions that ngi32/processor/sse.h names, in C, on the bits of binary32. They round
 * as C's own operations do, and give the NaNs that SSE gives. */
#ifndef RETROPOSE_NGI32_PROCESSOR_SOFT_SSE_H
#define RETROPOSE_NGI32_PROCESSOR_SOFT_SSE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define SOFT_SSE_QUIET      0x00400000u
#define SOFT_SSE_INFINITE   0x7F800000u
#define SOFT_SSE_INDEFINITE 0xFFC00000u
#define SOFT_SSE_SIGN       0x80000000u

static inline float SoftSse_Number(uint32_t bits) {
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static inline uint32_t SoftSse_Bits(float number) {
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static inline bool SoftSse_IsNan(uint32_t bits) {
    return (bits & ~SOFT_SSE_SIGN) > SOFT_SSE_INFINITE;
}

/* Returns the result of an operation on a and b, for which C gives `number`. */
static inline uint32_t SoftSse_Result(uint32_t a, uint32_t b, float number) {
    const uint32_t bits = SoftSse_Bits(number);
    if (!SoftSse_IsNan(bits))
        return bits;
    if (SoftSse_IsNan(a))
        return a | SOFT_SSE_QUIET;
    return SoftSse_IsNan(b) ? b | SOFT_SSE_QUIET : SOFT_SSE_INDEFINITE;
}

static inline uint32_t SoftSse_Add(uint32_t a, uint32_t b) {
    return SoftSse_Result(a, b, SoftSse_Number(a) + SoftSse_Number(b));
}

static inline uint32_t SoftSse_Sub(uint32_t a, uint32_t b) {
    return SoftSse_Result(a, b, SoftSse_Number(a) - SoftSse_Number(b));
}

static inline uint32_t SoftSse_Mul(uint32_t a, uint32_t b) {
    return SoftSse_Result(a, b, SoftSse_Number(a) * SoftSse_Number(b));
}

static inline uint32_t SoftSse_Div(uint32_t a, uint32_t b) {
    return SoftSse_Result(a, b, SoftSse_Number(a) / SoftSse_Number(b));
}

static inline uint32_t SoftSse_Sqrt(uint32_t x) {
    return SoftSse_Result(x, x, __builtin_sqrtf(SoftSse_Number(x)));
}

/* Returns b when either is a NaN or both are zero. */
static inline uint32_t SoftSse_Max(uint32_t a, uint32_t b) {
    return SoftSse_Number(a) > SoftSse_Number(b) ? a : b;
}

static inline bool SoftSse_Less(uint32_t a, uint32_t b) {
    return SoftSse_Number(a) < SoftSse_Number(b);
}

static inline bool SoftSse_LessOrEqual(uint32_t a, uint32_t b) {
    return SoftSse_Number(a) <= SoftSse_Number(b);
}

#endif
