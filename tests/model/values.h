/* Draws deterministic inputs for the model's tests. */
#ifndef RETROPOSE_TESTS_MODEL_VALUES_H
#define RETROPOSE_TESTS_MODEL_VALUES_H

#include <stdint.h>

typedef struct Random {
    uint64_t state;
} Random;

/* The kinds of floats. A case draws one kind for all its inputs and mixes special values in. */
typedef enum ValueKind {
    VALUE_UNIT,    /* (-1, 1), multiples of 2^-24: sums of products round and cancel */
    VALUE_SCALED,  /* 24 random bits, exponents -12 to 12 */
    VALUE_TIES,    /* few significant bits: exact halves between two results are common */
    VALUE_WIDE,    /* every finite number, so products leave binary32 on both sides */
    VALUE_SPECIAL, /* zeros, subnormals, neighbours of 1, powers of two, infinities */
    VALUE_ANY,     /* every bit pattern, NaN included */
    VALUE_KIND_COUNT
} ValueKind;

uint64_t Random_Next(Random *random);
uint32_t Random_Below(Random *random, uint32_t limit);
float Value_Draw(Random *random, ValueKind kind);
void Value_DrawMany(Random *random, ValueKind kind, float *values, int count);
/* Seven of eight results have a length of nearly 1. The components of the others are like
 * VALUE_UNIT. */
void Value_Quaternion(Random *random, float q[4]);
/* Returns a second quaternion: a random one, or one a small step from `q` or from -q, so that the
 * dot product is on both sides of 1 - 1e-5, at 0, or just above 1. */
void Value_Neighbour(Random *random, const float q[4], float result[4]);
/* Returns two quaternions whose dot product, at 53 bits of precision and more, is 1 - 9.9999997e-6
 * exactly, or one unit of 2^-40 beside it. */
void Value_ThresholdPair(Random *random, float q0[4], float q1[4]);

#endif
