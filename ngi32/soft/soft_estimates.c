#include "ngi32/soft/soft_estimates.h"

#include <stdbool.h>

#define SIGN     0x80000000u
#define INFINITE 0x7F800000u
#define QUIET    0x00400000u
#define DEFAULT  0xFFC00000u

/* Both instructions treat a NaN, an infinity, a zero or a subnormal number alike, except for the
 * sign. */
static bool Special(uint32_t bits, uint32_t *result) {
    const uint32_t magnitude = bits & ~SIGN, sign = bits & SIGN;
    if (magnitude > INFINITE)
        *result = bits | QUIET;
    else if (magnitude == INFINITE)
        *result = sign;
    else if (magnitude < 0x00800000)
        *result = sign | INFINITE;
    else
        return false;
    return true;
}

/* Assembles n / 2^13, which lies in (1/2, 1), times 2^exponent. No result is subnormal. */
static uint32_t Assemble(uint32_t sign, uint32_t n, int exponent) {
    const int field = exponent + 126;
    return field < 1 ? sign : sign | (uint32_t)field << 23 | (n - 4096) << 11;
}

uint32_t SoftEstimate_Reciprocal(uint32_t bits) {
    uint32_t result;
    if (Special(bits, &result))
        return result;
    /* x = m * 2^e, where m lies in an interval of 1/2048 whose middle is (4097 + 2i) / 4096. */
    const int e = (int)(bits >> 23 & 0xFF) - 127;
    const uint32_t middle = 4097 + 2 * (bits >> 12 & 0x7FF);
    const uint32_t n = (2 * (1u << 25) + middle) / (2 * middle); /* 2^13 * 4096 / middle */
    return Assemble(bits & SIGN, n, -e);
}

/* Returns the nearest integer to sqrt(p / q): the largest n with (2n - 1)^2 * q <= 4p. */
static uint32_t NearestRoot(uint64_t p, uint64_t q) {
    uint32_t n = 0;
    for (uint32_t step = 4096; step; step /= 2)
        if ((2 * (uint64_t)(n + step) - 1) * (2 * (uint64_t)(n + step) - 1) * q <= 4 * p)
            n += step;
    return n;
}

uint32_t SoftEstimate_ReciprocalSquareRoot(uint32_t bits) {
    uint32_t result;
    if (Special(bits, &result))
        return bits == (SIGN | INFINITE) ? DEFAULT : result;
    if (bits & SIGN)
        return DEFAULT;
    /* x = m * 4^h with m in [1, 4). The middle of m's interval is (2049 + 2i) / 2048, or twice
     * that. */
    const int e = (int)(bits >> 23 & 0xFF) - 127;
    const int odd = e & 1, h = (e - odd) / 2;
    const uint64_t middle = (uint64_t)(2049 + 2 * (bits >> 13 & 0x3FF)) << odd;
    return Assemble(0, NearestRoot((uint64_t)1 << 37, middle), -h); /* 2^26 * 2048 / middle */
}
