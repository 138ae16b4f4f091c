#include "formats/finding_text.h"
#include "formats/library_names.h"
#include "rsli_verbs.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct Checking {
    const Cli *cli;
    bool as_json, failed;
    FindingJson json;
    const char *path;
    const RpRsLi *library; /* null when it does not open */
    uint64_t count[RP_SEVERITY_COUNT];
} Checking;

static void PrintLine(const Checking *checking, const char *name, const RpFinding *finding) {
    RpBuffer line;
    RpBuffer_Init(&line, NULL);
    FindingText_Line(&line, checking->path, name, finding);
    if (line.size && !line.failed)
        fwrite(line.bytes, 1, line.size, stdout);
    RpBuffer_Free(&line);
}

static void Take(void *context, const RpFinding *finding) {
    Checking *checking = context;
    char shown[LIBRARY_SHOWN_BYTES];
    const bool named = finding->entry >= 0 && checking->library;
    checking->count[finding->severity]++;
    if (named)
        LibraryName_Show(checking->library->records[finding->entry].name, shown);
    if (checking->as_json)
        FindingJson_Add(&checking->json, named ? shown : NULL, finding);
    else
        PrintLine(checking, named ? shown : NULL, finding);
}

/* What does not open is checked all the same, as far as it is there. */
static void CheckFile(Checking *checking, const char *path) {
    static const uint8_t nothing[1];
    const RpFindingSink sink = {.take = Take, .context = checking};
    LibrarySource source;
    RpError error;
    const RpStatus opened =
        LibrarySource_Open(&source, path, RsLiVerb_Flags(checking->cli), &error);
    checking->path = path;
    checking->library = opened == RP_OK ? &source.library : NULL;
    if (opened == RP_OK || opened == RP_CORRUPT) {
        if (checking->as_json)
            FindingJson_BeginFile(&checking->json, path);
        const RpStatus status =
            RpRsLi_Check(source.mapping.bytes ? source.mapping.bytes : nothing, source.mapping.size,
                         RsLiVerb_Flags(checking->cli), NULL, &sink, &error);
        if (status == RP_NO_MEMORY) {
            Cli_Fail(&error);
            checking->failed = true;
        }
    } else {
        Cli_Fail(&error);
        checking->failed = true;
    }
    LibrarySource_Close(&source);
}

static int PrintJson(Checking *checking) {
    RpBuffer text;
    RpError error;
    RpBuffer_Init(&text, NULL);
    const RpStatus status = FindingJson_End(&checking->json, &text, &error);
    return RsLiVerb_Print(&text, status, &error);
}

int Verb_RsLiCheck(Cli *cli) {
    Checking checking = {.cli = cli, .as_json = Cli_Has(cli, "json")};
    int code = CLI_EQUAL;
    if (cli->argument_count == 0)
        return Cli_Complain("rsli check needs libraries");
    if (checking.as_json)
        FindingJson_Init(&checking.json);
    for (size_t i = 0; i < cli->argument_count; i++)
        CheckFile(&checking, cli->arguments[i]);
    if (checking.as_json)
        code = PrintJson(&checking);
    else
        Cli_Note(cli,
                 "%" PRIu64 " errors, %" PRIu64 " warnings, %" PRIu64 " canonical, %" PRIu64
                 " infos",
                 checking.count[RP_SEVERITY_ERROR], checking.count[RP_SEVERITY_WARNING],
                 checking.count[RP_SEVERITY_CANONICAL], checking.count[RP_SEVERITY_INFO]);
    if (checking.failed || code != CLI_EQUAL)
        return CLI_TROUBLE;
    const uint64_t strict = Cli_Has(cli, "strict") ? checking.count[RP_SEVERITY_WARNING] : 0;
    return checking.count[RP_SEVERITY_ERROR] + strict > 0 ? CLI_DIFFERENT : CLI_EQUAL;
}
