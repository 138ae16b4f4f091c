/* Whether the exact core may be used now. This file is compiled for processors without SSE2, too.
 */
#include "ngi32/exact/force.h"

#include "ngi32/soft/machine.h"
#include "ngi32/soft/soft_x87.h"

#if defined(__i386__) && MACHINE_HAS_X87
#include <cpuid.h>
#endif
#include <stdint.h>

#define FEATURE_SSE2 (1u << 26) /* CPUID leaf 1, EDX */
#define X87_MODES    0x0F3Fu    /* precision, rounding, exceptions */
#define X87_GAMES    0x003Fu    /* 24 bits, to nearest, all masked */

/* Every thread finds the same, so it does not matter which of them writes it. */
static bool HasSse2(void) {
#if defined(__i386__) && MACHINE_HAS_X87
    enum { UNKNOWN, NO, YES };
    static int known;
    int found = __atomic_load_n(&known, __ATOMIC_RELAXED);
    if (found == UNKNOWN) {
        unsigned eax, ebx, ecx, edx;
        found = __get_cpuid(1, &eax, &ebx, &ecx, &edx) && edx & FEATURE_SSE2 ? YES : NO;
        __atomic_store_n(&known, found, __ATOMIC_RELAXED);
    }
    return found == YES;
#else
    return true; /* or C's own operations, which are the same */
#endif
}

static uint16_t ControlWord(void) {
#if MACHINE_HAS_X87
    uint16_t word;
    __asm__ volatile("fnstcw %0" : "=m"(word));
    return word;
#else
    return soft_x87_control_word;
#endif
}

bool Exact_IsInForce(void) {
    return HasSse2() && (ControlWord() & X87_MODES) == X87_GAMES && Machine_RoundsToNearest();
}
