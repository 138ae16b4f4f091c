/* Computes sine and cosine of an angle without the x87, as ngiGetSinCos gives them
 * (docs/reference/exact.md). Call it only where Exact_IsInForce returns true. */
#ifndef RETROPOSE_NGI32_EXACT_SINE_COSINE_H
#define RETROPOSE_NGI32_EXACT_SINE_COSINE_H

#include <stdbool.h>

/* Writes what fsin and fcos give, rounded to binary32, for an angle of a size from 2^-40 to 2^19.
 * Returns false and writes nothing for any other angle, and when a rounding cannot be decided. The
 * angle is passed by address for the reason that keys.h gives. */
bool Exact_RoundedSineCosine(const float *angle, float *sine, float *cosine);

#endif
