/* The directory of a model, whether it is an image or an archive under construction. */
#ifndef RETROPOSE_FORMATS_MSH_ENTRIES_H
#define RETROPOSE_FORMATS_MSH_ENTRIES_H

#include "retropose/nres.h"

typedef struct MshEntries {
    const RpNRes *image; /* exactly one of the two */
    const RpNResArchive *archive;
    uint32_t count;
} MshEntries;

static inline MshEntries MshEntries_OfImage(const RpNRes *image) {
    return (MshEntries){.image = image, .count = image->count};
}

static inline MshEntries MshEntries_OfArchive(const RpNResArchive *archive) {
    return (MshEntries){.archive = archive, .count = archive->count};
}

/* Of an archive: without offsets and sort index. */
RpNResEntry MshEntries_Get(const MshEntries *entries, uint32_t index);

#endif
