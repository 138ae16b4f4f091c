#include "cli/findings.h"
#include "cli/rsli/rsli.h"
#include "formats/archive/rsli_names.h"

enum { RULE_COUNT = 29 }; /* docs/formats/rsli.md */

typedef struct Checking {
    Findings findings;
    const RpRsLi *rsli; /* null when it does not open */
} Checking;

static void Take(void *context, const RpFinding *finding) {
    Checking *checking = context;
    char shown[LIBRARY_SHOWN_BYTES];
    const bool named = finding->entry >= 0 && checking->rsli;
    if (named)
        RsLiName_Show(checking->rsli->records[finding->entry].name, shown);
    Findings_Take(&checking->findings, named ? shown : NULL, finding);
}

static void CheckImage(Checking *checking, const Mapping *mapping, uint32_t flags) {
    static const uint8_t nothing[1];
    const RpFindingSink sink = {.take = Take, .context = checking};
    RpError error;
    if (RpRsLi_Check(mapping->bytes ? mapping->bytes : nothing, mapping->size, flags, NULL, &sink,
                     &error) == RP_NO_MEMORY)
        Findings_Fail(&checking->findings, &error);
}

/* What does not open is checked all the same, as far as it is there. */
static void CheckFile(Checking *checking, const char *path) {
    const uint32_t flags = RsLiVerb_Flags(checking->findings.cli);
    RsLiSource source;
    RpError error;
    const RpStatus status = RsLiSource_Open(&source, path, flags, &error);
    checking->rsli = status == RP_OK ? &source.rsli : NULL;
    if (status == RP_OK || status == RP_CORRUPT) {
        Findings_BeginFile(&checking->findings, path, 0);
        CheckImage(checking, &source.mapping, flags);
    } else {
        Findings_Fail(&checking->findings, &error);
    }
    RsLiSource_Close(&source);
}

int Verb_RsLiCheck(Cli *cli) {
    Checking checking = {.rsli = NULL};
    if (cli->argument_count == 0)
        return Cli_Complain("rsli check needs a library");
    if (!Findings_Begin(&checking.findings, cli, 'R', RULE_COUNT))
        return CLI_TROUBLE;
    for (size_t i = 0; i < cli->argument_count; i++)
        CheckFile(&checking, cli->arguments[i]);
    return Findings_End(&checking.findings);
}
