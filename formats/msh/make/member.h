/* Streams of a model that is being edited. Their bytes are copied, changed, and put back as a
 * whole. */
#ifndef RETROPOSE_FORMATS_MSH_MAKE_MEMBER_H
#define RETROPOSE_FORMATS_MSH_MAKE_MEMBER_H

#include "formats/msh/make/make.h"

typedef struct Member {
    uint32_t index; /* in the archive */
    uint8_t *bytes; /* null where size is 0 */
    uint32_t size;
} Member;

/* Returns RP_NOT_FOUND where the model does not have the stream. Member_Free is needed after
 * every success. */
RpStatus Member_Open(Member *member, const RpNResArchive *archive, uint32_t type, RpError *error);
RpStatus Member_Put(const Member *member, RpNResArchive *archive, RpError *error);
void Member_Free(Member *member, const RpNResArchive *archive);

/* ---- drafts ---------------------------------------------------------------------------------- */

/* A copy of an archive for several changes, of which either all or none are made. It shares the
 * payloads that it does not change. */
typedef struct Draft {
    RpNResArchive *archive;
    RpNResArchive copy; /* the one to change */
} Draft;

RpStatus Draft_Begin(Draft *draft, RpNResArchive *archive, RpError *error);
/* If `status` is RP_OK, puts the copy in the place of the archive. Returns `status`. */
RpStatus Draft_End(Draft *draft, RpStatus status);

#endif
