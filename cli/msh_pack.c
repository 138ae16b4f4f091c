#include "formats/archive_manifest.h"
#include "formats/model_pack.h"
#include "formats/output.h"
#include "msh.h"
#include "retropose/msh_check.h"

#include <stdio.h>

/* Packing is no check, but nobody wants to find it out in the game. */
static void NoteErrors(const Cli *cli, const void *image, size_t size) {
    RpNRes archive;
    RpMsh msh;
    RpError error;
    char text[512];
    RpStatus status = RpNRes_Open(image, size, RP_TOLERANT, &archive, &error);
    if (status == RP_OK)
        status = RpMsh_Open(&archive, RP_STRICT, &msh, &error);
    if (status == RP_OK)
        return;
    RpError_Format(&error, text, sizeof text);
    Cli_Note(cli, "the model has errors: %s", text);
}

static int Write(const char *path, const RpBuffer *image) {
    RpError error;
    return Output_WriteBytes(path, image->bytes, image->size, &error) ? Cli_Fail(&error)
                                                                      : CLI_EQUAL;
}

static int PackFolder(const Cli *cli, RpBuffer *image) {
    char path[4096];
    Mapping manifest;
    RpError error;
    const char *folder = cli->arguments[0];
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, ARCHIVE_MANIFEST_FILE) >= sizeof path)
        return Cli_Complain("the name of the folder is too long");
    if (Mapping_Open(path, &manifest, &error))
        return Cli_Fail(&error);
    RpStatus status = ArchiveManifest_Assemble(manifest.bytes ? (const char *)manifest.bytes : "",
                                               manifest.size, folder, NULL, image, &error);
    Mapping_Close(&manifest);
    if (status)
        return Cli_Fail(&error);
    NoteErrors(cli, image->bytes, image->size);
    return Write(cli->arguments[1], image);
}

static int PackInto(const Cli *cli, const ModelSource *model, RpBuffer *image) {
    ModelSource library;
    RpError error;
    const char *name = Cli_Value(cli, "name", ModelPack_NameOf(model->name));
    RpStatus status = ModelSource_Open(&library, Cli_Value(cli, "into", ""), &error);
    if (status == RP_OK)
        status = ModelPack_Put(&library.archive, name, model->bytes, (uint32_t)model->size, image,
                               &error);
    ModelSource_Close(&library);
    if (status)
        return Cli_Fail(&error);
    NoteErrors(cli, model->bytes, model->size);
    return Write(cli->arguments[1], image);
}

static int PackModel(const Cli *cli, RpBuffer *image) {
    ModelSource model;
    RpError error;
    int code = ModelSource_OpenModel(&model, cli->arguments[0], &error)
                   ? Cli_Fail(&error)
                   : PackInto(cli, &model, image);
    ModelSource_Close(&model);
    return code;
}

static int Run(Cli *cli) {
    RpBuffer image;
    if (cli->argument_count != 2)
        return Cli_Complain("msh pack needs what to pack and a file to write");
    if (Cli_Has(cli, "name") && !Cli_Has(cli, "into"))
        return Cli_Complain("--name is for --into");
    RpBuffer_Init(&image, NULL);
    int code = Cli_Has(cli, "into") ? PackModel(cli, &image) : PackFolder(cli, &image);
    RpBuffer_Free(&image);
    return code;
}

const CliVerb cli_msh_pack = {
    "msh pack",
    "make a model of a folder of streams, or put a model into a library",
    "FOLDER|MODEL OUTPUT",
    "retropose msh pack house/ house.msh\n"
    "retropose msh pack house.msh new.rlb --into static.rlb --name s_house.msh\n",
    {{"into", "LIBRARY", "write this library with the model in it, in the place of its namesake",
      0},
     {"name", "NAME", "of the member (default: the model's)", 0}},
    Run};
