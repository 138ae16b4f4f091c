#include "formats/library_manifest.h"
#include "formats/output.h"
#include "rsli_verbs.h"

#include <stdio.h>
#include <string.h>

/* The folder of a file: "." without one. */
static bool FolderOf(const char *path, char *folder, size_t size) {
    size_t length = strlen(path);
    while (length > 0 && path[length - 1] != '/' && path[length - 1] != '\\')
        length--;
    return (size_t)snprintf(folder, size, "%.*s.", (int)length, path) < size;
}

static int Assemble(const Cli *cli, const char *manifest, const char *output) {
    char folder[4096];
    RpRsLiLayout layout;
    Mapping text;
    RpBuffer image;
    RpError error;
    if (!RsLiVerb_Layout(cli, &layout))
        return CLI_TROUBLE;
    if (!FolderOf(manifest, folder, sizeof folder))
        return Cli_Complain("the path is too long: %s", manifest);
    if (Mapping_Open(manifest, &text, &error) != RP_OK)
        return Cli_Fail(&error);
    RpBuffer_Init(&image, NULL);
    const RpStatus status =
        LibraryManifest_Assemble(text.bytes ? (const char *)text.bytes : "", text.size, folder,
                                 layout == RP_RSLI_CANONICAL, &image, &error);
    Mapping_Close(&text);
    return RsLiVerb_WriteImage(&image, status, output, &error);
}

int Verb_RsLiAssemble(Cli *cli) {
    if (cli->argument_count != 2)
        return Cli_Complain("rsli assemble needs a text and the library to write");
    return Assemble(cli, cli->arguments[0], cli->arguments[1]);
}

static bool Exists(const char *path) {
    Mapping mapping;
    if (Mapping_Open(path, &mapping, NULL) != RP_OK)
        return false;
    Mapping_Close(&mapping);
    return true;
}

static int PackFolder(const char *folder, const char *word, const char *output) {
    const int32_t method = RpRsLiMethod_Parse(word);
    RpBuffer image;
    RpError error;
    if (method < 0)
        return Cli_Complain("--method is stored, xor, lzss, xor+lzss, huffman, xor+huffman or "
                            "deflate, not %s",
                            word);
    RpBuffer_Init(&image, NULL);
    const RpStatus status = LibraryManifest_PackFolder(folder, (uint32_t)method, &image, &error);
    return RsLiVerb_WriteImage(&image, status, output, &error);
}

int Verb_RsLiPack(Cli *cli) {
    char manifest[4096];
    if (cli->argument_count != 2)
        return Cli_Complain("rsli pack needs a folder or a manifest, and the library to write");
    const char *source = cli->arguments[0], *method = Cli_Value(cli, "method", NULL);
    if (method)
        return PackFolder(source, method, cli->arguments[1]);
    if (Exists(source))
        return Assemble(cli, source, cli->arguments[1]);
    if ((size_t)snprintf(manifest, sizeof manifest, "%s/" LIBRARY_MANIFEST_FILE, source) >=
        sizeof manifest)
        return Cli_Complain("the path is too long: %s", source);
    if (!Exists(manifest))
        return Cli_Complain("there is no manifest in %s; --method packs files without one", source);
    return Assemble(cli, manifest, cli->arguments[1]);
}
