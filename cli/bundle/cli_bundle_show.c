#include "cli/bundle/load_bundle.h"
#include "cli/files.h"
#include "cli/place.h"
#include "cli/stage.h"
#include "core/files/output.h"
#include "core/json/json_text.h"
#include "core/text/visible.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- all of it ------------------------------------------------------------------------------- */

/* Prints the call's trace as `retropose show` does: its header, the call, and its memories. */
static int ShowCall(const Cli *cli, const cJSON *call, const char *file) {
    static const char *const parts[] = {"--header", NULL, "--memories"};
    const char *function = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(call, "function"));
    size_t size;
    RpError error;
    uint8_t *bytes = Bundle_Call(call, &size);
    if (!bytes)
        return Cli_Complain("%s: a call has no trace", cli->arguments[0]);
    Visible_Print(stdout, "\na differing call of %s, %zu bytes:\n", function ? function : "?",
                  size);
    int code = Output_WriteBytes(file, bytes, size, &error) ? Cli_Fail(&error) : 0;
    free(bytes);
    for (size_t i = 0; i < sizeof parts / sizeof *parts && !code; i++)
        code = Cli_RunStage(cli, "show", (const char *const[]){file, parts[i], NULL}, NULL);
    remove(file);
    return code;
}

/* Prints the members as they stand in the file, but for the digest, whose lines are printed as
 * lines, and for the calls. */
static int ShowAll(const Cli *cli, cJSON *bundle, RpBuffer *text) {
    cJSON *digest = cJSON_DetachItemFromObjectCaseSensitive(bundle, "digest");
    cJSON *calls = cJSON_DetachItemFromObjectCaseSensitive(bundle, "calls");
    JsonText_Append(text, bundle, true);
    if (cJSON_IsString(digest))
        RpBuffer_Print(text, "\ndigest:\n%s", digest->valuestring);
    int code = CliFile_Print(text, RP_OK, NULL);
    if (!code && cJSON_GetArraySize(calls) > 0) {
        char work[PLACE_BYTES], file[PLACE_BYTES + 16];
        const cJSON *call;
        if (!Place_MakeWork(NULL, work, sizeof work)) {
            code = Cli_Complain("cannot make a folder for the work");
        } else {
            snprintf(file, sizeof file, "%s/of-bundle", work);
            cJSON_ArrayForEach(call, calls) {
                if (!code)
                    code = ShowCall(cli, call, file);
            }
            Place_DropWork(work);
        }
    }
    cJSON_Delete(digest);
    cJSON_Delete(calls);
    return code;
}

/* ---- the verb -------------------------------------------------------------------------------- */

static int Run(Cli *cli) {
    cJSON *bundle;
    RpBuffer text;
    RpError error;
    if (cli->argument_count != 1)
        return Cli_Complain("bundle show needs a file that `retropose try` has written");
    if (BundleFile_Load(cli->arguments[0], &bundle, &error))
        return Cli_Fail(&error);
    RpBuffer_Init(&text, NULL);
    if (Cli_Has(cli, "all")) {
        const int code = ShowAll(cli, bundle, &text);
        cJSON_Delete(bundle);
        return code;
    }
    if (Cli_Has(cli, "digest")) {
        const char *digest =
            cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(bundle, "digest"));
        RpBuffer_AppendText(&text, digest ? digest : "");
    } else {
        Bundle_Verdict(bundle, &text);

        /* Names every member, so that nobody has to take our word for what a bundle holds. */
        const cJSON *member;
        RpBuffer_AppendText(&text, "in the file:\n");
        cJSON_ArrayForEach(member, bundle) {
            if (cJSON_IsArray(member))
                RpBuffer_Print(&text, "  %-12s %d entries\n", member->string,
                               cJSON_GetArraySize(member));
            else if (cJSON_IsString(member) && !strchr(member->valuestring, '\n'))
                RpBuffer_Print(&text, "  %-12s %s\n", member->string, member->valuestring);
            else if (cJSON_IsString(member))
                RpBuffer_Print(&text, "  %-12s a text of %zu bytes\n", member->string,
                               strlen(member->valuestring));
            else
                RpBuffer_Print(&text, "  %-12s %d members\n", member->string,
                               cJSON_GetArraySize(member));
        }

        const cJSON *call;
        cJSON_ArrayForEach(call, cJSON_GetObjectItemCaseSensitive(bundle, "calls")) {
            size_t size;
            uint8_t *bytes = Bundle_Call(call, &size);
            const cJSON *function = cJSON_GetObjectItemCaseSensitive(call, "function");
            RpBuffer_Print(&text, "  a differing call of %s: %zu bytes\n",
                           cJSON_IsString(function) ? function->valuestring : "?", size);
            free(bytes);
        }
    }
    cJSON_Delete(bundle);
    return CliFile_Print(&text, RP_OK, NULL);
}

const CliVerb cli_bundle_show = {
    "bundle show",
    "print what a bundle says, and how much of what is in it",
    "BUNDLE.json",
    "retropose bundle show parkan-bundle.json\n"
    "retropose bundle show parkan-bundle.json --all | less\n",
    {{"all", NULL, "print everything that is in it, with its calls as `show` prints them", 0},
     {"digest", NULL, "only the digest of the answers", 0}},
    Run};
