/* The two registers of a thread that decide how it rounds. */
#ifndef RETROPOSE_REPLAY_COMPOSED_ROUNDING_H
#define RETROPOSE_REPLAY_COMPOSED_ROUNDING_H

#include <stdint.h>

typedef struct Rounding {
    uint16_t control_word;
    uint32_t mxcsr;
} Rounding;

static inline Rounding Rounding_Get(void) {
    Rounding rounding;
    __asm__ volatile("fnstcw %0" : "=m"(rounding.control_word));
    __asm__ volatile("stmxcsr %0" : "=m"(rounding.mxcsr));
    return rounding;
}

static inline void Rounding_Set(Rounding rounding) {
    __asm__ volatile("fldcw %0" : : "m"(rounding.control_word));
    __asm__ volatile("ldmxcsr %0" : : "m"(rounding.mxcsr));
}

#endif
