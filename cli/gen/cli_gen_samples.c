#include "cli/cli.h"

#include "core/files/output.h"
#include "siblings/samples/samples.h"

#include <stdio.h>

static int Run(Cli *cli) {
    RpError error;
    if (Cli_Has(cli, "list")) {
        for (size_t i = 0; i < SAMPLES; i++)
            Visible_Print(stdout, "%-14s %s\n", samples[i].name, samples[i].what);
        return CLI_EQUAL;
    }
    if (cli->argument_count != 1)
        return Cli_Complain("gen samples needs a folder; `retropose gen samples --list` names all");
    const char *folder = cli->arguments[0];
    RpStatus status = Output_MakeFolder(folder, &error);
    for (size_t i = 0; i < SAMPLES && !status; i++) {
        RpBuffer image;
        RpBuffer_Init(&image, NULL);
        status = samples[i].make(&image, &error);
        if (!status)
            status = Output_WriteInto(folder, samples[i].name, image.bytes, image.size, &error);
        RpBuffer_Free(&image);
    }
    if (status)
        return Cli_Fail(&error);
    Cli_Note(cli, "%d files in %s", SAMPLES, folder);
    return CLI_EQUAL;
}

const CliVerb cli_gen_samples = {
    "gen samples",
    "make a small `.ani` file, and resources of Asheron's Call with a script",
    "DIR",
    "retropose gen samples samples\n"
    "retropose ani info samples/bird.ani\n"
    "retropose gen samples --list\n",
    {{"list", NULL, "name the files and write nothing", 0}},
    Run};
