/* The floating-point instructions of SSE and SSE2 on registers. They are executed by the processor
 * or in software, with the same result. */
#ifndef RETROPOSE_MACHINE_INTERPRETER_SSE_FLOAT_H
#define RETROPOSE_MACHINE_INTERPRETER_SSE_FLOAT_H

#include "machine/interpreter/vector_registers.h"
#include "ngi32/processor/in_software.h"

/* Bits of MXCSR that follow the exceptions. These are the same as in the x87's status word. */
#define MXCSR_DAZ      0x0040u
#define MXCSR_MASKS    0x1F80u
#define MXCSR_ROUNDING 13
#define MXCSR_FLUSH    0x8000u

/* Executes additions, comparisons, conversions and the like. `a` is the destination and first
 * operand. A conversion to a general register leaves its result in a->d[0], and a comparison that
 * sets flags leaves the flags there. The exceptions that were found are added to `mxcsr`. If one of
 * them is not masked, `a` is not valid. Returns false for another mnemonic. */
bool SseSoft_Execute(ZydisMnemonic mnemonic, unsigned predicate, Lanes *a, const Lanes *b,
                     uint32_t *mxcsr);
#if MACHINE_HAS_X87 && defined(__SSE2__)
#define SSE_IS_NATIVE 1
/* Does the same if all exceptions are masked. Returns false for everything that is not arithmetic,
 * such as CMPPS. */
bool SseNative_Execute(ZydisMnemonic mnemonic, Lanes *a, const Lanes *b, uint32_t *mxcsr);
/* These return what RCPPS and RSQRTPS of the host give for one number. */
uint32_t SseNative_Reciprocal(uint32_t bits);
uint32_t SseNative_ReciprocalSquareRoot(uint32_t bits);
#else
#define SSE_IS_NATIVE 0
#endif

#endif
