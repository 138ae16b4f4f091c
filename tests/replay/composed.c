/* Compares composed calls of the exact core with the x87 (replay/composed/composed.h):
 *
 *   composed CALLS [SHARD/SHARDS]
 *
 * Prints a table of what was compared, and the first difference. Ends with 1 if there is one, or if
 * nothing was proven: because the core computed little, or a reference itself. */
#include "replay/composed/composed.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool Parse(int count, char **words, ComposedOptions *options) {
    *options = (ComposedOptions){.seed = 1, .shard = 1, .shards = 1};
    if (count < 2 || count > 3)
        return false;
    options->calls = strtoull(words[1], NULL, 10);
    if (count == 3 &&
        sscanf(words[2], "%" SCNu32 "/%" SCNu32, &options->shard, &options->shards) != 2)
        return false;
    return options->calls > 0;
}

/* The references have to be the x87's, and each path of slerps and skeletons has to have computed
 * much of what ordinary callers ask for. */
static bool IsProof(const ComposedReport *report) {
    bool enough = report->reference_by_core == 0;
    for (int path = COMPOSED_FIRST_WIDTH; ComposedPath_Name(path); path++) {
        const ComposedTally *slerps = &report->tallies[COMPOSED_SLERP][path];
        const ComposedTally *skeletons = &report->tallies[COMPOSED_SKELETON][path];
        const ComposedTally *clips = &report->tallies[COMPOSED_CLIP][path];
        const ComposedTally *all = &report->tallies[COMPOSED_SLERP][COMPOSED_MANY];
        enough = enough && slerps->by_core > all->calls / 4 &&
                 skeletons->by_core > skeletons->calls / 4 && clips->by_core > clips->calls / 4;
    }
    return enough;
}

int main(int count, char **words) {
    static ComposedReport report;
    ComposedOptions options;
    RpBuffer text;
    RpError error;
    if (!Parse(count, words, &options)) {
        fprintf(stderr, "usage: %s CALLS [SHARD/SHARDS]\n", words[0]);
        return 2;
    }
    if (Composed_Run(&options, &report, &error)) {
        fprintf(stderr, "%s %s\n", error.what, error.where);
        return 2;
    }
    RpBuffer_Init(&text, NULL);
    Composed_Print(&report, &text);
    fwrite(text.bytes, 1, text.size, stdout);
    RpBuffer_Free(&text);
    if (report.first[0])
        printf("first difference: %s\n", report.first);
    const bool proof = IsProof(&report);
    if (!proof)
        puts("nothing is proven: the core computed too little, or a reference itself");
    return Composed_Differences(&report) || !proof;
}
