/* Vectors of three floats, in the order of operations of docs/reference/arithmetic.md, "The mesh
 * object": differences, products with a scale and cross products are stored, while dot products
 * stay on the x87 stack. */
#ifndef RETROPOSE_ANIMESH_VECTOR_H
#define RETROPOSE_ANIMESH_VECTOR_H

#include "ngi32/sums.h"

#include <string.h>

static inline void Vector_Copy(const float from[3], float to[3]) {
    memmove(to, from, 3 * sizeof *from);
}

/* Writes a - b. */
static inline void Vector_Difference(const float a[3], const float b[3], float difference[3]) {
    float result[3];
    for (int i = 0; i < 3; i++)
        X87_Store(X87_Sub(X87_Load(&a[i]), X87_Load(&b[i])), &result[i]);
    memcpy(difference, result, sizeof result);
}

static inline void Vector_Scaled(const float vector[3], const float scale[3], float result[3]) {
    float product[3];
    for (int i = 0; i < 3; i++)
        X87_Store(X87_Mul(X87_Load(&vector[i]), X87_Load(&scale[i])), &product[i]);
    memcpy(result, product, sizeof product);
}

/* Returns (a0*b0 + a1*b1) + a2*b2. */
static inline X87 Vector_Dot(const float a[3], const float b[3]) {
    return X87_Dot3(SUM3_SEQUENTIAL, a, 1, b, 1);
}

/* Returns the dot product of the first two coordinates. */
static inline X87 Vector_Dot2(const float a[2], const float b[2]) {
    return X87_Add(X87_Mul(X87_Load(&a[0]), X87_Load(&b[0])),
                   X87_Mul(X87_Load(&a[1]), X87_Load(&b[1])));
}

/* Returns a[u]*b[v] - a[v]*b[u]. */
static inline X87 Vector_Minor(const float a[3], const float b[3], int u, int v) {
    return X87_Sub(X87_Mul(X87_Load(&a[u]), X87_Load(&b[v])),
                   X87_Mul(X87_Load(&a[v]), X87_Load(&b[u])));
}

static inline void Vector_Cross(const float a[3], const float b[3], float product[3]) {
    float result[3];
    X87_Store(Vector_Minor(a, b, 1, 2), &result[0]);
    X87_Store(Vector_Minor(a, b, 2, 0), &result[1]);
    X87_Store(Vector_Minor(a, b, 0, 1), &result[2]);
    memcpy(product, result, sizeof result);
}

/* Returns the largest coordinate: x, replaced by y if x < y, and then by z if the result is less
 * than z. */
static inline const float *Vector_Largest(const float vector[3]) {
    const float *largest = &vector[0];
    for (int i = 1; i < 3; i++)
        if (X87_Less(X87_Load(largest), X87_Load(&vector[i])))
            largest = &vector[i];
    return largest;
}

/* ---- comparisons of numbers in memory -------------------------------------------------------- */

/* Compares through the x87 unit, because an SSE comparison would obey the denormals-are-zero bit of
 * MXCSR. */
static inline bool Number_Less(float a, float b) {
    return X87_Less(X87_Load(&a), X87_Load(&b));
}

static inline bool Number_LessOrEqual(float a, float b) {
    return X87_LessOrEqual(X87_Load(&a), X87_Load(&b));
}

#endif
