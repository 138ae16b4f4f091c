/* What the verbs of archives do with NRes archives. */
#include "cli/archive/archive_common.h"
#include "formats/archive/nres_diff.h"
#include "formats/archive/nres_edit.h"
#include "formats/archive/nres_list.h"
#include "formats/archive/nres_manifest.h"
#include "formats/archive/nres_names.h"

#include <stdio.h>
#include <stdlib.h>

enum { RULE_COUNT = 21 }; /* docs/formats/nres.md */

/* ---- opening --------------------------------------------------------------------------------- */

static RpStatus Open(ArchiveInput *input, RpError *error) {
    input->mapping = &input->nres.mapping;
    return ModelSource_Open(&input->nres, input->path, error);
}

static RpStatus OpenEdited(ArchiveInput *input, RpError *error) {
    input->mapping = &input->nres.mapping;
    return Mapping_Open(input->path, input->mapping, error);
}

static void Close(ArchiveInput *input) {
    ModelSource_Close(&input->nres);
}

static void Locate(const ArchiveInput *input, RpError *error) {
    ModelSource_Locate(&input->nres, error);
}

static uint32_t Count(const ArchiveInput *input) {
    return input->nres.archive.count;
}

static int32_t Find(const ArchiveInput *input, const char *name) {
    char field[RP_NRES_NAME_BYTES + 1] = {0};
    return ArchiveName_FromUtf8(name, field) ? RpNRes_Find(&input->nres.archive, field) : -1;
}

static void Offer(const ArchiveInput *input, uint32_t index, MemberNearest *nearest) {
    char shown[ARCHIVE_SHOWN_BYTES];
    ArchiveName_Show(RpNRes_Entry(&input->nres.archive, index).name, shown);
    MemberNearest_Offer(nearest, shown);
}

/* ---- showing --------------------------------------------------------------------------------- */

static RpStatus List(const ArchiveInput *input, bool json, RpBuffer *text, RpError *error) {
    return (json ? ArchiveList_Json : ArchiveList_Text)(
        &input->nres.archive, Cli_Has(input->cli, "recursive"), text, error);
}

static RpStatus Info(const ArchiveInput *input, bool json, RpBuffer *text, RpError *error) {
    return json ? ArchiveInfo_Json(&input->nres.archive, NULL, text, error)
                : ArchiveInfo_Text(&input->nres.archive, text, error);
}

static RpStatus Diff(const ArchiveInput *a, const ArchiveInput *b, bool json, RpBuffer *text,
                     bool *different, RpError *error) {
    return (json ? ArchiveDiff_Json : ArchiveDiff_Text)(&a->nres.archive, &b->nres.archive, text,
                                                        different, error);
}

typedef struct Checking {
    Findings *findings;
    const RpNRes
        *read; /* was opened tolerantly, for the names of entries; null when it does not open */
} Checking;

static void Take(void *context, const RpFinding *finding) {
    Checking *checking = context;
    char name[ARCHIVE_SHOWN_BYTES];
    const bool has_entry = finding->entry >= 0 && checking->read;
    if (has_entry)
        ArchiveName_Show(RpNRes_Entry(checking->read, (uint32_t)finding->entry).name, name);
    Findings_Take(checking->findings, has_entry ? name : NULL, finding);
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
    Findings *findings = checking->findings;
    const char *outer = findings->name;
    const uint64_t outer_offset = findings->offset;
    char name[2048];
    if (depth == 0)
        return true;
    snprintf(name, sizeof name, "%s::%s", outer, path);
    Findings_BeginFile(findings, name, outer_offset + offset);
    CheckImage(checking, archive->image, archive->size);
    Findings_EndFile(findings);
    findings->name = outer;
    findings->offset = outer_offset;
    return true;
}

/* An archive that does not open is checked, too, as far as it can be read. */
static void Check(Findings *findings, const char *name) {
    static const uint8_t nothing[1];
    Checking checking = {.findings = findings};
    ModelSource source;
    RpError error;
    const RpStatus status = ModelSource_Open(&source, name, &error);
    if (status == RP_OK || status == RP_CORRUPT || status == RP_TRUNCATED) {
        Findings_BeginFile(findings, name, source.offset);
        CheckImage(&checking, source.bytes ? source.bytes : nothing, source.size);
    } else {
        Findings_Fail(findings, &error);
    }
    if (status == RP_OK && Cli_Has(findings->cli, "recursive"))
        RpNRes_Walk(&source.archive, CheckNested, &checking);
    ModelSource_Close(&source);
}

