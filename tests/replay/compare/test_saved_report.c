/* Tests reports that are read again: differences of two reports, errors, and badges. */
#include "tests/replay/fixture.h"

#include "replay/compare/saved_report.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNTS(compared, different, unsupported, crashed)                                          \
    "\"compared\": " #compared ", \"different\": " #different ", \"known\": 0, \"processor\": 0, " \
    "\"failed_alike\": 0, \"not_comparable\": 0, \"not_called\": 0, "                              \
    "\"unsupported\": " #unsupported ", \"crashed\": " #crashed
#define FUNCTION(name, ...)                                                                        \
    "{\"key\": \"k." name "\", \"name\": \"" name "\", " COUNTS(__VA_ARGS__) "}"
#define REPORT_OF(kind, kind_b, code, totals, stale, functions)                                    \
    "{\"format\": \"retropose report 1\", \"a\": {\"kind\": \"" kind                               \
    "\", \"description\": \"A\"}, "                                                                \
    "\"b\": {\"kind\": \"" kind_b "\", \"description\": \"B\"}, \"exit_code\": " #code             \
    ", \"totals\": {" totals ", \"stale\": " #stale "}, \"functions\": [" functions "]}"
#define REPORT(kind, code, totals, stale, functions)                                               \
    REPORT_OF(kind, "replacement", code, totals, stale, functions)

static SavedReport Read(const char *text) {
    SavedReport report;
    RpError error;
    if (SavedReport_Read(&report, text, strlen(text), &error))
        fail_msg("%s %s, expected %s, found %s", error.what, error.where, error.expected,
                 error.found);
    return report;
}

static const ReportDiffRow *RowOf(const ReportDiff *diff, const char *name) {
    for (size_t i = 0; i < diff->row_count; i++)
        if (strcmp(diff->rows[i].name, name) == 0)
            return &diff->rows[i];
    fail_msg("no row %s", name);
    return NULL;
}

/* Functions of two reports: how many calls were compared, differed, were unsupported and crashed in
 * each, with a negative number where a report has none of the function, and what has changed. */
static const struct Change {
    const char *name;
    int before[4], after[4];
    ReportChange change;
    const char *reason;
} changes[] = {
    {"same", {100, 10}, {200, 20}, REPORT_SAME, ""},
    {"new", {100}, {100, 1}, REPORT_NEW, ""},
    {"gone", {100, 5}, {100}, REPORT_GONE, ""},
    {"worse", {100, 5}, {100, 6}, REPORT_WORSE, ""},
    {"better", {100, 5}, {100, 4}, REPORT_BETTER, ""},
    {"shorter", {1000, 10}, {100, 1}, REPORT_SAME, ""},
    {"lost", {100}, {0, 0, 100}, REPORT_WORSE, "not compared any more"},
    {"crashes", {100, 5}, {100, 5, 0, 1}, REPORT_WORSE, "more crash"},
    {"partly", {100}, {50, 0, 50}, REPORT_WORSE, "fewer compared"},
    {"found", {0, 0, 50}, {50}, REPORT_BETTER, "compared now"},
    {"dropped", {7}, {-1}, REPORT_WORSE, "not compared any more"},
    {"fresh", {-1}, {10, 3}, REPORT_NEW, ""},
};

static SavedReport before, after;
static ReportDiff diff;

static SavedReport ReadSide(bool is_after) {
    char text[8192], *at = text, *const end = text + sizeof text;
    const char *comma = "";
    at += snprintf(at, (size_t)(end - at),
                   "{\"format\": \"retropose report 1\", \"a\": {\"kind\": \"stand-in\", "
                   "\"description\": \"A\"}, \"b\": {\"kind\": \"replacement\", "
                   "\"description\": \"B\"}, \"exit_code\": 1, \"totals\": {%s, \"stale\": 0}, "
                   "\"functions\": [",
                   COUNTS(1000, 40, 0, 0));
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        const int *counts = is_after ? changes[i].after : changes[i].before;
        if (counts[0] < 0)
            continue;
        at += snprintf(at, (size_t)(end - at),
                       "%s{\"key\": \"k.%s\", \"name\": \"%s\", \"compared\": %d, "
                       "\"different\": %d, \"known\": 0, \"processor\": 0, \"failed_alike\": 0, "
                       "\"not_comparable\": 0, \"not_called\": 0, \"unsupported\": %d, "
                       "\"crashed\": %d}",
                       comma, changes[i].name, changes[i].name, counts[0], counts[1], counts[2],
                       counts[3]);
        comma = ",";
    }
    snprintf(at, (size_t)(end - at), "]}");
    return Read(text);
}

TEST_AROUND(MakeDiff) {
    before = ReadSide(false);
    after = ReadSide(true);
    return ReportDiff_Make(&before, &after, &diff, NULL) != RP_OK;
}

