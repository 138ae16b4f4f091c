#define _POSIX_C_SOURCE 200809L /* opendir */

#include "formats/archive/manifest_text.h"

#include "core/files/mapping.h"
#include "core/hex.h"
#include "retropose/memory.h"

#include <cjson/cJSON.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- fields ---------------------------------------------------------------------------------- */

const char *ManifestText_Word(const cJSON *item, const char *otherwise) {
    return cJSON_IsString(item) ? item->valuestring : otherwise;
}

RpStatus ManifestText_Read(ManifestText *text, const char *json, size_t size, const char *format,
                           const char *wrong_format, ManifestTake *take, void *context) {
    const char *end = NULL;
    cJSON *root = JsonRead_Parse(json, size, &end);
    if (!root)
        return RpError_Set(text->json.error, RP_INVALID, end ? (uint64_t)(end - json) : 0,
                           "the manifest is no JSON text", "", "", "");
    InputBudget_Begin(&text->budget, size);
    RpStatus status = RP_OK;
    char expected[64];
    const char *found = ManifestText_Word(cJSON_GetObjectItemCaseSensitive(root, "format"), "none");
    if (strcmp(found, format) != 0) {
        snprintf(expected, sizeof expected, "\"%s\"", format);
        status = ManifestText_Refuse(text, "format", wrong_format, expected, found);
    }
    if (status == RP_OK)
        status = take(context, root, 0);
    InputBudget_End(&text->budget);
    cJSON_Delete(root);
    return status;
}

RpStatus ManifestText_List(ManifestText *text, const cJSON *root, const char *name,
                           ManifestTake *take, void *context) {
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, name), *object;
    const size_t length = JsonRead_Enter(&text->json, name);
    uint32_t index = 0;
    cJSON_ArrayForEach(object, list) {
        const size_t outer = JsonRead_EnterElement(&text->json, index);
        const RpStatus status = take(context, object, index++);
        if (status != RP_OK)
            return status;
        JsonRead_Leave(&text->json, outer);
    }
    JsonRead_Leave(&text->json, length);
    return RP_OK;
}

RpStatus ManifestText_Refuse(ManifestText *text, const char *field, const char *what,
                             const char *expected, const char *found) {
    JsonRead_Enter(&text->json, field);
    return RpError_Set(text->json.error, RP_INVALID, RP_NOWHERE, what, text->json.path, expected,
                       found);
}

RpStatus ManifestText_Number(ManifestText *text, const cJSON *object, const char *field,
                             uint64_t most, uint64_t *number, bool *found) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, field);
    char expected[64];
    if (found)
        *found = item != NULL;
    if (!item)
        return RP_OK;
    if (JsonRead_IsWhole(item, 0, (double)most)) {
        *number = (uint64_t)item->valuedouble;
        return RP_OK;
    }
    snprintf(expected, sizeof expected, "a whole number from 0 to %" PRIu64, most);
    JsonRead_Enter(&text->json, field);
    JsonRead_Refuse(&text->json, "a field of the manifest is wrong", expected, item);
    if (text->json.error)
        text->json.error->status = RP_INVALID; /* people write manifests, too */
    return RP_INVALID;
}

RpStatus ManifestText_U32(ManifestText *text, const cJSON *object, const char *field,
                          uint32_t *number, bool *found) {
    uint64_t wide = *number;
    const RpStatus status = ManifestText_Number(text, object, field, UINT32_MAX, &wide, found);
    *number = (uint32_t)wide;
    return status;
}

RpStatus ManifestText_U16(ManifestText *text, const cJSON *object, const char *field,
                          uint16_t *number, bool *found) {
    uint64_t wide = *number;
    const RpStatus status = ManifestText_Number(text, object, field, UINT16_MAX, &wide, found);
    *number = (uint16_t)wide;
    return status;
}

bool ManifestText_Hex(const cJSON *item, uint8_t *bytes, size_t size) {
    return cJSON_IsString(item) && strlen(item->valuestring) == 2 * size &&
           Hex_Read(item->valuestring, bytes, size);
}

/* ---- payloads -------------------------------------------------------------------------------- */

RpStatus ManifestText_Digits(ManifestText *text, const cJSON *item, const char *field,
                             ManifestBytes *bytes) {
    bytes->size = strlen(ManifestText_Word(item, "")) / 2;
    bytes->bytes = bytes->size <= UINT32_MAX ? malloc(bytes->size + 1) : NULL;
    if (!bytes->bytes)
        return RpMemory_Refused(text->json.error, "a payload");
    if (ManifestText_Hex(item, bytes->bytes, bytes->size))
        return RP_OK;
    return ManifestText_Refuse(text, field, "a payload is no hex text", "pairs of hex digits", "");
}

