#include "replay/compare/report.h"

#include "core/bytes.h"
#include "core/text.h"
#include "core/text/visible.h"
#include "replay/compare/describe.h"
#include "replay/compare/known.h"
#include "replay/compare/processor_freedom.h"
#include "replay/compare/standing.h"
#include "tracefile/value.h"

#include <string.h>

/* the number of further differences of a function that the terminal shows */
#define LISTED_PER_FUNCTION 3

typedef unsigned long long Number;

static const char *Colour(const Report *report, const char *sequence) {
    return report->colour ? sequence : "";
}
#define RED   visible_red
#define GREEN visible_green
#define BOLD  visible_bold
#define PLAIN visible_plain

int Report_ExitCode(const CompareTotals *totals, bool allow_partial) {
    const CompareCounts *counts = &totals->counts;
    if (counts->crashed > 0)
        return 3;
    if (counts->different > 0 || totals->stale > 0)
        return 1;
    if (counts->compared == 0)
        return 2;
    return CompareCounts_Rest(counts) == 0 || allow_partial ? 0 : 4;
}

int Report_StoppedCode(const Report *report) {
    return report->error && report->error->status == RP_CRASHED ? 3 : 2;
}

/* Appends "N WORDS" behind a comma, unless N is 0. */
static void AddNumber(char *text, size_t size, uint64_t number, const char *words) {
    size_t length = strlen(text);
    if (number > 0)
        snprintf(text + length, size - length, "%s%llu %s", length ? ", " : "", (Number)number,
                 words);
}

void Report_Rest(const CompareCounts *counts, char *text, size_t size) {
    text[0] = 0;
    AddNumber(text, size, counts->failed_alike, "failed alike");
    AddNumber(text, size, counts->wrote_outside, "wrote outside");
    AddNumber(text, size, counts->not_comparable, "not comparable");
    AddNumber(text, size, counts->not_called, "not called");
    AddNumber(text, size, counts->unsupported, "unsupported");
}

/* ---- the verdict table ------------------------------------------------------------------------
 */

enum { COLUMN_LEAST = 10 };

static int WidthOf(const StandingColumn *column) {
    const int length = (int)strlen(column->title);
    return length < COLUMN_LEAST ? COLUMN_LEAST : length;
}

/* Returns how much of a key names the module: "ngi32" of "ngi32.slot17". */
static size_t ModuleLength(const CompareFunction *function) {
    return strcspn(function->function->key, ".");
}

/* Prints a line for all equal functions of the module of function `first`, if that is the first of
 * them. */
static void PrintFolded(const Report *report, size_t first, FILE *out) {
    const CompareFunction *function = Comparison_FunctionAt(report->comparison, first);
    const size_t length = ModuleLength(function);
    uint64_t functions = 0, calls = 0;
    for (size_t i = 0; i < Comparison_FunctionCount(report->comparison); i++) {
        const CompareFunction *other = Comparison_FunctionAt(report->comparison, i);
        if (Standing_Of(&other->counts) != STANDING_EQUAL || ModuleLength(other) != length ||
            memcmp(other->function->key, function->function->key, length) != 0)
            continue;
        if (i < first)
            return;
        functions++;
        calls += other->counts.compared;
    }
    Visible_Print(out, "%.*s: %sequal%s in %llu function%s, %llu call%s\n", (int)length,
                  function->function->key, Colour(report, GREEN), Colour(report, PLAIN),
                  (Number)functions, functions == 1 ? "" : "s", (Number)calls,
                  calls == 1 ? "" : "s");
}

