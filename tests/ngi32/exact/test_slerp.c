/* Tests that slots 17 and 22 give the same bits through the exact core and through the x87, and
 * that the core refuses what it cannot know:
 *
 *   ngi32_exact_slerp [CALLS]
 *
 * The x87's bits come from the reading slerp-weights=stored, which only the x87 serves. Under the
 * game's control word, weights have 24 bits whether they are stored or not, so as long as they fit
 * into binary32 this reading changes no bit. Calls that the core refuses go to the x87 in any case
 * and are not compared. */
#include "ngi32/exact/arc.h"
#include "ngi32/exact/many.h"
#include "ngi32/exact/slerp.h"
#include "tests/of_thread.h"

#include "exports/reading_table.h"
#include "ngi32/arc_readings.h"
#include "ngi32/exact/force.h"
#include "replay/composed/random_pair.h"
#include "replay/composed/rounding.h"
#include "retropose/fastproc.h"
#include "tests/test.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GAMES_WORD 0x007F
#define MXCSR      0x1F80

static uint64_t calls = 4000000; /* the number of calls for each build */

typedef RandomPair Input;

/* ---- comparison ------------------------------------------------------------------------------ */

static RpReadings Readings(const char *words) {
    RpReadings readings;
    assert_int_equal(RpReadings_Parse(&readings, RP_READS_RUNTIME, words, NULL), RP_OK);
    return readings;
}

/* Returns whether the core serves the call. */
static bool Compare(RpBuild build, const RpReadings *core, const RpReadings *x87,
                    const Input *input) {
    static const ExactSum orders[] = {EXACT_HALVES, EXACT_SEQUENTIAL, EXACT_PAIRS};
    const ExactSum order = build == RP_BUILD_SSE ? orders[core->choice[READING_DOT4_SSE]]
                                                 : (ExactSum)core->choice[READING_DOT4];
    float found[4], expected[4];
    if (!Exact_Slerp(order, input->q0, input->q1, &input->t, found))
        return false;
    RpQuaternion_Interpolate(OF_THREAD_WITH(build, core), input->q0, input->q1, input->t, found);
    RpQuaternion_Interpolate(OF_THREAD_WITH(build, x87), input->q0, input->q1, input->t, expected);
    if (memcmp(found, expected, sizeof found) == 0)
        return true;
    for (int i = 0; i < 4; i++)
        print_error("q0[%d] %a, q1[%d] %a: %a, expected %a\n", i, (double)input->q0[i], i,
                    (double)input->q1[i], (double)found[i], (double)expected[i]);
    fail_msg("build %s, t %a", RpBuild_Name(build), (double)input->t);
    return true;
}

static int UseGamesWord(void **state) {
    (void)state;
    Rounding_Set((Rounding){GAMES_WORD, MXCSR});
    return 0;
}

TEST(CoreAndX87Agree) {
    static const struct {
        RpBuild build;
        const char *order;
    } kinds[] = {{RP_BUILD_GENERIC, "dot4=sequential"}, {RP_BUILD_SSE, "dot4-sse=halves"},
                 {RP_BUILD_GENERIC, "dot4=pairs"},      {RP_BUILD_SSE, "dot4-sse=sequential"},
                 {RP_BUILD_GENERIC, "dot4=reverse"},    {RP_BUILD_SSE, "dot4-sse=pairs"},
                 {RP_BUILD_GENERIC, "dot4=w-last"}};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    Random random = {.state = 20261123};
    uint64_t served = 0;
    for (int k = 0; k < KINDS; k++) {
        char words[64];
        const RpReadings core = Readings(kinds[k].order);
        snprintf(words, sizeof words, "%s,slerp-weights=stored", kinds[k].order);
        const RpReadings x87 = Readings(words);
        for (uint64_t i = 0; i < (k < 2 ? calls : calls / 4); i++) {
            Input input;
            RandomPair_Make(&random, &input);
            const bool is_served = Compare(kinds[k].build, &core, &x87, &input);
            served += k == 0 && is_served;
        }
    }
    print_message("the core served %.3f %% of the calls\n", 100.0 * (double)served / (double)calls);
    assert_true(served > calls / 10 * 9);
}

/* Puts numbers of every class in every place, among ordinary numbers and among other such
 * numbers. */
TEST(SpecialValues) {
    const RpReadings core = Readings(""), x87 = Readings("slerp-weights=stored");
    Random random = {.state = 7};
    for (int round = 0; round < 400; round++)
        for (int place = 0; place < 9; place++)
            for (uint32_t special = 0; special < special_value_count; special++) {
                Input input;
                float *const numbers = input.q0; /* nine numbers in a row */
                RandomPair_Make(&random, &input);
                *(volatile uint32_t *)(void *)&numbers[place] = special_values[special];
                if (round % 2)
                    RandomPair_PutSpecial(&random, &input);
                Compare(RP_BUILD_GENERIC, &core, &x87, &input);
                Compare(RP_BUILD_SSE, &core, &x87, &input);
            }
}

