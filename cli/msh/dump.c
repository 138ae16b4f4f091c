#include "retropose/msh_text.h"

#include "cli/msh/msh.h"
#include "core/files/output.h"

static int Run(Cli *cli) {
    ModelSource source;
    const char *output;
    RpError error;
    RpBuffer text;
    if (!CliFile_Output(cli, "a model", "-", &output))
        return CLI_TROUBLE;
    RpBuffer_Init(&text, NULL);
    RpStatus status = ModelSource_OpenModel(&source, cli->arguments[0], &error);
    if (status == RP_OK) {
        status = RpMsh_Dump(&source.archive, &text, &error);
        if (status != RP_OK)
            ModelSource_Locate(&source, &error);
    }
    if (status == RP_OK)
        status = Output_WriteBytes(output, text.bytes, text.size, &error);
    RpBuffer_Free(&text);
    ModelSource_Close(&source);
    return status == RP_OK ? CLI_EQUAL : Cli_Fail(&error);
}

const CliVerb cli_msh_dump = {"msh dump",
                              "write a model as JSON text that `msh assemble` takes back",
                              "FILE[::MEMBER] [TEXT]",
                              "retropose msh dump hero.msh -o hero.json\n"
                              "retropose msh dump parts.rlb::R_H_02.msh | less\n",
                              {CLI_OUTPUT_TEXT},
                              Run};