/* Returns whether a path stays in the folder, that is, leads neither out of it nor to another
 * drive. */
static bool StaysInside(const char *file) {
    if (!*file || *file == '/' || strchr(file, '\\') || strchr(file, ':'))
        return false;
    for (const char *at = file; at; at = strchr(at, '/')) {
        at += *at == '/';
        if (strncmp(at, "..", 2) == 0 && (at[2] == '/' || !at[2]))
            return false;
    }
    return true;
}

/* `budget` is null for files that no text names. */
static RpStatus Load(const char *folder, const char *file, InputBudget *budget,
                     ManifestBytes *bytes, RpError *error) {
    char path[4096];
    Mapping mapping;
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, file) >= sizeof path)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the path is too long", file, "", "");
    RpStatus status = Mapping_Open(path, &mapping, error);
    if (status != RP_OK)
        return status;
    if (budget)
        status = InputBudget_Take(budget, &mapping, path, error);
    if (status == RP_OK) {
        if (mapping.size > UINT32_MAX) {
            status = RpError_Set(error, RP_INVALID, RP_NOWHERE, "a payload is too large", path,
                                 "at most 4294967295 bytes", "");
        } else {
            bytes->bytes = malloc(mapping.size + 1);
            bytes->size = mapping.size;
            if (!bytes->bytes)
                status = RpMemory_Refused(error, path);
            else if (mapping.size)
                memcpy(bytes->bytes, mapping.bytes, mapping.size);
        }
    }
    Mapping_Close(&mapping);
    return status;
}

RpStatus ManifestText_File(ManifestText *text, const cJSON *item, const char *field,
                           ManifestBytes *bytes) {
    const char *file = ManifestText_Word(item, "");
    if (StaysInside(file))
        return Load(text->folder, file, &text->budget, bytes, text->json.error);
    return ManifestText_Refuse(text, field, "a file is not in the folder of the manifest",
                               "a relative path without ..", file);
}

/* ---- folders --------------------------------------------------------------------------------- */

RpStatus ManifestFolder_Load(const char *folder, const char *file, ManifestBytes *bytes,
                             RpError *error) {
    return Load(folder, file, NULL, bytes, error);
}

typedef struct FolderFiles {
    char **names;
    size_t count, capacity;
} FolderFiles;

static bool IsRegular(const char *folder, const char *name) {
    char path[4096];
    struct stat facts;
    return (size_t)snprintf(path, sizeof path, "%s/%s", folder, name) < sizeof path &&
           stat(path, &facts) == 0 && S_ISREG(facts.st_mode);
}

static bool KeepName(FolderFiles *files, const char *name) {
    if (files->count == files->capacity) {
        const size_t capacity = 2 * files->capacity + 16;
        char **names = realloc(files->names, capacity * sizeof *names);
        if (!names)
            return false;
        files->names = names;
        files->capacity = capacity;
    }
    const size_t size = strlen(name) + 1;
    char *copy = malloc(size);
    if (!copy)
        return false;
    memcpy(copy, name, size);
    files->names[files->count++] = copy;
    return true;
}

static int CompareNames(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

RpStatus ManifestFolder_Each(const char *folder,
                             RpStatus (*take)(void *context, const char *file, RpError *error),
                             void *context, RpError *error) {
    FolderFiles files = {.names = NULL};
    RpStatus status = RP_OK;
    DIR *directory = opendir(folder);
    const struct dirent *item;
    bool kept = true;
    if (!directory) {
        status = RpError_Set(error, RP_IO, RP_NOWHERE, "cannot read the folder", folder, "",
                             strerror(errno));
    } else {
        while (kept && (item = readdir(directory)))
            if (item->d_name[0] != '.' && IsRegular(folder, item->d_name))
                kept = KeepName(&files, item->d_name);
        closedir(directory);
        if (files.count > 0)
            qsort(files.names, files.count, sizeof *files.names, CompareNames);
        status = kept ? RP_OK : RpMemory_Refused(error, folder);
    }
    for (size_t i = 0; status == RP_OK && i < files.count; i++)
        status = take(context, files.names[i], error);
    for (size_t i = 0; i < files.count; i++)
        free(files.names[i]);
    free(files.names);
    return status;
}
