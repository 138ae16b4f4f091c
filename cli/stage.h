/* Runs a verb as a stage of another one, in this process: the same function that the verb's own
 * command line runs. */
#ifndef RETROPOSE_CLI_STAGE_H
#define RETROPOSE_CLI_STAGE_H

#include "cli/cli.h"
#include "retropose/memory.h"

/* Runs the verb of this name ("corpus check") with these words, up to a null. What it would print
 * on the standard output with CliFile_Print is appended to `output`, and no note of it is printed;
 * progress and complaints are. Settings of retropose.toml are not applied. Returns the verb's exit
 * code. */
int Cli_RunStage(const Cli *parent, const char *name, const char *const *words, RpBuffer *output);

#endif
