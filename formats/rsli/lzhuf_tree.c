/* LZHUF's adaptive tree: a Huffman code kept up to date symbol by symbol, in the manner of Faller,
 * Gallager and Knuth, with the numbers of facts/formats.md B.6. */
#include "formats/rsli/lzhuf.h"

#include <string.h>

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

/* Lets a node change places with the last one that was as heavy, so that the order holds. */
static uint32_t Advance(LzHufTree *tree, uint32_t node, uint16_t weight) {
    uint32_t last = node + 1;
    while (weight > tree->weight[last + 1])
        last++;
    uint32_t child = tree->child[node];
    tree->weight[node] = tree->weight[last];
    tree->weight[last] = weight;
    Adopt(tree, node, tree->child[last]);
    Adopt(tree, last, child);
    return last;
}

/* Counts one more for the node and all nodes above it. */
static void CountFrom(LzHufTree *tree, uint32_t node) {
    do {
        uint16_t weight = ++tree->weight[node];
        if (weight > tree->weight[node + 1])
            node = Advance(tree, node, weight);
        node = tree->parent[node];
    } while (node != 0);
}

void LzHufTree_Update(LzHufTree *tree, uint32_t symbol) {
    if (tree->weight[LZHUF_ROOT] == LZHUF_MOST_WEIGHT)
        Halve(tree);
    CountFrom(tree, tree->parent[LZHUF_NODES + symbol]);
}

void LzHufTree_UpdatePath(LzHufTree *tree, const uint32_t *path, uint32_t depth) {
    if (tree->weight[LZHUF_ROOT] == LZHUF_MOST_WEIGHT) {
        LzHufTree_Update(tree, tree->child[path[depth - 1]] - LZHUF_NODES);
        return;
    }
    while (depth > 0) {
        uint32_t node = path[--depth];
        uint16_t weight = (uint16_t)(tree->weight[node] + 1);
        if (weight > tree->weight[node + 1]) {
            CountFrom(tree, node);
            return;
        }
        tree->weight[node] = weight;
    }
    tree->weight[LZHUF_ROOT]++;
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
