/* This file is compiled for processors without SSE, too. */
#include "ngi32/processor/state.h"

#if MACHINE_HAS_X87
#include <cpuid.h>
#endif

#define FEATURE_SSE  (1u << 25) /* CPUID leaf 1, EDX */
#define FEATURE_SSE2 (1u << 26)

static bool Has(unsigned feature) {
#if defined(__x86_64__) || !MACHINE_HAS_X87 /* SSE's steps are always there, if only in C */
    (void)feature;
    return true;
#else
    enum { KNOWN = 1 };
    static unsigned
        known; /* All threads find the same value, so it does not matter which one writes it. */
    unsigned found = __atomic_load_n(&known, __ATOMIC_RELAXED);
    if (!found) {
        unsigned eax, ebx, ecx, edx;
        if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx))
            edx = 0;
        found = (edx & (FEATURE_SSE | FEATURE_SSE2)) | KNOWN;
        __atomic_store_n(&known, found, __ATOMIC_RELAXED);
    }
    return (found & feature) != 0;
#endif
}

bool State_HasSse(void) {
    return Has(FEATURE_SSE);
}

bool State_HasSse2(void) {
    return Has(FEATURE_SSE2);
}
