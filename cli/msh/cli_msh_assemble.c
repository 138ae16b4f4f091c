#include "retropose/msh_text.h"

#include "cli/archive/archive_common.h"

static RpStatus MakeImage(const char *text, size_t size, const char *folder, void *context,
                          RpBuffer *image, RpError *error) {
    (void)folder;
    (void)context;
    return RpMsh_Assemble(text, size, image, error);
}

static int Run(Cli *cli) {
    const char *output;
    RpBuffer image;
    RpError error;
    if (!CliFile_Output(cli, "a text", NULL, &output))
        return CLI_TROUBLE;
    RpBuffer_Init(&image, NULL);
    const RpStatus status = CliFile_Assemble(cli->arguments[0], MakeImage, NULL, &image, &error);
    return ArchiveVerb_Write(cli, &image, status, output, &error);
}

const CliVerb cli_msh_assemble = {"msh assemble",
                                  "make the model of a text of `msh dump`, byte for byte",
                                  "TEXT [MODEL]",
                                  "retropose msh assemble hero.json hero.msh\n",
                                  {CLI_OUTPUT, CLI_JSON_WRITTEN},
                                  Run};
