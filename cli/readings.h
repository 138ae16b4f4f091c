/* --profile and --hypotheses: which readings of the arithmetic a run follows. */
#ifndef RETROPOSE_CLI_READINGS_H
#define RETROPOSE_CLI_READINGS_H

#include "cli/cli.h"

#define CLI_HYPOTHESES                                                                             \
    { "hypotheses", "LIST", "readings other than the defaults, e.g. key-order=wxyz; @FILE", 0 }

#define READINGS_BYTES 2048 /* of every hypothesis and its choice */

/* The profile over the defaults, and --hypotheses (a list, or @FILE) over that, as a trace's header
 * states them; empty for the defaults. Says what is wrong and returns false. */
bool Readings_Given(const Cli *cli, char text[READINGS_BYTES]);

#endif
