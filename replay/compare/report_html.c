/* Writes the report as a page: the verdict, the functions that fail with what is behind them, and
 * how it was run. */
#include "core/page/page.h"
#include "core/text.h"
#include "replay/compare/call_html.h"
#include "replay/compare/known.h"
#include "replay/compare/processor_freedom.h"
#include "replay/compare/report.h"
#include "replay/compare/standing.h"
#include "replay/compare/tally_inputs.h"

#include <string.h>

enum { MOST_LISTED = 20 }; /* the number of further differences of a function that are listed */

typedef unsigned long long Number;

/* ---- words ------------------------------------------------------------------------------------
 */

static double Share(uint64_t part, uint64_t whole) {
    return whole ? (double)part / (double)whole : 0;
}

/* ---- the functions, the worst first -----------------------------------------------------------
 */

static bool HasCause(const Comparison *comparison, const CompareFunction *function) {
    return Standing_NextCause(comparison, function->function, SIZE_MAX) != SIZE_MAX;
}

/* Calls `append` for every function of a standing: those without a cause among the others first. */
static void ForEach(RpBuffer *html, const Report *report, Standing standing,
                    void (*append)(RpBuffer *html, const Report *report,
                                   const CompareFunction *function)) {
    const Comparison *comparison = report->comparison;
    for (int caused = 0; caused < 2; caused++)
        for (size_t i = 0; i < Comparison_FunctionCount(comparison); i++) {
            const CompareFunction *function = Comparison_FunctionAt(comparison, i);
            if (Standing_Of(&function->counts) == standing &&
                HasCause(comparison, function) == (caused == 1))
                append(html, report, function);
        }
}

static void AppendCauses(RpBuffer *html, const Comparison *comparison, const AbiFunction *function,
                         bool named) {
    size_t index = SIZE_MAX;
    const char *before = "";
    while ((index = Standing_NextCause(comparison, function, index)) != SIZE_MAX) {
        const AbiFunction *cause = Comparison_FunctionAt(comparison, index)->function;
        Page_Print(html, "%s<a ", before);
        Page_Link(html, cause->key);
        Page_Print(html, ">%s</a>", cause->key);
        if (named && !strstr(cause->key, cause->name))
            Page_Print(html, " (%s)", cause->name);
        before = ", ";
    }
}

static void AppendRow(RpBuffer *html, const Report *report, const CompareFunction *function) {
    CompareTotals totals;
    const Standing standing = Standing_Of(&function->counts);
    const char *class = "good-word";
    if (standing == STANDING_CRASHED || standing == STANDING_DIFFERENT)
        class = "bad-word";
    else if (standing == STANDING_PARTLY_COMPARED || standing == STANDING_NOT_COMPARED)
        class = "unsure-word";
    Comparison_Totals(report->comparison, &totals);
    RpBuffer_AppendText(html, "<tr><th scope=\"row\">");
    if (function->counts.different > 0) {
        RpBuffer_AppendText(html, "<a ");
        Page_Link(html, function->function->key);
        Page_Print(html, ">%s</a>", function->function->key);
    } else {
        Page_Text(html, function->function->key);
    }
    Page_Print(html, "</th><td>%s</td>", function->function->name);
    for (size_t i = 0; i < STANDING_COLUMNS; i++)
        if (StandingColumn_IsShown(&standing_columns[i], &totals))
            Page_Print(html, "<td class=\"number\">%llu</td>",
                       (Number)StandingColumn_Number(&standing_columns[i], &function->counts));
    Page_Print(html, "<td><span class=\"%s\">%s</span></td><td>", class, Standing_Name(standing));
    AppendCauses(html, report->comparison, function->function, false);
    RpBuffer_AppendText(html, "</td></tr>\n");
}

static void BeginFunctions(RpBuffer *html, const CompareTotals *totals, const char *caption) {
    char titles[STANDING_COLUMNS][32];
    const char *heads[STANDING_COLUMNS + 5] = {"function", "name"};
    size_t count = 2;
    for (size_t i = 0; i < STANDING_COLUMNS; i++)
        if (StandingColumn_IsShown(&standing_columns[i], totals)) {
            snprintf(titles[i], sizeof titles[i], "#%s", standing_columns[i].title);
            heads[count++] = titles[i];
        }
    heads[count++] = "verdict";
    heads[count] = "look first at";
    Page_BeginTable(html, caption, heads);
}

/* ---- how the differing calls of a function are spread -----------------------------------------
 */

