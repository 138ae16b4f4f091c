/* Finds the three streams that poses need in a model's NRes image (facts/formats.md A). */
#include "animesh/streams.h"
#include "core/bytes.h"
#include "formats/msh/read/model_archive.h"
#include "retropose/pose.h"

static RpStatus FindStream(const RpNRes *archive, uint32_t type, uint32_t stride, const char *name,
                           RpNResEntry *entry, RpError *error) {
    RpStatus status = ModelArchive_Find(archive, type, name, entry, error);
    return status == RP_OK ? ModelArchive_CheckSize(entry, 0, stride, name, error) : status;
}

RpStatus RpSkeleton_FromNRes(const void *image, size_t size, RpSkeleton *skeleton, RpError *error) {
    RpNRes archive = {0};
    RpNResEntry nodes = {0}, keys = {0}, frame_map = {0};
    RpStatus status = ModelArchive_Open(image, size, &archive, error);
    if (status == RP_OK)
        status = ModelArchive_FindNodes(&archive, &nodes, error);
    if (status == RP_OK)
        status = FindStream(&archive, RES_KEYS, KEY_BYTES, "Res8, keys", &keys, error);
    if (status == RP_OK)
        status = FindStream(&archive, RES_FRAME_MAP, MAP_WORD_BYTES, "Res19, frame map", &frame_map,
                            error);
    if (status != RP_OK)
        return status;
    *skeleton = (RpSkeleton){.nodes = nodes.data,
                             .node_bytes = nodes.size,
                             .keys = keys.data,
                             .key_bytes = keys.size,
                             .frame_map = frame_map.data,
                             .frame_map_bytes = frame_map.size,
                             .frame_count = frame_map.attr2};
    return RP_OK;
}
