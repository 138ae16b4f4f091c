/* The LZHUF decoder (facts/formats.md B.6). */
#include "formats/rsli/lzhuf.h"

#include "core/bytes.h"
#include "formats/rsli/codec.h"

#include <string.h>

enum { SHORTCUT_BITS = 8, SHORTCUTS = 1 << SHORTCUT_BITS };

/* Limits of counting later, measured to be fast: the most nodes; how much lighter than the next
 * node each of them is at least; and the most symbols. */
enum { MOST_TOP = 20, LEAST_GAP = 128, MOST_LEFT = 512 };

/* The bits that led to a node when a shortcut last passed it or ended at it. */
typedef struct Place {
    uint8_t depth, first; /* number of bits; these bits, with zeros behind them; depth 0: none */
} Place;

typedef struct Decoder {
    LzHufTree tree;
    /* Where the next eight bits lead: to a leaf, for which fewer bits may be enough, or to the node
     * at depth eight. A shortcut is the number of the node plus 2^16 times its depth, or 0 if it is
     * not known. */
    uint32_t shortcuts[SHORTCUTS];
    Place places[LZHUF_NODES];
    /* For each node at which shortcuts end: the nodes above it, from the nearest one to the root,
     * with spare nodes behind. */
    uint16_t above[LZHUF_NODES][SHORTCUT_BITS], spares[SHORTCUT_BITS];
    /* The nodes from `top` on are not counted at once. For `left` more symbols, none of them can
     * become as heavy as the next one. Until then it is enough to count, in `reached`, how often
     * each was the first of them that a symbol reached. */
    uint32_t top, left;
    uint16_t reached[LZHUF_WEIGHTS];
    uint8_t upper[256], upper_length[256]; /* by the next eight bits: the upper part of a position,
                                              and its code's length */
} Decoder;

/* The next bits of the input, with the first one on top. Behind the end of the input there are
 * zeros. */
typedef struct Bits {
    uint64_t next;
    int32_t count; /* negative once more was taken than there is */
} Bits;

/* A symbol's code has at most LZHUF_MOST_DEPTH bits; a position has 14. */
enum { ENOUGH_BITS = LZHUF_MOST_DEPTH + 14, MOST_BITS = 57 };

size_t LzHuf_WorkBytes(void) {
    return sizeof(Decoder);
}

/* ---- shortcuts ------------------------------------------------------------------------------- */

static inline uint32_t NodeOf(uint32_t shortcut) {
    return shortcut & 0xFFFF;
}

/* Follows eight bits down the tree. Enters the result for all shortcuts that begin with the bits
 * that were needed. */
static uint32_t Find(Decoder *decoder, uint32_t bits) {
    /* In the first half, the root and the nodes passed below it, from the middle to the front; then
     * spare nodes. */
    uint16_t passed[2 * SHORTCUT_BITS];
    uint16_t *nearest = passed + SHORTCUT_BITS;
    uint32_t node = LZHUF_ROOT, depth = 0, child = decoder->tree.child[LZHUF_ROOT], first = 0;
    memcpy(nearest, decoder->spares, sizeof decoder->spares);
    do {
        *--nearest = (uint16_t)node;
        depth++;
        node = child + (bits >> (SHORTCUT_BITS - depth) & 1);
        first = bits >> (SHORTCUT_BITS - depth) << (SHORTCUT_BITS - depth);
        decoder->places[node] = (Place){.depth = (uint8_t)depth, .first = (uint8_t)first};
        child = decoder->tree.child[node];
    } while (child < LZHUF_NODES && depth < SHORTCUT_BITS);
    memcpy(decoder->above[node], nearest, sizeof decoder->above[node]);
    for (uint32_t i = first; i < first + ((uint32_t)SHORTCUTS >> depth); i++)
        decoder->shortcuts[i] = node | depth << 16;
    return node | depth << 16;
}