/* Writes "1", "up to 8", "up to 2^21". */
static void NameBucket(uint32_t bucket, char *text, size_t size) {
    enum { LARGEST_PLAIN = 11 }; /* up to 2^10, numbers are written as they are */
    const uint64_t least = TallyUlps_Least(bucket), most = TallyUlps_Most(bucket);
    if (bucket > LARGEST_PLAIN)
        snprintf(text, size, "up to 2^%u", bucket - 1);
    else
        snprintf(text, size, "%s%llu", least == most ? "" : "up to ", (Number)most);
}

static void AppendBucket(RpBuffer *html, const char *name, uint64_t elements, uint64_t most) {
    if (elements == 0)
        return;
    Page_Print(html, "<tr><th scope=\"row\">%s</th>", name);
    Page_Bar(html, Share(elements, most));
    Page_Print(html, "<td class=\"number\">%llu</td></tr>\n", (Number)elements);
}

static void AppendUlps(RpBuffer *html, const TallyUlps *ulps) {
    static const char *const heads[] = {"distance in ulps", "share", "#elements", NULL};
    char name[64];
    uint64_t most = ulps->no_distance > ulps->no_number ? ulps->no_distance : ulps->no_number;
    uint64_t numbers = 0, highest = 0;
    uint32_t first = TALLY_BUCKETS, last = 0;
    for (uint32_t i = 0; i < TALLY_BUCKETS; i++) {
        numbers += ulps->buckets[i];
        highest = ulps->buckets[i] > highest ? ulps->buckets[i] : highest;
        if (ulps->buckets[i] > 0) {
            first = first < i ? first : i;
            last = i;
        }
    }
    most = highest > most ? highest : most;
    RpBuffer_AppendText(html, "<h3>How far apart the elements are that differ</h3>\n");
    if (last > first) {
        /* The picture has the buckets from the first one to the last one that has elements. */
        double heights[TALLY_BUCKETS];
        char from[32], to[32];
        for (uint32_t i = first; i <= last; i++)
            heights[i - first] = Share(ulps->buckets[i], highest);
        Page_Columns(html, "A histogram of distances; its numbers are in the table below", heights,
                     last - first + 1);
        NameBucket(first, from, sizeof from);
        NameBucket(last, to, sizeof to);
        Page_Print(html, "<p class=\"ends soft\"><span>%s ulp%s</span><span>%s ulps</span></p>\n",
                   from, Text_Plural(first), to);
    }
    if (last > first)
        Page_BeginFold(html, "These distances as numbers");
    Page_BeginTable(html, "Distances in units in the last place", heads);
    for (uint32_t i = 0; i < TALLY_BUCKETS; i++) {
        NameBucket(i, name, sizeof name);
        AppendBucket(html, i == 0 ? "0: the signs of two zeros" : name, ulps->buckets[i], most);
    }
    AppendBucket(html, "one is not a number", ulps->no_distance, most);
    AppendBucket(html, "whole numbers, references, state", ulps->no_number, most);
    Page_EndTable(html);
    if (last > first)
        Page_EndFold(html);
    if (numbers > 0)
        Page_Print(html,
                   "<p class=\"soft\">In %llu of these %llu numbers, side b is the larger "
                   "one.</p>\n",
                   (Number)ulps->above, (Number)numbers);
}

static void AppendRun(RpBuffer *html, const TallyRun *run) {
    static const char *const heads[] = {"positions", "#compared", "#different", "share", NULL};
    double shares[TALLY_STRETCHES];
    const size_t count = run->any ? (size_t)(run->last - run->first + 1) : 0;
    if (count < 2)
        return;
    for (size_t i = 0; i < count; i++)
        shares[i] = Share(run->different[i], run->compared[i]);
    RpBuffer_AppendText(html, "<h3>Share of differing calls over the run</h3>\n");
    Page_Columns(html, "The share of differing calls in each stretch of the run, from 0 to 1",
                 shares, count);
    Page_Print(html,
               "<p class=\"ends soft\"><span>position %llu</span><span>position %llu</span></p>\n",
               (Number)run->first << run->shift, (Number)((run->last + 1) << run->shift) - 1);
    Page_BeginFold(html, "These shares as numbers");
    Page_BeginTable(html, "By position in the trace or scenario", heads);
    for (size_t i = 0; i < count; i++) {
        Page_Print(html,
                   "<tr><th scope=\"row\">from %llu</th><td class=\"number\">%llu</td>"
                   "<td class=\"number\">%llu</td>",
                   (Number)(run->first + i) << run->shift, (Number)run->compared[i],
                   (Number)run->different[i]);
        Page_Bar(html, shares[i]);
        RpBuffer_AppendText(html, "</tr>\n");
    }
    Page_EndTable(html);
    Page_EndFold(html);
}

