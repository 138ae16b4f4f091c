/* Moves points by a matrix without the x87. */
#ifndef RETROPOSE_NGI32_EXACT_POINTS_H
#define RETROPOSE_NGI32_EXACT_POINTS_H

#include <stdbool.h>

/* Multiplies points by the first three rows of a matrix: each coordinate becomes ((m0 x + m1 y) +
 * m2 z) + m3, as the x87 rounds it under the game's control word. The result is false, and nothing
 * is written, where the core is not in force, or where a number is neither 0 nor of a size from
 * 2^-50 to 2^50. */
bool Exact_MovePoints(const float matrix[16], float *points, int count);

#endif
