/* Both policies of arithmetic in one form: every step is a binary64 operation, whose result policy
 * S rounds to binary32 at once.
 *
 * That is the same as doing the step in binary32: for +, -, x, / and square roots of binary32
 * numbers the second rounding is harmless, as 53 >= 2 * 24 + 2 (Figueroa 1995, "When is double
 * rounding innocuous?"). */
#ifndef RETROPOSE_SIBLINGS_ISLE_ARITHMETIC_H
#define RETROPOSE_SIBLINGS_ISLE_ARITHMETIC_H

#include "core/arithmetic/binary64.h"
#include "retropose/ani.h"

/* Rounds an intermediate result: to binary32 under policy S, not at all under policy D. */
static inline double Keep(RpAniPolicy policy, double value) {
    return policy == RP_ANI_POLICY_S ? (double)(float)value : value;
}

#endif
