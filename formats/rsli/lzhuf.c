/* The LZHUF decoder (facts/formats.md B.6). */
#include "formats/rsli/lzhuf.h"

#include "core/bytes.h"
#include "formats/rsli/codec.h"

#include <string.h>

typedef struct Decoder {
    LzHufTree tree;
    uint8_t upper[256], upper_length[256]; /* the upper part of a position and its code's length, by
                                              the next eight bits */
} Decoder;

/* The next bits of the input, the first one on top; past its end there are zeros. */
typedef struct Bits {
    uint64_t next;
    int32_t count; /* negative once more was taken than there is */
} Bits;

/* A symbol's code has at most 24 bits, as the root weighs no more than 2^15; a position has 14. */
enum { ENOUGH_BITS = 57 };

size_t LzHuf_WorkBytes(void) {
    return sizeof(Decoder);
}

static void Start(Decoder *decoder) {
    LzHufPrefix prefix;
    LzHufTree_Start(&decoder->tree);
    LzHufPrefix_Build(&prefix);
    for (uint32_t upper = 0; upper < LZHUF_UPPER_CODES; upper++) {
        uint32_t first = prefix.first[upper], covered = 1U << (8 - prefix.length[upper]);
        memset(decoder->upper + first, (int)upper, covered);
        memset(decoder->upper_length + first, prefix.length[upper], covered);
    }
}

static void FillAtEnd(Bits *bits, RsLiInput *input) {
    if (RsLiInput_Readable(input) < 8)
        RsLiInput_Refill(input);
    while (bits->count < ENOUGH_BITS && input->at < input->end) {
        bits->next |= (uint64_t)*input->at++ << (56 - bits->count);
        bits->count += 8;
    }
}

static inline void Fill(Bits *bits, RsLiInput *input) {
    if (RsLiInput_Readable(input) < 8) {
        FillAtEnd(bits, input);
        return;
    }
    bits->next |= Bytes_BigU64(input->at) >> bits->count;
    input->at += (63 - bits->count) >> 3;
    bits->count |= 56;
}

/* Walks down to a leaf, then counts its symbol. The nodes passed are those to be counted, while
 * none of them has to change places: known before, they need not be looked up one after the other.
 */
static inline uint32_t TakeSymbol(Bits *bits, LzHufTree *tree) {
    uint32_t path[LZHUF_NODES], depth = 0, node = tree->child[LZHUF_ROOT];
    uint64_t next = bits->next;
    do {
        uint32_t taken = node + (uint32_t)(next >> 63);
        path[depth++] = taken;
        node = tree->child[taken];
        next <<= 1;
    } while (node < LZHUF_NODES);
    bits->next = next;
    bits->count -= (int32_t)depth;
    LzHufTree_UpdatePath(tree, path, depth);
    return node - LZHUF_NODES;
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

static inline void CopyFast(uint8_t *to, size_t distance, size_t length) {
    const uint8_t *from = to - distance;
    if (distance < 8) {
        for (size_t i = 0; i < length; i++)
            to[i] = from[i];
        return;
    }
    for (size_t i = 0; i < length; i += 8)
        memcpy(to + i, from + i, 8);
}

static inline size_t Copy(uint8_t *output, size_t done, size_t size, size_t distance,
                          size_t length) {
    if (length > size - done)
        length = size - done;
    if (distance <= done && size - done >= LZHUF_MOST + 8)
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
        Fill(&bits, input);
        uint32_t symbol = TakeSymbol(&bits, &decoder->tree);
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
