/* Whether the exact core may be used now. This file is compiled for processors without SSE2, too.
 */
#include "ngi32/exact/force.h"

#include <cpuid.h>
#include <stdint.h>

#define FEATURE_SSE2   (1u << 26) /* CPUID leaf 1, EDX */
#define X87_MODES      0x0F3Fu    /* precision, rounding, exceptions */
#define X87_GAMES      0x003Fu    /* 24 bits, to nearest, all masked */
#define MXCSR_MODES    0x7F80u    /* rounding, exceptions */
#define MXCSR_STANDARD 0x1F80u    /* to nearest, all masked */

/* Every thread finds the same, so it does not matter which of them writes it. */
static bool HasSse2(void) {
#ifdef __x86_64__
    return true;
#else
    enum { UNKNOWN, NO, YES };
    static int known;
    int found = __atomic_load_n(&known, __ATOMIC_RELAXED);
    if (found == UNKNOWN) {
        unsigned eax, ebx, ecx, edx;
        found = __get_cpuid(1, &eax, &ebx, &ecx, &edx) && edx & FEATURE_SSE2 ? YES : NO;
        __atomic_store_n(&known, found, __ATOMIC_RELAXED);
    }
    return found == YES;
#endif
}

bool Exact_IsInForce(void) {
    uint16_t word;
    uint32_t mxcsr;
    if (!HasSse2())
        return false;
    __asm__ volatile("fnstcw %0" : "=m"(word));
    __asm__ volatile("stmxcsr %0" : "=m"(mxcsr));
    return (word & X87_MODES) == X87_GAMES && (mxcsr & MXCSR_MODES) == MXCSR_STANDARD;
}
