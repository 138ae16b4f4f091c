#include "replay/scenario/values.h"

#include "core/hash.h"
#include "core/random.h"

#include <string.h>

/* ---- the generator --------------------------------------------------------------------------- */

Random Random_Start(const char *name, uint64_t seed, uint64_t index) {
    const uint64_t hash = Hash_Fnv64(HASH_FNV64_BEGIN, name, strlen(name));
    return (Random){
        Random_Mix(Random_Mix(hash + seed * RANDOM_GOLDEN_GAMMA) ^ (index * 0xD1342543DE82EF95u))};
}

uint64_t Random_Next(Random *random) {
    return Random_SplitMix(&random->state);
}

uint32_t Random_Below(Random *random, uint32_t bound) {
    return (uint32_t)(((Random_Next(random) >> 32) * bound) >> 32);
}

int32_t Random_Between(Random *random, int32_t low, int32_t high) {
    return (int32_t)(low + (int64_t)Random_Below(random, (uint32_t)high - (uint32_t)low + 1));
}

bool Random_OneIn(Random *random, uint32_t chances) {
    return Random_Below(random, chances) == 0;
}

/* ---- binary32 out of integers ---------------------------------------------------------------- */

static int HighestBit(uint64_t number) {
    return 63 - __builtin_clzll(number);
}

/* Rounds significand * 2^exponent to nearest even. `sticky` says whether the exact number is a
 * little greater. */
static uint32_t Round(uint64_t significand, int exponent, bool sticky) {
    if (significand == 0)
        return 0;
    const int top = HighestBit(significand);
    int lowest = exponent + top - 23; /* the exponent of the last of 24 bits */
    if (lowest < -149)
        lowest = -149; /* the result is a denormal */
    int drop = lowest - exponent;
    uint64_t kept;
    if (drop <= 0) {
        kept = significand << -drop;
    } else if (drop > 63) {
        kept = 0;
    } else {
        uint64_t rest = significand & ((UINT64_C(1) << drop) - 1);
        uint64_t half = UINT64_C(1) << (drop - 1);
        kept = significand >> drop;
        if (rest > half || (rest == half && (sticky || (kept & 1))))
            kept++;
    }
    /* If rounding carries to 2^24, the carry increments the exponent field by itself. */
    uint64_t bits = kept + ((uint64_t)(lowest + 149) << 23);
    return bits > FLOAT_INFINITY ? FLOAT_INFINITY : (uint32_t)bits;
}

uint32_t Float_FromRatio(int64_t numerator, int64_t denominator, int exponent) {
    uint32_t sign = (numerator < 0) != (denominator < 0) ? FLOAT_SIGN : 0;
    uint64_t rest = (uint64_t)(numerator < 0 ? -numerator : numerator);
    uint64_t divisor = (uint64_t)(denominator < 0 ? -denominator : denominator);
    /* Shifts the numerator at once by most of the bits that the loop below would shift one by one.
     * The quotient then gets 25 or 26 bits. */
    const int room = rest ? 25 + HighestBit(divisor) - HighestBit(rest) : 0;
    if (room > 0 && HighestBit(divisor) < 37) {
        rest <<= room;
        exponent -= room;
    }
    uint64_t quotient = rest / divisor;
    rest %= divisor;
    /* 26 significant bits and whether anything is left decide the rounding. */
    while (quotient >> 26 == 0 && (rest || quotient) && exponent > -200) {
        rest <<= 1;
        quotient = quotient << 1 | (rest >= divisor);
        if (rest >= divisor)
            rest -= divisor;
        exponent--;
    }
    return sign | Round(quotient, exponent, rest != 0);
}

uint32_t Float_FromInteger(int64_t value, int exponent) {
    uint64_t magnitude = (uint64_t)(value < 0 ? -value : value);
    return (value < 0 ? FLOAT_SIGN : 0) | Round(magnitude, exponent, false);
}

/* Gives the place of a number in the order of all numbers: -0 is -1, +0 is 0, and so on. */
static int32_t ToOrder(uint32_t bits) {
    return bits & FLOAT_SIGN ? -(int32_t)(bits & ~FLOAT_SIGN) - 1 : (int32_t)bits;
}

