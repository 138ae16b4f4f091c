#include "formats/msh/file/model_target.h"

#include <string.h>

/* ---- the way down ---------------------------------------------------------------------------- */

/* Follows the members through which the source was opened. The place of their bytes would not do,
 * because several members may share these. */
static RpStatus PackWithin(const ModelSource *source, const uint8_t *bytes, size_t size,
                           uint32_t depth, const RpNResArchive *model, RpBuffer *image,
                           RpError *error) {
    if (depth == source->depth)
        return RpNResArchive_Write(
            model, model->region_count > 0 ? RP_NRES_PRESERVING : RP_NRES_CANONICAL, image, error);
    RpNRes library;
    RpStatus status = RpNRes_Open(bytes, size, RP_TOLERANT, &library, error);
    if (status != RP_OK)
        return status;
    const uint32_t member = source->way[depth];
    RpNResEntry entry = RpNRes_Entry(&library, member);
    RpBuffer inner;
    RpBuffer_Init(&inner, NULL);
    status = PackWithin(source, entry.data, entry.size, depth + 1, model, &inner, error);
    if (status == RP_OK) {
        RpNResArchive archive; /* its sizes have 32 bits, and so have those of the image */
        RpNResArchive_Init(&archive, NULL);
        status = RpNResArchive_Read(&archive, &library, error);
        if (status == RP_OK)
            status = RpNResArchive_Replace(&archive, member, inner.bytes, inner.size, error);
        if (status == RP_OK)
            status = RpNResArchive_Write(&archive, RP_NRES_PRESERVING, image, error);
        RpNResArchive_Free(&archive);
    }
    RpBuffer_Free(&inner);
    return status;
}

RpStatus ModelTarget_Pack(const ModelSource *source, const RpNResArchive *model, RpBuffer *image,
                          RpError *error) {
    return PackWithin(source, source->mapping.bytes, source->mapping.size, 0, model, image, error);
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
