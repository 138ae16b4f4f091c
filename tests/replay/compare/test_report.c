#include "tests/replay/fixture.h"

#include "core/files/output.h"
#include "replay/compare/compare.h"
#include "replay/compare/describe.h"
#include "replay/compare/known.h"
#include "replay/compare/report.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static Comparison *comparison;
static KnownDifferences *known;

/* Two elements of slot 14 differ. Slot 17's difference is known. Slot 11 crashes on one side only.
 * Slot 35 has one equal call and one that crashes on both sides. One known difference does not
 * occur any more. */
TEST_AROUND(MakeComparison) {
    static const char lines[] = "ngi32.slot17 | result[1] | the <sine> & \"more\"\n"
                                "ngi32.slot35 | result* | gone\n";
    const char *file = Fixture_Path("known");
    const uint32_t one[4] = {0x3F800000, 0x3F000000, 0, 0}, two[4] = {0x3F800000, 0x3F000001, 0, 0};
    uint32_t matrix_a[16] = {0}, matrix_b[16] = {0}, vector[19] = {0};
    matrix_a[9] = 0x3F800001;
    matrix_b[9] = 0x3F800000;
    matrix_b[10] = 0x80000000;
    const TraceCall equal = Fixture_Call("ngi32.slot35", 9, vector, sizeof vector, vector, 12);
    TraceCall crash = Fixture_Call("ngi32.slot35", 10, vector, sizeof vector,
                                   FIXTURE_WORDS(0xC0000005, 0x1234, 0));
    crash.outcome = TRACE_CRASHED;
    TraceCall calls_a[] = {Fixture_Call("ngi32.slot14", 5, FIXTURE_WORDS(0x3F800000, 0, 0, 0),
                                        matrix_a, sizeof matrix_a),
                           Fixture_Slerp(6, one),
                           Fixture_Call("ngi32.slot11", 7, FIXTURE_WORDS(0x80000000),
                                        FIXTURE_WORDS(0, 0x80000000, 0x3FFF)),
                           equal, crash};
    TraceCall calls_b[] = {Fixture_Call("ngi32.slot14", 5, FIXTURE_WORDS(0x3F800000, 0, 0, 0),
                                        matrix_b, sizeof matrix_b),
                           Fixture_Slerp(6, two),
                           Fixture_Call("ngi32.slot11", 7, FIXTURE_WORDS(0x80000000),
                                        FIXTURE_WORDS(0xC0000005, 0x1234, 0)),
                           equal, crash};
    calls_b[2].outcome = TRACE_CRASHED;
    Fixture_Write(file, lines, strlen(lines));
    assert_int_equal(KnownDifferences_Load(file, &known, NULL), RP_OK);
    comparison = Fixture_Compare((FixtureTrace){.calls = calls_a, .call_count = 5},
                                 (FixtureTrace){.calls = calls_b, .call_count = 5},
                                 &(CompareOptions){.known = known}, "small", RP_OK, NULL);
    return 0;
}

TEST_AROUND(FreeComparison) {
    Comparison_Destroy(comparison);
    KnownDifferences_Free(known);
    return 0;
}

static bool Repeat(void *context, const Difference *difference, char *text, size_t size) {
    (void)context;
    return snprintf(text, size, "retropose replay small.trace --select '%s:%llu'",
                    difference->function->key, (unsigned long long)difference->sequence) > 0;
}

static Report MakeReport(void) {
    return (Report){.comparison = comparison,
                    .a = {.description = "stand-in (plays the original; not the retail DLLs)",
                          .directory = "standin",
                          .sha256 = {"aa", "bb"}},
                    .b = {.description = "replacement"},
                    .processor = "GenuineTest",
                    .notice = "the stand-in played the original",
                    .repeat = Repeat};
}

