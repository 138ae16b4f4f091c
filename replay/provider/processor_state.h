/* The state of the processor under which a call of a trace runs, for code that runs or evaluates
 * calls in this process. */
#ifndef RETROPOSE_REPLAY_PROVIDER_PROCESSOR_STATE_H
#define RETROPOSE_REPLAY_PROVIDER_PROCESSOR_STATE_H

#include "ngi32/processor/in_software.h"
#include "retropose/fastproc.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ProcessorState {
    uint16_t control; /* the x87 control word */
    uint32_t mxcsr;
} ProcessorState;

#if MACHINE_HAS_X87

/* Returns whether this host can put the state in force. */
static inline bool ProcessorState_IsThere(ProcessorState wanted) {
    (void)wanted;
    return true;
}

/* Puts a state in force and returns the one before, which the caller restores after the call. */
static inline ProcessorState ProcessorState_Swap(ProcessorState wanted) {
    ProcessorState old;
    __asm__ volatile("fnstcw %0\n\tstmxcsr %1\n\tfldcw %2\n\tldmxcsr %3"
                     : "=m"(old.control), "=m"(old.mxcsr)
                     : "m"(wanted.control), "m"(wanted.mxcsr)
                     : "memory");
    return old;
}

#else

/* In software, SSE's steps are operations of C. They round as the host's processor is told to, if
 * it can be told, and always keep denormals, because no other processor flushes them in the way SSE
 * does. */
static inline bool ProcessorState_IsThere(ProcessorState wanted) {
    enum { ROUNDING = 0x6000, DENORMALS = 0x8040 };
#if defined(__aarch64__) || defined(__x86_64__) || defined(__i386__)
    return (wanted.mxcsr & DENORMALS) == 0;
#else
    return (wanted.mxcsr & (ROUNDING | DENORMALS)) == 0;
#endif
}

/* Does the same for a state that is there. The control word keeps the bits that an x87 keeps. Of
 * MXCSR only the rounding is put in force and returned, because C's operations leave no flags. */
static inline ProcessorState ProcessorState_Swap(ProcessorState wanted) {
    enum { STANDARD = 0x1F80, ROUNDING = 13 };
    ProcessorState old = {RpFpu_ControlWord(), STANDARD};
    RpFpu_Restore((uint16_t)((wanted.control & 0x1F3Fu) | 0x0040u));
#if defined(__aarch64__)
    /* In FPCR, the codes of the two directions are swapped. */
    enum { FPCR_ROUNDING = 22 };
    static const uint8_t turned[4] = {0, 2, 1, 3};
    uint64_t fpcr;
    __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr) : : "memory");
    old.mxcsr |= (uint32_t)turned[fpcr >> FPCR_ROUNDING & 3] << ROUNDING;
    fpcr = (uint64_t)turned[wanted.mxcsr >> ROUNDING & 3] << FPCR_ROUNDING;
    __asm__ volatile("msr fpcr, %0" : : "r"(fpcr) : "memory");
#elif defined(__x86_64__) || defined(__i386__)
    const uint32_t mxcsr = STANDARD | (wanted.mxcsr & (3u << ROUNDING));
    uint32_t before;
    __asm__ volatile("stmxcsr %0\n\tldmxcsr %1" : "=m"(before) : "m"(mxcsr) : "memory");
    old.mxcsr |= before & (3u << ROUNDING);
#endif
    return old;
}

#endif

#endif
