/* Tests of shadow mode: differences are found and written down, and the game never notices. */
#include "functions.h"
#include "tests/test.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Fixture {
    char folder[256], log[300], trace[300];
    LiveSettings settings;
    uint32_t *in, *in2, *out;
    char text[65536];
} Fixture;

static Fixture fixture;

TEST_AROUND(SetUp) {
    Game_MakeFolder(fixture.folder, sizeof fixture.folder);
    snprintf(fixture.log, sizeof fixture.log, "%s/shadow.log", fixture.folder);
    snprintf(fixture.trace, sizeof fixture.trace, "%s/shadow.rptrace", fixture.folder);
    fixture.settings = Game_Settings();
    snprintf(fixture.settings.shadow_log, sizeof fixture.settings.shadow_log, "shadow.log");
    fixture.in = Game_Floats();
    fixture.in2 = fixture.in + 64;
    fixture.out = fixture.in + 128;
    return 0;
}

TEST_AROUND(TearDown) {
    Observe_EndProcess();
    Game_RemoveFolder(fixture.folder);
    return 0;
}

static void Open(void) {
    Game_Open(fixture.folder, &fixture.settings);
}

/* Slot 45's arguments: a segment, a plane, and where the hit is written. */
#define HIT_ARGUMENTS                                                                              \
    (uint32_t[]) {                                                                                 \
        Game_Address(fixture.in), Game_Address(fixture.in2), Game_Address(fixture.in2 + 8),        \
            Game_Address(fixture.out)                                                              \
    }

/* Returns the log after its last lines were written. */
static const char *Log(void) {
    Observe_EndProcess();
    FILE *file = fopen(fixture.log, "rb");
    if (!file)
        return "";
    size_t size = fread(fixture.text, 1, sizeof fixture.text - 1, file);
    fixture.text[size] = 0;
    fclose(file);
    return fixture.text;
}

static uint32_t Count(const char *text, const char *words) {
    uint32_t count = 0;
    for (const char *at = text; (at = strstr(at, words)); at++)
        count++;
    return count;
}

static void Says(const char *log, const char *words) {
    if (!strstr(log, words))
        fail_msg("\"%s\" is not in:\n%s", words, log);
}

/* Demands the results of `Sum`, whatever the shadow does. */
static void Call(GameFunction shadow) {
    uint32_t expected[16];
    fixture.in[0]++;
    fixture.out[16] = 0xB0B0B0B0u;
    for (uint32_t i = 0; i < 16; i++)
        expected[i] = fixture.in[i % 4] + i;
    Game_Call("ngi32.slot14", Sum, shadow, false,
              (uint32_t[]){Game_Address(fixture.in), Game_Address(fixture.out)});
    assert_memory_equal(fixture.out, expected, sizeof expected);
    assert_int_equal(fixture.out[16], 0xB0B0B0B0u);
}

static void CallTimes(int calls, GameFunction shadow) {
    for (int i = 0; i < calls; i++)
        Call(shadow);
}

TEST(EqualFunctionsLeaveNoDifference) {
    Open();
    CallTimes(1000, Sum);
    const char *log = Log();
    assert_int_equal(Count(log, "difference "), 0);
    Says(log, "ngi32.slot14: compared 1000 of 1000 calls, differences 0");
}

TEST(ADifferenceIsWrittenWithBothValuesAndTheInputs) {
    Open();
    fixture.in[0] = 0x40000000u - 1;
    fixture.in[1] = 0x3F800000u;
    Call(SumWrong);
    const char *log = Log();
    Says(log, "difference 1 of ngi32.slot14 QuaternionToMatrix, its call 1 "
              "(control word 027F, MXCSR 1F80)");
    Says(log, "  matrix[2][1]: stand-in 3F800009 1.00000107, replacement "
              "3F80000A 1.00000119, 1 ulp\r\n");
    Says(log, "  input quaternion[0] = 40000000 2\r\n");
    assert_int_equal(Count(log, ": stand-in "), 1);
}

TEST(TheFirstDifferencesAreWrittenAndAllAreCounted) {
    fixture.settings.shadow_first = 5;
    Open();
    CallTimes(50, SumWrong);
    const char *log = Log();
    assert_int_equal(Count(log, "difference "), 5);
    Says(log, "compared 50 of 50 calls, differences 50");
}

