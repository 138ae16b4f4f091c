#include "cli/nres/nres.h"
#include "formats/archive/nres_edit.h"

#include <string.h>

static bool IsOperation(const char *option) {
    static const char *const operations[] = {"add",  "replace", "remove", "rename",
                                             "move", "set",     "sort"};
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (strcmp(operations[i], option) == 0)
            return true;
    return false;
}

/* In the order of the command line. */
static RpStatus ApplyAll(const Cli *cli, RpNResArchive *archive, RpError *error) {
    RpStatus status = RP_OK;
    for (size_t i = 0; status == RP_OK && i < cli->given_count; i++)
        if (IsOperation(cli->given[i].option->name))
            status =
                ArchiveEdit_Apply(archive, cli->given[i].option->name, cli->given[i].value, error);
    return status;
}

static RpStatus MakeImage(const Cli *cli, const Mapping *mapping, RpNResLayout layout,
                          RpBuffer *image, RpError *error) {
    RpNRes opened;
    RpNResArchive archive;
    RpNResArchive_Init(&archive, NULL);
    RpStatus status = RpNRes_Open(mapping->bytes ? mapping->bytes : (const uint8_t *)"",
                                  mapping->size, RP_TOLERANT, &opened, error);
    if (status == RP_OK)
        status = RpNResArchive_Read(&archive, &opened, error);
    if (status == RP_OK)
        status = ApplyAll(cli, &archive, error);
    if (status == RP_OK)
        status = RpNResArchive_Write(&archive, layout, image, error);
    RpNResArchive_Free(&archive);
    return status;
}

int Verb_NResEdit(Cli *cli) {
    bool canonical, given;
    Mapping mapping;
    RpBuffer image;
    RpError error;
    if (cli->argument_count != 1)
        return Cli_Complain("nres edit needs one archive");
    const char *path = cli->arguments[0], *output = Cli_Value(cli, "output", path);
    if (!CliFile_Layout(cli, &canonical, &given))
        return CLI_TROUBLE;
    if (Mapping_Open(path, &mapping, &error) != RP_OK)
        return Cli_Fail(&error);
    RpBuffer_Init(&image, NULL);
    RpStatus status = MakeImage(cli, &mapping, canonical ? RP_NRES_CANONICAL : RP_NRES_PRESERVING,
                                &image, &error);
    CliFile_Locate(path, status, &error);
    if (status == RP_OK && Cli_Has(cli, "backup"))
        status = CliFile_BackUp(path, &mapping, &error);
    Mapping_Close(&mapping); /* Windows replaces no file that is mapped */
    return NResVerb_WriteEdited(cli, &image, status, output, path, &error);
}
