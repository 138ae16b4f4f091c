#include "replay/compare/condition.h"

#include "replay/provider/provider.h"
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

/* Reads the readings and writes them again in one fixed order, so that the texts of equal readings
 * are equal. */
static void ReadReadings(const TraceHeader *header, char text[TRACE_HEADER_MAX]) {
    RpReadings readings;
    TraceHeader_Get(header, "hypotheses", text, TRACE_HEADER_MAX);
    if (RpReadings_Parse(&readings, RP_READS_RUNTIME, text, NULL) == RP_OK)
        RpReadings_Format(&readings, RP_READS_RUNTIME, text, TRACE_HEADER_MAX);
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

/* Writes the name of the processor, followed by the maker whose estimates it imitated, if it did
 * so. Returns whose estimates these are. */
static RpEstimates ReadProcessor(const TraceHeader *header, char *text, size_t size) {
    char word[16];
    RpEstimates estimates = RP_ESTIMATES_OF_THIS;
    TraceHeader_Get(header, "processor", text, size);
    if (*text && TraceHeader_Get(header, "estimates", word, sizeof word) &&
        Provider_EstimatesNamed(word, &estimates) && estimates != RP_ESTIMATES_OF_THIS) {
        size_t length = strlen(text);
        snprintf(text + length, size - length, ", estimates: %s", word);
    }
    MakePrintable(text);
    return estimates;
}

RpStatus Condition_Read(const TraceHeader *a, const TraceHeader *b, bool allow_unlike,
                        const char *name, CompareCondition *condition, RpError *error) {
    static const char *const keys[] = {"force-cpu", "slot-build"};
    char readings_a[TRACE_HEADER_MAX], readings_b[TRACE_HEADER_MAX];
    char *processor_a = condition->processor_a, *processor_b = condition->processor_b;
    RpStatus status = RP_OK;
    memset(condition, 0, sizeof *condition);

    /* The readings and the machines of both sides must be the same. */
    ReadReadings(a, readings_a);
    ReadReadings(b, readings_b);
    if (!allow_unlike)
        status = CheckAlike("readings", readings_a, readings_b, name, error);
    for (size_t i = 0; i < sizeof keys / sizeof *keys && !status && !allow_unlike; i++) {
        char value_a[64], value_b[64];
        ReadValue(a, keys[i], value_a, sizeof value_a);
        ReadValue(b, keys[i], value_b, sizeof value_b);
        status = CheckAlike(keys[i], value_a, value_b, name, error);
    }
    if (status)
        return status;

    const RpEstimates of_a = ReadProcessor(a, processor_a, sizeof condition->processor_a);
    const RpEstimates of_b = ReadProcessor(b, processor_b, sizeof condition->processor_b);
    const RpEstimates proven = Provider_ProvenEstimates(a);
    condition->same_estimates =
        proven != RP_ESTIMATES_OF_THIS && proven == Provider_ProvenEstimates(b);
    condition->other_processor = Provider_OtherProcessor(processor_a, processor_b) ||
                                 (*processor_a && *processor_b && of_a != of_b);

    /* One text if both sides say the same, and otherwise a text with both. */
    const size_t size = strlen(readings_a) + strlen(readings_b) + sizeof " (a),  (b)";
    condition->readings = malloc(size);
    if (condition->readings && strcmp(readings_a, readings_b) == 0)
        snprintf(condition->readings, size, "%s", readings_a);
    else if (condition->readings)
        snprintf(condition->readings, size, "%s (a), %s (b)", readings_a, readings_b);
    if (condition->readings)
        return RP_OK;
    return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a comparison", name, "", "");
}

bool Condition_Same(const CompareCondition *a, const CompareCondition *b) {
    return strcmp(a->readings, b->readings) == 0 && strcmp(a->processor_a, b->processor_a) == 0 &&
           strcmp(a->processor_b, b->processor_b) == 0;
}
