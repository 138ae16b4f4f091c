/* Makes numbers that look random and are the same on every machine, for inputs of tests and
 * benchmarks and for made-up models. None of them is a secret: whoever has seen a few can compute
 * the next ones.
 *
 * Each generator changes the state that it is given and returns the next number. Do not draw twice
 * in one expression: C leaves open which operand or argument is evaluated first, so compilers may
 * differ. No function here uses a C library. */
#ifndef RETROPOSE_CORE_RANDOM_H
#define RETROPOSE_CORE_RANDOM_H

#include <stdint.h>

/* ---- SplitMix64 ------------------------------------------------------------------------------ */

/* The generator is that of G. Steele, D. Lea and C. Flood, "Fast splittable pseudorandom number
 * generators", OOPSLA 2014. Every state is a good one to begin with.
 *
 * The constant is 2^64 divided by the golden ratio, made odd. It is the distance of two states that
 * follow each other. */
#define RANDOM_GOLDEN_GAMMA UINT64_C(0x9E3779B97F4A7C15)

/* Does the last steps of SplitMix64 alone. Each bit of the result depends on each bit of the
 * number, and no two numbers give the same result. */
static inline uint64_t Random_Mix(uint64_t number) {
    number = (number ^ number >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    number = (number ^ number >> 27) * UINT64_C(0x94D049BB133111EB);
    return number ^ number >> 31;
}

/* Returns 64 bits. */
static inline uint64_t Random_SplitMix(uint64_t *state) {
    *state += RANDOM_GOLDEN_GAMMA;
    return Random_Mix(*state);
}

/* Draws a number from 0 to limit - 1. `limit` must not be 0. */
static inline uint32_t Random_SplitMixBelow(uint64_t *state, uint32_t limit) {
    return (uint32_t)(Random_SplitMix(state) >> 32) % limit;
}

/* Draws a number from `low` to `high`, in steps of 2^-24 of the distance. `high` itself is rare. */
static inline float Random_SplitMixBetween(uint64_t *state, float low, float high) {
    const float unit = (float)(Random_SplitMix(state) >> 40) * 0x1p-24F;
    return low + unit * (high - low);
}

/* ---- linear congruences ---------------------------------------------------------------------- */

/* The constants are those of D. E. Knuth's MMIX. Returns the whole state, of which callers use the
 * upper bits: the lowest one alternates, and the next ones repeat soon. */
static inline uint64_t Random_Lcg64(uint64_t *state) {
    return *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
}

/* Returns the upper 32 bits. */
static inline uint32_t Random_Lcg64Word(uint64_t *state) {
    return (uint32_t)(Random_Lcg64(state) >> 32);
}

/* Draws a number from 0 to limit - 1, from the upper 31 bits. `limit` must not be 0. */
static inline uint32_t Random_Lcg64Below(uint64_t *state, uint32_t limit) {
    return (uint32_t)(Random_Lcg64(state) >> 33) % limit;
}

/* Does the same with a state of 32 bits. The constants are those of `ranqd1` in W. H. Press and
 * others, "Numerical Recipes in C", second edition, 1992. */
static inline uint32_t Random_Lcg32(uint32_t *state) {
    return *state = *state * UINT32_C(1664525) + UINT32_C(1013904223);
}

/* ---- xorshift -------------------------------------------------------------------------------- */

/* The generator is `xor64` of G. Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8
 * (14), 2003. Returns the whole state. It must not begin as 0, for it would stay so. */
static inline uint64_t Random_XorShift(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    return *state ^= *state << 17;
}

#endif
