/* Streams of a model's NRes image, by type, with their sizes and strides checked. Errors have the
 * byte offset in the image. */
#ifndef RETROPOSE_FORMATS_MSH_READ_MODEL_ARCHIVE_H
#define RETROPOSE_FORMATS_MSH_READ_MODEL_ARCHIVE_H

#include "retropose/nres.h"

/* All payloads lie inside the image. */
RpStatus ModelArchive_Open(const void *image, size_t size, RpNRes *archive, RpError *error);
/* The first entry of a type, as the game's own look-up gives; RP_NOT_FOUND. */
RpStatus ModelArchive_Find(const RpNRes *archive, uint32_t type, const char *name,
                           RpNResEntry *entry, RpError *error);
/* Whether what follows `header` bytes is whole elements: RP_TRUNCATED, RP_CORRUPT. */
RpStatus ModelArchive_CheckSize(const RpNResEntry *entry, uint32_t header, uint32_t stride,
                                const char *name, RpError *error);
RpStatus ModelArchive_CheckAttr3(const RpNResEntry *entry, uint32_t attr3, const char *name,
                                 RpError *error);
/* Whole nodes of stride 38; RP_UNSUPPORTED for 24. */
RpStatus ModelArchive_FindNodes(const RpNRes *archive, RpNResEntry *nodes, RpError *error);

#endif
