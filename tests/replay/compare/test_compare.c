#include "tests/replay/fixture.h"

#include "replay/compare/compare.h"
#include "replay/compare/known.h"
#include "replay/compare/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t one[4] = {0x3F800000, 0x3F000000, 0, 0};

/* Compares `a` with `b`, which is packed, under the given options. The caller frees the
 * comparison. */
static Comparison *CompareCalls(const TraceCall *a, size_t a_count, const TraceCall *b,
                                size_t b_count, const CompareOptions *options) {
    return Fixture_Compare((FixtureTrace){.calls = a, .call_count = a_count},
                           (FixtureTrace){.calls = b, .call_count = b_count, .compress = true},
                           options ? options : &(CompareOptions){0}, "test", RP_OK, NULL);
}

static CompareTotals Totals(const Comparison *comparison) {
    CompareTotals totals;
    Comparison_Totals(comparison, &totals);
    return totals;
}

/* Compares one call on each side and asserts what is reported as different. */
static void AssertDiffers(const TraceCall *a, const TraceCall *b, const char *path, int64_t ulps,
                          uint32_t elements) {
    Comparison *comparison = CompareCalls(a, 1, b, 1, NULL);
    assert_int_equal(Totals(comparison).counts.compared, 1);
    assert_int_equal(Totals(comparison).counts.different, 1);
    assert_false(Comparison_Alike(a, b));
    assert_int_equal(Comparison_DifferenceCount(comparison), 1);
    const Difference *difference = Comparison_DifferenceAt(comparison, 0);
    assert_string_equal(difference->path, path);
    assert_int_equal(difference->ulps, ulps);
    assert_int_equal(difference->elements, elements);
    assert_ptr_equal(difference->function, a->function);
    assert_int_equal(difference->sequence, a->sequence);
    assert_true(
        Report_ExitCode(&(CompareTotals){.counts = {.compared = 1, .different = 1}}, false) == 1);
    Comparison_Destroy(comparison);
}

static void AssertEqual(const TraceCall *a, const TraceCall *b) {
    Comparison *comparison = CompareCalls(a, 1, b, 1, NULL);
    assert_int_equal(Totals(comparison).counts.compared, 1);
    assert_int_equal(Totals(comparison).counts.different, 0);
    Comparison_Destroy(comparison);
}

TEST(EqualCallsAreEqual) {
    const TraceCall call = Fixture_Slerp(7, one);
    TraceCall flagged = call;
    /* this flag, which shows that a step has rounded, says nothing about results */
    flagged.mxcsr_out |= 0x20;
    AssertEqual(&call, &call);
    assert_true(Comparison_Alike(&call, &call));
    assert_true(Comparison_Alike(&call, &flagged));
}