uint32_t Float_Step(uint32_t bits, int32_t steps) {
    if (Float_IsNaN(bits))
        return bits;
    int64_t order = (int64_t)ToOrder(bits) + steps;
    if (order > (int64_t)FLOAT_INFINITY)
        order = FLOAT_INFINITY;
    if (order < -(int64_t)FLOAT_INFINITY - 1)
        order = -(int64_t)FLOAT_INFINITY - 1;
    return order < 0 ? FLOAT_SIGN | (uint32_t)(-order - 1) : (uint32_t)order;
}

bool Float_IsNaN(uint32_t bits) {
    return (bits & ~FLOAT_SIGN) > FLOAT_INFINITY;
}

bool Float_Equal(uint32_t a, uint32_t b) {
    return !Float_IsNaN(a) && !Float_IsNaN(b) && (a == b || ((a | b) & ~FLOAT_SIGN) == 0);
}

bool Float_Less(uint32_t a, uint32_t b) {
    return !Float_IsNaN(a) && !Float_IsNaN(b) && !Float_Equal(a, b) && ToOrder(a) < ToOrder(b);
}

uint32_t Integer_SquareRoot(uint64_t square) {
    uint64_t root = 0;
    for (int bit = square ? HighestBit(square) / 2 : -1; bit >= 0; bit--) {
        uint64_t candidate = root | UINT64_C(1) << bit;
        if (candidate * candidate <= square)
            root = candidate;
    }
    return (uint32_t)root;
}

/* ---- values of the field --------------------------------------------------------------------- */

static uint32_t RandomExponent(Random *random, uint32_t lowest, uint32_t highest) {
    uint32_t exponent = lowest + Random_Below(random, highest - lowest + 1);
    uint32_t rest = (uint32_t)Random_Next(random);
    return (rest & FLOAT_SIGN) | exponent << 23 | (rest & 0x007FFFFFu);
}

uint32_t Value_Random(Random *random, Magnitude magnitude) {
    switch (magnitude) {
    case MAGNITUDE_UNIT:
        return Float_FromInteger(Random_Between(random, -(1 << 30), 1 << 30), -30);
    case MAGNITUDE_WORLD:
        return Float_FromInteger(Random_Between(random, -(1 << 30), 1 << 30), -17);
    case MAGNITUDE_INTEGER:
        return Float_FromInteger(Random_Between(random, -16, 16), 0);
    case MAGNITUDE_SMALL:
        return RandomExponent(random, 127 - 40, 127 - 20);
    case MAGNITUDE_LARGE:
        return RandomExponent(random, 127 + 20, 127 + 40);
    case MAGNITUDE_TINY:
        return RandomExponent(random, 0, 3);
    default:
        return RandomExponent(random, 0, 254);
    }
}

Magnitude Value_Magnitude(Random *random) {
    static const uint8_t weighted[16] = {
        MAGNITUDE_UNIT,  MAGNITUDE_UNIT,    MAGNITUDE_UNIT,    MAGNITUDE_UNIT,
        MAGNITUDE_UNIT,  MAGNITUDE_UNIT,    MAGNITUDE_WORLD,   MAGNITUDE_WORLD,
        MAGNITUDE_WORLD, MAGNITUDE_INTEGER, MAGNITUDE_INTEGER, MAGNITUDE_SMALL,
        MAGNITUDE_LARGE, MAGNITUDE_TINY,    MAGNITUDE_ANY,     MAGNITUDE_ANY,
    };
    return (Magnitude)weighted[Random_Below(random, 16)];
}

