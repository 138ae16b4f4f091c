/* Finds what changed from one report to the next, function by function. */
#include "core/json/json_text.h"
#include "core/text.h"
#include "replay/compare/saved_report.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long Number;

const char *ReportChange_Name(ReportChange change) {
    static const char *const names[REPORT_CHANGES] = {"worse", "new", "better", "gone", "same"};
    return names[change];
}

/* ---- judging ----------------------------------------------------------------------------------
 */

/* Compares two shares; the result is below 0 if the first is smaller. Counts are at most 2^53, and
 * so exact as doubles. Equal shares have equal quotients, since a quotient is rounded once. */
static int CompareShares(uint64_t part_a, uint64_t whole_a, uint64_t part_b, uint64_t whole_b) {
    const double a = (double)part_a / (double)whole_a, b = (double)part_b / (double)whole_b;
    return a < b ? -1 : a > b;
}

static const SavedFunction *Find(const SavedReport *report, const char *key) {
    for (size_t i = 0; i < report->function_count; i++)
        if (strcmp(report->functions[i].key, key) == 0)
            return &report->functions[i];
    return NULL;
}

static void AddRow(ReportDiff *diff, const SavedFunction *before, const SavedFunction *after) {
    const SavedFunction *either = after ? after : before;
    ReportDiffRow *row = &diff->rows[diff->row_count++];
    *row = (ReportDiffRow){.key = either->key, .name = either->name};
    if (before)
        row->before = before->counts;
    if (after)
        row->after = after->counts;

    /* A function is judged by the first of these in which the reports differ: whether anything was
     * compared, whether anything differs, the share of calls that crash, the share that differ, and
     * the share that were compared. */
    const CompareCounts *old = &row->before, *now = &row->after;
    const uint64_t old_rest = CompareCounts_Rest(old), now_rest = CompareCounts_Rest(now);
    row->reason = "";
    row->change = REPORT_SAME;
    if (old->compared == 0 || now->compared == 0) {
        if (now->different > 0) {
            row->change = REPORT_NEW;
        } else if (old->compared > 0) {
            row->change = REPORT_WORSE;
            row->reason = "not compared any more";
        } else if (now->compared > 0) {
            row->change = REPORT_BETTER;
            row->reason = "compared now";
        }
    } else if ((old->different > 0) != (now->different > 0)) {
        row->change = now->different > 0 ? REPORT_NEW : REPORT_GONE;
    } else {
        int order = CompareShares(now->crashed, now->compared, old->crashed, old->compared);
        row->reason = order > 0 ? "more crash" : order < 0 ? "fewer crash" : "";
        if (order == 0)
            order = CompareShares(now->different, now->compared, old->different, old->compared);
        if (order == 0 && (old_rest > 0 || now_rest > 0)) {
            order = CompareShares(now_rest, now->compared + now_rest, old_rest,
                                  old->compared + old_rest);
            row->reason = order > 0 ? "fewer compared" : order < 0 ? "more compared" : "";
        }
        row->change = order > 0 ? REPORT_WORSE : order < 0 ? REPORT_BETTER : REPORT_SAME;
    }
    diff->counts[row->change]++;
}

RpStatus ReportDiff_Make(const SavedReport *before, const SavedReport *after, ReportDiff *diff,
                         RpError *error) {
    memset(diff, 0, sizeof *diff);
    diff->rows = calloc(before->function_count + after->function_count + 1, sizeof *diff->rows);
    if (!diff->rows)
        return RpMemory_Refused(error, "a difference of reports");
    for (size_t i = 0; i < after->function_count; i++)
        AddRow(diff, Find(before, after->functions[i].key), &after->functions[i]);
    for (size_t i = 0; i < before->function_count; i++)
        if (!Find(after, before->functions[i].key))
            AddRow(diff, &before->functions[i], NULL);
    diff->stale = after->totals.stale > before->totals.stale;
    diff->worse = diff->stale || diff->counts[REPORT_WORSE] > 0 || diff->counts[REPORT_NEW] > 0;
    return RP_OK;
}

void ReportDiff_Free(ReportDiff *diff) {
    free(diff->rows);
    memset(diff, 0, sizeof *diff);
}

/* ---- text -------------------------------------------------------------------------------------
 */

static void PutSides(RpBuffer *text, const char *when, const SavedReport *report) {
    char verdict[REPORT_VERDICT_BYTES];
    Report_Verdict(&report->totals, verdict, sizeof verdict);
    RpBuffer_Print(text, "%s: %s\n  a: %s\n  b: %s\n", when, verdict, report->a.description,
                   report->b.description);
}

