#include "msh_member.h"

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
