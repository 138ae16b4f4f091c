/* Ranges of numbers in the steps of x87 and SSE builds (docs/reference/arithmetic.md). Every
 * step rounds its least and its greatest result as the control word or MXCSR in force says. All
 * steps but the transcendental ones and the estimates are the same on every processor and
 * monotone, so a range contains every number that a processor of any maker can have there. */
#ifndef RETROPOSE_REPLAY_COMPARE_RANGE_H
#define RETROPOSE_REPLAY_COMPARE_RANGE_H

#include "ngi32/processor/x87.h"

#include <stdbool.h>
#include <stdint.h>

/* Both ends have at most 64 bits, and low <= high. Where a NaN arose it is not a range, and every
 * later step with it fails. */
typedef struct Range {
    X87 low, high;
} Range;

/* How the steps round: as x87 instructions, or as SSE instructions on binary32. */
typedef enum RangeBuild { RANGE_X87, RANGE_SSE } RangeBuild;

Range Range_Of(float number);
bool Range_IsValid(Range range);
/* Counts the numbers of 64 bits in a range that does not hold 0 beside others, up to `most`. */
uint32_t Range_Count(Range range, uint32_t most);
/* Returns one of these numbers, counted from the least. */
Range Range_At(Range range, uint32_t index);
Range Range_Hull(Range a, Range b);
Range Range_Neg(Range a);
Range Range_Add(RangeBuild build, Range a, Range b);
Range Range_Sub(RangeBuild build, Range a, Range b);
Range Range_Mul(RangeBuild build, Range a, Range b);
/* The result is not a range where `b` contains 0. */
Range Range_Div(Range a, Range b);
Range Range_Sqrt(Range a);
/* Rounds to binary32 as the x87 does. */
Range Range_Store(Range a);

/* Give what fsin, fcos and fpatan may return on a processor of any maker. `directed` says that
 * the control word does not round to nearest. fpatan is given points of which neither coordinate
 * is below 0. */
Range Range_Sine(bool directed, Range angle);
Range Range_Cosine(bool directed, Range angle);
Range Range_ArcTangent(bool directed, Range y, Range x);

#endif
