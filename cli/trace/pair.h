/* The two providers that --original and --replacement name, and how they are run. */
#ifndef RETROPOSE_CLI_TRACE_PAIR_H
#define RETROPOSE_CLI_TRACE_PAIR_H

#include "cli/cli.h"
#include "cli/place.h"
#include "replay/compare/report.h"
#include "replay/provider/provider.h"

typedef struct Pair {
    Provider original, original_wxyz, replacement;
    bool
        has_wxyz; /* the stand-in of the other key order plays the original where it is asked for */
    bool stands_in; /* nobody gave an original */
    ProviderOptions options;
    char host[PLACE_BYTES];
} Pair;

/* Says what is missing and returns CLI_TROUBLE, or 0. */
int Pair_Open(const Cli *cli, Pair *pair);
/* Whether the stand-in was built for these hypotheses; says so if not. */
bool Pair_Accepts(const Pair *pair, const char *hypotheses);
void Pair_FillReport(const Pair *pair, Report *report);

#endif
