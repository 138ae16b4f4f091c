/* Finds the readings that a run follows: those of --profile and --hypotheses, or those that a model
 * itself shows. */
#ifndef RETROPOSE_CLI_CLI_READINGS_H
#define RETROPOSE_CLI_CLI_READINGS_H

#include "cli/cli.h"
#include "retropose/msh_check.h"

#define CLI_HYPOTHESES                                                                             \
    {                                                                                              \
        "hypotheses", "LIST",                                                                      \
            "how the arithmetic goes where not by default: key-order=wxyz,...; @FILE", 0           \
    }

#define READINGS_BYTES 2048 /* enough for every hypothesis with its choice */

/* Writes the profile's readings, overridden by those of --hypotheses (a list, or @FILE), in the
 * form of a trace's header; empty for the defaults. If they are wrong, says so and returns
 * false. */
bool Readings_Given(const Cli *cli, char text[READINGS_BYTES]);

/* Chooses the readings of a model by its own numbers. Of the first `said` readings
 * (RP_MSH_READS_...), prints those whose choice is not the default, and those that matter although
 * nothing in the model shows them. With -v prints each of them. */
RpStatus CliReadings_Choose(const Cli *cli, const char *name, int said, const RpMsh *msh,
                            RpReadings *readings, RpError *error);

#endif
