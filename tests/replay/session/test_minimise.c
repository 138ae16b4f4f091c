#include "tests/replay/fixture.h"

#include "replay/session/minimise.h"
#include "tracefile/format.h"
#include "tracefile/select.h"
#include "tracefile/trim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALLS 100

static uint16_t written_control = 0x027F;

/* Writes calls of slot 17 without outcomes. t of call i is i + 0.3. */
static void WriteCalls(const char *path) {
    TraceCall calls[CALLS];
    for (uint32_t i = 0; i < CALLS; i++) {
        float t = (float)i + 0.3f;
        uint32_t words[9] = {0x3F812345, 0, 0, 0, 0, 0x3F800000, 0, 0, 0};
        memcpy(&words[8], &t, 4);
        calls[i] = Fixture_Call("ngi32.slot17", i, words, sizeof words, NULL, 0);
        calls[i].outcome = TRACE_NOT_RUN;
        calls[i].control_in = written_control;
    }
    Fixture_Trace(path, calls, CALLS, false);
}

/* The planted fault shows as long as all needed calls are there and the checked word has the needed
 * value. */
typedef struct Fault {
    uint64_t needed[4];
    unsigned needed_count;
    bool (*shows)(const TraceCall *call);
    unsigned tries;
} Fault;

static RpStatus ShowsFault(void *context, const char *path, bool *differs, RpError *error) {
    Fault *fault = context;
    TraceReader *reader;
    TraceCall call;
    bool found;
    unsigned seen = 0;
    fault->tries++;
    assert_int_equal(TraceReader_Open(path, &reader, error), RP_OK);
    while (TraceReader_Next(reader, &call, &found, error) == RP_OK && found)
        for (unsigned i = 0; i < fault->needed_count; i++)
            seen += call.sequence == fault->needed[i] && (!fault->shows || fault->shows(&call));
    TraceReader_Close(reader);
    *differs = seen == fault->needed_count;
    return RP_OK;
}

static bool NeedsLargeT(const TraceCall *call) {
    uint32_t bits = Bytes_U32(call->inputs + 32);
    float t;
    memcpy(&t, &bits, 4);
    return t >= 40;
}

static void CountTries(void *context, uint64_t tries, uint64_t calls) {
    *(uint64_t *)context = tries;
    assert_true(calls <= CALLS);
}

static RpStatus Minimise(Fault *fault, MinimiseResult *result, const char *output) {
    const char *input = Fixture_Path("input"), *candidate = Fixture_Path("candidate");
    uint64_t tries = 0;
    const MinimiseOptions options = {.differs = ShowsFault,
                                     .context = fault,
                                     .candidate = candidate,
                                     .progress = CountTries,
                                     .progress_context = &tries};
    WriteCalls(input);
    RpStatus status = Minimise_Trace(input, output, &options, result, NULL);
    assert_int_equal(tries, result->tries);
    assert_null(fopen(candidate, "rb"));
    remove(input);
    return status;
}

static unsigned ReadSequences(const char *path, uint64_t *sequences) {
    TraceReader *reader;
    TraceCall call;
    bool found;
    unsigned count = 0;
    assert_int_equal(TraceReader_Open(path, &reader, NULL), RP_OK);
    while (TraceReader_Next(reader, &call, &found, NULL) == RP_OK && found)
        sequences[count++] = call.sequence;
    TraceReader_Close(reader);
    remove(path);
    return count;
}

TEST(OneFailingCallIsFound) {
    Fault fault = {{73}, 1, NULL, 0};
    MinimiseResult result;
    uint64_t left[CALLS];
    const char *output = Fixture_Path("output");
    assert_int_equal(Minimise(&fault, &result, output), RP_OK);
    assert_int_equal(result.calls_before, CALLS);
    assert_int_equal(result.calls_after, 1);
    assert_int_equal(ReadSequences(output, left), 1);
    assert_int_equal(left[0], 73);
    assert_true(result.tries < 100);
}

TEST(CallsThatOnlyFailTogetherAreKeptTogether) {
    Fault fault = {{3, 50, 99}, 3, NULL, 0};
    MinimiseResult result;
    uint64_t left[CALLS];
    const char *output = Fixture_Path("output");
    assert_int_equal(Minimise(&fault, &result, output), RP_OK);
    assert_int_equal(ReadSequences(output, left), 3);
    assert_int_equal(left[0], 3);
    assert_int_equal(left[1], 50);
    assert_int_equal(left[2], 99);
}