TEST_AROUND(FreeDiff) {
    ReportDiff_Free(&diff);
    SavedReport_Free(&before);
    SavedReport_Free(&after);
    return 0;
}

TEST_WITH(EveryKindOfChangeIsTold, MakeDiff, FreeDiff) {
    assert_int_equal(diff.row_count, sizeof changes / sizeof *changes);
    for (size_t i = 0; i < diff.row_count; i++) {
        const ReportDiffRow *row = RowOf(&diff, changes[i].name);
        if (row->change != changes[i].change)
            fail_msg("%s is %s", row->name, ReportChange_Name(row->change));
        assert_string_equal(row->reason, changes[i].reason);
    }
    assert_int_equal(diff.counts[REPORT_WORSE], 5);
    assert_int_equal(diff.counts[REPORT_NEW], 2);
    assert_int_equal(diff.counts[REPORT_BETTER], 2);
    assert_int_equal(diff.counts[REPORT_GONE], 1);
    assert_true(diff.worse);
}

static bool IsWorse(const char *before_json, const char *after_json) {
    before = Read(before_json);
    after = Read(after_json);
    assert_int_equal(ReportDiff_Make(&before, &after, &diff, NULL), RP_OK);
    const bool worse = diff.worse;
    FreeDiff(NULL);
    return worse;
}

TEST(OnlyWorseAndNewFail) {
    static const char five[] =
        REPORT("original", 1, COUNTS(10, 5, 0, 0), 0, FUNCTION("f", 10, 5, 0, 0));
    static const char none[] =
        REPORT("original", 0, COUNTS(10, 0, 0, 0), 0, FUNCTION("f", 10, 0, 0, 0));
    static const char stale[] =
        REPORT("original", 1, COUNTS(10, 0, 0, 0), 1, FUNCTION("f", 10, 0, 0, 0));
    assert_false(IsWorse(five, five));
    assert_false(IsWorse(five, none));
    assert_true(IsWorse(none, five));
    assert_true(IsWorse(none, stale));
    assert_false(IsWorse(stale, none));
}

TEST_WITH(TheTextAndTheJsonSayIt, MakeDiff, FreeDiff) {
    RpBuffer text;
    RpBuffer_Init(&text, NULL);
    ReportDiff_Text(&before, &after, &diff, &text);
    RpBuffer_Append(&text, "", 1);
    const char *words = (const char *)text.bytes;
    assert_non_null(strstr(words, "before: 1000 calls compared, 40 different\n"));
    assert_non_null(strstr(words, "k.worse"));
    assert_true(strstr(words, "k.worse") < strstr(words, "k.new"));
    assert_true(strstr(words, "k.new") < strstr(words, "k.better"));
    assert_null(strstr(words, "k.same"));
    assert_non_null(strstr(words, "0 of 50 (+50)           worse: fewer compared\n"));
    assert_non_null(strstr(words, "5 functions worse, 2 new, 2 better, 1 gone, 2 as before\n"));
    RpBuffer_Free(&text);
    RpBuffer_Init(&text, NULL);
    assert_int_equal(ReportDiff_Json(&before, &after, &diff, &text, NULL), RP_OK);
    RpBuffer_Append(&text, "", 1);
    cJSON *root = cJSON_Parse((const char *)text.bytes);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(root, "worse")));
    assert_int_equal(cJSON_GetObjectItem(cJSON_GetObjectItem(root, "changes"), "worse")->valueint,
                     5);
    const cJSON *first = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "functions"), 1);
    assert_string_equal(cJSON_GetObjectItem(first, "change")->valuestring, "new");
    assert_int_equal(
        cJSON_GetObjectItem(cJSON_GetObjectItem(first, "after"), "different")->valueint, 1);
    cJSON_Delete(root);
    RpBuffer_Free(&text);
}

/* Reports of a version that did not count writes outside on both sides can still be read; the
 * report above is such a one. */
TEST(AddedCountsAreRead) {
    SavedReport report = Read(REPORT("x", 4, COUNTS(5, 0, 0, 0), 0, ""));
    assert_int_equal(report.totals.counts.wrote_outside, 0);
    assert_int_equal(report.totals.counts.violated, 0);
    SavedReport_Free(&report);
    report =
        Read(REPORT("x", 4, COUNTS(5, 0, 0, 0) ", \"wrote_outside\": 3, \"violated\": 4", 0, ""));
    assert_int_equal(report.totals.counts.wrote_outside, 3);
    assert_int_equal(report.totals.counts.violated, 4);
    assert_int_equal(CompareCounts_Rest(&report.totals.counts), 3);
    SavedReport_Free(&report);
}

