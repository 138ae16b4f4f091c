/* Computes under both policies of arithmetic with the same code. Every step is a binary64
 * operation. Policy S rounds its result to binary32 at once.
 *
 * This gives the same as a step in binary32. For +, -, x, / and square roots of binary32 numbers
 * the second rounding is harmless, because 53 >= 2 * 24 + 2 (Figueroa 1995, "When is double
 * rounding innocuous?"). */
#ifndef RETROPOSE_SIBLINGS_ISLE_ANI_ARITHMETIC_H
#define RETROPOSE_SIBLINGS_ISLE_ANI_ARITHMETIC_H

#include "core/arithmetic/binary64.h"
#include "retropose/ani.h"

/* Rounds an intermediate result: to binary32 under policy S, not at all under policy D. */
static inline double Keep(RpAniPolicy policy, double value) {
    return policy == RP_ANI_POLICY_S ? (double)(float)value : value;
}

#endif
