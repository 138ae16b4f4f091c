/* The adaptive Huffman tree and the position code of LZHUF (facts/formats.md B.6), which decoder
 * and encoder share. */
#ifndef RETROPOSE_FORMATS_RSLI_LZHUF_H
#define RETROPOSE_FORMATS_RSLI_LZHUF_H

#include <stdbool.h>
#include <stdint.h>

enum {
    LZHUF_SYMBOLS = 314, /* 256 literals, then the lengths 3 to 60 */
    LZHUF_NODES = 2 * LZHUF_SYMBOLS - 1,
    LZHUF_ROOT = LZHUF_NODES - 1,
    LZHUF_MOST_WEIGHT = 0x8000,
    LZHUF_LENGTH_SYMBOL = 253, /* symbol of a match = length + this */
    LZHUF_UPPER_CODES = 64     /* of a position's upper six bits */
};

/* Nodes lie in the order of their weights, siblings side by side; the root is the last. */
typedef struct LzHufTree {
    uint16_t weight[LZHUF_NODES + 1]; /* behind the root: more than any */
    /* Of an inner node the first of its two children; of a leaf LZHUF_NODES + symbol. */
    uint16_t child[LZHUF_NODES];
    /* By node, and by LZHUF_NODES + symbol: the node above, or the symbol's leaf. */
    uint16_t parent[LZHUF_NODES + LZHUF_SYMBOLS];
} LzHufTree;

void LzHufTree_Start(LzHufTree *tree);
/* Counts one more occurrence of a symbol. */
void LzHufTree_Update(LzHufTree *tree, uint32_t symbol);
/* The same for the leaf at the end of a path down from the root. The root is not part of the path.
 */
void LzHufTree_UpdatePath(LzHufTree *tree, const uint32_t *path, uint32_t depth);

/* The prefix code of the upper six bits of a position, which is shorter for nearer places. */
typedef struct LzHufPrefix {
    uint8_t first[LZHUF_UPPER_CODES];  /* left-aligned code word */
    uint8_t length[LZHUF_UPPER_CODES]; /* 3 to 8 bits */
} LzHufPrefix;

void LzHufPrefix_Build(LzHufPrefix *prefix);

#endif
