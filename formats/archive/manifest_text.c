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

bool ManifestText_AddHex(cJSON *object, const char *name, const uint8_t *bytes, size_t size) {
    char *text = malloc(2 * size + 1);
    if (!text)
        return false;
    Hex_Write(bytes, size, text);
    text[2 * size] = 0;
    const bool added = cJSON_AddStringToObject(object, name, text) != NULL;
    free(text);
    return added;
}

/* ---- fields ---------------------------------------------------------------------------------- */

cJSON *ManifestText_Parse(const char *json, size_t size, RpError *error) {
    const char *end = NULL;
    cJSON *root = cJSON_ParseWithLengthOpts(json, size, &end, false);
    if (!root)
        RpError_Set(error, RP_INVALID, end ? (uint64_t)(end - json) : 0,
                    "the manifest is no JSON text", "", "", "");
    return root;
}

RpStatus ManifestText_Refuse(const ManifestPlace *place, const char *field, const char *what,
                             const char *expected, const char *found, RpError *error) {
    char where[160];
    if (place->list)
        snprintf(where, sizeof where, "%s[%" PRIu32 "].%s", place->list, place->index, field);
    else
        snprintf(where, sizeof where, "%s", field);
    return RpError_Set(error, RP_INVALID, RP_NOWHERE, what, where, expected, found);
}

RpStatus ManifestText_Number(const cJSON *object, const ManifestPlace *place, const char *field,
                             uint64_t most, uint64_t *number, bool *found, RpError *error) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, field);
    char expected[64];
    if (found)
        *found = item != NULL;
    if (!item)
        return RP_OK;
    if (cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble <= (double)most &&
        item->valuedouble == (double)(uint64_t)item->valuedouble) {
        *number = (uint64_t)item->valuedouble;
        return RP_OK;
    }
    snprintf(expected, sizeof expected, "a whole number from 0 to %" PRIu64, most);
    return ManifestText_Refuse(place, field, "a field of the manifest is wrong", expected, "",
                               error);
}

RpStatus ManifestText_U32(const cJSON *object, const ManifestPlace *place, const char *field,
                          uint32_t *number, bool *found, RpError *error) {
    uint64_t wide = *number;
    const RpStatus status =
        ManifestText_Number(object, place, field, UINT32_MAX, &wide, found, error);
    *number = (uint32_t)wide;
    return status;
}

bool ManifestText_Hex(const char *digits, uint8_t *bytes, size_t size) {
    return Hex_Read(digits, bytes, size) && !digits[2 * size];
}

/* ---- payloads -------------------------------------------------------------------------------- */

RpStatus ManifestText_Digits(const cJSON *item, const ManifestPlace *place, const char *field,
                             ManifestBytes *bytes, RpError *error) {
    const char *digits = cJSON_IsString(item) ? item->valuestring : "x";
    bytes->size = strlen(digits) / 2;
    bytes->bytes = bytes->size <= UINT32_MAX ? malloc(bytes->size + 1) : NULL;
    if (!bytes->bytes)
        return RpMemory_Refused(error, "a payload");
    if (ManifestText_Hex(digits, bytes->bytes, bytes->size))
        return RP_OK;
    return ManifestText_Refuse(place, field, "a payload is no hex text", "pairs of hex digits", "",
                               error);
}

/* Neither out of the folder nor to another drive. */
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

RpStatus ManifestText_File(const ManifestFolder *folder, const cJSON *item,
                           const ManifestPlace *place, const char *field, ManifestBytes *bytes,
                           RpError *error) {
    if (cJSON_IsString(item) && StaysInside(item->valuestring))
        return ManifestText_Load(folder, item->valuestring, bytes, error);
    return ManifestText_Refuse(place, field, "a file is not in the folder of the manifest",
                               "a relative path without ..",
                               cJSON_IsString(item) ? item->valuestring : "", error);
}

static RpStatus CopyMapping(const Mapping *mapping, const char *path, ManifestBytes *bytes,
                            RpError *error) {
    if (mapping->size > UINT32_MAX)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "a payload is too large", path,
                           "at most 4294967295 bytes", "");
    bytes->bytes = malloc(mapping->size + 1);
    bytes->size = mapping->size;
    if (!bytes->bytes)
        return RpMemory_Refused(error, path);
    if (mapping->size)
        memcpy(bytes->bytes, mapping->bytes, mapping->size);
    return RP_OK;
}

RpStatus ManifestText_Load(const ManifestFolder *folder, const char *file, ManifestBytes *bytes,
                           RpError *error) {
    char path[4096];
    Mapping mapping;
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder->path, file) >= sizeof path)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the path is too long", file, "", "");
    RpStatus status = Mapping_Open(path, &mapping, error);
    if (status != RP_OK)
        return status;
    if (folder->budget)
        status = InputBudget_Take(folder->budget, &mapping, path, error);
    if (status == RP_OK)
        status = CopyMapping(&mapping, path, bytes, error);
    Mapping_Close(&mapping);
    return status;
}

/* ---- folders --------------------------------------------------------------------------------- */

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

RpStatus FolderFiles_List(const char *folder, FolderFiles *files, RpError *error) {
    DIR *directory = opendir(folder);
    const struct dirent *item;
    bool kept = true;
    memset(files, 0, sizeof *files);
    if (!directory)
        return RpError_Set(error, RP_IO, RP_NOWHERE, "cannot read the folder", folder, "",
                           strerror(errno));
    while (kept && (item = readdir(directory)))
        if (item->d_name[0] != '.' && IsRegular(folder, item->d_name))
            kept = KeepName(files, item->d_name);
    closedir(directory);
    if (files->count > 0)
        qsort(files->names, files->count, sizeof *files->names, CompareNames);
    return kept ? RP_OK : RpMemory_Refused(error, folder);
}

void FolderFiles_Free(FolderFiles *files) {
    for (size_t i = 0; i < files->count; i++)
        free(files->names[i]);
    free(files->names);
}
