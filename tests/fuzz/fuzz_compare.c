/* Compares traces of any bytes and prints the result. The second trace is the first one, with some
 * outputs changed; compared with itself it has no difference. Reports in JSON are read back, and
 * are no worse than themselves. Nothing that is printed moves a terminal's cursor, or is a script
 * in a page. */
#include "fuzz.h"
#include "replay/compare/describe.h"
#include "replay/compare/report.h"
#include "replay/compare/saved_report.h"
#include "trace_bytes.h"
#include "tracefile/format.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    return TraceBytes_Mutate(data, size, most, seed);
}

/* ---- the second trace ------------------------------------------------------------------------ */

/* Changes one of the last bytes of every third call's outputs, in the same way for the same
 * input. */
static void ChangeOutputs(uint8_t *bytes, size_t size, const uint8_t *original) {
    TraceReader *reader;
    TraceCall call;
    bool found = true;
    if (TraceReader_OpenBuffer(original, size, "fuzz", &reader, NULL))
        return;
    for (uint32_t i = 0; TraceReader_Next(reader, &call, &found, NULL) == RP_OK && found; i++) {
        bool stored = call.inputs >= original && call.inputs < original + size;
        if (stored && call.output_size > 0 && i % 3 == 0)
            bytes[call.outputs - original + call.output_size - 1 - i % 4] ^= (uint8_t)(1 + i);
    }
    TraceReader_Close(reader);
    TraceBytes_RepairChecksums(bytes, size);
}

/* ---- what is printed ------------------------------------------------------------------------- */

static void CheckPrinted(const char *text, size_t size) {
    for (size_t i = 0; i < size; i++)
        if ((uint8_t)text[i] < ' ' && text[i] != '\n')
            abort();
}

static void CheckSaved(const RpBuffer *json) {
    OWNED(SavedReport) saved;
    ReportDiff diff;
    RpBuffer svg = {0};
    if (SavedReport_Read(&saved, (const char *)json->bytes, json->size, NULL))
        abort();
    SavedReport_Badge(&saved, &svg);
    RpBuffer_Free(&svg);
    if (ReportDiff_Make(&saved, &saved, &diff, NULL) == RP_OK) {
        if (diff.worse)
            abort();
        ReportDiff_Free(&diff);
    }
}

static void CheckPage(const Report *report) {
    OWNED(RpBuffer) html = {0};
    if (Report_Html(report, &html, NULL) == RP_OK) {
        CheckPrinted((const char *)html.bytes, html.size);
        RpBuffer_Append(&html, "", 1);
        if (!html.failed && strstr((const char *)html.bytes, "<script"))
            abort();
    }
}

static void CheckJson(const Report *report) {
    OWNED(RpBuffer) text = {0};
    if (Report_Json(report, &text, NULL) == RP_OK) {
        cJSON *json = cJSON_ParseWithLength((const char *)text.bytes, text.size);
        Insist(json);
        cJSON_Delete(json);
        CheckSaved(&text);
    }
}

static void CheckJUnit(const Report *report) {
    OWNED(RpBuffer) text = {0};
    if (Report_JUnit(report, &text, NULL) == RP_OK)
        CheckPrinted((const char *)text.bytes, text.size);
}

static void PrintReport(const Report *report) {
    HEAP char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return;
    Report_Text(report, out);
    fclose(out);
    CheckPrinted(text, size);
    CheckJson(report);
    CheckJUnit(report);
    CheckPage(report);
}

static void ShowCalls(TraceReader *reader) {
    HEAP char *text = NULL;
    size_t size = 0;
    TraceCall call;
    bool found = true;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return;
    Describe_Header(out, TraceReader_Header(reader));
    while (TraceReader_Next(reader, &call, &found, NULL) == RP_OK && found) {
        Describe_Call(out, &call);
        Describe_CallJson(out, &call);
    }
    fclose(out);
    CheckPrinted(text, size);
    TraceReader_Rewind(reader);
}

/* ---- comparing ------------------------------------------------------------------------------- */

static void Compare(TraceReader *a, TraceReader *b, bool same) {
    CompareOptions options = {.max_differences = 3};
    CompareTotals totals;
    Comparison *comparison = Comparison_Create(&options);
    if (!comparison)
        return;
    Comparison_Add(comparison, a, b, "fuzz", NULL);
    Comparison_Totals(comparison, &totals);
    if (totals.counts.different > totals.counts.compared || (same && totals.counts.different > 0))
        abort();
    const Report report = {.comparison = comparison, .a = {.description = "a"}};
    PrintReport(&report);
    Comparison_Destroy(comparison);
    TraceReader_Rewind(a);
    TraceReader_Rewind(b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    TraceReader *a = NULL, *b = NULL, *again = NULL;
    HEAP uint8_t *other = Fuzz_Copy(data, size);
    ChangeOutputs(other, size, data);
    if (TraceReader_OpenBuffer(data, size, "a", &a, NULL) == RP_OK &&
        TraceReader_OpenBuffer(other, size, "b", &b, NULL) == RP_OK &&
        TraceReader_OpenBuffer(data, size, "a", &again, NULL) == RP_OK) {
        ShowCalls(a);
        Compare(a, again, true);
        Compare(a, b, false);
    }
    TraceReader_Close(a);
    TraceReader_Close(b);
    TraceReader_Close(again);
    return 0;
}
