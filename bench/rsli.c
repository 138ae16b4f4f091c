/* Measures packing and unpacking by RsLi's methods, beside textbook decoders and zlib.
 *
 *   bench_rsli [FILE...] > rsli.csv
 *
 * Without files, the inputs are 2 MiB each of words, of a dithered texture and of noise. The
 * textbook decoders are those of tests/formats/rsli/textbook.h. All decoders of an input run in
 * turn, so that a change of the machine's speed meets them all. `number` is the number of unpacked
 * bytes. The only thing that is asserted is that every decoder gives the input back. */
#include "retropose/rsli.h"
#include "cli/bench/measure/bench_table.h"
#include "cli/bench/measure/timing.h"
#include "core/random.h"
#include "tests/formats/rsli/textbook.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 2 << 20, REPETITIONS = 15, PACKINGS = 3 };

static uint8_t work[RP_RSLI_WORK_BYTES];

/* ---- inputs ---------------------------------------------------------------------------------- */

static uint64_t seed = 1;

static uint32_t Draw(uint32_t bound) {
    return (uint32_t)(Random_Lcg64(&seed) >> 40) % bound;
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

/* Makes rows of 1024 pixels from a palette of 64 colours: dithered slopes. */
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
    Decode *ours, *textbook; /* null where there is no such decoder */
    RpBuffer packed;
    double packing[PACKINGS], times[2][REPETITIONS];
} Subject;

static Subject subjects[] = {
    {.name = "xor", .method = RP_RSLI_XOR, .ours = UnpackXor, .textbook = Textbook_Xor},
    {.name = "lzss", .method = RP_RSLI_LZSS, .ours = UnpackLzss, .textbook = Textbook_Lzss},
    {.name = "xor+lzss", .method = RP_RSLI_XOR_LZSS, .ours = UnpackXorLzss},
    {.name = "huffman",
     .method = RP_RSLI_HUFFMAN,
     .ours = UnpackHuffman,
     .textbook = Textbook_LzHuf},
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
    for (int r = -1; r < REPETITIONS; r++) /* The first round is for warming up. */
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
