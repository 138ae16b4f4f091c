#include "cli/rsli/rsli.h"
#include "formats/archive/rsli_edit.h"

#include <string.h>

static bool IsOperation(const char *option) {
    static const char *const operations[] = {"method", "add",  "replace", "remove",
                                             "rename", "move", "repack"};
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (strcmp(operations[i], option) == 0)
            return true;
    return false;
}

/* In the order of the command line. */
static RpStatus ApplyAll(const Cli *cli, RpRsLiArchive *archive, RpError *error) {
    RsLiEditor editor = {.archive = archive, .method = -1};
    RpStatus status = RP_OK;
    for (size_t i = 0; status == RP_OK && i < cli->given_count; i++)
        if (IsOperation(cli->given[i].option->name))
            status =
                RsLiEdit_Apply(&editor, cli->given[i].option->name, cli->given[i].value, error);
    return status;
}

static RpStatus MakeImage(const Cli *cli, const RpRsLi *rsli, RpRsLiLayout layout, RpBuffer *image,
                          RpError *error) {
    RpRsLiArchive archive;
    RpRsLiArchive_Init(&archive, NULL);
    RpStatus status = RpRsLiArchive_Read(&archive, rsli, error);
    if (status == RP_OK)
        status = ApplyAll(cli, &archive, error);
    if (status == RP_OK)
        status = RpRsLiArchive_Write(&archive, layout, image, error);
    RpRsLiArchive_Free(&archive);
    return status;
}

int Verb_RsLiEdit(Cli *cli) {
    bool canonical, given;
    RsLiSource source;
    RpBuffer image;
    RpError error;
    if (cli->argument_count != 1)
        return Cli_Complain("rsli edit needs one library");
    const char *path = cli->arguments[0];
    if (!CliFile_Layout(cli, &canonical, &given) || !RsLiVerb_Open(cli, &source, path))
        return CLI_TROUBLE;
    RpBuffer_Init(&image, NULL);
    RpStatus status = MakeImage(cli, &source.rsli,
                                canonical ? RP_RSLI_CANONICAL : RP_RSLI_PRESERVING, &image, &error);
    CliFile_Locate(path, status, &error);
    if (status == RP_OK && Cli_Has(cli, "backup"))
        status = CliFile_BackUp(path, &source.mapping, &error);
    RsLiSource_Close(&source); /* Windows replaces no file that is mapped */
    return RsLiVerb_WriteEdited(cli, &image, status, Cli_Value(cli, "output", path), path, &error);
}
