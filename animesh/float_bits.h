/* Finds out by its bits what kind of number a binary32 is. A comparison would obey MXCSR's modes
 * for denormals. */
#ifndef RETROPOSE_ANIMESH_FLOAT_BITS_H
#define RETROPOSE_ANIMESH_FLOAT_BITS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t Float_BitsOf(const float *number) {
    uint32_t bits;
    memcpy(&bits, number, sizeof bits);
    return bits;
}

static inline bool Bits_AreFinite(uint32_t bits) {
    return (bits & 0x7F800000) != 0x7F800000;
}

static inline bool Bits_AreNan(uint32_t bits) {
    return bits << 1 > 0xFF000000u;
}

/* Returns whether the number is none of zero, denormal, infinity and NaN. */
static inline bool Bits_AreNormal(uint32_t bits) {
    return (bits << 1) + 0x01000000u >= 0x02000000u; /* the exponent is neither all 1 nor 0 */
}

/* Returns whether both numbers are normal and differ. If one is not normal, bits alone do not
 * decide. */
static inline bool Bits_Differ(uint32_t a, uint32_t b) {
    return a != b && Bits_AreNormal(a) && Bits_AreNormal(b);
}

#endif
