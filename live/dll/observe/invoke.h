/* Calling a function of a DLL as its signature says. gate.c, of the DLLs and of the tests, has the
 * machine code for it. */
#ifndef RETROPOSE_LIVE_DLL_OBSERVE_INVOKE_H
#define RETROPOSE_LIVE_DLL_OBSERVE_INVOKE_H

#include "exports/overlay/overlay.h"
#include "replay/trace/signature.h"

/* Code with the machine's call that it expects. */
typedef struct LiveTarget {
    const void *code;
    OverlayCall call;
} LiveTarget;

typedef struct LiveResult {
    uint32_t eax, edx;
    uint8_t st0[12]; /* when the signature returns f32 */
    uint16_t control_out;
    uint32_t mxcsr_out;
} LiveResult;

/* Calls `target` with `arguments` (the dwords by value or the pointers, in the order of the
 * signature) under the control word and MXCSR in force, with the x87 stack as it is. */
void Live_Invoke(const LiveTarget *target, const Signature *signature, const uint32_t *arguments,
                 LiveResult *result);
/* Saves and restores the whole floating-point state around what must leave no mark. */
typedef struct LiveFpu {
    uint8_t x87[108];
    uint32_t mxcsr;
} LiveFpu;
void Live_SaveFpu(LiveFpu *state); /* and resets the control word to what the caller had */
void Live_RestoreFpu(const LiveFpu *state);

#endif
