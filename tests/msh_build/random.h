/* Random numbers that are the same on every machine: SplitMix64. */
#ifndef RETROPOSE_TESTS_MSH_BUILD_RANDOM_H
#define RETROPOSE_TESTS_MSH_BUILD_RANDOM_H

#include <stdint.h>

static inline uint64_t Random_Next(uint64_t *seed) {
    uint64_t z = *seed += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static inline uint32_t Random_Below(uint64_t *seed, uint32_t limit) {
    return (uint32_t)(Random_Next(seed) >> 32) % limit;
}

static inline float Random_Between(uint64_t *seed, float low, float high) {
    return low + (high - low) * (float)(Random_Next(seed) >> 40) / 16777216.0F;
}

#endif
