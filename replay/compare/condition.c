#include "replay/compare/condition.h"

#include "retropose/readings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A header is a stranger's text, which must not reach a terminal unchanged. */
static void MakePrintable(char *text) {
    for (; *text; text++)
        if ((unsigned char)*text < 0x20 || (unsigned char)*text > 0x7E)
            *text = '?';
}

/* Reads the readings and writes them in one order, so that texts of the same readings become
 * equal. */
static void ReadReadings(const TraceHeader *header, char text[TRACE_HEADER_MAX]) {
    RpReadings hypotheses;
    TraceHeader_Get(header, "hypotheses", text, TRACE_HEADER_MAX);
    if (RpReadings_Parse(&hypotheses, RP_READS_RUNTIME, text, NULL) == RP_OK)
        RpReadings_Format(&hypotheses, RP_READS_RUNTIME, text, TRACE_HEADER_MAX);
    MakePrintable(text);
    if (!*text)
        snprintf(text, TRACE_HEADER_MAX, "default");
}

static void ReadValue(const TraceHeader *header, const char *key, char *text, size_t size) {
    if (!TraceHeader_Get(header, key, text, size))
        snprintf(text, size, "none");
    MakePrintable(text);
}

static RpStatus CheckAlike(const char *what, const char *a, const char *b, const char *name,
                           RpError *error) {
    char problem[96];
    if (strcmp(a, b) == 0)
        return RP_OK;
    snprintf(problem, sizeof problem,
             "the traces are of unlike %s (--allow-unlike compares them all the same)", what);
    return RpError_Set(error, RP_INVALID, RP_NOWHERE, problem, name, a, b);
}

static RpStatus CheckMachines(const TraceHeader *a, const TraceHeader *b, const char *name,
                              RpError *error) {
    static const char *const keys[] = {"force-cpu", "slot-build"};
    RpStatus status = RP_OK;
    for (size_t i = 0; i < sizeof keys / sizeof *keys && !status; i++) {
        char value_a[64], value_b[64];
        ReadValue(a, keys[i], value_a, sizeof value_a);
        ReadValue(b, keys[i], value_b, sizeof value_b);
        status = CheckAlike(keys[i], value_a, value_b, name, error);
    }
    return status;
}

/* Returns the length of the text without " stepping N", which ends it. */
static size_t ModelLength(const char *processor) {
    const char *stepping = strstr(processor, " stepping ");
    return stepping ? (size_t)(stepping - processor) : strlen(processor);
}

bool Condition_OtherProcessor(const char *a, const char *b) {
    size_t length = ModelLength(a);
    return *a && *b && (length != ModelLength(b) || strncmp(a, b, length) != 0);
}

/* Returns one text where both sides say the same, else both; null where memory is short. */
static char *JoinReadings(const char *a, const char *b) {
    size_t size = strlen(a) + strlen(b) + sizeof " (a),  (b)";
    char *text = malloc(size);
    if (text && strcmp(a, b) == 0)
        snprintf(text, size, "%s", a);
    else if (text)
        snprintf(text, size, "%s (a), %s (b)", a, b);
    return text;
}

static void ReadProcessors(const TraceHeader *a, const TraceHeader *b,
                           CompareCondition *condition) {
    TraceHeader_Get(a, "processor", condition->processor_a, sizeof condition->processor_a);
    TraceHeader_Get(b, "processor", condition->processor_b, sizeof condition->processor_b);
    MakePrintable(condition->processor_a);
    MakePrintable(condition->processor_b);
    condition->other_processor =
        Condition_OtherProcessor(condition->processor_a, condition->processor_b);
}

RpStatus Condition_Read(const TraceHeader *a, const TraceHeader *b, bool allow_unlike,
                        const char *name, CompareCondition *condition, RpError *error) {
    char readings_a[TRACE_HEADER_MAX], readings_b[TRACE_HEADER_MAX];
    RpStatus status = RP_OK;
    memset(condition, 0, sizeof *condition);
    ReadReadings(a, readings_a);
    ReadReadings(b, readings_b);
    if (!allow_unlike)
        status = CheckAlike("readings", readings_a, readings_b, name, error);
    if (!status && !allow_unlike)
        status = CheckMachines(a, b, name, error);
    if (status)
        return status;
    ReadProcessors(a, b, condition);
    condition->readings = JoinReadings(readings_a, readings_b);
    if (condition->readings)
        return RP_OK;
    return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a comparison", name, "", "");
}

bool Condition_Same(const CompareCondition *a, const CompareCondition *b) {
    return strcmp(a->readings, b->readings) == 0 && strcmp(a->processor_a, b->processor_a) == 0 &&
           strcmp(a->processor_b, b->processor_b) == 0;
}
