/* NRes archives: reading in place, checking, editing, writing (facts/formats.md A).
 *
 * A file is a 16-byte header, payloads, and at its end a directory of 64-byte records. A model
 * (`.msh`) is such a file; a library (`.rlb`, `.lib`, ...) holds models among other things.
 *
 * Reading needs no allocation: RpNRes and RpNResEntry point into the caller's image, which must
 * outlive them. Editing works on RpNResArchive, which borrows the payloads that it does not change.
 * Any number of threads may read one RpNRes.
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
    RP_NRES_NAME_MAX = 35, /* characters that the game can read */
    RP_NRES_VERSION = 0x100,
    RP_NRES_ALIGNMENT = 8 /* of payloads */
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
    const char *name;     /* the 36 bytes of the field; what follows the first NUL is data, too */
    uint32_t name_length; /* up to the first NUL; 36 when there is none                         */
    uint32_t size, data_offset;
    const uint8_t *data; /* null when the range is not inside the data region (tolerant only)    */
    uint32_t sort_index; /* element `index` of the permutation: not a property of this entry     */
    uint32_t record_offset;
} RpNResEntry;

/* Strict: facts/formats.md A.5, rules 1 to 5, whose first breach is the error (rule id first in
 * `what`: N01 ...); an image opens strictly if and only if RpNRes_Check reports no error and no
 * warning. Tolerant: only the header and the directory must be sound; an entry whose range
 * is not has no data, and a broken permutation costs lookups their speed.
 * Nothing is allocated. `archive` is written only on RP_OK. */
RpStatus RpNRes_Open(const void *image, size_t size, RpReadMode mode, RpNRes *archive,
                     RpError *error);
/* `index` below count. */
RpNResEntry RpNRes_Entry(const RpNRes *archive, uint32_t index);
/* The first entry, in directory order, of that name (A to Z fold onto a to z, nothing else);
 * -1 without one. O(log n) when `sorted`, else linear. */
int32_t RpNRes_Find(const RpNRes *archive, const char *name);
/* As Find, for the game's own binary search (Ngi32 0x10011E60): with duplicate names it may return
 * any of them. -1 when the permutation does not lead there. */
int32_t RpNRes_FindAsGame(const RpNRes *archive, const char *name);
/* The first entry of the type at or after `from`; -1 without one. */
int32_t RpNRes_FindType(const RpNRes *archive, uint32_t type, uint32_t from);
/* Compares a name field (36 bytes) with a text as the game does: < 0, 0, > 0. */
int RpNRes_CompareName(const char field[RP_NRES_NAME_BYTES], const char *name);

/* Whether these bytes begin as an NRes image does. */
bool RpNRes_Is(const void *bytes, size_t size);

/* Reports every breach of the rules (N01 ... in docs/formats/nres.md), canonical form included:
 * writing canonically gives back an image of which nothing but infos are reported, and no other.
 * `work` is memory for sorting, RpNRes_CheckWork(count) bytes aligned for uint32_t, or null: an
 * archive whose payloads do not lie in directory order then takes longer, and duplicate names (N21)
 * are found only when the permutation is sound. Returns RP_OK or the first error. */
size_t RpNRes_CheckWork(uint32_t count);
RpStatus RpNRes_Check(const void *image, size_t size, void *work, const RpFindingSink *sink,
                      RpError *error);

/* ---- archives within archives ---------------------------------------------------------------- */

#define RP_NRES_MAX_DEPTH 3
/* Calls `visit` for the archive (depth 0) and for every entry in it that is an archive itself,
 * depth first, down to RP_NRES_MAX_DEPTH; `path` is "" or "name" or "name/name". Stops when visit
 * returns false. `offset` is that of the archive in the outermost image. Members that do not open
 * (tolerantly) are passed over, and so are archives that share their bytes, once RP_NRES_MAX_DEPTH
 * times the image's size has been opened. */
typedef bool (*RpNResVisit)(void *context, const RpNRes *archive, const char *path, uint32_t depth,
                            uint32_t offset);
void RpNRes_Walk(const RpNRes *archive, RpNResVisit visit, void *context);

/* ---- payloads that share bytes --------------------------------------------------------------- */

/* Entries may share bytes, so that the payloads of a small image can be very many bytes together.
 * RP_UNSUPPORTED when they are more than 16 times the image and more than 16 MiB: to be asked
 * before each payload is copied, written or compared for itself. */
