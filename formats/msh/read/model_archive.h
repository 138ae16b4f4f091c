/* Finds the streams of a model's NRes image by type and checks their sizes and strides. Errors
 * have the byte offset in the image. */
#ifndef RETROPOSE_FORMATS_MSH_READ_MODEL_ARCHIVE_H
#define RETROPOSE_FORMATS_MSH_READ_MODEL_ARCHIVE_H

#include "retropose/nres.h"

/* Opens the image, and checks that all payloads lie inside of it. */
RpStatus ModelArchive_Open(const void *image, size_t size, RpNRes *archive, RpError *error);
/* Gives the first entry of a type, as the game's own look-up does, or returns RP_NOT_FOUND. */
RpStatus ModelArchive_Find(const RpNRes *archive, uint32_t type, const char *name,
                           RpNResEntry *entry, RpError *error);
/* Checks that what follows `header` bytes consists of whole elements. Returns RP_TRUNCATED or
 * RP_CORRUPT otherwise. */
RpStatus ModelArchive_CheckSize(const RpNResEntry *entry, uint32_t header, uint32_t stride,
                                const char *name, RpError *error);
RpStatus ModelArchive_CheckAttr3(const RpNResEntry *entry, uint32_t attr3, const char *name,
                                 RpError *error);
/* Finds whole nodes of stride 38. Returns RP_UNSUPPORTED for a stride of 24. */
RpStatus ModelArchive_FindNodes(const RpNRes *archive, RpNResEntry *nodes, RpError *error);

#endif
