/* What the manifests of archives and of libraries have in common: fields of a JSON text, payloads
 * as hex digits or in files of the manifest's folder. */
#ifndef RETROPOSE_FORMATS_ARCHIVE_MANIFEST_TEXT_H
#define RETROPOSE_FORMATS_ARCHIVE_MANIFEST_TEXT_H

#include "core/files/input_budget.h"
#include "retropose/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cJSON;

/* ---- writing --------------------------------------------------------------------------------- */

bool ManifestText_AddHex(struct cJSON *object, const char *name, const uint8_t *bytes, size_t size);

/* ---- reading --------------------------------------------------------------------------------- */

/* Which object a field belongs to, for errors. */
typedef struct ManifestPlace {
    const char *list; /* "members", "entries" or "regions"; null: the document */
    uint32_t index;
} ManifestPlace;

/* To be deleted; null when it is no JSON. */
struct cJSON *ManifestText_Parse(const char *json, size_t size, RpError *error);
/* RP_INVALID at "LIST[INDEX].FIELD". */
RpStatus ManifestText_Refuse(const ManifestPlace *place, const char *field, const char *what,
                             const char *expected, const char *found, RpError *error);
/* A whole number up to `most`. Leaves *number alone when the field is absent; *found (may be null)
 * says whether it was there. */
RpStatus ManifestText_Number(const struct cJSON *object, const ManifestPlace *place,
                             const char *field, uint64_t most, uint64_t *number, bool *found,
                             RpError *error);
RpStatus ManifestText_U32(const struct cJSON *object, const ManifestPlace *place, const char *field,
                          uint32_t *number, bool *found, RpError *error);
/* `size` bytes of twice as many digits, no more. */
bool ManifestText_Hex(const char *digits, uint8_t *bytes, size_t size);

/* A payload, to be freed with free(). */
typedef struct ManifestBytes {
    uint8_t *bytes; /* null: none */
    size_t size;
} ManifestBytes;
/* Of digits. */
RpStatus ManifestText_Digits(const struct cJSON *item, const ManifestPlace *place,
                             const char *field, ManifestBytes *bytes, RpError *error);
/* The folder of a manifest, and what the files that it names may add up to. */
typedef struct ManifestFolder {
    const char *path;
    InputBudget *budget; /* null: without a limit, for files that no text names */
} ManifestFolder;
/* Of the file that a field names: one in the folder, never outside it. */
RpStatus ManifestText_File(const ManifestFolder *folder, const struct cJSON *item,
                           const ManifestPlace *place, const char *field, ManifestBytes *bytes,
                           RpError *error);
/* Of any file of the folder. */
RpStatus ManifestText_Load(const ManifestFolder *folder, const char *file, ManifestBytes *bytes,
                           RpError *error);

/* ---- folders --------------------------------------------------------------------------------- */

/* The regular files of a folder that are not hidden, in the order of their names. To be freed also
 * after an error. */
typedef struct FolderFiles {
    char **names;
    size_t count, capacity;
} FolderFiles;
RpStatus FolderFiles_List(const char *folder, FolderFiles *files, RpError *error);
void FolderFiles_Free(FolderFiles *files);

#endif
