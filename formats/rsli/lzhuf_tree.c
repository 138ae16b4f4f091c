/* LZHUF's adaptive tree: a Huffman code kept up to date symbol by symbol, in the manner of Faller,
 * Gallager and Knuth, with the numbers of facts/formats.md B.6. */
#include "formats/rsli/lzhuf.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

static void Adopt(LzHufTree *tree, uint32_t node, uint32_t child) {
    tree->child[node] = (uint16_t)child;
    tree->parent[child] = (uint16_t)node;
    if (child < LZHUF_NODES)
        tree->parent[child + 1] = (uint16_t)node;
}

void LzHufTree_Start(LzHufTree *tree) {
    for (uint32_t symbol = 0; symbol < LZHUF_SYMBOLS; symbol++) {
        tree->weight[symbol] = 1;
        Adopt(tree, symbol, LZHUF_NODES + symbol);
    }
    for (uint32_t node = LZHUF_SYMBOLS, child = 0; node < LZHUF_NODES; node++, child += 2) {
        tree->weight[node] = (uint16_t)(tree->weight[child] + tree->weight[child + 1]);
        Adopt(tree, node, child);
    }
    tree->weight[LZHUF_NODES] = UINT16_MAX;
    tree->parent[LZHUF_ROOT] = 0;
}

/* Moves the leaves to the front, in their order, and halves their weights, rounded up. */
static void GatherLeaves(LzHufTree *tree) {
    uint32_t leaves = 0;
    for (uint32_t node = 0; node < LZHUF_NODES; node++) {
        if (tree->child[node] < LZHUF_NODES)
            continue;
        tree->weight[leaves] = (uint16_t)((tree->weight[node] + 1) / 2);
        tree->child[leaves] = tree->child[node];
        leaves++;
    }
}

/* Inserts a new node behind all of the `end` nodes that weigh the same or less. */
static void InsertNode(LzHufTree *tree, uint32_t end, uint16_t weight, uint32_t child) {
    uint32_t place = end;
    while (place > 0 && weight < tree->weight[place - 1])
        place--;
    memmove(&tree->weight[place + 1], &tree->weight[place], (end - place) * sizeof(uint16_t));
    memmove(&tree->child[place + 1], &tree->child[place], (end - place) * sizeof(uint16_t));
    tree->weight[place] = weight;
    tree->child[place] = (uint16_t)child;
}

static void Halve(LzHufTree *tree) {
    GatherLeaves(tree);
    for (uint32_t end = LZHUF_SYMBOLS, child = 0; end < LZHUF_NODES; end++, child += 2)
        InsertNode(tree, end, (uint16_t)(tree->weight[child] + tree->weight[child + 1]), child);
    tree->weight[LZHUF_NODES] = UINT16_MAX;
    for (uint32_t node = 0; node < LZHUF_NODES; node++)
        Adopt(tree, node, tree->child[node]);
    tree->parent[LZHUF_ROOT] = 0;
}

/* Returns the last of the nodes that weigh as much as this one. How many there are cannot be
 * foreseen, so many are compared without a branch: as weights rise, the equal ones come first. */
static uint32_t LastAsHeavy(const LzHufTree *tree, uint32_t node, uint16_t weight) {
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

/* A node that would become heavier than the next one first changes places with the last one that is
 * as heavy, so that the order holds. */
void LzHufTree_UpdateFrom(LzHufTree *tree, uint32_t node, LzHufChanges *changes) {
    do {
        const uint16_t weight = tree->weight[node];
        if (tree->weight[node + 1] == weight) {
            const uint32_t last = LastAsHeavy(tree, node, weight), child = tree->child[node];
            Adopt(tree, node, tree->child[last]);
            Adopt(tree, last, child);
            changes->nodes[changes->count++] = (uint16_t)node;
            changes->nodes[changes->count++] = (uint16_t)last;
            node = last;
        }
        tree->weight[node] = (uint16_t)(weight + 1);
        node = tree->parent[node];
    } while (node != 0);
}

void LzHufTree_Update(LzHufTree *tree, uint32_t symbol) {
    LzHufChanges changes;
    changes.count = 0;
    if (tree->weight[LZHUF_ROOT] == LZHUF_MOST_WEIGHT)
        Halve(tree);
    LzHufTree_UpdateFrom(tree, tree->parent[LZHUF_NODES + symbol], &changes);
}

void LzHufPrefix_Build(LzHufPrefix *prefix) {
    static const uint8_t codes_of_length[6] = {1, 3, 8, 12, 24, 16}; /* of 3 to 8 bits */
    uint32_t upper = 0, word = 0;
    for (uint32_t length = 3; length <= 8; length++)
        for (uint32_t i = 0; i < codes_of_length[length - 3]; i++) {
            prefix->first[upper] = (uint8_t)word;
            prefix->length[upper++] = (uint8_t)length;
            word += 1U << (8 - length);
        }
}
