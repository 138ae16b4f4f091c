/* Sums of three and four numbers in the orders that the readings know
 * (docs/reference/arithmetic.md, "Orders of a sum"). The value of an order is the index of its name
 * in exports/reading_table.h. */
#ifndef RETROPOSE_NGI32_SUMS_H
#define RETROPOSE_NGI32_SUMS_H

#include "ngi32/processor/sse.h"
#include "ngi32/processor/x87.h"

/* ---- three: sequential|reverse|outer --------------------------------------------------------- */

enum { SUM3_SEQUENTIAL, SUM3_REVERSE, SUM3_OUTER };

static inline X87 X87_Sum3(int order, X87 a, X87 b, X87 c) {
    if (order == SUM3_REVERSE)
        return X87_Add(X87_Add(c, b), a);
    if (order == SUM3_OUTER)
        return X87_Add(X87_Add(a, c), b);
    return X87_Add(X87_Add(a, b), c);
}

SSE_STEP Sse Sse_Sum3(int order, Sse a, Sse b, Sse c) {
    if (order == SUM3_REVERSE)
        return Sse_Add(Sse_Add(c, b), a);
    if (order == SUM3_OUTER)
        return Sse_Add(Sse_Add(a, c), b);
    return Sse_Add(Sse_Add(a, b), c);
}

/* Computes four sums at once, one in each element. */
SSE_STEP Sse Sse_Sum3Of4(int order, Sse a, Sse b, Sse c) {
    if (order == SUM3_REVERSE)
        return Sse_Add4(Sse_Add4(c, b), a);
    if (order == SUM3_OUTER)
        return Sse_Add4(Sse_Add4(a, c), b);
    return Sse_Add4(Sse_Add4(a, b), c);
}

/* Returns the places of the terms, first to last. An order that does not exist counts as the
 * default, as it does in the sums. */
static inline const uint8_t *Sum3_Places(int order) {
    static const uint8_t places[4][3] = {{0, 1, 2}, {2, 1, 0}, {0, 2, 1}, {0, 1, 2}};
    return places[order & 3];
}

/* Multiplies by an input. `memory` is true for the choice of the reading operands that takes it
 * from memory. */
static inline X87 X87_Times(bool memory, X87 a, const float *b) {
    return memory ? X87_MulMemory(a, b) : X87_Mul(a, X87_Load(b));
}

static inline X87 X87_Product(bool memory, const float *a, const float *b) {
    return X87_Times(memory, X87_Load(a), b);
}

/* Returns the sum of three products of numbers in memory, which are `stride` apart. It loads them
 * term by term, because the x87 has no room for all. */
static inline X87 X87_Dot3By(bool memory, int order, const float *a, int a_stride, const float *b,
                             int b_stride) {
    const uint8_t *place = Sum3_Places(order);
    int first = place[0], second = place[1], third = place[2];
    X87 sum = X87_Product(memory, a + first * a_stride, b + first * b_stride);
    sum = X87_Add(sum, X87_Product(memory, a + second * a_stride, b + second * b_stride));
    return X87_Add(sum, X87_Product(memory, a + third * a_stride, b + third * b_stride));
}

static inline X87 X87_Dot3(int order, const float *a, int a_stride, const float *b, int b_stride) {
    return X87_Dot3By(false, order, a, a_stride, b, b_stride);
}

/* Returns the sum of three products whose second factors are on the x87 stack. The first factors
 * are numbers in memory, `stride` apart. */
static inline X87 X87_Dot3OfStack(int order, const float *a, int stride, X87 x, X87 y, X87 z) {
    const float *b = a + stride, *c = b + stride;
    X87 sum;
    if (order == SUM3_REVERSE) {
        sum = X87_Mul(X87_Load(c), z);
        sum = X87_Add(sum, X87_Mul(X87_Load(b), y));
        return X87_Add(sum, X87_Mul(X87_Load(a), x));
    }
    sum = X87_Mul(X87_Load(a), x);
    if (order == SUM3_OUTER) {
        sum = X87_Add(sum, X87_Mul(X87_Load(c), z));
        return X87_Add(sum, X87_Mul(X87_Load(b), y));
    }
    sum = X87_Add(sum, X87_Mul(X87_Load(b), y));
    return X87_Add(sum, X87_Mul(X87_Load(c), z));
}

SSE_STEP Sse Sse_Dot3(int order, const float *a, int a_stride, const float *b, int b_stride) {
    const uint8_t *place = Sum3_Places(order);
    int first = place[0], second = place[1], third = place[2];
    Sse sum = Sse_Mul(Sse_Load(a + first * a_stride), Sse_Load(b + first * b_stride));
    sum = Sse_Add(sum, Sse_Mul(Sse_Load(a + second * a_stride), Sse_Load(b + second * b_stride)));
    return Sse_Add(sum, Sse_Mul(Sse_Load(a + third * a_stride), Sse_Load(b + third * b_stride)));
}

/* ---- four: sequential|pairs|reverse|w-last --------------------------------------------------- */

enum { SUM4_SEQUENTIAL, SUM4_PAIRS, SUM4_REVERSE, SUM4_W_LAST };

static inline X87 X87_Sum4(int order, X87 a, X87 b, X87 c, X87 d) {
    switch (order) {
    case SUM4_PAIRS:
        return X87_Add(X87_Add(a, b), X87_Add(c, d));
    case SUM4_REVERSE:
        return X87_Add(X87_Add(X87_Add(d, c), b), a);
    case SUM4_W_LAST:
        return X87_Add(X87_Add(X87_Add(b, c), d), a);
    default:
        return X87_Add(X87_Add(X87_Add(a, b), c), d);
    }
}

SSE_STEP Sse Sse_Sum4Of4(int order, Sse a, Sse b, Sse c, Sse d) {
    switch (order) {
    case SUM4_PAIRS:
        return Sse_Add4(Sse_Add4(a, b), Sse_Add4(c, d));
    case SUM4_REVERSE:
        return Sse_Add4(Sse_Add4(Sse_Add4(d, c), b), a);
    default:
        return Sse_Add4(Sse_Add4(Sse_Add4(a, b), c), d);
    }
}

#endif