static void PrintTable(const Report *report, const CompareTotals *totals, FILE *out) {
    const size_t count = Comparison_FunctionCount(report->comparison);
    bool rows = false;
    for (int standing = 0; standing < STANDING_COUNT; standing++)
        for (size_t i = 0; i < count; i++) {
            const CompareFunction *function = Comparison_FunctionAt(report->comparison, i);
            if ((int)Standing_Of(&function->counts) != standing)
                continue;
            if (standing == STANDING_EQUAL && !report->all_rows) {
                PrintFolded(report, i, out);
                continue;
            }
            if (!rows) {
                Visible_Print(out, "%-27s %-26s", "function", "name");
                for (size_t k = 0; k < STANDING_COLUMNS; k++)
                    if (StandingColumn_IsShown(&standing_columns[k], totals))
                        Visible_Print(out, " %*s", WidthOf(&standing_columns[k]),
                                      standing_columns[k].title);
                Visible_Print(out, "  verdict\n");
            }
            rows = true;
            const char *colour = function->counts.different              ? RED
                                 : CompareCounts_Rest(&function->counts) ? ""
                                                                         : GREEN;
            Visible_Print(out, "%-27s %-26s", function->function->key, function->function->name);
            for (size_t k = 0; k < STANDING_COLUMNS; k++)
                if (StandingColumn_IsShown(&standing_columns[k], totals))
                    Visible_Print(
                        out, " %*llu", WidthOf(&standing_columns[k]),
                        (Number)StandingColumn_Number(&standing_columns[k], &function->counts));
            Visible_Print(out, "  %s%s%s\n", Colour(report, colour),
                          Standing_Name((Standing)standing), Colour(report, PLAIN));
        }
}

/* ---- known differences ------------------------------------------------------------------------
 */

static void PrintKnown(const Report *report, FILE *out) {
    for (size_t i = 0; i < Comparison_KnownCount(report->comparison); i++) {
        const CompareKnown *known = Comparison_KnownAt(report->comparison, i);
        const KnownDifference *entry = known->entry;
        if (known->stale && !report->run)
            Visible_Print(
                out,
                "%sNO LONGER DIFFERENT%s: line %u of the known differences, %s %s, over %llu "
                "calls; delete it (%s)\n",
                Colour(report, RED), Colour(report, PLAIN), entry->line, entry->selection_text,
                entry->path, (Number)known->covered, entry->reason);
        else if (known->matched > 0)
            Visible_Print(out, "known: %llu of %llu calls, %s %s: %s\n", (Number)known->matched,
                          (Number)known->covered, entry->selection_text, entry->path,
                          entry->reason);
    }
}

/* ---- differences ------------------------------------------------------------------------------
 */

static void UlpsText(int64_t ulps, char *text, size_t size) {
    if (ulps == VALUE_NO_DISTANCE)
        text[0] = 0;
    else
        snprintf(text, size, "%+lld ulp%s", (long long)ulps, ulps == 1 || ulps == -1 ? "" : "s");
}

/* Returns whether the calls ended in different ways. Such a difference is described in words and
 * has no numbers. */
static bool EndsDiffer(const Difference *difference) {
    return difference->outcome_a != difference->outcome_b;
}

static void EndingsText(const Difference *d, char a[REPORT_SIDE_BYTES], char b[REPORT_SIDE_BYTES]) {
    Describe_Ending(d->outcome_a, d->outputs_a, d->output_size_a, a, REPORT_SIDE_BYTES);
    Describe_Ending(d->outcome_b, d->outputs_b, d->output_size_b, b, REPORT_SIDE_BYTES);
}

bool Report_Sides(const Difference *d, char a[REPORT_SIDE_BYTES], char b[REPORT_SIDE_BYTES]) {
    if (EndsDiffer(d)) {
        EndingsText(d, a, b);
        return true;
    }

    /* A state is described in words, too. */
    if (d->size == 4 && Describe_State(d->path, Bytes_U32(d->a), a, REPORT_SIDE_BYTES) &&
        Describe_State(d->path, Bytes_U32(d->b), b, REPORT_SIDE_BYTES))
        return true;

    Value_Hex(d->type, d->size, d->a, a, REPORT_SIDE_BYTES);
    Value_Hex(d->type, d->size, d->b, b, REPORT_SIDE_BYTES);
    return false;
}

