/* The two policies of arithmetic as one: every step is a binary64 operation, which policy S rounds
 * to binary32 at once.
 *
 * That is the same as doing the step in binary32: for +, -, x, / and square roots of binary32
 * numbers the second rounding is harmless, as 53 >= 2 * 24 + 2 (Figueroa 1995, "When is double
 * rounding innocuous?").
 */
#ifndef RETROPOSE_SIBLINGS_ISLE_ARITHMETIC_H
#define RETROPOSE_SIBLINGS_ISLE_ARITHMETIC_H

#include "retropose/ani.h"
#include "siblings/arithmetic/binary64.h"

/* What a step's result becomes where no variable in memory takes it. */
static inline double Keep(RpAniPolicy policy, double value) {
    return policy == RP_ANI_POLICY_S ? (double)(float)value : value;
}

#endif
