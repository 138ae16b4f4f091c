/* The adaptive Huffman tree and the position code of LZHUF (facts/formats.md B.6), which decoder
 * and encoder share. */
#ifndef RETROPOSE_FORMATS_RSLI_LZHUF_H
#define RETROPOSE_FORMATS_RSLI_LZHUF_H

#include <stdbool.h>
#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum {
    LZHUF_SYMBOLS = 314, /* 256 literals, then the lengths 3 to 60 */
    LZHUF_NODES = 2 * LZHUF_SYMBOLS - 1,
    LZHUF_ROOT = LZHUF_NODES - 1,
    LZHUF_MOST_WEIGHT = 0x8000,
    LZHUF_MOST_DEPTH = 24, /* depth of a leaf; the root's weight allows no more */
    LZHUF_SPARES = 8,
    LZHUF_SPARE = LZHUF_NODES + 1, /* the first spare node: see the weights below */
    LZHUF_WEIGHTS = LZHUF_SPARE + 2 * LZHUF_SPARES,
    LZHUF_LENGTH_SYMBOL = 253, /* symbol of a match = length + this */
    LZHUF_UPPER_CODES = 64     /* codes for the upper six bits of a position */
};

/* Nodes are ordered by their weights, and siblings are neighbours. The root is the last node. */
typedef struct LzHufTree {
    /* Behind the root there is a weight that is greater than any other. Then follow pairs of spare
     * nodes, which are not part of the tree: the first of each pair may be counted with every
     * symbol, and the second is heavier. */
    uint16_t weight[LZHUF_WEIGHTS];
    /* For an inner node the first of its two children; for a leaf LZHUF_NODES + symbol. */
    uint16_t child[LZHUF_NODES];
    /* For each node, the node above it; for LZHUF_NODES + symbol, the symbol's leaf. */
    uint16_t parent[LZHUF_NODES + LZHUF_SYMBOLS];
} LzHufTree;

void LzHufTree_Start(LzHufTree *tree);
/* Counts one more occurrence of a symbol. */
void LzHufTree_Update(LzHufTree *tree, uint32_t symbol);
/* Gives a node its first child, or its symbol. */
static inline void LzHufTree_Adopt(LzHufTree *tree, uint32_t node, uint32_t child) {
    tree->child[node] = (uint16_t)child;
    tree->parent[child] = (uint16_t)node;
    if (child < LZHUF_NODES)
        tree->parent[child + 1] = (uint16_t)node;
}

/* Returns the last of the nodes that are as heavy as this one. Their number cannot be predicted, so
 * many nodes are compared without a branch. Because weights ascend, the equal ones come first. */
static inline uint32_t LzHufTree_LastAsHeavy(const LzHufTree *tree, uint32_t node) {
    const uint16_t weight = tree->weight[node];
#ifdef __SSE2__
    const __m128i same = _mm_set1_epi16((short)weight);
    for (; node + 16 <= LZHUF_NODES; node += 16) {
        const __m128i *next = (const __m128i *)(const void *)&tree->weight[node + 1];
        const __m128i equal = _mm_packs_epi16(_mm_cmpeq_epi16(_mm_loadu_si128(next), same),
                                              _mm_cmpeq_epi16(_mm_loadu_si128(next + 1), same));
        const uint32_t others = (uint32_t)_mm_movemask_epi8(equal) ^ 0xFFFF;
        if (others)
            return node + (uint32_t)__builtin_ctz(others);
    }
#endif
    while (tree->weight[node + 1] == weight)
        node++;
    return node;
}

/* Lets two nodes of the same weight change places: each gets the other's children. Returns whether
 * one of them has nodes below it. */
static inline bool LzHufTree_Swap(LzHufTree *tree, uint32_t node, uint32_t other) {
    const uint32_t child = tree->child[node], others = tree->child[other];
    LzHufTree_Adopt(tree, node, others);
    LzHufTree_Adopt(tree, other, child);
    return child < LZHUF_NODES || others < LZHUF_NODES;
}

/* The prefix code of the upper six bits of a position, which is shorter for nearer places. */
typedef struct LzHufPrefix {
    uint8_t first[LZHUF_UPPER_CODES];  /* code word, aligned to the left */
    uint8_t length[LZHUF_UPPER_CODES]; /* in bits, 3 to 8 */
} LzHufPrefix;

void LzHufPrefix_Make(LzHufPrefix *prefix);

#endif
