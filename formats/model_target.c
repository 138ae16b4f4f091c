#include "formats/model_target.h"

#include <string.h>

/* ---- the model ------------------------------------------------------------------------------- */

static RpStatus WriteModel(const RpNResArchive *model, RpBuffer *image, RpError *error) {
    return RpNResArchive_Write(
        model, model->region_count > 0 ? RP_NRES_PRESERVING : RP_NRES_CANONICAL, image, error);
}

/* ---- the way down ---------------------------------------------------------------------------- */

/* The member that holds the bytes at `offset`; -1 without one. */
static int32_t MemberAround(const RpNRes *archive, uint64_t offset, uint64_t size) {
    for (uint32_t i = 0; i < archive->count; i++) {
        RpNResEntry entry = RpNRes_Entry(archive, i);
        if (entry.data && entry.data_offset <= offset &&
            offset + size <= (uint64_t)entry.data_offset + entry.size)
            return (int32_t)i;
    }
    return -1;
}

static RpStatus Nowhere(const ModelSource *source, RpError *error) {
    return RpError_Set(error, RP_CORRUPT, source->offset, "the model is not found again",
                       source->name, "a member at its offset", "");
}

static RpStatus PackLibrary(const ModelSource *source, const RpNRes *library, uint32_t member,
                            const RpBuffer *inner, RpBuffer *image, RpError *error) {
    RpNResArchive archive;
    RpNResArchive_Init(&archive, NULL);
    RpStatus status = inner->size > UINT32_MAX ? Nowhere(source, error)
                                               : RpNResArchive_Read(&archive, library, error);
    if (status == RP_OK)
        status =
            RpNResArchive_Replace(&archive, member, inner->bytes, (uint32_t)inner->size, error);
    if (status == RP_OK)
        status = RpNResArchive_Write(&archive, RP_NRES_PRESERVING, image, error);
    RpNResArchive_Free(&archive);
    return status;
}

/* `offset` is where the model lies in these bytes. */
static RpStatus PackWithin(const ModelSource *source, const uint8_t *bytes, size_t size,
                           uint64_t offset, uint32_t depth, const RpNResArchive *model,
                           RpBuffer *image, RpError *error) {
    if (offset == 0)
        return WriteModel(model, image, error);
    RpNRes library;
    RpStatus status = depth > RP_NRES_MAX_DEPTH
                          ? Nowhere(source, error)
                          : RpNRes_Open(bytes, size, RP_TOLERANT, &library, error);
    if (status != RP_OK)
        return status;
    int32_t member = MemberAround(&library, offset, source->archive.size);
    if (member < 0)
        return Nowhere(source, error);
    RpNResEntry entry = RpNRes_Entry(&library, (uint32_t)member);
    RpBuffer inner;
    RpBuffer_Init(&inner, NULL);
    status = PackWithin(source, entry.data, entry.size, offset - entry.data_offset, depth + 1,
                        model, &inner, error);
    if (status == RP_OK)
        status = PackLibrary(source, &library, (uint32_t)member, &inner, image, error);
    RpBuffer_Free(&inner);
    return status;
}

RpStatus ModelTarget_Pack(const ModelSource *source, const RpNResArchive *model, RpBuffer *image,
                          RpError *error) {
    return PackWithin(source, source->mapping.bytes, source->mapping.size, source->offset, 0, model,
                      image, error);
}

bool ModelTarget_Path(const ModelSource *source, char *path, size_t size) {
    const char *end = strstr(source->name, "::");
    size_t length = end ? (size_t)(end - source->name) : strlen(source->name);
    if (length >= size)
        return false;
    memcpy(path, source->name, length);
    path[length] = 0;
    return true;
}
