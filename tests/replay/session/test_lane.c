/* Tests that calls of scenarios have the same results in shared memory as through files, whatever
 * the pairs do: equal pairs, the stand-in's variants, and pairs that break rules, crash, exit and
 * hang. Everything runs through Wine or in machines. */
#include "tests/replay/host/orphan.h"

#include "replay/compare/known.h"
#include "replay/session/session.h"
#include "tests/engine.h"
#include "tests/test.h"
#include "tracefile/select.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char home[512], host[600], work[600];

/* Of the job that ran last in both ways: the totals, and how many of the calls ran in shared
 * memory. */
static CompareTotals totals;
static uint64_t shared;

static const char *const slots[] = {"slots", NULL}, *const mesh[] = {"mesh", NULL};

static Provider OpenPair(const char *name) {
    char path[700];
    Provider provider;
    RpError error = {0};
    snprintf(path, sizeof path, "%s/%s", home, name);
    if (Provider_Open(strcmp(name, "native") == 0 ? name : path, &provider, &error)) {
        print_error("%s: %s\n", error.what, error.where);
        fail();
    }
    return provider;
}

typedef struct Job {
    const char *original, *replacement, *selection, *known;
    const char *const *scenarios; /* names such as "NAME" or "NAME@BUILD", and a null at the end */
    uint64_t calls, first;
    uint64_t fewer; /* by how many calls each scenario is shorter than the one before it */
    uint32_t slice, endings;
    unsigned jobs, timeout_seconds; /* 0 jobs stands for one */
    bool fail_fast;
    ProviderEngine engine;
} Job;

static SessionInput Input(const Job *job, const char *text) {
    char name[64];
    const char *at = strchr(text, '@');
    snprintf(name, sizeof name, "%.*s", (int)(at ? at - text : (int)strlen(text)), text);
    SessionInput input = {.scenario = Scenario_Find(name),
                          .seed = 1,
                          .first = job->first,
                          .count = job->calls,
                          .force_cpu = -1,
                          .slot_build = at ? at + 1 : NULL};
    assert_non_null(input.scenario);
    snprintf(input.name, sizeof input.name, "%s", text);
    return input;
}

/* Runs a job and returns how many calls ran in shared memory. */
static uint64_t RunJob(const Job *job, bool through_files, const Selection *selection,
                       Comparison *comparison) {
    SessionInput inputs[32];
    size_t count = 0;
    uint64_t in_memory;
    RpError error = {0};
    Provider original = OpenPair(job->original), replacement = OpenPair(job->replacement);
    for (; job->scenarios[count]; count++) {
        inputs[count] = Input(job, job->scenarios[count]);
        inputs[count].count -= count * job->fewer;
    }
    const SessionOptions options = {
        .inputs = inputs,
        .input_count = count,
        .a = &original,
        .b = &replacement,
        .provider = {.engine = job->engine,
                     .host = host,
                     .timeout_seconds = job->timeout_seconds ? job->timeout_seconds : 1,
                     .most_endings = job->endings},
        .selection = selection,
        .work_directory = work,
        .slice_calls = job->slice,
        .jobs = job->jobs ? job->jobs : 1,
        .fail_fast = job->fail_fast,
        .through_files = through_files,
        .in_memory = &in_memory};
    if (Session_Run(&options, comparison, &error)) {
        print_error("%s: %s, %s\n", error.what, error.where, error.found);
        fail();
    }
    return in_memory;
}

static void SameBytes(const uint8_t *a, uint32_t a_size, const uint8_t *b, uint32_t b_size) {
    assert_int_equal(a_size, b_size);
    if (a_size > 0)
        assert_memory_equal(a, b, a_size);
}

