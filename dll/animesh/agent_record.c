/* Reads records of objects and parts (facts/animesh.md B, C.3). A record has pairs of 32-byte
 * names, one of an archive and one of a member. That the three pairs from +0x80 on are the control
 * system's was read. That the pair at +0x00 is the mesh's and the pair at +0x40 the wear's is
 * assumed. A member that is a model takes the place of a record. */
#include "dll/animesh/agent.h"

#include "dll/animesh/fastproc_math.h"
#include "dll/animesh/resfile.h"

#include <string.h>

typedef struct Payload {
    const uint8_t *bytes;
    uint32_t size, tag;
} Payload;

static RpStatus Refuse(RpError *error, RpStatus status, const char *what, const char *where) {
    return RpError_Set(error, status, RP_NOWHERE, what, where, "", "");
}

static RpStatus Take(const Payload *payload, const char *archive, const char *member,
                     AgentRecord *record, RpError *error) {
    record->tag = payload->tag;
    if (payload->size >= 4 && memcmp(payload->bytes, "NRes", 4) == 0) {
        if (strlen(archive) > NAME_BYTES || strlen(member) > NAME_BYTES)
            return Refuse(error, RP_INVALID, "a name of more than 32 letters", member);
        memcpy(record->names[PAIR_MESH][0], archive, strlen(archive));
        memcpy(record->names[PAIR_MESH][1], member, strlen(member));
        return RP_OK;
    }

    for (uint32_t i = 0; i < 2 * PAIR_COUNT; i++)
        if (payload->size >= (i + 1) * NAME_BYTES)
            memcpy(record->names[i / 2][i % 2], payload->bytes + i * NAME_BYTES, NAME_BYTES);

    return record->names[PAIR_MESH][1][0]
               ? RP_OK
               : Refuse(error, RP_CORRUPT, "the record names no mesh", member);
}

RpStatus AgentRecord_Read(const char *archive, const char *member, AgentRecord *record,
                          RpError *error) {
    memset(record, 0, sizeof *record);
    const void *file =
        ngi32_open_archive ? (const void *)ngi32_open_archive(archive, ARCHIVE_CACHEABLE) : NULL;
    if (!file)
        return Refuse(error, RP_NOT_FOUND, "the archive cannot be opened", archive);

    RpStatus status;
    const int32_t index = ResFile_Find(file, member);
    const ResRecord *directory = ResFile_Directory(file);
    if (index == RES_ABSENT || !directory) {
        status = Refuse(error, RP_NOT_FOUND, "the archive has no such member", member);
    } else {
        const Payload payload = {.bytes = ResFile_Data(file, index),
                                 .size = directory[index].size,
                                 .tag = directory[index].type};
        status = payload.bytes ? Take(&payload, archive, member, record, error)
                               : Refuse(error, RP_CORRUPT, "a member without data", member);
    }
    ResFile_Release(file);
    return status;
}
