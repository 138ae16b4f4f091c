/* Divides a total into whole numbers. */
#ifndef RETROPOSE_FORMATS_CORPUS_SHARE_H
#define RETROPOSE_FORMATS_CORPUS_SHARE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct CorpusShare {
    uint32_t weight;
    uint32_t low, high; /* bounds of the share; low <= high */
    uint32_t share;     /* the result */
} CorpusShare;

/* Makes shares that add up to `total`, in proportion to the weights and within the bounds. The
 * result is false when the bounds do not allow that. */
bool Corpus_ShareOut(CorpusShare *shares, uint32_t count, uint64_t total);

#endif
