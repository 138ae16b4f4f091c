/* Arithmetic of the synthetic corpus: integers only, so that every machine makes the same bytes. */
#ifndef RETROPOSE_FORMATS_CORPUS_INTEGER_H
#define RETROPOSE_FORMATS_CORPUS_INTEGER_H

#include <stdint.h>

/* Returns a random number that depends on nothing but the arguments. Every choice in the corpus has
 * its own arguments, so that no model depends on those made before it. */
uint32_t Corpus_Draw(uint64_t seed, uint32_t subject, uint32_t purpose, uint32_t index);

/* Returns the largest r with r * r <= value. */
uint32_t Corpus_Root(uint64_t value);
/* Returns value * numerator / denominator, rounded to nearest with halves away from zero. The
 * denominator is above 0. */
int64_t Corpus_Scale(int64_t value, int64_t numerator, int64_t denominator);

/* Writes the cosine and sine of an angle, times 16384. A full turn is 65536. */
void Corpus_Circle(uint32_t angle, int32_t *cosine, int32_t *sine);

/* Scales a vector to a length. Zeros stay zeros. */
void Corpus_Normalise(const int64_t *vector, int count, int32_t length, int32_t *result);

#endif
