#include "cli/nres/nres.h"
#include "formats/archive/nres_manifest.h"
#include "formats/archive/nres_names.h"

/* `context`: the RpNResLayout to take, or null for the manifest's. */
static RpStatus MakeImage(const char *text, size_t size, const char *folder, void *context,
                          RpBuffer *image, RpError *error) {
    return ArchiveManifest_Assemble(text, size, folder, context, image, error);
}

static int Assemble(const Cli *cli, const char *manifest, const char *output) {
    bool canonical, given;
    RpBuffer image;
    RpError error;
    if (!CliFile_Layout(cli, &canonical, &given))
        return CLI_TROUBLE;
    RpNResLayout layout = canonical ? RP_NRES_CANONICAL : RP_NRES_PRESERVING;
    RpBuffer_Init(&image, NULL);
    const RpStatus status =
        CliFile_Assemble(manifest, MakeImage, given ? &layout : NULL, &image, &error);
    return NResVerb_Write(cli, &image, status, output, &error);
}

int Verb_NResAssemble(Cli *cli) {
    const char *output;
    return CliFile_Output(cli, "a text", NULL, &output) ? Assemble(cli, cli->arguments[0], output)
                                                        : CLI_TROUBLE;
}

static int PackFolder(const Cli *cli, const char *folder, const char *type_word,
                      const char *output) {
    uint32_t type = 0;
    RpBuffer image;
    RpError error;
    if (!ArchiveType_Parse(type_word, &type))
        return Cli_Complain("--type is four characters or a number, not %s", type_word);
    RpBuffer_Init(&image, NULL);
    const RpStatus status = ArchiveManifest_PackFolder(folder, type, &image, &error);
    return NResVerb_Write(cli, &image, status, output, &error);
}

int Verb_NResPack(Cli *cli) {
    char manifest[CLI_PATH_BYTES];
    const char *output, *type = Cli_Value(cli, "type", NULL);
    if (!CliFile_Output(cli, "a folder or a manifest", NULL, &output))
        return CLI_TROUBLE;
    if (type)
        return PackFolder(cli, cli->arguments[0], type, output);
    return CliFile_FindManifest(cli->arguments[0], "type", manifest)
               ? Assemble(cli, manifest, output)
               : CLI_TROUBLE;
}