static void SameDifference(const Difference *a, const Difference *b) {
    assert_ptr_equal(a->function, b->function);
    assert_int_equal(a->sequence, b->sequence);
    assert_string_equal(a->trace, b->trace);
    assert_string_equal(a->path, b->path);
    assert_int_equal(a->type, b->type);
    SameBytes(a->a, a->size, b->a, b->size);
    SameBytes(a->b, a->size, b->b, b->size);
    assert_int_equal(a->ulps, b->ulps);
    assert_int_equal(a->elements, b->elements);
    SameBytes(a->inputs, a->input_size, b->inputs, b->input_size);
    SameBytes(a->outputs_a, a->output_size_a, b->outputs_a, b->output_size_a);
    SameBytes(a->outputs_b, a->output_size_b, b->outputs_b, b->output_size_b);
    const uint32_t states_a[] = {a->control_in,   a->control_out_a, a->control_out_b, a->mxcsr_in,
                                 a->mxcsr_out_a,  a->mxcsr_out_b,   a->outcome_a,     a->outcome_b,
                                 a->violations_a, a->violations_b};
    const uint32_t states_b[] = {b->control_in,   b->control_out_a, b->control_out_b, b->mxcsr_in,
                                 b->mxcsr_out_a,  b->mxcsr_out_b,   b->outcome_a,     b->outcome_b,
                                 b->violations_a, b->violations_b};
    assert_memory_equal(states_a, states_b, sizeof states_a);
    assert_int_equal(a->followed != NULL, b->followed != NULL);
    if (a->followed)
        assert_memory_equal(a->followed, b->followed, sizeof *a->followed);
}

static void SameComparison(const Comparison *a, const Comparison *b) {
    assert_int_equal(Comparison_FunctionCount(a), Comparison_FunctionCount(b));
    for (size_t i = 0; i < Comparison_FunctionCount(a); i++) {
        const CompareFunction *x = Comparison_FunctionAt(a, i), *y = Comparison_FunctionAt(b, i);
        assert_ptr_equal(x->function, y->function);
        assert_memory_equal(&x->counts, &y->counts, sizeof x->counts);
        assert_memory_equal(&x->tally, &y->tally, sizeof x->tally);
        assert_int_equal(x->crashed_a, y->crashed_a);
        assert_int_equal(x->crashed_b, y->crashed_b);
    }
    assert_int_equal(Comparison_DifferenceCount(a), Comparison_DifferenceCount(b));
    for (size_t i = 0; i < Comparison_DifferenceCount(a); i++)
        SameDifference(Comparison_DifferenceAt(a, i), Comparison_DifferenceAt(b, i));
    assert_int_equal(Comparison_ConditionCount(a), Comparison_ConditionCount(b));
    for (size_t i = 0; i < Comparison_ConditionCount(a); i++) {
        const CompareCondition *x = Comparison_ConditionAt(a, i), *y = Comparison_ConditionAt(b, i);
        assert_true(Condition_Same(x, y));
        assert_int_equal(x->calls, y->calls);
    }
    assert_int_equal(Comparison_KnownCount(a), Comparison_KnownCount(b));
    for (size_t i = 0; i < Comparison_KnownCount(a); i++) {
        const CompareKnown *x = Comparison_KnownAt(a, i), *y = Comparison_KnownAt(b, i);
        assert_int_equal(x->covered, y->covered);
        assert_int_equal(x->matched, y->matched);
        assert_int_equal(x->stale, y->stale);
    }
}

/* Runs a job in both ways, and demands the same result. */
static void BothWays(const Job *job) {
    Comparison *comparisons[2];
    Selection *selection = NULL;
    KnownDifferences *known = NULL;
    if (job->selection)
        assert_int_equal(Selection_Parse(job->selection, &selection, NULL), RP_OK);
    if (job->known)
        assert_int_equal(KnownDifferences_Load(job->known, &known, NULL), RP_OK);
    for (int i = 0; i < 2; i++) {
        comparisons[i] =
            Comparison_Create(&(CompareOptions){.selection = selection, .known = known});
        assert_non_null(comparisons[i]);
        const uint64_t ran = RunJob(job, i == 1, selection, comparisons[i]);
        if (i == 0)
            shared = ran;
        else
            assert_int_equal(ran, 0);
    }
    SameComparison(comparisons[0], comparisons[1]);
    Comparison_Totals(comparisons[0], &totals);
    for (int i = 0; i < 2; i++)
        Comparison_Destroy(comparisons[i]);
    Selection_Free(selection);
    KnownDifferences_Free(known);
}

