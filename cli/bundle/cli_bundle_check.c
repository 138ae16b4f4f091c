/* retropose bundle check: tests, on a machine without the original that a bundle is about, whether
 * our code gives the answers of that original. */
#include "cli/bundle/load_bundle.h"
#include "cli/files.h"
#include "cli/place.h"
#include "cli/stage.h"
#include "core/files/output.h"
#include "replay/session/answer_digest.h"
#include "tracefile/tracefile.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Check {
    const Cli *cli;
    char work[PLACE_BYTES];
    char file[CLI_PATH_BYTES]; /* the file that a verb is to read */
    RpBuffer text;
    int told, different, untold, unreadable; /* results of comparing the digest and the calls */
} Check;

/* Writes the bytes to a file and runs a verb on it. */
static int RunOn(Check *check, const char *verb, const char *const *words, const void *bytes,
                 size_t size) {
    RpError error;
    if (Output_WriteBytes(check->file, bytes, size, &error))
        return Cli_Fail(&error);
    const int code = Cli_RunStage(check->cli, verb, words, &check->text);
    remove(check->file);
    return code;
}

static void Count(Check *check, int code) {
    check->told += code != CLI_TROUBLE;
    check->different += code == CLI_DIFFERENT || code == CLI_CRASHED;
    check->untold += code == CLI_PARTIAL || code == CLI_TROUBLE;
}

/* Complains with the name of the bundle, which the verbs do not know. */
static void Refuse(Check *check, RpStatus status, RpError *error) {
    CliFile_Locate(check->cli->arguments[0], status, error);
    Cli_Fail(error);
    check->unreadable++;
}

/* Returns whether the bytes are a trace, to its end. */
static bool IsTrace(Check *check, const char *function, const uint8_t *bytes, size_t size) {
    TraceReader *reader = NULL;
    TraceCall call;
    RpError error;
    bool found = true;
    RpStatus status = TraceReader_OpenBuffer(bytes, size, function, &reader, &error);
    while (!status && found)
        status = TraceReader_Next(reader, &call, &found, &error);
    if (status)
        Refuse(check, status, &error);
    TraceReader_Close(reader);
    return !status;
}

static int CheckBundle(Check *check, const cJSON *bundle) {
    const char *digest = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(bundle, "digest"));
    const cJSON *call;
    RpBuffer_Init(&check->text, NULL);
    if (digest) {
        const char *words[] = {check->file, "--replacement",
                               Cli_Value(check->cli, "replacement", "native"), NULL};
        AnswerDigest read = {.blocks = NULL};
        RpError error;
        const RpStatus status = AnswerDigest_Read(&read, digest, strlen(digest), &error);
        if (status) {
            Refuse(check, status, &error);
        } else {
            AnswerDigest_Free(&read);
            Count(check, RunOn(check, "digest compare", words, digest, strlen(digest)));
        }
    }
    cJSON_ArrayForEach(call, cJSON_GetObjectItemCaseSensitive(bundle, "calls")) {
        /* The trace holds the answers of the original. */
        const char *words[] = {check->file,
                               "--original",
                               "recorded",
                               "--replacement",
                               Cli_Value(check->cli, "replacement", "native"),
                               NULL};
        size_t size;
        const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(call, "function"));
        const char *function = name ? name : "?";
        uint8_t *bytes = Bundle_Call(call, &size);
        if (!bytes) {
            RpError error;
            RpError_Set(&error, RP_CORRUPT, RP_NOWHERE, "a call has no trace", function,
                        "hexadecimal digits, two for each byte", "other text");
            Refuse(check, RP_CORRUPT, &error);
        } else if (IsTrace(check, function, bytes, size)) {
            const int code = RunOn(check, "replay", words, bytes, size);
            RpBuffer_Print(&check->text, "%s: the call that differed %s\n", function,
                           code == CLI_EQUAL       ? "is the same now"
                           : code == CLI_DIFFERENT ? "differs"
                                                   : "cannot be told");
            Count(check, code);
        }
        free(bytes);
    }
    Bundle_Coverage(bundle, &check->text);
    const int printed = CliFile_Print(&check->text, RP_OK, NULL);
    if (printed)
        return printed;

    /* The codes mean the same as those of `digest compare`. */
    if (check->unreadable > 0)
        return CLI_TROUBLE;
    if (check->different > 0)
        return CLI_DIFFERENT;
    if (check->told == 0)
        return Cli_Complain("%s: nothing could be told", check->cli->arguments[0]);
    return check->untold > 0 && !Cli_Has(check->cli, "allow-partial") ? CLI_PARTIAL : CLI_EQUAL;
}

static int Run(Cli *cli) {
    Check check = {.cli = cli};
    cJSON *bundle;
    RpError error;
    if (cli->argument_count != 1)
        return Cli_Complain("bundle check needs a file that `retropose try` has written");
    if (BundleFile_Load(cli->arguments[0], &bundle, &error))
        return Cli_Fail(&error);
    int code = CLI_TROUBLE;
    if (!Place_MakeWork(Cli_Value(cli, "work", NULL), check.work, sizeof check.work)) {
        Cli_Complain("cannot make a folder for the work; name one with --work");
    } else {
        snprintf(check.file, sizeof check.file, "%s/of-bundle", check.work);
        code = CheckBundle(&check, bundle);
        Place_DropWork(check.work);
    }
    cJSON_Delete(bundle);
    return code;
}

const CliVerb cli_bundle_check = {
    "bundle check",
    "say whether ours answers as the original that a bundle is about",
    "BUNDLE.json",
    "retropose bundle check parkan-bundle.json\n",
    {{"replacement", "DIR", "the pair under test (default: `native`, this program)", 0},
     {"allow-partial", NULL, "exit code 0 even if something could not be told", 0},
     {"work", "DIR", "where a new folder for the work is made (default: the system's)", 0}},
    Run};