/* What several comparisons have found out is put together as if one of them had found out all. */
TEST(MergedPartsAreTheWhole) {
    enum { PARTS = 3, CALLS = 4 };
    const uint32_t next[4] = {0x3F800000, 0x3F000001, 0, 0};
    const CompareOptions options = {.max_differences = 2};
    Comparison *whole = Comparison_Create(&options), *merged = Comparison_Create(&options);
    TraceReader *reader;
    TraceHeader header, other;
    Comparing *comparing;
    TraceHeader_Init(&header);
    TraceHeader_Init(&other);
    assert_int_equal(TraceHeader_Set(&other, "force-cpu", "7", NULL), RP_OK);
    const TraceCall some = Fixture_Slerp(7, one);
    Fixture_Trace(Fixture_Path("a"), &some, 1, false);
    assert_int_equal(TraceReader_Open(Fixture_Path("a"), &reader, NULL), RP_OK);
    for (uint64_t i = 0; i < PARTS; i++) {
        static const char *const names[PARTS] = {"first", "second", "third"};
        Comparison *part = Comparison_CreatePart(merged);
        Comparison *const both[2] = {whole, part};
        for (int k = 0; k < 2; k++) {
            assert_int_equal(
                Comparison_Begin(both[k], &header, &header, reader, names[i], &comparing, NULL),
                RP_OK);
            for (uint64_t j = 0; j < CALLS; j++) {
                const TraceCall a = Fixture_Slerp(100 * i + j, one);
                const TraceCall b = Fixture_Slerp(100 * i + j, j == 0 ? one : next);
                assert_int_equal(Comparing_Call(comparing, &a, &b, NULL), RP_OK);
            }
            Comparing_End(comparing);
        }
        assert_int_equal(Comparison_DifferenceCount(part), 2);
        assert_int_equal(Comparison_Merge(merged, part, NULL), RP_OK);
        Comparison_Destroy(part);
    }
    const CompareTotals totals = Totals(whole), others = Totals(merged);
    assert_int_equal(totals.counts.compared, PARTS * CALLS);
    assert_int_equal(totals.counts.different, PARTS * (CALLS - 1));
    assert_memory_equal(&totals, &others, sizeof totals);
    assert_int_equal(Comparison_FunctionCount(merged), 1);
    assert_memory_equal(&Comparison_FunctionAt(whole, 0)->tally,
                        &Comparison_FunctionAt(merged, 0)->tally, sizeof(Tally));
    assert_int_equal(Comparison_ConditionCount(merged), 1);
    assert_int_equal(Comparison_ConditionAt(merged, 0)->calls, PARTS * CALLS);
    assert_string_equal(Comparison_OriginAt(merged, PARTS - 1), "third");
    assert_int_equal(Comparison_DifferenceCount(merged), 2);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(Comparison_DifferenceAt(merged, i)->sequence,
                         Comparison_DifferenceAt(whole, i)->sequence);
    assert_int_equal(Comparison_Begin(whole, &header, &other, reader, "", &comparing, NULL),
                     RP_INVALID);
    assert_null(comparing);
    Comparison_Destroy(whole);
    Comparison_Destroy(merged);
    TraceReader_Close(reader);
}

TEST(OneUlpIsADifference) {
    const uint32_t next[4] = {0x3F800000, 0x3F000001, 0, 0};
    const TraceCall a = Fixture_Slerp(7, one), b = Fixture_Slerp(7, next);
    AssertDiffers(&a, &b, "result[1]", 1, 1);
    AssertDiffers(&b, &a, "result[1]", -1, 1);
}

TEST(TheSignOfZeroIsADifference) {
    const uint32_t minus[4] = {0x3F800000, 0x3F000000, 0x80000000, 0x80000000};
    const TraceCall a = Fixture_Slerp(7, one), b = Fixture_Slerp(7, minus);
    AssertDiffers(&a, &b, "result[2]", 0, 2);
}

TEST(ThePayloadOfANanIsADifference) {
    const uint32_t x[4] = {0x7FC00000}, y[4] = {0x7FC00001};
    const TraceCall a = Fixture_Slerp(7, x), b = Fixture_Slerp(7, y);
    AssertDiffers(&a, &b, "result[0]", INT64_MIN, 1);
    AssertEqual(&a, &a);
}

TEST(AllEightyBitsOfAReturnValueCount) {
    TraceCall a = Fixture_Call("ngi32.slot11", 7, FIXTURE_WORDS(0x3F800000),
                               FIXTURE_WORDS(0, 0x80000000, 0x3FFF));
    TraceCall b = Fixture_Call("ngi32.slot11", 7, FIXTURE_WORDS(0x3F800000),
                               FIXTURE_WORDS(1, 0x80000000, 0x3FFF));
    AssertDiffers(&a, &b, "return", 1, 1);
}

TEST(IntegersAndReferencesAreCompared) {
    TraceCall a = Fixture_Call("animesh.NodeString", 7, FIXTURE_WORDS(0xFFFFFFFF, 0),
                               FIXTURE_WORDS(0xFFFFFFFF, 0));
    TraceCall b = Fixture_Call("animesh.NodeString", 7, FIXTURE_WORDS(0xFFFFFFFF, 0),
                               FIXTURE_WORDS(0xFFFFFFFE, 0));
    AssertDiffers(&a, &b, "return", INT64_MIN, 1);
}

TEST(TheMachineStateIsCompared) {
    const TraceCall a = Fixture_Slerp(7, one);
    TraceCall b = a;
    b.control_out = 0x027F;
    AssertDiffers(&a, &b, "control word", INT64_MIN, 1);
    b = a;
    b.mxcsr_out = 0x9F80;
    AssertDiffers(&a, &b, "MXCSR", INT64_MIN, 1);
    b.mxcsr_out = 0x1FBF; /* the six sticky flags */
    AssertEqual(&a, &b);
}

