#include "retropose/msh_text.h"

#include "formats/output.h"
#include "msh.h"

static int Run(Cli *cli) {
    ModelSource source;
    RpError error;
    RpBuffer text;
    if (cli->argument_count < 1 || cli->argument_count > 2)
        return Cli_Complain("msh dump needs a model, and may have a file to write");
    RpBuffer_Init(&text, NULL);
    RpStatus status = ModelSource_OpenModel(&source, cli->arguments[0], &error);
    if (status == RP_OK) {
        status = RpMsh_Dump(&source.archive, &text, &error);
        if (status != RP_OK)
            ModelSource_Locate(&source, &error);
    }
    if (status == RP_OK)
        status = Output_WriteBytes(cli->argument_count > 1 ? cli->arguments[1] : "-", text.bytes,
                                   text.size, &error);
    RpBuffer_Free(&text);
    ModelSource_Close(&source);
    return status == RP_OK ? CLI_EQUAL : Cli_Fail(&error);
}

const CliVerb cli_msh_dump = {"msh dump",
                              "write a model as text that `msh assemble` takes back",
                              "FILE[::MEMBER] [TEXT]",
                              "retropose msh dump hero.msh hero.json\n"
                              "retropose msh dump static.rlb::s_house.msh | less\n",
                              {{NULL, NULL, NULL, 0}},
                              Run};
