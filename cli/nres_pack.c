#include "formats/archive_manifest.h"
#include "formats/archive_names.h"
#include "nres_verbs.h"

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
    RpNResLayout layout;
    bool given;
    Mapping text;
    RpBuffer image;
    RpError error;
    if (!NResVerb_Layout(cli, &layout, &given))
        return CLI_TROUBLE;
    if (!FolderOf(manifest, folder, sizeof folder))
        return Cli_Complain("the path is too long: %s", manifest);
    if (Mapping_Open(manifest, &text, &error) != RP_OK)
        return Cli_Fail(&error);
    RpBuffer_Init(&image, NULL);
    const RpStatus status =
        ArchiveManifest_Assemble(text.bytes ? (const char *)text.bytes : "", text.size, folder,
                                 given ? &layout : NULL, &image, &error);
    Mapping_Close(&text);
    return NResVerb_Write(cli, &image, status, output, &error);
}

int Verb_NResAssemble(Cli *cli) {
    if (cli->argument_count != 2)
        return Cli_Complain("nres assemble needs a text and the archive to write");
    return Assemble(cli, cli->arguments[0], cli->arguments[1]);
}

static bool Exists(const char *path) {
    Mapping mapping;
    if (Mapping_Open(path, &mapping, NULL) != RP_OK)
        return false;
    Mapping_Close(&mapping);
    return true;
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
    char manifest[4096];
    if (cli->argument_count != 2)
        return Cli_Complain("nres pack needs a folder or a manifest, and the archive to write");
    const char *source = cli->arguments[0], *type = Cli_Value(cli, "type", NULL);
    if (type)
        return PackFolder(cli, source, type, cli->arguments[1]);
    if (Exists(source))
        return Assemble(cli, source, cli->arguments[1]);
    if ((size_t)snprintf(manifest, sizeof manifest, "%s/" ARCHIVE_MANIFEST_FILE, source) >=
        sizeof manifest)
        return Cli_Complain("the path is too long: %s", source);
    if (!Exists(manifest))
        return Cli_Complain("there is no manifest in %s; --type packs files without one", source);
    return Assemble(cli, manifest, cli->arguments[1]);
}
