/* An estimate is n / 2^13, with n from 4096 to 8191, times a power of two. The exponent follows
 * from the argument's, so that only n has to be found: from the upper bits of the argument's
 * significand and, for a root, from whether the exponent is odd. Intel's n has a closed form
 * (facts/anchors.md 3.5a). AMD's was measured, and is the difference of two entries of small
 * tables. */
#include "ngi32/processor/estimates.h"

#include "ngi32/processor/estimates_amd.h"

#include <stdbool.h>

#define SIGN       0x80000000u
#define INFINITE   0x7F800000u
#define QUIET      0x00400000u
#define LEAST      0x00800000u /* the least positive normal number */
#define NO_NUMBER  0xFFC00000u /* the NaN that an operation without a result gives */
#define BIAS       127
#define LEADING    4096u
#define N_POSITION 11 /* position of the lowest bit of n in a binary32 */

/* Both instructions treat a NaN, an infinity, a zero or a subnormal number alike, except for the
 * sign. */
static bool IsSpecial(uint32_t bits, uint32_t *estimate) {
    uint32_t magnitude = bits & ~SIGN, sign = bits & SIGN;
    if (magnitude > INFINITE)
        *estimate = bits | QUIET;
    else if (magnitude == INFINITE)
        *estimate = sign;
    else if (magnitude < LEAST)
        *estimate = sign | INFINITE;
    else
        return false;
    return true;
}

/* Returns n / 2^13 * 2^exponent as a binary32. A result that would be subnormal becomes 0. */
static uint32_t Assemble(uint32_t sign, uint32_t n, int exponent) {
    int field = exponent + BIAS - 1;
    return field < 1 ? sign : sign | (uint32_t)field << 23 | (n - LEADING) << N_POSITION;
}

/* ---- Intel: the true value for the middle of an interval, rounded to the nearest n ----------- */

/* The middle of an interval of 1 / 2048 is (4097 + 2i) / 4096. n is the nearest integer to 2^13
 * over that. */
static uint32_t IntelReciprocal(uint32_t bits) {
    uint32_t middle = 4097 + 2 * (bits >> 12 & 0x7FF);
    return (2 * (1u << 25) + middle) / (2 * middle);
}

/* The middle of an interval of 1 / 1024 is (2049 + 2i) / 2048, or twice that where the exponent is
 * odd. n is the nearest integer to 2^13 over the root of that. */
static uint32_t IntelReciprocalSquareRoot(uint32_t bits, bool odd) {
    uint64_t middle = (uint64_t)(2049 + 2 * (bits >> 13 & 0x3FF)) << odd;

    /* The nearest integer to sqrt(2^37 / middle) is the largest n with
     * (2n - 1)^2 * middle <= 2^39. */
    uint32_t n = 0;
    for (uint32_t step = LEADING; step; step /= 2) {
        uint64_t odd_number = 2 * (uint64_t)(n + step) - 1;
        if (odd_number * odd_number * middle <= (uint64_t)1 << 39)
            n += step;
    }
    return n;
}

/* ---- AMD: tables ----------------------------------------------------------------------------- */

/* The upper twelve bits of the significand are three digits of four bits. The first two choose an
 * entry of `start`. The first and the last one choose an entry of `fall`, which is subtracted. */
static uint32_t LookUp(const AmdTable *table, uint32_t bits) {
    uint32_t first = bits >> 19 & 0xF, second = bits >> 15 & 0xF, third = bits >> 11 & 0xF;
    return table->start[first][second] - (uint32_t)table->fall[first][third];
}

/* ---- both ------------------------------------------------------------------------------------ */

static int ExponentOf(uint32_t bits) {
    return (int)(bits >> 23 & 0xFF) - BIAS;
}

uint32_t Estimates_Reciprocal(RpEstimates maker, uint32_t bits) {
    uint32_t estimate;
    if (IsSpecial(bits, &estimate))
        return estimate;
    uint32_t n = maker == RP_ESTIMATES_AMD ? LookUp(&amd_reciprocal, bits) : IntelReciprocal(bits);
    return Assemble(bits & SIGN, n, -ExponentOf(bits));
}

uint32_t Estimates_ReciprocalSquareRoot(RpEstimates maker, uint32_t bits) {
    uint32_t estimate;
    if (IsSpecial(bits, &estimate))
        return bits == (SIGN | INFINITE) ? NO_NUMBER : estimate;
    if (bits & SIGN)
        return NO_NUMBER;
    int exponent = ExponentOf(bits);
    bool odd = exponent & 1;
    uint32_t n = maker == RP_ESTIMATES_AMD ? LookUp(&amd_reciprocal_root[odd], bits)
                                           : IntelReciprocalSquareRoot(bits, odd);
    return Assemble(0, n, (odd - exponent) / 2);
}