static char *TextOf(const Report *report) {
    const char *path = Fixture_Path("text");
    size_t size;
    FILE *file = fopen(path, "wb");
    Report_Text(report, file);
    fclose(file);
    char *text = (char *)Fixture_Read(path, &size);
    return text;
}

#define ZERO "00000000 0                 "

static const char golden[] =
    "function                    name                         compared  different      known "
    "failed alike  verdict\n"
    "ngi32.slot11                ReciprocalSquareRoot                1          1          0 "
    "           0  CRASHED\n"
    "ngi32.slot14                QuaternionToMatrix                  1          1          0 "
    "           0  DIFFERENT\n"
    "ngi32.slot35                RotateVectorTransposed              1          0          0 "
    "           1  PARTLY COMPARED\n"
    "ngi32.slot17                InterpolateQuaternions              1          0          1 "
    "           0  known differences\n"
    "known: 1 of 1 calls, ngi32.slot17 result[1]: the <sine> & \"more\"\n"
    "NO LONGER DIFFERENT: line 2 of the known differences, ngi32.slot35 result*, over 1 "
    "calls; delete it (gone)\n"
    "\n"
    "ngi32.slot11: 1 of 1 calls differ\n"
    "    call 7 of small: outcome returned -> crashed with c0000005 (access violation) at "
    "Ngi32.dll+0x1234\n"
    "ngi32.slot14: 1 of 1 calls differ\n"
    "    call 5 of small: matrix[2][1] 3f800001 -> 3f800000, -1 ulp\n"
    "\n"
    "FIRST DIFFERENCE  ngi32.slot14 QuaternionToMatrix, call 5 of small\n"
    "  element    matrix[2][1] (2 elements of this call differ)\n"
    "  a          3f800001  1.00000012  0x1.000002p+0\n"
    "  b          3f800000  1  0x1p+0\n"
    "  distance   -1 ulp\n"
    "  state      control word 003f, MXCSR 00001f80 before\n"
    "             control word 003f and 003f, MXCSR 00001f80 and 00001f80 after\n"
    "  inputs\n"
    "    quaternion   3f800000 1                 00000000 0                 00000000 0       "
    "          00000000 0\n"
    "  outputs a (* differs)\n"
    "    matrix       " ZERO ZERO ZERO "00000000 0\n"
    "                 " ZERO ZERO ZERO "00000000 0\n"
    "                 00000000 0                 3f800001 1.00000012 *      00000000 0 *     "
    "          00000000 0\n"
    "                 " ZERO ZERO ZERO "00000000 0\n"
    "  outputs b\n"
    "    matrix       " ZERO ZERO ZERO "00000000 0\n"
    "                 " ZERO ZERO ZERO "00000000 0\n"
    "                 00000000 0                 3f800000 1 *               80000000 -0 *    "
    "          00000000 0\n"
    "                 " ZERO ZERO ZERO "00000000 0\n"
    "  repeat     retropose replay small.trace --select 'ngi32.slot14:5'\n"
    "\n"
    "a: stand-in (plays the original; not the retail DLLs)  standin\n"
    "b: replacement\n"
    "processor: GenuineTest\n"
    "readings: default, 5 calls\n"
    "1 of the different calls crashed, hung or ended a process\n"
    "note: the stand-in played the original\n"
    "4 of 5 calls compared, 2 different, 1 known, 1 no longer different; NOT COMPARED: 1 "
    "failed alike\n";

TEST(TheTextIsAsAgreed) {
    const Report report = MakeReport();
    char *text = TextOf(&report);
    assert_string_equal(text, golden);
    free(text);
}

/* Slot 35 differs. Slots 11 and 14, which come before it, do not, and neither does a function of
 * the other DLL. */