/* Prints the other differences. The first one has the screen to itself. */
static void PrintOthers(const Report *report, FILE *out) {
    const Comparison *comparison = report->comparison;
    for (size_t i = 0; i < Comparison_FunctionCount(comparison); i++) {
        const CompareFunction *function = Comparison_FunctionAt(comparison, i);
        uint64_t listed = 0;
        if (function->counts.different == 0)
            continue;
        Visible_Print(out, "%s: %llu of %llu calls differ\n", function->function->key,
                      (Number)function->counts.different, (Number)function->counts.compared);
        for (size_t k = 0;
             k < Comparison_DifferenceCount(comparison) && listed < LISTED_PER_FUNCTION; k++) {
            const Difference *difference = Comparison_DifferenceAt(comparison, k);
            char a[REPORT_SIDE_BYTES], b[REPORT_SIDE_BYTES], ulps[48] = "";
            if (difference->function != function->function)
                continue;
            if (!Report_Sides(difference, a, b))
                UlpsText(difference->ulps, ulps, sizeof ulps);
            Visible_Print(out, "    call %llu of %s: %s %s -> %s%s%s\n",
                          (Number)difference->sequence, difference->trace, difference->path, a, b,
                          ulps[0] ? ", " : "", ulps);
            listed++;
        }
        if (function->counts.different > listed)
            Visible_Print(out, "    and %llu more\n",
                          (Number)(function->counts.different - listed));
    }
}

static void PrintValue(const Difference *difference, const char *side, const uint8_t *bytes,
                       FILE *out) {
    char hex[32], decimal[256], hexfloat[64];
    const char *class = Value_Class(difference->type, difference->size, bytes);
    Value_Hex(difference->type, difference->size, bytes, hex, sizeof hex);
    Value_Decimal(difference->type, difference->size, bytes, decimal, sizeof decimal);
    Value_HexFloat(difference->type, difference->size, bytes, hexfloat, sizeof hexfloat);
    Visible_Print(out, "  %-10s %s  %s  %s%s%s%s\n", side, hex, decimal, hexfloat,
                  *class ? "  (" : "", class, *class ? ")" : "");
}

static void PrintFirst(const Report *report, FILE *out) {
    char command[2048], a[REPORT_SIDE_BYTES], b[REPORT_SIDE_BYTES], ulps[48];
    const Difference *d = Comparison_DifferenceAt(report->comparison, 0);
    const bool returned = d->outcome_a == TRACE_RETURNED && d->outcome_b == TRACE_RETURNED;
    Visible_Print(out, "%sFIRST DIFFERENCE%s  %s %s, call %llu of %s\n", Colour(report, BOLD),
                  Colour(report, PLAIN), d->function->key, d->function->name, (Number)d->sequence,
                  d->trace);
    Visible_Print(out, "  %-10s %s (%u element%s of this call differ%s)\n", "element", d->path,
                  d->elements, d->elements == 1 ? "" : "s", d->elements == 1 ? "s" : "");
    if (Report_Sides(d, a, b)) {
        if (!EndsDiffer(d)) /* otherwise the lines about the endings say the same */
            Visible_Print(out, "  %-10s %s\n  %-10s %s\n", "a", a, "b", b);
    } else {
        PrintValue(d, "a", d->a, out);
        PrintValue(d, "b", d->b, out);
        const int sign = d->size == 4 ? 3 : 9; /* the byte with the sign */
        const bool flips = d->type == SIGNATURE_F32 && (d->a[sign] ^ d->b[sign]) >> 7 != 0;
        UlpsText(d->ulps, ulps, sizeof ulps);
        if (ulps[0] || flips)
            Visible_Print(out, "  %-10s %s%s%s%s\n", "distance", ulps,
                          ulps[0] && d->size == 12 ? " of 80 bits" : "",
                          ulps[0] && flips ? ", " : "", flips ? "the sign flips" : "");
    }
    if (!returned) {
        EndingsText(d, a, b);
        Visible_Print(out, "  %-10s a %s\n  %-10s b %s\n", "ended", a, "", b);
    }

    /* The machine's state, and what the calls did that they must not do. */
    Visible_Print(out, "  %-10s control word %04x, MXCSR %08x before\n", "state", d->control_in,
                  d->mxcsr_in);
    if (returned)
        Visible_Print(out, "  %-10s control word %04x and %04x, MXCSR %08x and %08x after\n", "",
                      d->control_out_a, d->control_out_b, d->mxcsr_out_a, d->mxcsr_out_b);
    if (d->violations_a || d->violations_b) {
        Describe_Violations(d->violations_a, a, sizeof a);
        Describe_Violations(d->violations_b, b, sizeof b);
        Visible_Print(out, "  %-10s a %s; b %s\n", "violations", a, b);
    }

    DescribeData data = {d->signature, d->inputs, d->input_size, d->inputs, NULL, false, "    "};
    if (d->inputs) {
        Visible_Print(out, "  inputs\n");
        Describe_Data(out, &data);
    }
    if (returned && d->outputs_a && d->outputs_b) {
        data.outputs = true;
        data.bytes = d->outputs_a;
        data.other = d->outputs_b;
        Visible_Print(out, "  outputs a (* differs)\n");
        Describe_Data(out, &data);
        data.bytes = d->outputs_b;
        data.other = d->outputs_a;
        Visible_Print(out, "  outputs b\n");
        Describe_Data(out, &data);
    }
    if (d->parting) {
        RpBuffer text;
        RpBuffer_Init(&text, NULL);
        Parting_Text(d->parting, "  ", &text);
        fwrite(text.bytes, 1, text.size, out);
        RpBuffer_Free(&text);
    }
    if (report->repeat && report->repeat(report->context, d, command, sizeof command))
        Visible_Print(out, "  %-10s %s\n", "repeat", command);
}

