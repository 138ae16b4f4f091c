/* The orders in which the dot product of two rotations is added up. */
#ifndef RETROPOSE_NGI32_EXACT_SUM_H
#define RETROPOSE_NGI32_EXACT_SUM_H

/* How the four products of a dot product are added up. The first four are the choices of the
 * reading dot4. */
typedef enum ExactSum {
    EXACT_SEQUENTIAL, /* ((w + x) + y) + z */
    EXACT_PAIRS,      /* (w + x) + (y + z) */
    EXACT_REVERSE,    /* ((z + y) + x) + w */
    EXACT_W_LAST,     /* ((x + y) + z) + w */
    EXACT_HALVES      /* (w + y) + (x + z) */
} ExactSum;

#endif