TEST(EqualFunctionsShareALine) {
    static const char head[] =
        "function                    name                         compared  different  verdict\n"
        "ngi32.slot35                RotateVectorTransposed              1          1  DIFFERENT\n";
    static const char rows[] =
        "ngi32.slot11                ReciprocalSquareRoot                2          0  equal\n"
        "ngi32.slot14                QuaternionToMatrix                  1          0  equal\n"
        "animesh.NodeString          NodeString                          1          0  equal\n";
    static const char lines[] = "ngi32: equal in 2 functions, 3 calls\n"
                                "animesh: equal in 1 function, 1 call\n";
    uint32_t matrix[16] = {0}, vector[19] = {0}, other[19] = {1};
    const TraceCall root = Fixture_Call("ngi32.slot11", 1, FIXTURE_WORDS(0x3F800000),
                                        FIXTURE_WORDS(0, 0x80000000, 0x3FFF)),
                    rotation = Fixture_Call("ngi32.slot14", 3, FIXTURE_WORDS(0x3F800000, 0, 0, 0),
                                            matrix, sizeof matrix);
    TraceCall calls[] = {root, root, rotation,
                         Fixture_Call("ngi32.slot35", 4, vector, sizeof vector, vector, 12),
                         Fixture_Call("animesh.NodeString", 5, FIXTURE_WORDS(0xFFFFFFFF, 0),
                                      FIXTURE_WORDS(0xFFFFFFFF, 0))};
    TraceCall others[5];
    calls[1].sequence = 2;
    memcpy(others, calls, sizeof others);
    others[3] = Fixture_Call("ngi32.slot35", 4, vector, sizeof vector, other, 12);
    Comparison *folded = Fixture_CompareCalls(calls, others, 5, "small");
    Report report = {.comparison = folded};
    char *text = TextOf(&report);
    assert_memory_equal(text, head, strlen(head));
    assert_memory_equal(text + strlen(head), lines, strlen(lines));
    free(text);
    report.all_rows = true;
    text = TextOf(&report);
    assert_ptr_equal(strstr(text, rows), text + strlen(head));
    assert_null(strstr(text, "equal in"));
    free(text);
    Comparison_Destroy(folded);
}

TEST(ColourAddsNoWords) {
    Report report = MakeReport();
    report.colour = true;
    char *text = TextOf(&report), *to = text;
    assert_non_null(strstr(text, "\033[31m"));
    for (const char *from = text; *from;) {
        if (*from == '\033')
            from = strchr(from, 'm') + 1;
        else
            *to++ = *from++;
    }
    *to = 0;
    assert_string_equal(text, golden);
    free(text);
}

static const char *Text(const cJSON *object, const char *name) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    assert_true(cJSON_IsString(item));
    return item->valuestring;
}

static int Number(const cJSON *object, const char *name) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    assert_true(cJSON_IsNumber(item));
    return item->valueint;
}

TEST(JsonHoldsTheReport) {
    const Report report = MakeReport();
    char *text = Fixture_Written(Report_Json, &report);
    cJSON *root = cJSON_Parse(text);
    assert_non_null(root);
    assert_string_equal(Text(root, "format"), "retropose report 1");
    assert_int_equal(Number(root, "exit_code"), 3);
    const cJSON *totals = cJSON_GetObjectItem(root, "totals");
    assert_int_equal(Number(totals, "compared"), 4);
    assert_int_equal(Number(totals, "different"), 2);
    assert_int_equal(Number(totals, "stale"), 1);
    assert_int_equal(Number(totals, "failed_alike"), 1);
    assert_int_equal(Number(totals, "wrote_outside"), 0);
    assert_int_equal(Number(totals, "violated"), 0);
    assert_int_equal(Number(totals, "not_comparable"), 0);
    assert_int_equal(Number(totals, "not_called"), 0);
    assert_int_equal(Number(totals, "processor"), 0);
    const cJSON *condition = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "conditions"), 0);
    assert_string_equal(Text(condition, "readings"), "default");
    assert_int_equal(Number(condition, "calls"), 5);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(root, "functions")), 4);
    const cJSON *differences = cJSON_GetObjectItem(root, "differences");
    assert_int_equal(cJSON_GetArraySize(differences), 2);
    const cJSON *first = cJSON_GetArrayItem(differences, 0);
    assert_string_equal(Text(first, "function"), "ngi32.slot14");
    assert_string_equal(Text(first, "ulps"), "-1");
    assert_string_equal(Text(cJSON_GetObjectItem(first, "b"), "hex"), "3f800000");
    assert_string_equal(Text(first, "inputs"), "0000803f000000000000000000000000");
    const cJSON *crash = cJSON_GetArrayItem(differences, 1);
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(crash, "ulps")));
    assert_string_equal(Text(cJSON_GetObjectItem(crash, "a"), "words"), "returned");
    assert_null(cJSON_GetObjectItem(cJSON_GetObjectItem(first, "a"), "words"));
    assert_string_equal(Text(cJSON_GetObjectItem(crash, "after_b"), "outcome"),
                        "crashed with c0000005 (access violation) at Ngi32.dll+0x1234");
    const cJSON *line = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "known"), 0);
    assert_string_equal(Text(line, "reason"), "the <sine> & \"more\"");
    cJSON_Delete(root);
    free(text);
}

