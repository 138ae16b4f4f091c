#include "replay/composed/random_pair.h"

#include <math.h>
#include <string.h>

/* Draws a number from -1 to 1. */
static double Draw(Random *random) {
    return (double)(int32_t)Random_Next(random) * 0x1p-31;
}

static void DrawUnit(Random *random, double q[4]) {
    double square = 0;
    for (int i = 0; i < 4; i++) {
        q[i] = Draw(random) + Draw(random);
        square += q[i] * q[i];
    }
    for (int i = 0; i < 4; i++)
        q[i] /= sqrt(square > 0 ? square : 1);
}

void RandomPair_Make(Random *random, RandomPair *pair) {
    /* The second quaternion is unrelated, near the first, at right angles to it, or of another
     * length; often around the limit of the spherical case. */
    double a[4], b[4], dot = 0;
    DrawUnit(random, a);
    DrawUnit(random, b);
    const uint32_t kind = Random_Below(random, 8);
    const double nearness = kind < 3   ? 1
                            : kind < 6 ? ldexp(1, -(int)Random_Below(random, 20))
                                       : 4e-3;
    for (int i = 0; i < 4; i++) {
        if (nearness < 1)
            b[i] = a[i] + nearness * b[i];
        dot += a[i] * b[i];
    }
    const double length = kind == 5 ? 1 + 1e-2 * Draw(random) : 1;
    const double sign = Random_Below(random, 2) ? -length : length;
    for (int i = 0; i < 4; i++) {
        pair->q0[i] = (float)a[i];
        pair->q1[i] = (float)(sign * (kind == 2 ? b[i] - dot * a[i] : b[i]));
    }

    /* The time is from 0 to 1; now and then it is next to 0 or 1, exactly there, or outside. */
    const float t = (float)fabs(Draw(random));
    pair->t = t;
    switch (Random_Below(random, 16)) {
    case 0:
        pair->t = 1 - ldexpf(1, -(int)Random_Below(random, 26));
        break;
    case 1:
        pair->t = ldexpf(t, -(int)Random_Below(random, 45));
        break;
    case 2:
        pair->t = (float)(3 * Draw(random));
        break;
    default:
        break;
    }
}

/* ---- edges ----------------------------------------------------------------------------------- */

/* Moves a number by at most `places` places in the order of all numbers. The bits never pass
 * through a `float`, which on i686 may make a signalling NaN quiet. */
static void Nudge(Random *random, int32_t places, float *number) {
    volatile uint32_t *const bits = (volatile uint32_t *)(void *)number;
    *bits = Float_Step(*bits, Random_Between(random, -places, places));
}

/* Makes the first quaternion the identity and the second one an arc away, so that its w is the
 * cosine. */
static void PutArc(float cosine, RandomPair *pair) {
    const float q0[4] = {1, 0, 0, 0}, q1[4] = {cosine, sqrtf(1 - cosine * cosine), 0, 0};
    memcpy(pair->q0, q0, sizeof q0);
    memcpy(pair->q1, q1, sizeof q1);
}

static float EdgeTime(Random *random) {
    static const float edges[] = {0, 1, 0x1p-40f, 0.5f};
    float t = edges[Random_Below(random, 4)];
    Nudge(random, 1, &t);
    return t;
}

void RandomPair_MakeEdge(Random *random, RandomPair *pair) {
    const int32_t exponent = Random_Between(random, -30, 30);
    RandomPair_Make(random, pair);
    switch (Random_Below(random, 8)) {
    case 0: { /* dot products near 0 */
        const float *q = pair->q0;
        const float turned[4] = {-q[1], q[0], -q[3], q[2]};
        memcpy(pair->q1, turned, sizeof turned);
        Nudge(random, 2, &pair->q1[Random_Below(random, 4)]);
        break;
    }
    case 1: /* dot products near 1 and -1 */
        for (int i = 0; i < 4; i++)
            pair->q1[i] = pair->q0[i];
        Nudge(random, 4, &pair->q1[Random_Below(random, 4)]);
        for (int i = 0; i < 4 && exponent < 0; i++)
            pair->q1[i] = -pair->q1[i];
        break;
    case 2: /* dot products near the limit between arcs and lines */
        PutArc(1 - 1e-5f, pair);
        Nudge(random, 40, &pair->q1[0]);
        break;
    case 3: /* all kinds of numbers at every place where a rounding is tested */
        PutArc((float)Draw(random), pair);
        return;
    case 4: /* lengths other than 1 */
        for (int i = 0; i < 4; i++) {
            pair->q0[i] = ldexpf(pair->q0[i], exponent);
            pair->q1[i] = ldexpf(pair->q1[i], -exponent + (int32_t)Random_Below(random, 2));
        }
        break;
    case 5: /* quaternions of length 0 */
        memset(exponent < 0 ? pair->q0 : pair->q1, 0, sizeof pair->q0);
        break;
    case 6: /* 0, the ends of the range that the core takes, and their neighbours outside of it */
        for (int i = 0; i < 4; i++) {
            float *number = Random_OneIn(random, 2) ? &pair->q0[i] : &pair->q1[i];
            *number = ldexpf(1, Random_Between(random, -1, 1) * 40);
            Nudge(random, 1, number);
            if (Random_OneIn(random, 4))
                *number = Random_OneIn(random, 2) ? -*number : 0;
        }
        break;
    default:
        pair->t = EdgeTime(random);
    }
    if (Random_OneIn(random, 4))
        pair->t = EdgeTime(random);
}

void RandomPair_PutSpecial(Random *random, RandomPair *pair) {
    float *const places[] = {pair->q0, pair->q1, &pair->t};
    const uint32_t place = Random_Below(random, 9);
    float *number = &places[place / 4][place % 4];
    *(volatile uint32_t *)(void *)number = Value_Special(random);
}
