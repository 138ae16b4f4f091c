/* Profiles: named readings as text (docs/use/calibrate.md). No C library but memcmp and strcspn. */
#include "exports/readings.h"
#include "live/settings/settings.h"

#include "core/text.h"

#include <string.h>

/* Part of the text. */
typedef struct Part {
    const char *start;
    size_t length;
} Part;

static bool IsBlank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static Part Trim(Part part) {
    while (part.length && IsBlank(part.start[0])) {
        part.start++;
        part.length--;
    }
    while (part.length && IsBlank(part.start[part.length - 1]))
        part.length--;
    return part;
}

/* Up to one of `ends`, which the text need not hold. */
static Part Until(Part part, const char *ends) {
    size_t length = 0;
    while (length < part.length && !strchr(ends, part.start[length]))
        length++;
    return (Part){part.start, length};
}

static bool Is(Part part, const char *name, size_t length) {
    return part.length == length && memcmp(part.start, name, length) == 0;
}

static int FindName(Part name) {
    for (int i = 0; i < READING_RUNTIME_COUNT; i++)
        if (Is(name, RpReadings_Name(i), strlen(RpReadings_Name(i))))
            return i;
    return -1;
}

static int FindChoice(const char *choices, Part choice) {
    for (int index = 0;; index++) {
        size_t length = strcspn(choices, "|");
        if (Is(choice, choices, length))
            return index;
        if (!choices[length])
            return -1;
        choices += length + 1;
    }
}

/* "line 12"; `found` is the culprit. */
static RpStatus Refuse(unsigned line, const char *text, Part culprit, const char *what,
                       const char *expected, RpError *error) {
    char where[32], found[sizeof error->found];
    Text place = Text_Begin(where, sizeof where), copy = Text_Begin(found, sizeof found);
    Text_Append(&place, "line ");
    Text_AppendDecimal(&place, line);
    Text_AppendPart(&copy, culprit.start, culprit.length);
    return RpError_Set(error, RP_INVALID, (uint64_t)(culprit.start - text), what, where, expected,
                       found);
}

static RpStatus RefuseName(unsigned line, const char *text, Part name, RpError *error) {
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

/* `assignment`: "name = choice", or nothing. */
static RpStatus Assign(Assigned *assigned, unsigned line, const char *text, Part assignment,
                       RpError *error) {
    assignment = Trim(assignment);
    if (assignment.length == 0)
        return RP_OK;
    Part left = Until(assignment, "="), name = Trim(left);
    int index = FindName(name);
    if (index < 0)
        return RefuseName(line, text, name, error);
    if (left.length == assignment.length)
        return Refuse(line, text, assignment, "a hypothesis without a choice", "name = choice",
                      error);
    Part choice = Trim((Part){left.start + left.length + 1, assignment.length - left.length - 1});
    int number = FindChoice(RpReadings_Choices(index), choice);
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

RpStatus Profile_Parse(const char *text, size_t size, RpReadings *hypotheses, RpError *error) {
    Assigned assigned = {.hypotheses = *hypotheses};
    RpStatus status = RP_OK;
    unsigned line = 1;
    size_t start = size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0; /* an editor's */
    for (size_t at = start; !status && at <= size; line++) {
        Part rest = Until((Part){text + at, size - at}, "\n");
        at += rest.length + 1;
        Part code = Until(rest, "#");
        while (!status && code.length) {
            Part assignment = Until(code, ",");
            size_t used = assignment.length < code.length ? assignment.length + 1 : code.length;
            status = Assign(&assigned, line, text, assignment, error);
            code = (Part){code.start + used, code.length - used};
        }
    }
    if (!status)
        *hypotheses = assigned.hypotheses;
    return status;
}