TEST(InputsBecomeAsSimpleAsTheDifferenceAllows) {
    Fault fault = {{73}, 1, NeedsLargeT, 0};
    MinimiseResult result;
    const char *output = Fixture_Path("output");
    assert_int_equal(Minimise(&fault, &result, output), RP_OK);
    TraceReader *reader = Fixture_Open(output);
    const TraceCall call = Fixture_Next(reader);
    assert_int_equal(Bytes_U32(call.inputs), 0);               /* was 1.0091 */
    assert_int_equal(Bytes_U32(call.inputs + 20), 0x3F800000); /* 1 counts as simple */
    assert_int_equal(Bytes_U32(call.inputs + 32), 0x42800000); /* 73.3 becomes 64 */
    assert_int_equal(call.control_in, 0x007F); /* the game's word, as the x87 stores it */
    assert_true(result.simplified >= 3);
    TraceReader_Close(reader);
    remove(output);
}

/* Calls of scenarios have the game's state already, so it is not tried, because each try is a run
 * of both hosts. */
TEST(TheGamesStateIsNotTriedAgain) {
    static const struct {
        uint16_t control;
        unsigned tries;
    } cases[] = {{0x027F, 1}, {0x003F, 1}, {0x007F, 0}};
    const char *output = Fixture_Path("output");
    uint64_t least = 0, left[CALLS];
    for (size_t i = sizeof cases / sizeof *cases; i-- > 0;) {
        Fault fault = {{73}, 1, NULL, 0};
        MinimiseResult result;
        written_control = cases[i].control;
        assert_int_equal(Minimise(&fault, &result, output), RP_OK);
        assert_int_equal(ReadSequences(output, left), 1);
        least = cases[i].tries ? least : result.tries;
        assert_int_equal(result.tries, least + cases[i].tries);
    }
    written_control = 0x027F;
}

/* Answers every call of a trace with a zero, as a provider would, and says whether it differs. */
typedef struct Rerun {
    const char *answered;
    bool differs;
    unsigned runs;
} Rerun;

static RpStatus Answer(void *context, const char *path, bool *differs, RpError *error) {
    Rerun *rerun = context;
    static const uint32_t zero[4];
    uint64_t sequences[CALLS];
    TraceCall calls[CALLS];
    (void)error;
    const unsigned count = ReadSequences(path, sequences);
    for (unsigned i = 0; i < count; i++)
        calls[i] = Fixture_Slerp(sequences[i], zero);
    Fixture_Trace(rerun->answered, calls, count, false);
    rerun->runs++;
    *differs = rerun->differs;
    return RP_OK;
}

static RpStatus MinimiseAndRun(Rerun *rerun, Fault *fault, const char *output) {
    const char *input = Fixture_Path("input"), *candidate = Fixture_Path("candidate");
    MinimiseResult result;
    const MinimiseOptions options = {.differs = ShowsFault,
                                     .context = fault,
                                     .candidate = candidate,
                                     .again = Answer,
                                     .again_context = rerun,
                                     .answered = rerun->answered};
    WriteCalls(input);
    const RpStatus status = Minimise_Trace(input, output, &options, &result, NULL);
    remove(input);
    remove(rerun->answered);
    return status;
}

TEST(WhatIsWrittenHasBeenRunAgain) {
    Fault fault = {{73}, 1, NULL, 0};
    Rerun rerun = {Fixture_Path("answered"), true, 0};
    const char *output = Fixture_Path("output");
    assert_int_equal(MinimiseAndRun(&rerun, &fault, output), RP_OK);
    assert_int_equal(rerun.runs, 1);
    TraceReader *reader = Fixture_Open(output);
    const TraceCall call = Fixture_Next(reader);
    assert_int_equal(call.sequence, 73);
    assert_int_equal(call.outcome, TRACE_RETURNED);
    assert_int_equal(call.output_size, 16);
    TraceReader_Close(reader);
    remove(output);
}

