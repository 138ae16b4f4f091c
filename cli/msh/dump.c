#include "retropose/msh_text.h"

#include "cli/msh/msh.h"

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
    ModelSource_Close(&source);
    return CliFile_Write(&text, output, status, &error);
}

const CliVerb cli_msh_dump = {"msh dump",
                              "write a model as JSON text that `msh assemble` takes back",
                              "FILE[::MEMBER] [TEXT]",
                              "retropose msh dump hero.msh -o hero.json\n"
                              "retropose msh dump parts.rlb::R_H_02.msh | less\n",
                              {CLI_OUTPUT_TEXT},
                              Run};
