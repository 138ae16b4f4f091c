/* Which width of many.h is used, and the state of MXCSR around it. */
#include "ngi32/exact/many.h"

#include <stddef.h>

#define MXCSR_STANDARD 0x1F80u /* to nearest, no exceptions, denormals as they are */
#define MXCSR_FAULTS   0x001Fu /* invalid, denormal, division by zero, overflow, underflow */

static uint32_t Mxcsr(void) {
    uint32_t mxcsr;
    __asm__ volatile("stmxcsr %0" : "=m"(mxcsr) : : "memory");
    return mxcsr;
}

static void SetMxcsr(uint32_t mxcsr) {
    __asm__ volatile("ldmxcsr %0" : : "m"(mxcsr) : "memory");
}

uint32_t Exact_Enter(void) {
    const uint32_t before = Mxcsr();
    SetMxcsr(MXCSR_STANDARD);
    return before;
}

bool Exact_Leave(uint32_t before) {
    const uint32_t faults = Mxcsr() & MXCSR_FAULTS;
    SetMxcsr(before);
    return faults == 0;
}

const ExactWidth *const *Exact_Widths(void) {
#ifdef __x86_64__
    static const ExactWidth *const wide[] = {&exact_sse2, &exact_avx2, NULL};
    static const ExactWidth *const widest[] = {&exact_sse2, &exact_avx2, &exact_avx512, NULL};
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
        return widest;
    if (__builtin_cpu_supports("avx2"))
        return wide;
#endif
    static const ExactWidth *const narrow[] = {&exact_sse2, NULL};
    return narrow;
}

const ExactWidth *Exact_Width(void) {
    const ExactWidth *const *widths = Exact_Widths();
    while (widths[1])
        widths++;
    return *widths;
}

void Exact_Pad(ExactSegments *segments, int count) {
    for (int i = count; i < EXACT_MANY && i % EXACT_MOST_LANES != 0; i++) {
        segments->first[i] = segments->first[count - 1];
        segments->second[i] = segments->second[count - 1];
        segments->held[i] = segments->held[count - 1];
    }
}
