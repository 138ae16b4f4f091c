/* NRes archives: reading in place, checking, editing, writing (facts/formats.md A).
 *
 * A file consists of a 16-byte header, payloads, and at its end a directory of 64-byte records. A
 * model (`.msh`) is such a file; a library (`.rlb`, `.lib` and others) is one that holds models
 * among other things.
 *
 * Reading needs no allocation: RpNRes and RpNResEntry point into the caller's image, which must
 * outlive them. Editing works on an RpNResArchive, which borrows the payloads that it does not
 * change. Any number of threads may read one RpNRes.
 */
#ifndef RETROPOSE_NRES_H
#define RETROPOSE_NRES_H

#include "api.h"
#include "finding.h"
#include "memory.h"

RP_API_BEGIN

enum {
    RP_NRES_HEADER_BYTES = 16,
    RP_NRES_RECORD_BYTES = 64,
    RP_NRES_NAME_BYTES = 36,
    RP_NRES_NAME_MAX = 35, /* characters of a name that the game can read */
    RP_NRES_VERSION = 0x100,
    RP_NRES_ALIGNMENT = 8 /* payloads begin at multiples of this */
};

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct RpNRes {
    const uint8_t *image;
    uint32_t size;
    uint32_t count;
    uint32_t directory_offset;
    bool sorted; /* the stored permutation is sound, equal names in directory order: names are */
                 /* found in O(log n)                                                          */
} RpNRes;

typedef struct RpNResEntry {
    uint32_t index;
    uint32_t type, attr1, attr2, attr3;
    /* the 36 bytes of the field; what follows the first NUL counts as data, too */
    const char *name;
    uint32_t name_length; /* characters before the first NUL; 36 when there is none */
    uint32_t size, data_offset;
    /* null when its range is not inside the data region, which only a tolerant reading accepts */
    const uint8_t *data;
    /* element `index` of the sort permutation, which is not a property of this entry */
    uint32_t sort_index;
    uint32_t record_offset;
} RpNResEntry;

/* Opens an image. Strict reading demands rules 1 to 5 of facts/formats.md A.5; the first breach is
 * the error, with the rule's id (N01 ...) first in `what`. An image opens strictly if and only if
 * RpNRes_Check reports no error and no warning. Tolerant reading demands only a sound header and
 * directory; an entry whose range is not sound has no data, and a broken permutation makes lookups
 * slower. Nothing is allocated. `archive` is written only on RP_OK. RP_TRUNCATED stands for an
 * image that is shorter than a header or than its header says, RP_CORRUPT for every other breach.
 */
RpStatus RpNRes_Open(const void *image, size_t size, RpReadMode mode, RpNRes *archive,
                     RpError *error);
/* Returns an entry. `index` must be below the count. */
RpNResEntry RpNRes_Entry(const RpNRes *archive, uint32_t index);
/* Returns the first entry of that name in directory order, or -1. The letters A to Z are the same
 * as a to z; no other characters are folded. The search takes logarithmic time when `sorted` is
 * set, else linear time. */
int32_t RpNRes_Find(const RpNRes *archive, const char *name);
/* Searches as the game's own binary search does (Ngi32 0x10011E60). Among duplicate names it may
 * return any. The result is -1 also when the permutation does not lead to the name. */
int32_t RpNRes_FindAsGame(const RpNRes *archive, const char *name);
/* Returns the first entry of the type at or after `from`, or -1. */
int32_t RpNRes_FindType(const RpNRes *archive, uint32_t type, uint32_t from);
/* Compares a name field with a text as the game does. The result is below, equal to or above 0. */
int RpNRes_CompareName(const char field[RP_NRES_NAME_BYTES], const char *name);

/* Returns whether these bytes begin as an NRes image does. */
bool RpNRes_Is(const void *bytes, size_t size);

/* Reports every breach of the rules (N01 and on, listed in docs/formats/nres.md), those of
 * canonical form included. An image has no findings but infos if and only if writing it canonically
 * gives it back. `work` is memory for sorting: RpNRes_CheckWork(count) bytes aligned for uint32_t,
 * or null. Without it, an archive takes longer whose payloads do not lie in directory order
 * (n^2 / 192 steps for n entries), or whose sort table does not follow the names (n^2 / 8192), and
 * duplicate names (N21) are found only when the permutation is sound. Returns RP_OK or the first
 * error. */
