/* One run of the model checker. The rules themselves are in the files of their subjects. */
#include "formats/msh/check/checker.h"
#include "formats/msh/read/sharing.h"
#include "ngi32/processor/modes.h"

#include <stdio.h>

static void CheckErrors(MshChecker *checker) {
    MshCheck_StreamErrors(checker);
    MshCheck_NodeErrors(checker);
    MshCheck_GeometryErrors(checker);
    MshCheck_AnimationErrors(checker);
}

RpStatus RpMsh_Validate(const RpMsh *msh, RpError *error) {
    MODES_OF_C();
    RpFindingCounter counter = {.next = NULL};
    const RpFindingSink sink = RpFindingCounter_Sink(&counter);
    MshChecker checker = {.msh = msh,
                          .sink = &sink,
                          .rules = UINT64_MAX,
                          .repeats = 1,
                          .errors_only = true,
                          .work = Msh_SharingBudget(msh)};
    CheckErrors(&checker);
    return RpFindingCounter_Verdict(&counter, error);
}

RpMshCheckOptions RpMshCheckOptions_Default(void) {
    return (RpMshCheckOptions){.repeats = RP_MSH_CHECK_REPEATS};
}

RpStatus RpMsh_Check(RpNResEntries entries, const RpMshCheckOptions *options,
                     const RpFindingSink *sink, RpError *error) {
    MODES_OF_C();
    RpMsh msh;
    Msh_FindStreams(&entries, &msh);
    const bool land = RpMsh_IsLand(entries);
    const RpMshCheckOptions defaults = RpMshCheckOptions_Default();
    RpFindingCounter counter = {.next = sink};
    const RpFindingSink counting = RpFindingCounter_Sink(&counter);
    if (!options)
        options = &defaults;
    MshChecker checker = {.msh = &msh,
                          .entries = &entries,
                          .sink = &counting,
                          .allocator = options->allocator,
                          .rules = options->rules ? options->rules : UINT64_MAX,
                          .repeats = options->repeats ? options->repeats : RP_MSH_CHECK_REPEATS,
                          .work = Msh_SharingBudget(&msh)};
    if (land) {
        MshPlace place = MshPlace_Record(&checker, 1, RP_SEVERITY_INFO, RP_MSH_NODES, NRES_AT_TYPE);
        MshChecker_Report(&checker, place, "a map's terrain, not a model: no rule applies",
                          "streams 1, 2, 3, 6, 13|stream 21 without 6 and 13");
        return RP_OK;
    }
    CheckErrors(&checker);
    MshCheck_Streams(&checker);
    MshCheck_Faces(&checker);
    MshCheck_Animation(&checker);
    MshCheck_Bounds(&checker);
    for (int rule = 1; rule <= RP_MSH_RULE_COUNT; rule++)
        for (int severity = 0; severity < RP_SEVERITY_COUNT; severity++) {
            /* Findings that were only counted are reported as one more. Otherwise a severity could
             * be counted although nothing of it was reported. */
            const uint32_t count = checker.counts[rule][severity];
            if (count <= checker.repeats)
                continue;
            RpFinding finding = RpFinding_New(RpMshRule_Id(rule), (RpSeverity)severity);
            snprintf(finding.what, sizeof finding.what, "%u more of this rule",
                     count - checker.repeats);
            RpFindingSink_Report(checker.sink, &finding);
        }
    if (checker.no_memory)
        return RpMemory_Refused(error, "checking a model");
    return RpFindingCounter_Verdict(&counter, error);
}
