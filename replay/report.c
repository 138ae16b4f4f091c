#include "report.h"

#include "describe.h"
#include "known.h"
#include "value.h"

#include <string.h>

#define LISTED_PER_FUNCTION 3 /* further differences of one function on the terminal */

typedef unsigned long long Number;

static const char *Colour(const Report *report, const char *sequence) {
    return report->colour ? sequence : "";
}
#define RED   "\033[31m"
#define GREEN "\033[32m"
#define BOLD  "\033[1m"
#define PLAIN "\033[0m"

int Report_ExitCode(const CompareTotals *totals) {
    if (totals->crashed > 0)
        return 3;
    if (totals->different > 0 || totals->stale > 0)
        return 1;
    return totals->compared > 0 ? 0 : 2;
}

/* ---- the verdict table ------------------------------------------------------------------------
 */

static const char *Verdict(const CompareFunction *function) {
    if (function->crashed > 0)
        return "CRASHED";
    if (function->different > 0)
        return "DIFFERENT";
    if (function->compared == 0)
        return "not compared";
    return function->known > 0 ? "known differences" : "equal";
}

static void PrintTable(const Report *report, FILE *out) {
    fprintf(out, "%-27s %-26s %10s %10s %8s %8s %11s  %s\n", "function", "name", "compared",
            "different", "known", "crashed", "unsupported", "verdict");
    for (size_t i = 0; i < Comparison_FunctionCount(report->comparison); i++) {
        const CompareFunction *f = Comparison_FunctionAt(report->comparison, i);
        const char *colour = f->different ? RED : f->compared ? GREEN : "";
        fprintf(out, "%-27s %-26s %10llu %10llu %8llu %8llu %11llu  %s%s%s\n", f->function->key,
                f->function->name, (Number)f->compared, (Number)f->different, (Number)f->known,
                (Number)f->crashed, (Number)f->unsupported, Colour(report, colour), Verdict(f),
                Colour(report, PLAIN));
    }
}

/* ---- known differences ------------------------------------------------------------------------
 */

