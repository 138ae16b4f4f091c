/* Tests of the arithmetic of the stand-in's Ngi32.dll, for each build of each slot. The expected
 * numbers were derived by hand or are computed by reference.inc. */
#include "checked_call.h"
#include "pair.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define T       float
#define NAME(x) x##_f
#include "reference.inc"
#undef T
#undef NAME
#define T       long double
#define NAME(x) x##_l
#include "reference.inc"
#include "tests/test.h"
#undef T
#undef NAME

typedef enum Build { BUILD_GENERIC, BUILD_FXCH, BUILD_SSE, BUILD_COUNT } Build;

static void RandomQuaternion(float *q) {
    float length = 0;
    do {
        Random_Floats(q, 4, -1, 1);
        length = sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    } while (length < 0.1f);
    for (int i = 0; i < 4; i++)
        q[i] /= length;
}

/* Compares an integer copy of the ten bytes, so that NaN and -0 count, too. */
static void CheckReturn(const char *what, const CheckedFrame *frame, long double expected) {
    if (memcmp(&frame->st0, &expected, 10) != 0)
        fail_msg("%s: ST0 %.17g, expected %.17g, apart by %g", what, (double)frame->st0,
                 (double)expected, (double)(frame->st0 - expected));
}

#define FORCE_GENERIC 3
#define FORCE_SSE     2

/* Fills g_FastProc again, as loading does. */
static void Refill(DWORD force_cpu) {
    void (*fill)(void) = (void (*)(void))(uintptr_t)(ngi32 + 0x02F90);
    Force_Begin(REG_DWORD, force_cpu);
    fill();
    Force_End();
}

/* Returns one build of a slot, or null. No value of ForceCpu gives the FXCH builds, so these are
 * found by their address. */
static const void *SlotBuild(int slot, Build build) {
    if (build == BUILD_FXCH) {
        uint32_t rva = Pair_Slot(slot)->rva_fxch;
        return rva ? ngi32 + rva : NULL;
    }
    Refill(build == BUILD_SSE ? FORCE_SSE : FORCE_GENERIC);
    return (const void *)(uintptr_t)Pair_FastProc()[slot];
}

/* What a comparison needs to know about one run. The x87 builds run under two control words, whose
 * precisions are those of the two instances of reference.inc. The SSE builds run under both words
 * as well, but compute in binary32. */
typedef struct Run {
    const AbiFunction *function;
    const void *target;
    uint16_t control;
    bool sse, extended;
} Run;

static void EachRun(int slot, void (*check)(const Run *run)) {
    for (int build = 0; build < BUILD_COUNT; build++) {
        const void *target = SlotBuild(slot, (Build)build);
        for (int other = 0; target && other < build; other++)
            assert_ptr_not_equal(target, SlotBuild(slot, (Build)other));
        for (int extended = 0; target && extended < 2; extended++) {
            uint16_t control = extended ? CONTROL_EXTENDED : CONTROL_SINGLE;
            bool sse = build == BUILD_SSE;
            Run run = {Pair_Slot(slot), target, control, sse, extended && !sse};
            check(&run);
        }
    }
}

#define RUN(run, ...)                                                                              \
    Function_Call((run)->function, (run)->target, (run)->control, (const uint32_t[]){__VA_ARGS__})

static void CheckMatrix(const Run *run) {
    bool mirrored = run->function->index == 15;
    for (int i = 0; i < ROUNDS; i++) {
        float q[4], got[16], expected[16];
        Random_Floats(q, 4, -2, 2);
        RUN(run, P(q), P(got));
        (run->extended ? Matrix_l : Matrix_f)(q, expected, mirrored);
        Expect_Floats(run->function->key, got, expected, 16);
    }
}

LOADED_TEST(TestQuaternionToMatrix) {
    EachRun(14, CheckMatrix);
    EachRun(15, CheckMatrix);
    /* A third of a turn about (1, 1, 1) permutes the axes. The direction is that of facts/ngi32.md
     * B.4a. */
    static const float q[4] = {0.5f, 0.5f, 0.5f, 0.5f};
    static const float plain[16] = {0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1};
    static const float mirrored[16] = {0, 0, -1, 0, 1, 0, -0.0f, 0, -0.0f, -1, 0, 0, 0, 0, 0, 1};
    for (int build = 0; build < BUILD_COUNT; build++) {
        float block[16] = {0.5f, 0.5f, 0.5f, 0.5f}; /* input and output in one place */
        const void *target = SlotBuild(14, (Build)build);
        CALL("ngi32.slot14", target, CONTROL_SINGLE, P(block), P(block));
        Expect_Floats("plain", block, plain, 16);
        target = SlotBuild(15, (Build)build);
        if (target) {
            CALL("ngi32.slot15", target, CONTROL_SINGLE, P(q), P(block));
            Expect_Floats("mirrored", block, mirrored, 16);
        }
    }
}

