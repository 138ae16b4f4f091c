/* The control word and MXCSR of this thread. MXCSR is there only on processors with SSE. */
#ifndef RETROPOSE_NGI32_EXACT_STATE_H
#define RETROPOSE_NGI32_EXACT_STATE_H

#include <stdbool.h>
#include <stdint.h>

#define X87_PRECISION   0x0300u
#define X87_ROUNDING    0x0C00u
#define X87_MASKS       0x003Fu
#define X87_MODES       (X87_PRECISION | X87_ROUNDING | X87_MASKS)
#define MXCSR_FAULTS    0x001Fu /* invalid, denormal, division by zero, overflow, underflow */
#define MXCSR_ROUNDING  0x6000u
#define MXCSR_MASKS     0x1F80u
#define MXCSR_DENORMALS 0x8040u /* flush to zero, denormals are zero */
#define MXCSR_STANDARD  0x1F80u /* to nearest, no exceptions, denormals as they are */

/* Return whether this processor has them; SSE brings MXCSR. */
bool State_HasSse(void);
bool State_HasSse2(void);

static inline uint16_t State_ControlWord(void) {
    uint16_t word;
    __asm__ volatile("fnstcw %0" : "=m"(word));
    return word;
}

static inline void State_SetControlWord(uint16_t word) {
    __asm__ volatile("fldcw %0" : : "m"(word));
}

static inline uint32_t State_Mxcsr(void) {
    uint32_t mxcsr;
    __asm__ volatile("stmxcsr %0" : "=m"(mxcsr) : : "memory");
    return mxcsr;
}

static inline void State_SetMxcsr(uint32_t mxcsr) {
    __asm__ volatile("ldmxcsr %0" : : "m"(mxcsr) : "memory");
}

#endif