TEST(DifferingCallsAreInATraceBesideTheLog) {
    fixture.settings.shadow_first = 3;
    Open();
    for (int i = 0; i < 10; i++) {
        Call(Sum);
        Call(SumWrong);
    }
    Observe_EndProcess();
    assert_int_equal(Game_ReadTrace(fixture.trace, false).calls, 3);
    TraceReader *reader;
    TraceCall call;
    RpError error;
    bool found;
    char provider[32];
    assert_int_equal(TraceReader_Open(fixture.trace, &reader, &error), RP_OK);
    TraceHeader_Get(TraceReader_Header(reader), "provider", provider, sizeof provider);
    assert_string_equal(provider, "stand-in");
    assert_int_equal(TraceReader_Next(reader, &call, &found, &error), RP_OK);
    uint32_t element, input;
    memcpy(&element, call.outputs + 36, 4);
    memcpy(&input, call.inputs + 4, 4);
    assert_int_equal(element, input + 9); /* the original's answer, not the wrong one */
    TraceReader_Close(reader);
}

TEST(OneCallInSoManyIsCompared) {
    fixture.settings.shadow_sample = 8;
    Open();
    CallTimes(800, SumWrong);
    Says(Log(), "compared 100 of 800 calls, differences 100");
}

TEST(TheLogNeverGrowsBeyondItsLimit) {
    fixture.settings.shadow_first = 1000;
    fixture.settings.shadow_limit = 4096;
    Open();
    CallTimes(200, SumWrong);
    const char *log = Log();
    assert_true(strlen(log) <= 4096);
    Says(log, "the log is full");
    assert_int_equal(Count(log, "the log is full"), 1);
}

TEST(ACrashOfTheShadowIsWrittenAndTheGameGoesOn) {
    Open();
    CallTimes(10, SumCrash);
    const char *log = Log();
    assert_int_equal(Count(log, "crash in ngi32.slot14"), 3);
    Says(log, "crashes 3");
    Says(log, "no longer compared");
}

TEST(BytesOutsideOfTheOutputsAreADifference) {
    Open();
    Call(SumSloppy);
    Says(Log(), "bytes outside of its outputs changed");
}

TEST(AFloatResultIsComparedWithAllItsBits) {
    Open();
    uint32_t arguments[] = {Game_Address(fixture.in)};
    Game_Call("ngi32.slot38", Length, Length, false, arguments);
    Game_Call("ngi32.slot38", Length, LengthWrong, false, arguments);
    const char *log = Log();
    Says(log, "compared 2 of 2 calls, differences 1");
    Says(log, "  return: stand-in 4000");
}

TEST(ResultsAndControlWordsAreCompared) {
    Open();
    fixture.in[0] = 3;
    Game_Call("ngi32.slot45", Hit, HitWrong, false, HIT_ARGUMENTS);
    const char *log = Log();
    Says(log, "  return: stand-in 00000001 1, replacement 00000002 2\r\n");
    Says(log, "  control word: stand-in 027F, replacement 037F\r\n");
    Says(log, "  MXCSR: stand-in 1F80, replacement 9F80\r\n");
}

static void NullSlot(const uint32_t *arguments, LiveResult *result) {
    (void)arguments;
    result->eax = 0;
}

TEST(APointerResultAndWholeNumbersAreWritten) {
    GameModel game;
    Game_Load(&game, 10);
    Open();
    Game_Call("animesh.FindSlot", FindSlot, NullSlot, false,
              (uint32_t[]){Game_Address(game.pieces), 1, UINT32_MAX});
    const char *log = Log();
    Says(log, "  return: stand-in ");
    Says(log, "  input variant = FFFFFFFF -1\r\n");
}

TEST(WhatCannotBeCopiedIsCountedAndPassedThrough) {
    Open();
    fixture.in[0] = 2;
    Game_Call("ngi32.slot45", Hit, Hit, false,
              (uint32_t[]){Game_Address(fixture.in), 16, 16, Game_Address(fixture.out)});
    Says(Log(), "compared 0 of 1 calls, differences 0, crashes 0, not "
                "comparable 1");
}