static void ExpectInterpolation(const Run *run, const float *q0, const float *q1, float t,
                                float *expected) {
    if (!run->sse) {
        (run->extended ? Interpolate_l : Interpolate_f)(q0, q1, t, expected);
        return;
    }
    /* The SSE build sums by halves. Its weights are computed by x87 steps and rounded at their
     * end. */
    float c = Dot4_f(q0, q1, true), sign = 1, w0 = 1 - t, w1 = t;
    if (c < 0) {
        c = -c;
        sign = -1;
    }
    if (!(1 - c <= 9.9999997e-6f)) {
        if (run->control == CONTROL_EXTENDED) {
            long double wide0, wide1;
            Weights_l(c, t, &wide0, &wide1);
            w0 = (float)wide0;
            w1 = (float)wide1;
        } else {
            Weights_f(c, t, &w0, &w1);
        }
    }
    Blend_f(q0, q1, w0, sign * w1, expected);
}

static void CheckInterpolation(const Run *run) {
    for (int i = 0; i < ROUNDS; i++) {
        float q0[4], q1[4], got[4], expected[4], t = Random_Float(-0.5f, 1.5f);
        RandomQuaternion(q0);
        RandomQuaternion(q1);
        if (i % 4 == 0) /* near the threshold of 1 - c */
            for (int k = 0; k < 4; k++)
                q1[k] = q0[k] + Random_Float(-0.004f, 0.004f);
        ExpectInterpolation(run, q0, q1, t, expected);
        RUN(run, P(q0), P(q1), F(t), P(got));
        Expect_Floats(run->function->key, got, expected, 4);
        RUN(run, P(q0), P(q1), F(t), P(q1));
        Expect_Floats("in place", q1, expected, 4);
    }
}

static void CheckInterpolationByHand(const Run *run) {
    static const float x[4] = {0, 1, 0, 0}, y[4] = {0, 0, 1, 0}, minus_x[4] = {0, -1, 0, 0};
    static const float scaled[4] = {0, 2, 0, 0};
    float got[4];
    RUN(run, P(x), P(y), F(0), P(got)); /* sin 0 = 0, cos 0 = 1: exactly the first */
    Expect_Floats("t = 0", got, x, 4);
    RUN(run, P(x), P(minus_x), F(0.25f), P(got)); /* c is 1 after the flip: 0.75 * x + -0.25 * -x */
    Expect_Floats("opposite", got, x, 4);
    /* c is 2, so 1 - c is -1: linear, and not normalised */
    RUN(run, P(x), P(scaled), F(0.5f), P(got));
    const float middle[4] = {0, 1.5f, 0, 0};
    Expect_Floats("c = 2", got, middle, 4);
    RUN(run, P(x), P(y), F(0.5f), P(got)); /* 45 degrees, to an ulp or two */
    for (int i = 1; i < 3; i++)
        assert_true(fabsf(got[i] - 0.70710678f) < 2e-7f);
    /* 1 - c is 1 - (1 - a), which is exactly a in extended precision. The limit itself, which is
     * linear, and the number above it are therefore told apart. */
    const float limit = 9.9999997e-6f,
                cases[] = {limit, nextafterf(limit, 1), 167 * 0x1p-24f, 168 * 0x1p-24f};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const float q0[4] = {1, cases[i], 0, 0}, q1[4] = {1, -1, 0, 0};
        float expected[4];
        ExpectInterpolation(run, q0, q1, 0.5f, expected);
        RUN(run, P(q0), P(q1), F(0.5f), P(got));
        Expect_Floats("threshold", got, expected, 4);
    }
}

LOADED_TEST(TestInterpolateQuaternions) {
    EachRun(17, CheckInterpolation);
    EachRun(17, CheckInterpolationByHand);
    EachRun(22, CheckInterpolation);
}

