#include "tests/formats/rsli/textbook.h"

#include <string.h>

typedef struct Ring {
    uint8_t bytes[4096];
    unsigned at;
    uint8_t *output;
    size_t done, size;
} Ring;

static void StartRing(Ring *ring, unsigned start, uint8_t *output, size_t size) {
    memset(ring->bytes, ' ', sizeof ring->bytes);
    ring->at = start;
    ring->output = output;
    ring->done = 0;
    ring->size = size;
}

static void Put(Ring *ring, uint8_t byte) {
    if (ring->done < ring->size)
        ring->output[ring->done++] = byte;
    ring->bytes[ring->at] = byte;
    ring->at = (ring->at + 1) & 4095;
}

void Textbook_Lzss(const uint8_t *packed, size_t packed_size, uint8_t *output, size_t size) {
    Ring ring;
    size_t at = 0;
    unsigned flags = 0;
    StartRing(&ring, 0xFEE, output, size);
    while (ring.done < size) {
        flags >>= 1;
        if (!(flags & 0x100)) {
            if (at >= packed_size)
                return;
            flags = packed[at++] | 0xFF00U;
        }
        if (flags & 1) {
            if (at >= packed_size)
                return;
            Put(&ring, packed[at++]);
        } else {
            if (at + 1 >= packed_size)
                return;
            unsigned from = packed[at] | (packed[at + 1] & 0xF0U) << 4;
            unsigned length = (packed[at + 1] & 0x0FU) + 3;
            at += 2;
            for (unsigned i = 0; i < length; i++)
                Put(&ring, ring.bytes[(from + i) & 4095]);
        }
    }
}

/* Applies the cipher as it is defined, byte by byte. */
void Textbook_Xor(const uint8_t *packed, size_t packed_size, uint8_t *output, size_t size) {
    unsigned low = 1, high = 0;
    for (size_t i = 0; i < size && i < packed_size; i++) {
        low = (low << 1 ^ high) & 0xFF;
        output[i] = (uint8_t)(packed[i] ^ low);
        high = high >> 1 ^ low;
    }
}

typedef struct Huffman {
    const uint8_t *packed;
    size_t packed_size, at;
    unsigned bit;
    unsigned weight[628], parent[941], child[627];
} Huffman;

static unsigned GetBit(Huffman *h) {
    if (h->at >= h->packed_size)
        return 0;
    unsigned bit = h->packed[h->at] >> (7 - h->bit) & 1U;
    h->bit = (h->bit + 1) & 7;
    h->at += h->bit == 0;
    return bit;
}

static void Link(Huffman *h, unsigned node) {
    unsigned child = h->child[node];
    h->parent[child] = node;
    if (child < 627)
        h->parent[child + 1] = node;
}

static void StartHuffman(Huffman *h) {
    for (unsigned i = 0; i < 314; i++) {
        h->weight[i] = 1;
        h->child[i] = 627 + i;
    }
    for (unsigned i = 314; i < 627; i++) {
        h->child[i] = 2 * (i - 314);
        h->weight[i] = h->weight[h->child[i]] + h->weight[h->child[i] + 1];
    }
    h->weight[627] = 0xFFFF;
    for (unsigned i = 0; i < 627; i++)
        Link(h, i);
    h->parent[626] = 0;
}

static void Rebuild(Huffman *h) {
    unsigned leaves = 0;
    for (unsigned i = 0; i < 627; i++)
        if (h->child[i] >= 627) {
            h->weight[leaves] = (h->weight[i] + 1) / 2;
            h->child[leaves++] = h->child[i];
        }
    for (unsigned i = 0, end = 314; end < 627; i += 2, end++) {
        unsigned weight = h->weight[i] + h->weight[i + 1], place = end;
        for (; weight < h->weight[place - 1]; place--) {
            h->weight[place] = h->weight[place - 1];
            h->child[place] = h->child[place - 1];
        }
        h->weight[place] = weight;
        h->child[place] = i;
    }
    for (unsigned i = 0; i < 627; i++)
        Link(h, i);
    h->parent[626] = 0;
}

static void CountSymbol(Huffman *h, unsigned symbol) {
    if (h->weight[626] == 0x8000)
        Rebuild(h);
    unsigned node = h->parent[627 + symbol];
    do {
        unsigned weight = ++h->weight[node], last = node + 1;
        if (weight > h->weight[last]) {
            while (weight > h->weight[last + 1])
                last++;
            unsigned child = h->child[node];
            h->weight[node] = h->weight[last];
            h->weight[last] = weight;
            h->child[node] = h->child[last];
            h->child[last] = child;
            Link(h, node);
            Link(h, last);
            node = last;
        }
        node = h->parent[node];
    } while (node != 0);
}

/* Reads a position. The codes of its upper six bits have lengths from 3 to 8 (facts/formats.md
 * B.6). */
static unsigned GetPosition(Huffman *h) {
    static const unsigned counts[6] = {1, 3, 8, 12, 24, 16};
    unsigned byte = 0, upper = 0, length = 3, first = 0;
    for (int i = 0; i < 8; i++)
        byte = byte << 1 | GetBit(h);
    for (unsigned k = 0; k < 6; k++) {
        unsigned width = 1U << (5 - k);
        if (byte < first + counts[k] * width) {
            upper += (byte - first) / width;
            length = 3 + k;
            break;
        }
        first += counts[k] * width;
        upper += counts[k];
    }
    for (unsigned i = 0; i < length - 2; i++)
        byte = byte << 1 | GetBit(h);
    return upper << 6 | (byte & 0x3F);
}

void Textbook_LzHuf(const uint8_t *packed, size_t packed_size, uint8_t *output, size_t size) {
    static Huffman huffman;
    Huffman *h = &huffman;
    Ring ring;
    *h = (Huffman){.packed = packed, .packed_size = packed_size};
    StartHuffman(h);
    StartRing(&ring, 0xFC4, output, size);
    while (ring.done < size) {
        unsigned node = h->child[626];
        while (node < 627)
            node = h->child[node + GetBit(h)];
        CountSymbol(h, node - 627);
        if (node - 627 < 256) {
            Put(&ring, (uint8_t)(node - 627));
            continue;
        }
        unsigned from = (ring.at - GetPosition(h) - 1) & 4095;
        for (unsigned i = 0; i < node - 627 - 253; i++)
            Put(&ring, ring.bytes[(from + i) & 4095]);
    }
}
