/* Columns of a row-major 4x4 matrix: three numbers, copied with all their bits. */
#ifndef RETROPOSE_ANIMESH_COLUMN_H
#define RETROPOSE_ANIMESH_COLUMN_H

#include <stdint.h>
#include <string.h>

enum { TRANSLATION_COLUMN = 3 };

/* The original's function is AniMesh 0x1000B8E0. The vector may lie inside the matrix. */
static inline void Matrix_SetColumn(float *matrix, uint32_t column, const float *vector) {
    uint32_t bits[3];
    memcpy(bits, vector, sizeof bits);
    for (uint32_t row = 0; row < 3; row++)
        memcpy(matrix + column + 4 * row, &bits[row], sizeof *bits);
}

/* The original's function is AniMesh 0x1000B600. */
static inline void Matrix_GetColumn(const float *matrix, uint32_t column, float *vector) {
    uint32_t bits[3];
    for (uint32_t row = 0; row < 3; row++)
        memcpy(&bits[row], matrix + column + 4 * row, sizeof *bits);
    memcpy(vector, bits, sizeof bits);
}

static inline void Matrix_SetIdentity(float *matrix) {
    for (uint32_t i = 0; i < 16; i++)
        matrix[i] = i % 5 == 0 ? 1.0f : 0.0f;
}

#endif