/* ---- the whole --------------------------------------------------------------------------------
 */

/* Prints which readings the traces' headers asked for, because both sides compute by them. */
static void PrintReadings(const Comparison *comparison, FILE *out) {
    size_t count = Comparison_ConditionCount(comparison);
    for (size_t i = 0; i < count; i++) {
        const char *readings = Comparison_ConditionAt(comparison, i)->readings;
        uint64_t calls = 0;
        bool listed = false;
        for (size_t k = 0; k < count; k++) {
            const CompareCondition *condition = Comparison_ConditionAt(comparison, k);
            if (strcmp(condition->readings, readings) != 0)
                continue;
            listed |= k < i;
            calls += condition->calls;
        }
        if (!listed)
            Visible_Print(out, "readings: %s, %llu calls\n", readings, (Number)calls);
    }
}

void Report_Verdict(const CompareTotals *totals, char *text, size_t size) {
    const CompareCounts *counts = &totals->counts;
    const uint64_t rest = CompareCounts_Rest(counts), selected = counts->compared + rest;
    char excused[160] = "", missing[200], of[48] = "";
    AddNumber(excused, sizeof excused, counts->known, "known");
    AddNumber(excused, sizeof excused, counts->processor, "as processors may");
    AddNumber(excused, sizeof excused, totals->stale, "no longer different");
    Report_Rest(counts, missing, sizeof missing);
    if (rest > 0)
        snprintf(of, sizeof of, " of %llu", (Number)selected);
    snprintf(text, size, "%llu%s calls compared, %llu different%s%s%s%s", (Number)counts->compared,
             of, (Number)counts->different, excused[0] ? ", " : "", excused,
             rest > 0 ? "; NOT COMPARED: " : "", missing);
}