/* Puts numbers at the ends of the ranges that the core takes. */
TEST(Ranges) {
    static const float q[4] = {0.8f, 0.0f, 0.6f, 0.0f};
    float result[4], other[4] = {0.6f, 0.0f, -0.1f, 0.3f};
    float t = 0x1p-40f;
    assert_true(Exact_Slerp(EXACT_SEQUENTIAL, q, other, &t, result));
    t = nextafterf(t, 0);
    assert_false(Exact_Slerp(EXACT_SEQUENTIAL, q, other, &t, result));
    t = nextafterf(1, 2);
    assert_false(Exact_Slerp(EXACT_SEQUENTIAL, q, other, &t, result));
    t = 0.25f;
    /* The dot product is -0, which the x87 does not treat as negative. */
    static const float zeros[4] = {-0.0f, -0.0f, -0.0f, -0.0f};
    assert_false(Exact_Slerp(EXACT_SEQUENTIAL, q, zeros, &t, result));
    static const float accepted[] = {0x1p-40f, -0x1p-40f, 0x1p40f, 0.0f, -0.0f};
    static const float refused[] = {0x1.fffffep-41f, 0x1.000002p40f, INFINITY, NAN, 0x1p-149f};
    for (int i = 0; i < 5; i++) {
        other[1] = accepted[i];
        assert_true(Exact_Slerp(EXACT_SEQUENTIAL, q, other, &t, result));
        other[1] = refused[i];
        assert_false(Exact_Slerp(EXACT_SEQUENTIAL, q, other, &t, result));
    }
}

/* ---- roundings that cannot be decided -------------------------------------------------------- */

typedef enum Rounded { RECIPROCAL, PHI, WEIGHT1, WEIGHT0 } Rounded;

/* Cosines and fractions for which the named number is the first that lies within the window around
 * the middle of two numbers of 24 bits, above the middle or below it. Of random inputs, one in
 * eight million lies in a window, and a window that had one side only would refuse too little
 * without giving a wrong bit. */
static const struct Undecided {
    Rounded rounded;
    bool above;
    float c, t;
} undecided[] = {{RECIPROCAL, true, 0x1.f9f9fap-1f, 0x1.d3541cp-2f},
                 {RECIPROCAL, false, 0x1.fe3b2ap-2f, 0x1.d3541cp-2f},
                 {PHI, true, 0x1.fa995p-2f, 0x1.f13878p-1f},
                 {PHI, false, 0x1.37bacp-3f, 0x1.e02ba8p-2f},
                 {WEIGHT1, true, 0x1.54781cp-1f, 0x1.fc5f16p-1f},
                 {WEIGHT1, false, 0x1.e26f4p-6f, 0x1.3d1884p-2f},
                 {WEIGHT0, true, 0x1.a6212cp-1f, 0x1.8d575cp-1f},
                 {WEIGHT0, false, 0x1.52433ep-1f, 0x1.fffffcp-1f}};
enum { UNDECIDED = sizeof undecided / sizeof *undecided };

/* Returns the number before it is rounded, in binary64. */
static double Unrounded(const struct Undecided *of) {
    const ExactAngle angle = Exact_Angle(of->c);
    const double phi = angle.theta * (double)of->t;
    const ExactSineCosine of_phi = Exact_SineCosine((double)(float)phi);
    const double w1 = of_phi.sine * (double)(float)angle.reciprocal_sine;
    const double numbers[] = {angle.reciprocal_sine, phi, w1,
                              of_phi.cosine - (double)((float)w1 * of->c)};
    return numbers[of->rounded];
}

TEST(BothSidesOfEachWindow) {
    ExactRotations q0 = {0}, q1 = {0}, result;
    float t[EXACT_MANY] = {0};
    for (int i = 0; i < UNDECIDED; i++) {
        const struct Undecided *const of = &undecided[i];
        const double number = Unrounded(of);
        const double window = of->rounded == WEIGHT0 ? EXACT_COSINE_ERROR
                                                     : EXACT_WINDOW * ldexp(1, ilogb(number) - 52);
        const float nearest = (float)number;
        assert_true((float)(number + (of->above ? -window : window)) != nearest);
        assert_true((float)(number + (of->above ? window : -window)) == nearest);
        const float from[4] = {1}, to[4] = {of->c, 0.5f};
        float one[4];
        assert_false(Exact_Slerp(EXACT_SEQUENTIAL, from, to, &of->t, one));
        q0.number[0][i] = 1;
        q1.number[0][i] = of->c;
        q1.number[1][i] = 0.5f;
        t[i] = of->t;
    }
    for (const ExactWidth *const *width = Exact_Widths(); *width; width++)
        assert_int_equal((*width)->interpolate(&q0, &q1, t, UNDECIDED, EXACT_SEQUENTIAL, &result),
                         (1u << UNDECIDED) - 1);
}

