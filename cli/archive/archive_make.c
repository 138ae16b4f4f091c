/* The verbs that write an archive: assemble, pack and edit. */
#include "cli/archive/archive_common.h"
#include "core/files/output.h"

#include <stdlib.h>
#include <string.h>

/* Writes the image to `path`. `edited` is the archive that the verb changes, or null. `path` may be
 * the same file. */
static int Write(const Cli *cli, RpBuffer *image, RpStatus status, const char *path,
                 const char *edited, RpError *error) {
    RpBuffer text;
    if (status == RP_OK)
        status = Output_WriteEdited(path, edited, image->bytes, image->size, error);
    int code = status == RP_OK ? CLI_EQUAL : Cli_Fail(error);
    if (code == CLI_EQUAL && Cli_Has(cli, "json") && strcmp(path, "-") != 0) {
        RpBuffer_Init(&text, NULL);
        status = ArchiveKind_Of(cli)->sum_up(cli, image, path, &text, error);
        code = CliFile_Print(&text, status, error);
    }
    RpBuffer_Free(image);
    return code;
}

int ArchiveVerb_Write(const Cli *cli, RpBuffer *image, RpStatus status, const char *path,
                      RpError *error) {
    return Write(cli, image, status, path, NULL, error);
}

/* ---- assemble and pack ----------------------------------------------------------------------- */

static int Assemble(const Cli *cli, const char *manifest, const char *output) {
    ArchiveLayout layout;
    RpBuffer image;
    RpError error;
    if (!CliFile_Layout(cli, &layout.canonical, &layout.given))
        return CLI_TROUBLE;
    RpBuffer_Init(&image, NULL);
    const RpStatus status =
        CliFile_Assemble(manifest, ArchiveKind_Of(cli)->assemble, &layout, &image, &error);
    return Write(cli, &image, status, output, NULL, &error);
}

int ArchiveVerb_Assemble(Cli *cli) {
    const char *output;
    return CliFile_Output(cli, "a text", NULL, &output) ? Assemble(cli, cli->arguments[0], output)
                                                        : CLI_TROUBLE;
}

int ArchiveVerb_Pack(Cli *cli) {
    char manifest[CLI_PATH_BYTES];
    const char *output, *option = ArchiveKind_Of(cli)->pack_option;
    const char *word = Cli_Value(cli, option, NULL);
    if (!CliFile_Output(cli, "a folder or a manifest", NULL, &output))
        return CLI_TROUBLE;
    if (word) {
        const ArchiveKind *kind = ArchiveKind_Of(cli);
        uint32_t value = 0;
        RpBuffer image;
        RpError error;
        if (!kind->parse(word, &value))
            return CLI_TROUBLE;
        RpBuffer_Init(&image, NULL);
        const RpStatus status = kind->pack(cli->arguments[0], value, &image, &error);
        return Write(cli, &image, status, output, NULL, &error);
    }
    return CliFile_FindManifest(cli->arguments[0], option, manifest)
               ? Assemble(cli, manifest, output)
               : CLI_TROUBLE;
}

/* ---- edit ------------------------------------------------------------------------------------ */

/* The operations stand before --layout in the verb's table of options. */
static bool IsOperation(const Cli *cli, const CliOption *option) {
    for (const CliOption *at = cli->verb->options; strcmp(at->name, "layout") != 0; at++)
        if (at == option)
            return true;
    return false;
}

int ArchiveVerb_Edit(Cli *cli) {
    const ArchiveKind *kind = ArchiveKind_Of(cli);
    ArchiveInput input = {.cli = cli};
    ArchiveLayout layout;
    RpBuffer image;
    RpError error;
    if (cli->argument_count != 1)
        return Cli_Complain("%s needs one %s", cli->verb->name, kind->archive);

    /* --layout alone is an edit, too: it lays the archive out anew. --type and --method only say
     * how the operations behind them work. */
    bool edits = Cli_Has(cli, "layout");
    for (size_t i = 0; i < cli->given_count && !edits; i++)
        edits = IsOperation(cli, cli->given[i].option) &&
                strcmp(cli->given[i].option->name, kind->pack_option) != 0;
    if (!edits)
        return Cli_Complain("nothing to edit; see `retropose help %s`", cli->verb->name);
    const char *path = input.path = cli->arguments[0];
    if (!CliFile_Layout(cli, &layout.canonical, &layout.given))
        return CLI_TROUBLE;
    RpStatus status = kind->open_edited(&input, &error);
    if (status != RP_OK) {
        kind->close(&input);
        return Cli_Fail(&error);
    }
    RpBuffer_Init(&image, NULL);
    ArchiveOperations operations = {.given = calloc(cli->given_count + 1, sizeof *cli->given)};
    for (size_t i = 0; operations.given && i < cli->given_count; i++)
        if (IsOperation(cli, cli->given[i].option))
            operations.given[operations.count++] = cli->given[i];
    status = operations.given ? kind->edit(&input, &operations, layout.canonical, &image, &error)
                              : RpMemory_Refused(&error, "operations");
    free(operations.given);
    status = CliFile_Locate(path, status, &error);
    if (status == RP_OK && Cli_Has(cli, "backup"))
        status = CliFile_BackUp(path, input.mapping, Cli_Value(cli, "output", path), &error);
    kind->close(&input); /* Windows replaces no file that is mapped */
    return Write(cli, &image, status, Cli_Value(cli, "output", path), path, &error);
}
