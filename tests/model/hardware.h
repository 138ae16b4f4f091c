/* The few instructions whose results the model takes from the processor. */
#ifndef RETROPOSE_TESTS_MODEL_HARDWARE_H
#define RETROPOSE_TESTS_MODEL_HARDWARE_H

#include <cpuid.h>
#include <stdbool.h>

/* Only the rounding bits of the control word matter to these three instructions, because their
 * precision is always 64 bits. */
static inline long double Hardware_Sine(long double x) {
    __asm__ volatile("fsin" : "+t"(x));
    return x;
}

static inline long double Hardware_Cosine(long double x) {
    __asm__ volatile("fcos" : "+t"(x));
    return x;
}

/* Executes fpatan: the arc tangent of y / x in the quadrant of (x, y). */
static inline long double Hardware_ArcTangent(long double y, long double x) {
    __asm__ volatile("fpatan" : "+t"(x) : "u"(y) : "st(1)");
    return x;
}

static inline float Hardware_Reciprocal(float x) {
    __asm__ volatile("rcpss %0, %0" : "+x"(x));
    return x;
}

static inline float Hardware_ReciprocalSquareRoot(float x) {
    __asm__ volatile("rsqrtss %0, %0" : "+x"(x));
    return x;
}

/* Returns whether fsin and fcos are known to reduce their argument with a pi of 66 bits: on Intel's
 * processors, and on AMD's family 25. The maker's name comes in EBX, EDX and ECX. */
static inline bool Hardware_ReducesBy66Bits(void) {
    unsigned a, b, c, d, version;
    if (!__get_cpuid(0, &a, &b, &c, &d))
        return false;
    if (b == signature_INTEL_ebx && c == signature_INTEL_ecx && d == signature_INTEL_edx)
        return true;
    bool amd = b == signature_AMD_ebx && c == signature_AMD_ecx && d == signature_AMD_edx;
    return amd && __get_cpuid(1, &version, &b, &c, &d) &&
           (version >> 8 & 15) + (version >> 20 & 255) == 25;
}

#endif
