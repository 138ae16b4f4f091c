/* Whether the x87's and SSE's instructions are executed or computed in software. */
#ifndef RETROPOSE_NGI32_SOFT_MACHINE_H
#define RETROPOSE_NGI32_SOFT_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

/* The CMake option RETROPOSE_SOFT_X87 asks for software where the processor has the instructions,
 * so that what other processors run can be tested on an x86. */
#if (defined(__i386__) || defined(__x86_64__)) && !defined(RETROPOSE_SOFT_X87)
#define MACHINE_HAS_X87 1
#else
#define MACHINE_HAS_X87 0
#endif

/* Whether operations leave flags behind that tell that one of them was invalid, divided by zero, or
 * over- or underflowed. WebAssembly has none; a build that tests on an x86 what machines without
 * flags run does not look at them. */
#if MACHINE_HAS_X87 || defined(__aarch64__)
#define MACHINE_HAS_FLAGS 1
#else
#define MACHINE_HAS_FLAGS 0
#endif

#if defined(__i386__) || defined(__x86_64__)

#define MACHINE_MODES    0x7F80u /* of MXCSR: rounding, masks of exceptions */
#define MACHINE_STANDARD 0x1F80u /* to nearest, no exceptions, denormals as they are */
#define MACHINE_FAULTS   0x001Fu /* the flags named above, and denormal operands */

static inline uint32_t Machine_Modes(void) {
    uint32_t mxcsr;
    __asm__ volatile("stmxcsr %0" : "=m"(mxcsr) : : "memory");
    return mxcsr;
}

static inline void Machine_SetModes(uint32_t mxcsr) {
    __asm__ volatile("ldmxcsr %0" : : "m"(mxcsr) : "memory");
}

static inline uint32_t Machine_Flags(void) {
    return Machine_Modes();
}

/* The flags are part of the modes. */
static inline void Machine_ClearFlags(void) {
}

#elif defined(__aarch64__)

#define MACHINE_MODES    0x00C09F00u /* of FPCR: rounding, traps */
#define MACHINE_STANDARD 0u          /* to nearest, no traps, denormals as they are */
#define MACHINE_FAULTS   0x0Fu       /* of FPSR */

static inline uint32_t Machine_Modes(void) {
    uint64_t fpcr;
    __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr) : : "memory");
    return (uint32_t)fpcr;
}

static inline void Machine_SetModes(uint32_t fpcr) {
    __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)fpcr) : "memory");
}

static inline uint32_t Machine_Flags(void) {
    uint64_t fpsr;
    __asm__ volatile("mrs %0, fpsr" : "=r"(fpsr) : : "memory");
    return (uint32_t)fpsr;
}

static inline void Machine_ClearFlags(void) {
    __asm__ volatile("msr fpsr, %0" : : "r"((uint64_t)0) : "memory");
}

#else

/* WebAssembly knows no modes. Of other machines it is taken for granted that they are as C has them
 * when a program begins. */
#define MACHINE_MODES    0u
#define MACHINE_STANDARD 0u
#define MACHINE_FAULTS   0u

static inline uint32_t Machine_Modes(void) {
    return 0;
}

static inline void Machine_SetModes(uint32_t modes) {
    (void)modes;
}

static inline uint32_t Machine_Flags(void) {
    return 0;
}

static inline void Machine_ClearFlags(void) {
}

#endif

/* Returns whether C's operations on floats round to nearest and trap nothing. */
static inline bool Machine_RoundsToNearest(void) {
    return (Machine_Modes() & MACHINE_MODES) == (MACHINE_STANDARD & MACHINE_MODES);
}

#endif
