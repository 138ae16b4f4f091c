/* Ranges of numbers in steps of x87 and SSE builds (docs/reference/arithmetic.md): every step
 * rounds its least and its greatest result as the control word or MXCSR in force says. All steps
 * but the transcendental ones and the estimates are the same on every processor and monotone, so a
 * range holds every number that a processor of any maker can have there. */
#ifndef RETROPOSE_REPLAY_COMPARE_RANGE_H
#define RETROPOSE_REPLAY_COMPARE_RANGE_H

#include <stdbool.h>
#include <stdint.h>

/* No more than 64 bits each; low <= high. A range that is not a range, because a NaN arose, fails
 * in every later step. */
typedef struct Range {
    long double low, high;
} Range;

/* How the steps round: as x87 instructions, or as SSE instructions on binary32. */
typedef enum RangeBuild { RANGE_X87, RANGE_SSE } RangeBuild;

Range Range_Of(float number);
bool Range_IsValid(Range range);
Range Range_Hull(Range a, Range b);
Range Range_Neg(Range a);
Range Range_Add(RangeBuild build, Range a, Range b);
Range Range_Sub(RangeBuild build, Range a, Range b);
Range Range_Mul(RangeBuild build, Range a, Range b);
/* Not a range when `b` holds 0. */
Range Range_Div(Range a, Range b);
Range Range_Sqrt(Range a);
/* Rounded to binary32 by the x87. */
Range Range_Store(Range a);

/* What fsin, fcos and fpatan may give on a processor of any maker: `directed` says that the control
 * word does not round to nearest. fpatan: of points with neither coordinate below 0. */
Range Range_Sine(bool directed, Range angle);
Range Range_Cosine(bool directed, Range angle);
Range Range_ArcTangent(bool directed, Range y, Range x);

#endif