/* ---- extracting ------------------------------------------------------------------------------ */

static RpStatus Dump(const ArchiveInput *input, RpBuffer *text, RpError *error) {
    return ArchiveManifest_Dump(&input->nres.archive, text, error);
}

static RpStatus Extract(const ArchiveInput *input, const char *folder, bool *written,
                        RpError *error) {
    for (uint32_t i = 0; written && i < Count(input); i++)
        written[i] = true;
    return ArchiveManifest_Extract(&input->nres.archive, folder, error);
}

static RpStatus ExtractOne(const ArchiveInput *input, uint32_t index, const char *folder,
                           RpError *error) {
    return ArchiveManifest_ExtractMember(&input->nres.archive, index, folder, error);
}

static RpStatus Files(const ArchiveInput *input, const MemberFilesGiven *given, RpBuffer *json,
                      RpError *error) {
    return ArchiveFiles_Json(&input->nres.archive, given, json, error);
}

/* ---- writing --------------------------------------------------------------------------------- */

static RpNResLayout LayoutOf(bool canonical) {
    return canonical ? RP_NRES_CANONICAL : RP_NRES_PRESERVING;
}

/* Without --layout the manifest names the layout. */
static RpStatus Assemble(const char *text, size_t size, const char *folder, void *context,
                         RpBuffer *image, RpError *error) {
    const ArchiveLayout *given = context;
    const RpNResLayout layout = LayoutOf(given->canonical);
    return ArchiveManifest_Assemble(text, size, folder, given->given ? &layout : NULL, image,
                                    error);
}

static bool ParseType(const char *word, uint32_t *type) {
    if (ArchiveType_Parse(word, type))
        return true;
    Cli_Complain("--type is four characters or a number, not %s", word);
    return false;
}

static RpStatus Edit(const ArchiveInput *input, const ArchiveOperations *operations, bool canonical,
                     RpBuffer *image, RpError *error) {
    const uint8_t *bytes = input->mapping->bytes;
    RpNRes opened;
    RpNResArchive archive;
    RpNResArchive_Init(&archive, NULL);
    RpStatus status = RpNRes_Open(bytes ? bytes : (const uint8_t *)"", input->mapping->size,
                                  RP_TOLERANT, &opened, error);
    if (status == RP_OK)
        status = RpNResArchive_Read(&archive, &opened, error);
    for (size_t i = 0; status == RP_OK && i < operations->count; i++)
        status = ArchiveEdit_Apply(&archive, operations->given[i].option->name,
                                   operations->given[i].value, error);
    if (status == RP_OK)
        status = RpNResArchive_Write(&archive, LayoutOf(canonical), image, error);
    RpNResArchive_Free(&archive);
    return status;
}

static RpStatus SumUp(const Cli *cli, const RpBuffer *image, const char *path, RpBuffer *text,
                      RpError *error) {
    RpNRes archive;
    const RpStatus status = RpNRes_Open(image->bytes, image->size, RP_TOLERANT, &archive, error);
    (void)cli;
    return status == RP_OK ? ArchiveInfo_Json(&archive, path, text, error) : status;
}

const ArchiveKind archive_nres = {.archive = "archive",
                                  .an_archive = "an archive",
                                  .archives = "archives",
                                  .member = "member",
                                  .members = "members",
                                  .group = "nres",
                                  .pack_option = "type",
                                  .rule_letter = 'N',
                                  .rule_count = RULE_COUNT,
                                  .open = Open,
                                  .open_edited = OpenEdited,
                                  .close = Close,
                                  .locate = Locate,
                                  .count = Count,
                                  .find = Find,
                                  .offer = Offer,
                                  .list = List,
                                  .info = Info,
                                  .diff = Diff,
                                  .check = Check,
                                  .dump = Dump,
                                  .extract = Extract,
                                  .extract_one = ExtractOne,
                                  .files = Files,
                                  .assemble = Assemble,
                                  .parse = ParseType,
                                  .pack = ArchiveManifest_PackFolder,
                                  .edit = Edit,
                                  .sum_up = SumUp};