TEST(AnotherLimitMakesRoomInAFullLog) {
    fixture.settings.shadow_first = 1000;
    fixture.settings.shadow_limit = 2048;
    Open();
    CallTimes(50, SumWrong);
    fixture.settings.shadow_limit = 1 << 20;
    Observe_Change(&fixture.settings);
    Call(SumWrong);
    Says(Log(), "difference 51 of ngi32.slot14");
}

/* The game computes a <- a * b. Each element is written before the next is computed. */
TEST(SharedMemoryIsSharedByTheCopies) {
    Open();
    uint32_t arguments[] = {Game_Address(fixture.in), Game_Address(fixture.in2),
                            Game_Address(fixture.in)};
    Game_Call("ngi32.slot23", Product, Product, false, arguments);
    Game_Call("ngi32.slot23", Product, ProductInPlace, false, arguments);
    Says(Log(), "compared 2 of 2 calls, differences 1");
}

TEST(AnOutputStartsWithWhatWasInIt) {
    Open();
    fixture.in[0] = 2; /* the function does not hit, and neither side writes anything */
    Game_Call("ngi32.slot45", Hit, Hit, false, HIT_ARGUMENTS);
    Says(Log(), "compared 1 of 1 calls, differences 0");
}

TEST(PiecesAreReadWhereTheyAre) {
    GameModel game;
    Game_Load(&game, 9);
    Open();
    uint32_t arguments[] = {Game_Address(game.pieces), 3, Game_Address(fixture.out),
                            Game_Address(fixture.out + 4)};
    Game_Call("animesh.SampleNode", SampleNode, SampleNode, false, arguments);
    Game_Call("animesh.FindSlot", FindSlot, FindSlot, false,
              (uint32_t[]){Game_Address(game.pieces), 1, 0});
    const char *log = Log();
    assert_int_equal(Count(log, "compared 1 of 1 calls, differences 0"), 2);
}

static uint32_t inner_calls;

static void Inner(const uint32_t *arguments, LiveResult *result) {
    inner_calls++;
    Sum(arguments, result);
}

static void Outer(const uint32_t *arguments, LiveResult *result) {
    (void)result;
    Game_Call("ngi32.slot14", Inner, SumWrong, true, arguments);
}

TEST(CallsInsideOfAShadowAreNobodys) {
    fixture.settings.record = true;
    Open();
    inner_calls = 0;
    Game_Call("ngi32.slot15", Outer, Outer, false,
              (uint32_t[]){Game_Address(fixture.in), Game_Address(fixture.out)});
    assert_int_equal(inner_calls, 2); /* but slot 14 was only observed in the first call */
    const char *log = Log();
    Says(log, "ngi32.slot14: compared 1 of 1 calls");
    char path[320];
    snprintf(path, sizeof path, "%s/game.rptrace", fixture.folder);
    assert_int_equal(Game_ReadTrace(path, false).calls, 1);
}

static void *CallMuch(void *context) {
    uint32_t *in = Game_Memory(4096);
    LiveResult result;
    (void)context;
    for (uint32_t i = 0; i < 5000; i++) {
        in[0] = i;
        result = Game_Call("ngi32.slot14", Sum, i % 500 ? Sum : SumWrong, true,
                           (uint32_t[]){Game_Address(in), Game_Address(in + 64)});
        if (in[64 + 12] != i + 12)
            return in;
    }
    (void)result;
    return NULL;
}

TEST(ThreadsCompareAndRecordAtOnce) {
    pthread_t threads[4];
    fixture.settings.record = true;
    fixture.settings.shadow_first = 10;
    Open();
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, CallMuch, NULL);
    for (int i = 0; i < 4; i++) {
        void *failed;
        pthread_join(threads[i], &failed);
        assert_null(failed);
    }
    const char *log = Log();
    Says(log, "compared 20000 of 20000 calls, differences 40");
    assert_int_equal(Count(log, "difference "), 10);
    assert_int_equal(Game_ReadTrace(fixture.trace, false).calls, 10);
}

TEST(ALogThatCannotBeOpenedIsSaidOnce) {
    snprintf(fixture.settings.shadow_log, sizeof fixture.settings.shadow_log, "no/shadow.log");
    Open();
    Call(SumWrong);
    Call(SumWrong);
    assert_int_equal(Count(Game_Log(), "cannot open"), 1);
}

AROUND_EACH(SetUp, TearDown)