TEST(EveryViolationHasItsName) {
    static const char *const names[] = {"stack pointer", "saved register", "x87 stack",
                                        "direction flag", "outside write"};
    const TraceCall a = Fixture_Slerp(7, one);
    for (int i = 0; i < 5; i++) {
        TraceCall b = a;
        b.violations = (uint8_t)(1 << i);
        AssertDiffers(&a, &b, names[i], INT64_MIN, 1);
    }
}

/* Both sides give the same outputs, and both wrote somewhere else, too. What they wrote there is in
 * no trace. */
TEST(WritesOutsideOnBothSidesAreNotCompared) {
    const uint32_t next[4] = {0x3F800000, 0x3F000001, 0, 0};
    TraceCall a = Fixture_Slerp(7, one), b = Fixture_Slerp(7, next);
    a.violations = b.violations = TRACE_OUTSIDE_WRITE | TRACE_X87_STACK;
    assert_false(Comparison_Alike(&a, &a));
    Comparison *comparison = CompareCalls(&a, 1, &a, 1, NULL);
    const CompareTotals totals = Totals(comparison);
    assert_int_equal(totals.counts.compared, 0);
    assert_int_equal(totals.counts.wrote_outside, 1);
    assert_int_equal(totals.counts.violated, 1);
    assert_int_equal(CompareCounts_Rest(&totals.counts), 1);
    assert_int_equal(Comparison_FunctionAt(comparison, 0)->tally.compared[0], 0);
    Comparison_Destroy(comparison);
    AssertDiffers(&a, &b, "result[1]", 1, 1); /* what the traces hold can still differ */
}

/* Other violations do not prevent a comparison: the outputs are compared, and the violations are
 * counted. */
TEST(ViolationsOnBothSidesAreCounted) {
    for (int i = 0; i < 4; i++) {
        TraceCall call = Fixture_Slerp(7, one);
        call.violations = (uint8_t)(1 << i);
        assert_false(Comparison_Alike(&call, &call)); /* it has to be counted as a violation */
        Comparison *comparison = CompareCalls(&call, 1, &call, 1, NULL);
        assert_int_equal(Totals(comparison).counts.compared, 1);
        assert_int_equal(Totals(comparison).counts.violated, 1);
        assert_int_equal(Totals(comparison).counts.wrote_outside, 0);
        Comparison_Destroy(comparison);
    }
}

static void AssertFailedAlike(const TraceCall *a, const TraceCall *b) {
    Comparison *comparison = CompareCalls(a, 1, b, 1, NULL);
    CompareTotals totals = Totals(comparison);
    assert_int_equal(totals.counts.compared, 0);
    assert_int_equal(totals.counts.different, 0);
    assert_int_equal(totals.counts.failed_alike, 1);
    assert_int_equal(Report_ExitCode(&totals, true), 2);
    Comparison_Destroy(comparison);
}

static TraceCall Ended(uint8_t outcome, const uint32_t *words, size_t size) {
    TraceCall call = Fixture_Call(
        "ngi32.slot17", 7, FIXTURE_WORDS(0x3F800000, 0, 0, 0, 0, 0x3F800000, 0, 0, 0), words, size);
    call.outcome = outcome;
    return call;
}