RpStatus RpNRes_CheckCopies(const RpNRes *archive, RpError *error);

/* ---- editing --------------------------------------------------------------------------------- */

typedef struct RpNResMember {
    uint32_t type, attr1, attr2, attr3;
    char name[RP_NRES_NAME_BYTES]; /* with what follows its NUL */
    const uint8_t *data;           /* change it by Replace only */
    uint32_t size;
    uint32_t
        offset; /* where its payload, replaced or not, lay in the image that was read; else 0 */
    bool owned; /* data belongs to the archive, not to the image that was read */
} RpNResMember;

/* Bytes of the data region that no entry points to and that are not padding of fewer than 8 zeros.
 */
typedef struct RpNResRegion {
    const uint8_t *data;
    uint32_t offset, size;
} RpNResRegion;

typedef struct RpNResArchive {
    RpNResMember *members;
    uint32_t count, capacity;
    RpNResRegion *regions;
    uint32_t region_count;
    RpNRes source;          /* the image that was read; its image is null without one */
    bool keeps_table;       /* Read sets it: write the sort table as it was read, broken or not, */
                            /* while no member differs from what was read                       */
    uint64_t payload_bytes; /* of the members, each padded to a multiple of 8 */
    const RpAllocator *allocator;
} RpNResArchive;

/* Types and attributes of members are there to be changed; all else goes through the calls below,
 * which leave the archive as it was when they fail. */
void RpNResArchive_Init(RpNResArchive *archive, const RpAllocator *allocator);
/* Into an initialised, empty archive. Payloads stay in the image, which must outlive the archive.
 * RP_CORRUPT for an entry without data. */
RpStatus RpNResArchive_Read(RpNResArchive *archive, const RpNRes *image, RpError *error);
void RpNResArchive_Free(RpNResArchive *archive);

/* Inserts a member before `position` (count: at the end), copying its data. RP_INVALID for an empty
 * name or more members or bytes than the format holds. */
RpStatus RpNResArchive_Add(RpNResArchive *archive, uint32_t position, const RpNResMember *member,
                           RpError *error);
/* A new payload, copied; name, type and attributes stay. */
RpStatus RpNResArchive_Replace(RpNResArchive *archive, uint32_t index, const void *data,
                               uint32_t size, RpError *error);
RpStatus RpNResArchive_Remove(RpNResArchive *archive, uint32_t index, RpError *error);
/* Takes the member out and puts it before what then stands at `to`. */
RpStatus RpNResArchive_Move(RpNResArchive *archive, uint32_t from, uint32_t to, RpError *error);
/* 1 to 35 characters; the rest of the field becomes zero. */
RpStatus RpNResArchive_Rename(RpNResArchive *archive, uint32_t index, const char *name,
                              RpError *error);
/* First member of that name or type; -1 without one. */
int32_t RpNResArchive_Find(const RpNResArchive *archive, const char *name);
int32_t RpNResArchive_FindType(const RpNResArchive *archive, uint32_t type);

/* The directory orders of Ngi32 0x10012560, in its numbering (facts/ngi32.md E.5). */
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
/* "none", "attr1", ..., "attr2+name" ("type+attr1-again" for mode 6); null past the last. */
const char *RpNResSort_Name(RpNResSort sort);
/* Stable; numbers as unsigned, names as in lookups. */
RpStatus RpNResArchive_Sort(RpNResArchive *archive, RpNResSort sort, RpError *error);

/* ---- writing --------------------------------------------------------------------------------- */

typedef enum RpNResLayout {
    RP_NRES_CANONICAL, /* payloads back to back in directory order, as the game's own files have  */
    RP_NRES_PRESERVING /* payloads and unindexed regions keep their order in the image */
} RpNResLayout;

/* Puts the whole image into an empty buffer. Reading and writing an untouched archive gives the
 * same bytes: preserving always, canonical when the image was canonical.
 *
 * Preserving keeps bytes outside payloads and payloads that share bytes. What was removed closes up
 * and what was resized moves what follows it, by multiples of 8, as the game's own growing of an
 * entry does (facts/ngi32.md E.5); nothing else moves. New payloads follow at the end. The sort
 * table is made anew unless `keeps_table` and no member differs from what was read. */
RpStatus RpNResArchive_Write(const RpNResArchive *archive, RpNResLayout layout, RpBuffer *image,
                             RpError *error);

RP_API_END

#endif
