#include "cli/nres/nres.h"
#include "core/files/output.h"
#include "formats/archive/nres_manifest.h"

static int DumpText(const ModelSource *source, const char *output) {
    RpBuffer text;
    RpError error;
    RpBuffer_Init(&text, NULL);
    RpStatus status = ArchiveManifest_Dump(&source->archive, &text, &error);
    if (status != RP_OK && status != RP_IO)
        ModelSource_Locate(source, &error);
    if (status == RP_OK)
        status = Output_WriteBytes(output, text.bytes, text.size, &error);
    RpBuffer_Free(&text);
    return status == RP_OK ? CLI_EQUAL : Cli_Fail(&error);
}

static int DumpFiles(const ModelSource *source, const char *folder) {
    RpError error;
    const RpStatus status = ArchiveManifest_Extract(&source->archive, folder, &error);
    if (status != RP_OK && status != RP_IO)
        ModelSource_Locate(source, &error);
    return status == RP_OK ? CLI_EQUAL : Cli_Fail(&error);
}

int Verb_NResDump(Cli *cli) {
    ModelSource source;
    const char *folder = Cli_Value(cli, "files", NULL);
    const char *output;
    if (!CliFile_Output(cli, "an archive", folder ? folder : "-", &output))
        return CLI_TROUBLE;
    if (folder && output != folder)
        return Cli_Complain("nres dump writes one text: either %s or into --files %s", output,
                            folder);
    if (!NResVerb_Open(&source, cli->arguments[0]))
        return CLI_TROUBLE;
    const int code = folder ? DumpFiles(&source, folder) : DumpText(&source, output);
    ModelSource_Close(&source);
    return code;
}
