/* The two providers that --original and --replacement name, and how they are run. */
#ifndef RETROPOSE_CLI_TRACE_PROVIDER_PAIR_H
#define RETROPOSE_CLI_TRACE_PROVIDER_PAIR_H

#include "cli/original_pair.h"
#include "replay/compare/report.h"

#define CLI_TRUST                                                                                  \
    {                                                                                              \
        "trust", NULL,                                                                             \
            "call what names files, makes or ends objects, too: docs/reference/host.md", 0         \
    }
#define CLI_PROCESSOR                                                                              \
    {                                                                                              \
        "processor", "NAME",                                                                       \
            "whose estimates `native` gives: intel, amd, this (default: as recorded)", 0           \
    }

typedef struct ProviderPair {
    Provider original, original_wxyz, replacement;
    bool has_wxyz;  /* the stand-in with the other key order plays the original for traces that ask
                       for it */
    bool stands_in; /* no original was given, so the stand-in plays it */
    ProviderOptions options;
    char host[PLACE_BYTES];
} ProviderPair;

/* Opens both. Returns 0, or says what is missing and returns CLI_TROUBLE. */
int ProviderPair_Open(const Cli *cli, ProviderPair *pair);
/* Returns whether the stand-in was built for these readings, and says so if it was not. */
bool ProviderPair_Accepts(const ProviderPair *pair, const char *readings);
void ProviderPair_FillReport(const ProviderPair *pair, Report *report);

#endif
