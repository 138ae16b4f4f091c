#include "formats/archive_manifest.h"
#include "nres_verbs.h"

static int ExtractAll(const ModelSource *source, const char *folder) {
    RpError error;
    const RpStatus status = ArchiveManifest_Extract(&source->archive, folder, &error);
    ModelSource_Locate(source, status == RP_CORRUPT ? &error : NULL);
    return status == RP_OK ? CLI_EQUAL : Cli_Fail(&error);
}

static int ExtractSome(const Cli *cli, const ModelSource *source, const char *folder) {
    for (size_t i = 1; i < cli->argument_count; i++) {
        RpError error;
        const int64_t index = NResVerb_FindMember(&source->archive, cli->arguments[i]);
        if (index < 0)
            return CLI_TROUBLE;
        if (ArchiveManifest_ExtractMember(&source->archive, (uint32_t)index, folder, &error))
            return Cli_Fail(&error);
    }
    return CLI_EQUAL;
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
    const int code = all ? ExtractAll(&source, folder) : ExtractSome(cli, &source, folder);
    ModelSource_Close(&source);
    return code;
}
