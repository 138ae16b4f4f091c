/* Calls a function of a DLL as its signature says. The machine code for this is in gate.c, for the
 * DLLs, and in the tests. */
#ifndef RETROPOSE_DLL_OBSERVE_INVOKE_H
#define RETROPOSE_DLL_OBSERVE_INVOKE_H

#include "exports/overlay/overlay.h"
#include "tracefile/signature.h"

/* A function's code, and how it expects to be called. */
typedef struct LiveTarget {
    const void *code;
    OverlayCall call;
} LiveTarget;

typedef struct LiveResult {
    uint32_t eax, edx;
    uint8_t st0[12]; /* filled if the signature returns f32 */
    uint16_t control_out;
    uint32_t mxcsr_out;
} LiveResult;

/* Calls `target` with `arguments` (dwords by value and pointers, in the order of the signature). It
 * runs under the current control word and MXCSR, and with the x87 stack as it is. */
void Live_Invoke(const LiveTarget *target, const Signature *signature, const uint32_t *arguments,
                 LiveResult *result);
/* Saves and restores the whole floating-point state around code that must not change it. */
typedef struct LiveFpu {
    uint8_t x87[108];
    uint32_t mxcsr;
} LiveFpu;
void Live_SaveFpu(LiveFpu *state); /* also gives the control word the caller's value */
void Live_RestoreFpu(const LiveFpu *state);

#endif