static const char *const some[] = {"slots", "slots@generic", "blends", "mesh", NULL};
static const char *const everything[] = {
    "slots", "slots@generic", "edges", "words", "poses", "blends", "models",  "table",
    "stubs", "control",       "ties",  "mesh",  "hard",  "rows",   "classes", NULL};

TEST(EqualPairsAreEqualBothWays) {
    const Job job = {.original = "standin",
                     .replacement = "replacement",
                     .scenarios = everything,
                     .calls = 3000,
                     .slice = 2000,
                     .jobs = 2};
    BothWays(&job);
    assert_int_equal(totals.counts.different, 0);
    assert_int_equal(shared, 3000 * 15);
}

/* The library of this process needs no host, and its answers are compared with those of one. */
TEST(AHostBesideTheLibraryIsTheSameBothWays) {
    Job job = {.original = "variants/readings",
               .replacement = "native",
               .scenarios = some,
               .calls = 3000,
               .slice = 2000,
               .jobs = 2};
    BothWays(&job);
    assert_true(totals.counts.different > 1000);
    assert_int_equal(shared, 3000 * 4);
    job.original = "native";
    job.replacement = "standin";
    BothWays(&job);
    assert_true(totals.counts.compared > 6000);
    assert_int_equal(shared, 3000 * 4);
}

/* Many calls of few kinds fill several parts one after another. */
TEST(MoreCallsThanAPartHoldsAreAllCompared) {
    static const char *const names[] = {"slots", "mesh", NULL};
    const Job job = {.original = "standin",
                     .replacement = "replacement",
                     .scenarios = names,
                     .calls = 30000,
                     .first = 123456};
    BothWays(&job);
    assert_int_equal(totals.counts.compared, 60000);
    assert_int_equal(shared, 60000);
}

TEST(PlantedDifferencesAreTheSameBothWays) {
    const Job job = {.original = "variants/readings",
                     .replacement = "replacement",
                     .scenarios = some,
                     .calls = 3000,
                     .slice = 2000,
                     .jobs = 2};
    BothWays(&job);
    assert_true(totals.counts.different > 1000);
    assert_true(totals.counts.different < totals.counts.compared / 2);
    assert_int_equal(shared, 3000 * 4);
}

/* The same calls are made once for several builds, and each build has answers of its own. */
TEST(BuildsThatShareCallsAreTheSameBothWays) {
    static const char *const names[] = {"slots", "slots@generic", "slots@fxch", "slots@sse", NULL};
    const Job job = {.original = "variants/readings",
                     .replacement = "replacement",
                     .selection = "ngi32.slot17,ngi32.slot22,ngi32.slot45",
                     .scenarios = names,
                     .calls = 12000,
                     .slice = 5000,
                     .jobs = 2};
    BothWays(&job);
    assert_true(totals.counts.different > 100);
    assert_int_equal(shared, 12000 * 4);
}

/* Only inputs with the same calls go together. */
TEST(BuildsWithOtherNumbersOfCallsAreAllRun) {
    static const char *const names[] = {"slots",      "slots@generic", "slots@generic",
                                        "slots@fxch", "words",         NULL};
    const Job job = {.original = "standin",
                     .replacement = "replacement",
                     .scenarios = names,
                     .calls = 3000,
                     .fewer = 500,
                     .slice = 2000};
    BothWays(&job);
    assert_int_equal(totals.counts.compared, 3000 + 2500 + 2000 + 1500 + 1000);
    assert_int_equal(shared, totals.counts.compared);
    const Job same = {.original = "standin",
                      .replacement = "replacement",
                      .scenarios = names,
                      .calls = 3000,
                      .slice = 2000};
    BothWays(&same);
    assert_int_equal(totals.counts.compared, 5 * 3000);
    assert_int_equal(shared, totals.counts.compared);
}

TEST(KnownDifferencesAreTheSameBothWays) {
    char path[700];
    snprintf(path, sizeof path, "%s/known.txt", work);
    FILE *file = fopen(path, "w");
    fputs("ngi32.slot17 | * | another reading\n"
          "ngi32.slot4:0-500 | product* | nothing differs here, so this line is stale\n",
          file);
    fclose(file);
    const Job job = {.original = "variants/readings",
                     .replacement = "replacement",
                     .known = path,
                     .scenarios = slots,
                     .calls = 4000};
    BothWays(&job);
    assert_true(totals.counts.known > 0);
    assert_int_equal(shared, 4000);
    remove(path);
}

