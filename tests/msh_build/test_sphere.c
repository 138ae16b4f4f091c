/* The smallest sphere against a search that knows nothing of supports. */
#include "random.h"
#include "retropose/msh_build.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
/* after its own prerequisites */
#include <cmocka.h>

static double Distance(const float *point, const double *centre) {
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += ((double)point[i] - centre[i]) * ((double)point[i] - centre[i]);
    return sqrt(sum);
}

static double Radius(const float (*points)[3], uint32_t count, const double *centre) {
    double radius = 0;
    for (uint32_t p = 0; p < count; p++)
        radius = fmax(radius, Distance(points[p], centre));
    return radius;
}

/* The farthest distance is convex in the centre: nested golden-section searches, axis by axis. */
static double SearchAxis(const float (*points)[3], uint32_t count, double *centre, int axis,
                         double low, double high) {
    if (axis == 3)
        return Radius(points, count, centre);
    const double golden = 0.6180339887498949;
    double a = high - golden * (high - low), b = low + golden * (high - low), from = low, to = high;
    centre[axis] = a;
    double at_a = SearchAxis(points, count, centre, axis + 1, low, high);
    centre[axis] = b;
    double at_b = SearchAxis(points, count, centre, axis + 1, low, high);
    for (int step = 0; step < 40; step++) {
        if (at_a < at_b) {
            to = b;
            b = a;
            at_b = at_a;
            a = to - golden * (to - from);
            centre[axis] = a;
            at_a = SearchAxis(points, count, centre, axis + 1, low, high);
        } else {
            from = a;
            a = b;
            at_a = at_b;
            b = from + golden * (to - from);
            centre[axis] = b;
            at_b = SearchAxis(points, count, centre, axis + 1, low, high);
        }
    }
    return fmin(at_a, at_b);
}

static void AssertContains(const float (*points)[3], uint32_t count, const float sphere[4]) {
    const double centre[3] = {sphere[0], sphere[1], sphere[2]};
    assert_true(Radius(points, count, centre) <= (double)sphere[3] * (1 + 1e-15));
}

static void RandomPointsHaveTheSmallestSphere(void **state) {
    (void)state;
    uint64_t seed = 3;
    for (int round = 0; round < 8; round++) {
        float points[12][3], sphere[4];
        uint32_t count = 2 + Random_Below(&seed, 11);
        for (uint32_t p = 0; p < count; p++)
            for (int i = 0; i < 3; i++)
                points[p][i] =
                    round % 2 ? Random_Between(&seed, -1, 1) : (float)Random_Below(&seed, 3) - 1.0F;
        RpMsh_Sphere((const float(*)[3])points, count, sphere);
        double centre[3];
        double smallest = SearchAxis((const float(*)[3])points, count, centre, 0, -1.1, 1.1);
        AssertContains((const float(*)[3])points, count, sphere);
        assert_true(fabs(sphere[3] - smallest) <= 1e-6 * (smallest + 1e-3));
    }
}

static void AssertSphere(const float (*points)[3], uint32_t count, float x, float y, float z,
                         float radius) {
    float sphere[4];
    RpMsh_Sphere(points, count, sphere);
    AssertContains(points, count, sphere);
    assert_true(fabsf(sphere[0] - x) <= 2e-6F * radius && fabsf(sphere[1] - y) <= 2e-6F * radius &&
                fabsf(sphere[2] - z) <= 2e-6F * radius);
    assert_true(fabsf(sphere[3] - radius) <= 1e-6F * radius);
}