TEST(CrashesCompareByTheirCode) {
    const TraceCall returned =
        Fixture_Call("ngi32.slot17", 7, FIXTURE_WORDS(0x3F800000, 0, 0, 0, 0, 0x3F800000, 0, 0, 0),
                     FIXTURE_WORDS(0, 0, 0, 0));
    const TraceCall crash = Ended(TRACE_CRASHED, FIXTURE_WORDS(0xC0000005, 0x1000, 0));
    const TraceCall elsewhere = Ended(TRACE_CRASHED, FIXTURE_WORDS(0xC0000005, 0x2000, 1));
    const TraceCall other = Ended(TRACE_CRASHED, FIXTURE_WORDS(0xC0000094, 0x1000, 0));
    const TraceCall exit_3 = Ended(TRACE_EXITED, FIXTURE_WORDS(3));
    const TraceCall exit_4 = Ended(TRACE_EXITED, FIXTURE_WORDS(4));
    const TraceCall hang = Ended(TRACE_TIMED_OUT, NULL, 0);
    AssertFailedAlike(&crash, &elsewhere);
    AssertFailedAlike(&exit_3, &exit_3);
    AssertFailedAlike(&hang, &hang);
    AssertDiffers(&crash, &other, "exception", INT64_MIN, 1);
    AssertDiffers(&exit_3, &exit_4, "exit code", INT64_MIN, 1);
    AssertDiffers(&returned, &crash, "outcome", INT64_MIN, 1);
    Comparison *comparison = CompareCalls(&returned, 1, &hang, 1, NULL);
    CompareTotals totals = Totals(comparison);
    assert_int_equal(totals.counts.crashed, 1);
    assert_int_equal(Report_ExitCode(&totals, false), 3);
    assert_int_equal(Comparison_FunctionAt(comparison, 0)->crashed_a, 0);
    assert_int_equal(Comparison_FunctionAt(comparison, 0)->crashed_b, 1);
    Comparison_Destroy(comparison);
}

/* One call returns. Beside it is one call of each kind that is not compared. */
TEST(ACallThatWasNotComparedIsNoSuccess) {
    const TraceCall returned = Fixture_Slerp(6, one);
    TraceCall ends[] = {Ended(TRACE_CRASHED, FIXTURE_WORDS(0xC0000005, 0x1000, 0)),
                        Ended(TRACE_EXITED, FIXTURE_WORDS(3)), Ended(TRACE_TIMED_OUT, NULL, 0),
                        Ended(TRACE_UNSUPPORTED, NULL, 0), Ended(TRACE_NOT_CALLED, NULL, 0)};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const TraceCall calls[2] = {returned, ends[i]};
        Comparison *comparison = CompareCalls(calls, 2, calls, 2, NULL);
        CompareTotals totals = Totals(comparison);
        assert_int_equal(totals.counts.compared, 1);
        assert_int_equal(totals.counts.different, 0);
        assert_int_equal(totals.counts.failed_alike, i < 3);
        assert_int_equal(totals.counts.unsupported, i == 3);
        assert_int_equal(totals.counts.not_called, i == 4);
        assert_int_equal(CompareCounts_Rest(&totals.counts), 1);
        assert_int_equal(Report_ExitCode(&totals, false), 4);
        assert_int_equal(Report_ExitCode(&totals, true), 0);
        Comparison_Destroy(comparison);
    }
}

/* The trace contains nothing that the first function determines, because its result is a pointer of
 * unknown meaning. A function without result and outputs determines the machine's state, which is
 * compared. */
TEST(ACallOfWhichNothingCanBeComparedIsNotCompared) {
    const TraceCall a = Fixture_Call("ngi32.ngiAlloc", 1, FIXTURE_WORDS(16), FIXTURE_WORDS(0));
    TraceCall other = a;
    Comparison *comparison = CompareCalls(&a, 1, &a, 1, NULL);
    CompareTotals totals = Totals(comparison);
    assert_int_equal(totals.counts.compared, 0);
    assert_int_equal(totals.counts.not_comparable, 1);
    assert_int_equal(Report_ExitCode(&totals, true), 2);
    Comparison_Destroy(comparison);
    other.control_out = 0x027F;
    AssertDiffers(&a, &other, "control word", INT64_MIN, 1);
    const TraceCall nothing =
        Fixture_Call("ngi32.ngiSetPalette", 2, FIXTURE_WORDS(1, 2, 3), NULL, 0);
    AssertEqual(&nothing, &nothing);
}

static Comparison *CompareHeaders(const char *key, const char *value_a, const char *value_b,
                                  bool allow_unlike, RpStatus expected) {
    const char *const a[] = {key, value_a, NULL}, *const b[] = {key, value_b, NULL};
    const TraceCall call = Fixture_Slerp(7, one);
    return Fixture_Compare(
        (FixtureTrace){.header = value_a ? a : NULL, .calls = &call, .call_count = 1},
        (FixtureTrace){.header = value_b ? b : NULL, .calls = &call, .call_count = 1},
        &(CompareOptions){.allow_unlike = allow_unlike}, "test", expected, NULL);
}

