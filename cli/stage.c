#include "cli/stage.h"

#include "cli/files.h"

#include <stdlib.h>

int Cli_RunStage(const Cli *parent, const char *name, const char *const *words, RpBuffer *output) {
    Cli cli;
    int count = 0, code = CLI_TROUBLE;
    const CliVerb *verb = CliVerb_Named(parent->groups, name);
    while (words[count])
        count++;
    char **copies = calloc((size_t)count + 1, sizeof *copies);
    for (int i = 0; copies && i < count; i++)
        copies[i] = (char *)(uintptr_t)words[i]; /* they are only read */
    if (!copies || !verb)
        return Cli_Complain("no memory for a stage");
    const bool parsed = Cli_Parse(&cli, verb, count, copies);
    if (parsed) {
        cli.groups = parent->groups;
        cli.config = parent->config;
        cli.verbosity = parent->verbosity;
        cli.stage = true;
        CliFile_Collect(output);
        code = verb->run(&cli);
        CliFile_Collect(NULL);
    }
    Cli_Free(&cli);
    free(copies);
    return code;
}
