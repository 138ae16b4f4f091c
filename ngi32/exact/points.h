/* Points moved by a matrix without the x87. */
#ifndef RETROPOSE_NGI32_EXACT_POINTS_H
#define RETROPOSE_NGI32_EXACT_POINTS_H

#include <stdbool.h>

enum { EXACT_MOST_POINTS = 8 };

/* Multiplies up to 8 points by the matrix: each coordinate becomes ((m0 x + m1 y) + m2 z) + m3, as
 * the x87 rounds it under the game's control word. The result is false, and nothing is written,
 * where the core is not in force, or where a number is not finite or leaves the range of binary32's
 * normal numbers. */
bool Exact_MovePoints(const float matrix[16], float *points, int count);

#endif
