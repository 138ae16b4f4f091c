/* Which readings a run follows: --profile and --hypotheses, or what a model itself tells. */
#ifndef RETROPOSE_CLI_READINGS_H
#define RETROPOSE_CLI_READINGS_H

#include "cli/cli.h"
#include "retropose/msh_check.h"

#define CLI_HYPOTHESES                                                                             \
    {                                                                                              \
        "hypotheses", "LIST",                                                                      \
            "how the arithmetic goes where not by default: key-order=wxyz,...; @FILE", 0           \
    }

#define READINGS_BYTES 2048 /* enough for every hypothesis with its choice */

/* Writes the profile's readings, overridden by those of --hypotheses (a list, or @FILE), as a
 * trace's header has them; empty for the defaults. Otherwise says what is wrong and returns
 * false. */
bool Readings_Given(const Cli *cli, char text[READINGS_BYTES]);

/* Chooses the readings of a model by its own numbers and says of the first `said` of them
 * (RP_MSH_READS_...) which were taken that are not the defaults, and where nothing told although it
 * matters. With -v it says each of these. */
RpStatus CliReadings_Choose(const Cli *cli, const char *name, int said, const RpMsh *msh,
                            RpReadings *readings, RpError *error);

#endif
