#include "formats/corpus/integer.h"

#include "core/random.h"

/* The state takes a step of SplitMix64 for each argument. */
uint32_t Corpus_Draw(uint64_t seed, uint32_t subject, uint32_t purpose, uint32_t index) {
    uint64_t state = seed ^ subject;
    state = Random_SplitMix(&state) ^ purpose;
    state = Random_SplitMix(&state) ^ index;
    return (uint32_t)(Random_SplitMix(&state) >> 32);
}

uint32_t Corpus_Root(uint64_t value) {
    uint64_t root = 0;
    for (uint64_t bit = (uint64_t)1 << 62; bit; bit >>= 2) {
        if (value >= root + bit) {
            value -= root + bit;
            root = (root >> 1) + bit;
        } else {
            root >>= 1;
        }
    }
    return (uint32_t)root;
}

int64_t Corpus_Scale(int64_t value, int64_t numerator, int64_t denominator) {
    const int64_t product = value * numerator;
    return product < 0 ? -((-product * 2 + denominator) / (denominator * 2))
                       : (product * 2 + denominator) / (denominator * 2);
}

/* A quarter of the sine in 64 steps, times 16384. */
static const int16_t quarter[65] = {
    0,     402,   804,   1205,  1606,  2006,  2404,  2801,  3196,  3590,  3981,  4370,  4756,
    5139,  5520,  5897,  6270,  6639,  7005,  7366,  7723,  8076,  8423,  8765,  9102,  9434,
    9760,  10080, 10394, 10702, 11003, 11297, 11585, 11866, 12140, 12406, 12665, 12916, 13160,
    13395, 13623, 13842, 14053, 14256, 14449, 14635, 14811, 14978, 15137, 15286, 15426, 15557,
    15679, 15791, 15893, 15986, 16069, 16143, 16207, 16261, 16305, 16340, 16364, 16379, 16384,
};

/* `angle` is within the first quarter, 0 to 16384. */
static int32_t QuarterSine(uint32_t angle) {
    const uint32_t step = angle >> 8;
    const int32_t part = (int32_t)(angle & 255);
    if (step == 64)
        return quarter[64];
    return quarter[step] + ((quarter[step + 1] - quarter[step]) * part + 128) / 256;
}

static int32_t Sine(uint32_t angle) {
    const uint32_t within = angle & 0x3FFF;
    switch (angle >> 14 & 3) {
    case 0:
        return QuarterSine(within);
    case 1:
        return QuarterSine(0x4000 - within);
    case 2:
        return -QuarterSine(within);
    default:
        return -QuarterSine(0x4000 - within);
    }
}

void Corpus_Circle(uint32_t angle, int32_t *cosine, int32_t *sine) {
    *cosine = Sine(angle + 0x4000);
    *sine = Sine(angle);
}

void Corpus_Normalise(const int64_t *vector, int count, int32_t length, int32_t *result) {
    int64_t scaled[4];
    uint64_t square = 0;
    int64_t largest = 0;
    for (int i = 0; i < count; i++) {
        const int64_t size = vector[i] < 0 ? -vector[i] : vector[i];
        largest = size > largest ? size : largest;
    }
    int64_t factor = 1, divisor = 1;
    for (; largest && largest * factor < (int64_t)1 << 28; factor *= 2)
        ;
    for (; largest / divisor >= (int64_t)1 << 29; divisor *= 2)
        ;
    for (int i = 0; i < count; i++) {
        scaled[i] = vector[i] * factor / divisor;
        square += (uint64_t)(scaled[i] * scaled[i]);
    }
    const int64_t root = Corpus_Root(square);
    for (int i = 0; i < count; i++)
        result[i] = root ? (int32_t)Corpus_Scale(scaled[i], length, root) : 0;
}