const uint32_t special_values[] = {
    0x00000000, 0x80000000,                         /* zeros */
    0x00000001, 0x80000001, 0x007FFFFF, 0x807FFFFF, /* smallest and largest denormal */
    0x00800000, 0x80800000, 0x00800001, 0x80800001, /* FLT_MIN and the next number */
    0x7F7FFFFF, 0xFF7FFFFF, 0x7F7FFFFE, 0x7F000000, /* FLT_MAX, the number before it, half of it */
    0x7F800000, 0xFF800000,                         /* infinities */
    0x7FC00000, 0xFFC00000, 0x7FC00001, 0x7FFFFFFF, 0xFFD55555, /* quiet NaNs with payloads */
    0x7F800001, 0xFF800001, 0x7FBFFFFF, 0xFFA55555,             /* signalling NaNs with payloads */
    0x3F800000, 0xBF800000, 0x3F800001, 0x3F7FFFFF, 0xBF800001, 0xBF7FFFFF, /* 1 and neighbours */
    0x3727C5AC, 0x3727C5AB, 0x3727C5AD, 0xB727C5AC, /* slerp threshold and neighbours */
    0x3F7FFF58, 0x3F7FFF59, 0x3F7FFF57,             /* numbers near 1 - 1e-5, on both sides of it */
    0x3F000000, 0xBF000000, 0x3EFFFFFF, 0x3F000001, /* one half */
    0x40000000, 0x40400000, 0x3FC00000,             /* 2, 3, 1.5 */
    0x3FC90FDB, 0x40490FDB, 0x40C90FDB, 0xC0490FDB, /* pi/2, pi, 2 pi, -pi */
    0x4B000000, 0x4B7FFFFF, 0x4B800000,             /* 2^23, 2^24 - 1, 2^24 */
    0x4CBEBC20, 0x60AD78EC, 0x5E9502F9,             /* huge angles: 1e8, 1e20, 5.4e18 */
    0x4F000000, 0xCF000000, 0x4EFFFFFF, 0x4F000001, /* 2^31 and neighbours */
    0x4F800000, 0xCF800000, 0x4F7FFFFF, 0x4F800001, /* 2^32 and neighbours */
    /* 2^63, from which on x87 trigonometry and FISTP refuse */
    0x5F000000, 0xDF000000, 0x5EFFFFFF, 0x5F000001,
    /* 2^64, whose square overflows, and the number before it */
    0x5F800000, 0x5F7FFFFF, 0x1F800000, 0x20000000,
    0x1A000000, /* squares near FLT_MIN and below it */
};
const uint32_t special_value_count = sizeof special_values / sizeof *special_values;

uint32_t Value_Special(Random *random) {
    return special_values[Random_Below(random, special_value_count)];
}

static void RandomUnit(Random *random, int count, int32_t *unit) {
    int32_t components[4] = {0};
    int32_t any = 0;
    while (any == 0)
        for (int i = 0; i < count; i++) {
            components[i] = Random_Between(random, -32767, 32767);
            any |= components[i];
        }

    /* The components are scaled to the length 2^30. */
    uint64_t square = 0;
    for (int i = 0; i < count; i++)
        square += (uint64_t)((int64_t)components[i] * components[i]);
    int64_t length = Integer_SquareRoot(square << 32); /* times 2^16 */
    for (int i = 0; i < count; i++)
        unit[i] = (int32_t)((int64_t)components[i] * (INT64_C(1) << 46) / length);
}

void Quaternion_Unit(Random *random, int32_t quaternion[4]) {
    RandomUnit(random, 4, quaternion);
}

void Vector_Unit(Random *random, int32_t vector[3]) {
    RandomUnit(random, 3, vector);
}

void Quaternion_Turned(const int32_t from[4], uint32_t direction, int32_t sine, int32_t result[4]) {
    /* Multiplies `from` by i, j or k, which gives three quaternions at right angles to it and to
     * each other. */
    static const int8_t place[3][4] = {{1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}};
    static const int8_t sign[3][4] = {{-1, 1, 1, -1}, {-1, -1, 1, 1}, {-1, 1, -1, 1}};
    int64_t one = QUATERNION_ONE;
    int64_t cosine = Integer_SquareRoot((uint64_t)(one * one - (int64_t)sine * sine));
    for (int i = 0; i < 4; i++) {
        int64_t across = (int64_t)from[place[direction][i]] * sign[direction][i];
        result[i] = (int32_t)((from[i] * cosine + across * sine) / one);
    }
}

int32_t Quaternion_Sine(Random *random) {
    /* The sine of the angle whose dot product is 1 - 1e-5: 0.0044721 * 2^30. */
    const int32_t threshold = 4801919;
    if (Random_OneIn(random, 4))
        return threshold + Random_Between(random, -4096, 4096);
    int32_t bits = Random_Between(random, 1, 30);
    return (int32_t)(Random_Next(random) >> 34) >> (30 - bits);
}

void Float_FromFixed30(const int32_t *values, int count, uint32_t *bits) {
    for (int i = 0; i < count; i++)
        bits[i] = Float_FromInteger(values[i], -30);
}
