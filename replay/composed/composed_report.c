#include "replay/composed/composed_report.h"

#include "ngi32/exact/many.h"

#include <inttypes.h>

const char *ComposedKind_Name(ComposedKind kind) {
    static const char *const names[COMPOSED_KIND_COUNT] = {"slerp", "sample", "blend", "skeleton",
                                                           "clip",  "object", "query"};
    return names[kind];
}

const char *ComposedPath_Name(int path) {
    const ExactWidth *const *widths = Exact_Widths();
    if (path < COMPOSED_FIRST_WIDTH)
        return path == COMPOSED_ONE ? "one" : "many";
    for (int i = COMPOSED_FIRST_WIDTH; *widths; widths++, i++)
        if (i == path)
            return (*widths)->name;
    return NULL;
}

uint64_t Composed_Differences(const ComposedReport *report) {
    uint64_t different = 0;
    for (int kind = 0; kind < COMPOSED_KIND_COUNT; kind++)
        for (int path = 0; path < COMPOSED_PATH_COUNT; path++)
            different += report->tallies[kind][path].different;
    return different;
}

void Composed_Print(const ComposedReport *report, RpBuffer *text) {
    RpBuffer_Print(text, "kind,path,calls,by_core,different\n");
    for (int kind = 0; kind < COMPOSED_KIND_COUNT; kind++)
        for (int path = 0; path < COMPOSED_PATH_COUNT; path++) {
            const ComposedTally *tally = &report->tallies[kind][path];
            if (tally->calls)
                RpBuffer_Print(text, "%s,%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n",
                               ComposedKind_Name((ComposedKind)kind), ComposedPath_Name(path),
                               tally->calls, tally->by_core, tally->different);
        }
    RpBuffer_Print(text, "all,,%" PRIu64 ",,%" PRIu64 "\n", report->calls,
                   Composed_Differences(report));
}
