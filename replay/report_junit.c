/* JUnit XML: one suite, one test case a function, and one a known difference. */
#include "formats/output.h"
#include "known.h"
#include "report.h"
#include "value.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

typedef struct Text {
    char *bytes;
    size_t length, capacity;
    bool failed;
} Text;

static void AddBytes(Text *text, const char *bytes, size_t length) {
    if (text->length + length + 1 > text->capacity) {
        size_t capacity = (text->length + length + 1) * 2;
        char *grown = realloc(text->bytes, capacity);
        text->failed |= !grown;
        if (!grown)
            return;
        text->bytes = grown;
        text->capacity = capacity;
    }
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = 0;
}

static void Add(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void Add(Text *text, const char *format, ...) {
    char piece[512];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    AddBytes(text, piece, (size_t)length < sizeof piece ? (size_t)length : sizeof piece - 1);
}

/* XML 1.0 has no way to write most control characters. */
static void AddEscaped(Text *text, const char *value) {
    for (; *value; value++) {
        switch (*value) {
        case '&':
            Add(text, "&amp;");
            break;
        case '<':
            Add(text, "&lt;");
            break;
        case '>':
            Add(text, "&gt;");
            break;
        case '"':
            Add(text, "&quot;");
            break;
        default:
            AddBytes(text, (unsigned char)*value < 0x20 ? "?" : value, 1);
        }
    }
}

static void AddAttribute(Text *text, const char *name, const char *value) {
    Add(text, " %s=\"", name);
    AddEscaped(text, value);
    Add(text, "\"");
}

static const Difference *FirstOf(const Comparison *comparison, const AbiFunction *function) {
    for (size_t i = 0; i < Comparison_DifferenceCount(comparison); i++)
        if (Comparison_DifferenceAt(comparison, i)->function == function)
            return Comparison_DifferenceAt(comparison, i);
    return NULL;
}

static void AddFailure(Text *text, const Report *report, const CompareFunction *function) {
    char message[256], a[32], b[32], command[2048];
    const Difference *d = FirstOf(report->comparison, function->function);
    snprintf(message, sizeof message, "%llu of %llu calls differ",
             (unsigned long long)function->counts.different,
             (unsigned long long)function->counts.compared);
    Add(text, "      <failure");
    AddAttribute(text, "message", message);
    Add(text, ">");
    if (d) {
        Value_Hex(d->type, d->size, d->a, a, sizeof a);
        Value_Hex(d->type, d->size, d->b, b, sizeof b);
        snprintf(message, sizeof message, "call %llu of %.100s: %s %s -> %s",
                 (unsigned long long)d->sequence, d->trace, d->path, a, b);
        AddEscaped(text, message);
        if (report->repeat && report->repeat(report->context, d, command, sizeof command) > 0) {
            Add(text, "\n");
            AddEscaped(text, command);
        }
    }
    Add(text, "</failure>\n");
}

/* A function that was compared in part only has not passed. */
static bool IsSkipped(const CompareFunction *function) {
    return function->counts.different == 0 && CompareCounts_Rest(&function->counts) > 0;
}

static void AddSkipped(Text *text, const CompareCounts *counts) {
    uint64_t rest = CompareCounts_Rest(counts);
    char message[160];
    Report_Rest(counts, message, sizeof message);
    Add(text, "      <skipped message=\"%llu of %llu calls not compared: %s\"/>\n",
        (unsigned long long)rest, (unsigned long long)(rest + counts->compared), message);
}

static void AddFunction(Text *text, const Report *report, const CompareFunction *function) {
    Add(text, "    <testcase classname=\"%s\"", AbiModule_Name(function->function->module));
    char name[160];
    snprintf(name, sizeof name, "%s %s", function->function->key, function->function->name);
    AddAttribute(text, "name", name);
    Add(text, ">\n");
    if (function->counts.different > 0)
        AddFailure(text, report, function);
    else if (IsSkipped(function))
        AddSkipped(text, &function->counts);
    Add(text, "    </testcase>\n");
}

static void AddKnown(Text *text, const CompareKnown *known) {
    char name[512];
    snprintf(name, sizeof name, "line %u: %s %s", known->entry->line, known->entry->selection_text,
             known->entry->path);
    Add(text, "    <testcase classname=\"known differences\"");
    AddAttribute(text, "name", name);
    Add(text, ">\n");
    if (known->stale)
        Add(text, "      <failure message=\"no longer different\"/>\n");
    else if (known->covered == 0)
        Add(text, "      <skipped message=\"not covered\"/>\n");
    Add(text, "    </testcase>\n");
}

static void AddSuite(Text *text, const Report *report) {
    const Comparison *comparison = report->comparison;
    size_t functions = Comparison_FunctionCount(comparison);
    size_t known = Comparison_KnownCount(comparison), failures = 0, skipped = 0;
    for (size_t i = 0; i < functions; i++) {
        const CompareFunction *function = Comparison_FunctionAt(comparison, i);
        failures += function->counts.different > 0;
        skipped += IsSkipped(function);
    }
    for (size_t i = 0; i < known; i++) {
        failures += Comparison_KnownAt(comparison, i)->stale;
        skipped += Comparison_KnownAt(comparison, i)->covered == 0;
    }
    Add(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite");
    AddAttribute(text, "name", "retropose replay");
    Add(text, " tests=\"%u\" failures=\"%u\" errors=\"0\" skipped=\"%u\">\n",
        (unsigned)(functions + known), (unsigned)failures, (unsigned)skipped);
    for (size_t i = 0; i < functions; i++)
        AddFunction(text, report, Comparison_FunctionAt(comparison, i));
    for (size_t i = 0; i < known; i++)
        AddKnown(text, Comparison_KnownAt(comparison, i));
    Add(text, "  </testsuite>\n</testsuites>\n");
}

RpStatus Report_JUnit(const Report *report, const char *path, RpError *error) {
    Text text = {NULL, 0, 0, false};
    AddSuite(&text, report);
    RpStatus status = text.failed ? RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE,
                                                "no memory for a report", path, "", "")
                                  : Output_Write(path, text.bytes, error);
    free(text.bytes);
    return status;
}