size_t RpNRes_CheckWork(uint32_t count);
/* Checks all rules of an image and reports each finding to `sink`. Returns RP_OK, or RP_CORRUPT
 * made of the first finding of severity error. `work` has the room that RpNRes_CheckWork returns,
 * or is null. */
RpStatus RpNRes_Check(const void *image, size_t size, void *work, const RpFindingSink *sink,
                      RpError *error);

/* ---- archives within archives ---------------------------------------------------------------- */

#define RP_NRES_MAX_DEPTH 3
/* Calls `visit` for the archive (depth 0) and for every entry in it that is itself an archive,
 * depth first, down to RP_NRES_MAX_DEPTH. `path` is "", "name" or "name/name", and `offset` is that
 * of the archive in the outermost image. The walk stops when `visit` returns false. Members that do
 * not open tolerantly are passed over. Because archives may share bytes, the walk also passes over
 * further ones once it has opened RP_NRES_MAX_DEPTH times the image's size. */
typedef bool (*RpNResVisit)(void *context, const RpNRes *archive, const char *path, uint32_t depth,
                            uint32_t offset);
/* Walks over an archive and those in it, and calls `visit` with `context` for each. */
void RpNRes_Walk(const RpNRes *archive, RpNResVisit visit, void *context);

/* ---- payloads that share bytes --------------------------------------------------------------- */

/* Entries may share bytes, so that the payloads of a small image can add up to very many bytes. The
 * result is RP_UNSUPPORTED when their sum is more than 16 times the image and more than 16 MiB.
 * Call this before each payload is copied, written or compared by itself. */
RpStatus RpNRes_CheckCopies(const RpNRes *archive, RpError *error);

/* ---- editing --------------------------------------------------------------------------------- */

typedef struct RpNResMember {
    uint32_t type, attr1, attr2, attr3;
    char name[RP_NRES_NAME_BYTES]; /* the whole field, with what follows its NUL */
    const uint8_t *data;           /* change it through RpNResArchive_Replace only */
    uint32_t size;
    uint32_t
        offset; /* where its payload, replaced or not, lay in the image that was read; else 0 */
    bool owned; /* whether the data belongs to the archive and not to the image that was read */
} RpNResMember;

/* Bytes of the data region that no entry points to, except for padding of fewer than 8 zeros. */
typedef struct RpNResRegion {
    const uint8_t *data;
    uint32_t offset, size;
} RpNResRegion;

typedef struct RpNResArchive {
    RpNResMember *members;
    uint32_t count, capacity;
    RpNResRegion *regions;
    uint32_t region_count;
    RpNRes source;          /* the image that was read; its `image` is null when there was none */
    bool keeps_table;       /* Read sets it: write the sort table as it was read, broken or not, */
                            /* while no member differs from what was read                       */
    uint64_t payload_bytes; /* sum over the members, each padded to a multiple of 8 */
    const RpAllocator *allocator;
} RpNResArchive;

/* Callers may change types and attributes of members directly. Everything else changes through the
 * calls below, which leave the archive as it was when they fail. */

/* Makes an empty archive. A null allocator is the C library's heap. */
void RpNResArchive_Init(RpNResArchive *archive, const RpAllocator *allocator);
/* Reads an image into an initialised, empty archive. Payloads stay in the image, which must outlive
 * the archive. RP_CORRUPT stands for an entry without data. */
RpStatus RpNResArchive_Read(RpNResArchive *archive, const RpNRes *image, RpError *error);
/* Frees what an archive owns, and leaves it empty. */
void RpNResArchive_Free(RpNResArchive *archive);

/* Inserts a member before `position` (the count inserts at the end) and copies its data. RP_INVALID
 * stands for an empty name and for more members or bytes than the format holds. */
RpStatus RpNResArchive_Add(RpNResArchive *archive, uint32_t position, const RpNResMember *member,
                           RpError *error);
/* Replaces a payload by a copy of `data`; name, type and attributes stay. RP_INVALID stands for an
 * index that does not exist, and for more bytes than the format holds. */
RpStatus RpNResArchive_Replace(RpNResArchive *archive, uint32_t index, const void *data,
                               size_t size, RpError *error);
