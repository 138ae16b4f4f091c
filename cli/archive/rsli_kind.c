/* What the verbs of archives do with RsLi libraries. */
#include "cli/archive/archive_common.h"
#include "formats/archive/rsli_diff.h"
#include "formats/archive/rsli_edit.h"
#include "formats/archive/rsli_list.h"
#include "formats/archive/rsli_manifest.h"
#include "formats/archive/rsli_names.h"

enum { RULE_COUNT = 29 }; /* docs/formats/rsli.md */

/* ---- opening --------------------------------------------------------------------------------- */

/* Returns the flags for rsOpenLib. Flag 2 makes it look for a trailer; --no-trailer clears it. */
static uint32_t Flags(const Cli *cli) {
    return Cli_Has(cli, "no-trailer") ? 0 : 2;
}

static RpStatus Open(ArchiveInput *input, RpError *error) {
    input->mapping = &input->rsli.mapping;
    return RsLiSource_Open(&input->rsli, input->path, Flags(input->cli), error);
}

static void Close(ArchiveInput *input) {
    RsLiSource_Close(&input->rsli);
}

static void Locate(const ArchiveInput *input, RpError *error) {
    CliFile_Locate(input->path, error->status, error);
}

static uint32_t Count(const ArchiveInput *input) {
    return input->rsli.rsli.count;
}

/* Finds an entry as the game does. */
static int32_t Find(const ArchiveInput *input, const char *word) {
    char name[RP_RSLI_NAME_BYTES + 1];
    return RsLiName_FromUtf8(word, name) ? RpRsLi_Find(&input->rsli.rsli, name) : RP_NO_INDEX;
}

static void Offer(const ArchiveInput *input, uint32_t index, MemberNearest *nearest) {
    char shown[LIBRARY_SHOWN_BYTES];
    RsLiName_Show(input->rsli.rsli.records[index].name, shown);
    MemberNearest_Offer(nearest, shown);
}

/* ---- showing --------------------------------------------------------------------------------- */

static RpStatus List(const ArchiveInput *input, bool json, RpBuffer *text, RpError *error) {
    return (json ? RsLiList_Json : RsLiList_Text)(&input->rsli.rsli, text, error);
}

static RpStatus Info(const ArchiveInput *input, bool json, RpBuffer *text, RpError *error) {
    return json ? RsLiInfo_Json(&input->rsli.rsli, NULL, text, error)
                : RsLiInfo_Text(&input->rsli.rsli, text, error);
}

static RpStatus Diff(const ArchiveInput *a, const ArchiveInput *b, bool json, RpBuffer *text,
                     bool *different, RpError *error) {
    return (json ? RsLiDiff_Json : RsLiDiff_Text)(&a->rsli.rsli, &b->rsli.rsli, text, different,
                                                  error);
}

typedef struct Checking {
    Findings *findings;
    const RpRsLi *rsli; /* null when it does not open */
} Checking;

static void Take(void *context, const RpFinding *finding) {
    Checking *checking = context;
    char shown[LIBRARY_SHOWN_BYTES];
    const bool named = finding->entry >= 0 && checking->rsli;
    if (named)
        RsLiName_Show(checking->rsli->records[finding->entry].name, shown);
    Findings_Take(checking->findings, named ? shown : NULL, finding);
}

/* A library that does not open is checked, too, as far as it can be read. */
static void Check(Findings *findings, const char *path) {
    const uint32_t flags = Flags(findings->cli);
    Checking checking = {.findings = findings};
    RsLiSource source;
    RpError error;
    const RpStatus status = RsLiSource_Open(&source, path, flags, &error);
    checking.rsli = status == RP_OK ? &source.rsli : NULL;
    if (status == RP_OK || status == RP_CORRUPT) {
        static const uint8_t nothing[1];
        const RpFindingSink sink = {.take = Take, .context = &checking};
        Findings_BeginFile(findings, path, 0);
        if (RpRsLi_Check(source.mapping.bytes ? source.mapping.bytes : nothing, source.mapping.size,
                         flags, NULL, &sink, &error) == RP_NO_MEMORY)
            Findings_Fail(findings, &error);
    } else {
        Findings_Fail(findings, &error);
    }
    RsLiSource_Close(&source);
}

/* ---- extracting ------------------------------------------------------------------------------ */

static RpStatus Dump(const ArchiveInput *input, RpBuffer *text, RpError *error) {
    return RsLiManifest_Dump(&input->rsli.rsli, text, error);
}

static RpStatus Extract(const ArchiveInput *input, const char *folder, bool *written,
                        RpError *error) {
    return RsLiManifest_Extract(&input->rsli.rsli, folder, written, error);
}

static RpStatus ExtractOne(const ArchiveInput *input, uint32_t index, const char *folder,
                           RpError *error) {
    return RsLiManifest_ExtractEntry(&input->rsli.rsli, index, Cli_Has(input->cli, "packed"),
                                     folder, error);
}

static RpStatus Files(const ArchiveInput *input, const MemberFilesGiven *given, RpBuffer *json,
                      RpError *error) {
    return RsLiFiles_Json(&input->rsli.rsli, given, json, error);
}

/* ---- writing --------------------------------------------------------------------------------- */

static RpStatus Assemble(const char *text, size_t size, const char *folder, void *context,
                         RpBuffer *image, RpError *error) {
    const ArchiveLayout *layout = context;
    return RsLiManifest_Assemble(text, size, folder, layout->canonical, image, error);
}

static bool ParseMethod(const char *word, uint32_t *value) {
    const int32_t method = RpRsLiMethod_Parse(word);
    *value = (uint32_t)method;
    if (method < 0)
        Cli_Complain("--method is " ARCHIVE_RSLI_METHODS ", not %s", word);
    return method >= 0;
}

static RpStatus Edit(const ArchiveInput *input, const ArchiveOperations *operations, bool canonical,
                     RpBuffer *image, RpError *error) {
    RpRsLiArchive archive;
    RsLiEditor editor = {.archive = &archive, .method = -1};
    RpRsLiArchive_Init(&archive, NULL);
    RpStatus status = RpRsLiArchive_Read(&archive, &input->rsli.rsli, error);
    for (size_t i = 0; status == RP_OK && i < operations->count; i++)
        status = RsLiEdit_Apply(&editor, operations->given[i].option->name,
                                operations->given[i].value, error);
    if (status == RP_OK)
        status = RpRsLiArchive_Write(&archive, canonical ? RP_RSLI_CANONICAL : RP_RSLI_PRESERVING,
                                     image, error);
    RpRsLiArchive_Free(&archive);
    return status;
}

static RpStatus SumUp(const Cli *cli, const RpBuffer *image, const char *path, RpBuffer *text,
                      RpError *error) {
    RsLiSource source;
    RpStatus status = RsLiSource_Read(&source, path, image->bytes, image->size, Flags(cli), error);
    if (status == RP_OK)
        status = RsLiInfo_Json(&source.rsli, path, text, error);
    RsLiSource_Close(&source);
    return status;
}

const ArchiveKind archive_rsli = {.archive = "library",
                                  .an_archive = "a library",
                                  .archives = "libraries",
                                  .member = "entry",
                                  .members = "entries",
                                  .group = "rsli",
                                  .pack_option = "method",
                                  .rule_letter = 'R',
                                  .rule_count = RULE_COUNT,
                                  .open = Open,
                                  .open_edited = Open,
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
                                  .parse = ParseMethod,
                                  .pack = RsLiManifest_PackFolder,
                                  .edit = Edit,
                                  .sum_up = SumUp};
