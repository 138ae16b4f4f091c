/* Compares the smallest sphere with a search that works without support points. */
#include "core/random.h"
#include "retropose/msh_make.h"
#include "tests/test.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

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

/* The farthest distance is a convex function of the centre, so nested golden-section searches find
 * its minimum, axis by axis. */
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

TEST(RandomPointsHaveTheSmallestSphere) {
    uint64_t seed = 3;
    for (int round = 0; round < 8; round++) {
        float points[12][3], sphere[4];
        uint32_t count = 2 + Random_SplitMixBelow(&seed, 11);
        for (uint32_t p = 0; p < count; p++)
            for (int i = 0; i < 3; i++)
                points[p][i] = round % 2 ? Random_SplitMixBetween(&seed, -1, 1)
                                         : (float)Random_SplitMixBelow(&seed, 3) - 1.0F;
        RpMsh_Sphere((const float(*)[3])points, count, sphere);
        double centre[3];
        double smallest = SearchAxis((const float(*)[3])points, count, centre, 0, -1.1, 1.1);
        AssertContains((const float(*)[3])points, count, sphere);
        assert_true(fabs(sphere[3] - smallest) <= 1e-6 * (smallest + 1e-3));
    }
}

/* ---- all subsets of up to four points -------------------------------------------------------- */

/* Finds where three planes meet, by Cramer's rule. Returns false if they do not meet in one
 * point. */
static bool Meet(double planes[3][4], double *point) {
    double m[4][3][3];
    double determinants[4];
    for (int which = 0; which < 4; which++) {
        for (int row = 0; row < 3; row++)
            for (int column = 0; column < 3; column++)
                m[which][row][column] = planes[row][which == column + 1 ? 3 : column];
        determinants[which] =
            m[which][0][0] * (m[which][1][1] * m[which][2][2] - m[which][1][2] * m[which][2][1]) -
            m[which][0][1] * (m[which][1][0] * m[which][2][2] - m[which][1][2] * m[which][2][0]) +
            m[which][0][2] * (m[which][1][0] * m[which][2][1] - m[which][1][1] * m[which][2][0]);
    }
    for (int i = 0; i < 3; i++)
        point[i] = determinants[i + 1] / determinants[0];
    return fabs(determinants[0]) > 1e-9;
}

/* Writes the plane of the points that are as far from a as from b. */
static void Bisect(const float *a, const float *b, double *plane) {
    plane[3] = 0;
    for (int i = 0; i < 3; i++) {
        plane[i] = 2 * ((double)b[i] - a[i]);
        plane[3] += (double)b[i] * b[i] - (double)a[i] * a[i];
    }
}

static bool CentreOf(const float (*points)[3], const uint32_t *chosen, int count, double *centre) {
    const float *a = points[chosen[0]], *b = points[chosen[1]], *c = points[chosen[2]];
    double planes[3][4], ab[3], ac[3];
    for (int i = 0; i < 3; i++)
        centre[i] = ((double)a[i] + b[i]) / 2;
    if (count == 2)
        return true;
    Bisect(a, b, planes[0]);
    Bisect(a, c, planes[1]);
    if (count == 4)
        Bisect(a, points[chosen[3]], planes[2]);
    for (int i = 0; i < 3; i++) {
        ab[i] = (double)b[i] - a[i];
        ac[i] = (double)c[i] - a[i];
    }
    if (count == 3) { /* a point in the plane of the three */
        planes[2][3] = 0;
        for (int i = 0; i < 3; i++) {
            planes[2][i] = ab[(i + 1) % 3] * ac[(i + 2) % 3] - ab[(i + 2) % 3] * ac[(i + 1) % 3];
            planes[2][3] += planes[2][i] * a[i];
        }
    }
    return Meet(planes, centre);
}