TEST(JUnitIsWellFormed) {
    const Report report = MakeReport();
    char *text = Fixture_Written(Report_JUnit, &report);
    Fixture_WellFormed(strchr(text + 1, '<'));
    assert_non_null(strstr(text, "tests=\"6\" failures=\"3\" errors=\"0\" skipped=\"1\""));
    assert_non_null(
        strstr(text, "<skipped message=\"1 of 2 calls not compared: 1 failed alike\"/>"));
    assert_non_null(
        strstr(text, "outcome returned -&gt; crashed with c0000005 (access violation)") ||
        strstr(text, "outcome returned -> crashed with c0000005 (access violation)"));
    assert_non_null(strstr(text, "<failure message=\"no longer different\"/>"));
    assert_non_null(strstr(text, "ngi32.slot14 QuaternionToMatrix"));
    assert_non_null(
        strstr(text, "<property name=\"notice\" value=\"the stand-in played the original\"/>"));
    free(text);
}

#define OURS     "our own code played the original: this says nothing about the retail DLLs"
#define STANDIN  "the stand-in played the original: this says nothing about the retail DLLs"
#define ORIGINAL "an original was tested: this says nothing about our own code"

/* Equality says nothing about files that were compared with themselves, and nothing about our code
 * if it was not compared. */
