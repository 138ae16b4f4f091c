#include "cli/rsli/rsli.h"
#include "formats/archive/nres_names.h"
#include "formats/archive/rsli_list.h"
#include "formats/archive/rsli_manifest.h"
#include "formats/archive/rsli_names.h"

#include <inttypes.h>
#include <stdlib.h>

/* A name, found as the game finds it, or #INDEX. */
static int64_t FindEntry(const RpRsLi *rsli, const char *word) {
    char name[RP_RSLI_NAME_BYTES + 1];
    uint32_t index = 0;
    if (word[0] == '#' && ArchiveNumber_Parse(word + 1, &index) && index < rsli->count)
        return index;
    const int32_t found = RsLiName_FromUtf8(word, name) ? RpRsLi_Find(rsli, name) : RP_NO_INDEX;
    if (found < 0)
        Cli_Complain("there is no entry %s; `retropose rsli ls` names them", word);
    return found;
}

static bool FindAll(const Cli *cli, const RpRsLi *rsli, uint32_t *indices) {
    for (size_t i = 1; i < cli->argument_count; i++) {
        const int64_t index = FindEntry(rsli, cli->arguments[i]);
        if (index < 0)
            return false;
        indices[i - 1] = (uint32_t)index;
    }
    return true;
}

static int Report(const Cli *cli, const RpRsLi *rsli, const RsLiFilesGiven *given) {
    RpBuffer text;
    RpError error;
    if (!Cli_Has(cli, "json"))
        return CLI_EQUAL;
    RpBuffer_Init(&text, NULL);
    const RpStatus status = RsLiFiles_Json(rsli, given, &text, &error);
    return CliFile_Print(&text, status, &error);
}

static int ExtractAll(const Cli *cli, const RpRsLi *rsli, const char *folder) {
    RpError error;
    uint32_t broken = 0;
    bool *unpacks = calloc((size_t)rsli->count + 1, sizeof *unpacks);
    const RsLiFilesGiven given = {.folder = folder, .unpacks = unpacks};
    const RpStatus status = unpacks ? RsLiManifest_Extract(rsli, folder, unpacks, &error)
                                    : RpMemory_Refused(&error, "entries");
    CliFile_Locate(cli->arguments[0], status, &error);
    int code = status == RP_OK ? Report(cli, rsli, &given) : Cli_Fail(&error);
    for (uint32_t i = 0; code == CLI_EQUAL && i < rsli->count; i++)
        broken += !unpacks[i];
    free(unpacks);
    if (broken == 0)
        return code;
    Cli_Note(cli, "%" PRIu32 " %s not unpack; see `retropose rsli check`", broken,
             broken == 1 ? "entry does" : "entries do");
    return CLI_DIFFERENT;
}

static int WriteSome(const Cli *cli, const RpRsLi *rsli, const RsLiFilesGiven *given) {
    for (size_t i = 0; i < given->count; i++) {
        RpError error;
        const RpStatus status = RsLiManifest_ExtractEntry(
            rsli, given->indices[i], Cli_Has(cli, "packed"), given->folder, &error);
        if (CliFile_Locate(cli->arguments[0], status, &error) != RP_OK)
            return Cli_Fail(&error);
    }
    return Report(cli, rsli, given);
}

static int ExtractSome(const Cli *cli, const RpRsLi *rsli, const char *folder) {
    const size_t count = cli->argument_count - 1;
    uint32_t *indices = calloc(count + 1, sizeof *indices);
    const RsLiFilesGiven given = {.folder = folder, .indices = indices, .count = count};
    int code = CLI_TROUBLE;
    if (!indices)
        Cli_Complain("out of memory");
    else if (FindAll(cli, rsli, indices))
        code = WriteSome(cli, rsli, &given);
    free(indices);
    return code;
}

int Verb_RsLiExtract(Cli *cli) {
    RsLiSource source;
    const bool all = Cli_Has(cli, "all");
    const char *folder = Cli_Value(cli, "output", all ? NULL : ".");
    if (cli->argument_count == 0 || all != (cli->argument_count == 1))
        return Cli_Complain("rsli extract needs a library, and either entries or --all");
    if (!folder)
        return Cli_Complain("rsli extract --all needs a folder: --output DIR");
    if (!RsLiVerb_Open(cli, &source, cli->arguments[0]))
        return CLI_TROUBLE;
    const int code =
        all ? ExtractAll(cli, &source.rsli, folder) : ExtractSome(cli, &source.rsli, folder);
    RsLiSource_Close(&source);
    return code;
}
