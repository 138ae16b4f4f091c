/* The floating-point instructions of SSE and SSE2 on registers, by the processor or in software,
 * with the same result. */
#ifndef RETROPOSE_MACHINE_INTERPRETER_SSE_FLOAT_H
#define RETROPOSE_MACHINE_INTERPRETER_SSE_FLOAT_H

#include "machine/interpreter/vectors.h"
#include "ngi32/processor/machine.h"

/* Bits of MXCSR behind the exceptions, which are those of the x87's status word. */
#define MXCSR_DAZ      0x0040u
#define MXCSR_MASKS    0x1F80u
#define MXCSR_ROUNDING 13
#define MXCSR_FLUSH    0x8000u

/* Executes additions, comparisons, conversions and their like; `a` is the destination and first
 * operand. A conversion to a general register leaves its result in a->d[0], and a comparison that
 * sets flags leaves these there. The exceptions that were found are added to `mxcsr`; where one of
 * them is not masked, `a` means nothing. False for another mnemonic. */
bool SseSoft_Execute(ZydisMnemonic mnemonic, unsigned predicate, Lanes *a, const Lanes *b,
                     uint32_t *mxcsr);
#if MACHINE_HAS_X87 && defined(__SSE2__)
#define SSE_IS_NATIVE 1
/* The same, if all exceptions are masked. False also for what is no arithmetic (CMPPS). */
bool SseNative_Execute(ZydisMnemonic mnemonic, Lanes *a, const Lanes *b, uint32_t *mxcsr);
/* The host's own RCPPS and RSQRTPS of one number. */
uint32_t SseNative_Reciprocal(uint32_t bits);
uint32_t SseNative_ReciprocalSquareRoot(uint32_t bits);
#else
#define SSE_IS_NATIVE 0
#endif

#endif