TEST(TheNoticeSaysWhatTheSidesAre) {
    static const struct {
        ReportSide a, b;
        const char *notice;
    } cases[] = {
        {{.kind = "original", .sha256 = {"1", "2"}},
         {.kind = "replacement", .sha256 = {"3", "4"}},
         ""},
        {{.kind = "original", .sha256 = {"1", "2"}}, {.kind = "native"}, ""},
        {{.kind = ""}, {.kind = ""}, ""},
        {{.kind = "native"}, {.kind = "native"}, OURS},
        {{.kind = "stand-in", .sha256 = {"1", "2"}},
         {.kind = "replacement", .sha256 = {"3", "4"}},
         STANDIN},
        {{.kind = "stand-in", .modified = true},
         {.kind = "replacement"},
         "a modified stand-in, not the one that was built, played the original"},
        {{.kind = "recorded"},
         {.kind = "native"},
         "recorded outcomes played the original: `retropose stat` says who made them"},
        {{.kind = "original", .sha256 = {"1", "2"}},
         {.kind = "original", .sha256 = {"3", "4"}},
         ORIGINAL},
        {{.kind = "original", .sha256 = {"1", "2"}},
         {.kind = "original", .sha256 = {"1", "2"}},
         ORIGINAL "; both sides are the same files"},
        {{.kind = "replacement", .sha256 = {"1", "2"}},
         {.kind = "replacement", .sha256 = {"1", "2"}},
         OURS "; both sides are the same files"},
        {{.kind = "original", .sha256 = {"1", "2"}},
         {.kind = "mixed", .sha256 = {"3", "2"}},
         "a pair of two kinds was tested: not all of it is our own code; both sides have the same "
         "AniMesh.dll"},
        {{.kind = "mixed", .sha256 = {"1", "2"}},
         {.kind = "replacement", .sha256 = {"1", "4"}},
         "a pair of two kinds played the original: this says nothing about a retail pair; both "
         "sides have the same Ngi32.dll"},
        {{.kind = "stand-in", .sha256 = {"1", "2"}},
         {.kind = "stand-in", .sha256 = {"1", "2"}},
         STANDIN "; a stand-in was tested: this says nothing about our own code; both sides are "
                 "the same files"},
        {{.kind = "original"},
         {.kind = "recorded"},
         "recorded outcomes were tested: `retropose stat` says who made them"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Report report = {.a = cases[i].a, .b = cases[i].b};
        Report_TakeNotice(&report);
        assert_string_equal(report.notice, cases[i].notice);
    }
}

/* Neither people nor programs may take a report for complete if a signal has cut it short. */
TEST(AStoppedRunSaysSoEverywhere) {
    Report report = MakeReport();
    report.stopped = "SIGTERM";
    char *text = TextOf(&report), *json = Fixture_Written(Report_Json, &report),
         *junit = Fixture_Written(Report_JUnit, &report),
         *html = Fixture_Written(Report_Html, &report);
    const char *last = strstr(text, "STOPPED by SIGTERM");
    assert_non_null(last);
    assert_string_equal(strchr(last, '\n'), "\n");
    cJSON *root = cJSON_Parse(json);
    assert_string_equal(Text(root, "stopped"), "SIGTERM");
    assert_int_equal(Number(root, "exit_code"), 2);
    Fixture_WellFormed(strchr(junit + 1, '<'));
    assert_non_null(strstr(junit, "tests=\"7\" failures=\"3\" errors=\"1\""));
    cJSON_Delete(root);
    assert_non_null(strstr(html, ": Stopped, no result: 4 of 5 calls compared, 2 different"));
    assert_non_null(strstr(html, "<h1>Stopped, no result: 4 of 5 calls compared, 2 different"));
    Fixture_WellFormed(strstr(html, "<html"));
    free(text);
    free(json);
    free(junit);
    free(html);
}

/* Calls that were compared before an error are not a result, but they are not lost, either. */
TEST(ARunThatAnErrorEndedSaysSoEverywhere) {
    RpError error;
    Report report = MakeReport();
    RpError_Set(&error, RP_TRUNCATED, RP_NOWHERE, "the trace is cut", "a<b.rptrace", "", "");
    report.stopped = "an error";
    report.error = &error;
    char *text = TextOf(&report), *json = Fixture_Written(Report_Json, &report),
         *junit = Fixture_Written(Report_JUnit, &report),
         *html = Fixture_Written(Report_Html, &report);
    assert_non_null(strstr(text, "FIRST DIFFERENCE  ngi32.slot14"));
    const char *words = strstr(text, "\nerror: ");
    assert_non_null(words);
    assert_non_null(strstr(words, "the trace is cut"));
    assert_non_null(strstr(words, "a<b.rptrace"));
    assert_non_null(strstr(words, "\nSTOPPED by an error: "));
    cJSON *root = cJSON_Parse(json);
    assert_string_equal(Text(root, "stopped"), "an error");
    assert_non_null(strstr(Text(root, "error"), "the trace is cut"));
    assert_int_equal(Number(root, "exit_code"), 2);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(root, "differences")), 2);
    cJSON_Delete(root);
    Fixture_WellFormed(strchr(junit + 1, '<'));
    assert_non_null(strstr(junit, "tests=\"7\" failures=\"3\" errors=\"1\""));
    assert_non_null(strstr(junit, "the trace is cut"));
    assert_non_null(strstr(html, "the trace is cut"));
    assert_non_null(strstr(html, "stopped by an error"));
    free(text);
    free(json);
    free(junit);
    free(html);
}

