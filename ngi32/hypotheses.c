#include "retropose/hypotheses.h"

#include "core/text.h"
#include "exports/hypotheses.h"

#include <stdbool.h>
#include <string.h>

_Static_assert(HYPOTHESIS_COUNT <= RP_HYPOTHESIS_MAX, "RpHypotheses has room for all");

typedef struct Row {
    const char *name;
    const char *choices;
} Row;

#define ROW(symbol, name_, choices_, where, evidence) {.name = name_, .choices = choices_},
static const Row rows[HYPOTHESIS_COUNT] = {RETROPOSE_HYPOTHESES(ROW)};
#undef ROW

const char *RpHypotheses_Name(int index) {
    return index >= 0 && index < HYPOTHESIS_COUNT ? rows[index].name : NULL;
}

const char *RpHypotheses_Choices(int index) {
    return index >= 0 && index < HYPOTHESIS_COUNT ? rows[index].choices : NULL;
}

/* Part of a string. */
typedef struct Span {
    const char *start;
    size_t length;
} Span;

static Span Span_Until(const char *start, const char *ends) {
    return (Span){.start = start, .length = strcspn(start, ends)};
}

static bool Span_Is(Span span, Span other) {
    return span.length == other.length && memcmp(span.start, other.start, span.length) == 0;
}

/* Returns what follows the span and one separator, or null at the end of the string. */
static const char *Span_Next(Span span) {
    const char *end = span.start + span.length;
    return *end ? end + 1 : NULL;
}

static int FindName(Span name) {
    for (int i = 0; i < HYPOTHESIS_COUNT; i++)
        if (Span_Is(name, Span_Until(rows[i].name, "")))
            return i;
    return -1;
}

static int FindChoice(const char *choices, Span choice) {
    int index = 0;
    for (const char *at = choices; at; index++) {
        Span known = Span_Until(at, "|");
        if (Span_Is(choice, known))
            return index;
        at = Span_Next(known);
    }
    return -1;
}

/* Returns the choice's name, or an empty span for an index that the table does not have. */
static Span ChoiceName(const char *choices, int index) {
    const char *at = choices;
    Span name = Span_Until(at, "|");
    for (; index > 0; index--) {
        at = Span_Next(name);
        if (!at)
            return (Span){.start = "", .length = 0};
        name = Span_Until(at, "|");
    }
    return name;
}

static RpStatus Refuse(RpError *error, const char *text, Span culprit, const char *what,
                       const char *expected) {
    char found[sizeof error->found];
    Text copy = Text_Begin(found, sizeof found);
    Text_AppendPart(&copy, culprit.start, culprit.length);
    return RpError_Set(error, RP_INVALID, (uint64_t)(culprit.start - text), what, "hypotheses",
                       expected, found);
}

/* Refuses an unknown name. An error has no room for all names, so it lists those that begin with
 * the same letter. */
static RpStatus RefuseName(RpError *error, const char *text, Span name) {
    char known[sizeof error->expected];
    Text list = Text_Begin(known, sizeof known);
    for (int i = 0; i < HYPOTHESIS_COUNT; i++) {
        if (name.length == 0 || rows[i].name[0] != *name.start)
            continue;
        Text_Append(&list, list.length ? "|" : "");
        Text_Append(&list, rows[i].name);
    }
    if (list.length == 0)
        Text_Append(&list, "a name of docs/reference/abi.md, Hypotheses");
    return Refuse(error, text, name, "unknown hypothesis", known);
}

RpStatus RpHypotheses_Parse(RpHypotheses *hypotheses, const char *text, RpError *error) {
    RpHypotheses parsed;
    memset(&parsed, 0, sizeof parsed);
    memset(hypotheses, 0, sizeof *hypotheses);
    const char *at = text && *text ? text : NULL;
    while (at) {
        Span assignment = Span_Until(at, ","), name = Span_Until(at, "=,");
        int index = FindName(name);
        if (index < 0)
            return RefuseName(error, text, name);
        Span choice = {.start = name.start + name.length, .length = 0};
        if (name.length < assignment.length)
            choice = Span_Until(choice.start + 1, ",");
        int number = FindChoice(rows[index].choices, choice);
        if (number < 0)
            return Refuse(error, text, choice, "unknown choice of a hypothesis",
                          rows[index].choices);
        parsed.choice[index] = (uint8_t)number;
        at = Span_Next(assignment);
    }
    *hypotheses = parsed;
    return RP_OK;
}

int RpHypotheses_Format(const RpHypotheses *hypotheses, char *buffer, size_t size) {
    Text text = Text_Begin(buffer, size);
    for (int i = 0; hypotheses && i < HYPOTHESIS_COUNT; i++) {
        if (hypotheses->choice[i] == 0)
            continue;
        Span choice = ChoiceName(rows[i].choices, hypotheses->choice[i]);
        Text_Append(&text, text.length ? "," : "");
        Text_Append(&text, rows[i].name);
        Text_Append(&text, "=");
        Text_AppendPart(&text, choice.start, choice.length);
    }
    return (int)text.length;
}
