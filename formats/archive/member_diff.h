/* Finds and reports the differences between two archives of the same kind, NRes or RsLi, as far as
 * this is the same for both kinds. */
#ifndef RETROPOSE_FORMATS_ARCHIVE_MEMBER_DIFF_H
#define RETROPOSE_FORMATS_ARCHIVE_MEMBER_DIFF_H

#include "retropose/finding.h"
#include "retropose/memory.h"

struct cJSON;

typedef enum MemberChange {
    MEMBER_REMOVED,
    MEMBER_ADDED,
    MEMBER_MOVED,    /* from, to: positions. As few members as possible count as moved */
    MEMBER_FIELD,    /* NRes. from, to: values */
    MEMBER_NAME,     /* NRes: case of letters, or bytes behind the NUL; at: in the field */
    MEMBER_PAYLOAD,  /* NRes. from, to: sizes; at: the first byte that differs, in the payload */
    MEMBER_METHOD,   /* RsLi. from, to: flags */
    MEMBER_SERVICE,  /* RsLi: the four bytes that the game does not read */
    MEMBER_CONTENTS, /* RsLi. from, to: unpacked sizes; at: the first byte that differs */
    MEMBER_PACKED,   /* RsLi: same contents, packed in other bytes; from, to: packed sizes; at */
    MEMBER_HEADER, /* RsLi. at: the first byte that differs and does not follow from the entries */
    MEMBER_LAYOUT  /* everything else is the same; at: the first byte that differs, in the image */
} MemberChange;

typedef struct MemberDifference {
    MemberChange change;
    int32_t a, b;      /* numbers of the member in the two archives, or RP_NO_INDEX */
    const char *field; /* for MEMBER_FIELD "type", "attr1" and so on; otherwise null */
    uint32_t from, to;
    uint64_t at;
} MemberDifference;

typedef void (*MemberDiffTake)(void *context, const MemberDifference *difference);

/* ---- comparing ------------------------------------------------------------------------------- */

typedef struct MemberDiff {
    uint32_t a_count, b_count;
    int32_t *match_of_a, *match_of_b; /* the same member in the other archive, or RP_NO_INDEX */
    MemberDiffTake take;
    void *context; /* passed to `take` */
    bool any;      /* a difference was found */
} MemberDiff;

/* Begins a comparison in which no member has a match yet. The result is false when memory is
 * refused. MemberDiff_End has to follow in any case. */
bool MemberDiff_Begin(MemberDiff *diff, uint32_t a_count, uint32_t b_count);
void MemberDiff_End(MemberDiff *diff);
/* Says that these two are the same member. */
void MemberDiff_Match(MemberDiff *diff, uint32_t a, uint32_t b);
void MemberDiff_Report(MemberDiff *diff, MemberDifference difference);
/* Reports what was removed and added, lets `compare` report what differs between matching members,
 * and reports what has moved. The result is false when memory is refused. */
bool MemberDiff_Members(MemberDiff *diff, void (*compare)(void *comparing, uint32_t a, uint32_t b),
                        void *comparing);
/* Reports that the images differ, if they do and nothing else does. */
void MemberDiff_Images(MemberDiff *diff, const uint8_t *a, uint64_t a_size, const uint8_t *b,
                       uint64_t b_size);
/* Returns the first byte that differs, or `size` when there is none. */
uint64_t MemberDiff_FirstByte(const void *a, const void *b, uint64_t size);

/* ---- reporting ------------------------------------------------------------------------------- */

/* How members of one kind of archive are compared and shown. */
typedef struct MemberDiffKind {
    const char *comparison; /* "the comparison of two archives", for errors */
    const char *members;    /* "members" or "entries" */
    RpStatus (*compare)(const void *a, const void *b, MemberDiffTake take, void *context,
                        RpError *error);
    /* Appends the text that follows the number of a member. */
    void (*print_name)(RpBuffer *text, const void *archive, uint32_t member);
    /* Appends the rest of the line about MEMBER_REMOVED, _ADDED, _FIELD or _METHOD. */
    void (*print_change)(RpBuffer *text, const void *archive, uint32_t member,
                         const MemberDifference *difference);
    /* Adds the fields by which a member is named. */
    bool (*add_name)(struct cJSON *object, const void *archive, uint32_t member);
} MemberDiffKind;

/* Append one line for each difference, or one JSON object. *different may be null. */
RpStatus MemberDiff_Text(const MemberDiffKind *kind, const void *a, const void *b, RpBuffer *text,
                         bool *different, RpError *error);
RpStatus MemberDiff_Json(const MemberDiffKind *kind, const void *a, const void *b, RpBuffer *json,
                         bool *different, RpError *error);

#endif
