/* The processor classes of Ngi32 0x10002F90 (facts/ngi32.md B.2, docs/reference/arithmetic.md). */
#include "retropose/fastproc.h"

#include "ngi32/processor/in_software.h"

#include <stdbool.h>
#include <string.h>

#if MACHINE_HAS_X87
#include <cpuid.h>

#define FEATURE_MMX      (1u << 23) /* leaf 1, EDX */
#define FEATURE_SSE      (1u << 25) /* leaf 1, EDX */
#define FEATURE_3DNOW    (1u << 31) /* leaf 0x80000001, EDX */
#define EXTENDED_LEAF    0x80000001u
#define FIRST_P6_FAMILY  6u
#define FAMILY_OF(leaf1) ((leaf1) >> 8 & 0xF)

static bool IsIntel(unsigned ebx, unsigned ecx, unsigned edx) {
    return ebx == signature_INTEL_ebx && ecx == signature_INTEL_ecx && edx == signature_INTEL_edx;
}

/* __get_cpuid fails if CPUID or the leaf does not exist. */
void RpProcessor_Detect(RpProcessor *processor) {
    unsigned eax, ebx, ecx, edx;
    memset(processor, 0, sizeof *processor);
    if (!__get_cpuid(0, &eax, &ebx, &ecx, &edx))
        return;
    bool intel = IsIntel(ebx, ecx, edx);
    if (__get_cpuid(1, &eax, &ebx, &ecx, &edx)) {
        processor->mmx = (edx & FEATURE_MMX) != 0;
        processor->sse = (edx & FEATURE_SSE) != 0;
        processor->fxch = intel && FAMILY_OF(eax) >= FIRST_P6_FAMILY;
    }
    if (__get_cpuid(EXTENDED_LEAF, &eax, &ebx, &ecx, &edx))
        processor->amd3dnow = (edx & FEATURE_3DNOW) != 0;
}

#else

/* Describes a machine without CPUID, such as the oldest that the original knows. */
void RpProcessor_Detect(RpProcessor *processor) {
    memset(processor, 0, sizeof *processor);
}

#endif

void RpProcessor_FromForceCpu(int32_t force_cpu, RpProcessor *processor) {
    enum { FIRST = 2, COUNT = 6 };
    static const RpProcessor forced[COUNT] = {
        {.sse = 1},
        {.amd3dnow = 1},
        {.sse = 1, .amd3dnow = 1},
        {.sse = 1, .amd3dnow = 1, .fxch = 1, .mmx = 1},
        {.sse = 1, .amd3dnow = 1, .fxch = 1},
        {.mmx = 1},
    };
    if (force_cpu >= FIRST && force_cpu < FIRST + COUNT)
        *processor = forced[force_cpu - FIRST];
    else
        RpProcessor_Detect(processor);
}

RpBuild RpProcessor_Build(const RpProcessor *processor) {
    if (processor->sse)
        return RP_BUILD_SSE;
    if (processor->fxch && !processor->amd3dnow)
        return RP_BUILD_FXCH;
    return RP_BUILD_GENERIC;
}

const char *RpBuild_Name(RpBuild build) {
    static const char *const names[RP_BUILD_COUNT] = {"generic", "fxch", "sse"};
    return (unsigned)build < RP_BUILD_COUNT ? names[build] : "unknown";
}
