#include "values.h"

#include "core/random.h"

#include <math.h>
#include <string.h>

uint64_t Random_Next(Random *random) {
    return Random_SplitMix(&random->state);
}

uint32_t Random_Below(Random *random, uint32_t limit) {
    return (uint32_t)((Random_Next(random) >> 32) * limit >> 32);
}

static float OfBits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, 4);
    return value;
}

static float Special(Random *random) {
    static const uint32_t magnitudes[] = {
        0x00000000, 0x00000001, 0x00000003, 0x00400000, 0x007FFFFF, 0x00800000, 0x00800001,
        0x1F800000, 0x20000000, 0x33800000, 0x34000000, 0x3727C5AB, 0x3727C5AC, 0x3727C5AD,
        0x3EFFFFFF, 0x3F000000, 0x3F3504F3, 0x3F7FFF58, 0x3F7FFFFE, 0x3F7FFFFF, 0x3F800000,
        0x3F800001, 0x3FC00000, 0x40000000, 0x40490FDB, 0x4B000000, 0x4B7FFFFF, 0x5F000000,
        0x5F800000, 0x7F000000, 0x7F7FFFFF, 0x7F800000};
    const uint32_t count = sizeof magnitudes / sizeof *magnitudes;
    return OfBits(magnitudes[Random_Below(random, count)] | (Random_Below(random, 2) << 31));
}

static float Wide(Random *random) {
    uint32_t bits;
    do
        bits = (uint32_t)(Random_Next(random) >> 32);
    while ((bits & 0x7F800000) == 0x7F800000);
    return OfBits(bits);
}

float Value_Draw(Random *random, ValueKind kind) {
    const uint32_t bits = (uint32_t)(Random_Next(random) >> 32);
    switch (kind) {
    case VALUE_UNIT:
        return (float)((int32_t)(bits & 0x01FFFFFF) - 0x01000000) * 0x1p-24F;
    case VALUE_SCALED:
        return OfBits((bits & 0x807FFFFF) | (115 + Random_Below(random, 25)) << 23);
    case VALUE_TIES:
        return OfBits((bits & 0x807FF000) | (121 + Random_Below(random, 13)) << 23);
    case VALUE_WIDE:
        return Wide(random);
    case VALUE_SPECIAL:
        return Special(random);
    default:
        return OfBits(bits);
    }
}

void Value_DrawMany(Random *random, ValueKind kind, float *values, int count) {
    for (int i = 0; i < count; i++)
        values[i] = Value_Draw(random, Random_Below(random, 16) ? kind : VALUE_SPECIAL);
}

void Value_Quaternion(Random *random, float q[4]) {
    double parts[4], square = 0;
    for (int i = 0; i < 4; i++) {
        parts[i] = (double)Value_Draw(random, VALUE_UNIT);
        square += parts[i] * parts[i];
    }
    const double scale = square > 0 && Random_Below(random, 8) ? 1 / sqrt(square) : 1;
    for (int i = 0; i < 4; i++)
        q[i] = (float)(parts[i] * scale);
}

void Value_Neighbour(Random *random, const float q[4], float result[4]) {
    if (Random_Below(random, 2)) {
        Value_Quaternion(random, result);
        return;
    }
    /* The dot product falls below 1 by about half the square of the step. */
    static const double steps[] = {0, 1e-4, 1e-3, 4.4721e-3, 5e-3, 1e-2, 0.1};
    const double step = steps[Random_Below(random, 7)], sign = Random_Below(random, 2) ? -1 : 1;
    for (int i = 0; i < 4; i++)
        result[i] = (float)(sign * (double)q[i] + step * (double)Value_Draw(random, VALUE_UNIT));
}

void Value_ThresholdPair(Random *random, float q0[4], float q1[4]) {
    /* The numbers follow from 9.9999997e-6 = 0xA7C5AC * 2^-40 = 168 * 2^-24 - 14932 * 2^-40. */
    const uint32_t large = Random_Below(random, 4),
                   small = (large + 1 + Random_Below(random, 3)) % 4;
    for (int i = 0; i < 4; i++)
        q0[i] = q1[i] = 0;
    q0[large] = 1;
    q1[large] = 1 - 168 * 0x1p-24F;
    q0[small] = 0x1p-20F;
    q1[small] = (float)(14931 + (int)Random_Below(random, 3)) * 0x1p-20F;
}
