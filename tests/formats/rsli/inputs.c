#include "inputs.h"

#include "core/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t Draw(uint64_t *seed, size_t i, const uint8_t *before);

static uint32_t Next(uint64_t *seed) {
    return (uint32_t)(Random_Lcg64(seed) >> 40);
}

static uint8_t DrawRun(uint64_t *seed, size_t i, const uint8_t *before) {
    (void)seed, (void)i, (void)before;
    return 'A';
}

static uint8_t DrawSpace(uint64_t *seed, size_t i, const uint8_t *before) {
    (void)i, (void)before;
    return Next(seed) % 64 == 0 ? 'x' : ' ';
}

static uint8_t DrawNoise(uint64_t *seed, size_t i, const uint8_t *before) {
    (void)i, (void)before;
    return (uint8_t)Next(seed);
}

/* Makes words of a small vocabulary, of which some are much more frequent. */
static uint8_t DrawText(uint64_t *seed, size_t i, const uint8_t *before) {
    static const char *const words[] = {"the ",   "piece ", "of ",      "slot ",     "and ",
                                        "batch ", "key ",   "fallback", "placement", "\r\n"};
    static const char *word = "";
    (void)before;
    if (i == 0 || !*word) {
        uint32_t drawn = Next(seed) % 100;
        word = words[drawn * drawn / 1000];
    }
    return (uint8_t)*word++;
}

/* Makes a slow ramp with steps, as in a texture. */
static uint8_t DrawRamp(uint64_t *seed, size_t i, const uint8_t *before) {
    uint8_t last = i > 0 ? before[i - 1] : 128;
    uint32_t drawn = Next(seed) % 16;
    return (uint8_t)(drawn == 0 ? last + 1 : drawn == 1 ? last - 1 : last);
}

/* Repeats bytes at the distance of the ring's length, and at one less and one more. */
static uint8_t DrawEcho(uint64_t *seed, size_t i, const uint8_t *before) {
    static const size_t distances[] = {4095, 4096, 4097, 4078, 4036, 1, 2, 7, 8, 9};
    size_t distance = distances[i / 100 % (sizeof distances / sizeof *distances)];
    return i >= distance && i % 100 > 3 ? before[i - distance] : (uint8_t)Next(seed);
}

static const struct {
    const char *name;
    Draw *draw;
} kinds[] = {
    {"RUN", DrawRun},   {"SPACE", DrawSpace}, {"NOISE", DrawNoise},
    {"TEXT", DrawText}, {"RAMP", DrawRamp},   {"ECHO", DrawEcho},
};

static const size_t sizes[] = {0,  1,  2,   3,   16,   17,   18,   19,   59,    60,
                               61, 63, 255, 256, 4095, 4096, 4097, 9000, 65536, 1048576};

enum { KINDS = sizeof kinds / sizeof *kinds, SIZES = sizeof sizes / sizeof *sizes };

int Input_Make(size_t index, Input *input) {
    uint64_t seed = index + 1;
    if (index >= (size_t)KINDS * SIZES)
        return 0;
    size_t kind = index % KINDS, size = sizes[index / KINDS];
    snprintf(input->name, sizeof input->name, "%s-%u", kinds[kind].name, (unsigned)size);
    input->size = size;
    input->bytes = malloc(size + 1);
    if (!input->bytes)
        abort();
    for (size_t i = 0; i < size; i++)
        input->bytes[i] = kinds[kind].draw(&seed, i, input->bytes);
    return 1;
}

void Input_Free(Input *input) {
    free(input->bytes);
    input->bytes = NULL;
}