/* Writes "12 of 569", followed by the number of calls that were not compared. */
static void PutCounts(RpBuffer *text, const CompareCounts *counts) {
    char words[96], rest[48] = "";
    const uint64_t missing = CompareCounts_Rest(counts);
    if (missing > 0)
        snprintf(rest, sizeof rest, " (+%llu)", (Number)missing);
    if (counts->compared == 0 && missing == 0)
        snprintf(words, sizeof words, "-");
    else
        snprintf(words, sizeof words, "%llu of %llu%s", (Number)counts->different,
                 (Number)counts->compared, rest);
    RpBuffer_Print(text, "  %-22s", words);
}

void ReportDiff_Text(const SavedReport *before, const SavedReport *after, const ReportDiff *diff,
                     RpBuffer *text) {
    bool any = false;
    PutSides(text, "before", before);
    PutSides(text, "after", after);
    for (int change = 0; change < REPORT_SAME; change++)
        for (size_t i = 0; i < diff->row_count; i++) {
            const ReportDiffRow *row = &diff->rows[i];
            if ((int)row->change != change)
                continue;
            if (!any)
                RpBuffer_Print(text, "\n%-27s %-26s  %-22s  %-22s  change\n", "function", "name",
                               "different before", "after");
            any = true;
            RpBuffer_Print(text, "%-27s %-26s", row->key, row->name);
            PutCounts(text, &row->before);
            PutCounts(text, &row->after);
            RpBuffer_Print(text, "  %s%s%s\n", ReportChange_Name(row->change),
                           *row->reason ? ": " : "", row->reason);
        }
    if (diff->stale)
        RpBuffer_Print(text,
                       "\n%llu lines of the known differences have no difference any more, "
                       "%llu before\n",
                       (Number)after->totals.stale, (Number)before->totals.stale);
    RpBuffer_Print(text, "\n%zu function%s worse, %zu new, %zu better, %zu gone, %zu as before\n",
                   diff->counts[REPORT_WORSE], Text_Plural(diff->counts[REPORT_WORSE]),
                   diff->counts[REPORT_NEW], diff->counts[REPORT_BETTER], diff->counts[REPORT_GONE],
                   diff->counts[REPORT_SAME]);
}

/* ---- JSON -------------------------------------------------------------------------------------
 */

static void AddCounts(cJSON *object, const char *name, const CompareCounts *counts) {
    cJSON *one = cJSON_AddObjectToObject(object, name);
    cJSON_AddNumberToObject(one, "compared", (double)counts->compared);
    cJSON_AddNumberToObject(one, "different", (double)counts->different);
    cJSON_AddNumberToObject(one, "crashed", (double)counts->crashed);
    cJSON_AddNumberToObject(one, "not_compared", (double)CompareCounts_Rest(counts));
}

static void AddReport(cJSON *root, const char *name, const SavedReport *report) {
    char verdict[REPORT_VERDICT_BYTES];
    Report_Verdict(&report->totals, verdict, sizeof verdict);
    cJSON *one = cJSON_AddObjectToObject(root, name);
    cJSON_AddStringToObject(one, "verdict", verdict);
    cJSON_AddStringToObject(one, "a", report->a.description);
    cJSON_AddStringToObject(one, "b", report->b.description);
    AddCounts(one, "totals", &report->totals.counts);
    cJSON_AddNumberToObject(one, "stale", (double)report->totals.stale);
}

RpStatus ReportDiff_Json(const SavedReport *before, const SavedReport *after,
                         const ReportDiff *diff, RpBuffer *json, RpError *error) {
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "format", "retropose report diff 1");
    cJSON_AddBoolToObject(root, "worse", diff->worse);
    AddReport(root, "before", before);
    AddReport(root, "after", after);
    cJSON *totals = cJSON_AddObjectToObject(root, "changes");
    for (int change = 0; change < REPORT_CHANGES; change++)
        cJSON_AddNumberToObject(totals, ReportChange_Name((ReportChange)change),
                                (double)diff->counts[change]);
    cJSON *list = cJSON_AddArrayToObject(root, "functions");
    for (size_t i = 0; i < diff->row_count; i++) {
        const ReportDiffRow *row = &diff->rows[i];
        cJSON *object = cJSON_CreateObject();
        cJSON_AddStringToObject(object, "key", row->key);
        cJSON_AddStringToObject(object, "name", row->name);
        cJSON_AddStringToObject(object, "change", ReportChange_Name(row->change));
        if (*row->reason)
            cJSON_AddStringToObject(object, "reason", row->reason);
        AddCounts(object, "before", &row->before);
        AddCounts(object, "after", &row->after);
        cJSON_AddItemToArray(list, object);
    }
    return JsonText_End(root, root && list, "a difference of reports", json, error);
}