static void PrintKnown(const Report *report, FILE *out) {
    for (size_t i = 0; i < Comparison_KnownCount(report->comparison); i++) {
        const CompareKnown *known = Comparison_KnownAt(report->comparison, i);
        const KnownDifference *entry = known->entry;
        if (known->stale)
            fprintf(out,
                    "%sNO LONGER DIFFERENT%s: line %u of the known differences, %s %s, over %llu "
                    "calls; delete it (%s)\n",
                    Colour(report, RED), Colour(report, PLAIN), entry->line, entry->selection_text,
                    entry->path, (Number)known->covered, entry->reason);
        else if (known->matched > 0)
            fprintf(out, "known: %llu of %llu calls, %s %s: %s\n", (Number)known->matched,
                    (Number)known->covered, entry->selection_text, entry->path, entry->reason);
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

static void PrintShort(const Difference *difference, FILE *out) {
    char a[32], b[32], ulps[48];
    Value_Hex(difference->type, difference->size, difference->a, a, sizeof a);
    Value_Hex(difference->type, difference->size, difference->b, b, sizeof b);
    UlpsText(difference->ulps, ulps, sizeof ulps);
    fprintf(out, "    call %llu of %s: %s %s -> %s%s%s\n", (Number)difference->sequence,
            difference->trace, difference->path, a, b, ulps[0] ? ", " : "", ulps);
}

/* Beside the first difference, which has the screen to itself. */
static void PrintOthers(const Report *report, FILE *out) {
    const Comparison *comparison = report->comparison;
    for (size_t i = 0; i < Comparison_FunctionCount(comparison); i++) {
        const CompareFunction *function = Comparison_FunctionAt(comparison, i);
        uint64_t listed = 0;
        if (function->different == 0)
            continue;
        fprintf(out, "%s: %llu of %llu calls differ\n", function->function->key,
                (Number)function->different, (Number)function->compared);
        for (size_t k = 0;
             k < Comparison_DifferenceCount(comparison) && listed < LISTED_PER_FUNCTION; k++) {
            const Difference *difference = Comparison_DifferenceAt(comparison, k);
            if (difference->function != function->function)
                continue;
            PrintShort(difference, out);
            listed++;
        }
        if (function->different > listed)
            fprintf(out, "    and %llu more\n", (Number)(function->different - listed));
    }
}

static void PrintValue(const Difference *difference, const char *side, const uint8_t *bytes,
                       FILE *out) {
    char hex[32], decimal[256], hexfloat[64];
    const char *class = Value_Class(difference->type, difference->size, bytes);
    Value_Hex(difference->type, difference->size, bytes, hex, sizeof hex);
    Value_Decimal(difference->type, difference->size, bytes, decimal, sizeof decimal);
    Value_HexFloat(difference->type, difference->size, bytes, hexfloat, sizeof hexfloat);
    fprintf(out, "  %-10s %s  %s  %s%s%s%s\n", side, hex, decimal, hexfloat, *class ? "  (" : "",
            class, *class ? ")" : "");
}

static bool SignFlips(const Difference *d) {
    return d->type == SIGNATURE_F32 &&
           (d->size == 4 ? (d->a[3] ^ d->b[3]) >> 7 : (d->a[9] ^ d->b[9]) >> 7) != 0;
}

static void PrintDistance(const Difference *difference, FILE *out) {
    char ulps[48];
    UlpsText(difference->ulps, ulps, sizeof ulps);
    if (!ulps[0] && !SignFlips(difference))
        return;
    fprintf(out, "  %-10s %s%s%s%s\n", "distance", ulps,
            ulps[0] && difference->size == 12 ? " of 80 bits" : "",
            ulps[0] && SignFlips(difference) ? ", " : "",
            SignFlips(difference) ? "the sign flips" : "");
}

static void PrintEndings(const Difference *d, FILE *out) {
    char a[128], b[128];
    Describe_Ending(d->outcome_a, d->outputs_a, d->output_size_a, a, sizeof a);
    Describe_Ending(d->outcome_b, d->outputs_b, d->output_size_b, b, sizeof b);
    if (d->outcome_a == TRACE_RETURNED && d->outcome_b == TRACE_RETURNED)
        return;
    fprintf(out, "  %-10s a %s\n  %-10s b %s\n", "ended", a, "", b);
}

static void PrintState(const Difference *d, FILE *out) {
    char a[128], b[128];
    fprintf(out, "  %-10s control word %04x, MXCSR %08x before\n", "state", d->control_in,
            d->mxcsr_in);
    if (d->outcome_a == TRACE_RETURNED && d->outcome_b == TRACE_RETURNED)
        fprintf(out, "  %-10s control word %04x and %04x, MXCSR %08x and %08x after\n", "",
                d->control_out_a, d->control_out_b, d->mxcsr_out_a, d->mxcsr_out_b);
    if (d->violations_a || d->violations_b) {
        Describe_Violations(d->violations_a, a, sizeof a);
        Describe_Violations(d->violations_b, b, sizeof b);
        fprintf(out, "  %-10s a %s; b %s\n", "violations", a, b);
    }
}

static void PrintData(const Difference *d, FILE *out) {
    DescribeData data = {d->signature, d->inputs, d->input_size, d->inputs, NULL, false, "    "};
    if (d->inputs) {
        fprintf(out, "  inputs\n");
        Describe_Data(out, &data);
    }
    if (d->outcome_a != TRACE_RETURNED || d->outcome_b != TRACE_RETURNED || !d->outputs_a ||
        !d->outputs_b)
        return;
    data.outputs = true;
    data.bytes = d->outputs_a;
    data.other = d->outputs_b;
    fprintf(out, "  outputs a (* differs)\n");
    Describe_Data(out, &data);
    data.bytes = d->outputs_b;
    data.other = d->outputs_a;
    fprintf(out, "  outputs b\n");
    Describe_Data(out, &data);
}

static void PrintFirst(const Report *report, FILE *out) {
    char command[2048];
    const Difference *d = Comparison_DifferenceAt(report->comparison, 0);
    fprintf(out, "%sFIRST DIFFERENCE%s  %s %s, call %llu of %s\n", Colour(report, BOLD),
            Colour(report, PLAIN), d->function->key, d->function->name, (Number)d->sequence,
            d->trace);
    fprintf(out, "  %-10s %s (%u element%s of this call differ%s)\n", "element", d->path,
            d->elements, d->elements == 1 ? "" : "s", d->elements == 1 ? "s" : "");
    PrintValue(d, "a", d->a, out);
    PrintValue(d, "b", d->b, out);
    PrintDistance(d, out);
    PrintEndings(d, out);
    PrintState(d, out);
    PrintData(d, out);
    if (report->repeat && report->repeat(report->context, d, command, sizeof command) > 0)
        fprintf(out, "  %-10s %s\n", "repeat", command);
}

/* ---- the whole --------------------------------------------------------------------------------
 */

static void PrintSides(const Report *report, FILE *out) {
    const ReportSide *sides[] = {&report->a, &report->b};
    for (int i = 0; i < 2; i++)
        fprintf(out, "%c: %s%s%s\n", "ab"[i], sides[i] -> description,
                sides[i] -> directory[0] ? "  " : "", sides[i]->directory);
    if (report->processor[0])
        fprintf(out, "processor: %s\n", report->processor);
}

static void PrintTotals(const Report *report, const CompareTotals *totals, FILE *out) {
    if (totals->known || totals->crashed || totals->unsupported || totals->stale)
        fprintf(out, "%llu known, %llu crashed, %llu unsupported, %llu no longer different\n",
                (Number)totals->known, (Number)totals->crashed, (Number)totals->unsupported,
                (Number)totals->stale);
    if (report->notice[0])
        fprintf(out, "note: %s\n", report->notice);
    fprintf(out, "%llu calls compared, %llu different\n", (Number)totals->compared,
            (Number)totals->different);
}

void Report_Text(const Report *report, FILE *out) {
    CompareTotals totals;
    Comparison_Totals(report->comparison, &totals);
    PrintTable(report, out);
    PrintKnown(report, out);
    if (totals.different > 0) {
        fputc('\n', out);
        PrintOthers(report, out);
        fputc('\n', out);
        PrintFirst(report, out);
    }
    fputc('\n', out);
    PrintSides(report, out);
    PrintTotals(report, &totals, out);
    if (report->stopped)
        fprintf(out, "STOPPED by %s: this is a part of what was asked for, and no result\n",
                report->stopped);
}
