/* A whole RsLi library as JSON (docs/rsli.md): header, entries, regions and where they lie, with
 * packed payloads as hex digits or in files beside it. Made and read again, it gives the same
 * bytes. */
#ifndef RETROPOSE_FORMATS_LIBRARY_MANIFEST_H
#define RETROPOSE_FORMATS_LIBRARY_MANIFEST_H

#include "retropose/rsli.h"

#define LIBRARY_MANIFEST_FILE "manifest.json"

enum { LIBRARY_FILE_BYTES = 32, LIBRARY_NAME_BYTES = 3 * RP_RSLI_NAME_BYTES + 1 };

/* The name as UTF-8 (Windows-1251 in the file), up to its NUL. */
void LibraryName_ToUtf8(const uint8_t name[RP_RSLI_NAME_BYTES], char text[LIBRARY_NAME_BYTES]);
/* A file name for every entry, all different in any case of letters, that any file system takes and
 * that leads nowhere else; to be freed with free(). Null when memory is refused. */
typedef struct LibraryFileName {
    char text[LIBRARY_FILE_BYTES];
} LibraryFileName;
LibraryFileName *LibraryFile_Names(const RpRsLi *library);

/* Appends the JSON text with packed payloads in it. */
RpStatus LibraryManifest_Dump(const RpRsLi *library, RpBuffer *json, RpError *error);
/* Makes the folder: every entry unpacked, every packed payload and every region as it is, and the
 * manifest. Entries that do not unpack have no unpacked file; *broken counts them. */
RpStatus LibraryManifest_Extract(const RpRsLi *library, const char *folder, uint32_t *broken,
                                 RpError *error);
/* Makes the image, as the manifest says while its payloads are what they were. A payload whose
 * unpacked file has changed is packed anew; then, or with `canonical`, or when an entry has no
 * offset, the image is laid out as edits are. Files are taken from the folder, never from outside
 * it. */
RpStatus LibraryManifest_Assemble(const char *json, size_t size, const char *folder, bool canonical,
                                  RpBuffer *image, RpError *error);
/* Every regular file of a folder as an entry of that method, in the order of the names. */
RpStatus LibraryManifest_PackFolder(const char *folder, uint32_t method, RpBuffer *image,
                                    RpError *error);

#endif