void Report_Text(const Report *report, FILE *out) {
    const Comparison *comparison = report->comparison;
    const ReportSide *sides[] = {&report->a, &report->b};
    CompareTotals totals;
    Comparison_Totals(comparison, &totals);
    if (report->run)
        totals.stale = 0; /* the differences may be in another shard */
    PrintTable(report, &totals, out);
    PrintKnown(report, out);
    if (totals.counts.different > 0) {
        fputc('\n', out);
        PrintOthers(report, out);
        fputc('\n', out);
        PrintFirst(report, out);
    }

    if (report->coverage)
        Coverage_Print(report->coverage, out);

    /* Who answered, and on what. */
    fputc('\n', out);
    for (int i = 0; i < 2; i++)
        Visible_Print(out, "%c: %s%s%s\n", "ab"[i], sides[i] -> description,
                      sides[i] -> directory[0] ? "  " : "", sides[i]->directory);
    if (report->processor[0])
        Visible_Print(out, "processor: %s\n", report->processor);
    if (report->engine[0])
        Visible_Print(out, "engine: %s\n", report->engine);
    PrintReadings(comparison, out);
    for (size_t i = 0; i < Comparison_ConditionCount(comparison); i++) {
        const CompareCondition *condition = Comparison_ConditionAt(comparison, i);
        if (condition->other_processor)
            Visible_Print(out, "processors differ: %s (a), %s (b), %llu calls of readings %s\n",
                          condition->processor_a, condition->processor_b, (Number)condition->calls,
                          condition->readings);
    }

    /* Which instructions explain the calls that differ as processors may. */
    for (size_t i = 0; i < Comparison_FunctionCount(comparison); i++) {
        const CompareFunction *f = Comparison_FunctionAt(comparison, i);
        if (f->counts.processor > 0)
            Visible_Print(out, "as processors may: %llu calls of %s, by %s\n",
                          (Number)f->counts.processor, f->function->key,
                          Processor_Cause(f->function));
    }

    char verdict[REPORT_VERDICT_BYTES];
    Report_Verdict(&totals, verdict, sizeof verdict);
    if (totals.counts.crashed > 0)
        Visible_Print(out, "%llu of the different calls crashed, hung or ended a process\n",
                      (Number)totals.counts.crashed);
    if (totals.counts.violated > 0)
        Visible_Print(out, "%llu calls have violations on both sides\n",
                      (Number)totals.counts.violated);
    if (report->notice[0])
        Visible_Print(out, "note: %s\n", report->notice);
    if (report->run)
        Visible_Print(out, "shard %u of %u: ", (unsigned)report->shard.number,
                      (unsigned)report->shard.of);
    Visible_Print(out, "%s\n", verdict);
    if (report->error) {
        char words[REPORT_ERROR_BYTES];
        RpError_Format(report->error, words, sizeof words);
        Visible_Print(out, "error: %s\n", words);
    }
    if (report->stopped)
        Visible_Print(out, "STOPPED by %s: this is a part of what was asked for, and no result\n",
                      report->stopped);
}

/* ---- notice -----------------------------------------------------------------------------------
 */

static bool IsKind(const ReportSide *side, const char *kind) {
    return strcmp(side->kind, kind) == 0;
}

void Report_TakeNotice(Report *report) {
    const ReportSide *a = &report->a, *b = &report->b;
    const char *parts[3] = {"", "", ""};

    /* Who played the original. Nothing is said about an original, and about a side of which nothing
     * is known. */
    if (IsKind(a, "stand-in"))
        parts[0] = a->modified
                       ? "a modified stand-in, not the one that was built, played the original"
                       : "the stand-in played the original: this says nothing about the retail "
                         "DLLs";
    else if (IsKind(a, "replacement") || IsKind(a, "native"))
        parts[0] = "our own code played the original: this says nothing about the retail DLLs";
    else if (IsKind(a, "recorded"))
        parts[0] = "recorded outcomes played the original: `retropose stat` says who made them";
    else if (IsKind(a, "mixed"))
        parts[0] = "a pair of two kinds played the original: this says nothing about a retail pair";

    /* Who was tested in place of our own code. */
    if (IsKind(b, "original"))
        parts[1] = "an original was tested: this says nothing about our own code";
    else if (IsKind(b, "stand-in"))
        parts[1] = "a stand-in was tested: this says nothing about our own code";
    else if (IsKind(b, "recorded"))
        parts[1] = "recorded outcomes were tested: `retropose stat` says who made them";
    else if (IsKind(b, "mixed"))
        parts[1] = "a pair of two kinds was tested: not all of it is our own code";

    /* Which files both sides share, because a file that is compared with itself is equal whatever
     * it does. */
    bool same[2];
    for (int i = 0; i < 2; i++)
        same[i] = a->sha256[i][0] && strcmp(a->sha256[i], b->sha256[i]) == 0;
    if (same[0] && same[1])
        parts[2] = "both sides are the same files";
    else if (same[0])
        parts[2] = "both sides have the same Ngi32.dll";
    else if (same[1])
        parts[2] = "both sides have the same AniMesh.dll";

    Text notice = Text_Begin(report->notice, sizeof report->notice);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (notice.length > 0 && parts[i][0])
            Text_Append(&notice, "; ");
        Text_Append(&notice, parts[i]);
    }
}
