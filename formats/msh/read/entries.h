/* The directory of a model, whether it is an image or an archive under construction. */
#ifndef RETROPOSE_FORMATS_MSH_READ_ENTRIES_H
#define RETROPOSE_FORMATS_MSH_READ_ENTRIES_H

#include "retropose/msh.h"

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

/* The labels in this entry, which need not be the first of its type as RpMsh_Texts takes it. */
RpMshStream MshEntry_Labels(const RpNResEntry *entry);

/* Finds the streams and counts their elements. Nothing is checked. */
void MshEntries_Open(const MshEntries *entries, RpMsh *msh);

#endif
