#include "cli/nres/nres.h"
#include "formats/archive/nres_list.h"
#include "formats/archive/nres_manifest.h"

#include <stdlib.h>

static int ExtractAll(const ModelSource *source, const char *folder) {
    RpError error;
    const RpStatus status = ArchiveManifest_Extract(&source->archive, folder, &error);
    if (status != RP_OK && status != RP_IO)
        ModelSource_Locate(source, &error);
    return status == RP_OK ? CLI_EQUAL : Cli_Fail(&error);
}

static bool FindAll(const Cli *cli, const ModelSource *source, uint32_t *indices) {
    for (size_t i = 1; i < cli->argument_count; i++) {
        const int64_t index = NResVerb_FindMember(&source->archive, cli->arguments[i]);
        if (index < 0)
            return false;
        indices[i - 1] = (uint32_t)index;
    }
    return true;
}

static int ExtractSome(const ModelSource *source, const uint32_t *indices, size_t count,
                       const char *folder) {
    for (size_t i = 0; i < count; i++) {
        RpError error;
        const RpStatus status =
            ArchiveManifest_ExtractMember(&source->archive, indices[i], folder, &error);
        if (status != RP_OK && status != RP_IO)
            ModelSource_Locate(source, &error);
        if (status != RP_OK)
            return Cli_Fail(&error);
    }
    return CLI_EQUAL;
}

static int PrintFiles(const ModelSource *source, bool all, const uint32_t *indices, size_t count,
                      const char *folder) {
    RpBuffer text;
    RpError error;
    RpBuffer_Init(&text, NULL);
    const RpStatus status =
        ArchiveFiles_Json(&source->archive, folder, all ? NULL : indices, count, &text, &error);
    return CliFile_Print(&text, status, &error);
}

static int Extract(const Cli *cli, const ModelSource *source, bool all, const char *folder,
                   uint32_t *indices) {
    const size_t count = cli->argument_count - 1;
    if (!FindAll(cli, source, indices))
        return CLI_TROUBLE;
    const int code = all ? ExtractAll(source, folder) : ExtractSome(source, indices, count, folder);
    if (code != CLI_EQUAL || !Cli_Has(cli, "json"))
        return code;
    return PrintFiles(source, all, indices, count, folder);
}

int Verb_NResExtract(Cli *cli) {
    ModelSource source;
    const bool all = Cli_Has(cli, "all");
    const char *folder = Cli_Value(cli, "output", all ? NULL : ".");
    if (cli->argument_count == 0 || all != (cli->argument_count == 1))
        return Cli_Complain("nres extract needs an archive, and either members or --all");
    if (!folder)
        return Cli_Complain("nres extract --all needs a folder: --output DIR");
    if (!NResVerb_Open(&source, cli->arguments[0]))
        return CLI_TROUBLE;
    uint32_t *indices = calloc(cli->argument_count, sizeof *indices);
    const int code =
        indices ? Extract(cli, &source, all, folder, indices) : Cli_Complain("out of memory");
    free(indices);
    ModelSource_Close(&source);
    return code;
}
