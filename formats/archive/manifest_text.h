/* Functions that the readers and the writers of manifests of archives and libraries share: fields
 * of a JSON text, and payloads as hexadecimal digits or as files of the manifest's folder. */
#ifndef RETROPOSE_FORMATS_ARCHIVE_MANIFEST_TEXT_H
#define RETROPOSE_FORMATS_ARCHIVE_MANIFEST_TEXT_H

#include "core/files/input_budget.h"
#include "core/json/json_read.h"
#include "formats/archive/member_names.h"

/* A manifest that is being read. After the first error, which is in the status of `json`, the
 * functions below read nothing any more. So their callers need not ask after each field. */
typedef struct ManifestText {
    JsonRead json; /* its path leads to the object that is being read: "members[3]" */
    const char *folder;
    InputBudget budget; /* how many bytes the files that the manifest names may have together */
} ManifestText;

typedef void ManifestTake(void *context, const struct cJSON *object, uint32_t index);

/* Parses the text and hands its root to `take`, with the number 0. Returns the status in the end,
 * which is RP_INVALID for a text that is not JSON, and for one whose "format" is not `format`; the
 * latter is reported as `wrong_format`. */
RpStatus ManifestText_Read(ManifestText *text, const char *json, size_t size, const char *format,
                           const char *wrong_format, ManifestTake *take, void *context);
/* Hands each object of a list to `take`, if there is such a list. */
void ManifestText_List(ManifestText *text, const struct cJSON *root, const char *name,
                       ManifestTake *take, void *context);

/* Reports RP_INVALID at a field of the object that is read. */
void ManifestText_Refuse(ManifestText *text, const char *field, const char *what,
                         const char *expected, const char *found);
/* Returns the text of an item, or `otherwise` where it is not a text. */
const char *ManifestText_Word(const struct cJSON *item, const char *otherwise);
/* Read whole numbers. If there is no such field, the number stays as it is. *found, which may be
 * null, says whether there is one. */
void ManifestText_Number(ManifestText *text, const struct cJSON *object, const char *field,
                         uint64_t most, uint64_t *number, bool *found);
void ManifestText_U32(ManifestText *text, const struct cJSON *object, const char *field,
                      uint32_t *number, bool *found);
void ManifestText_U16(ManifestText *text, const struct cJSON *object, const char *field,
                      uint16_t *number, bool *found);
/* Reads exactly `size` bytes from hexadecimal digits. If there is no such field, reads none. */
void ManifestText_Bytes(ManifestText *text, const struct cJSON *object, const char *field,
                        uint8_t *bytes, size_t size);
/* Reads "name" into the beginning of a field of `size` zeros and, from `gap` bytes behind it on,
 * "name_tail". */
void ManifestText_Name(ManifestText *text, const struct cJSON *object, uint8_t *field, size_t size,
                       size_t gap, const char *what, const char *expected);

/* A payload, to be freed with free(). */
typedef struct ManifestBytes {
    uint8_t *bytes; /* null: none */
    size_t size;
} ManifestBytes;
/* Reads a payload from the file that one field names, which must be in the folder, or else from the
 * digits in the other field. If there is neither, reads none. */
ManifestBytes ManifestText_Payload(ManifestText *text, const struct cJSON *object,
                                   const char *digits_field, const char *file_field);

/* ---- writing --------------------------------------------------------------------------------- */

/* Add a member. False means that memory was refused. */
bool ManifestText_AddUnlessZero(struct cJSON *object, const char *field, const uint8_t *bytes,
                                size_t size);
/* Names the file or, if that is null, writes the bytes as digits. */
bool ManifestText_AddPayload(struct cJSON *object, const char *digits_field, const char *file_field,
                             const char *file, const uint8_t *bytes, size_t size);

/* ---- folders --------------------------------------------------------------------------------- */

/* Writes the name of a region's file. It has a tilde, which names of members' files do not have. */
void ManifestFile_OfRegion(uint64_t place, char file[MEMBER_FILE_BYTES]);
/* Reads a file of a folder. */
RpStatus ManifestFolder_Load(const char *folder, const char *file, ManifestBytes *bytes,
                             RpError *error);
/* Calls `take` for each regular file of a folder that is not hidden, in the order of the names. */
RpStatus ManifestFolder_Each(const char *folder,
                             RpStatus (*take)(void *context, const char *file, RpError *error),
                             void *context, RpError *error);

#endif
