#include "cli/trace/explain.h"

#include "cli/lift/pair_files.h"
#include "replay/lift/lift_capture.h"

#include <stdio.h>
#include <string.h>

enum { ORIGINAL, ORIGINAL_WXYZ, REPLACEMENT, PAIRS };

/* The pairs, whose files are opened when they are first needed. */
typedef struct Explanation {
    const Provider *providers[PAIRS];
    CliPairFiles files[PAIRS];
    bool is_open[PAIRS];
    bool has_wxyz;
    const char *processor; /* what the machine's guests found, or what this program runs on */
} Explanation;

/* Gives the files of a pair. If there are none, says why and returns false. */
static bool GiveFiles(Explanation *explanation, int which, LiftFiles *files, Parting *parting) {
    const Provider *provider = explanation->providers[which];
    RpError error;
    if (!provider->directory[0]) {
        snprintf(parting->why_not, sizeof parting->why_not,
                 "%s is `%s`, which has no instructions to follow: name a pair of DLLs",
                 which == REPLACEMENT ? "b" : "a", ProviderKind_Name(provider->kind));
        return false;
    }
    if (!explanation->is_open[which] &&
        CliPairFiles_Open(provider, &explanation->files[which], &error)) {
        CliPairFiles_Close(&explanation->files[which]);
        RpError_Format(&error, parting->why_not, sizeof parting->why_not);
        return false;
    }
    explanation->is_open[which] = true;
    *files = CliPairFiles_ForLifting(&explanation->files[which]);
    return true;
}

static void Explain(void *context, const Difference *difference, Parting *parting) {
    Explanation *explanation = context;
    const bool is_wxyz = explanation->has_wxyz &&
                         strstr(LiftCapture_Readings(difference->captured), "key-order=wxyz");
    LiftFiles files[LIFT_SIDES];
    const LiftFiles *const sides[LIFT_SIDES] = {&files[0], &files[1]};
    if (GiveFiles(explanation, is_wxyz ? ORIGINAL_WXYZ : ORIGINAL, &files[LIFT_ORIGINAL],
                  parting) &&
        GiveFiles(explanation, REPLACEMENT, &files[LIFT_REPLACEMENT], parting))
        LiftCapture_Explain(difference->captured, sides, explanation->processor, parting);
}

RpStatus Explain_Differences(const ProviderPair *pair, Comparison *comparison, RpError *error) {
    Explanation explanation = {
        .providers = {&pair->original, &pair->original_wxyz, &pair->replacement},
        .has_wxyz = pair->has_wxyz,
        .processor = pair->options.processor ? pair->options.processor : "this"};
    const RpStatus status = Comparison_Explain(comparison, Explain, &explanation, error);
    for (int i = 0; i < PAIRS; i++)
        if (explanation.is_open[i])
            CliPairFiles_Close(&explanation.files[i]);
    return status;
}

void Explain_Options(CompareOptions *options) {
    options->capture = LiftCapture_Call;
    options->release = LiftCapture_Free;
}
