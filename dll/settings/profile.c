/* Reads profiles, which are named readings as text (docs/use/calibrate.md). Of the C library this
 * needs only memcmp and strlen. */
#include "core/complaint.h"
#include "dll/settings/settings.h"
#include "exports/readings_text.h"

_Static_assert(RP_READING_MAX <= 64, "a set has a bit for each reading");

typedef struct Profile {
    const char *text;
    RpReadingKind kind;
    RpReadings readings;
    uint64_t named; /* a bit for each reading that a line has named */
    RpError *error;
} Profile;

static RpStatus Refuse(const Profile *profile, const char *what, const char *expected,
                       Span culprit) {
    return Complaint_Set(profile->error, RP_INVALID, (uint64_t)(culprit.start - profile->text),
                         what, "", expected, culprit);
}

/* `assignment` is "name = choice", the name of the set `drawn`, or empty. */
static RpStatus Assign(Profile *profile, Span assignment) {
    const RpReadings before = profile->readings;
    assignment = Span_Trim(assignment);
    Span choice = assignment;
    const Span name = Span_Trim(Span_CutPart(&choice, '='));
    if (assignment.length == 0)
        return RP_OK;
    if ((profile->kind & RP_READS_FILES) && Span_Is(assignment, "drawn"))
        return Readings_ParseOver(&profile->readings, RP_READS_FILES, "drawn", profile->error);
    if (!choice.start)
        return Refuse(profile, "a reading without a choice", "name = choice", assignment);
    const int index = Readings_Choose(&profile->readings, profile->kind, profile->text, name,
                                      Span_Trim(choice), profile->error);
    if (index < 0)
        return RP_INVALID;
    const uint64_t bit = (uint64_t)1 << index;
    if ((profile->named & bit) && profile->readings.choice[index] != before.choice[index])
        return Refuse(profile, "a reading with two choices", "one line for each", name);
    profile->named |= bit;
    return RP_OK;
}

RpStatus Profile_Parse(const char *text, size_t size, RpReadingKind kind, RpReadings *readings,
                       uint64_t *named, RpError *error) {
    Profile profile = {.text = text, .kind = kind, .readings = *readings, .error = error};
    RpStatus status = RP_OK;
    unsigned line = 0;
    for (Span rest = Span_SkipMark((Span){text, size}); !status && rest.start; line++) {
        Span words = Span_CutLine(&rest);
        words.length = Span_Find(words, '#');
        while (!status && words.start)
            status = Assign(&profile, Span_CutPart(&words, ','));
    }
    if (!status)
        *readings = profile.readings;
    if (!status && named)
        *named |= profile.named;
    return Complaint_AtLine(error, status, line);
}
