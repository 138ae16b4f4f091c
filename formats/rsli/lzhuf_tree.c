/* LZHUF's adaptive tree: a Huffman code that is updated with each symbol, as Faller, Gallager and
 * Knuth describe it, with the numbers of facts/formats.md B.6. */
#include "formats/rsli/lzhuf.h"

#include <string.h>

static void WeighSpares(LzHufTree *tree) {
    tree->weight[LZHUF_NODES] = UINT16_MAX;
    for (uint32_t i = 0; i < 2 * LZHUF_SPARES; i++)
        tree->weight[LZHUF_SPARE + i] = i % 2 ? UINT16_MAX : 0;
}

void LzHufTree_Start(LzHufTree *tree) {
    for (uint32_t symbol = 0; symbol < LZHUF_SYMBOLS; symbol++) {
        tree->weight[symbol] = 1;
        LzHufTree_Adopt(tree, symbol, LZHUF_NODES + symbol);
    }
    for (uint32_t node = LZHUF_SYMBOLS, child = 0; node < LZHUF_NODES; node++, child += 2) {
        tree->weight[node] = (uint16_t)(tree->weight[child] + tree->weight[child + 1]);
        LzHufTree_Adopt(tree, node, child);
    }
    WeighSpares(tree);
    tree->parent[LZHUF_ROOT] = 0;
}

/* If a node would become heavier than the next one, it is first exchanged with the last node of its
 * weight. So the order by weight remains. */
void LzHufTree_Update(LzHufTree *tree, uint32_t symbol) {
    if (tree->weight[LZHUF_ROOT] == LZHUF_MOST_WEIGHT) {
        /* Copy the leaves in their order. Their weights are halved and rounded up. */
        uint16_t weights[LZHUF_SYMBOLS + 1], children[LZHUF_SYMBOLS];
        uint32_t leaves = 0;
        for (uint32_t node = 0; node < LZHUF_NODES; node++) {
            if (tree->child[node] < LZHUF_NODES)
                continue;
            weights[leaves] = (uint16_t)((tree->weight[node] + 1) / 2);
            children[leaves++] = tree->child[node];
        }
        weights[LZHUF_SYMBOLS] = UINT16_MAX;

        /* Make the tree anew from its leaves. Each next node is the lightest of the leaves and of
         * the pairs of nodes made before, whose weights rise, too; a leaf comes before a pair of
         * the same weight. */
        uint32_t leaf = 0, pair = 0; /* `pair` is the first node of the pair */
        for (uint32_t node = 0; node < LZHUF_NODES; node++) {
            const uint32_t both = pair + 1 < node
                                      ? (uint32_t)tree->weight[pair] + tree->weight[pair + 1]
                                      : UINT16_MAX;
            if (both < weights[leaf]) {
                tree->weight[node] = (uint16_t)both;
                LzHufTree_Adopt(tree, node, pair);
                pair += 2;
            } else {
                tree->weight[node] = weights[leaf];
                LzHufTree_Adopt(tree, node, children[leaf++]);
            }
        }
        WeighSpares(tree);
        tree->parent[LZHUF_ROOT] = 0;
    }
    uint32_t node = tree->parent[LZHUF_NODES + symbol];
    do {
        if (tree->weight[node + 1] == tree->weight[node]) {
            const uint32_t last = LzHufTree_LastAsHeavy(tree, node);
            LzHufTree_Swap(tree, node, last);
            node = last;
        }
        tree->weight[node]++;
        node = tree->parent[node];
    } while (node != 0);
}

void LzHufPrefix_Make(LzHufPrefix *prefix) {
    static const uint8_t codes_of_length[6] = {1, 3, 8, 12, 24, 16}; /* for 3 to 8 bits */
    uint32_t upper = 0, word = 0;
    for (uint32_t length = 3; length <= 8; length++)
        for (uint32_t i = 0; i < codes_of_length[length - 3]; i++) {
            prefix->first[upper] = (uint8_t)word;
            prefix->length[upper++] = (uint8_t)length;
            word += 1U << (8 - length);
        }
}
