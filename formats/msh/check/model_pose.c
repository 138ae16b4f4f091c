#include "retropose/model_pose.h"

#include "retropose/msh.h"

#include <string.h>

/* ---- the member ------------------------------------------------------------------------------ */

/* *place becomes the offset of the model in the archive when the model is found, even if it does
 * not open. */
static RpStatus OpenMember(const void *bytes, size_t size, const char *member, RpNRes *model,
                           uint64_t *place, RpError *error) {
    RpNRes archive;
    RpStatus status = RpNRes_Open(bytes, size, RP_STRICT, &archive, error);
    if (status || !member) {
        *model = archive;
        return status;
    }
    int32_t index = RpNRes_Find(&archive, member);
    if (index < 0)
        return RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "the archive has no such member",
                           member, "", "");
    RpNResEntry entry = RpNRes_Entry(&archive, (uint32_t)index);
    *place = (uint64_t)(entry.data - (const uint8_t *)bytes);
    return RpNRes_Open(entry.data, entry.size, RP_STRICT, model, error);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* All arrays are in one block, which begins with `local`. No array needs a stricter alignment than
 * the one in front of it. */
enum {
    NAME_ROOM = RP_MSH_NAME_BYTES + 1,
    NODE_ROOM = 2 * sizeof(float[16]) + sizeof(char *) + sizeof(int32_t) + NAME_ROOM
};

/* No model has so many frames. At far greater numbers the game's arithmetic gives NaN. */
#define LAST_FRAME 0x1p31f

/* ---- the pose -------------------------------------------------------------------------------- */

static RpStatus Pose(const RpMsh *msh, float frame, const RpArithmetic *arithmetic,
                     RpModelPose *pose, RpError *error) {
    RpSkeleton skeleton;
    RpStatus status = RpMsh_Skeleton(msh, &skeleton, error);
    if (status)
        return status;
    pose->node_count = RpSkeleton_NodeCount(&skeleton);
    pose->frame_count = skeleton.frame_count;
    const size_t count = pose->node_count;
    if (count <= SIZE_MAX / NODE_ROOM)
        pose->local = RpMemory_Resize(pose->allocator, NULL, count * NODE_ROOM);
    if (!pose->local)
        return RpMemory_Refused(error, "the matrices of a model");
    pose->model_space = pose->local + count;
    pose->names = (const char **)(pose->model_space + count);
    pose->parents = (int32_t *)(pose->names + count);
    char *room = (char *)(pose->parents + count);
    RpMshTexts texts = RpMsh_Texts(msh, RP_MSH_NAMES);
    for (uint32_t node = 0; node < pose->node_count; node++, room += NAME_ROOM) {
        const char *text = NULL;
        uint32_t length = 0;
        if (!RpMshTexts_Next(&texts, &text, &length) || !text)
            length = 0;
        if (length > 0)
            memcpy(room, text, length);
        room[length] = 0;
        pose->names[node] = room;
    }
    for (uint32_t node = 0; node < pose->node_count; node++)
        pose->parents[node] = RpSkeleton_Parent(&skeleton, node);
    return RpPose_Skeleton(&skeleton, arithmetic, frame, -1.0f, 0.0f, 0, pose->local,
                           pose->model_space, &pose->counters, error);
}

RpStatus RpModelPose_FromArchive(const void *archive, size_t size, const char *member, float frame,
                                 const RpArithmetic *arithmetic, const RpAllocator *allocator,
                                 RpModelPose *pose, RpError *error) {
    *pose = (RpModelPose){.allocator = allocator};
    if (!(frame >= 0 && frame <= LAST_FRAME))
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "no such time", "",
                           "a frame from 0 to 2^31",
                           frame < 0            ? "a negative number"
                           : frame > LAST_FRAME ? "a larger number"
                                                : "not a number");
    RpNRes image;
    RpMsh msh;
    uint64_t place = 0;
    RpStatus status = OpenMember(archive, size, member, &image, &place, error);
    if (!status)
        status = RpMsh_Open(RpNRes_Entries(&image), RP_STRICT, &msh, error);
    if (!status)
        status = Pose(&msh, frame, arithmetic, pose, error);
    if (status && error && error->offset != RP_NOWHERE)
        error->offset += place; /* make it an offset in the archive */
    if (status)
        RpModelPose_Free(pose);
    return status;
}

void RpModelPose_Free(RpModelPose *pose) {
    RpMemory_Free(pose->allocator, pose->local);
    *pose = (RpModelPose){.allocator = pose->allocator};
}
