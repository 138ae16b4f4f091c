#include "formats/archive_names.h"
#include "formats/library_manifest.h"
#include "formats/library_names.h"
#include "rsli_verbs.h"

#include <inttypes.h>

static int ExtractAll(const Cli *cli, const RpRsLi *library, const char *folder) {
    RpError error;
    uint32_t broken = 0;
    if (LibraryManifest_Extract(library, folder, &broken, &error))
        return Cli_Fail(&error);
    if (broken > 0)
        Cli_Note(cli, "%" PRIu32 " entries do not unpack; see `retropose rsli check`", broken);
    return broken > 0 ? CLI_DIFFERENT : CLI_EQUAL;
}

/* A name, found as the game finds it, or #INDEX. */
static int64_t FindEntry(const RpRsLi *library, const char *word) {
    char name[RP_RSLI_NAME_BYTES + 1];
    uint32_t index = 0;
    if (word[0] == '#' && ArchiveNumber_Parse(word + 1, &index) && index < library->count)
        return index;
    const int32_t found =
        LibraryName_FromUtf8(word, name) ? RpRsLi_Find(library, name) : RP_NO_INDEX;
    if (found < 0)
        Cli_Complain("there is no entry %s; `retropose rsli ls` names them", word);
    return found;
}

static int ExtractSome(const Cli *cli, const RpRsLi *library, const char *folder) {
    for (size_t i = 1; i < cli->argument_count; i++) {
        RpError error;
        const int64_t index = FindEntry(library, cli->arguments[i]);
        if (index < 0)
            return CLI_TROUBLE;
        if (LibraryManifest_ExtractEntry(library, (uint32_t)index, Cli_Has(cli, "packed"), folder,
                                         &error))
            return Cli_Fail(&error);
    }
    return CLI_EQUAL;
}

int Verb_RsLiExtract(Cli *cli) {
    LibrarySource source;
    const bool all = Cli_Has(cli, "all");
    const char *folder = Cli_Value(cli, "output", all ? NULL : ".");
    if (cli->argument_count == 0 || all != (cli->argument_count == 1))
        return Cli_Complain("rsli extract needs a library, and either entries or --all");
    if (!folder)
        return Cli_Complain("rsli extract --all needs a folder: --output DIR");
    if (!RsLiVerb_Open(cli, &source, cli->arguments[0]))
        return CLI_TROUBLE;
    const int code =
        all ? ExtractAll(cli, &source.library, folder) : ExtractSome(cli, &source.library, folder);
    LibrarySource_Close(&source);
    return code;
}
