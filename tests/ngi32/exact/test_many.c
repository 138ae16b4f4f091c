/* Tests that interpolating many rotations at once gives the bits of interpolating one after the
 * other, and refuses the same ones, for every width of vectors that the processor has:
 *
 *   ngi32_exact_many [INTERPOLATIONS]
 *
 * test_slerp.c tests that interpolating one rotation gives what the x87 computes. */
#include "ngi32/exact/many.h"
#include "retropose/fastproc.h"
#include "tests/ngi32/floats.h"
#include "tests/of_thread.h"
#include "tests/test.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t interpolations = 8000000; /* the number of interpolations of each kind and width */

static const ExactSum orders[] = {EXACT_SEQUENTIAL, EXACT_PAIRS, EXACT_REVERSE, EXACT_W_LAST,
                                  EXACT_HALVES};

typedef struct Inputs {
    ExactRotations q0, q1;
    float t[EXACT_MANY];
} Inputs;

/* Draws a number from -1 to 1. */
static float Draw(Random *random) {
    return (float)(int32_t)Random_Next(random) * 0x1p-31f;
}

static void Put(ExactRotations *rotations, int i, float w, float x, float y, float z) {
    const float numbers[4] = {w, x, y, z};
    for (int k = 0; k < 4; k++)
        rotations->number[k][i] = numbers[k];
}

/* Draws arcs by their cosine, so that every place where a rounding is tested meets all kinds of
 * numbers. */
static void DrawArcs(Random *random, Inputs *inputs) {
    for (int i = 0; i < EXACT_MANY; i++) {
        const float c = Draw(random);
        Put(&inputs->q0, i, 1, 0, 0, 0);
        Put(&inputs->q1, i, c, sqrtf(1 - c * c), 0, 0);
        inputs->t[i] = fabsf(Draw(random));
    }
}

/* Draws rotations of any length and distance, and times that are next to 0 or 1, or outside. */
static void DrawMixed(Random *random, Inputs *inputs) {
    for (int i = 0; i < EXACT_MANY; i++) {
        const float near = Random_Below(random, 2) ? 1 : ldexpf(1, -(int)Random_Below(random, 30));
        for (int k = 0; k < 4; k++) {
            inputs->q0.number[k][i] = Draw(random);
            inputs->q1.number[k][i] = inputs->q0.number[k][i] + near * Draw(random);
        }
        switch (Random_Below(random, 8)) {
        case 0:
            inputs->t[i] = 1 - ldexpf(1, -(int)Random_Below(random, 26));
            break;
        case 1:
            inputs->t[i] = ldexpf(1, -(int)Random_Below(random, 45));
            break;
        case 2:
            inputs->t[i] = 2 * Draw(random);
            break;
        default:
            inputs->t[i] = fabsf(Draw(random));
        }
        /* The function for one refuses components whose products might underflow, while the one for
         * many sets a flag if a product does. No product of these does. */
        for (int k = 0; k < 4; k++)
            if (fabsf(inputs->q1.number[k][i]) < 0x1p-40f)
                inputs->q1.number[k][i] = 0;
    }
}

static int CountOf(uint64_t bits) {
    return __builtin_popcountll(bits);
}

/* Returns how many are refused because of a rounding. */
static int Compare(const ExactWidth *width, const Inputs *inputs, int count, ExactSum order) {
    ExactRotations found;
    const uint64_t refused =
        width->interpolate(&inputs->q0, &inputs->q1, inputs->t, count, order, &found);
    uint64_t expected_refused = 0, outside = 0;
    for (int i = 0; i < count; i++) {
        float q0[4], q1[4], expected[4];
        for (int k = 0; k < 4; k++) {
            q0[k] = inputs->q0.number[k][i];
            q1[k] = inputs->q1.number[k][i];
        }
        if (!(inputs->t[i] >= 0x1p-40f && inputs->t[i] <= 1))
            outside |= UINT64_C(1) << i;
        if (!Exact_Slerp(order, q0, q1, &inputs->t[i], expected)) {
            expected_refused |= UINT64_C(1) << i;
            continue;
        }
        for (int k = 0; k < 4; k++)
            if (Float_Bits(&found.number[k][i]) != Float_Bits(&expected[k]))
                fail_msg("%s, lane %d of %d, number %d: %a, expected %a", width->name, i, count, k,
                         (double)found.number[k][i], (double)expected[k]);
    }
    assert_true(refused == expected_refused);
    return CountOf(refused & ~outside);
}

