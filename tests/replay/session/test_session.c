#include "tests/replay/fixture.h"

#include "replay/session/session.h"
#include "tracefile/select.h"
#include "tracefile/stat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static Provider native;
static const char *work;

TEST_AROUND(OpenNative) {
    work = Fixture_MakeFolder("work");
    return Provider_Open("native", &native, NULL) != RP_OK;
}

/* Also tests that a session leaves nothing behind. */
TEST_AROUND(CloseNative) {
    return Fixture_DropFolder(work);
}

typedef struct Seen {
    uint64_t calls, total;
} Seen;

static void OnProgress(void *context, uint64_t calls, uint64_t total) {
    Seen *seen = context;
    assert_true(calls >= seen->calls && calls <= total);
    *seen = (Seen){calls, total};
}

static RpStatus Run(SessionInput *inputs, size_t count, unsigned jobs, Selection *selection,
                    CompareTotals *totals, RpError *error) {
    Seen seen = {0, 0};
    const SessionOptions options = {.inputs = inputs,
                                    .input_count = count,
                                    .a = &native,
                                    .b = &native,
                                    .selection = selection,
                                    .work_directory = work,
                                    .slice_calls = 1000,
                                    .jobs = jobs,
                                    .progress = OnProgress,
                                    .context = &seen};
    Comparison *comparison = Comparison_Create(&(CompareOptions){.selection = selection});
    RpStatus status = Session_Run(&options, comparison, error);
    Comparison_Totals(comparison, totals);
    Comparison_Destroy(comparison);
    if (!status && !selection)
        assert_int_equal(seen.calls, seen.total);
    return status;
}

static SessionInput Slots(uint64_t first, uint64_t count) {
    return (SessionInput){.scenario = Scenario_Find("slots"),
                          .seed = 1,
                          .first = first,
                          .count = count,
                          .force_cpu = -1};
}

TEST(SlicesTogetherAreTheWhole) {
    for (unsigned jobs = 0; jobs <= 3; jobs++) {
        SessionInput inputs[2] = {Slots(0, 5500), Slots(100, 7)};
        CompareTotals totals;
        assert_int_equal(Run(inputs, 2, jobs, NULL, &totals, NULL), RP_OK);
        assert_int_equal(totals.counts.compared + totals.counts.unsupported, 5507);
        assert_int_equal(totals.counts.different, 0);
    }
}

TEST(AStoredTraceIsReplayedAndSelected) {
    const char *path = Fixture_Path("stored");
    const ScenarioOptions options = {.seed = 3, .count = 2000, .force_cpu = -1, .compress = true};
    SessionInput input = {.trace = path};
    CompareTotals totals;
    Selection *selection;
    assert_int_equal(Scenario_Write(Scenario_Find("slots"), &options, path, NULL), RP_OK);
    assert_int_equal(Run(&input, 1, 1, NULL, &totals, NULL), RP_OK);
    assert_int_equal(totals.counts.compared + totals.counts.unsupported, 2000);
    assert_int_equal(Selection_Parse("10-19", &selection, NULL), RP_OK);
    assert_int_equal(Run(&input, 1, 1, selection, &totals, NULL), RP_OK);
    assert_int_equal(totals.counts.compared + totals.counts.unsupported, 10);
    Selection_Free(selection);
    assert_int_equal(Selection_Parse("5000", &selection, NULL), RP_OK);
    assert_int_equal(Run(&input, 1, 1, selection, &totals, NULL), RP_OK);
    assert_int_equal(totals.counts.compared, 0); /* the report counts that as an error */
    Selection_Free(selection);
    remove(path);
}

TEST(AnErrorOfATaskEndsTheSession) {
    const char *path = Fixture_Path("broken");
    SessionInput inputs[3] = {Slots(0, 3000), {.trace = path}, Slots(0, 9000)};
    CompareTotals totals;
    RpError error;
    Fixture_Write(path, "not a trace", 11);
    assert_int_equal(Run(inputs, 3, 2, NULL, &totals, &error), RP_CORRUPT);
    assert_string_equal(error.what, "not a trace");
    assert_true(totals.counts.compared + totals.counts.unsupported == 3000);
    remove(path);
    assert_int_equal(Run(inputs, 3, 2, NULL, &totals, &error), RP_NOT_FOUND);
}

TEST(StatCountsWhatATraceHolds) {
    const char *path = Fixture_Path("stat");
    TraceCall calls[70];
    const uint32_t outputs[4] = {0};
    TraceReader *reader;
    Stat stat;
    for (uint16_t i = 0; i < 70; i++) {
        calls[i] = Fixture_Slerp(i + 5u, outputs);
        calls[i].control_in = i;
        calls[i].violations = i == 0;
    }
    Fixture_Trace(path, calls, 70, false);
    assert_int_equal(TraceReader_Open(path, &reader, NULL), RP_OK);
    assert_int_equal(Stat_Collect(reader, NULL, &stat, NULL), RP_OK);
    assert_int_equal(stat.calls, 70);
    assert_int_equal(stat.first_sequence, 5);
    assert_int_equal(stat.last_sequence, 74);
    assert_int_equal(stat.outcomes[TRACE_RETURNED], 70);
    assert_int_equal(stat.violations, 1);
    assert_int_equal(stat.output_bytes, 70 * 16);
    assert_int_equal(stat.state_count, STAT_STATES);
    assert_int_equal(stat.other_states, 70 - STAT_STATES);
    assert_int_equal(stat.by_function[Abi_Find("ngi32.slot17") - abi_functions], 70);
    Stat_Free(&stat);
    TraceReader_Close(reader);
    remove(path);
}

AROUND_ALL(OpenNative, CloseNative)