/* A difference that does not appear again is not caused by these calls. */
TEST(WhatDoesNotDifferAgainIsNotWritten) {
    Fault fault = {{73}, 1, NULL, 0};
    Rerun rerun = {Fixture_Path("answered"), false, 0};
    const char *output = Fixture_Path("output");
    assert_int_equal(MinimiseAndRun(&rerun, &fault, output), RP_CORRUPT);
    assert_null(fopen(output, "rb"));
}

TEST(NothingToMinimiseIsSaid) {
    Fault fault = {{CALLS + 1}, 1, NULL, 0};
    MinimiseResult result;
    assert_int_equal(Minimise(&fault, &result, Fixture_Path("output")), RP_NOT_FOUND);
    assert_int_equal(fault.tries, 1);
}

TEST(TwoEqualProvidersShowNoDifference) {
    const char *input = Fixture_Path("input");
    Provider native;
    bool differs = true;
    assert_int_equal(Provider_Open("native", &native, NULL), RP_OK);
    WriteCalls(input);
    MinimisePair pair = {.a = &native,
                         .b = &native,
                         .options = &(ProviderOptions){0},
                         .result_a = Fixture_Path("a"),
                         .result_b = Fixture_Path("b")};
    assert_int_equal(MinimisePair_Differs(&pair, input, &differs, NULL), RP_OK);
    assert_false(differs);
    assert_int_equal(Comparison_DifferenceCount(pair.last), 0);
    Comparison_Destroy(pair.last);
    remove(input);
}

/* ---- trimming -------------------------------------------------------------------------------- */

static void WriteMemories(const char *path) {
    static const uint8_t zero[8];
    const TraceRelocation to_3 = {0, 3, 0}, to_4 = {4, 4, 0};
    const TraceMemory memories[] = {{1, 8, zero, 0, NULL},
                                    {2, 8, zero, 1, &to_3},
                                    {3, 8, zero, 1, &to_4},
                                    {4, 4, zero, 0, NULL}};
    TraceCall calls[2];
    for (uint32_t i = 0; i < 2; i++)
        calls[i] = Fixture_Call("animesh.NodeString", i + 1, FIXTURE_WORDS(i + 1, 0),
                                FIXTURE_WORDS(i + 1, 4));
    Fixture_Put(
        path,
        (FixtureTrace){.memories = memories, .memory_count = 4, .calls = calls, .call_count = 2});
}

TEST(TrimmingKeepsWhatTheCallsReach) {
    const char *input = Fixture_Path("input"), *output = Fixture_Path("output");
    Selection *selection;
    TraceReader *reader;
    TraceCall call;
    uint64_t calls;
    bool found;
    WriteMemories(input);
    assert_int_equal(Selection_Parse("2", &selection, NULL), RP_OK);
    assert_int_equal(Trim_Trace(input, output, selection, false, true, &calls, NULL, NULL), RP_OK);
    assert_int_equal(calls, 1);
    assert_int_equal(TraceReader_Open(output, &reader, NULL), RP_OK);
    assert_true(TraceReader_Next(reader, &call, &found, NULL) == RP_OK && found);
    assert_int_equal(call.outcome, TRACE_RETURNED);
    assert_true(TraceReader_Next(reader, &call, &found, NULL) == RP_OK && !found);
    assert_null(TraceReader_Memory(reader, 1));
    assert_int_equal(TraceReader_MemoryCount(reader), 3);
    TraceReader_Close(reader);
    assert_int_equal(Trim_Trace(input, output, selection, true, false, &calls, NULL, NULL), RP_OK);
    assert_int_equal(TraceReader_Open(output, &reader, NULL), RP_OK);
    assert_true(TraceReader_Next(reader, &call, &found, NULL) == RP_OK && found);
    assert_int_equal(call.outcome, TRACE_NOT_RUN);
    TraceReader_Close(reader);
    Selection_Free(selection);
    remove(output);
    assert_int_equal(Selection_Parse("9", &selection, NULL), RP_OK);
    assert_int_equal(Trim_Trace(input, output, selection, false, false, &calls, NULL, NULL),
                     RP_NOT_FOUND);
    assert_null(fopen(output, "rb"));
    Selection_Free(selection);
    remove(input);
    assert_int_equal(Trim_Trace(input, output, NULL, false, false, &calls, NULL, NULL),
                     RP_NOT_FOUND);
}