static void CheckProduct(const Run *run) {
    bool affine = run->function->index == 4;
    int rows = affine ? 3 : 4;
    for (int i = 0; i < ROUNDS; i++) {
        float a[16], b[16], got[16], expected[16];
        Random_Floats(a, 16, -2, 2);
        Random_Floats(b, 16, -2, 2);
        (run->extended ? Product_l : Product_f)(a, b, expected, rows, affine);
        RUN(run, P(a), P(b), P(got));
        Expect_Floats(run->function->key, got, expected, (size_t)rows * 4);
        RUN(run, P(a), P(b), P(a));
        Expect_Floats("over the left", a, expected, (size_t)rows * 4);
    }
}

LOADED_TEST(TestMatrixProducts) {
    EachRun(4, CheckProduct);
    EachRun(23, CheckProduct);
    EachRun(28, CheckProduct);
}

static void CheckVector(const Run *run) {
    int slot = run->function->index;
    for (int i = 0; i < ROUNDS; i++) {
        float m[16], v[3], got[3], expected[3];
        Random_Floats(m, 16, -2, 2);
        Random_Floats(v, 3, -100, 100);
        if (slot == 26)
            (run->extended ? ToFrame_l : ToFrame_f)(m, v, expected);
        else
            (run->extended ? Rotate_l : Rotate_f)(m, v, expected, slot == 35);
        memcpy(got, v, sizeof got); /* slot 35 has two parameters, and works in place */
        RUN(run, P(m), slot == 35 ? P(got) : P(v), P(got));
        Expect_Floats(run->function->key, got, expected, 3);
        RUN(run, P(m), P(v), P(v));
        Expect_Floats("in place", v, expected, 3);
    }
}

LOADED_TEST(TestVectors) {
    EachRun(7, CheckVector);
    EachRun(26, CheckVector);
    EachRun(35, CheckVector);
}

static void CheckRoots(const Run *run) {
    for (int i = 0; i < ROUNDS; i++) {
        float x = Random_Float(0, 1000), v[3], expected[3];
        CheckedFrame frame;
        if (run->function->index == 11) {
            frame = RUN(run, F(x));
            CheckReturn("slot11", &frame,
                        run->extended ? ReciprocalRoot_l(x) : ReciprocalRoot_f(x));
            continue;
        }
        Random_Floats(v, 3, -100, 100);
        memcpy(expected, v, sizeof v);
        long double length = run->extended ? Normalise_l(expected) : Normalise_f(expected);
        frame = RUN(run, P(v));
        CheckReturn("slot38", &frame, length);
        Expect_Floats("slot38", v, expected, 3);
    }
}

static void CheckNull(const Run *run) {
    float v[3] = {0, -0.0f, 0};
    const float before[3] = {0, -0.0f, 0};
    CheckedFrame frame = RUN(run, P(v));
    CheckReturn("length of null", &frame, 0.0L);
    Expect_Floats("null", v, before, 3);
    float nan[3] = {NAN, 3, 4};
    frame = RUN(run, P(nan));
    assert_true(frame.st0 != frame.st0);
    for (int i = 0; i < 3; i++)
        assert_true(nan[i] != nan[i]);
}

LOADED_TEST(TestRootsAndLengths) {
    EachRun(11, CheckRoots);
    EachRun(38, CheckRoots);
    EachRun(38, CheckNull);
}

static void CheckCombine(const Run *run) {
    for (int i = 0; i < ROUNDS; i++) {
        float light[3], ambient[3], scene[3], got[3], expected[3];
        Random_Floats(light, 3, 0, 1);
        Random_Floats(ambient, 3, 0, 1);
        Random_Floats(scene, 3, 0, 2);
        (run->extended ? Combine_l : Combine_f)(light, ambient, scene, expected);
        RUN(run, P(light), P(ambient), P(scene), P(got));
        Expect_Floats(run->function->key, got, expected, 3);
    }
    /* One channel has zeros, and in the others a NaN is on either side, where the rules of the two
     * builds differ. */
    const float light[3] = {0, NAN, 1}, ambient[3] = {0, 0, 0}, scene[3] = {-0.0f, 2, NAN};
    float got[3];
    RUN(run, P(light), P(ambient), P(scene), P(got));
    assert_int_equal(signbit(got[0]) != 0, run->sse);
    assert_true(run->sse ? got[1] == 2 : isnan(got[1]));
    assert_true(run->sse ? isnan(got[2]) : got[2] == 1);
}