static void ForgetAll(Decoder *decoder) {
    memset(decoder->shortcuts, 0, sizeof decoder->shortcuts);
}

/* Forgets the shortcuts that pass a node, because its children have changed. If its place is no
 * longer right, too much is forgotten, which does no harm. */
static void Forget(Decoder *decoder, uint32_t node) {
    const Place *place = &decoder->places[node];
    if (place->depth > 0 && place->depth < SHORTCUT_BITS)
        memset(&decoder->shortcuts[place->first], 0,
               sizeof(uint32_t) * ((size_t)SHORTCUTS >> place->depth));
}

/* ---- bits ------------------------------------------------------------------------------------ */

static Bits FillAtEnd(Bits bits, RsLiInput *input) {
    if (RsLiInput_Readable(input) < 8)
        RsLiInput_Refill(input);
    while (bits.count < MOST_BITS && input->at < input->end) {
        bits.next |= (uint64_t)*input->at++ << (56 - bits.count);
        bits.count += 8;
    }
    return bits;
}

static inline Bits Fill(Bits bits, RsLiInput *input) {
    if (bits.count >= ENOUGH_BITS)
        return bits;
    if (RsLiInput_Readable(input) < 8)
        return FillAtEnd(bits, input);
    bits.next |= Bytes_BigU64(input->at) >> bits.count;
    input->at += (63 - bits.count) >> 3;
    bits.count |= 56;
    return bits;
}

/* ---- counting -------------------------------------------------------------------------------- */

/* Adds the counts that were left for later. Each node is in front of the node above it. */
static void CountTop(Decoder *decoder) {
    LzHufTree *tree = &decoder->tree;
    for (uint32_t node = decoder->top; node < LZHUF_ROOT; node++) {
        const uint16_t count = decoder->reached[node];
        decoder->reached[node] = 0;
        tree->weight[node] = (uint16_t)(tree->weight[node] + count);
        decoder->reached[tree->parent[node]] =
            (uint16_t)(decoder->reached[tree->parent[node]] + count);
    }
    tree->weight[LZHUF_ROOT] = (uint16_t)(tree->weight[LZHUF_ROOT] + decoder->reached[LZHUF_ROOT]);
    decoder->reached[LZHUF_ROOT] = 0;
}

/* Chooses the nodes to count later. A symbol makes a node heavier by 1 at most. So no node becomes
 * as heavy as the next one for as many symbols as the smallest gap is wide. */
static void ChooseTop(Decoder *decoder) {
    const uint16_t *weight = decoder->tree.weight;
    uint32_t top = LZHUF_ROOT, left = (uint32_t)LZHUF_MOST_WEIGHT - weight[LZHUF_ROOT];
    left = left < MOST_LEFT ? left : MOST_LEFT;
    while (top > LZHUF_ROOT - MOST_TOP) {
        const uint32_t gap = (uint32_t)weight[top] - weight[top - 1];
        if (gap < LEAST_GAP)
            break;
        left = gap < left ? gap : left;
        top--;
    }
    decoder->top = top;
    decoder->left = left;
}

/* If a node is as heavy as the next one, exchanges it with the last node of that weight. If that is
 * one of those that are counted later, these are counted first, and may turn out to be heavier.
 * Returns the new place of the node. */
static uint32_t Advance(Decoder *decoder, uint32_t node) {
    LzHufTree *tree = &decoder->tree;
    uint32_t last = LzHufTree_LastAsHeavy(tree, node);
    if (last >= decoder->top) {
        CountTop(decoder);
        ChooseTop(decoder);
        last = LzHufTree_LastAsHeavy(tree, node);
        if (last == node)
            return node;
    }
    if (LzHufTree_Swap(tree, node, last)) {
        Forget(decoder, node);
        Forget(decoder, last);
    }
    return last;
}

