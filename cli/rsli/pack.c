#include "cli/rsli/rsli.h"
#include "formats/archive/rsli_manifest.h"

/* `context`: whether the layout is to be the canonical one. */
static RpStatus MakeImage(const char *text, size_t size, const char *folder, void *context,
                          RpBuffer *image, RpError *error) {
    const bool *canonical = context;
    return RsLiManifest_Assemble(text, size, folder, *canonical, image, error);
}

static int Assemble(const Cli *cli, const char *manifest, const char *output) {
    bool canonical, given;
    RpBuffer image;
    RpError error;
    if (!CliFile_Layout(cli, &canonical, &given))
        return CLI_TROUBLE;
    RpBuffer_Init(&image, NULL);
    const RpStatus status = CliFile_Assemble(manifest, MakeImage, &canonical, &image, &error);
    return RsLiVerb_Write(cli, &image, status, output, &error);
}

int Verb_RsLiAssemble(Cli *cli) {
    const char *output;
    return CliFile_Output(cli, "a text", NULL, &output) ? Assemble(cli, cli->arguments[0], output)
                                                        : CLI_TROUBLE;
}

static int PackFolder(const Cli *cli, const char *folder, const char *word, const char *output) {
    const int32_t method = RpRsLiMethod_Parse(word);
    RpBuffer image;
    RpError error;
    if (method < 0)
        return Cli_Complain("--method is " RSLI_METHODS ", not %s", word);
    RpBuffer_Init(&image, NULL);
    const RpStatus status = RsLiManifest_PackFolder(folder, (uint32_t)method, &image, &error);
    return RsLiVerb_Write(cli, &image, status, output, &error);
}

int Verb_RsLiPack(Cli *cli) {
    char manifest[CLI_PATH_BYTES];
    const char *output, *method = Cli_Value(cli, "method", NULL);
    if (!CliFile_Output(cli, "a folder or a manifest", NULL, &output))
        return CLI_TROUBLE;
    if (method)
        return PackFolder(cli, cli->arguments[0], method, output);
    return CliFile_FindManifest(cli->arguments[0], "method", manifest)
               ? Assemble(cli, manifest, output)
               : CLI_TROUBLE;
}