/* Removes a member. RP_INVALID stands for an index that does not exist. */
RpStatus RpNResArchive_Remove(RpNResArchive *archive, uint32_t index, RpError *error);
/* Takes the member out and inserts it before the member that then stands at `to`. RP_INVALID stands
 * for an index that does not exist. */
RpStatus RpNResArchive_Move(RpNResArchive *archive, uint32_t from, uint32_t to, RpError *error);
/* Renames a member to 1 to 35 characters. The rest of the field becomes zero. RP_INVALID stands for
 * another length, and for an index that does not exist. */
RpStatus RpNResArchive_Rename(RpNResArchive *archive, uint32_t index, const char *name,
                              RpError *error);
/* Returns the first member of that name, compared as in lookups, or -1. */
int32_t RpNResArchive_Find(const RpNResArchive *archive, const char *name);
/* Returns the first member of a type, or -1. */
int32_t RpNResArchive_FindType(const RpNResArchive *archive, uint32_t type);

/* The directory orders of the code at Ngi32 0x10012560, in its numbering (facts/ngi32.md E.5). */
typedef enum RpNResSort {
    RP_NRES_SORT_NONE,
    RP_NRES_SORT_ATTR1,
    RP_NRES_SORT_ATTR2,
    RP_NRES_SORT_ATTR1_ATTR2,
    RP_NRES_SORT_TYPE,
    RP_NRES_SORT_TYPE_ATTR1,
    RP_NRES_SORT_TYPE_ATTR1_AGAIN, /* mode 6 is published as the same as mode 5 */
    RP_NRES_SORT_TYPE_ATTR1_ATTR2,
    RP_NRES_SORT_NAME,
    RP_NRES_SORT_TYPE_NAME,
    RP_NRES_SORT_ATTR1_NAME,
    RP_NRES_SORT_ATTR2_NAME,
    RP_NRES_SORT_COUNT
} RpNResSort;
/* Returns "none", "attr1", ..., "attr2+name" ("type+attr1-again" for mode 6), and null past the
 * last. */
const char *RpNResSort_Name(RpNResSort sort);
/* Sorts the members stably. Numbers compare as unsigned, names as in lookups. RP_INVALID stands for
 * an order that does not exist. */
RpStatus RpNResArchive_Sort(RpNResArchive *archive, RpNResSort sort, RpError *error);

/* ---- writing --------------------------------------------------------------------------------- */

typedef enum RpNResLayout {
    /* payloads lie back to back in directory order, as in the game's own files */
    RP_NRES_CANONICAL,
    /* payloads and unindexed regions keep the order that they have in the image */
    RP_NRES_PRESERVING
} RpNResLayout;

/* Writes the whole image into an empty buffer. Reading and writing an untouched archive gives the
 * same bytes: always with RP_NRES_PRESERVING, and with RP_NRES_CANONICAL when the image was
 * canonical.
 *
 * The preserving layout keeps bytes outside payloads, and payloads that share bytes. A removed
 * payload leaves no gap, and a resized one moves what follows it by multiples of 8, as the game's
 * own growing of an entry does (facts/ngi32.md E.5); nothing else moves. New payloads follow at the
 * end. The sort table is made anew unless `keeps_table` is set and no member differs from what was
 * read.
 *
 * RP_INVALID stands for a buffer that is not empty, and for an image of more than 4 GiB;
 * RP_UNSUPPORTED, with RP_NRES_CANONICAL, for what RpNRes_CheckCopies refuses. */
RpStatus RpNResArchive_Write(const RpNResArchive *archive, RpNResLayout layout, RpBuffer *image,
                             RpError *error);

/* ---- either of the two ----------------------------------------------------------------------- */

/* The entries of an image or of an archive under construction, for functions that only read. They
 * hold until what they were made of changes. */
typedef struct RpNResEntries {
    const RpNRes *image; /* exactly one of the two pointers is not null */
    const RpNResArchive *archive;
    uint32_t count;
} RpNResEntries;

/* Returns the entries of an image. */
RpNResEntries RpNRes_Entries(const RpNRes *archive);
/* Returns the entries of an archive under construction. */
RpNResEntries RpNResArchive_Entries(const RpNResArchive *archive);
/* Returns an entry. `index` must be below the count. An entry of an archive under construction lies
 * nowhere yet: its offsets and its sort index are 0. */
RpNResEntry RpNResEntries_Get(const RpNResEntries *entries, uint32_t index);

RP_API_END

#endif