/* If the core refuses, nothing is written. The result may be one of the inputs. */
TEST(TheResultIsWrittenLast) {
    static const float q0[4] = {1, 0, 0, 0}, q1[4] = {0.6f, 0.8f, 0, 0};
    float in_place[4] = {0.6f, 0.8f, 0, 0}, apart[4] = {0};
    float t = 2;
    assert_false(Exact_Slerp(EXACT_SEQUENTIAL, q0, in_place, &t, in_place));
    assert_memory_equal(in_place, q1, sizeof q1);
    t = 0.3f;
    assert_true(Exact_Slerp(EXACT_SEQUENTIAL, q0, q1, &t, apart));
    assert_true(Exact_Slerp(EXACT_SEQUENTIAL, q0, in_place, &t, in_place));
    assert_memory_equal(in_place, apart, sizeof apart);
}

/* The core serves only under words that ask for what it gives: 24 bits, to nearest, all exceptions
 * masked. */
TEST(Words) {
    for (uint32_t word = 0; word <= 0x0F3F; word++) {
        if ((word & 0xC0) || (word & 0x3F) != 0x3F)
            continue; /* an unmasked exception would end this test */
        Rounding_Set((Rounding){(uint16_t)(word | 0x40), MXCSR});
        assert_int_equal(Exact_IsInForce(OF_THREAD(RP_BUILD_GENERIC)), (word & 0x0F00) == 0);
    }
    static const struct {
        uint32_t mxcsr;
        bool serves;
    } modes[] = {{0x1F80, true},  {0x1FBF, true},  {0x9F80, true}, {0x1FC0, true},
                 {0x3F80, false}, {0x5F80, false}, {0x7F80, false}};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        Rounding_Set((Rounding){GAMES_WORD, modes[i].mxcsr});
        assert_int_equal(Exact_IsInForce(OF_THREAD(RP_BUILD_GENERIC)), modes[i].serves);
    }
}

/* It must not make a difference that the caller's MXCSR flushes denormals or takes them as zero. */
TEST(ModesForDenormals) {
    const RpReadings core = Readings(""), x87 = Readings("slerp-weights=stored");
    static const uint32_t modes[] = {0x9F80, 0x1FC0, 0x9FC0};
    Random random = {.state = 11};
    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
        Rounding_Set((Rounding){GAMES_WORD, modes[m]});
        for (int i = 0; i < 20000; i++) {
            Input input;
            RandomPair_Make(&random, &input);
            for (int k = 0; i % 2 && k < 4; k++)
                input.q1[k] = ldexpf(input.q1[k], -(int)Random_Below(&random, 150));
            Compare(RP_BUILD_GENERIC, &core, &x87, &input);
            Compare(RP_BUILD_SSE, &core, &x87, &input);
        }
    }
}

/* A caller who asks for a control word gets the core and that word's bits, whatever the thread's
 * own state is, which is kept. */
TEST(AWordByValueNeedsNoMode) {
    const Rounding odd = {0x037F, 0x7F80};
    Random random = {.state = 12};
    int by_core = 0;
    for (int i = 0; i < 20000; i++) {
        const RpArithmetic arithmetic = {.build = i % 2 ? RP_BUILD_SSE : RP_BUILD_GENERIC};
        Input input;
        float expected[4], found[4], many[1][4], angles[2][2];
        RandomPair_Make(&random, &input);
        const ArcWay way = Arc_Interpolate(&arithmetic, input.q0, input.q1, input.t, expected);
        RpScalar_SineCosine(&arithmetic, input.t, &angles[0][0], &angles[0][1]);
        const Rounding before = Rounding_Get();
        Rounding_Set(odd);
        const ArcWay same = Arc_Interpolate(&arithmetic, input.q0, input.q1, input.t, found);
        RpQuaternion_InterpolateMany(&arithmetic, 1, (const float(*)[4])input.q0,
                                     (const float(*)[4])input.q1, &input.t, many);
        RpScalar_SineCosine(&arithmetic, input.t, &angles[1][0], &angles[1][1]);
        const Rounding after = Rounding_Get();
        Rounding_Set(before);
        assert_int_equal(after.mxcsr & ~0x3Fu, odd.mxcsr);
        assert_int_equal(after.control_word, odd.control_word);
        assert_int_equal(same, way);
        assert_memory_equal(found, expected, sizeof found);
        assert_memory_equal(many[0], expected, sizeof expected);
        assert_memory_equal(angles[0], angles[1], sizeof angles[0]);
        by_core += same == ARC_BY_CORE;
    }
    assert_true(by_core > 10000);
}

AROUND_EACH(UseGamesWord, NULL)

int main(int argc, char **argv) {
    if (argc > 1)
        calls = strtoull(argv[1], NULL, 10);
    return Tests_Run();
}