/* In two calls both sides broke a rule in the same way, and in one of them nobody knows what they
 * wrote. */
TEST(WhatBothSidesBreakIsToldEverywhere) {
    const uint32_t words[4] = {0x3F800000, 0, 0, 0};
    TraceCall calls[3] = {Fixture_Slerp(6, words), Fixture_Slerp(7, words),
                          Fixture_Slerp(8, words)};
    calls[0].violations = TRACE_OUTSIDE_WRITE;
    calls[1].violations = TRACE_X87_STACK;
    Comparison *broken = Fixture_CompareCalls(calls, calls, 3, "small");
    Report report = {.comparison = broken};
    char *text = TextOf(&report), *json = Fixture_Written(Report_Json, &report),
         *junit = Fixture_Written(Report_JUnit, &report),
         *html = Fixture_Written(Report_Html, &report);
    assert_non_null(strstr(text, "compared  different wrote outside  verdict\n"));
    assert_non_null(strstr(text, "2          0             1  PARTLY COMPARED\n"));
    assert_non_null(strstr(text, "\n2 calls have violations on both sides\n2 of 3 calls compared, "
                                 "0 different; NOT COMPARED: 1 wrote outside\n"));
    cJSON *root = cJSON_Parse(json);
    assert_int_equal(Number(root, "exit_code"), 4);
    const cJSON *totals = cJSON_GetObjectItem(root, "totals");
    assert_int_equal(Number(totals, "wrote_outside"), 1);
    assert_int_equal(Number(totals, "violated"), 2);
    const cJSON *function = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "functions"), 0);
    assert_int_equal(Number(function, "wrote_outside"), 1);
    assert_int_equal(Number(function, "violated"), 2);
    cJSON_Delete(root);
    assert_non_null(
        strstr(junit, "<skipped message=\"1 of 3 calls not compared: 1 wrote outside\"/>"));
    assert_non_null(strstr(html, "NOT COMPARED: 1 wrote outside"));
    assert_non_null(strstr(html, "violations on both sides"));
    free(text);
    free(json);
    free(junit);
    free(html);
    Comparison_Destroy(broken);
}

/* Names from files, and names of files, appear in a report. None of them may move a terminal's
 * cursor, break the XML or make JSON that nobody can read. */
TEST(NothingInAReportIsRaw) {
    Report report = MakeReport();
    report.colour = true;
    snprintf(report.a.description, sizeof report.a.description, "x\033[2J\033[31m\ny\xFFz");
    char *text = TextOf(&report), *json = Fixture_Written(Report_Json, &report),
         *junit = Fixture_Written(Report_JUnit, &report);
    assert_non_null(strstr(text, "a: x\\x1B[2J\\x1B[31m\\x0Ay\\xFFz  standin\n"));
    assert_non_null(strstr(text, "\033[31mDIFFERENT\033[0m"));
    cJSON *root = cJSON_Parse(json);
    assert_string_equal(Text(cJSON_GetObjectItem(root, "a"), "description"),
                        "x\033[2J\033[31m\ny\\xFFz");
    cJSON_Delete(root);
    free(text);
    free(json);
    free(junit);
}

TEST(AReportThatCannotBeWrittenIsAnError) {
    RpError error;
    assert_int_equal(Output_Write("/nowhere/at/all.json", "", &error), RP_IO);
    char long_path[5000];
    memset(long_path, 'x', sizeof long_path - 1);
    long_path[sizeof long_path - 1] = 0;
    assert_int_equal(Output_Write(long_path, "", &error), RP_IO);
}

