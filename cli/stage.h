/* Runs a verb as a stage of another one, in this process: the same function that the verb's own
 * command line runs. */
#ifndef RETROPOSE_CLI_STAGE_H
#define RETROPOSE_CLI_STAGE_H

#include "cli/cli.h"
#include "retropose/memory.h"

/* Runs the verb of this name ("calibrate") with these words, a list that ends with null.
 * `output` gets what the verb would print on standard output with CliFile_Print. Its notes are not
 * printed; its progress and complaints are. Settings of retropose.toml are not applied. Returns the
 * verb's exit code. */
int Cli_RunStage(const Cli *parent, const char *name, const char *const *words, RpBuffer *output);

#endif