static void CompareAll(void (*draw)(Random *random, Inputs *inputs), uint64_t seed) {
    for (const ExactWidth *const *width = Exact_Widths(); *width; width++) {
        Random random = {.state = seed};
        uint64_t undecided = 0;
        const uint32_t before = Exact_Enter();
        for (uint64_t n = 0; n < interpolations; n += EXACT_MANY) {
            Inputs inputs;
            draw(&random, &inputs);
            const int count =
                n % (8 * EXACT_MANY) ? EXACT_MANY : 1 + (int)Random_Below(&random, EXACT_MANY);
            undecided += (uint64_t)Compare(*width, &inputs, count, orders[n / EXACT_MANY % 5]);
        }
        assert_true(Exact_Leave(before));
        print_message("%s: %llu roundings refused\n", (*width)->name,
                      (unsigned long long)undecided);
        assert_true(undecided > 0);
    }
}

TEST(Arcs) {
    CompareAll(DrawArcs, 41);
}

TEST(Mixed) {
    CompareAll(DrawMixed, 42);
}

/* A result outside of binary32's normal numbers sets a flag, and so does an invalid operation. */
TEST(FlagsAreSeen) {
    static const float odd[] = {0x1p-149f, 0x1p-126f, 0x1p-80f, 0x1p100f, INFINITY};
    for (const ExactWidth *const *width = Exact_Widths(); *width; width++)
        for (size_t o = 0; o < sizeof odd / sizeof *odd; o++)
            for (int i = 0; i < 17; i++) {
                Inputs inputs;
                Random random = {.state = 3};
                DrawArcs(&random, &inputs);
                for (int k = 0; k < 4; k++) {
                    inputs.q0.number[k][i] = odd[o] * 1.5f;
                    inputs.q1.number[k][i] = k % 2 ? odd[o] : -odd[o];
                }
                const uint32_t before = Exact_Enter();
                (*width)->interpolate(&inputs.q0, &inputs.q1, inputs.t, 17, EXACT_SEQUENTIAL,
                                      &inputs.q0);
                assert_false(Exact_Leave(before));
            }
}

/* Tests the public function, which passes refused rotations to the function for one: any numbers,
 * any count, with the result in one of the inputs. */
TEST(ThePublicFunction) {
    enum { MOST = 200 };
    static const RpBuild builds[] = {RP_BUILD_GENERIC, RP_BUILD_FXCH, RP_BUILD_SSE};
    float q0[MOST][4], q1[MOST][4], t[MOST], expected[MOST][4];
    Random random = {.state = 8};
    const Rounding before = Rounding_Get();
    Rounding_Set((Rounding){.control_word = 0x007F, .mxcsr = 0x1F80});
    for (int round = 0; round < 3000; round++) {
        const uint32_t count = Random_Below(&random, MOST + 1);
        const RpBuild build = builds[round % 3];
        const InputKind kind =
            round % 2 ? INPUT_ORDINARY : (InputKind)(round / 2 % INPUT_KIND_COUNT);
        Random_Fill(&random, kind, q0[0], 4 * MOST);
        Random_Fill(&random, kind, q1[0], 4 * MOST);
        Random_Fill(&random, kind, t, MOST);
        for (uint32_t i = 0; i < count; i++)
            RpQuaternion_Interpolate(OF_THREAD(build), q0[i], q1[i], t[i], expected[i]);
        float(*const result)[4] = round % 4 < 2 ? q0 : q1;
        RpQuaternion_InterpolateMany(OF_THREAD(build), count, (const float(*)[4])q0,
                                     (const float(*)[4])q1, t, result);
        assert_memory_equal(result, expected, count * sizeof *expected);
    }
    Rounding_Set(before);
}

TEST(TheCallerKeepsItsMxcsr) {
    const Rounding before = Rounding_Get();
    Rounding_Set((Rounding){.control_word = before.control_word, .mxcsr = 0xFFE1});
    const uint32_t entered = Exact_Enter();
    assert_int_equal(Rounding_Get().mxcsr, 0x1F80);
    assert_true(Exact_Leave(entered));
    const uint32_t after = Rounding_Get().mxcsr;
    Rounding_Set(before);
    assert_int_equal(after, 0xFFE1);
}

int main(int argc, char **argv) {
    if (argc > 1)
        interpolations = strtoull(argv[1], NULL, 10);
    if (interpolations == 0) {
        fprintf(stderr, "usage: %s [INTERPOLATIONS]\n", argv[0]);
        return 2;
    }
    return Tests_Run();
}
