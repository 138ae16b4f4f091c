#include "ani.h"
#include "formats/finding_text.h"
#include "formats/mapping.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct Checking {
    bool as_json, failed;
    FindingJson json;
    const char *name; /* of what is being checked */
    uint64_t count[RP_SEVERITY_COUNT];
} Checking;

static void Take(void *context, const RpFinding *finding) {
    Checking *checking = context;
    RpBuffer line;
    checking->count[finding->severity]++;
    if (checking->as_json) {
        FindingJson_Add(&checking->json, NULL, finding);
        return;
    }
    RpBuffer_Init(&line, NULL);
    FindingText_Line(&line, checking->name, NULL, finding);
    if (line.size && !line.failed)
        fwrite(line.bytes, 1, line.size, stdout);
    RpBuffer_Free(&line);
}

static void CheckFile(const Cli *cli, Checking *checking, const char *path) {
    const RpAniForm form = Cli_Has(cli, "body") ? RP_ANI_BODY : RP_ANI_FILE;
    const RpFindingSink sink = {.take = Take, .context = checking};
    Mapping mapping;
    RpError error;
    if (Mapping_Open(path, &mapping, &error)) {
        Cli_Fail(&error);
        checking->failed = true;
        return;
    }
    checking->name = path;
    if (checking->as_json)
        FindingJson_BeginFile(&checking->json, path);
    if (RpAni_Check(mapping.bytes, mapping.size, form, NULL, &sink, &error) == RP_NO_MEMORY) {
        Cli_Fail(&error);
        checking->failed = true;
    }
    Mapping_Close(&mapping);
}

static int PrintJson(Checking *checking) {
    RpBuffer text;
    RpError error;
    RpBuffer_Init(&text, NULL);
    const RpStatus status = FindingJson_End(&checking->json, &text, &error);
    return AniVerb_Print(&text, status, &error);
}

static int Run(Cli *cli) {
    Checking checking = {.as_json = Cli_Has(cli, "json")};
    int code = CLI_EQUAL;
    if (cli->argument_count == 0)
        return Cli_Complain("ani check needs animations");
    if (checking.as_json)
        FindingJson_Init(&checking.json);
    for (size_t i = 0; i < cli->argument_count; i++)
        CheckFile(cli, &checking, cli->arguments[i]);
    if (checking.as_json)
        code = PrintJson(&checking);
    else
        Cli_Note(cli, "%" PRIu64 " errors, %" PRIu64 " warnings, %" PRIu64 " infos",
                 checking.count[RP_SEVERITY_ERROR], checking.count[RP_SEVERITY_WARNING],
                 checking.count[RP_SEVERITY_INFO]);
    if (checking.failed || code != CLI_EQUAL)
        return CLI_TROUBLE;
    const uint64_t strict = Cli_Has(cli, "strict") ? checking.count[RP_SEVERITY_WARNING] : 0;
    return checking.count[RP_SEVERITY_ERROR] + strict > 0 ? CLI_DIFFERENT : CLI_EQUAL;
}

const CliVerb cli_ani_check = {"ani check",
                               "report what is wrong or odd (docs/ani.md lists the rules)",
                               "FILE...",
                               "retropose ani check *.ani\n",
                               {ANI_BODY,
                                {"strict", NULL, "exit with 1 for warnings, too", 0},
                                {"json", NULL, "one JSON object", 0}},
                               Run};
