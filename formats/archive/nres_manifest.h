/* Describes a whole NRes archive in JSON (docs/formats/nres.md): members, regions, and where they
 * lie. Payloads are in it as hexadecimal digits, or in files beside it. An archive that is made
 * from the description has the same bytes. */
#ifndef RETROPOSE_FORMATS_ARCHIVE_NRES_MANIFEST_H
#define RETROPOSE_FORMATS_ARCHIVE_NRES_MANIFEST_H

#include "retropose/nres.h"

/* Appends the JSON text with payloads in it. */
RpStatus ArchiveManifest_Dump(const RpNRes *archive, RpBuffer *json, RpError *error);
/* Makes the folder. Writes a file for every member and every region into it, and the manifest. */
RpStatus ArchiveManifest_Extract(const RpNRes *archive, const char *folder, RpError *error);
/* Writes one member into a file of the folder, under the name that Extract gives it. */
RpStatus ArchiveManifest_ExtractMember(const RpNRes *archive, uint32_t index, const char *folder,
                                       RpError *error);
/* Makes the image in the given layout, or in that of the manifest when `layout` is null. Files are
 * taken from the folder, never from outside it. A payload that is not as long as the manifest says,
 * and a member without an offset, are laid out as edits are. */
RpStatus ArchiveManifest_Assemble(const char *json, size_t size, const char *folder,
                                  const RpNResLayout *layout, RpBuffer *image, RpError *error);
/* Makes an archive from a folder. Every regular file, except for hidden ones, becomes a member of
 * that type, in the order of the names. */
RpStatus ArchiveManifest_PackFolder(const char *folder, uint32_t type, RpBuffer *image,
                                    RpError *error);

#endif
