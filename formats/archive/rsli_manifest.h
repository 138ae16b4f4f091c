/* Describes a whole RsLi library in JSON (docs/formats/rsli.md): header, entries, regions, and
 * where they lie. Packed payloads are in it as hexadecimal digits, or in files beside it. A library
 * that is made from the description has the same bytes. */
#ifndef RETROPOSE_FORMATS_ARCHIVE_RSLI_MANIFEST_H
#define RETROPOSE_FORMATS_ARCHIVE_RSLI_MANIFEST_H

#include "retropose/rsli.h"

/* Appends the JSON text with packed payloads in it. */
RpStatus RsLiManifest_Dump(const RpRsLi *rsli, RpBuffer *json, RpError *error);
/* Makes the folder. Writes every entry in unpacked form, every packed payload and every region into
 * it, and the manifest. Entries that do not unpack have no unpacked file; `unpacks`, which may be
 * null and otherwise has an element for each entry, becomes false for them. */
RpStatus RsLiManifest_Extract(const RpRsLi *rsli, const char *folder, bool *unpacks,
                              RpError *error);
/* Makes the folder and writes one entry into it, unpacked or, if `packed` is set, packed as it
 * is. */
RpStatus RsLiManifest_ExtractEntry(const RpRsLi *rsli, uint32_t index, bool packed,
                                   const char *folder, RpError *error);
/* Makes the image exactly as the manifest describes it, as long as its payloads have not changed. A
 * payload whose unpacked file has changed is packed anew. If there is one, if an entry has no
 * offset, or if `canonical` is set, the image is laid out as after an edit. Files are read from the
 * folder, never from outside it. */
RpStatus RsLiManifest_Assemble(const char *json, size_t size, const char *folder, bool canonical,
                               RpBuffer *image, RpError *error);
/* Makes a library from a folder. Every regular file, except for hidden ones, becomes an entry
 * packed by that method, in the order of the names. */
RpStatus RsLiManifest_PackFolder(const char *folder, uint32_t method, RpBuffer *image,
                                 RpError *error);

#endif
