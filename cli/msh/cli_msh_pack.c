#include "cli/archive/archive_common.h"
#include "cli/msh/msh_common.h"
#include "formats/archive/nres_manifest.h"
#include "formats/msh/file/model_pack.h"
#include "retropose/msh_check.h"

/* A model with errors is written nevertheless, because somebody may want just that. The errors are
 * reported, also by the exit code, because otherwise the game would be the first to find them. */
static int SayErrors(const void *image, size_t size) {
    RpNRes archive;
    RpMsh msh;
    RpError error;
    char text[512];
    RpStatus status = RpNRes_Open(image, size, RP_TOLERANT, &archive, &error);
    if (status == RP_OK)
        status = RpMsh_Open(RpNRes_Entries(&archive), RP_STRICT, &msh, &error);
    if (status == RP_OK)
        return CLI_EQUAL;
    RpError_Format(&error, text, sizeof text);
    Cli_Complain("the model has errors: %s", text);
    return CLI_DIFFERENT;
}

static RpStatus MakeImage(const char *text, size_t size, const char *folder, void *context,
                          RpBuffer *image, RpError *error) {
    return ArchiveManifest_Assemble(text, size, folder, context, image, error);
}

static int Run(Cli *cli) {
    const char *output;
    if (!CliFile_Output(cli, "a folder or a model", NULL, &output))
        return CLI_TROUBLE;
    if (Cli_Has(cli, "name") && !Cli_Has(cli, "into"))
        return Cli_Complain("--name is for --into");
    RpBuffer image;
    RpError error;
    if (!Cli_Has(cli, "into")) { /* a folder becomes a model */
        char manifest[CLI_PATH_BYTES];
        if (!CliFile_FindManifest(cli->arguments[0], NULL, manifest) || !CliMsh_MayWrite(output))
            return CLI_TROUBLE;
        RpBuffer_Init(&image, NULL);
        const RpStatus status = CliFile_Assemble(manifest, MakeImage, NULL, &image, &error);
        const int errors = status == RP_OK ? SayErrors(image.bytes, image.size) : CLI_EQUAL;
        const int code = ArchiveVerb_Write(cli, &image, status, output, &error);
        return code ? code : errors;
    }

    /* A model goes into a library. */
    ModelSource model;
    int code = CLI_TROUBLE;
    if (ModelSource_OpenModel(&model, cli->arguments[0], &error)) {
        code = Cli_Fail(&error);
    } else {
        ModelSource library;
        const char *name = Cli_Value(cli, "name", ModelSource_OwnName(&model));
        RpBuffer_Init(&image, NULL);
        RpStatus status = ModelSource_Open(&library, Cli_Value(cli, "into", ""), &error);
        if (status == RP_OK)
            status = ModelPack_Put(&library.archive, name, model.bytes, (uint32_t)model.size,
                                   &image, &error);
        ModelSource_Close(&library); /* Windows cannot replace a mapped file */
        const int errors = status == RP_OK ? SayErrors(model.bytes, model.size) : CLI_EQUAL;
        code = ArchiveVerb_Write(cli, &image, status, output, &error);
        code = code ? code : errors;
    }
    ModelSource_Close(&model);
    return code;
}

const CliVerb cli_msh_pack = {
    "msh pack",
    "make a model of a folder of streams, or put a model into a library",
    "FOLDER|MANIFEST|MODEL [OUTPUT]",
    "retropose msh pack hero/ hero.msh\n"
    "retropose msh pack hero.msh new.rlb --into parts.rlb --name R_H_02.msh\n",
    {{"into", "LIBRARY", "write this library with the model in it, in the place of its namesake",
      0},
     {"name", "NAME", "of the member (default: the model's)", 0},
     CLI_OUTPUT,
     CLI_JSON_WRITTEN},
    Run};
