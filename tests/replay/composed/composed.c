/* Compares composed calls of the exact core with the x87 (replay/composed/composed.h):
 *
 *   composed CALLS [SHARD/SHARDS]
 *
 * Prints a table of what was compared, and the first difference. The exit code is 1 if there is a
 * difference, or if nothing was proven, because the core computed little, or computed a reference
 * itself. */
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

/* Returns whether the core computed something in at least every fourth of the calls. */
static bool DidMuch(const ComposedReport *report, ComposedKind kind, int path, uint64_t calls) {
    return report->tallies[kind][path].by_core > calls / 4;
}

/* Returns whether the run proves anything. The references have to be the x87's, and of each kind
 * the core has to have computed much of what ordinary callers ask for, in each way. */
static bool IsProof(const ComposedReport *report) {
    static const ComposedKind nodes[] = {COMPOSED_SKELETON, COMPOSED_CLIP};
    static const struct {
        ComposedKind kind;
        int path;
    } others[] = {{COMPOSED_SAMPLE, COMPOSED_ONE},
                  {COMPOSED_BLEND, COMPOSED_ONE},
                  {COMPOSED_OBJECT, COMPOSED_MANY},
                  {COMPOSED_QUERY, COMPOSED_MANY}};
    const uint64_t slerps = report->tallies[COMPOSED_SLERP][COMPOSED_MANY].calls;
    bool enough =
        report->reference_by_core == 0 && DidMuch(report, COMPOSED_SLERP, COMPOSED_ONE, slerps);
    for (int path = COMPOSED_FIRST_WIDTH; ComposedPath_Name(path); path++) {
        enough = enough && DidMuch(report, COMPOSED_SLERP, path, slerps);
        for (int i = 0; i < 2; i++)
            enough =
                enough && DidMuch(report, nodes[i], path, report->tallies[nodes[i]][path].calls);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        enough = enough && DidMuch(report, others[i].kind, others[i].path,
                                   report->tallies[others[i].kind][others[i].path].calls);
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