static void KnownSpheresAreFound(void **state) {
    (void)state;
    const float cube[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                              {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
    AssertSphere(cube, 8, 0, 0, 0, 1.7320508F);
    const float line[4][3] = {{0, 0, 0}, {1, 0, 0}, {4, 0, 0}, {3, 0, 0}};
    AssertSphere(line, 4, 2, 0, 0, 2);
    const float obtuse[3][3] = {{-2, 0, 0}, {2, 0, 0}, {0, 0.5F, 0}};
    AssertSphere(obtuse, 3, 0, 0, 0, 2);
    const float equilateral[3][3] = {{1, 0, 7}, {-0.5F, 0.8660254F, 7}, {-0.5F, -0.8660254F, 7}};
    AssertSphere(equilateral, 3, 0, 0, 7, 1);
    const float thin[3][3] = {{-1, 0, 0}, {1, 0, 0}, {0, 1.0000001F, 0}};
    AssertSphere(thin, 3, 0, 0, 0, 1);
}

static void OneTheSameAndNoPoint(void **state) {
    (void)state;
    const float same[3][3] = {{5, -6, 7}, {5, -6, 7}, {5, -6, 7}};
    float sphere[4];
    for (uint32_t count = 1; count <= 3; count++) {
        RpMsh_Sphere(same, count, sphere);
        assert_true(sphere[0] == 5 && sphere[1] == -6 && sphere[2] == 7 && sphere[3] == 0);
    }
    RpMsh_Sphere(NULL, 0, sphere);
    assert_true(sphere[0] == 0 && sphere[3] == 0);
}

/* Many points on one sphere: the hardest case for methods that walk from support to support. */
static void PointsOfASphereGiveThatSphere(void **state) {
    (void)state;
    enum { COUNT = 20000 };
    float(*points)[3] = calloc(COUNT, sizeof *points);
    uint64_t seed = 11;
    for (uint32_t p = 0; p < COUNT; p++) {
        double d[3], length = 0;
        do {
            length = 0;
            for (int i = 0; i < 3; i++) {
                d[i] = Random_Between(&seed, -1, 1);
                length += d[i] * d[i];
            }
        } while (length > 1 || length < 0.01);
        for (int i = 0; i < 3; i++)
            points[p][i] = (float)(10.0 * (i + 1) + 5 * d[i] / sqrt(length));
    }
    float sphere[4];
    RpMsh_Sphere((const float(*)[3])points, COUNT, sphere);
    AssertContains((const float(*)[3])points, COUNT, sphere);
    assert_true(fabsf(sphere[3] - 5) < 1e-5F);
    free(points);
}

static void SizesFarFromOneAreExactToo(void **state) {
    (void)state;
    float points[4][3] = {{-1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, scaled[4][3];
    for (int power = -30; power <= 17; power++) {
        float scale = powf(10, (float)power);
        for (int i = 0; i < 12; i++)
            scaled[i / 3][i % 3] = points[i / 3][i % 3] * scale;
        AssertSphere((const float(*)[3])scaled, 4, 0, 0, 0, scale);
    }
}

static void OrderOfPointsChangesNoMoreThanRounding(void **state) {
    (void)state;
    float points[64][3], first[4], other[4];
    uint64_t seed = 8;
    for (int i = 0; i < 64 * 3; i++)
        points[i / 3][i % 3] = Random_Between(&seed, -4, 9);
    RpMsh_Sphere((const float(*)[3])points, 64, first);
    for (int round = 0; round < 20; round++) {
        for (uint32_t p = 63; p > 0; p--) {
            uint32_t q = Random_Below(&seed, p + 1);
            float swap[3];
            memcpy(swap, points[p], sizeof swap);
            memcpy(points[p], points[q], sizeof swap);
            memcpy(points[q], swap, sizeof swap);
        }
        RpMsh_Sphere((const float(*)[3])points, 64, other);
        assert_true(fabsf(first[3] - other[3]) <= 1e-6F * first[3]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(RandomPointsHaveTheSmallestSphere),
        cmocka_unit_test(KnownSpheresAreFound),
        cmocka_unit_test(OneTheSameAndNoPoint),
        cmocka_unit_test(PointsOfASphereGiveThatSphere),
        cmocka_unit_test(SizesFarFromOneAreExactToo),
        cmocka_unit_test(OrderOfPointsChangesNoMoreThanRounding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