TEST(ASelectionIsTheSameBothWays) {
    static const char *const names[] = {"slots", "blends", NULL};
    const Job job = {.original = "variants/readings",
                     .replacement = "replacement",
                     .selection = "ngi32.slot1*:100-1900,animesh.BlendPoses:7-9",
                     .scenarios = names,
                     .calls = 2000};
    BothWays(&job);
    assert_true(totals.counts.compared > 100);
    assert_true(totals.counts.different > 0);
}

TEST(FailFastStopsAtTheSameSlice) {
    static const char *const names[] = {"slots", "blends", "poses", NULL};
    const Job job = {.original = "variants/readings",
                     .replacement = "replacement",
                     .scenarios = names,
                     .calls = 2000,
                     .slice = 500,
                     .jobs = 2,
                     .fail_fast = true};
    BothWays(&job);
    assert_true(totals.counts.different > 0);
    assert_true(totals.counts.compared < 6000);
}

/* ---- pairs that misbehave -------------------------------------------------------------------- */

static void Rogue(const char *selection, uint64_t calls, uint32_t endings) {
    const Job job = {.original = "standin",
                     .replacement = "tests/replay/host/rogue",
                     .selection = selection,
                     .scenarios = slots,
                     .calls = calls,
                     .endings = endings};
    BothWays(&job);
}

TEST(BrokenRulesAreTheSameBothWays) {
    Rogue("ngi32.slot4,ngi32.slot7,ngi32.slot11,ngi32.slot14,ngi32.slot35,ngi32.slot38", 660, 0);
    assert_true(totals.counts.different > 150);
    assert_int_equal(shared, 660);
}

TEST(CrashesAreTheSameBothWays) {
    Rogue("ngi32.slot20,ngi32.slot22,ngi32.slot23,ngi32.slot38", 220, 0);
    assert_true(totals.counts.crashed > 20);
    assert_int_equal(shared, 220);
}

/* Runs calls of a function that leaves something behind, and of one that says what it finds. */
static void NothingIsLeftBy(const char *key, uint8_t violations) {
    static const uint8_t found[] = {0, 0, 0, 0, 0x7F, 0, 0xA5, 0xA5, 0x80, 0x1F, 0, 0};
    char text[64];
    Selection *selection = NULL;
    uint32_t finds = 0, leaves = 0;
    snprintf(text, sizeof text, "%s,ngi32.slot26", key);
    assert_int_equal(Selection_Parse(text, &selection, NULL), RP_OK);
    Comparison *comparison =
        Comparison_Create(&(CompareOptions){.selection = selection, .max_differences = 1000});
    const Job job = {.original = "standin",
                     .replacement = "tests/replay/host/leaves",
                     .scenarios = slots,
                     .calls = 660};
    assert_int_equal(RunJob(&job, false, selection, comparison), 660);
    for (size_t i = 0; i < Comparison_DifferenceCount(comparison); i++) {
        const Difference *difference = Comparison_DifferenceAt(comparison, i);
        assert_int_equal(difference->outcome_b, TRACE_RETURNED);
        if (strcmp(difference->function->key, key) == 0) {
            assert_int_equal(difference->violations_b, violations);
            leaves++;
            continue;
        }
        assert_int_equal(difference->violations_b, 0);
        SameBytes(difference->outputs_b, difference->output_size_b, found, sizeof found);
        finds++;
    }
    assert_true(finds > 20 && leaves > 20);
    Comparison_Destroy(comparison);
    Selection_Free(selection);
}

/* The x87 and MXCSR are left alone between two calls in shared memory, unless the next call would
 * notice a difference. */
TEST(WhatACallLeavesBehindIsGoneForTheNextOne) {
    NothingIsLeftBy("ngi32.slot14", 0);
    NothingIsLeftBy("ngi32.slot15", 0);
    NothingIsLeftBy("ngi32.slot17", 0);
    NothingIsLeftBy("ngi32.slot22", TRACE_X87_STACK);
    NothingIsLeftBy("ngi32.slot38", TRACE_X87_STACK);
}

