/* The verbs of `nres` and `rsli` are the same for both kinds of archive. What differs between the
 * kinds is a table for each, in nres_kind.c and rsli_kind.c. */
#ifndef RETROPOSE_CLI_ARCHIVE_ARCHIVE_COMMON_H
#define RETROPOSE_CLI_ARCHIVE_ARCHIVE_COMMON_H

#include "cli/files.h"
#include "cli/findings.h"
#include "formats/archive/member_list.h"
#include "formats/archive/rsli_source.h"
#include "formats/msh/file/model_source.h"

#define ARCHIVE_RSLI_METHODS "stored, xor, lzss, xor+lzss, huffman, xor+huffman or deflate"

/* An archive that a verb reads, of either kind. */
typedef struct ArchiveInput {
    const Cli *cli;
    const char *path; /* as it was given */
    ModelSource nres; /* set for NRes archives: FILE or FILE::MEMBER */
    RsLiSource rsli;  /* set for RsLi libraries */
    Mapping *mapping; /* the file */
} ArchiveInput;

/* The layout that --layout asks for. */
typedef struct ArchiveLayout {
    bool canonical, given;
} ArchiveLayout;

/* The operations of `edit` in the order of the command line. */
typedef struct ArchiveOperations {
    CliGiven *given;
    size_t count;
} ArchiveOperations;

typedef struct ArchiveKind {
    const char *archive;    /* "archive" or "library", for messages */
    const char *an_archive; /* with its article */
    const char *archives;   /* the plural */
    const char *member;     /* "member" or "entry" */
    const char *members;    /* the plural */
    const char *group;      /* "nres" or "rsli" */
    const char
        *pack_option; /* option of `pack` for folders without a manifest: what their files become */
    char rule_letter;
    int rule_count;

    /* `open` opens the archive tolerantly. `open_edited` may leave that to `edit` and map only the
     * file. */
    RpStatus (*open)(ArchiveInput *input, RpError *error);
    RpStatus (*open_edited)(ArchiveInput *input, RpError *error);
    void (*close)(ArchiveInput *input);
    /* Puts the archive's name in front of the place in an error. */
    void (*locate)(const ArchiveInput *input, RpError *error);
    uint32_t (*count)(const ArchiveInput *input);
    /* Finds the first member of this name. Returns a negative number if there is none. */
    int32_t (*find)(const ArchiveInput *input, const char *name);
    void (*offer)(const ArchiveInput *input, uint32_t index, MemberNearest *nearest);

    RpStatus (*list)(const ArchiveInput *input, bool json, RpBuffer *text, RpError *error);
    RpStatus (*info)(const ArchiveInput *input, bool json, RpBuffer *text, RpError *error);
    RpStatus (*diff)(const ArchiveInput *a, const ArchiveInput *b, bool json, RpBuffer *text,
                     bool *different, RpError *error);
    void (*check)(Findings *findings, const char *path);
    RpStatus (*dump)(const ArchiveInput *input, RpBuffer *text, RpError *error);
    /* `written`, which may be null, becomes false for each member that could not be unpacked. */
    RpStatus (*extract)(const ArchiveInput *input, const char *folder, bool *written,
                        RpError *error);
    RpStatus (*extract_one)(const ArchiveInput *input, uint32_t index, const char *folder,
                            RpError *error);
    RpStatus (*files)(const ArchiveInput *input, const MemberFilesGiven *given, RpBuffer *json,
                      RpError *error);

    CliAssembler *assemble; /* its context is an ArchiveLayout */
    /* Takes the value of `pack_option`; says what is wrong and returns false. */
    bool (*parse)(const char *word, uint32_t *value);
    RpStatus (*pack)(const char *folder, uint32_t value, RpBuffer *image, RpError *error);
    RpStatus (*edit)(const ArchiveInput *input, const ArchiveOperations *operations, bool canonical,
                     RpBuffer *image, RpError *error);
    /* Sums up an image that was written to `path`. */
    RpStatus (*sum_up)(const Cli *cli, const RpBuffer *image, const char *path, RpBuffer *text,
                       RpError *error);
} ArchiveKind;

extern const ArchiveKind archive_nres, archive_rsli;

/* The kind that a verb works on: RsLi for the verbs of that group, else NRes. */
const ArchiveKind *ArchiveKind_Of(const Cli *cli);
/* Opens the archive; says what is wrong and returns false otherwise. */
bool ArchiveInput_Open(ArchiveInput *input, const Cli *cli, const char *path);
/* Locates an error, unless it is one of input and output, which names its file itself. Returns
 * `status`. */
RpStatus ArchiveInput_Locate(const ArchiveInput *input, RpStatus status, RpError *error);

/* Writes an NRes image unless `status` is an error, and frees it. With --json it is summed up.
 * Returns the exit code. */
int ArchiveVerb_Write(const Cli *cli, RpBuffer *image, RpStatus status, const char *path,
                      RpError *error);

int ArchiveVerb_List(Cli *cli);
int ArchiveVerb_Info(Cli *cli);
int ArchiveVerb_Check(Cli *cli);
int ArchiveVerb_Extract(Cli *cli);
int ArchiveVerb_Pack(Cli *cli);
int ArchiveVerb_Edit(Cli *cli);
int ArchiveVerb_Diff(Cli *cli);
int ArchiveVerb_Dump(Cli *cli);
int ArchiveVerb_Assemble(Cli *cli);

#endif
