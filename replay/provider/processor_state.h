/* The state of the processor under which a call of a trace runs, for code that runs or evaluates
 * calls in this process. */
#ifndef RETROPOSE_REPLAY_PROVIDER_PROCESSOR_STATE_H
#define RETROPOSE_REPLAY_PROVIDER_PROCESSOR_STATE_H

#include "ngi32/soft/machine.h"
#include "retropose/fastproc.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ProcessorState {
    uint16_t control; /* the x87 control word */
    uint32_t mxcsr;
} ProcessorState;

/* Returns whether this host can put the state in force. Where it computes the x87 and SSE in
 * software, SSE's steps round to nearest and keep denormals, whatever MXCSR says. */
static inline bool ProcessorState_IsThere(ProcessorState wanted) {
    enum { MXCSR_MODES = 0xE040 }; /* rounding, flush to zero, denormals are zero */
    return MACHINE_HAS_X87 || (wanted.mxcsr & MXCSR_MODES) == 0;
}

/* Puts a state in force and returns the one before, which the caller restores after the call. In
 * software there is no MXCSR, and no flag is ever found in it. */
static inline ProcessorState ProcessorState_Swap(ProcessorState wanted) {
#if MACHINE_HAS_X87
    ProcessorState old;
    __asm__ volatile("fnstcw %0\n\tstmxcsr %1\n\tfldcw %2\n\tldmxcsr %3"
                     : "=m"(old.control), "=m"(old.mxcsr)
                     : "m"(wanted.control), "m"(wanted.mxcsr)
                     : "memory");
    return old;
#else
    const ProcessorState old = {RpFpu_ControlWord(), 0x1F80};
    RpFpu_Restore(wanted.control);
    return old;
#endif
}

#endif
