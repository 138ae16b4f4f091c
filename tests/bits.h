/* The bits of binary32 numbers. */
#ifndef RETROPOSE_TESTS_BITS_H
#define RETROPOSE_TESTS_BITS_H

#include <stdint.h>
#include <string.h>

/* Also works for a signalling NaN, which does not always survive being passed as a float. */
static inline uint32_t BitsAt(const float *at) {
    uint32_t bits;
    memcpy(&bits, at, sizeof bits);
    return bits;
}

static inline uint32_t Bits(float number) {
    return BitsAt(&number);
}

static inline float FromBits(uint32_t bits) {
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

#endif
