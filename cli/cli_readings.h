/* Finds the readings that a run follows: those of --profile and --readings, or those that a model
 * itself shows. */
#ifndef RETROPOSE_CLI_CLI_READINGS_H
#define RETROPOSE_CLI_CLI_READINGS_H

#include "cli/cli.h"
#include "retropose/msh_check.h"

#define CLI_READINGS_OF_ARITHMETIC                                                                 \
    {                                                                                              \
        "readings", "LIST",                                                                        \
            "how the arithmetic goes where not by default: key-order=wxyz,...; @FILE", 0           \
    }

#define READINGS_BYTES 2048 /* enough for every reading of the arithmetic with its choice */

/* Reads the profile and, over it, --readings (or `fallback` where that is not given), which is a
 * list or @FILE. Either may name readings of both kinds; says which of them are not of the kind
 * that the verb `uses`. If a name or a choice does not exist, says so and returns false. */
bool CliReadings_Read(const Cli *cli, RpReadingKind uses, const char *fallback,
                      RpReadings *readings);
/* Does the same for the arithmetic, and writes the readings in the form of a trace's header; empty
 * for the defaults. */
bool Readings_Given(const Cli *cli, char text[READINGS_BYTES]);

/* Chooses the readings of a model by its own numbers. Of the first `said` readings
 * (RP_MSH_READS_...), prints those whose choice is not the default, and those that matter although
 * nothing in the model shows them. With -v prints each of them. */
RpStatus CliReadings_Choose(const Cli *cli, const char *name, int said, const RpMsh *msh,
                            RpReadings *readings, RpError *error);

#endif
