/* Packing and unpacking by RsLi's methods, beside textbook decoders and zlib.
 *
 *   bench_rsli [FILE...] > rsli.csv
 *
 * Without files: 2 MiB each of words, of a dithered texture and of noise. The textbook decoders
 * undo the cipher byte by byte, keep a ring of 4096 bytes, take the input bit by bit (LZHUF) or
 * byte by byte (LZSS) and give the output byte by byte. All decoders of an input run in turn, so
 * that a change of the machine's speed meets them all. `number` is of unpacked bytes. Nothing is
 * asserted but that every decoder gives the input back. */
#include "retropose/rsli.h"
#include "bench/table.h"
#include "bench/timing.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 2 << 20, REPETITIONS = 15, PACKINGS = 3 };

static uint8_t work[RP_RSLI_WORK_BYTES];

/* ---- inputs ---------------------------------------------------------------------------------- */

static uint64_t seed = 1;

/* Uses the top bits of Knuth's MMIX generator. */
static uint32_t Draw(uint32_t bound) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 40) % bound;
}

/* Makes a text from 2000 made-up words, of which the first are far more frequent than the last. */
static void MakeWords(uint8_t *bytes) {
    static char words[2000][12];
    for (size_t i = 0; i < 2000; i++)
        for (uint32_t k = 0, length = 2 + Draw(8); k < length; k++)
            words[i][k] = "etaoinshrdlucmfwyp"[Draw(18) * (Draw(18) + 1) / 18];
    for (size_t at = 0; at < SIZE;) {
        const char *word = words[(size_t)Draw(2000) * Draw(2000) / 2000 * Draw(2000) / 2000];
        for (; *word && at < SIZE; word++)
            bytes[at++] = (uint8_t)*word;
        if (at < SIZE)
            bytes[at++] = Draw(12) ? ' ' : '\n';
    }
}

/* Makes rows of 1024 pixels from a palette of 64: slopes, dithered. */
static void MakeTexture(uint8_t *bytes) {
    for (size_t i = 0; i < SIZE; i++) {
        size_t x = i % 1024, y = i / 1024;
        size_t slope = (x * 3 + y * 5) / 97 + (x / 128 * 7 ^ y / 64 * 3);
        bytes[i] = (uint8_t)((slope + (Draw(8) == 0)) % 64);
    }
}

static void MakeNoise(uint8_t *bytes) {
    for (size_t i = 0; i < SIZE; i++)
        bytes[i] = (uint8_t)Draw(256);
}

/* ---- textbook decoders ----------------------------------------------------------------------- */

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