/* Counts a symbol for a node and for all nodes above it. */
static void CountFrom(Decoder *decoder, size_t node) {
    LzHufTree *tree = &decoder->tree;
    while (node < decoder->top) {
        if (tree->weight[node] == tree->weight[node + 1]) {
            node = Advance(decoder, (uint32_t)node);
            if (node >= decoder->top)
                break;
        }
        tree->weight[node]++;
        node = tree->parent[node];
    }
    decoder->reached[node]++;
    decoder->left--;
}

/* Returns a negative number if a node is lighter than the next one, otherwise 0. */
static inline int32_t Lighter(const uint16_t *weight) {
    return weight[0] - weight[1];
}

/* Counts a symbol for a leaf. If a shortcut ends at the leaf, the nodes above it are known. They
 * are tested together for becoming heavier than their next nodes, because a branch for each would
 * often be predicted wrongly. */
static inline void Count(Decoder *decoder, size_t leaf) {
    uint16_t *weight = decoder->tree.weight;
    if (weight[leaf] == weight[leaf + 1]) {
        leaf = Advance(decoder, (uint32_t)leaf);
        if (NodeOf(decoder->shortcuts[decoder->places[leaf].first]) != leaf) {
            CountFrom(decoder, leaf);
            return;
        }
    }
    const uint16_t *above = decoder->above[leaf];
    const size_t a = above[0], b = above[1], c = above[2], d = above[3];
    int32_t lighter = Lighter(weight + a) & Lighter(weight + b) & Lighter(weight + c);
    if (d >= decoder->top) {
        if (lighter >= 0) {
            CountFrom(decoder, leaf);
            return;
        }
        decoder->reached[d]++;
    } else {
        const size_t e = above[4], f = above[5], g = above[6], h = above[7];
        if ((lighter & Lighter(weight + d) & Lighter(weight + e) & Lighter(weight + f) &
             Lighter(weight + g) & Lighter(weight + h)) >= 0) {
            CountFrom(decoder, leaf);
            return;
        }
        weight[d]++;
        weight[e]++;
        weight[f]++;
        weight[g]++;
        weight[h]++;
    }
    weight[leaf]++;
    weight[a]++;
    weight[b]++;
    weight[c]++;
    decoder->left--;
}

/* Counts a symbol for any leaf when no symbol is left for counting later. */
static void CountAfterTop(Decoder *decoder, uint32_t leaf) {
    CountTop(decoder);
    if (decoder->tree.weight[LZHUF_ROOT] == LZHUF_MOST_WEIGHT) {
        LzHufTree_Update(&decoder->tree, decoder->tree.child[leaf] - LZHUF_NODES);
        ForgetAll(decoder);
        ChooseTop(decoder);
    } else {
        ChooseTop(decoder);
        CountFrom(decoder, leaf);
    }
}

/* ---- symbols --------------------------------------------------------------------------------- */

/* Writes bytes that repeat after `distance` bytes, which is less than eight. Always writes the
 * same eight bytes, and moves on by as many whole repetitions as fit into them. May write
 * behind `end`. */
static inline void Repeat(uint8_t *to, const uint8_t *end, size_t distance) {
    /* in each number, a one for every `distance` bytes */
    static const uint64_t ones[8] = {0,
                                     UINT64_C(0x0101010101010101),
                                     UINT64_C(0x0001000100010001),
                                     UINT64_C(0x0001000001000001),
                                     UINT64_C(0x0000000100000001),
                                     UINT64_C(0x0000010000000001),
                                     UINT64_C(0x0001000000000001),
                                     UINT64_C(0x0100000000000001)};
    static const uint8_t steps[8] = {0, 8, 8, 6, 8, 5, 6, 7};
    uint64_t piece = 0;
    for (size_t i = distance; i > 0; i--)
        piece = piece << 8 | *(to - distance + i - 1);
    piece *= ones[distance];
    do {
        Bytes_PutU64(to, piece);
        to += steps[distance];
    } while (to < end);
}

