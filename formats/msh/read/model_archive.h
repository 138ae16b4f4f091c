/* Finds the streams of a model's NRes image by type and checks their sizes and strides. Errors
 * have the byte offset in the image. */
#ifndef RETROPOSE_FORMATS_MSH_READ_MODEL_ARCHIVE_H
#define RETROPOSE_FORMATS_MSH_READ_MODEL_ARCHIVE_H

#include "retropose/nres.h"

/* Opens the image, and checks that all payloads lie inside of it. */
RpStatus ModelArchive_Open(const void *image, size_t size, RpNRes *archive, RpError *error);
/* Writes the first entry of a type, which is the one that the game finds. Returns RP_NOT_FOUND if
 * there is none. */
RpStatus ModelArchive_Find(const RpNRes *archive, uint32_t type, const char *name,
                           RpNResEntry *entry, RpError *error);
/* Checks that the bytes behind the first `header` bytes consist of whole elements. If not, returns
 * RP_TRUNCATED or RP_CORRUPT. */
RpStatus ModelArchive_CheckSize(const RpNResEntry *entry, uint32_t header, uint32_t stride,
                                const char *name, RpError *error);
RpStatus ModelArchive_CheckAttr3(const RpNResEntry *entry, uint32_t attr3, const char *name,
                                 RpError *error);
/* Finds the nodes, which must be whole and have a stride of 38. Returns RP_UNSUPPORTED for a stride
 * of 24. */
RpStatus ModelArchive_FindNodes(const RpNRes *archive, RpNResEntry *nodes, RpError *error);

#endif
