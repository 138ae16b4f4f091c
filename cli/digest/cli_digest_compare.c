/* retropose digest compare: tests whether our code gives the answers of an original that somebody
 * else has, with the digest of these answers that `replay --digest` has written. */
#include "cli/files.h"
#include "cli/original_pair.h"
#include "cli/progress.h"
#include "core/text.h"
#include "replay/session/answer_digest.h"

#include <stdio.h>
#include <string.h>

/* ---- reading --------------------------------------------------------------------------------- */

static RpStatus Load(const char *path, AnswerDigest *digest, RpError *error) {
    Mapping mapping;
    RpStatus status = Mapping_Open(path, &mapping, error);
    if (status)
        return status;
    status = AnswerDigest_Read(digest, (const char *)mapping.bytes, mapping.size, error);
    Mapping_Close(&mapping);
    return CliFile_Locate(path, status, error);
}

/* ---- answering ------------------------------------------------------------------------------- */

typedef struct Told {
    Progress progress;
    uint64_t calls;
} Told;

static void OnProgress(void *context, uint64_t calls) {
    Told *told = context;
    Progress_Update(&told->progress, calls, told->calls);
}

/* Computes our answers to the questions of the digest. The native provider uses the estimates of
 * the processor on which the digest was made, if these were measured. */
static int Answer(const Cli *cli, const AnswerDigest *asked, AnswerDigest *answer) {
    Provider provider;
    ProviderOptions options;
    RpError error;
    char host[PLACE_BYTES], work[PLACE_BYTES];
    Told told = {.calls = AnswerDigest_Calls(asked)};
    const char *folder = Cli_Value(cli, "replacement", "native");
    if (strcmp(folder, "recorded") == 0)
        return Cli_Complain("a digest holds no calls, so `recorded` has nothing to answer with");
    if (Provider_Open(folder, &provider, &error)) {
        Cli_Fail(&error);
        return CLI_TROUBLE;
    }
    if (!Original_RunOptions(cli, 0, 86400, host, &options))
        return CLI_TROUBLE;
    if (provider.kind == PROVIDER_NATIVE)
        options.estimates = Provider_Measured(asked->processor);
    options.progress = OnProgress;
    options.context = &told;
    if (!Place_MakeWork(Cli_Value(cli, "work", NULL), work, sizeof work))
        return Cli_Complain("cannot make a folder for the work; name one with --work");
    Progress_Start(&told.progress, cli->verbosity < 0);
    const RpStatus status = AnswerDigest_Answer(asked, &provider, &options, work, answer, &error);
    Progress_End(&told.progress);
    Place_DropWork(work);
    return status ? Cli_Fail(&error) : 0;
}

/* ---- telling --------------------------------------------------------------------------------- */

static void PrintSide(RpBuffer *text, const char *name, const AnswerDigest *digest) {
    RpBuffer_Print(text, "%s: %s", name, digest->by);
    if (digest->sha256[0][0])
        RpBuffer_Print(text, ", Ngi32.dll %.16s..., AniMesh.dll %.16s...", digest->sha256[0],
                       digest->sha256[1]);
    RpBuffer_Print(text, ", on %s\n", digest->processor[0] ? digest->processor : "?");
}