LOADED_TEST(TestCombineLight) {
    EachRun(20, CheckCombine);
}

/* Returns the estimate of 1/x that rcpss of this processor gives. */
static float Rcp(float x) {
    __asm__("rcpss %0, %0" : "+x"(x));
    return x;
}

/* Returns the quotient 1/m of the SSE build: r = rcpss(m), then (r + r) - (m*r)*r. */
static float RefinedReciprocal(float m) {
    float r = Rcp(m), twice = r + r, mr = m * r, mrr = mr * r;
    return twice - mrr;
}

/* Returns the crossing point of the SSE build for a segment that meets the plane. */
static void HitSse(const float *start, const float *end, const float *plane, float *hit) {
    float v[3];
    for (int i = 0; i < 3; i++)
        v[i] = end[i] - start[i];
    float nv = Sum3_f(plane, v), d0 = Sum3_f(plane, start) + plane[3];
    float k = d0 * RefinedReciprocal(-nv);
    for (int i = 0; i < 3; i++) {
        float step = v[i] * k;
        hit[i] = start[i] + step;
    }
}

static void CheckSegment(const Run *run) {
    for (int i = 0; i < ROUNDS; i++) {
        float start[3], end[3], plane[4], got[3] = {7, 7, 7}, expected[3] = {7, 7, 7};
        Random_Floats(start, 3, -10, 10);
        Random_Floats(end, 3, -10, 10);
        Random_Floats(plane, 4, -1, 1);
        int hit = run->extended ? Segment_l(start, end, plane, 0, expected)
                                : Segment_f(start, end, plane, 0, expected);
        if (hit && run->sse)
            HitSse(start, end, plane, expected);
        CheckedFrame frame = RUN(run, P(start), P(end), P(plane), P(got));
        assert_int_equal(frame.eax, hit);
        Expect_Floats(run->function->key, got, expected, 3);
    }
}

static void CheckSegmentByHand(const Run *run) {
    static const float up[4] = {0, 0, 1, 0}, above[3] = {1, 2, 1}, below[3] = {1, 2, -3};
    static const float on[3] = {1, 2, 0};
    float got[3] = {7, 7, 7};
    const float untouched[3] = {7, 7, 7};
    assert_int_equal(RUN(run, P(below), P(above), P(up), P(got)).eax, 0); /* from behind */
    assert_int_equal(RUN(run, P(above), P(above), P(up), P(got)).eax, 0);
    Expect_Floats("miss", got, untouched, 3);
    assert_int_equal(RUN(run, P(on), P(below), P(up), P(got)).eax, 1); /* d0 = 0 counts */
    Expect_Floats("start on the plane", got, on, 3);
    int far_counts = run->sse; /* d1 = 0 counts in the SSE build alone */
    assert_int_equal(RUN(run, P(above), P(on), P(up), P(got)).eax, far_counts);
    assert_int_equal(RUN(run, P(above), P(below), P(up), P(got)).eax, 1);
    float k = 0.25f; /* d0 / -nv = 1 / 4 */
    if (run->sse)
        k = RefinedReciprocal(4);
    float step = -4 * k;
    const float hit[3] = {1, 2, 1 + step};
    Expect_Floats("hit", got, hit, 3);
    /* n . v is -2^-140. That is below 0, but not below -FLT_MIN, which the generic build
     * demands. */
    static const float tiny[4] = {0, 0, 0x1p-140f, 0};
    static const float over[3] = {0, 0, 0.5f}, under[3] = {0, 0, -0.5f};
    bool generic = !run->sse && run->target == ngi32 + 0x1FA00;
    assert_int_equal(RUN(run, P(over), P(under), P(tiny), P(got)).eax, !generic);
    static const float nan_plane[4] = {0, 0, NAN, 0};
    assert_int_equal(RUN(run, P(above), P(below), P(nan_plane), P(got)).eax, 0);
}

LOADED_TEST(TestSegmentPlane) {
    EachRun(45, CheckSegment);
    EachRun(45, CheckSegmentByHand);
}

