#include "game/exports/exports_import.h"
#include "game/exports/exports_report.h"

#include "cli/files.h"

#include <string.h>

/* Replaces the list in the overlay that --output names by that of the file. */
static RpStatus Update(const Cli *cli, const PeFile *pe, AbiModule module, const Overlay *read,
                       RpError *error) {
    const char *path = Cli_Value(cli, "output", NULL);
    Overlay overlay;
    if (!path)
        return RP_OK;

    /* If there is no such file, the overlay is empty. */
    RpStatus status = RP_OK;
    Overlay_Init(&overlay, NULL);
    if (strcmp(path, "-") != 0)
        status = Overlay_Load(path, &overlay, error);
    if (status && status != RP_NOT_FOUND)
        return status;

    /* An overlay that was made for another file, perhaps in an hour of probing, is not
     * overwritten. */
    status = RP_OK;
    if (!Cli_Has(cli, "replace") && overlay.modules[module].known &&
        !Overlay_IsFor(&overlay, module, read->modules[module].sha256))
        status = RpError_Set(error, RP_INVALID, RP_NOWHERE, "the overlay is about another file",
                             path, "another overlay, or --replace", overlay.modules[module].sha256);
    if (!status)
        status = ExportsImport_Read(pe, module, &overlay, error);
    if (!status)
        status = Overlay_Save(&overlay, path, error);
    if (!status && strcmp(path, "-") != 0)
        Cli_Note(cli, "%s: %s is in it, and %zu line%s about functions", path,
                 AbiModule_File(module), overlay.function_count,
                 Text_Plural(overlay.function_count));
    Overlay_Free(&overlay);
    return status;
}

static int RunVerb(Cli *cli) {
    PeFile pe;
    RpError error;
    if (cli->argument_count != 1)
        return Cli_Complain("exports needs one DLL");
    if (Pe_Load(cli->arguments[0], &pe, &error))
        return Cli_Fail(&error);

    Overlay read;
    AbiModule module = ABI_NGI32;
    const char *output = Cli_Value(cli, "output", "");
    Overlay_Init(&read, NULL);
    RpStatus status = ExportsImport_Identify(&pe, &module, &error);
    if (!status)
        status = ExportsImport_Read(&pe, module, &read, &error);
    if (status)
        CliFile_Locate(cli->arguments[0], status, &error);
    else
        status = Update(cli, &pe, module, &read, &error);
    ExportsReport report = {.checks = NULL};
    const bool told = strcmp(output, "-") != 0;
    if (!status && told)
        status = ExportsReport_Make(&read, module, Provider_FileKind(&pe), &report, &error);
    int code = status ? Cli_Fail(&error) : CLI_EQUAL;
    if (!status && told) {
        RpBuffer text;
        report.modified = Provider_IsModified(&pe);
        RpBuffer_Init(&text, NULL);
        status = Cli_Has(cli, "json") ? ExportsReport_Json(&report, &text, &error)
                                      : ExportsReport_Text(&report, &text, &error);
        code = CliFile_Print(&text, status, &error);
        /* The tables describe only the published version. Differences matter only there. */
        if (code == CLI_EQUAL && report.published && report.differences)
            code = CLI_DIFFERENT;
        ExportsReport_Free(&report);
    }
    Overlay_Free(&read);
    Pe_Close(&pe);
    return code;
}

const CliVerb cli_game_exports = {
    "exports",
    "list what an original exports, beside what is published",
    "FILE.dll",
    "retropose exports Ngi32.dll\n"
    "retropose exports AniMesh.retail.dll --output retropose.overlay\n",
    {{"output", "FILE",
      "put the list into this overlay (docs/formats/overlay.md; -: standard output)", 'o'},
     {"replace", NULL, "also when the overlay is about another file of this name", 0},
     {"json", NULL, "print the list and all that was compared as one JSON object instead of text",
      0}},
    RunVerb};
