/* Profiles: named readings as text (docs/use/calibrate.md). Needs of the C library only memcmp
 * and strlen. */
#include "exports/readings.h"
#include "exports/readings_text.h"
#include "live/settings/settings.h"

#include "core/text.h"

#include <string.h>

/* Names the line, as "line 12". `found` is the part of the text that is wrong. */
static RpStatus Refuse(unsigned line, const char *text, Span culprit, const char *what,
                       const char *expected, RpError *error) {
    char where[32], found[sizeof error->found];
    Text place = Text_Begin(where, sizeof where), copy = Text_Begin(found, sizeof found);
    Text_Append(&place, "line ");
    Text_AppendDecimal(&place, line);
    Text_AppendPart(&copy, culprit.start, culprit.length);
    return RpError_Set(error, RP_INVALID, (uint64_t)(culprit.start - text), what, where, expected,
                       found);
}

static RpStatus RefuseName(unsigned line, const char *text, Span name, RpError *error) {
    char known[sizeof error->expected];
    Text list = Text_Begin(known, sizeof known);
    for (int i = 0; i < READING_RUNTIME_COUNT; i++) {
        Text_Append(&list, i ? "|" : "");
        Text_Append(&list, RpReadings_Name(i));
    }
    return Refuse(line, text, name, "unknown hypothesis", known, error);
}

typedef struct Assigned {
    RpReadings hypotheses;
    uint8_t given[RP_READING_MAX];
} Assigned;

/* `assignment` is "name = choice", or empty. */
static RpStatus Assign(Assigned *assigned, unsigned line, const char *text, Span assignment,
                       RpError *error) {
    assignment = Span_Trim(assignment);
    if (assignment.length == 0)
        return RP_OK;
    Span choice = assignment;
    const Span name = Span_Trim(Span_CutPart(&choice, '='));
    const int index = Readings_FindName(RP_READS_RUNTIME, name);
    if (index < 0)
        return RefuseName(line, text, name, error);
    if (!choice.start)
        return Refuse(line, text, assignment, "a hypothesis without a choice", "name = choice",
                      error);
    choice = Span_Trim(choice);
    const int number = Readings_FindChoice(index, choice);
    if (number < 0)
        return Refuse(line, text, choice, "unknown choice of a hypothesis",
                      RpReadings_Choices(index), error);
    if (assigned->given[index] && assigned->hypotheses.choice[index] != number)
        return Refuse(line, text, name, "a hypothesis with two choices", "one line for each",
                      error);
    assigned->given[index] = 1;
    assigned->hypotheses.choice[index] = (uint8_t)number;
    return RP_OK;
}

static RpStatus ReadLine(Assigned *assigned, unsigned line, const char *text, Span code,
                         RpError *error) {
    RpStatus status = RP_OK;
    while (!status && code.start)
        status = Assign(assigned, line, text, Span_CutPart(&code, ','), error);
    return status;
}

RpStatus Profile_Parse(const char *text, size_t size, RpReadings *hypotheses, RpError *error) {
    Assigned assigned = {.hypotheses = *hypotheses};
    RpStatus status = RP_OK;
    Span rest = {.start = text, .length = size};
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) /* which editors put before UTF-8 */
        rest = Span_Skip(rest, 3);
    for (unsigned line = 1; !status && rest.start; line++) {
        Span code = Span_CutLine(&rest);
        code.length = Span_Find(code, '#');
        status = ReadLine(&assigned, line, text, code, error);
    }
    if (!status)
        *hypotheses = assigned.hypotheses;
    return status;
}
