/* Reads profiles, which are named readings as text (docs/use/calibrate.md). Of the C library this
 * needs only memcmp and strlen. */
#include "core/complaint.h"
#include "dll/settings/settings.h"
#include "exports/readings_text.h"

typedef struct Profile {
    const char *text;
    RpReadings readings;
    bool given[RP_READING_MAX];
    RpError *error;
} Profile;

static RpStatus Refuse(const Profile *profile, const char *what, const char *expected,
                       Span culprit) {
    return Complaint_Set(profile->error, RP_INVALID, (uint64_t)(culprit.start - profile->text),
                         what, "", expected, culprit);
}

/* `assignment` is "name = choice", or empty. */
static RpStatus Assign(Profile *profile, Span assignment) {
    const RpReadings before = profile->readings;
    assignment = Span_Trim(assignment);
    Span choice = assignment;
    const Span name = Span_Trim(Span_CutPart(&choice, '='));
    if (assignment.length == 0)
        return RP_OK;
    if (!choice.start)
        return Refuse(profile, "a hypothesis without a choice", "name = choice", assignment);
    const int index = Readings_Choose(&profile->readings, RP_READS_RUNTIME, profile->text, name,
                                      Span_Trim(choice), profile->error);
    if (index < 0)
        return RP_INVALID;
    if (profile->given[index] && profile->readings.choice[index] != before.choice[index])
        return Refuse(profile, "a hypothesis with two choices", "one line for each", name);
    profile->given[index] = true;
    return RP_OK;
}

static RpStatus ReadLine(Profile *profile, Span line) {
    RpStatus status = RP_OK;
    line.length = Span_Find(line, '#');
    while (!status && line.start)
        status = Assign(profile, Span_CutPart(&line, ','));
    return status;
}

RpStatus Profile_Parse(const char *text, size_t size, RpReadings *hypotheses, RpError *error) {
    Profile profile = {.text = text, .readings = *hypotheses, .error = error};
    RpStatus status = RP_OK;
    unsigned line = 0;
    for (Span rest = Span_SkipMark((Span){text, size}); !status && rest.start; line++)
        status = ReadLine(&profile, Span_CutLine(&rest));
    if (!status)
        *hypotheses = profile.readings;
    return Complaint_AtLine(error, status, line);
}
