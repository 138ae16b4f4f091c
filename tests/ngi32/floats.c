#include "floats.h"

const uint32_t special_bits[SPECIAL_COUNT] = {
    0x00000000, 0x80000000,                         /* zeros */
    0x00000001, 0x80000001, 0x007FFFFF,             /* denormals */
    0x00800000, 0x80800000, 0x80800001,             /* least normals */
    0x7F7FFFFF, 0xFF7FFFFF,                         /* greatest finite */
    0x7F800000, 0xFF800000,                         /* infinities */
    0x7FC00000, 0xFFC00001, 0x7FD12345,             /* quiet NaN */
    0x7F800001, 0xFFA54321,                         /* signalling NaN */
    0x3F800000, 0xBF800000, 0x3F7FFFFF, 0x3F800001, /* around 1 */
    0x3F000000, 0x3727C5AC, 0x3727C5AD,             /* one half, around 1e-5 */
    0x5F000000, 0x40490FDB,                         /* 2^63, pi */
};

/* Puts numbers from -2 to 2 in steps of 2^-23. */
static void PutOrdinary(Random *random, float *to) {
    *to = (float)((int32_t)Random_Below(random, 0x2000001) - 0x1000000) * 0x1p-23f;
}

static void PutNormal(Random *random, float *to) {
    uint32_t exponent = 127 - 12 + Random_Below(random, 25);
    Float_Put(to, (Random_Next(random) & 0x807FFFFF) | exponent << 23);
}

static void PutAny(Random *random, float *to) {
    if (Random_Below(random, 4) == 0)
        Float_Put(to, Random_Next(random));
    else
        PutNormal(random, to);
}

static void PutSpecial(Random *random, float *to) {
    if (Random_Below(random, 2))
        Float_Put(to, special_bits[Random_Below(random, SPECIAL_COUNT)]);
    else
        PutOrdinary(random, to);
}

static void PutTies(Random *random, float *to) {
    Float_Put(to, (Random_Next(random) & 0x807FF000) | (121 + Random_Below(random, 13)) << 23);
}

void Random_Fill(Random *random, InputKind kind, float *values, int count) {
    static void (*const put[INPUT_KIND_COUNT])(Random *, float *) = {PutOrdinary, PutAny,
                                                                     PutSpecial, PutTies};
    for (int i = 0; i < count; i++)
        put[kind](random, &values[i]);
}
