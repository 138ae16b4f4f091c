#include "retropose/msh_text.h"

#include "formats/output.h"
#include "msh.h"

#include <stdio.h>

/* What is wrong with the text, with its file. */
static int Fail(const char *path, const RpError *error) {
    RpError located = *error;
    snprintf(located.where, sizeof located.where, "%.80s, %.70s", path, error->where);
    return Cli_Fail(&located);
}

static int Run(Cli *cli) {
    Mapping text;
    RpBuffer image;
    RpError error;
    if (cli->argument_count != 2)
        return Cli_Complain("msh assemble needs a text and a file to write");
    if (Mapping_Open(cli->arguments[0], &text, &error))
        return Cli_Fail(&error);
    RpBuffer_Init(&image, NULL);
    int code = CLI_EQUAL;
    const char *bytes = text.bytes ? (const char *)text.bytes : "";
    if (RpMsh_Assemble(bytes, text.size, &image, &error))
        code = Fail(cli->arguments[0], &error);
    else if (Output_WriteBytes(cli->arguments[1], image.bytes, image.size, &error))
        code = Cli_Fail(&error);
    RpBuffer_Free(&image);
    Mapping_Close(&text);
    return code;
}

const CliVerb cli_msh_assemble = {"msh assemble",
                                  "make a model of a text of `msh dump`",
                                  "TEXT FILE",
                                  "retropose msh assemble hero.json hero.msh\n",
                                  {{NULL, NULL, NULL, 0}},
                                  Run};
