/* Tests RpArithmetic: results are those under the control word that it asks for, whatever the
 * thread has, and the thread keeps its own state. */
#include "retropose/fastproc.h"
#include "retropose/pose.h"
#include "tests/of_thread.h"

#include "floats.h"
#include "tests/test.h"
#include "tests/unmasked.h"

#include <string.h>

#include <stddef.h>

enum { CASES = 400, ANSWER = 16, FUNCTIONS = 19 };

static Rounding Swap(Rounding rounding) {
    const Rounding before = Rounding_Get();
    Rounding_Set(rounding);
    return before;
}

/* Compares without the sticky flags. */
static void AssertModes(Rounding expected, Rounding found) {
    assert_int_equal(expected.control_word, found.control_word);
    assert_int_equal(expected.mxcsr & ~0x3Fu, found.mxcsr & ~0x3Fu);
}

static void PutReal(long double value, float *answer) {
    memcpy(answer, &value, 10);
}

static void Call(int function, const RpArithmetic *arithmetic, const float *in,
                 float answer[ANSWER]) {
    const float *const vertices[3] = {in, in + 3, in + 6};
    memset(answer, 0, ANSWER * sizeof *answer);
    memcpy(answer, in, 3 * sizeof *answer); /* a copy, for functions that change their input */
    switch (function) {
    case 0:
        RpQuaternion_Interpolate(arithmetic, in, in + 4, in[8], answer);
        break;
    case 1:
        RpQuaternion_ToMatrix(arithmetic, in, answer);
        break;
    case 2:
        RpQuaternion_ToMirroredMatrix(arithmetic, in, answer);
        break;
    case 3:
        RpMatrix_Product34(arithmetic, in, in + 12, answer);
        break;
    case 4:
        RpMatrix_Product(arithmetic, in, in + 16, answer);
        break;
    case 5:
        RpMatrix_PoseProduct(arithmetic, in, in + 16, answer);
        break;
    case 6:
        RpMatrix_Rotate(arithmetic, in, in + 16, answer);
        break;
    case 7:
        RpMatrix_RotateTransposed(arithmetic, in, in + 16, answer);
        break;
    case 8:
        RpMatrix_PointToFrame(arithmetic, in, in + 16, answer);
        break;
    case 9:
        PutReal(RpScalar_ReciprocalSquareRoot(arithmetic, __builtin_fabsf(in[0])), answer);
        break;
    case 10:
        PutReal(RpVector_Normalise(arithmetic, answer), answer + 4);
        break;
    case 11:
        RpSegment_Plane(arithmetic, in, in + 3, in + 6, answer);
        break;
    case 12:
        RpLight_Combine(arithmetic, in, in + 3, in + 6, answer);
        break;
    case 13:
        PutReal(RpLight_DirectionalCosine(arithmetic, in, in + 3), answer);
        break;
    case 14:
        PutReal(RpLight_Highlight(arithmetic, in, in + 3, in[6], in + 7, 3), answer);
        break;
    case 15:
        RpLight_Point(arithmetic, in, in + 10, in + 13, answer);
        break;
    case 16:
        RpLight_Directional(arithmetic, in, 2, in + 12, in + 15, answer);
        break;
    case 17:
        RpQuaternion_InterpolateMany(arithmetic, 2, (const float(*)[4])in,
                                     (const float(*)[4])(in + 8), in + 16, (float(*)[4])answer);
        break;
    default:
        answer[4] = (float)RpPolygon_Contains(arithmetic, in + 9, vertices, 3, in + 13);
        RpScalar_SineCosine(arithmetic, in[0], answer, answer + 1);
        break;
    }
}

/* Calls with `arithmetic` in a thread in that state, which has to be there afterwards. */
static void CallIn(Rounding state, int function, const RpArithmetic *arithmetic, const float *in,
                   float answer[ANSWER]) {
    const Rounding own = Swap(state);
    Call(function, arithmetic, in, answer);
    AssertModes(state, Swap(own));
}

