/* The state of the processor under which a call of a trace runs, for code that runs or evaluates
 * calls in this process. */
#ifndef RETROPOSE_REPLAY_PROVIDER_PROCESSOR_STATE_H
#define RETROPOSE_REPLAY_PROVIDER_PROCESSOR_STATE_H

#include <stdint.h>

typedef struct ProcessorState {
    uint16_t control; /* the x87 control word */
    uint32_t mxcsr;
} ProcessorState;

/* Puts a state in force and returns the one before, which the caller restores after the call. */
static inline ProcessorState ProcessorState_Swap(ProcessorState wanted) {
    ProcessorState old;
    __asm__ volatile("fnstcw %0\n\tstmxcsr %1\n\tfldcw %2\n\tldmxcsr %3"
                     : "=m"(old.control), "=m"(old.mxcsr)
                     : "m"(wanted.control), "m"(wanted.mxcsr)
                     : "memory");
    return old;
}

#endif
