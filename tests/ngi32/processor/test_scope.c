/* Tests RpArithmetic: results are those under the control word that it asks for, whatever the
 * thread has, and the thread keeps its own state. */
#include "tests/ngi32/functions.h"
#include "tests/of_thread.h"
#include "tests/test.h"
#include "tests/unmasked.h"

#include <stddef.h>
#include <string.h>

enum { CASES = 400 };

static void InterpolateMany(const RpArithmetic *arithmetic, float *in, float *out, Result *result) {
    (void)result;
    RpQuaternion_InterpolateMany(arithmetic, 2, (const float(*)[4])in, (const float(*)[4])(in + 8),
                                 in + 16, (float(*)[4])out);
}

/* The functions that the model has, and one more. */
static const Function *At(int index) {
    static const Function many = {"InterpolateMany", 18, 8, InterpolateMany, NULL};
    return index < FUNCTION_COUNT ? &functions[index] : &many;
}
enum { ALL_FUNCTIONS = FUNCTION_COUNT + 1 };

/* What a call leaves: numbers that it may have changed, outputs, and what it returns. */
typedef struct Answer {
    Memory memory;
    Result result;
} Answer;

static void Call(int function, const RpArithmetic *arithmetic, const Memory *in, Answer *answer) {
    memset(answer, 0, sizeof *answer);
    answer->memory = *in;
    At(function)->ours(arithmetic, answer->memory.at, answer->memory.at + MAX_INPUTS,
                       &answer->result);
}

static void Draw(Random *random, InputKind kind, Memory *in) {
    memset(in, 0, sizeof *in);
    Random_Fill(random, kind, in->at, MAX_INPUTS);
}

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

/* Calls with `arithmetic` in a thread in that state, which has to be there afterwards. */
static void CallIn(Rounding state, int function, const RpArithmetic *arithmetic, const Memory *in,
                   Answer *answer) {
    const Rounding own = Swap(state);
    Call(function, arithmetic, in, answer);
    AssertModes(state, Swap(own));
}

static const Rounding strange[] = {{0x037F, 0x1F80}, {0x007F, 0x1F80}, {0x0F7F, 0x7F80},
                                   {0x027F, 0x9FC0}, {0x077F, 0x3F80}, {0x007F, 0x5FC0}};
enum { STRANGE = sizeof strange / sizeof *strange };

TEST(TheControlWordIsASetting) {
    static const uint16_t words[] = {0, 0x007F, 0x0F7F, 0x027F, 0x0B7F, 0x037F, 0x0340};
    Random random = {1};
    size_t differing = 0;
    for (int i = 0; i < CASES; i++) {
        Memory in;
        Answer expected, found, games;
        Draw(&random, INPUT_ORDINARY, &in);
        for (int function = 0; function < ALL_FUNCTIONS; function++)
            for (int build = 0; build < RP_BUILD_COUNT; build++) {
                const uint16_t word = words[i % 7];
                const Rounding wanted = {(uint16_t)(word ? word | 0x3F : 0x007F), 0x1F80};
                const RpArithmetic arithmetic = {(RpBuild)build, .control_word = word};
                CallIn(wanted, function, OF_THREAD((RpBuild)build), &in, &expected);
                for (int s = 0; s < STRANGE; s++) {
                    CallIn(strange[s], function, &arithmetic, &in, &found);
                    assert_memory_equal(&found, &expected, sizeof found);
                }
                CallIn((Rounding){0x007F, 0x1F80}, function, OF_THREAD((RpBuild)build), &in,
                       &games);
                differing += memcmp(&games, &expected, sizeof games) != 0;
            }
    }
    assert_true(differing > CASES); /* the words do make a difference */
}

TEST(NullMeansTheGamesGenericBuild) {
    Random random = {2};
    const RpArithmetic defaults = {.build = RP_BUILD_GENERIC};
    for (int i = 0; i < CASES; i++) {
        Memory in;
        Answer expected, found;
        Draw(&random, INPUT_ORDINARY, &in);
        for (int function = 0; function < ALL_FUNCTIONS; function++) {
            Call(function, &defaults, &in, &expected);
            Call(function, NULL, &in, &found);
            assert_memory_equal(&found, &expected, sizeof found);
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
    const bool returns_in_st0 =
        At(function)->outputs == 0 && strcmp(At(function)->name, "PolygonContains") != 0;
    return sizeof(void *) == 8 && !returns_in_st0;
}

/* Whatever exceptions a caller has unmasked, the caller does not get exceptions from our steps. The
 * caller's flags come back, and no others. */
TEST(UnmaskedExceptionsStayTheCallers) {
    Random random = {3};
    for (unsigned unmasked = 1; unmasked <= EXCEPTIONS; unmasked++)
        for (int i = 0; i < 6 * INPUT_KIND_COUNT; i++) {
            const unsigned raised = i % 2 ? Random_Next(&random) & EXCEPTIONS : 0;
            Memory in;
            Answer expected, found;
            Draw(&random, (InputKind)(i / 6), &in);
            for (int function = 0; function < ALL_FUNCTIONS; function++)
                for (int build = 0; build < RP_BUILD_COUNT; build++) {
                    const RpArithmetic arithmetic = {.build = (RpBuild)build};
                    const unsigned sticky = MayPend(function) ? raised : raised & ~unmasked;
                    Call(function, &arithmetic, &in, &expected);
                    const Unmasked thread = Unmasked_Begin(unmasked, sticky);
                    Call(function, &arithmetic, &in, &found);
                    Unmasked_End(thread, function);
                    assert_memory_equal(&found, &expected, sizeof found);
                }
        }
}