static int Tell(const Cli *cli, const AnswerDigest *a, const AnswerDigest *b) {
    RpBuffer text;
    RpError error;
    DigestRows rows;
    if (AnswerDigest_Compare(a, b, &rows, &error))
        return Cli_Fail(&error);
    RpBuffer_Init(&text, NULL);

    for (DigestVerdict verdict = 0; verdict < DIGEST_VERDICTS; verdict++)
        for (size_t i = 0; i < rows.count; i++) {
            const DigestRow *row = &rows.rows[i];
            if (row->verdict != verdict || (verdict == DIGEST_SAME && cli->verbosity <= 0))
                continue;
            RpBuffer_Print(&text, "%-17s  %-26s %-20s in %s", DigestVerdict_Name(verdict),
                           row->function->key, row->function->name, row->scenarios[verdict]);
            if (verdict != DIGEST_SAME && row->cells[DIGEST_SAME] > 0)
                RpBuffer_Print(&text, "; same in %s", row->scenarios[DIGEST_SAME]);
            RpBuffer_AppendText(&text, "\n");
        }

    PrintSide(&text, "a", a);
    PrintSide(&text, "b", b);
    RpBuffer_Print(&text, "readings: %s\n", a->readings[0] ? a->readings : "default");
    if (rows.other_calls > 0)
        RpBuffer_Print(&text,
                       "note: %zu of %zu scenarios have other calls on one side: the digest was "
                       "made by another version\n",
                       rows.other_calls, a->block_count);
    if (a->unknown + b->unknown > 0)
        RpBuffer_Print(&text, "note: this version does not know %zu names of the digest\n",
                       a->unknown + b->unknown);
    if (strcmp(a->by, ProviderKind_Name(PROVIDER_ORIGINAL)) != 0)
        RpBuffer_Print(&text,
                       "note: the answers of a are by %s: they say nothing about the retail DLLs\n",
                       a->by);
    RpBuffer_Print(&text, "%zu function%s: %zu same, %zu different", rows.count,
                   Text_Plural(rows.count), rows.verdicts[DIGEST_SAME],
                   rows.verdicts[DIGEST_DIFFERENT]);
    if (rows.verdicts[DIGEST_AS_PROCESSORS_MAY] > 0)
        RpBuffer_Print(&text, ", %zu as processors may", rows.verdicts[DIGEST_AS_PROCESSORS_MAY]);
    if (rows.verdicts[DIGEST_UNTOLD] > 0)
        RpBuffer_Print(&text, ", %zu cannot be told", rows.verdicts[DIGEST_UNTOLD]);
    RpBuffer_AppendText(&text, "\n");
    int code = CliFile_Print(&text, RP_OK, NULL);
    if (!code && rows.verdicts[DIGEST_DIFFERENT] > 0)
        code = CLI_DIFFERENT;
    else if (!code && rows.verdicts[DIGEST_UNTOLD] > 0)
        code = rows.verdicts[DIGEST_SAME] > 0 ? CLI_PARTIAL : Cli_Complain("nothing could be told");
    DigestRows_Free(&rows);
    if (code == CLI_PARTIAL && Cli_Has(cli, "allow-partial"))
        code = CLI_EQUAL;
    return code;
}

/* ---- the verb -------------------------------------------------------------------------------- */

static int Run(Cli *cli) {
    RpError error;
    AnswerDigest a = {.blocks = NULL}, b = {.blocks = NULL};
    if (cli->argument_count < 1 || cli->argument_count > 2)
        return Cli_Complain("digest compare needs a text that `replay --digest` has written");
    int code = Load(cli->arguments[0], &a, &error) ? Cli_Fail(&error) : 0;
    if (!code && cli->argument_count == 2)
        code = Load(cli->arguments[1], &b, &error) ? Cli_Fail(&error) : 0;
    else if (!code)
        code = Answer(cli, &a, &b);
    if (!code)
        code = Tell(cli, &a, &b);
    AnswerDigest_Free(&a);
    AnswerDigest_Free(&b);
    return code;
}

const CliVerb cli_digest_compare = {
    "digest compare",
    "say whether ours answers as an original did, by the digest of its answers",
    "DIGEST [DIGEST]",
    "retropose digest compare message.txt\n"
    "retropose digest compare mine.txt yours.txt\n",
    {{"replacement", "DIR", "the pair under test (default: `native`, this program)", 0},
     CLI_ENGINE,
     {"host", "FILE", "the host program of the engine (default: beside this program)", 0},
     {"wine-prefix", "DIR", "private Wine prefix (default: in the cache)", 0},
     {"timeout", "SECONDS", "for one call in a host process (default: 60)", 0},
     {"work", "DIR", "where a new folder for the work is made (default: the system's)", 0},
     {"allow-partial", NULL, "exit code 0 even if something could not be told", 0}},
    Run};
