/* Draws numbers for the digests, which are the same on every machine. */
#ifndef RETROPOSE_TESTS_GOLDEN_DRAW_H
#define RETROPOSE_TESTS_GOLDEN_DRAW_H

#include "core/random.h"
#include "digest.h"

#include <stdint.h>
#include <string.h>

static inline uint32_t DrawBelow(uint64_t *seed, uint32_t limit) {
    return (uint32_t)((uint64_t)Random_Lcg64Word(seed) * limit >> 32);
}

static inline void PutBits(float *to, uint32_t bits) {
    memcpy(to, &bits, sizeof bits);
}

/* Draws a number from -1 to 1. */
static inline void DrawUnit(uint64_t *seed, float *to) {
    *to = (float)((int32_t)(Random_Lcg64Word(seed) >> 7) - (1 << 24)) * 0x1p-24f;
}

/* Draws mostly numbers from -1 to 1, and also numbers of other sizes, any bits, and special
 * numbers. */
static inline void DrawAny(uint64_t *seed, float *to) {
    static const uint32_t special[] = {0x00000000, 0x80000000, 0x3F800000, 0xBF800000, 0x7F800000,
                                       0xFF800000, 0x7FC00000, 0x7F800001, 0xFFC12345, 0x00000001,
                                       0x807FFFFF, 0x00800000, 0x7F7FFFFF, 0x3F7FFFFF, 0x3F800001,
                                       0x2B800000, 0x2B7FFFFF, 0x53800000, 0x53800001, 0x5F000000};
    switch (DrawBelow(seed, 32)) {
    case 0:
        PutBits(to, special[DrawBelow(seed, sizeof special / sizeof *special)]);
        return;
    case 1:
        PutBits(to, Random_Lcg64Word(seed));
        return;
    case 2:
    case 3:
    case 4:
        PutBits(to, (Random_Lcg64Word(seed) & 0x807FFFFF) | (127 - 48 + DrawBelow(seed, 97)) << 23);
        return;
    default:
        DrawUnit(seed, to);
    }
}

static inline void DrawMany(uint64_t *seed, float *numbers, int count, int ordinary) {
    for (int i = 0; i < count; i++)
        (ordinary ? DrawUnit : DrawAny)(seed, &numbers[i]);
}

static inline void AddNumbers(Digest *digest, const float *numbers, int count) {
    Digest_Add(digest, numbers, (size_t)count * sizeof *numbers);
    digest->calls++;
}

#endif