static double SmallestOfAll(const float (*points)[3], uint32_t count) {
    double best = INFINITY;
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t b = a + 1; b < count; b++)
            for (uint32_t c = b; c < count; c++)
                for (uint32_t d = c; d < count; d++) {
                    const uint32_t chosen[4] = {a, b, c, d};
                    double centre[3];
                    int size = c == b ? 2 : d == c ? 3 : 4;
                    if ((size > 2 || d == c) && CentreOf(points, chosen, size, centre))
                        best = fmin(best, Radius(points, count, centre));
                }
    return best;
}

TEST(NoSubsetHoldsASmallerSphere) {
    uint64_t seed = 21;
    for (int round = 0; round < 400; round++) {
        float points[10][3], sphere[4];
        uint32_t count = 2 + Random_SplitMixBelow(&seed, 9);
        for (uint32_t p = 0; p < count; p++)
            for (int i = 0; i < 3; i++)
                points[p][i] =
                    Random_SplitMixBetween(&seed, -1, 1) * (round % 3 == 0 && i == 2 ? 0.01F : 1);
        RpMsh_Sphere((const float(*)[3])points, count, sphere);
        double smallest = SmallestOfAll((const float(*)[3])points, count);
        AssertContains((const float(*)[3])points, count, sphere);
        assert_true(fabs(sphere[3] - smallest) <= 1e-6 * smallest);
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

TEST(KnownSpheresAreFound) {
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
    /* one point is 2e-5 outside */
    const float nearly[3][3] = {{-1, 0, 0}, {1, 0, 0}, {0, 1.00002F, 0}};
    AssertSphere(nearly, 3, 0, 2e-5F, 0, 1);
}

TEST(OneTheSameAndNoPoint) {
    const float same[3][3] = {{5, -6, 7}, {5, -6, 7}, {5, -6, 7}};
    float sphere[4];
    for (uint32_t count = 1; count <= 3; count++) {
        RpMsh_Sphere(same, count, sphere);
        assert_true(sphere[0] == 5 && sphere[1] == -6 && sphere[2] == 7 && sphere[3] == 0);
    }
    RpMsh_Sphere(NULL, 0, sphere);
    assert_true(sphere[0] == 0 && sphere[3] == 0);
}

/* Many points on one sphere are the hardest case for methods that walk from support to support. */
TEST(PointsOfASphereGiveThatSphere) {
    enum { COUNT = 20000 };
    HEAP float(*points)[3] = calloc(COUNT, sizeof *points);
    uint64_t seed = 11;
    for (uint32_t p = 0; p < COUNT; p++) {
        double d[3], length = 0;
        do {
            length = 0;
            for (int i = 0; i < 3; i++) {
                d[i] = Random_SplitMixBetween(&seed, -1, 1);
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
}

TEST(SizesFarFromOneAreExactToo) {
    float points[4][3] = {{-1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, scaled[4][3];
    for (int power = -30; power <= 17; power++) {
        float scale = powf(10, (float)power);
        for (int i = 0; i < 12; i++)
            scaled[i / 3][i % 3] = points[i / 3][i % 3] * scale;
        AssertSphere((const float(*)[3])scaled, 4, 0, 0, 0, scale);
    }
}

TEST(OrderOfPointsChangesNoMoreThanRounding) {
    float points[64][3], first[4], other[4];
    uint64_t seed = 8;
    for (int i = 0; i < 64 * 3; i++)
        points[i / 3][i % 3] = Random_SplitMixBetween(&seed, -4, 9);
    RpMsh_Sphere((const float(*)[3])points, 64, first);
    for (int round = 0; round < 20; round++) {
        for (uint32_t p = 63; p > 0; p--) {
            uint32_t q = Random_SplitMixBelow(&seed, p + 1);
            float swap[3];
            memcpy(swap, points[p], sizeof swap);
            memcpy(points[p], points[q], sizeof swap);
            memcpy(points[q], swap, sizeof swap);
        }
        RpMsh_Sphere((const float(*)[3])points, 64, other);
        assert_true(fabsf(first[3] - other[3]) <= 1e-6F * first[3]);
    }
}
