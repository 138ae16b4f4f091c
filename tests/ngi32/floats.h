/* Handles bits of numbers and the state that decides how they round, and draws inputs. */
#ifndef RETROPOSE_TESTS_NGI32_FLOATS_H
#define RETROPOSE_TESTS_NGI32_FLOATS_H

#include "replay/composed/rounding.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Puts a number by its bits, which never pass through the value of a `float`: on i686 a compiler
 * may move one through the x87, which makes a signalling NaN quiet. The volatile words keep the
 * compiler from recognising a `float` in the bits. */
static inline void Float_Put(float *to, uint32_t bits) {
    *(volatile uint32_t *)(void *)to = bits;
}

static inline uint32_t Float_Bits(const float *from) {
    return *(const volatile uint32_t *)(const void *)from;
}

/* xorshift64* gives the same inputs on every platform. */
typedef struct Random {
    uint64_t state; /* not 0 */
} Random;

static inline uint32_t Random_Next(Random *random) {
    random->state ^= random->state >> 12;
    random->state ^= random->state << 25;
    random->state ^= random->state >> 27;
    return (uint32_t)(random->state * 0x2545F4914F6CDD1DULL >> 32);
}

static inline uint64_t Random_Next64(Random *random) {
    const uint64_t high = Random_Next(random);
    return high << 32 | Random_Next(random);
}

static inline uint32_t Random_Below(Random *random, uint32_t limit) {
    return Random_Next(random) % limit;
}

enum { SPECIAL_COUNT = 26 };
extern const uint32_t special_bits[SPECIAL_COUNT];

/* The inputs of a case are numbers from -2 to 2, any bit patterns, mostly special ones, or numbers
 * of few bits, between two of whose results exact halves are common. */
typedef enum InputKind {
    INPUT_ORDINARY,
    INPUT_ANY,
    INPUT_SPECIAL,
    INPUT_TIES,
    INPUT_KIND_COUNT
} InputKind;

void Random_Fill(Random *random, InputKind kind, float *values, int count);

#endif