static void AppendInput(RpBuffer *html, const Tally *tally, uint32_t input, const char *name) {
    static const char *const heads[] = {"range", "#compared", "#different", "share", NULL};
    const uint64_t *compared = tally->inputs_compared.calls[input];
    const uint64_t *different = tally->inputs_different.calls[input];
    uint32_t ranges = 0, least = 0, most = 0;
    char text[256], of_least[32], of_most[32];
    for (uint32_t i = 0; i < TALLY_RANGES; i++) {
        if (compared[i] == 0)
            continue;
        const double share = Share(different[i], compared[i]);
        if (ranges == 0 || share < Share(different[least], compared[least]))
            least = i;
        if (ranges == 0 || share > Share(different[most], compared[most]))
            most = i;
        ranges++;
    }
    if (ranges <= 1) {
        Page_Print(html, "<p>%s: all calls lie in one range.</p>\n", name);
        return;
    }

    /* The heading says how much the share of differing calls depends on the input: "t: 0 % of the
     * calls with 0.1 to 0.5, 100 % of those with 1 differ". */
    const double lowest = Share(different[least], compared[least]);
    const double highest = Share(different[most], compared[most]);
    TallyInputs_Name(least, of_least, sizeof of_least);
    TallyInputs_Name(most, of_most, sizeof of_most);
    if (lowest < highest)
        snprintf(text, sizeof text,
                 "%s: %.0f %% of the calls with %s, %.0f %% of those with %s differ", name,
                 100 * lowest, of_least, 100 * highest, of_most);
    else
        snprintf(text, sizeof text, "%s: %.0f %% of the calls in each range differ", name,
                 100 * lowest);
    Page_BeginFold(html, text);
    Page_BeginTable(
        html, "By its value; of the two ends of a range, the one nearer to 0 belongs to it", heads);
    for (uint32_t i = 0; i < TALLY_RANGES; i++) {
        if (compared[i] == 0)
            continue;
        TallyInputs_Name(i, text, sizeof text);
        Page_Print(html,
                   "<tr><th scope=\"row\">%s</th><td class=\"number\">%llu</td>"
                   "<td class=\"number\">%llu</td>",
                   text, (Number)compared[i], (Number)different[i]);
        Page_Bar(html, Share(different[i], compared[i]));
        RpBuffer_AppendText(html, "</tr>\n");
    }
    Page_EndTable(html);
    Page_EndFold(html);
}

/* ---- one function -----------------------------------------------------------------------------
 */

static void AppendOthers(RpBuffer *html, const Comparison *comparison,
                         const AbiFunction *function) {
    static const char *const heads[] = {"#call", "of", "element", "a", "b", "#ulps", NULL};
    size_t rows = 0;
    bool first = true;
    for (size_t i = 0; i < Comparison_DifferenceCount(comparison) && rows < MOST_LISTED; i++) {
        const Difference *d = Comparison_DifferenceAt(comparison, i);
        if (d->function != function)
            continue;
        if (first) {
            first = false;
            continue;
        }
        if (rows++ == 0) {
            Page_BeginFold(html, "More of its differences");
            Page_BeginTable(html, "More differences", heads);
        }
        Page_Print(html, "<tr><td class=\"number\">%llu</td><td>%s</td>", (Number)d->sequence,
                   d->trace);
        CallHtml_Cells(html, d);
        RpBuffer_AppendText(html, "</tr>\n");
    }
    if (rows > 0) {
        Page_EndTable(html);
        Page_EndFold(html);
    }
}

