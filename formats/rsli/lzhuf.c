/* The LZHUF decoder (facts/formats.md B.6). */
#include "formats/rsli/lzhuf.h"

#include "core/bytes.h"
#include "formats/rsli/codec.h"

#include <string.h>

/* Where the next eight bits lead: to a leaf, which fewer of them may suffice for, or to the node of
 * depth eight. It stays right while no node that is passed on the way changes its children. */
enum { SHORTCUT_BITS = 8, SHORTCUTS = 1 << SHORTCUT_BITS };

typedef struct Decoder {
    LzHufTree tree;
    LzHufChanges changes;
    uint16_t end[SHORTCUTS];               /* the node */
    uint8_t depth[SHORTCUTS];              /* how many of the bits lead to it */
    uint8_t passed[LZHUF_NODES];           /* by node: whether a shortcut may pass it */
    uint8_t upper[256], upper_length[256]; /* the upper part of a position and its code's length, by
                                              the next eight bits */
} Decoder;

/* The next bits of the input, the first one on top; past its end there are zeros. */
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

/* Enters a node that `depth` bits lead to, `first` being the shortcut that begins with these bits
 * and has zeros behind them. */
static void Enter(Decoder *decoder, uint32_t node, uint32_t depth, uint32_t first) {
    const uint32_t child = decoder->tree.child[node], shortcuts = (uint32_t)SHORTCUTS >> depth;
    if (child < LZHUF_NODES && depth < SHORTCUT_BITS) {
        decoder->passed[node] = 1;
        Enter(decoder, child, depth + 1, first);
        Enter(decoder, child + 1, depth + 1, first + shortcuts / 2);
        return;
    }
    for (uint32_t i = first; i < first + shortcuts; i++) {
        decoder->end[i] = (uint16_t)node;
        decoder->depth[i] = (uint8_t)depth;
    }
}

static void EnterAll(Decoder *decoder) {
    memset(decoder->passed, 0, sizeof decoder->passed);
    Enter(decoder, LZHUF_ROOT, 0, 0);
}

/* Enters a node anew, unless it lies too deep. The bits that lead to it are, from the last to the
 * first, which of two children it and those above it are: the first ones are even. */
static void EnterNode(Decoder *decoder, uint32_t changed) {
    uint32_t depth = 0, code = 0;
    for (uint32_t node = changed; node != LZHUF_ROOT; decoder->passed[node] = 1) {
        code |= (node & 1) << depth++;
        node = decoder->tree.parent[node];
    }
    if (depth < SHORTCUT_BITS)
        Enter(decoder, changed, depth, code << (SHORTCUT_BITS - depth));
}

static void EnterChanges(Decoder *decoder, const LzHufChanges *changes) {
    for (uint32_t i = 0; i < changes->count; i++)
        if (decoder->passed[changes->nodes[i]])
            EnterNode(decoder, changes->nodes[i]);
}

static void Start(Decoder *decoder) {
    LzHufPrefix prefix;
    LzHufTree_Start(&decoder->tree);
    EnterAll(decoder);
    LzHufPrefix_Build(&prefix);
    for (uint32_t upper = 0; upper < LZHUF_UPPER_CODES; upper++) {
        uint32_t first = prefix.first[upper], covered = 1U << (8 - prefix.length[upper]);
        memset(decoder->upper + first, (int)upper, covered);
        memset(decoder->upper_length + first, prefix.length[upper], covered);
    }
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

static void CountFrom(Decoder *decoder, uint32_t node) {
    decoder->changes.count = 0;
    LzHufTree_UpdateFrom(&decoder->tree, node, &decoder->changes);
    EnterChanges(decoder, &decoder->changes);
}

static void CountAndHalve(Decoder *decoder, uint32_t symbol) {
    LzHufTree_Update(&decoder->tree, symbol);
    EnterAll(decoder);
}

/* Takes a symbol's code, and counts the symbol. */
static inline uint32_t TakeSymbol(Bits *bits, Decoder *decoder) {
    LzHufTree *tree = &decoder->tree;
    const uint32_t shortcut = (uint32_t)(bits->next >> (64 - SHORTCUT_BITS));
    uint32_t leaf = decoder->end[shortcut], depth = decoder->depth[shortcut];
    uint32_t child = tree->child[leaf];
    bits->next <<= depth;
    for (; child < LZHUF_NODES; depth++) {
        leaf = child + (uint32_t)(bits->next >> 63);
        child = tree->child[leaf];
        bits->next <<= 1;
    }
    bits->count -= (int32_t)depth;
    if (tree->weight[LZHUF_ROOT] == LZHUF_MOST_WEIGHT) {
        CountAndHalve(decoder, child - LZHUF_NODES);
        return child - LZHUF_NODES;
    }
    const uint32_t node = LzHufTree_CountUp(tree, leaf, depth);
    if (node == LZHUF_ROOT)
        tree->weight[LZHUF_ROOT]++;
    else
        CountFrom(decoder, node);
    return child - LZHUF_NODES;
}

/* Eight bits select the upper part of the position; of their code's length all but two more bits
 * follow, which complete the lower six. */
static inline uint32_t TakePosition(Bits *bits, const Decoder *decoder) {
    uint32_t first = (uint32_t)(bits->next >> 56);
    int32_t length = decoder->upper_length[first] + 6;
    uint32_t lower = (uint32_t)(bits->next >> (64 - length)) & 0x3F;
    bits->next <<= length;
    bits->count -= length;
    return (uint32_t)decoder->upper[first] << 6 | lower;
}

/* Copies in pieces of eight bytes, two at least, which may write past `length`. What repeats after
 * fewer than eight bytes also repeats after the least multiple that is not fewer. */
static inline void CopyFast(uint8_t *to, size_t distance, size_t length) {
    const uint8_t *end = to + length, *from = to - distance;
    if (distance < 8) {
        static const uint8_t multiples[8] = {0, 8, 8, 9, 8, 10, 12, 14};
        for (int i = 0; i < 8; i++)
            to[i] = from[i];
        to += 8;
        from = to - multiples[distance];
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
    Start(decoder);
    for (size_t done = 0; done < size;) {
        bits = Fill(bits, input);
        uint32_t symbol = TakeSymbol(&bits, decoder);
        if (bits.count < 0)
            return false;
        if (symbol < 256) {
            output[done++] = (uint8_t)symbol;
            continue;
        }
        uint32_t position = TakePosition(&bits, decoder);
        if (bits.count < 0)
            return false;
        done += Copy(output, done, size, (size_t)position + 1, symbol - LZHUF_LENGTH_SYMBOL);
    }
    input->at -= bits.count / 8; /* whole bytes that were not needed */
    return true;
}
