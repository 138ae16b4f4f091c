#include "core/files/output.h"
#include "formats/msh/text/dump.h"

#include "cli/msh/msh_common.h"

typedef struct Target {
    const char *path;
    OutputFile *file; /* null before the first piece, so that a failure leaves no file */
    RpStatus status;  /* the status of writing */
} Target;

static RpStatus Take(void *context, const void *bytes, size_t size, RpError *error) {
    Target *target = context;
    if (!target->file) {
        target->status = Output_Open(target->path, &target->file, error);
        if (target->file) /* the pieces are large, so a buffer would only divide them further */
            setvbuf(Output_Stream(target->file), NULL, _IONBF, 0);
    }
    if (target->status == RP_OK)
        target->status = Output_Append(target->file, bytes, size, error);
    return target->status;
}

static int Run(Cli *cli) {
    ModelSource source;
    Target target = {.status = RP_OK};
    RpError error;
    if (!CliFile_Output(cli, "a model", "-", &target.path))
        return CLI_TROUBLE;
    RpStatus status = ModelSource_OpenModel(&source, cli->arguments[0], &error);
    if (status == RP_OK) {
        status = MshDump_Write(&source.archive, Take, &target, &error);
        if (status != RP_OK && target.status == RP_OK)
            ModelSource_Locate(&source, &error);
    }
    ModelSource_Close(&source);
    if (status == RP_OK)
        status = Output_Commit(target.file, &error);
    else
        Output_Abandon(target.file);
    return status == RP_OK ? CLI_EQUAL : Cli_Fail(&error);
}

const CliVerb cli_msh_dump = {"msh dump",
                              "write a model as JSON text that `msh assemble` takes back",
                              "FILE[::MEMBER] [TEXT]",
                              "retropose msh dump hero.msh -o hero.json\n"
                              "retropose msh dump parts.rlb::R_H_02.msh | less\n",
                              {CLI_OUTPUT_TEXT},
                              Run};