TEST(ExitCodesFollowTheTotals) {
    const struct {
        CompareTotals totals;
        int code, allowed;
    } cases[] = {
        {{.counts = {.compared = 1}}, 0, 0},
        {{.counts = {.compared = 1, .known = 1}}, 0, 0},
        {{.counts = {.compared = 1, .processor = 1}}, 0, 0},
        {{.counts = {.compared = 1, .different = 1}}, 1, 1},
        {{.counts = {.compared = 1}, .stale = 1}, 1, 1},
        {{.counts = {.unsupported = 1}}, 2, 2},
        {{.counts = {.failed_alike = 1}}, 2, 2},
        {{.counts = {.compared = 1, .different = 1, .crashed = 1}}, 3, 3},
        {{.counts = {.compared = 1, .failed_alike = 1}}, 4, 0},
        {{.counts = {.compared = 1, .wrote_outside = 1}}, 4, 0},
        {{.counts = {.wrote_outside = 1}}, 2, 2},
        {{.counts = {.compared = 1, .not_comparable = 1}}, 4, 0},
        {{.counts = {.compared = 1, .not_called = 1}}, 4, 0},
        {{.counts = {.compared = 1, .unsupported = 1}}, 4, 0},
        {{.counts = {.compared = 1, .different = 1, .unsupported = 1}}, 1, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(Report_ExitCode(&cases[i].totals, false), cases[i].code);
        assert_int_equal(Report_ExitCode(&cases[i].totals, true), cases[i].allowed);
    }
}

TEST(EndingsAndViolationsHaveWords) {
    char text[128];
    const uint8_t words[12] = {3, 0, 0, 0, 0x10, 0, 0, 0, 2};
    Describe_Ending(TRACE_EXITED, words, 4, text, sizeof text);
    assert_string_equal(text, "exited with 3");
    Describe_Ending(TRACE_CRASHED, words, 12, text, sizeof text);
    assert_string_equal(text, "crashed with 00000003 at 0x10");
    Describe_Ending(TRACE_TIMED_OUT, NULL, 0, text, sizeof text);
    assert_string_equal(text, "timed out");
    assert_string_equal(Describe_Outcome(99), "unknown");
    Describe_Violations(0, text, sizeof text);
    assert_string_equal(text, "none");
    Describe_Violations(TRACE_STACK_POINTER | TRACE_OUTSIDE_WRITE, text, sizeof text);
    assert_string_equal(text, "stack pointer, outside write");
    assert_true(Describe_State("outcome", TRACE_TIMED_OUT, text, sizeof text));
    assert_string_equal(text, "timed out");
    assert_true(Describe_State("exception", 0xC0000094, text, sizeof text));
    assert_string_equal(text, "c0000094 (integer division by zero)");
    assert_true(Describe_State("x87 stack", 1, text, sizeof text));
    assert_string_equal(text, "violated");
    assert_false(Describe_State("exit code", 1, text, sizeof text));
}

/* A parting may come from somebody's shard. None of its texts moves the cursor, or makes a line. */
TEST(ThePartingsOfAShardCannotForgeWords) {
    const Parting partings[] = {
        {.why_not = "\x1b[2J\n1 calls compared, 0 different"},
        {.processor = "\x1b[31m\n",
         .sides = {{"a\n", "\x1b[1m", "\r", "\n", "\x1b[2m", "\n"}, {.where = ""}}}};
    static const size_t lines[] = {1, 5};
    for (size_t i = 0; i < sizeof partings / sizeof *partings; i++) {
        RpBuffer text;
        size_t count = 0;
        RpBuffer_Init(&text, NULL);
        Parting_Text(&partings[i], "", &text);
        for (size_t k = 0; k < text.size; k++) {
            count += text.bytes[k] == '\n';
            assert_true(text.bytes[k] == '\n' || text.bytes[k] >= ' ');
        }
        assert_int_equal(count, lines[i]);
        RpBuffer_Free(&text);
    }
}

AROUND_ALL(MakeComparison, FreeComparison)
