/* Decides when the exact core may take the place of the x87. */
#ifndef RETROPOSE_NGI32_EXACT_FORCE_H
#define RETROPOSE_NGI32_EXACT_FORCE_H

#include "retropose/arithmetic.h"

#include <stdbool.h>

/* Returns whether the functions of the exact core may be used now. The processor must have SSE2;
 * the x87 control word that `arithmetic` asks for must say 24 bits, rounding to nearest and no
 * exceptions; and MXCSR must say the last two. The reserved bits of the control word do not matter.
 * Nor do the flags of MXCSR and its modes for denormals, because the functions refuse whatever may
 * become a denormal. */
bool Exact_IsInForce(const RpArithmetic *arithmetic);

/* Decides the same by the control word that the thread has. Between Arithmetic_Enter and
 * Arithmetic_Leave that is the one that was asked for. */
bool Exact_IsInForceOnThread(void);

/* Returns whether, in addition, every number of both arrays is 0 or of a size from 2^-40 to 2^40.
 * Then no sum of products of two of them under- or overflows, so that the x87's steps and the same
 * steps of SSE give the same bits. The counts are multiples of 4. */
bool Exact_Serves(const RpArithmetic *arithmetic, const float *a, int a_count, const float *b,
                  int b_count);

#endif
