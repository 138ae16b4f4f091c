#include "formats/archive_names.h"
#include "formats/finding_text.h"
#include "nres_verbs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Checking {
    const Cli *cli;
    bool as_json, failed;
    FindingJson json;
    const char *name;   /* of what is being checked */
    const RpNRes *read; /* tolerantly, for the names of entries; null when it does not open */
    uint64_t offset;    /* of it in its file */
    uint64_t count[RP_SEVERITY_COUNT];
} Checking;

static void PrintLine(const Checking *checking, const char *entry_name, const RpFinding *finding) {
    RpBuffer line;
    RpBuffer_Init(&line, NULL);
    FindingText_Line(&line, checking->name, entry_name, finding);
    if (line.size && !line.failed)
        fwrite(line.bytes, 1, line.size, stdout);
    RpBuffer_Free(&line);
}

static void Take(void *context, const RpFinding *finding) {
    Checking *checking = context;
    RpFinding placed = *finding;
    char name[ARCHIVE_SHOWN_BYTES];
    const bool has_entry = finding->entry >= 0 && checking->read;
    checking->count[finding->severity]++;
    if (placed.offset != RP_NOWHERE)
        placed.offset += checking->offset;
    if (has_entry)
        ArchiveName_Show(RpNRes_Entry(checking->read, (uint32_t)finding->entry).name, name);
    if (checking->as_json)
        FindingJson_Add(&checking->json, has_entry ? name : NULL, &placed);
    else
        PrintLine(checking, has_entry ? name : NULL, &placed);
}

static void CheckImage(Checking *checking, const uint8_t *image, size_t size) {
    const RpFindingSink sink = {.take = Take, .context = checking};
    RpNRes archive;
    const bool opens = RpNRes_Open(image, size, RP_TOLERANT, &archive, NULL) == RP_OK;
    void *work = opens ? malloc(RpNRes_CheckWork(archive.count) + 1) : NULL;
    checking->read = opens ? &archive : NULL;
    if (checking->as_json)
        FindingJson_BeginFile(&checking->json, checking->name);
    RpNRes_Check(image, size, work, &sink, NULL);
    checking->read = NULL;
    free(work);
}

/* The outermost archive has been checked already. */
static bool CheckNested(void *context, const RpNRes *archive, const char *path, uint32_t depth,
                        uint32_t offset) {
    Checking *checking = context;
    const char *outer = checking->name;
    const uint64_t outer_offset = checking->offset;
    char name[2048];
    if (depth == 0)
        return true;
    snprintf(name, sizeof name, "%s::%s", outer, path);
    checking->name = name;
    checking->offset += offset;
    CheckImage(checking, archive->image, archive->size);
    checking->name = outer;
    checking->offset = outer_offset;
    return true;
}

/* What does not open is checked all the same, as far as it is there. */
static void CheckSource(Checking *checking, const char *name) {
    static const uint8_t nothing[1];
    ModelSource source;
    RpError error;
    const RpStatus status = ModelSource_Open(&source, name, &error);
    const bool is_there = status == RP_OK || status == RP_CORRUPT || status == RP_TRUNCATED;
    if (!is_there) {
        Cli_Fail(&error);
        checking->failed = true;
    } else {
        checking->name = name;
        checking->offset = source.offset;
        CheckImage(checking, source.bytes ? source.bytes : nothing, source.size);
        if (status == RP_OK && Cli_Has(checking->cli, "recursive"))
            RpNRes_Walk(&source.archive, CheckNested, checking);
    }
    ModelSource_Close(&source);
}

static int PrintJson(Checking *checking) {
    RpBuffer text;
    RpError error;
    RpBuffer_Init(&text, NULL);
    const RpStatus status = FindingJson_End(&checking->json, &text, &error);
    return NResVerb_Print(&text, status, &error);
}

int Verb_NResCheck(Cli *cli) {
    Checking checking = {.cli = cli, .as_json = Cli_Has(cli, "json")};
    int code = CLI_EQUAL;
    if (cli->argument_count == 0)
        return Cli_Complain("nres check needs archives");
    if (checking.as_json)
        FindingJson_Init(&checking.json);
    for (size_t i = 0; i < cli->argument_count; i++)
        CheckSource(&checking, cli->arguments[i]);
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
