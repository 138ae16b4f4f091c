/* Reads and writes readings as text: their names and their choices. */
#include "exports/readings_text.h"
#include "exports/reading_table.h"
#include "retropose/readings.h"

#include "core/complaint.h"

_Static_assert(READING_COUNT <= RP_READING_MAX, "RpReadings has room for all");

typedef struct Row {
    const char *name;
    const char *choices;
} Row;

#define ROW(symbol, name_, choices_, work, where, source) {.name = name_, .choices = choices_},
static const Row rows[READING_COUNT] = {RETROPOSE_READINGS(ROW)};
#undef ROW

static bool Exists(int index) {
    return index >= 0 && index < READING_COUNT;
}

const char *RpReadings_Name(int32_t index) {
    return Exists(index) ? rows[index].name : NULL;
}

const char *RpReadings_Choices(int32_t index) {
    return Exists(index) ? rows[index].choices : NULL;
}

uint32_t RpReadings_Kind(int32_t index) {
    if (!Exists(index))
        return 0;
    if (index == READING_KEY_ORDER)
        return RP_READS_RUNTIME | RP_READS_FILES;
    return index < READING_RUNTIME_COUNT ? RP_READS_RUNTIME : RP_READS_FILES;
}

static bool Concerns(unsigned kinds, int index) {
    return (RpReadings_Kind(index) & kinds) != 0;
}

static int FindName(unsigned kinds, Span name) {
    for (int i = 0; i < READING_COUNT; i++)
        if (Concerns(kinds, i) && Span_Is(name, rows[i].name))
            return i;
    return -1;
}

const char *RpReadings_Choice(const RpReadings *readings, int32_t index, size_t *length) {
    Span choice = {.start = "", .length = 0};
    if (Exists(index)) {
        Span choices = Span_OfText(rows[index].choices);
        Span name = Span_CutPart(&choices, '|');
        int left = readings ? readings->choice[index] : 0;
        for (; left > 0 && choices.start; left--)
            name = Span_CutPart(&choices, '|');
        if (left == 0) /* else the table does not have so many choices */
            choice = name;
    }
    *length = choice.length;
    return choice.start;
}

static RpStatus Refuse(RpError *error, const char *text, Span culprit, const char *what,
                       const char *expected) {
    return Complaint_Set(error, RP_INVALID, (uint64_t)(culprit.start - text), what, "readings",
                         expected, culprit);
}

/* An error has no room for all names. So if the readings of the arithmetic are among those that may
 * be meant, it lists the names that begin with the same letter. */
static bool IsListed(RpReadingKind kind, const char *known, Span name) {
    return kind == RP_READS_FILES || (name.length > 0 && known[0] == *name.start);
}

int Readings_Choose(RpReadings *readings, RpReadingKind kind, const char *text, Span name,
                    Span choice, RpError *error) {
    const int index = FindName(kind, name);
    if (index < 0) {
        /* The names that may have been meant. */
        char known[sizeof error->expected];
        Text list = Text_Begin(known, sizeof known);
        if ((kind & RP_READS_FILES) && IsListed(kind, "drawn", name))
            Text_Append(&list, "drawn");
        for (int i = 0; i < READING_COUNT; i++) {
            if (!Concerns(kind, i) || !IsListed(kind, rows[i].name, name))
                continue;
            Text_Append(&list, list.length ? "|" : "");
            Text_Append(&list, rows[i].name);
        }
        if (list.length == 0)
            Text_Append(&list, "a name of docs/reference/abi.md, Readings");
        const char *what = "unknown reading";
        if (FindName(RP_READS_RUNTIME | RP_READS_FILES, name) >= 0)
            what = kind == RP_READS_FILES
                       ? "this is a reading of the arithmetic, not of model files"
                       : "this is a reading of model files, not of the arithmetic";
        Refuse(error, text, name, what, known);
        return -1;
    }

    int number = -1;
    Span choices = Span_OfText(rows[index].choices);
    for (int k = 0; choices.start; k++)
        if (Span_Equals(Span_CutPart(&choices, '|'), choice)) {
            number = k;
            break;
        }

    if (number < 0) {
        const Span both = {.start = name.start,
                           .length = (size_t)(choice.start - name.start) + choice.length};
        Refuse(error, text, kind & RP_READS_FILES ? both : choice, "unknown choice of a reading",
               rows[index].choices);
        return -1;
    }
    readings->choice[index] = (uint8_t)number;
    return index;
}

RpStatus Readings_ParseOver(RpReadings *readings, RpReadingKind kind, const char *text,
                            RpError *error) {
    RpReadings parsed = *readings;
    RpStatus status = RP_OK;
    Span rest = text && *text ? Span_OfText(text) : (Span){0};
    while (rest.start && status == RP_OK) {
        Span assignment = Span_CutPart(&rest, ',');
        if ((kind & RP_READS_FILES) && Span_Is(assignment, "drawn")) {
            /* These are the choices of the two projects that draw the game's own data
             * (facts/formats.md 0). */
            static const uint8_t drawn[] = {READING_KEY_ORDER, READING_SLOT_WORDS, READING_MATERIAL,
                                            READING_UV};
            for (size_t i = 0; i < sizeof drawn; i++)
                parsed.choice[drawn[i]] = 1;
        } else {
            Span choice = assignment;
            const Span name = Span_CutPart(&choice, '=');
            if (!choice.start)
                choice = Span_Skip(name, name.length);
            status =
                Readings_Choose(&parsed, kind, text, name, choice, error) < 0 ? RP_INVALID : RP_OK;
        }
    }
    if (status == RP_OK)
        *readings = parsed;
    return status;
}

RpStatus RpReadings_Parse(RpReadings *readings, RpReadingKind kind, const char *text,
                          RpError *error) {
    memset(readings, 0, sizeof *readings);
    return Readings_ParseOver(readings, kind, text, error);
}

int RpReadings_Format(const RpReadings *readings, RpReadingKind kind, char *buffer, size_t size) {
    Text text = Text_Begin(buffer, size);
    for (int i = 0; i < READING_COUNT; i++) {
        bool is_default = !readings || readings->choice[i] == 0;
        if (!Concerns(kind, i) || (is_default && kind == RP_READS_RUNTIME))
            continue;
        size_t length;
        const char *choice = RpReadings_Choice(readings, i, &length);
        Text_Append(&text, text.length ? "," : "");
        Text_Append(&text, rows[i].name);
        Text_Append(&text, "=");
        Text_AppendPart(&text, choice, length);
    }
    return (int)text.length;
}
