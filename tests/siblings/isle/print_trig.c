/* Prints sines, cosines and arc cosines as the bits of binary64 numbers, for trig.py to check:
 * "s ARGUMENT RESULT". */
#include "core/arithmetic/trig.h"
#include "core/random.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static uint64_t seed = 1;

/* Returns a number from 0 to 1 with 53 random bits. */
static double Draw(void) {
    return (double)(Random_Lcg64(&seed) >> 11) * 0x1p-53;
}

static uint64_t Bits(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void Print(char name, double argument, double result) {
    printf("%c %016" PRIx64 " %016" PRIx64 "\n", name, Bits(argument), Bits(result));
}

/* The angles are those of slerps and of rolls, angles close to multiples of pi/2, and very small
 * ones. */
static double Angle(int i) {
    switch (i % 4) {
    case 0:
        return Draw() * 3.15;
    case 1:
        return (float)((Draw() - 0.5) * 2097152);
    case 2:
        return (float)((double)(int)(Draw() * 600000) * 1.5707963267948966);
    default:
        return ldexp(Draw() - 0.5, -(int)(Draw() * 60));
    }
}

int main(void) {
    for (int i = 0; i < 6000; i++) {
        const double angle = Angle(i), near = 1 - Draw() * 1e-4;
        const double cosine = i % 3 == 0 ? near : i % 3 == 1 ? -near : 2 * Draw() - 1;
        Print('s', angle, Trig_Sin(angle));
        Print('c', angle, Trig_Cos(angle));
        Print('a', cosine, Trig_Acos(cosine));
    }
    return 0;
}
