/* A whole RsLi library as JSON (docs/formats/rsli.md): header, entries, regions and where they lie,
 * with packed payloads as hex digits or in files beside it. Made and read again, it gives the same
 * bytes. */
#ifndef RETROPOSE_FORMATS_ARCHIVE_RSLI_MANIFEST_H
#define RETROPOSE_FORMATS_ARCHIVE_RSLI_MANIFEST_H

#include "retropose/rsli.h"

/* Appends the JSON text with packed payloads in it. */
RpStatus RsLiManifest_Dump(const RpRsLi *rsli, RpBuffer *json, RpError *error);
/* Makes the folder: every entry unpacked, every packed payload and every region as it is, and the
 * manifest. Entries that do not unpack have no unpacked file and false in `unpacks` (a place each;
 * may be null). */
RpStatus RsLiManifest_Extract(const RpRsLi *rsli, const char *folder, bool *unpacks,
                              RpError *error);
/* Makes the folder and writes one entry into it, unpacked, or as it is when `packed` is set. */
RpStatus RsLiManifest_ExtractEntry(const RpRsLi *rsli, uint32_t index, bool packed,
                                   const char *folder, RpError *error);
/* Makes the image just as the manifest says, as long as its payloads are what they were. A payload
 * whose unpacked file has changed is packed anew; then, or with `canonical`, or when an entry has
 * no offset, the image is laid out as edits are. Files are taken from the folder, never from
 * outside it. */
RpStatus RsLiManifest_Assemble(const char *json, size_t size, const char *folder, bool canonical,
                               RpBuffer *image, RpError *error);
/* Makes a library in which every regular file of a folder, but hidden ones, is an entry packed by
 * that method, in the order of the names. */
RpStatus RsLiManifest_PackFolder(const char *folder, uint32_t method, RpBuffer *image,
                                 RpError *error);

#endif
