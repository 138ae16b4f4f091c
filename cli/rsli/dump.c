#include "cli/rsli/rsli.h"
#include "core/files/output.h"
#include "formats/archive/rsli_manifest.h"

static int DumpText(const char *path, const RpRsLi *rsli, const char *output) {
    RpBuffer text;
    RpError error;
    RpBuffer_Init(&text, NULL);
    RpStatus status = CliFile_Locate(path, RsLiManifest_Dump(rsli, &text, &error), &error);
    if (status == RP_OK)
        status = Output_WriteBytes(output, text.bytes, text.size, &error);
    RpBuffer_Free(&text);
    return status == RP_OK ? CLI_EQUAL : Cli_Fail(&error);
}

static int DumpFiles(const char *path, const RpRsLi *rsli, const char *folder) {
    RpError error;
    /* A dump does not mind entries that do not unpack. */
    const RpStatus status = RsLiManifest_Extract(rsli, folder, NULL, &error);
    return CliFile_Locate(path, status, &error) == RP_OK ? CLI_EQUAL : Cli_Fail(&error);
}

int Verb_RsLiDump(Cli *cli) {
    RsLiSource source;
    const char *folder = Cli_Value(cli, "files", NULL);
    const char *output;
    if (!CliFile_Output(cli, "a library", folder ? folder : "-", &output))
        return CLI_TROUBLE;
    if (folder && output != folder)
        return Cli_Complain("rsli dump writes one text: either %s or into --files %s", output,
                            folder);
    if (!RsLiVerb_Open(cli, &source, cli->arguments[0]))
        return CLI_TROUBLE;
    const int code = folder ? DumpFiles(cli->arguments[0], &source.rsli, folder)
                            : DumpText(cli->arguments[0], &source.rsli, output);
    RsLiSource_Close(&source);
    return code;
}