/* Copies at least two pieces of eight bytes. May write more than `length` bytes. */
static inline void CopyFast(uint8_t *to, size_t distance, size_t length) {
    const uint8_t *end = to + length, *from = to - distance;
    if (distance < 8) {
        Repeat(to, end, distance);
        return;
    }
    do {
        memcpy(to, from, 8);
        memcpy(to + 8, from + 8, 8);
        to += 16;
        from += 16;
    } while (to < end);
}

static inline size_t Copy(uint8_t *output, size_t done, size_t size, size_t distance,
                          size_t length) {
    if (length > size - done)
        length = size - done;
    if (distance <= done && size - done >= LZHUF_MOST + 24)
        CopyFast(output + done, distance, length);
    else
        RsLi_CopyMatch(output, done, distance, length);
    return length;
}

bool LzHuf_Decode(RsLiInput *input, uint8_t *output, size_t size, void *work) {
    Decoder *decoder = work;
    Bits bits = {0, 0};

    /* Everything is as it was before the first symbol. */
    LzHufPrefix prefix;
    LzHufTree_Start(&decoder->tree);
    ForgetAll(decoder);
    memset(decoder->places, 0, sizeof decoder->places);
    memset(decoder->reached, 0, sizeof decoder->reached);
    for (uint32_t i = 0; i < SHORTCUT_BITS; i++)
        decoder->spares[i] = (uint16_t)(LZHUF_SPARE + 2 * i);
    ChooseTop(decoder);
    LzHufPrefix_Make(&prefix);
    for (uint32_t upper = 0; upper < LZHUF_UPPER_CODES; upper++) {
        uint32_t first = prefix.first[upper], covered = 1U << (8 - prefix.length[upper]);
        memset(decoder->upper + first, (int)upper, covered);
        memset(decoder->upper_length + first, prefix.length[upper], covered);
    }
    for (size_t done = 0; done < size;) {
        bits = Fill(bits, input);

        /* Reads the code of a symbol, and counts the symbol. */
        LzHufTree *tree = &decoder->tree;
        const uint32_t next = (uint32_t)(bits.next >> (64 - SHORTCUT_BITS));
        uint32_t shortcut = decoder->shortcuts[next];
        if (shortcut == 0)
            shortcut = Find(decoder, next);
        uint32_t leaf = NodeOf(shortcut), depth = shortcut >> 16, child = tree->child[leaf];
        bits.next <<= depth;
        bits.count -= (int32_t)depth;
        const bool is_leaf = child >= LZHUF_NODES;
        if (!is_leaf) {
            for (depth = 0; child < LZHUF_NODES; depth++) {
                leaf = child + (uint32_t)(bits.next >> 63);
                child = tree->child[leaf];
                bits.next <<= 1;
            }
            bits.count -= (int32_t)depth;
        }
        if (decoder->left == 0)
            CountAfterTop(decoder, leaf);
        else if (is_leaf)
            Count(decoder, leaf);
        else
            CountFrom(decoder, leaf);
        uint32_t symbol = child - LZHUF_NODES;
        if (bits.count < 0)
            return false;
        if (symbol < 256) {
            output[done++] = (uint8_t)symbol;
            continue;
        }

        /* Reads a position. Eight bits select its upper part. Its lower six bits are those behind
         * the upper part's code, whose length is known by then. */
        uint32_t first = (uint32_t)(bits.next >> 56);
        int32_t length = decoder->upper_length[first] + 6;
        uint32_t lower = (uint32_t)(bits.next >> (64 - length)) & 0x3F;
        bits.next <<= length;
        bits.count -= length;
        uint32_t position = (uint32_t)decoder->upper[first] << 6 | lower;
        if (bits.count < 0)
            return false;
        done += Copy(output, done, size, (size_t)position + 1, symbol - LZHUF_LENGTH_SYMBOL);
    }
    input->at -= bits.count / 8; /* whole bytes that were not needed */
    return true;
}
