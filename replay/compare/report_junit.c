/* Writes JUnit XML: one suite with a test case for each function and for each known difference. */
#include "core/page/page.h"
#include "replay/compare/known.h"
#include "replay/compare/report.h"

#include <string.h>

static void AddAttribute(RpBuffer *text, const char *name, const char *value) {
    RpBuffer_Print(text, " %s=\"", name);
    Page_Text(text, value);
    RpBuffer_Print(text, "\"");
}

/* Returns whether a function was compared only in part, in which case it has not passed. */
static bool IsSkipped(const CompareFunction *function) {
    return function->counts.different == 0 && CompareCounts_Rest(&function->counts) > 0;
}

static void AddFunction(RpBuffer *text, const Report *report, const CompareFunction *function) {
    const CompareCounts *counts = &function->counts;
    RpBuffer_Print(text, "    <testcase classname=\"%s\"",
                   AbiModule_Name(function->function->module));
    char name[160];
    snprintf(name, sizeof name, "%s %s", function->function->key, function->function->name);
    AddAttribute(text, "name", name);
    RpBuffer_Print(text, ">\n");
    if (counts->different > 0) {
        char message[512], a[REPORT_SIDE_BYTES], b[REPORT_SIDE_BYTES], command[2048];
        const Difference *d = Comparison_FirstDifference(report->comparison, function->function);
        snprintf(message, sizeof message, "%llu of %llu calls differ",
                 (unsigned long long)counts->different, (unsigned long long)counts->compared);
        RpBuffer_Print(text, "      <failure");
        AddAttribute(text, "message", message);
        RpBuffer_Print(text, ">");
        if (d) {
            Report_Sides(d, a, b);
            snprintf(message, sizeof message, "call %llu of %.100s: %s %s -> %s",
                     (unsigned long long)d->sequence, d->trace, d->path, a, b);
            Page_Text(text, message);
        }
        if (d && report->repeat && report->repeat(report->context, d, command, sizeof command)) {
            RpBuffer_Print(text, "\n");
            Page_Text(text, command);
        }
        RpBuffer_Print(text, "</failure>\n");
    } else if (IsSkipped(function)) {
        const uint64_t rest = CompareCounts_Rest(counts), selected = rest + counts->compared;
        char message[200];
        Report_Rest(counts, message, sizeof message);
        RpBuffer_Print(text, "      <skipped message=\"%llu of %llu calls not compared: %s\"/>\n",
                       (unsigned long long)rest, (unsigned long long)selected, message);
    }
    RpBuffer_Print(text, "    </testcase>\n");
}

RpStatus Report_JUnit(const Report *report, RpBuffer *text, RpError *error) {
    const Comparison *comparison = report->comparison;
    const size_t functions = Comparison_FunctionCount(comparison);
    const size_t lines = Comparison_KnownCount(comparison);
    const unsigned stopped = report->stopped != NULL;
    size_t failures = 0, skipped = 0;
    for (size_t i = 0; i < functions; i++) {
        const CompareFunction *function = Comparison_FunctionAt(comparison, i);
        failures += function->counts.different > 0;
        skipped += IsSkipped(function);
    }
    for (size_t i = 0; i < lines; i++) {
        failures += Comparison_KnownAt(comparison, i)->stale;
        skipped += Comparison_KnownAt(comparison, i)->covered == 0;
    }
    RpBuffer_Print(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite");
    AddAttribute(text, "name", "retropose replay");
    RpBuffer_Print(text, " tests=\"%u\" failures=\"%u\" errors=\"%u\" skipped=\"%u\">\n",
                   (unsigned)(functions + lines) + stopped, (unsigned)failures, stopped,
                   (unsigned)skipped);
    if (report->notice[0]) {
        RpBuffer_Print(text, "    <properties>\n      <property name=\"notice\"");
        AddAttribute(text, "value", report->notice);
        RpBuffer_Print(text, "/>\n    </properties>\n");
    }

    for (size_t i = 0; i < functions; i++)
        AddFunction(text, report, Comparison_FunctionAt(comparison, i));
    for (size_t i = 0; i < lines; i++) {
        const CompareKnown *known = Comparison_KnownAt(comparison, i);
        char name[512];
        snprintf(name, sizeof name, "line %u: %s %s", known->entry->line,
                 known->entry->selection_text, known->entry->path);
        RpBuffer_Print(text, "    <testcase classname=\"known differences\"");
        AddAttribute(text, "name", name);
        RpBuffer_Print(text, ">\n");
        if (known->stale)
            RpBuffer_Print(text, "      <failure message=\"no longer different\"/>\n");
        else if (known->covered == 0)
            RpBuffer_Print(text, "      <skipped message=\"not covered\"/>\n");
        RpBuffer_Print(text, "    </testcase>\n");
    }

    /* A stopped run has an error, so that nobody takes the part for the whole. */
    if (stopped) {
        char words[REPORT_ERROR_BYTES] = "", message[REPORT_ERROR_BYTES + 80];
        if (report->error)
            RpError_Format(report->error, words, sizeof words);
        snprintf(message, sizeof message, "stopped by %s: a part of what was asked for%s%s",
                 report->stopped, *words ? ": " : "", words);
        RpBuffer_Print(text, "    <testcase classname=\"run\" name=\"to its end\">\n      <error");
        AddAttribute(text, "message", message);
        RpBuffer_Print(text, "/>\n    </testcase>\n");
    }
    RpBuffer_Print(text, "  </testsuite>\n</testsuites>\n");
    return text->failed ? RpMemory_Refused(error, "a report") : RP_OK;
}
