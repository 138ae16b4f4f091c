/* Checks an image against all rules. */
#include "formats/nres/nres_rules.h"

size_t RpNRes_CheckWork(uint32_t count) {
    const uint64_t bytes = (uint64_t)count * 2 * sizeof(uint32_t);
    return bytes <= SIZE_MAX ? (size_t)bytes : SIZE_MAX;
}

RpStatus RpNRes_Check(const void *image, size_t size, void *work, const RpFindingSink *sink,
                      RpError *error) {
    RpNRes archive;
    RpFindingCounter counter = {.next = sink};
    const RpFindingSink counted = RpFindingCounter_Sink(&counter);
    NResInspection inspection = {.sink = &counted, .work = work};
    if (NResRules_Header(image, size, &archive, &inspection)) {
        inspection.archive = &archive;
        NResRules_Sound(&inspection);
        NResRules_Canonical(&inspection);
        NResRules_Remarks(&inspection);
    }
    return RpFindingCounter_Verdict(&counter, error);
}