static void AppendFunction(RpBuffer *html, const Report *report, const CompareFunction *function) {
    const Comparison *comparison = report->comparison;
    const AbiFunction *f = function->function;
    const Difference *first = Comparison_FirstDifference(comparison, f);
    const CompareCounts *counts = &function->counts;
    const Tally *tally = &function->tally;
    char heading[256];
    snprintf(heading, sizeof heading, "%s%s%s", f->key, strstr(f->key, f->name) ? "" : " ",
             strstr(f->key, f->name) ? "" : f->name);
    Page_BeginSection(html, f->key, heading);
    Page_Print(html, "<p><span class=\"bad-word\">%s</span> in %llu of %llu calls",
               Standing_Name(Standing_Of(&function->counts)), (Number)counts->different,
               (Number)counts->compared);
    if (counts->crashed > 0)
        Page_Print(html,
                   "; in %llu of them a side crashed, hung or ended its process (a: %llu, "
                   "b: %llu)",
                   (Number)counts->crashed, (Number)function->crashed_a,
                   (Number)function->crashed_b);
    RpBuffer_AppendText(html, ".</p>\n");
    if (HasCause(comparison, function)) {
        RpBuffer_AppendText(html, "<p>It calls functions that differ, too. Look first at ");
        AppendCauses(html, comparison, f, true);
        RpBuffer_AppendText(html, ".</p>\n");
    }
    AppendUlps(html, &tally->ulps);

    static const char *const heads[] = {"trace or scenario", "#compared", "#different", "share",
                                        NULL};
    Page_BeginTable(html, "Where its calls come from", heads);
    for (size_t i = 0; i < TALLY_ORIGINS; i++) {
        if (tally->compared[i] == 0)
            continue;
        Page_Print(html,
                   "<tr><th scope=\"row\">%s</th><td class=\"number\">%llu</td>"
                   "<td class=\"number\">%llu</td>",
                   Comparison_OriginAt(comparison, i), (Number)tally->compared[i],
                   (Number)tally->different[i]);
        Page_Bar(html, Share(tally->different[i], tally->compared[i]));
        RpBuffer_AppendText(html, "</tr>\n");
    }
    Page_EndTable(html);

    Signature signature;
    int params[TALLY_INPUTS];
    const uint32_t count =
        Signature_IsKnown(f, &signature) ? TallyInputs_Params(&signature, params) : 0;
    if (count > 0)
        RpBuffer_AppendText(html, "<h3>Share of differing calls over the inputs</h3>\n"
                                  "<p class=\"soft\">Of an input that consists of several numbers, "
                                  "the greatest magnitude counts.</p>\n");
    for (uint32_t i = 0; i < count; i++)
        AppendInput(html, tally, i, signature.params[params[i]].name);
    AppendRun(html, &tally->run);
    if (first)
        CallHtml_Append(html, report, first);
    AppendOthers(html, comparison, f);
    Page_EndSection(html);
}

/* ---- how it was run ---------------------------------------------------------------------------
 */

static void AppendSide(RpBuffer *html, char name, const ReportSide *side) {
    Page_Print(html, "<h3><span class=\"key-%c\">Side %c</span></h3>\n", name, name);
    Page_BeginFacts(html);
    Page_Fact(html, "provider", side->description);
    Page_Fact(html, "folder", side->directory);
    Page_Fact(html, "SHA-256 of Ngi32.dll", side->sha256[0]);
    Page_Fact(html, "SHA-256 of AniMesh.dll", side->sha256[1]);
    Page_Fact(html, "version", side->version);
    Page_EndFacts(html);
}

static void AppendCircumstances(RpBuffer *html, const Report *report) {
    static const char *const heads[] = {"readings", "processor a", "processor b", "#calls", NULL};
    const Comparison *comparison = report->comparison;
    CompareTotals totals;
    char words[160];
    Comparison_Totals(comparison, &totals);
    Page_BeginSection(html, "run", "How it was run");
    AppendSide(html, 'a', &report->a);
    AppendSide(html, 'b', &report->b);
    RpBuffer_AppendText(html, "<h3>Machine and program</h3>\n");
    Page_BeginFacts(html);
    Page_Fact(html, "processor", report->processor);
    if (report->engine[0])
        Page_Fact(html, "engine of the DLLs", report->engine);
    Page_Fact(html, "version of Retropose", report->version ? report->version : "");
    if (totals.counts.violated > 0) {
        snprintf(words, sizeof words, "%llu calls", (Number)totals.counts.violated);
        Page_Fact(html, "violations on both sides", words);
    }
    for (size_t i = 0; i < Comparison_FunctionCount(comparison); i++) {
        const CompareFunction *function = Comparison_FunctionAt(comparison, i);
        if (function->counts.processor == 0)
            continue;
        snprintf(words, sizeof words, "%llu calls of %s, by %s", (Number)function->counts.processor,
                 function->function->key, Processor_Cause(function->function));
        Page_Fact(html, "as processors may", words);
    }
    Page_EndFacts(html);

    const size_t conditions = Comparison_ConditionCount(comparison);
    if (conditions > 0)
        Page_BeginTable(html, "Readings and processors", heads);
    for (size_t i = 0; i < conditions; i++) {
        const CompareCondition *condition = Comparison_ConditionAt(comparison, i);
        Page_Print(html,
                   "<tr><th scope=\"row\">%s</th><td>%s</td><td>%s</td>"
                   "<td class=\"number\">%llu</td></tr>\n",
                   condition->readings, condition->processor_a, condition->processor_b,
                   (Number)condition->calls);
    }
    if (conditions > 0)
        Page_EndTable(html);
    if (report->command)
        Page_Command(html, "Repeat this run", report->command);
    Page_EndSection(html);
}

