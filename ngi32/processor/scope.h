/* Puts the control word that an RpArithmetic asks for in force for the steps between
 * Arithmetic_Enter and Arithmetic_Leave. MXCSR has its standard modes there. If the thread has
 * exceptions unmasked, its flags are put back, too. If all exceptions are masked, flags are left
 * behind as by any other arithmetic, because putting them back would cost each call more than some
 * of its steps. */
#ifndef RETROPOSE_NGI32_PROCESSOR_SCOPE_H
#define RETROPOSE_NGI32_PROCESSOR_SCOPE_H

#include "retropose/arithmetic.h"

#include <stdbool.h>
#include <stddef.h>

/* What the thread had before, as far as it was changed. */
typedef struct ArithmeticScope {
    bool has_word, has_mxcsr;
    uint16_t word, status; /* the status word is kept only if exceptions are unmasked */
    uint32_t mxcsr;
} ArithmeticScope;

/* Returns whether the control word and the MXCSR of the thread are taken as they are. */
static inline bool Arithmetic_IsOfThread(const RpArithmetic *arithmetic) {
    return arithmetic && arithmetic->control_word == RP_THREADS_CONTROL_WORD;
}

static inline RpBuild Arithmetic_Build(const RpArithmetic *arithmetic) {
    return arithmetic ? arithmetic->build : RP_BUILD_GENERIC;
}

static inline RpEstimates Arithmetic_Estimates(const RpArithmetic *arithmetic) {
    return arithmetic ? arithmetic->estimates : RP_ESTIMATES_OF_THIS;
}

static inline const RpReadings *Arithmetic_Readings(const RpArithmetic *arithmetic) {
    return arithmetic ? &arithmetic->readings : NULL;
}

/* Returns the control word that is asked for, if it is not the thread's. */
uint16_t Arithmetic_Word(const RpArithmetic *arithmetic);

/* These change nothing if the thread's own control word is to be used. The second one is for steps
 * of SSE only, which do not care about the control word as long as it masks all exceptions. */
ArithmeticScope Arithmetic_Enter(const RpArithmetic *arithmetic);
ArithmeticScope Arithmetic_EnterSse(const RpArithmetic *arithmetic);
static inline ArithmeticScope Arithmetic_EnterFor(const RpArithmetic *arithmetic, bool by_sse) {
    return by_sse ? Arithmetic_EnterSse(arithmetic) : Arithmetic_Enter(arithmetic);
}
/* Does the same for functions that the core may serve. If the core does, it has looked at MXCSR and
 * at the numbers, so nothing has to be changed. */
static inline ArithmeticScope Arithmetic_EnterUnless(bool by_core, const RpArithmetic *arithmetic,
                                                     bool by_sse) {
    return by_core ? (ArithmeticScope){.has_word = false} : Arithmetic_EnterFor(arithmetic, by_sse);
}
void Arithmetic_Leave(ArithmeticScope scope);

#endif
