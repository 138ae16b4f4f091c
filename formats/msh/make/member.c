#include "formats/msh/make/member.h"

#include <inttypes.h>
#include <stdio.h>

RpStatus Member_Open(Member *member, const RpNResArchive *archive, uint32_t type, RpError *error) {
    char where[24];
    int32_t index = RpNResArchive_FindType(archive, type);
    *member = (Member){.index = (uint32_t)index};
    if (index < 0) {
        snprintf(where, sizeof where, "Res%" PRIu32, type);
        return RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "the model lacks a stream", where,
                           "the stream", "");
    }
    member->size = archive->members[index].size;
    if (member->size == 0)
        return RP_OK;
    member->bytes = Make_Array(archive->allocator, member->size, 1);
    if (!member->bytes)
        return RpMemory_Refused(error, "a stream");
    memcpy(member->bytes, archive->members[index].data, member->size);
    return RP_OK;
}

RpStatus Member_Put(const Member *member, RpNResArchive *archive, RpError *error) {
    return RpNResArchive_Replace(archive, member->index, member->bytes, member->size, error);
}

void Member_Free(Member *member, const RpNResArchive *archive) {
    RpMemory_Free(archive->allocator, member->bytes);
    *member = (Member){.index = 0};
}

/* ---- drafts ---------------------------------------------------------------------------------- */

RpStatus Draft_Begin(Draft *draft, RpNResArchive *archive, RpError *error) {
    *draft = (Draft){.archive = archive, .copy = *archive};
    draft->copy.capacity = archive->count + 2; /* room enough in most cases */
    draft->copy.members =
        Make_Array(archive->allocator, draft->copy.capacity, sizeof *draft->copy.members);
    if (!draft->copy.members)
        return RpMemory_Refused(error, "the members of an archive");
    for (uint32_t i = 0; i < archive->count; i++) {
        draft->copy.members[i] = archive->members[i];
        draft->copy.members[i].owned = false;
    }
    return RP_OK;
}

static void FreePayload(const RpNResArchive *archive, const RpNResMember *member) {
    RpMemory_Free(archive->allocator, (void *)(uintptr_t)member->data);
}

RpStatus Draft_End(Draft *draft, RpStatus status) {
    if (status == RP_OK) {
        RpNResArchive *archive = draft->archive;
        for (uint32_t i = 0; i < archive->count; i++) {
            const RpNResMember *member = &archive->members[i];
            if (!member->owned || !member->data)
                continue;

            /* A payload that the copy still has belongs to the copy from here on. */
            bool taken = false;
            for (uint32_t k = 0; k < draft->copy.count && !taken; k++) {
                RpNResMember *copied = &draft->copy.members[k];
                taken = !copied->owned && copied->data == member->data;
                copied->owned |= taken;
            }
            if (!taken)
                FreePayload(archive, member);
        }
        RpMemory_Free(archive->allocator, archive->members);
        *archive = draft->copy;
    } else {
        for (uint32_t i = 0; i < draft->copy.count; i++)
            if (draft->copy.members[i].owned)
                FreePayload(&draft->copy, &draft->copy.members[i]);
        RpMemory_Free(draft->copy.allocator, draft->copy.members);
    }
    return status;
}