static void AssertReadings(const char *a, const char *b, bool allow_unlike, const char *expected) {
    Comparison *comparison = CompareHeaders("hypotheses", a, b, allow_unlike, RP_OK);
    assert_int_equal(Comparison_ConditionCount(comparison), 1);
    assert_string_equal(Comparison_ConditionAt(comparison, 0)->readings, expected);
    assert_int_equal(Comparison_ConditionAt(comparison, 0)->calls, 1);
    Comparison_Destroy(comparison);
}

TEST(UnlikeHeadersAreRefused) {
    static const char *const pairs[][3] = {{"hypotheses", "key-order=wxyz", NULL},
                                           {"hypotheses", "key-order=wxyz", "slerp-sine=quotient"},
                                           {"force-cpu", "2", NULL},
                                           {"force-cpu", "2", "7"},
                                           {"slot-build", NULL, "generic"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        Comparison_Destroy(
            CompareHeaders(pairs[i][0], pairs[i][1], pairs[i][2], false, RP_INVALID));
        Comparison_Destroy(CompareHeaders(pairs[i][0], pairs[i][1], pairs[i][2], true, RP_OK));
        Comparison_Destroy(CompareHeaders(pairs[i][0], pairs[i][1], pairs[i][1], false, RP_OK));
    }
}

TEST(TheReadingsAreNamed) {
    AssertReadings(NULL, NULL, false, "default");
    AssertReadings("key-order=wxyz", "key-order=wxyz", false, "key-order=wxyz");
    AssertReadings("key-order=xyzw", NULL, false, "default"); /* the default */
    AssertReadings("key-order=wxyz", NULL, true, "key-order=wxyz (a), default (b)");
    AssertReadings("of=\033[2Jnobody", "of=\033[2Jnobody", false, "of=?[2Jnobody");
}

TEST(UnsupportedCallsAreNotCompared) {
    const TraceCall a = Ended(TRACE_UNSUPPORTED, NULL, 0), b = Ended(TRACE_TIMED_OUT, NULL, 0);
    Comparison *comparison = CompareCalls(&a, 1, &b, 1, NULL);
    CompareTotals totals = Totals(comparison);
    assert_int_equal(totals.counts.compared, 0);
    assert_int_equal(totals.counts.unsupported, 1);
    assert_int_equal(Report_ExitCode(&totals, false), 2);
    Comparison_Destroy(comparison);
}

static void AssertOtherCalls(const TraceCall *a, size_t a_count, const TraceCall *b, size_t b_count,
                             RpStatus expected) {
    RpError error = {0};
    Comparison_Destroy(Fixture_Compare((FixtureTrace){.calls = a, .call_count = a_count},
                                       (FixtureTrace){.calls = b, .call_count = b_count},
                                       &(CompareOptions){0}, "test", expected, &error));
    assert_int_equal(error.status, expected);
}

TEST(TracesOfOtherCallsAreRefused) {
    const TraceCall calls[2] = {Fixture_Slerp(7, one), Fixture_Slerp(8, one)};
    TraceCall other;
    AssertOtherCalls(calls, 2, calls, 1, RP_CORRUPT);
    AssertOtherCalls(calls, 1, calls, 2, RP_CORRUPT);
    AssertOtherCalls(calls, 1, calls + 1, 1, RP_CORRUPT);
    other = calls[0];
    other.control_in = 0x027F;
    AssertOtherCalls(calls, 1, &other, 1, RP_CORRUPT);
    other = calls[0];
    other.mxcsr_in = 0x9FC0;
    AssertOtherCalls(calls, 1, &other, 1, RP_CORRUPT);
    other = Ended(TRACE_TIMED_OUT, NULL, 0); /* t is another number */
    AssertOtherCalls(calls, 1, &other, 1, RP_CORRUPT);
    other = Fixture_Call("ngi32.slot22", 7,
                         FIXTURE_WORDS(0x3F800000, 0, 0, 0, 0, 0x3F800000, 0, 0, 0x3F000000), one,
                         sizeof one);
    AssertOtherCalls(calls, 1, &other, 1, RP_CORRUPT);
    other = calls[0];
    other.outcome = TRACE_NOT_RUN;
    other.output_size = 0;
    AssertOtherCalls(&other, 1, &other, 1, RP_INVALID);
}

TEST(TheSameReferencesToOtherMemoriesAreRefused) {
    const uint8_t bytes[3][4] = {{1}, {2}, {0}};
    const TraceRelocation relocation = {0, 1, 0};
    const TraceMemory memories[] = {{1, 4, bytes[0], 0, NULL},
                                    {1, 4, bytes[1], 0, NULL},
                                    {1, 4, bytes[2], 1, &relocation},
                                    {2, 4, bytes[0], 0, NULL}};
    for (int i = 0; i < 4; i++)
        Comparison_Destroy(
            Fixture_Compare((FixtureTrace){.memories = memories, .memory_count = 1},
                            (FixtureTrace){.memories = memories + i, .memory_count = 1},
                            &(CompareOptions){0}, "test", i == 0 ? RP_OK : RP_CORRUPT, NULL));
    const TraceMemory two[] = {memories[0], memories[3]}; /* one memory more */
    Comparison_Destroy(Fixture_Compare((FixtureTrace){.memories = memories, .memory_count = 1},
                                       (FixtureTrace){.memories = two, .memory_count = 2},
                                       &(CompareOptions){0}, "test", RP_CORRUPT, NULL));
}

TEST(ACutTraceIsNeverEqual) {
    const char *path = Fixture_Path("whole");
    size_t size;
    TraceReader *whole, *cut;
    RpError error;
    const TraceCall call = Fixture_Slerp(7, one);
    Fixture_Trace(path, &call, 1, false);
    uint8_t *bytes = Fixture_Read(path, &size);
    assert_int_equal(TraceReader_OpenBuffer(bytes, size, "whole", &whole, NULL), RP_OK);
    assert_int_equal(TraceReader_OpenBuffer(bytes, size - 1, "cut", &cut, NULL), RP_OK);
    Comparison *comparison = Comparison_Create(&(CompareOptions){0});
    assert_int_equal(Comparison_Add(comparison, whole, cut, "cut", &error), RP_TRUNCATED);
    Comparison_Destroy(comparison);
    TraceReader_Close(whole);
    TraceReader_Close(cut);
    free(bytes);
}

TEST(ASelectionLimitsWhatIsCompared) {
    const uint32_t zero[4] = {0};
    const TraceCall a[2] = {Fixture_Slerp(7, one), Fixture_Slerp(8, one)};
    const TraceCall b[2] = {Fixture_Slerp(7, zero), Fixture_Slerp(8, one)};
    struct Selection *selection;
    assert_int_equal(Selection_Parse("8", &selection, NULL), RP_OK);
    Comparison *comparison = CompareCalls(a, 2, b, 2, &(CompareOptions){.selection = selection});
    assert_int_equal(Totals(comparison).counts.compared, 1);
    assert_int_equal(Totals(comparison).counts.different, 0);
    Comparison_Destroy(comparison);
    Selection_Free(selection);
}

TEST(DetailsAreCappedButEveryFunctionKeepsItsFirst) {
    enum { MANY = 10 };
    const uint32_t zero[4] = {0};
    TraceCall a[MANY + 1], b[MANY + 1];
    for (uint64_t i = 0; i < MANY; i++) {
        a[i] = Fixture_Slerp(i, one);
        b[i] = Fixture_Slerp(i, zero);
    }
    a[MANY] = Fixture_Call("ngi32.slot11", MANY, FIXTURE_WORDS(1), FIXTURE_WORDS(0, 0, 0));
    b[MANY] = Fixture_Call("ngi32.slot11", MANY, FIXTURE_WORDS(1), FIXTURE_WORDS(1, 0, 0));
    Comparison *comparison =
        CompareCalls(a, MANY + 1, b, MANY + 1, &(CompareOptions){.max_differences = 3});
    assert_int_equal(Totals(comparison).counts.different, MANY + 1);
    assert_int_equal(Comparison_DifferenceCount(comparison), 4);
    assert_string_equal(Comparison_DifferenceAt(comparison, 3)->function->key, "ngi32.slot11");
    /* Functions come in the order of the tables. */
    assert_string_equal(Comparison_FunctionAt(comparison, 0)->function->key, "ngi32.slot11");
    assert_string_equal(Comparison_FunctionAt(comparison, 1)->function->key, "ngi32.slot17");
    Comparison_Destroy(comparison);
}

/* ---- known differences ----------------------------------------------------------------------- */

static void CompareKnownLines(const char *lines, const uint32_t output_a[4],
                              const uint32_t output_b[4], CompareTotals *totals, char path[64]) {
    const char *file = Fixture_Path("known");
    KnownDifferences *known;
    const TraceCall a = Fixture_Slerp(7, output_a), b = Fixture_Slerp(7, output_b);
    Fixture_Write(file, lines, strlen(lines));
    assert_int_equal(KnownDifferences_Load(file, &known, NULL), RP_OK);
    Comparison *comparison = CompareCalls(&a, 1, &b, 1, &(CompareOptions){.known = known});
    *totals = Totals(comparison);
    path[0] = 0;
    if (Comparison_DifferenceCount(comparison) > 0)
        memcpy(path, Comparison_DifferenceAt(comparison, 0)->path, 64);
    assert_int_equal(Comparison_KnownCount(comparison), known->count);
    Comparison_Destroy(comparison);
    KnownDifferences_Free(known);
}

/* A folder can be opened like a file on some systems, but not be read. */
TEST(KnownDifferencesThatCannotBeReadAreAnError) {
    KnownDifferences *known;
    RpError error;
    assert_int_equal(KnownDifferences_Load(".", &known, &error), RP_IO);
    assert_null(known);
    assert_string_equal(error.what, "cannot read the known differences");
    assert_string_equal(error.where, ".");
}

TEST(AKnownDifferenceIsCountedApart) {
    const uint32_t zero[4] = {0};
    CompareTotals totals;
    char path[64];
    CompareKnownLines("ngi32.slot17 | result[*] | sine\n", one, zero, &totals, path);
    assert_int_equal(totals.counts.known, 1);
    assert_int_equal(totals.counts.different, 0);
    assert_int_equal(totals.stale, 0);
    assert_int_equal(Report_ExitCode(&totals, false), 0);
}

TEST(AnUnknownElementBesideAKnownOneIsReported) {
    const uint32_t zero[4] = {0};
    CompareTotals totals;
    char path[64];
    CompareKnownLines("ngi32.slot17 | result[0] | sine\n", one, zero, &totals, path);
    assert_int_equal(totals.counts.known, 0);
    assert_int_equal(totals.counts.different, 1);
    assert_string_equal(path, "result[1]");
}

TEST(AKnownDifferenceThatNoLongerDiffersFails) {
    CompareTotals totals;
    char path[64];
    CompareKnownLines("ngi32.slot17 | result[*] | sine\n", one, one, &totals, path);
    assert_int_equal(totals.counts.different, 0);
    assert_int_equal(totals.stale, 1);
    assert_int_equal(Report_ExitCode(&totals, false), 1);
    /* The known difference was not part of this run, so nothing is said about it. */
    CompareKnownLines("ngi32.slot14 | matrix* | sine\n", one, one, &totals, path);
    assert_int_equal(totals.stale, 0);
    assert_int_equal(Report_ExitCode(&totals, false), 0);
}

/* One element differs as expected. The bytes that both sides wrote outside of their outputs may
 * differ, too. */
TEST(AKnownDifferenceExcusesNoWriteOutside) {
    const uint32_t next[4] = {0x3F800000, 0x3F000001, 0, 0};
    TraceCall a = Fixture_Slerp(7, one), b = Fixture_Slerp(7, next);
    a.violations = b.violations = TRACE_OUTSIDE_WRITE;
    static const char line[] = "ngi32.slot17 | result[*] | an example\n";
    const char *file = Fixture_Path("known");
    KnownDifferences *known;
    Fixture_Write(file, line, strlen(line));
    assert_int_equal(KnownDifferences_Load(file, &known, NULL), RP_OK);
    Comparison *comparison = CompareCalls(&a, 1, &b, 1, &(CompareOptions){.known = known});
    const CompareTotals totals = Totals(comparison);
    assert_int_equal(totals.counts.known, 0);
    assert_int_equal(totals.counts.compared, 0);
    assert_int_equal(totals.counts.different, 0);
    assert_int_equal(totals.counts.wrote_outside, 1);
    Comparison_Destroy(comparison);
    KnownDifferences_Free(known);
}
