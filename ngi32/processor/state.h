/* Reads and sets the control word, the status word and MXCSR of this thread. Only processors with
 * SSE have MXCSR. Without an x87 the control word is a variable, and the machine's own register for
 * such modes takes the place of MXCSR. */
#ifndef RETROPOSE_NGI32_PROCESSOR_STATE_H
#define RETROPOSE_NGI32_PROCESSOR_STATE_H

#include "ngi32/processor/in_software.h"
#include "ngi32/processor/soft_x87.h"

#include <stdbool.h>
#include <stdint.h>

#define X87_PRECISION 0x0300u
#define X87_ROUNDING  0x0C00u
#define X87_MASKS     0x003Fu
#define X87_MODES     (X87_PRECISION | X87_ROUNDING | X87_MASKS)
#define X87_FLAGS     0x007Fu /* the exceptions that have been raised, and the stack fault */
#define X87_PENDING   0x8080u /* status word: an unmasked exception is pending */

#if defined(__i386__) || defined(__x86_64__)
#define MXCSR_FAULTS    0x001Fu /* invalid, denormal, division by zero, overflow, underflow */
#define MXCSR_ROUNDING  0x6000u
#define MXCSR_MASKS     0x1F80u
#define MXCSR_DENORMALS 0x8040u /* flush to zero, and denormals are zero */
#define MXCSR_STANDARD  0x1F80u /* rounding to nearest, no exceptions, denormals as they are */
#elif defined(__aarch64__)
#define MXCSR_FAULTS    0x0000000Fu /* these are of FPSR, the others of FPCR */
#define MXCSR_ROUNDING  0x00C00000u
#define MXCSR_MASKS     0x00009F00u
#define MXCSR_DENORMALS 0x01080000u
#define MXCSR_STANDARD  0u
#else /* WebAssembly has no modes; of other machines it is taken for granted that C's are in force \
       */
#define MXCSR_FAULTS    0u
#define MXCSR_ROUNDING  0u
#define MXCSR_MASKS     0u
#define MXCSR_DENORMALS 0u
#define MXCSR_STANDARD  0u
#endif

/* These return whether this processor has SSE and SSE2. SSE brings MXCSR. */
bool State_HasSse(void);
bool State_HasSse2(void);

static inline uint16_t State_ControlWord(void) {
#if MACHINE_HAS_X87
    uint16_t word;
    __asm__ volatile("fnstcw %0" : "=m"(word));
    return word;
#else
    return soft_x87_control_word;
#endif
}

static inline void State_SetControlWord(uint16_t word) {
#if MACHINE_HAS_X87
    __asm__ volatile("fldcw %0" : : "m"(word));
#else
    soft_x87_control_word = word;
#endif
}

/* None of these three functions raises a pending exception. An x87 in software has no flags. */
static inline uint16_t State_StatusWord(void) {
    uint16_t word = 0;
#if MACHINE_HAS_X87
    __asm__ volatile("fnstsw %0" : "=m"(word));
#endif
    return word;
}

static inline void State_ClearStatus(void) {
#if MACHINE_HAS_X87
    __asm__ volatile("fnclex");
#endif
}

/* Flags can only be loaded as a part of the whole environment. The rest of it must stay as it is,
 * above all the places of the numbers on the stack. */
static inline void State_SetControlWordAndFlags(uint16_t word, uint16_t flags) {
#if MACHINE_HAS_X87
    struct {
        uint16_t control, gap, status, others[11];
    } environment;
    __asm__ volatile("fnstenv %0" : "=m"(environment));
    environment.control = word;
    environment.status =
        (uint16_t)((environment.status & ~(X87_FLAGS | X87_PENDING)) | (flags & X87_FLAGS));
    __asm__ volatile("fldenv %0" : : "m"(environment));
#else
    (void)flags;
    State_SetControlWord(word);
#endif
}

static inline uint32_t State_Mxcsr(void) {
#if defined(__i386__) || defined(__x86_64__)
    uint32_t mxcsr;
    __asm__ volatile("stmxcsr %0" : "=m"(mxcsr) : : "memory");
    return mxcsr;
#elif defined(__aarch64__)
    uint64_t fpcr;
    __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr) : : "memory");
    return (uint32_t)fpcr;
#else
    return MXCSR_STANDARD;
#endif
}

static inline void State_SetMxcsr(uint32_t mxcsr) {
#if defined(__i386__) || defined(__x86_64__)
    __asm__ volatile("ldmxcsr %0" : : "m"(mxcsr) : "memory");
#elif defined(__aarch64__)
    __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)mxcsr) : "memory");
#else
    (void)mxcsr;
#endif
}

/* Setting MXCSR has already cleared its flags. FPSR is a separate register. */
static inline void State_ClearFlags(void) {
#ifdef __aarch64__
    __asm__ volatile("msr fpsr, %0" : : "r"((uint64_t)0) : "memory");
#endif
}

static inline uint32_t State_Flags(void) {
#ifdef __aarch64__
    uint64_t fpsr;
    __asm__ volatile("mrs %0, fpsr" : "=r"(fpsr) : : "memory");
    return (uint32_t)fpsr;
#else
    return State_Mxcsr();
#endif
}

#endif
