/* Arithmetic of the synthetic corpus: integers only, so that every machine makes the same bytes. */
#ifndef RETROPOSE_FORMATS_CORPUS_INTEGER_H
#define RETROPOSE_FORMATS_CORPUS_INTEGER_H

#include <stdint.h>

/* A value that depends on all of its arguments, and on nothing else: every choice of the corpus
 * has its own, so that one model does not depend on those made before it. */
uint32_t Corpus_Draw(uint64_t seed, uint32_t subject, uint32_t purpose, uint32_t index);

/* Returns the largest r with r * r <= value. */
uint32_t Corpus_Root(uint64_t value);
/* Returns value * numerator / denominator, rounded to nearest with halves away from zero. The
 * denominator is above 0. */
int64_t Corpus_Scale(int64_t value, int64_t numerator, int64_t denominator);

/* Gives the direction of an angle as its cosine and sine times 16384. 65536 is a full turn. */
void Corpus_Circle(uint32_t angle, int32_t *cosine, int32_t *sine);

/* Scales a vector to a length. Zeros stay zeros. */
void Corpus_Normalise(const int64_t *vector, int count, int32_t length, int32_t *result);

#endif