/* Bytes that one call wrote around its outputs are not counted as violations of the next one. */
TEST(AWriteOutsideIsOneCallsViolation) {
    Selection *selection = NULL;
    uint32_t found = 0;
    assert_int_equal(Selection_Parse("ngi32.slot35", &selection, NULL), RP_OK);
    Comparison *comparison =
        Comparison_Create(&(CompareOptions){.selection = selection, .max_differences = 1000});
    const Job job = {.original = "standin",
                     .replacement = "tests/replay/host/leaves",
                     .scenarios = slots,
                     .calls = 220};
    assert_int_equal(RunJob(&job, false, selection, comparison), 0);
    assert_true(Comparison_DifferenceCount(comparison) > 5);
    for (size_t i = 0; i < Comparison_DifferenceCount(comparison); i++)
        found += Comparison_DifferenceAt(comparison, i)->violations_b == TRACE_OUTSIDE_WRITE;
    assert_int_equal(found, 1);
    Comparison_Destroy(comparison);
    Selection_Free(selection);
}

/* Which call wrote outside, and where, is found out through files. */
TEST(WritesOutsideAreTheSameBothWays) {
    static const char *const selections[] = {"ngi32.slot15,ngi32.slot38",
                                             "ngi32.slot17,ngi32.slot38",
                                             "ngi32.mrnPointInPoly,ngi32.slot38"};
    for (size_t i = 0; i < sizeof selections / sizeof *selections; i++) {
        Rogue(selections[i], 220, 0);
        assert_true(totals.counts.different > 5);
        assert_int_equal(shared, 0);
    }
}

/* Both sides break the same rules, so nothing differs; but a write outside is no equal answer, and
 * violations are counted in shared memory, too. */
TEST(RulesThatBothBreakAreTheSameBothWays) {
    Job job = {.original = "tests/replay/host/rogue",
               .replacement = "tests/replay/host/rogue",
               .selection = "ngi32.slot15,ngi32.slot11",
               .scenarios = slots,
               .calls = 220};
    BothWays(&job);
    assert_int_equal(totals.counts.different, 0);
    assert_true(totals.counts.wrote_outside > 5);
    assert_true(totals.counts.violated > totals.counts.wrote_outside);
    assert_int_equal(shared, 0);
    job.selection = "ngi32.slot11,ngi32.slot14";
    BothWays(&job);
    assert_int_equal(totals.counts.different, 0);
    assert_int_equal(CompareCounts_Rest(&totals.counts), 0);
    assert_true(totals.counts.violated > 5);
    assert_int_equal(shared, 220);
}

TEST(ExitsAndHangsAreTheSameBothWays) {
    static const char *const selections[] = {"ngi32.slot26,ngi32.slot38",
                                             "ngi32.slot28,ngi32.slot38"};
    for (size_t i = 0; i < sizeof selections / sizeof *selections; i++) {
        Rogue(selections[i], 66, 2);
        assert_int_equal(totals.counts.crashed, 2);
        assert_int_equal(totals.counts.not_called, 3);
        assert_int_equal(shared, 0);
    }
}

/* A slice that went wrong does not keep the next slices from running in shared memory. */
TEST(AfterABadSliceTheNextOneIsShared) {
    const Job job = {.original = "standin",
                     .replacement = "tests/replay/host/rogue",
                     .selection = "ngi32.slot26:0-400,ngi32.slot38",
                     .scenarios = slots,
                     .calls = 1200,
                     .slice = 400,
                     .endings = 1};
    BothWays(&job);
    assert_true(totals.counts.crashed >= 1);
    assert_int_equal(shared, 800);
}

/* Memories of states stay writable in shared memory, so a write into another memory is not noticed
 * when it happens. The next call of that object would hide the write if nobody checked before
 * it. */
