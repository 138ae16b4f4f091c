/* Gives deterministic values: a counter-based generator, and binary32 numbers made of integers.
 *
 * Nothing here uses floating-point arithmetic, so the same arguments give the same bits with every
 * compiler, on every machine and under every control word. Numbers are passed as their 32 bits. */
#ifndef RETROPOSE_REPLAY_SCENARIO_VALUES_H
#define RETROPOSE_REPLAY_SCENARIO_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FLOAT_ONE      0x3F800000u
#define FLOAT_HALF     0x3F000000u
#define FLOAT_SIGN     0x80000000u
#define FLOAT_INFINITY 0x7F800000u
#define FLOAT_NAN      0x7FC00000u
#define FLOAT_MIN      0x00800000u
/* The threshold of slots 17 and 22: 9.9999997e-6 (docs/reference/arithmetic.md). */
#define FLOAT_SLERP_THRESHOLD 0x3727C5ACu

/* ---- the generator: SplitMix64 (core/random.h) ----------------------------------------------- */

/* The state of a generator. An expression may draw only once: C lets the compiler choose the order
 * in which arguments and initialisers are evaluated. */
typedef struct Random {
    uint64_t state;
} Random;

/* Begins a stream that belongs to one name, seed and index, so that call 1,000,000 can be made
 * without the calls before it. */
Random Random_Start(const char *name, uint64_t seed, uint64_t index);
uint64_t Random_Next(Random *random);
/* Draws 0 to bound - 1; bound is not 0. */
uint32_t Random_Below(Random *random, uint32_t bound);
/* Draws low to high, both included. */
int32_t Random_Between(Random *random, int32_t low, int32_t high);
bool Random_OneIn(Random *random, uint32_t chances);

/* ---- binary32 out of integers ---------------------------------------------------------------- */

/* Returns numerator * 2^exponent / denominator, rounded to nearest even; overflow gives
 * infinity. The denominator is not 0, and both magnitudes are below 2^62. */
uint32_t Float_FromRatio(int64_t numerator, int64_t denominator, int exponent);
uint32_t Float_FromInteger(int64_t value, int exponent);
/* Returns the number that is `steps` places up or down in the order of all numbers that are not
 * NaN. -0 and +0 are neighbours, and nothing lies beyond the infinities. A NaN stays as it is. */
uint32_t Float_Step(uint32_t bits, int32_t steps);
bool Float_IsNaN(uint32_t bits);
/* Compare as IEEE 754 does. */
bool Float_Less(uint32_t a, uint32_t b);
bool Float_Equal(uint32_t a, uint32_t b);

uint32_t Integer_SquareRoot(uint64_t square);

/* ---- values of the field --------------------------------------------------------------------- */

typedef enum Magnitude {
    MAGNITUDE_UNIT,    /* -1 to 1 */
    MAGNITUDE_WORLD,   /* -8192 to 8192, as positions of a map */
    MAGNITUDE_INTEGER, /* whole numbers from -16 to 16: exact sums, many ties */
    MAGNITUDE_SMALL,   /* 2^-40 to 2^-20 */
    MAGNITUDE_LARGE,   /* 2^20 to 2^40 */
    MAGNITUDE_TINY,    /* denormals and their surroundings            */
    MAGNITUDE_ANY,     /* any exponent, but never infinite or NaN */
    MAGNITUDE_COUNT
} Magnitude;

uint32_t Value_Random(Random *random, Magnitude magnitude);
/* Draws a magnitude. Most values in a game are of the first three classes, and so are most values
 * here. */
Magnitude Value_Magnitude(Random *random);

/* Special values: every class of binary32 and the constants that the functions compare with. */
extern const uint32_t special_values[];
extern const uint32_t special_value_count;
uint32_t Value_Special(Random *random);

/* Quaternions w, x, y, z and vectors have components in units of 2^-30. */
#define QUATERNION_ONE (1 << 30)
void Quaternion_Unit(Random *random, int32_t quaternion[4]);
/* Gives the quaternion that is turned from the unit quaternion `from` by the 4D angle whose sine
 * is `sine` / 2^30, in one of three directions at right angles. The dot product of both is
 * sqrt(1 - sine^2). */
void Quaternion_Turned(const int32_t from[4], uint32_t direction, int32_t sine, int32_t result[4]);
void Vector_Unit(Random *random, int32_t vector[3]);
/* Draws a sine whose logarithm is uniform, with more weight around the slerp threshold. */
int32_t Quaternion_Sine(Random *random);
void Float_FromFixed30(const int32_t *values, int count, uint32_t *bits);

#endif
