/* Sets, for the whole of a public function, the modes that C's arithmetic and the C library's
 * conversions of text are written for: MXCSR (FPCR on ARM) as threads begin with it, x87 results of
 * 64 bits that are rounded to nearest, and a locale with a decimal point. Functions of its caller's
 * that the function calls run under the caller's modes (core/callers.h).
 *
 * Functions that take an RpArithmetic have Arithmetic_Enter instead: they may have been asked for
 * the thread's own modes. */
#ifndef RETROPOSE_NGI32_PROCESSOR_MODES_H
#define RETROPOSE_NGI32_PROCESSOR_MODES_H

#include <stdbool.h>

/* Returns whether the thread had other modes, which Modes_Leave then puts back. */
bool Modes_Enter(void);
void Modes_Leave(const bool *changed);

/* Declares that the modes are in force from here to the end of the block, however it is left. */
#define MODES_OF_C()                                                                               \
    const bool modes_changed __attribute__((cleanup(Modes_Leave), unused)) = Modes_Enter()

#endif