TEST(AWriteIntoAnotherStateIsTheSameBothWays) {
    const Job job = {.original = "tests/replay/host/objects",
                     .replacement = "tests/replay/host/meddles",
                     .selection = "animesh.IAnimation.25",
                     .scenarios = mesh,
                     .calls = 60000};
    BothWays(&job);
    assert_int_equal(totals.counts.different, 1);
    assert_true(totals.counts.compared > 1000);
    assert_int_equal(shared, 0);
}

/* A write into a place that no later call uses is only noticed at the end of the batch, when the
 * whole memories of all states are compared. Which call it was is found out through files. */
TEST(AWriteThatNoCallLooksAtIsTheSameBothWays) {
    const Job job = {.original = "tests/replay/host/objects",
                     .replacement = "tests/replay/host/meddles",
                     .selection = "animesh.IAnimation.9",
                     .scenarios = mesh,
                     .calls = 6000};
    BothWays(&job);
    assert_int_equal(totals.counts.different, 1);
    assert_true(totals.counts.compared > 60);
    assert_int_equal(shared, 0);
}

/* The methods of this pair write into the wrong pieces, and into other memories. */
TEST(WrongWritesIntoStatesAreTheSameBothWays) {
    const Job job = {.original = "standin",
                     .replacement = "tests/replay/host/objects",
                     .scenarios = mesh,
                     .calls = 500,
                     .endings = 2};
    BothWays(&job);
    assert_true(totals.counts.different > 10);
}

/* Has 15385 calls of each function, which are several batches. */
#define MANY 400000

/* Compares a pair that meddles with one that only computes, which give the same results. */
static uint64_t Strays(const char *selection, uint64_t calls) {
    const Job job = {.original = "tests/replay/host/quiet",
                     .replacement = "tests/replay/host/strays",
                     .selection = selection,
                     .scenarios = slots,
                     .calls = calls,
                     .slice = (uint32_t)calls};
    BothWays(&job);
    assert_int_equal(totals.counts.different, 0);
    assert_int_equal(totals.counts.compared, 15385); /* strays.c relies on this number */
    return shared;
}

/* Text that a pair prints does not reach the process that compares. */
TEST(WhatAPairPrintsIsNoAnswer) {
    assert_int_equal(Strays("ngi32.slot7", MANY), MANY);
}

/* Anything in the pipe that is not the oldest order is no answer to it. Code in a machine cannot
 * reach the pipe. */
TEST(AStrayByteInThePipeSendsTheSliceThroughFiles) {
    assert_int_equal(Strays("ngi32.slot28", MANY), TestEngine_IsMachine() ? MANY : 0);
}

static void RunBeats(const char *folder) {
    /* in a machine, a call that hangs takes the place of `Beats` */
    const bool machine = TestEngine_IsMachine();
    const Job job = {.original = machine ? "tests/replay/host/rogue" : "tests/replay/host/quiet",
                     .replacement =
                         machine ? "tests/replay/host/rogue" : "tests/replay/host/strays",
                     .selection = machine ? "ngi32.slot28" : "ngi32.slot4",
                     .scenarios = slots,
                     .calls = 100,
                     .timeout_seconds = 60,
                     /* the interpreter is too slow to use up the instructions that a call may
                      * take */
                     .engine = machine ? PROVIDER_ENGINE_INTERPRETER : PROVIDER_ENGINE_AUTO};
    Selection *selection = NULL;
    snprintf(work, sizeof work, "%s", folder);
    Selection_Parse(job.selection, &selection, NULL);
    RunJob(&job, false, selection, Comparison_Create(&(CompareOptions){.selection = selection}));
}

TEST(AHostEndsWithItsParentInTheMiddleOfACall) {
    assert_false((TestEngine_IsMachine() ? Orphan_Stays : Orphan_GoesOn)(RunBeats, TEST_FOLDER
                                                                         "/lanes-orphan"));
}

/* Also tests that a session leaves nothing behind. */
TEST_AROUND(RemoveWork) {
    return rmdir(work);
}

AROUND_ALL(NULL, RemoveWork)

int main(void) {
    if (!TestEngine_Find("", home, host))
        return SKIPPED;
    snprintf(work, sizeof work, "%s/lanes", TEST_FOLDER);
    mkdir(work, 0777);
    return Tests_Run();
}
