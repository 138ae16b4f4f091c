/* A small model whose every number is known: a chain of boxes that swing about z. Variants of the
 * corpus are made from it. */
#ifndef RETROPOSE_FORMATS_CORPUS_CHAIN_H
#define RETROPOSE_FORMATS_CORPUS_CHAIN_H

#include "retropose/corpus.h"

typedef struct CorpusChain {
    uint32_t nodes; /* the parent of each node is the one before, 4 units below it */
    /* how many of the first nodes have a box: 12 triangles, 24 vertices, 2 batches */
    uint32_t boxes;
    uint32_t keys;    /* keys of each node; a node with more than one is animated */
    uint32_t spacing; /* frames from key to key */
    bool res16;
    const char *name;  /* name of the streams; null for "chain.msh" */
    const char *label; /* label of every second node; null for none */
} CorpusChain;

/* Makes the model in an initialised, empty archive. */
RpStatus CorpusChain_Make(const CorpusChain *chain, const RpReadings *readings,
                          RpNResArchive *archive, RpError *error);

#endif
