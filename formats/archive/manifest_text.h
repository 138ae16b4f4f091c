/* Functions that the readers of manifests of archives and libraries share. They read fields of a
 * JSON text, and payloads as hexadecimal digits or from files of the manifest's folder. */
#ifndef RETROPOSE_FORMATS_ARCHIVE_MANIFEST_TEXT_H
#define RETROPOSE_FORMATS_ARCHIVE_MANIFEST_TEXT_H

#include "core/files/input_budget.h"
#include "core/json/json_read.h"

/* A manifest that is being read. */
typedef struct ManifestText {
    JsonRead json; /* its path leads to the object that is being read: "members[3]" */
    const char *folder;
    InputBudget budget; /* how many bytes the files that the manifest names may have together */
} ManifestText;

typedef RpStatus ManifestTake(void *context, const struct cJSON *object, uint32_t index);

/* Parses the text and hands its root to `take`, with the number 0. Returns RP_INVALID for a text
 * that is not JSON, and for one whose "format" is not `format`; the latter is reported as
 * `wrong_format`. */
RpStatus ManifestText_Read(ManifestText *text, const char *json, size_t size, const char *format,
                           const char *wrong_format, ManifestTake *take, void *context);
/* Hands each object of a list to `take`, if there is such a list. */
RpStatus ManifestText_List(ManifestText *text, const struct cJSON *root, const char *name,
                           ManifestTake *take, void *context);

/* Reports RP_INVALID at a field of the object that is read. */
RpStatus ManifestText_Refuse(ManifestText *text, const char *field, const char *what,
                             const char *expected, const char *found);
/* Returns the text of an item, or `otherwise` where it is not a text. */
const char *ManifestText_Word(const struct cJSON *item, const char *otherwise);
/* Read whole numbers. If there is no such field, the number stays as it is. *found, which may be
 * null, says whether there is one. */
RpStatus ManifestText_Number(ManifestText *text, const struct cJSON *object, const char *field,
                             uint64_t most, uint64_t *number, bool *found);
RpStatus ManifestText_U32(ManifestText *text, const struct cJSON *object, const char *field,
                          uint32_t *number, bool *found);
RpStatus ManifestText_U16(ManifestText *text, const struct cJSON *object, const char *field,
                          uint16_t *number, bool *found);
/* If the item is a text of exactly twice `size` hexadecimal digits, writes their bytes and returns
 * true. */
bool ManifestText_Hex(const struct cJSON *item, uint8_t *bytes, size_t size);

/* A payload, to be freed with free(). */
typedef struct ManifestBytes {
    uint8_t *bytes; /* null: none */
    size_t size;
} ManifestBytes;
/* Reads a payload from a field that holds hexadecimal digits. */
RpStatus ManifestText_Digits(ManifestText *text, const struct cJSON *item, const char *field,
                             ManifestBytes *bytes);
/* Reads a payload from the file that a field names. The file must be in the folder. */
RpStatus ManifestText_File(ManifestText *text, const struct cJSON *item, const char *field,
                           ManifestBytes *bytes);

/* ---- folders --------------------------------------------------------------------------------- */

/* Reads a file of a folder. */
RpStatus ManifestFolder_Load(const char *folder, const char *file, ManifestBytes *bytes,
                             RpError *error);
/* Calls `take` for each regular file of a folder that is not hidden, in the order of the names. */
RpStatus ManifestFolder_Each(const char *folder,
                             RpStatus (*take)(void *context, const char *file, RpError *error),
                             void *context, RpError *error);

#endif
