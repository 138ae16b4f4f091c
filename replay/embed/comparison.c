/* Compares traces for other programs: the last part of retropose/machine.h. */
#include "exports/published.h"
#include "ngi32/processor/modes.h"
#include "replay/compare/report.h"
#include "replay/compare/standing.h"
#include "replay/provider/provider.h"
#include "retropose/machine.h"
#include "retropose/version.h"
#include "tracefile/value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDE_TEXT_BYTES 320

struct RpComparison {
    Comparison *comparison;
    Report report; /* all that Report_Json needs, except the comparison it is given */
    char texts[2][SIDE_TEXT_BYTES];
};

RpComparison *RpComparison_Create(uint32_t most_differences) {
    RpComparison *own = calloc(1, sizeof *own);
    if (!own)
        return NULL;
    own->comparison = Comparison_Create(&(CompareOptions){.max_differences = most_differences});
    own->report = (Report){.comparison = own->comparison, .version = RP_VERSION_STRING};
    if (own->comparison)
        return own;
    free(own);
    return NULL;
}

void RpComparison_Destroy(RpComparison *comparison) {
    if (comparison)
        Comparison_Destroy(comparison->comparison);
    free(comparison);
}

/* Describes who executed a trace, as far as the trace's header says it. */
static void DescribeSide(const TraceHeader *header, ReportSide *side) {
    Provider provider = {.kind = PROVIDER_MIXED};
    char name[64];
    TraceHeader_Get(header, "provider", name, sizeof name);
    TraceHeader_Get(header, "ngi32.sha256", provider.sha256[0], sizeof provider.sha256[0]);
    TraceHeader_Get(header, "animesh.sha256", provider.sha256[1], sizeof provider.sha256[1]);
    provider.modified = strncmp(name, "modified ", 9) == 0;
    const char *kind = name + (provider.modified ? 9 : 0);
    memset(side, 0, sizeof *side);
    snprintf(side->kind, sizeof side->kind, "%.15s", kind);
    side->modified = provider.modified;
    memcpy(side->sha256, provider.sha256, sizeof side->sha256);
    for (int i = 0; i < PROVIDER_MIXED; i++)
        if (strcmp(kind, ProviderKind_Name((ProviderKind)i)) == 0)
            provider.kind = (ProviderKind)i;
    provider.known_version = Published_Is(ABI_NGI32, provider.sha256[0]);
    /* The header does not say which of the two files is of which kind. */
    if (provider.kind == PROVIDER_MIXED)
        snprintf(side->description, sizeof side->description, "%s", name);
    else
        Provider_Describe(&provider, side->description, sizeof side->description);
}

RpStatus RpComparison_Add(RpComparison *comparison, const void *a, size_t a_size, const void *b,
                          size_t b_size, const char *name, RpError *error) {
    MODES_OF_C();
    TraceReader *readers[2] = {NULL, NULL};
    RpStatus status = TraceReader_OpenBuffer(a, a_size, name, &readers[0], error);
    if (!status)
        status = TraceReader_OpenBuffer(b, b_size, name, &readers[1], error);
    if (!status) {
        const TraceHeader *header = TraceReader_Header(readers[0]);
        Report *report = &comparison->report;
        DescribeSide(header, &report->a);
        DescribeSide(TraceReader_Header(readers[1]), &report->b);
        TraceHeader_Get(header, "processor", report->processor, sizeof report->processor);
        TraceHeader_Get(header, "engine", report->engine, sizeof report->engine);
        report->notice[0] = 0;
        Report_TakeNotice(report);
        status = Comparison_Add(comparison->comparison, readers[0], readers[1], name, error);
    }
    TraceReader_Close(readers[0]);
    TraceReader_Close(readers[1]);
    return status;
}

static RpComparisonCounts PublicCounts(const CompareCounts *counts) {
    return (RpComparisonCounts){.compared = counts->compared,
                                .different = counts->different,
                                .processor = counts->processor,
                                .crashed = counts->crashed,
                                .failed_alike = counts->failed_alike,
                                .wrote_outside = counts->wrote_outside,
                                .not_comparable = counts->not_comparable,
                                .not_called = counts->not_called,
                                .unsupported = counts->unsupported};
}

void RpComparison_Totals(const RpComparison *comparison, RpComparisonCounts *totals) {
    CompareTotals all;
    Comparison_Totals(comparison->comparison, &all);
    *totals = PublicCounts(&all.counts);
}

size_t RpComparison_FunctionCount(const RpComparison *comparison) {
    return Comparison_FunctionCount(comparison->comparison);
}

bool RpComparison_FunctionAt(const RpComparison *comparison, size_t index,
                             RpComparisonFunction *function) {
    memset(function, 0, sizeof *function);
    if (index >= Comparison_FunctionCount(comparison->comparison))
        return false;
    const CompareFunction *row = Comparison_FunctionAt(comparison->comparison, index);
    *function = (RpComparisonFunction){.key = row->function->key,
                                       .name = row->function->name,
                                       .standing = Standing_Name(Standing_Of(&row->counts)),
                                       .counts = PublicCounts(&row->counts)};
    return true;
}

/* Writes the digits of a value's bits, followed by the number that they are. */
static void PutValue(const Difference *difference, const uint8_t *bytes, char *text) {
    char number[256];
    const int used = Value_Hex(difference->type, difference->size, bytes, text, REPORT_SIDE_BYTES);
    Value_Decimal(difference->type, difference->size, bytes, number, sizeof number);
    snprintf(text + used, SIDE_TEXT_BYTES - (size_t)used, " (%.128s)", number);
}

bool RpComparison_FirstDifference(RpComparison *comparison, const char *function,
                                  RpComparisonDifference *result) {
    MODES_OF_C();
    const AbiFunction *row = Abi_Find(function);
    const Difference *found = row ? Comparison_FirstDifference(comparison->comparison, row) : NULL;
    memset(result, 0, sizeof *result);
    if (!found)
        return false;
    *result = (RpComparisonDifference){.function = row->key,
                                       .trace = found->trace,
                                       .sequence = found->sequence,
                                       .field = found->path,
                                       .size = found->size,
                                       .text_a = comparison->texts[0],
                                       .text_b = comparison->texts[1]};
    memcpy(result->a, found->a, sizeof result->a);
    memcpy(result->b, found->b, sizeof result->b);
    if (!Report_Sides(found, comparison->texts[0], comparison->texts[1])) {
        PutValue(found, found->a, comparison->texts[0]);
        PutValue(found, found->b, comparison->texts[1]);
    }
    return true;
}

RpStatus RpComparison_Json(const RpComparison *comparison, RpBuffer *text, RpError *error) {
    MODES_OF_C();
    return Report_Json(&comparison->report, text, error);
}
