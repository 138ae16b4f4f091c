/* Reads records of objects and parts (facts/animesh.md B, C.3). A record has pairs of 32-byte
 * names, one of an archive and one of a member. That the three pairs from +0x80 on are the control
 * system's was read. That the pair at +0x00 is the mesh's and the pair at +0x40 the wear's is
 * assumed. A member that is a model takes the place of a record. */
#include "dll/animesh/agent.h"

#include "dll/animesh/fastproc_math.h"
#include "dll/animesh/resfile.h"

#include <string.h>

static RpStatus Refuse(RpError *error, RpStatus status, const char *what, const char *where) {
    return RpError_Set(error, status, RP_NOWHERE, what, where, "", "");
}

RpStatus AgentRecord_Read(const char *archive, const char *member, AgentRecord *record,
                          RpError *error) {
    memset(record, 0, sizeof *record);
    const void *file =
        ngi32_open_archive ? (const void *)ngi32_open_archive(archive, ARCHIVE_CACHEABLE) : NULL;
    if (!file)
        return Refuse(error, RP_NOT_FOUND, "the archive cannot be opened", archive);

    RpStatus status = RP_OK;
    const int32_t index = ResFile_Find(file, member);
    const ResRecord *directory = ResFile_Directory(file);
    const bool is_there = index != RES_ABSENT && directory;
    const uint8_t *bytes = is_there ? ResFile_Data(file, index) : NULL;
    if (!is_there) {
        status = Refuse(error, RP_NOT_FOUND, "the archive has no such member", member);
    } else if (!bytes) {
        status = Refuse(error, RP_CORRUPT, "a member without data", member);
    } else {
        const uint32_t size = directory[index].size;
        record->tag = directory[index].type;
        if (size < 4 || memcmp(bytes, "NRes", 4) != 0) {
            for (uint32_t i = 0; i < 2 * PAIR_COUNT; i++)
                if (size >= (i + 1) * NAME_BYTES)
                    memcpy(record->names[i / 2][i % 2], bytes + i * NAME_BYTES, NAME_BYTES);
            if (!record->names[PAIR_MESH][1][0])
                status = Refuse(error, RP_CORRUPT, "the record names no mesh", member);
        } else if (strlen(archive) > NAME_BYTES || strlen(member) > NAME_BYTES) {
            status = Refuse(error, RP_INVALID, "a name of more than 32 letters", member);
        } else {
            memcpy(record->names[PAIR_MESH][0], archive, strlen(archive));
            memcpy(record->names[PAIR_MESH][1], member, strlen(member));
        }
    }
    ResFile_Release(file);
    return status;
}
