/* Arithmetic of the synthetic corpus: integers only, so that every machine makes the same bytes. */
#ifndef RETROPOSE_FORMATS_CORPUS_INTEGER_H
#define RETROPOSE_FORMATS_CORPUS_INTEGER_H

#include <stdint.h>

/* A value that depends on all of its arguments, and on nothing else: every choice of the corpus
 * has its own, so that one model does not depend on those made before it. */
uint32_t Corpus_Draw(uint64_t seed, uint32_t subject, uint32_t purpose, uint32_t index);

/* Largest r with r * r <= value. */
uint32_t Corpus_Root(uint64_t value);
/* value * numerator / denominator, rounded to nearest, halves away from zero. denominator > 0. */
int64_t Corpus_Scale(int64_t value, int64_t numerator, int64_t denominator);

/* Direction of an angle: 65536 is a full turn; cosine and sine times 16384. */
void Corpus_Circle(uint32_t angle, int32_t *cosine, int32_t *sine);

/* A vector scaled to a length; zeros stay zeros. */
void Corpus_Normalise(const int64_t *vector, int count, int32_t length, int32_t *result);

#endif