TEST(ABrokenReportIsRefusedWithItsPlace) {
    static const struct {
        const char *text, *where, *what;
    } cases[] = {
        {"", "", "this is no JSON"},
        {"{\"format\": ", "", "this is no JSON"},
        {"[]", "format", "this is no report of replay or compare"},
        {"{\"format\": \"retropose report 2\"}", "format",
         "this is no report of replay or compare"},
        {"{\"format\": \"retropose report 1\"}", "a", "this is no object"},
        {"{\"format\": \"retropose report 1\", \"a\": {\"description\": 5}}", "a.description",
         "this is no text"},
        {REPORT("x", 9, COUNTS(1, 0, 0, 0), 0, ""), "exit_code", "this is no such number"},
        {REPORT("x", 0, COUNTS(-1, 0, 0, 0), 0, ""), "totals.compared", "this is no such number"},
        {REPORT("x", 0, COUNTS(1.5, 0, 0, 0), 0, ""), "totals.compared", "this is no such number"},
        {REPORT("x", 0, COUNTS(1, 2, 0, 0), 0, ""), "totals",
         "more calls differ than were compared"},
        {REPORT("x", 0, COUNTS(1, 0, 0, 0), 0, "") " garbage", "", "this is no JSON"},
        {REPORT("x", 0, COUNTS(1, 0, 0, 0), 0, "7"), "functions[0]", "this is no function"},
        {REPORT("x", 0, COUNTS(1, 0, 0, 0), 0, FUNCTION("f", 1, 2, 0, 0)), "functions[0]",
         "more calls differ than were compared"},
        {REPORT("x", 0, COUNTS(1, 0, 0, 0), 0,
                FUNCTION("f", 1, 0, 0, 0) "," FUNCTION("f", 1, 0, 0, 0)),
         "functions[1]", "the function occurs twice"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SavedReport report;
        RpError error;
        assert_int_equal(SavedReport_Read(&report, cases[i].text, strlen(cases[i].text), &error),
                         RP_CORRUPT);
        assert_string_equal(error.what, cases[i].what);
        assert_string_equal(error.where, cases[i].where);
        assert_null(report.functions);
    }
}

static char *BadgeOf(const char *json) {
    SavedReport report = Read(json);
    RpBuffer svg;
    RpBuffer_Init(&svg, NULL);
    SavedReport_Badge(&report, &svg);
    SavedReport_Free(&report);
    RpBuffer_Append(&svg, "", 1);
    assert_false(svg.failed);
    return (char *)svg.bytes;
}

#define GREEN "#1a6b32"

TEST(ABadgeNamesWhoPlayedTheOriginal) {
    static const struct {
        const char *json, *verdict, *provider;
        bool green;
    } cases[] = {
        {REPORT("original", 0, COUNTS(1234567, 0, 0, 0), 0, ""), "1,234,567 calls equal",
         "with an original", true},
        {REPORT("stand-in", 0, COUNTS(1000, 0, 0, 0), 0, ""), "1,000 calls equal",
         "STAND-IN, not the retail DLLs", false},
        {REPORT("original", 1, COUNTS(1000, 12, 0, 0), 0, ""), "12 of 1,000 calls differ",
         "with an original", false},
        {REPORT("original", 4, COUNTS(5, 0, 9, 0), 0, ""), "5 calls equal, not all compared",
         "with an original", false},
        {REPORT("", 0, COUNTS(5, 0, 0, 0), 0, ""), "5 calls equal", "an unknown provider", false},
        {REPORT("native", 0, COUNTS(5, 0, 0, 0), 0, ""), "5 calls equal", "with native, not",
         false},
        {REPORT("or<i>&", 0, COUNTS(5, 0, 0, 0), 0, ""), "5 calls equal", "or&lt;i&gt;&amp;",
         false},
        {REPORT_OF("original", "native", 0, COUNTS(5, 0, 0, 0), 0, ""), "5 calls equal",
         "with an original<", true},
        {REPORT_OF("original", "original", 0, COUNTS(5, 0, 0, 0), 0, ""), "5 calls equal",
         "with an original; NOT OURS but original", false},
        {REPORT_OF("original", "recorded", 0, COUNTS(5, 0, 0, 0), 0, ""), "5 calls equal",
         "NOT OURS but recorded", false},
        {REPORT_OF("original", "mixed", 0, COUNTS(5, 0, 0, 0), 0, ""), "5 calls equal",
         "NOT OURS but mixed", false},
        {REPORT_OF("original", "", 0, COUNTS(5, 0, 0, 0), 0, ""), "5 calls equal",
         "NOT OURS but an unknown provider", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *svg = BadgeOf(cases[i].json);
        assert_non_null(strstr(svg, cases[i].verdict));
        assert_non_null(strstr(svg, cases[i].provider));
        assert_int_equal(strstr(svg, GREEN) != NULL, cases[i].green);
        free(svg);
    }
}
