/* Streams of a model under edit: copies of their bytes that go back as a whole. */
#ifndef RETROPOSE_FORMATS_MSH_MAKE_MEMBER_H
#define RETROPOSE_FORMATS_MSH_MAKE_MEMBER_H

#include "formats/msh/make/make.h"

typedef struct Member {
    uint32_t index; /* in the archive */
    uint8_t *bytes; /* null when size is 0 */
    uint32_t size;
} Member;

/* RP_NOT_FOUND when the model lacks the stream. Free after every success. */
RpStatus Member_Open(Member *member, const RpNResArchive *archive, uint32_t type, RpError *error);
RpStatus Member_Put(const Member *member, RpNResArchive *archive, RpError *error);
void Member_Free(Member *member, const RpNResArchive *archive);

/* ---- drafts ---------------------------------------------------------------------------------- */

/* An archive that several changes are made to, of which either all or none come to stay. It shares
 * the payloads that it does not change. */
typedef struct Draft {
    RpNResArchive *archive;
    RpNResArchive copy; /* change this one */
} Draft;

RpStatus Draft_Begin(Draft *draft, RpNResArchive *archive, RpError *error);
/* The archive becomes the copy when `status` is RP_OK, which is returned. */
RpStatus Draft_End(Draft *draft, RpStatus status);

#endif
