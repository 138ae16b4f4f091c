/* Puts spheres around random points, and counts those that leave a point outside. */
#include <retropose/msh_make.h>

#include <math.h>
#include <stdio.h>

enum { SPHERES = 20000, MOST_POINTS = 12 };

/* This project stands for one of somebody else's, so it cannot use core/random.h. */
static uint32_t Draw(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 32);
}

static int LeavesOneOutside(const float (*points)[3], uint32_t count, const float sphere[4]) {
    for (uint32_t p = 0; p < count; p++) {
        double square = 0;
        for (int i = 0; i < 3; i++) {
            const double distance = (double)points[p][i] - sphere[i];
            square += distance * distance;
        }
        if (sqrt(square) > (double)sphere[3] * (1 + 1e-12))
            return 1;
    }
    return 0;
}

int main(void) {
    uint64_t seed = 1;
    int wrong = 0;
    for (int round = 0; round < SPHERES; round++) {
        float points[MOST_POINTS][3], sphere[4];
        const uint32_t count = 1 + Draw(&seed) % MOST_POINTS;
        for (uint32_t p = 0; p < count; p++)
            for (int i = 0; i < 3; i++)
                points[p][i] = (float)((int32_t)(Draw(&seed) >> 7) - (1 << 24)) * 0x1p-20f;
        RpMsh_Sphere((const float(*)[3])points, count, sphere);
        wrong += LeavesOneOutside((const float(*)[3])points, count, sphere);
    }
    printf("%d spheres, %d leave a point outside\n", SPHERES, wrong);
    return 0;
}
