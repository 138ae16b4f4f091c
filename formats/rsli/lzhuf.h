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
    LZHUF_MOST_DEPTH = 24, /* of a leaf, as the root weighs no more than that */
    LZHUF_SPARES = 8,      /* nodes that are no part of the tree */
    LZHUF_SPARE = LZHUF_NODES + 1,
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
/* The nodes that have other children since an update. */
typedef struct LzHufChanges {
    uint32_t count;
    uint16_t nodes[2 * LZHUF_MOST_DEPTH];
} LzHufChanges;

/* Counts one more for a node and all above it, and appends the changes. The root weighs less than
 * LZHUF_MOST_WEIGHT. */
void LzHufTree_UpdateFrom(LzHufTree *tree, uint32_t node, LzHufChanges *changes);
/* Counts one more for nodes from a leaf on up to, but not with, the first that would become heavier
 * than the one behind it, which mostly is the root; returns that one. `depth` is the leaf's; the
 * root's is 0. */
static inline uint32_t LzHufTree_CountUp(LzHufTree *tree, uint32_t leaf, uint32_t depth) {
    for (; depth > 0; depth--) {
        const uint16_t weight = tree->weight[leaf];
        if (tree->weight[leaf + 1] == weight)
            break;
        tree->weight[leaf] = (uint16_t)(weight + 1);
        leaf = tree->parent[leaf];
    }
    return leaf;
}

/* The prefix code of the upper six bits of a position, which is shorter for nearer places. */
typedef struct LzHufPrefix {
    uint8_t first[LZHUF_UPPER_CODES];  /* left-aligned code word */
    uint8_t length[LZHUF_UPPER_CODES]; /* 3 to 8 bits */
} LzHufPrefix;

void LzHufPrefix_Build(LzHufPrefix *prefix);

#endif
