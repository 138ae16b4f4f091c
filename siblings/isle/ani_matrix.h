/* Matrices as the original has them: 16 floats, row-major, for row vectors. */
#ifndef RETROPOSE_SIBLINGS_ISLE_ANI_MATRIX_H
#define RETROPOSE_SIBLINGS_ISLE_ANI_MATRIX_H

void Ani_Identity(float matrix[16]);

#endif
