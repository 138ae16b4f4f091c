#include "cli/bundle/load.h"
#include "cli/files.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

/* Names every member, so that nobody has to take our word for what a bundle holds. */
static void AddContents(const cJSON *bundle, RpBuffer *text) {
    const cJSON *member;
    RpBuffer_AppendText(text, "in the file:\n");
    cJSON_ArrayForEach(member, bundle) {
        if (cJSON_IsArray(member))
            RpBuffer_Print(text, "  %-12s %d entries\n", member->string,
                           cJSON_GetArraySize(member));
        else if (cJSON_IsString(member) && !strchr(member->valuestring, '\n'))
            RpBuffer_Print(text, "  %-12s %s\n", member->string, member->valuestring);
        else if (cJSON_IsString(member))
            RpBuffer_Print(text, "  %-12s a text of %zu bytes\n", member->string,
                           strlen(member->valuestring));
        else
            RpBuffer_Print(text, "  %-12s %d members\n", member->string,
                           cJSON_GetArraySize(member));
    }
}

static void AddCalls(const cJSON *bundle, RpBuffer *text) {
    const cJSON *call;
    cJSON_ArrayForEach(call, cJSON_GetObjectItemCaseSensitive(bundle, "calls")) {
        size_t size;
        uint8_t *bytes = Bundle_Call(call, &size);
        const cJSON *function = cJSON_GetObjectItemCaseSensitive(call, "function");
        RpBuffer_Print(text, "  a differing call of %s: %zu bytes\n",
                       cJSON_IsString(function) ? function->valuestring : "?", size);
        free(bytes);
    }
}

static int Run(Cli *cli) {
    cJSON *bundle;
    RpBuffer text;
    RpError error;
    if (cli->argument_count != 1)
        return Cli_Complain("bundle show needs a file that `retropose try` has written");
    if (BundleFile_Load(cli->arguments[0], &bundle, &error))
        return Cli_Fail(&error);
    RpBuffer_Init(&text, NULL);
    if (Cli_Has(cli, "digest")) {
        const char *digest =
            cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(bundle, "digest"));
        RpBuffer_AppendText(&text, digest ? digest : "");
    } else {
        Bundle_Verdict(bundle, &text);
        AddContents(bundle, &text);
        AddCalls(bundle, &text);
    }
    cJSON_Delete(bundle);
    return CliFile_Print(&text, RP_OK, NULL);
}

const CliVerb cli_bundle_show = {"bundle show",
                                 "print what a bundle says, and all that is in it",
                                 "BUNDLE.json",
                                 "retropose bundle show parkan-bundle.json\n",
                                 {{"digest", NULL, "only the digest of the answers", 0}},
                                 Run};
