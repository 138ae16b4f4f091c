#include "cli/findings.h"
#include "cli/nres/nres.h"
#include "formats/archive/nres_names.h"

#include <stdio.h>
#include <stdlib.h>

enum { RULE_COUNT = 21 }; /* docs/formats/nres.md */

typedef struct Checking {
    Findings findings;
    const RpNRes *read; /* tolerantly, for the names of entries; null when it does not open */
} Checking;

static void Take(void *context, const RpFinding *finding) {
    Checking *checking = context;
    char name[ARCHIVE_SHOWN_BYTES];
    const bool has_entry = finding->entry >= 0 && checking->read;
    if (has_entry)
        ArchiveName_Show(RpNRes_Entry(checking->read, (uint32_t)finding->entry).name, name);
    Findings_Take(&checking->findings, has_entry ? name : NULL, finding);
}

static void CheckImage(Checking *checking, const uint8_t *image, size_t size) {
    const RpFindingSink sink = {.take = Take, .context = checking};
    RpNRes archive;
    const bool opens = RpNRes_Open(image, size, RP_TOLERANT, &archive, NULL) == RP_OK;
    void *work = opens ? malloc(RpNRes_CheckWork(archive.count) + 1) : NULL;
    checking->read = opens ? &archive : NULL;
    RpNRes_Check(image, size, work, &sink, NULL);
    checking->read = NULL;
    free(work);
}

/* The outermost archive has been checked already. */
static bool CheckNested(void *context, const RpNRes *archive, const char *path, uint32_t depth,
                        uint32_t offset) {
    Checking *checking = context;
    Findings *findings = &checking->findings;
    const char *outer = findings->name;
    const uint64_t outer_offset = findings->offset;
    char name[2048];
    if (depth == 0)
        return true;
    snprintf(name, sizeof name, "%s::%s", outer, path);
    Findings_BeginFile(findings, name, outer_offset + offset);
    CheckImage(checking, archive->image, archive->size);
    findings->name = outer;
    findings->offset = outer_offset;
    return true;
}

/* What does not open is checked all the same, as far as it is there. */
static void CheckSource(Checking *checking, const char *name) {
    static const uint8_t nothing[1];
    ModelSource source;
    RpError error;
    const RpStatus status = ModelSource_Open(&source, name, &error);
    if (status == RP_OK || status == RP_CORRUPT || status == RP_TRUNCATED) {
        Findings_BeginFile(&checking->findings, name, source.offset);
        CheckImage(checking, source.bytes ? source.bytes : nothing, source.size);
    } else {
        Findings_Fail(&checking->findings, &error);
    }
    if (status == RP_OK && Cli_Has(checking->findings.cli, "recursive"))
        RpNRes_Walk(&source.archive, CheckNested, checking);
    ModelSource_Close(&source);
}

int Verb_NResCheck(Cli *cli) {
    Checking checking = {.read = NULL};
    if (cli->argument_count == 0)
        return Cli_Complain("nres check needs an archive");
    if (!Findings_Begin(&checking.findings, cli, 'N', RULE_COUNT))
        return CLI_TROUBLE;
    for (size_t i = 0; i < cli->argument_count; i++)
        CheckSource(&checking, cli->arguments[i]);
    return Findings_End(&checking.findings);
}
