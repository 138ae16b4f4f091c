#include "cli/archive/archive_common.h"
#include "formats/archive/nres_names.h"

#include <inttypes.h>
#include <stdlib.h>

static int Report(const ArchiveInput *input, const MemberFilesGiven *given) {
    RpBuffer text;
    RpError error;
    if (!Cli_Has(input->cli, "json"))
        return CLI_EQUAL;
    RpBuffer_Init(&text, NULL);
    const RpStatus status = ArchiveKind_Of(input->cli)->files(input, given, &text, &error);
    return CliFile_Print(&text, status, &error);
}

static int ExtractAll(const ArchiveInput *input, const char *folder, bool *written) {
    const ArchiveKind *kind = ArchiveKind_Of(input->cli);
    RpError error;
    uint32_t broken = 0;
    const MemberFilesGiven given = {.folder = folder, .written = written};
    const RpStatus status = kind->extract(input, folder, written, &error);
    if (ArchiveInput_Locate(input, status, &error) != RP_OK)
        return Cli_Fail(&error);
    const int code = Report(input, &given);
    for (uint32_t i = 0; code == CLI_EQUAL && i < kind->count(input); i++)
        broken += !written[i];
    if (broken == 0)
        return code;
    Cli_Note(input->cli, "%" PRIu32 " %s not unpack; see `retropose %s check`", broken,
             broken == 1 ? "entry does" : "entries do", kind->group);
    return CLI_DIFFERENT;
}

static int ExtractSome(const ArchiveInput *input, const char *folder, uint32_t *indices) {
    const Cli *cli = input->cli;
    const MemberFilesGiven given = {
        .folder = folder, .indices = indices, .count = cli->argument_count - 1};
    const ArchiveKind *kind = ArchiveKind_Of(cli);

    /* A word is a name, of which the first of equal ones counts, or #INDEX. */
    for (size_t i = 0; i < given.count; i++) {
        const char *word = cli->arguments[i + 1];
        if (word[0] == '#' && ArchiveNumber_Parse(word + 1, &indices[i]) &&
            indices[i] < kind->count(input))
            continue;
        const int32_t found = kind->find(input, word);
        indices[i] = (uint32_t)found;
        if (found < 0) {
            MemberNearest nearest;
            MemberNearest_Init(&nearest, word);
            for (uint32_t k = 0; k < kind->count(input); k++)
                kind->offer(input, k, &nearest);
            return Cli_Complain("there is no %s %s%s%s; `retropose %s ls` names them", kind->member,
                                word, nearest.best[0] ? ", perhaps " : "", nearest.best,
                                kind->group);
        }
    }
    for (size_t i = 0; i < given.count; i++) {
        RpError error;
        const RpStatus status = kind->extract_one(input, indices[i], folder, &error);
        if (ArchiveInput_Locate(input, status, &error) != RP_OK)
            return Cli_Fail(&error);
    }
    return Report(input, &given);
}

int ArchiveVerb_Extract(Cli *cli) {
    const ArchiveKind *kind = ArchiveKind_Of(cli);
    ArchiveInput input;
    const bool all = Cli_Has(cli, "all");
    const char *folder = Cli_Value(cli, "output", all ? NULL : ".");
    if (cli->argument_count == 0 || all != (cli->argument_count == 1))
        return Cli_Complain("%s needs %s, and either %s or --all", cli->verb->name,
                            kind->an_archive, kind->members);
    if (!folder)
        return Cli_Complain("%s --all needs a folder: --output DIR", cli->verb->name);
    if (!ArchiveInput_Open(&input, cli, cli->arguments[0]))
        return CLI_TROUBLE;

    uint32_t *indices = calloc(cli->argument_count, sizeof *indices);
    bool *written = calloc((size_t)kind->count(&input) + 1, sizeof *written);
    int code;
    if (!indices || !written)
        code = Cli_Complain("out of memory");
    else
        code = all ? ExtractAll(&input, folder, written) : ExtractSome(&input, folder, indices);
    free(indices);
    free(written);
    kind->close(&input);
    return code;
}
