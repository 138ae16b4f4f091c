/* Makes files of inputs and results, bit for bit, as JSON that any language reads
 * (docs/use/other-projects.md). Nothing of the game is in them, and they have the same bytes on
 * every machine. */
#ifndef RETROPOSE_REPLAY_VECTORS_VECTORS_H
#define RETROPOSE_REPLAY_VECTORS_VECTORS_H

#include "retropose/memory.h"

#include <stdbool.h>
#include <stdint.h>

#define VECTORS_FORMAT "retropose vectors 1"

/* Makes the vectors of functions of the game under its control word: frame indices, decoded keys,
 * slerps, sines, matrices, samples, blends and poses of skeletons. Each result is computed by the
 * exact core and by the steps of the x87; RP_CORRUPT says that the two differ. */
RpStatus Vectors_OfGame(RpBuffer *json, RpError *error);

/* Makes the vectors of operations of an x87 whose control word says 24 bits: chains of fadd, fsub,
 * fmul, fdiv and fsqrt that stay on the stack, and loads of binary64 that are stored as
 * binary32. */
RpStatus Vectors_OfOperations(RpBuffer *json, RpError *error);

/* ---- functions over all numbers -------------------------------------------------------------- */

typedef enum VectorFunction {
    VECTOR_SINE,
    VECTOR_COSINE,
    VECTOR_ARC_TANGENT, /* fpatan(x / 1) */
    VECTOR_FUNCTIONS
} VectorFunction;

/* Returns "fsin", "fcos" or "fpatan". */
const char *VectorFunction_Name(VectorFunction function);

/* An exponent stands for the numbers from 2^exponent to less than twice that, which are 2^23. The
 * sparse digests take every 4096th of them. */
enum { VECTOR_LEAST_EXPONENT = -126, VECTOR_SPARSE_STEP = 4096 };
/* Returns the greatest exponent for which the function computes anything. */
int32_t VectorFunction_MostExponent(VectorFunction function);

/* Returns the FNV-1a-64 of the results for every `step`th number of an exponent, beginning with the
 * first. Each result is stored as binary32 and taken as four bytes, the lowest first. `undecided`
 * may be null; it counts the results that Vector_IsUndecided() says are undecided. */
uint64_t VectorFunction_Digest(VectorFunction function, int32_t exponent, uint32_t step,
                               uint32_t *undecided);

/* Returns whether two processors may round a result with this significand to different floats.
 * Makers document an error of one unit of 64 bits, so that two processors' results may be two units
 * apart (docs/reference/x87.md). The answer is true if the significand is at most two units from
 * the middle between two significands of 24 bits. */
bool Vector_IsUndecided(uint64_t significand);

/* Makes the digests of all exponents: sparse ones and, if `whole` is set, those of all numbers,
 * which takes minutes. `progress` may be null. RP_CORRUPT says that a result is undecided, so that
 * the digest might be another one on a processor of another maker. */
RpStatus Vectors_OfFunctions(bool whole, unsigned jobs,
                             void (*progress)(void *context, uint64_t done, uint64_t total),
                             void *context, RpBuffer *json, RpError *error);

#endif