static void CheckLighting(uint16_t control) {
    bool extended = control == CONTROL_EXTENDED;
    for (int i = 0; i < ROUNDS; i++) {
        float normal[3], travel[3], eye[3], cosine = Random_Float(0, 1), light[10], vertex[3];
        Random_Floats(normal, 3, -1, 1);
        Random_Floats(travel, 3, -1, 1);
        Random_Floats(eye, 3, -1, 1);
        CheckedFrame frame =
            CALL("ngi32.DirectionalCosine", ngi32 + 0x16139, control, P(normal), P(travel));
        CheckReturn("DirectionalCosine", &frame,
                    extended ? Cosine_l(normal, travel) : Cosine_f(normal, travel));
        uint32_t power = (uint32_t)i % 5;
        frame = CALL("ngi32.Highlight", ngi32 + 0x1616F, control, P(normal), P(travel), F(cosine),
                     P(eye), power);
        CheckReturn("Highlight", &frame,
                    extended ? Highlight_l(normal, travel, cosine, eye, power)
                             : Highlight_f(normal, travel, cosine, eye, power));

        float sum[3], expected[3];
        Random_Floats(light, 10, -2, 2);
        light[6] = Random_Float(1, 6); /* range */
        Random_Floats(vertex, 3, -2, 2);
        Random_Floats(sum, 3, 0, 1);
        memcpy(expected, sum, sizeof sum);
        (extended ? PointLight_l : PointLight_f)(light, vertex, normal, expected);
        CALL("ngi32.PointLight", ngi32 + 0x164F0, control, P(light), P(vertex), P(normal), P(sum));
        Expect_Floats("PointLight", sum, expected, 3);

        float lights[4][6], diffuse[3], colour[3];
        uint32_t count = (uint32_t)i % 5;
        Random_Floats(lights[0], 24, -1, 1);
        Random_Floats(diffuse, 3, 0, 1);
        (extended ? DirectionalLights_l : DirectionalLights_f)(lights[0], count, normal, diffuse,
                                                               expected);
        CALL("ngi32.DirectionalLights", ngi32 + 0x18260, control, P(lights), count, P(normal),
             P(diffuse), P(colour));
        Expect_Floats("DirectionalLights", colour, expected, 3);
    }
}

LOADED_TEST(TestLighting) {
    CheckLighting(CONTROL_SINGLE);
    CheckLighting(CONTROL_EXTENDED);
    static const float up[3] = {0, 0, 1}, down[3] = {0, 0, -1}, origin[3] = {0, 0, 0};
    CheckedFrame frame =
        CALL("ngi32.DirectionalCosine", ngi32 + 0x16139, CONTROL_SINGLE, P(up), P(down));
    CheckReturn("facing", &frame, 1);
    frame = CALL("ngi32.DirectionalCosine", ngi32 + 0x16139, CONTROL_SINGLE, P(up), P(up));
    CheckReturn("away", &frame, 0);
    frame =
        CALL("ngi32.Highlight", ngi32 + 0x1616F, CONTROL_SINGLE, P(up), P(down), F(1), P(up), 3);
    CheckReturn("mirror", &frame, 1);
    frame =
        CALL("ngi32.Highlight", ngi32 + 0x1616F, CONTROL_SINGLE, P(up), P(down), F(1), P(up), 0);
    CheckReturn("power 0", &frame, 0);
    /* The light is 2 above the origin and its range is 4, so that x = 0.5, f = 1 and a = 1 + 2 *
     * 0.5 + 4 * 0.25 = 3. */
    const float light[10] = {0, 0, 2, 1, 0.5f, 0.25f, 4, 1, 2, 4};
    const float lit[3] = {3, 1.5f, 0.75f};
    float sum[3] = {0, 0, 0};
    CALL("ngi32.PointLight", ngi32 + 0x164F0, CONTROL_SINGLE, P(light), P(origin), P(up), P(sum));
    Expect_Floats("point light", sum, lit, 3);
    CALL("ngi32.PointLight", ngi32 + 0x164F0, CONTROL_SINGLE, P(light), P(origin), P(down), P(sum));
    const float far_away[3] = {0, 0, -3};
    CALL("ngi32.PointLight", ngi32 + 0x164F0, CONTROL_SINGLE, P(light), P(far_away), P(up), P(sum));
    Expect_Floats("behind or out of range", sum, lit, 3);
    /* At the range itself x is 0 and the light counts with a = a0 = 1. */
    const float at_range[3] = {0, 0, -2};
    const float twice_lit[3] = {4, 2, 1};
    CALL("ngi32.PointLight", ngi32 + 0x164F0, CONTROL_SINGLE, P(light), P(at_range), P(up), P(sum));
    Expect_Floats("at the range", sum, twice_lit, 3);
    /* If f is 0 the sum is not touched, so that a -0 stays. */
    static const float sideways[3] = {1, 0, 0}, minus_zero[3] = {-0.0f, -0.0f, -0.0f};
    memcpy(sum, minus_zero, sizeof sum);
    CALL("ngi32.PointLight", ngi32 + 0x164F0, CONTROL_SINGLE, P(light), P(origin), P(sideways),
         P(sum));
    Expect_Floats("edge on", sum, minus_zero, 3);
}