static const Rounding strange[] = {{0x037F, 0x1F80}, {0x007F, 0x1F80}, {0x0F7F, 0x7F80},
                                   {0x027F, 0x9FC0}, {0x077F, 0x3F80}, {0x007F, 0x5FC0}};
enum { STRANGE = sizeof strange / sizeof *strange };

TEST(the_control_word_is_a_setting) {
    static const uint16_t words[] = {0, 0x007F, 0x0F7F, 0x027F, 0x0B7F, 0x037F, 0x0340};
    Random random = {1};
    size_t differing = 0;
    for (int i = 0; i < CASES; i++) {
        float in[32], expected[ANSWER], found[ANSWER], games[ANSWER];
        Random_Fill(&random, INPUT_ORDINARY, in, 32);
        for (int function = 0; function < FUNCTIONS; function++)
            for (int build = 0; build < RP_BUILD_COUNT; build++) {
                const uint16_t word = words[i % 7];
                const Rounding wanted = {(uint16_t)(word ? word | 0x3F : 0x007F), 0x1F80};
                const RpArithmetic arithmetic = {(RpBuild)build, .control_word = word};
                CallIn(wanted, function, OF_THREAD((RpBuild)build), in, expected);
                for (int s = 0; s < STRANGE; s++) {
                    CallIn(strange[s], function, &arithmetic, in, found);
                    assert_memory_equal(found, expected, sizeof found);
                }
                CallIn((Rounding){0x007F, 0x1F80}, function, OF_THREAD((RpBuild)build), in, games);
                differing += memcmp(games, expected, sizeof games) != 0;
            }
    }
    assert_true(differing > CASES); /* the words do make a difference */
}

TEST(null_means_the_games_generic_build) {
    Random random = {2};
    const RpArithmetic defaults = {.build = RP_BUILD_GENERIC};
    for (int i = 0; i < CASES; i++) {
        float in[32], expected[ANSWER], found[ANSWER];
        Random_Fill(&random, INPUT_ORDINARY, in, 32);
        for (int function = 0; function < FUNCTIONS; function++) {
            Call(function, &defaults, in, expected);
            Call(function, NULL, in, found);
            assert_memory_equal(found, expected, sizeof found);
        }
    }
}

/* ---- unmasked exceptions --------------------------------------------------------------------- */

/* Returns whether an exception may be pending when a function returns, so that the caller's next
 * x87 instruction raises it. This is so if a number is returned in ST0, in all code that compilers
 * make for i686, and with Clang, which waits for exceptions after each instruction. */
static bool MayPend(int function) {
#ifdef __clang__
    return false;
#endif
    const bool returns_in_st0 = function == 9 || function == 10 || function == 13 || function == 14;
    return sizeof(void *) == 8 && !returns_in_st0;
}

/* Whatever exceptions a caller has unmasked, the caller does not get exceptions from our steps. The
 * caller's flags come back, and no others. */
TEST(unmasked_exceptions_stay_the_callers) {
    Random random = {3};
    for (unsigned unmasked = 1; unmasked <= EXCEPTIONS; unmasked++)
        for (int i = 0; i < 6 * INPUT_KIND_COUNT; i++) {
            const unsigned raised = i % 2 ? Random_Next(&random) & EXCEPTIONS : 0;
            float in[32], expected[ANSWER], found[ANSWER];
            Random_Fill(&random, (InputKind)(i / 6), in, 32);
            for (int function = 0; function < FUNCTIONS; function++)
                for (int build = 0; build < RP_BUILD_COUNT; build++) {
                    const RpArithmetic arithmetic = {.build = (RpBuild)build};
                    const unsigned sticky = MayPend(function) ? raised : raised & ~unmasked;
                    Call(function, &arithmetic, in, expected);
                    const Unmasked thread = Unmasked_Begin(unmasked, sticky);
                    Call(function, &arithmetic, in, found);
                    Unmasked_End(thread, function);
                    assert_memory_equal(found, expected, sizeof found);
                }
        }
}
