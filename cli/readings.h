/* --profile and --hypotheses: which readings of the arithmetic a run follows. */
#ifndef RETROPOSE_CLI_READINGS_H
#define RETROPOSE_CLI_READINGS_H

#include "cli/cli.h"

#define CLI_HYPOTHESES                                                                             \
    { "hypotheses", "LIST", "readings other than the defaults, e.g. key-order=wxyz; @FILE", 0 }

#define READINGS_BYTES 2048 /* enough for every hypothesis with its choice */

/* Writes the profile's readings, overridden by those of --hypotheses (a list, or @FILE), as a
 * trace's header has them; empty for the defaults. Otherwise says what is wrong and returns
 * false. */
bool Readings_Given(const Cli *cli, char text[READINGS_BYTES]);

#endif