static uint32_t PointInPoly(const float *plane, const float *const *vertices, uint32_t count,
                            const float *point) {
    return CALL("ngi32.mrnPointInPoly", ngi32 + 0x01E60, CONTROL_SINGLE, P(plane), P(vertices),
                count, P(point))
        .eax;
}

LOADED_TEST(TestPointInPoly) {
    /* There is a triangle in each of the three coordinate planes, counter-clockwise about the
     * axis. */
    for (int axis = 0; axis < 3; axis++) {
        int u = (axis + 1) % 3, v = (axis + 2) % 3;
        float plane[4] = {0, 0, 0, 0}, corners[3][3] = {{0}}, inside[3] = {0}, outside[3] = {0};
        plane[axis] = 1;
        corners[1][u] = 4;
        corners[2][v] = 4;
        inside[u] = inside[v] = 1;
        outside[u] = 3;
        outside[v] = 2;
        const float *const vertices[3] = {corners[0], corners[1], corners[2]};
        assert_int_equal(PointInPoly(plane, vertices, 3, inside), 1);
        assert_int_equal(PointInPoly(plane, vertices, 3, outside), 0);
        assert_int_equal(PointInPoly(plane, vertices, 3, corners[1]), 1); /* >= 0 */
        plane[axis] = -1; /* the stored normal decides, and not the winding */
        assert_int_equal(PointInPoly(plane, vertices, 3, inside), 0);
        assert_int_equal(PointInPoly(plane, vertices, 0, outside), 1);
    }
    /* |nx| is the largest, but |ny| < |nz|, so z is dropped. In x, y this point is inside. In y, z,
     * where x would be dropped, it is
     * not. */
    const float tilted[4] = {3, 1, 2, 0};
    const float a[3] = {0, 0, 0}, b[3] = {4, 0, 0}, c[3] = {0, 4, 0}, p[3] = {1, 1, -100};
    const float *const vertices[3] = {a, b, c};
    assert_int_equal(PointInPoly(tilted, vertices, 3, p), 1);
    /* |nx| < |ny| < |nz| also drops z. */
    const float level[4] = {1, 2, 3, 0};
    assert_int_equal(PointInPoly(level, vertices, 3, p), 1);
    /* |nx| >= |ny| >= |nz| drops x, and the same edges have no area in y, z. */
    const float steep[4] = {3, 2, 1, 0}, q[3] = {1, 1, 1};
    assert_int_equal(PointInPoly(steep, vertices, 3, q), 0);
    /* |nx| < |ny| >= |nz| drops y, which leaves z, x. */
    const float flat[4] = {1, 3, 2, 0}, d[3] = {0, 0, 4}, e[3] = {4, 0, 0}, r[3] = {1, 100, 1};
    const float *const standing[3] = {a, d, e};
    assert_int_equal(PointInPoly(flat, standing, 3, r), 1);
    const float nan_point[3] = {NAN, 1, 0};
    assert_int_equal(PointInPoly(tilted, vertices, 3, nan_point), 0);
}

LOADED_TEST(TestSinCos) {
    const uint8_t *target = ngi32 + 0x1B6E0;
    for (int i = 0; i < ROUNDS; i++) {
        float angle = Random_Float(-7, 7), sine, cosine;
        CALL("ngi32.ngiGetSinCos", target, CONTROL_SINGLE, F(angle), P(&sine), P(&cosine));
        float expected_sine = (float)sinl(angle), expected_cosine = (float)cosl(angle);
        Expect_Floats("sine", &sine, &expected_sine, 1);
        Expect_Floats("cosine", &cosine, &expected_cosine, 1);
    }
    float huge = 0x1p63f, sine, cosine; /* beyond the instructions' range */
    CALL("ngi32.ngiGetSinCos", target, CONTROL_SINGLE, F(huge), P(&sine), P(&cosine));
    assert_true(sine == huge && cosine == huge);
}