RpStatus Report_Html(const Report *report, RpBuffer *html, RpError *error) {
    CompareTotals totals;
    char verdict[REPORT_VERDICT_BYTES + 32], stopped[160] = "";
    char error_words[REPORT_ERROR_BYTES] = "";
    const size_t length = (size_t)snprintf(verdict, sizeof verdict, "%s",
                                           report->stopped ? "Stopped, no result: " : "");
    Comparison_Totals(report->comparison, &totals);
    Report_Verdict(&totals, verdict + length, sizeof verdict - length);
    if (report->stopped)
        snprintf(stopped, sizeof stopped,
                 "stopped by %s: this is a part of what was asked for, and no result",
                 report->stopped);
    const int code = report->stopped ? 2 : Report_ExitCode(&totals, report->allow_partial);
    const PageState state = code == 0 ? PAGE_GOOD : code == 1 || code == 3 ? PAGE_BAD : PAGE_UNSURE;
    Page_Begin(html, "Retropose: calls compared bit for bit", "retropose", state, verdict);
    if (report->error)
        RpError_Format(report->error, error_words, sizeof error_words);
    Page_Notice(html, stopped);
    Page_Notice(html, error_words);
    Page_Notice(html, report->notice);

    /* Those that are not equal throughout come first, and the others are folded away. */
    const Comparison *comparison = report->comparison;
    const size_t all = Comparison_FunctionCount(comparison);
    size_t equal = 0;
    char words[64];
    for (size_t i = 0; i < all; i++)
        equal += Standing_Of(&Comparison_FunctionAt(comparison, i)->counts) == STANDING_EQUAL;
    Page_BeginSection(html, "functions", "Functions");
    if (equal < all) {
        BeginFunctions(html, &totals, "Functions that are not equal throughout");
        for (int standing = 0; standing < STANDING_EQUAL; standing++)
            ForEach(html, report, (Standing)standing, AppendRow);
        Page_EndTable(html);
    }
    if (equal > 0) {
        snprintf(words, sizeof words, "Equal in all calls: %zu function%s", equal,
                 Text_Plural(equal));
        Page_BeginFold(html, words);
        BeginFunctions(html, &totals, "Functions that are equal throughout");
        ForEach(html, report, STANDING_EQUAL, AppendRow);
        Page_EndTable(html);
        Page_EndFold(html);
    }
    Page_EndSection(html);

    ForEach(html, report, STANDING_CRASHED, AppendFunction);
    ForEach(html, report, STANDING_DIFFERENT, AppendFunction);

    static const char *const heads[] = {"selection", "element", "#differ", "#of",
                                        "reason",    "state",   NULL};
    if (Comparison_KnownCount(report->comparison) != 0) {
        Page_BeginSection(html, "known", "Known differences");
        Page_BeginTable(html, "Lines of the file that --known names", heads);
        for (size_t i = 0; i < Comparison_KnownCount(report->comparison); i++) {
            const CompareKnown *known = Comparison_KnownAt(report->comparison, i);
            Page_Print(html,
                       "<tr><th scope=\"row\">%s</th><td>%s</td><td class=\"number\">%llu</td>"
                       "<td class=\"number\">%llu</td><td>%s</td><td><span class=\"bad-word\">%s"
                       "</span></td></tr>\n",
                       known->entry->selection_text, known->entry->path, (Number)known->matched,
                       (Number)known->covered, known->entry->reason,
                       known->stale ? "NO LONGER DIFFERENT" : "");
        }
        Page_EndTable(html);
        Page_EndSection(html);
    }

    if (report->coverage)
        Coverage_Html(report->coverage, html);
    AppendCircumstances(html, report);
    Page_End(html);
    return Page_Status(html, error);
}