static void TextbookLzss(const uint8_t *packed, size_t packed_size, uint8_t *output, size_t size) {
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
static void TextbookXor(const uint8_t *packed, size_t packed_size, uint8_t *output, size_t size) {
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

/* The lengths of the codes for the upper six bits are 3 to 8 (facts/formats.md B.6). */
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

static void TextbookLzHuf(const uint8_t *packed, size_t packed_size, uint8_t *output, size_t size) {
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

/* ---- measuring ------------------------------------------------------------------------------- */

typedef void Decode(const uint8_t *packed, size_t packed_size, uint8_t *output, size_t size);

static void UnpackXor(const uint8_t *packed, size_t packed_size, uint8_t *output, size_t size) {
    RpRsLi_Unpack(RP_RSLI_XOR, 1, packed, packed_size, output, size, work, NULL, NULL);
}

static void UnpackLzss(const uint8_t *packed, size_t packed_size, uint8_t *output, size_t size) {
    RpRsLi_Unpack(RP_RSLI_LZSS, 0, packed, packed_size, output, size, work, NULL, NULL);
}

static void UnpackXorLzss(const uint8_t *packed, size_t packed_size, uint8_t *output, size_t size) {
    RpRsLi_Unpack(RP_RSLI_XOR_LZSS, 1, packed, packed_size, output, size, work, NULL, NULL);
}

static void UnpackHuffman(const uint8_t *packed, size_t packed_size, uint8_t *output, size_t size) {
    RpRsLi_Unpack(RP_RSLI_HUFFMAN, 0, packed, packed_size, output, size, work, NULL, NULL);
}

static void UnpackDeflate(const uint8_t *packed, size_t packed_size, uint8_t *output, size_t size) {
    RpRsLi_Unpack(RP_RSLI_DEFLATE, 0, packed, packed_size, output, size, work, NULL, NULL);
}

typedef struct Subject {
    const char *name;
    uint32_t method;
    Decode *ours, *textbook; /* null: there is none */
    RpBuffer packed;
    double packing[PACKINGS], times[2][REPETITIONS];
} Subject;

static Subject subjects[] = {
    {.name = "xor", .method = RP_RSLI_XOR, .ours = UnpackXor, .textbook = TextbookXor},
    {.name = "lzss", .method = RP_RSLI_LZSS, .ours = UnpackLzss, .textbook = TextbookLzss},
    {.name = "xor+lzss", .method = RP_RSLI_XOR_LZSS, .ours = UnpackXorLzss},
    {.name = "huffman",
     .method = RP_RSLI_HUFFMAN,
     .ours = UnpackHuffman,
     .textbook = TextbookLzHuf},
    {.name = "deflate", .method = RP_RSLI_DEFLATE, .ours = UnpackDeflate},
};

enum { SUBJECTS = sizeof subjects / sizeof *subjects };

static void Pack(Subject *subject, const uint8_t *input, size_t size) {
    for (int r = 0; r < PACKINGS; r++) {
        RpBuffer_Free(&subject->packed);
        const int64_t start = Bench_Nanoseconds();
        if (RpRsLi_Pack(subject->method, 1, input, size, &subject->packed, NULL))
            abort();
        subject->packing[r] = (double)(Bench_Nanoseconds() - start);
    }
}

static double TimeDecode(Decode *decode, const RpBuffer *packed, const uint8_t *input,
                         uint8_t *output, size_t size) {
    memset(output, 0xA5, size);
    const int64_t start = Bench_Nanoseconds();
    decode(packed->bytes, packed->size, output, size);
    const int64_t elapsed = Bench_Nanoseconds() - start;
    if (memcmp(output, input, size) != 0) {
        fputs("a decoder does not give the input back\n", stderr);
        exit(1);
    }
    return (double)elapsed;
}

static void Unpack(const uint8_t *input, uint8_t *output, size_t size) {
    for (int r = -1; r < REPETITIONS; r++) /* the first round is for warming up */
        for (int s = 0; s < SUBJECTS; s++)
            for (int t = 0; t < 2; t++) {
                Decode *decode = t ? subjects[s].textbook : subjects[s].ours;
                if (decode)
                    subjects[s].times[t][r < 0 ? 0 : r] =
                        TimeDecode(decode, &subjects[s].packed, input, output, size);
            }
}

static BenchTable table;

static void Report(const char *input, size_t size) {
    for (int s = 0; s < SUBJECTS; s++) {
        Subject *subject = &subjects[s];
        BenchWay packing[] = {{"ours", subject->packing, PACKINGS}};
        BenchWay both[] = {{"textbook", subject->times[1], REPETITIONS},
                           {"ours", subject->times[0], REPETITIONS}};
        char operation[200];
        snprintf(operation, sizeof operation, "%s %s packed", input, subject->name);
        BenchTable_Amount(&table, operation, size, "ours", "bytes", (double)subject->packed.size);
        snprintf(operation, sizeof operation, "%s %s pack", input, subject->name);
        BenchTable_Ways(&table, operation, size, packing, 1);
        snprintf(operation, sizeof operation, "%s %s unpack", input, subject->name);
        BenchTable_Ways(&table, operation, size, subject->textbook ? both : both + 1,
                        subject->textbook ? 2 : 1);
    }
}

static void Measure(const char *name, const uint8_t *input, size_t size) {
    uint8_t *output = malloc(size + 1);
    if (!output)
        abort();
    for (int s = 0; s < SUBJECTS; s++)
        Pack(&subjects[s], input, size);
    Unpack(input, output, size);
    Report(name, size);
    free(output);
}

static void MeasureMade(const char *name, void (*make)(uint8_t *)) {
    uint8_t *input = malloc(SIZE);
    if (!input)
        abort();
    make(input);
    Measure(name, input, SIZE);
    free(input);
}

static bool MeasureFile(const char *path) {
    static uint8_t bytes[64 << 20];
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file)
        fclose(file);
    if (size == 0) {
        perror(path);
        return false;
    }
    const char *slash = strrchr(path, '/');
    Measure(slash ? slash + 1 : path, bytes, size);
    return true;
}

int main(int count, char **words) {
    bool fine = true;
    table = BenchTable_Begin("bench_rsli", &count, words);
    if (count < 2) {
        MeasureMade("words", MakeWords);
        MeasureMade("texture", MakeTexture);
        MeasureMade("noise", MakeNoise);
    }
    for (int i = 1; i < count; i++)
        fine = MeasureFile(words[i]) && fine;
    for (int s = 0; s < SUBJECTS; s++)
        RpBuffer_Free(&subjects[s].packed);
    BenchTable_End(&table);
    return fine ? 0 : 2;
}
