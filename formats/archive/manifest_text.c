#define _POSIX_C_SOURCE 200809L /* opendir */

#include "formats/archive/manifest_text.h"

#include "core/files/mapping.h"
#include "core/hex.h"
#include "core/json/json_text.h"
#include "core/text/encoding.h"
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
    const char *found = ManifestText_Word(cJSON_GetObjectItemCaseSensitive(root, "format"), "none");
    if (strcmp(found, format) == 0) {
        take(context, root, 0);
    } else {
        char expected[64];
        snprintf(expected, sizeof expected, "\"%s\"", format);
        ManifestText_Refuse(text, "format", wrong_format, expected, found);
    }
    InputBudget_End(&text->budget);
    cJSON_Delete(root);
    return text->json.status;
}

void ManifestText_List(ManifestText *text, const cJSON *root, const char *name, ManifestTake *take,
                       void *context) {
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, name), *object;
    uint32_t index = 0;
    cJSON_ArrayForEach(object, list) {
        if (text->json.status)
            return;
        const size_t length = JsonRead_Enter(&text->json, name);
        JsonRead_EnterElement(&text->json, index);
        take(context, object, index++);
        JsonRead_Leave(&text->json, length);
    }
}

void ManifestText_Refuse(ManifestText *text, const char *field, const char *what,
                         const char *expected, const char *found) {
    if (text->json.status)
        return;
    JsonRead_Enter(&text->json, field);
    text->json.status = RpError_Set(text->json.error, RP_INVALID, RP_NOWHERE, what, text->json.path,
                                    expected, found);
}

void ManifestText_Number(ManifestText *text, const cJSON *object, const char *field, uint64_t most,
                         uint64_t *number, bool *found) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, field);
    char expected[64];
    if (found)
        *found = item != NULL;
    if (!item || text->json.status)
        return;
    if (JsonRead_IsWhole(item, 0, (double)most)) {
        *number = (uint64_t)item->valuedouble;
        return;
    }
    snprintf(expected, sizeof expected, "a whole number from 0 to %" PRIu64, most);
    JsonRead_Enter(&text->json, field);
    JsonRead_Refuse(&text->json, "a field of the manifest is wrong", expected, item);
    text->json.status = RP_INVALID; /* people write manifests, too */
    if (text->json.error)
        text->json.error->status = RP_INVALID;
}

void ManifestText_U32(ManifestText *text, const cJSON *object, const char *field, uint32_t *number,
                      bool *found) {
    uint64_t wide = *number;
    ManifestText_Number(text, object, field, UINT32_MAX, &wide, found);
    *number = (uint32_t)wide;
}

void ManifestText_U16(ManifestText *text, const cJSON *object, const char *field, uint16_t *number,
                      bool *found) {
    uint64_t wide = *number;
    ManifestText_Number(text, object, field, UINT16_MAX, &wide, found);
    *number = (uint16_t)wide;
}

void ManifestText_Bytes(ManifestText *text, const cJSON *object, const char *field, uint8_t *bytes,
                        size_t size) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, field);
    const char *digits = ManifestText_Word(item, "x");
    char expected[64];
    if (!item || text->json.status || (strlen(digits) == 2 * size && Hex_Read(digits, bytes, size)))
        return;
    snprintf(expected, sizeof expected, "%zu hex digits", 2 * size);
    ManifestText_Refuse(text, field, "a field of the manifest is wrong", expected,
                        ManifestText_Word(item, ""));
}

void ManifestText_Name(ManifestText *text, const cJSON *object, uint8_t *field, size_t size,
                       size_t gap, const char *what, const char *expected) {
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(object, "name");
    bool exact = false;
    size_t used = gap;
    if (cJSON_IsString(name))
        used += Text1251_FromUtf8(name->valuestring, (char *)field, size, &exact);
    if (!exact)
        ManifestText_Refuse(text, "name", what, expected, ManifestText_Word(name, "none"));
    else if (used <= size)
        ManifestText_Bytes(text, object, "name_tail", field + used, size - used);
}

/* ---- payloads -------------------------------------------------------------------------------- */

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

ManifestBytes ManifestText_Payload(ManifestText *text, const cJSON *object,
                                   const char *digits_field, const char *file_field) {
    const cJSON *file = cJSON_GetObjectItemCaseSensitive(object, file_field);
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, digits_field);
    const char *name = ManifestText_Word(file, ""), *digits = ManifestText_Word(item, "x");
    ManifestBytes payload = {NULL, 0};
    RpError *error = text->json.error;
    if (text->json.status || (!file && !item))
        return payload;
    if (file && !StaysInside(name)) {
        ManifestText_Refuse(text, file_field, "a file is not in the folder of the manifest",
                            "a relative path without ..", name);
    } else if (file) {
        text->json.status = Load(text->folder, name, &text->budget, &payload, error);
    } else {
        payload.size = strlen(digits) / 2;
        payload.bytes = payload.size <= UINT32_MAX ? malloc(payload.size + 1) : NULL;
        if (!payload.bytes)
            text->json.status = RpMemory_Refused(error, "a payload");
        else if (strlen(digits) % 2 != 0 || !Hex_Read(digits, payload.bytes, payload.size))
            ManifestText_Refuse(text, digits_field, "a payload is no hex text",
                                "pairs of hex digits", "");
    }
    return payload;
}

/* ---- writing --------------------------------------------------------------------------------- */

bool ManifestText_AddUnlessZero(cJSON *object, const char *field, const uint8_t *bytes,
                                size_t size) {
    for (size_t i = 0; i < size; i++)
        if (bytes[i])
            return JsonText_AddHex(object, field, bytes, size);
    return true;
}

bool ManifestText_AddPayload(cJSON *object, const char *digits_field, const char *file_field,
                             const char *file, const uint8_t *bytes, size_t size) {
    return file ? cJSON_AddStringToObject(object, file_field, file) != NULL
                : JsonText_AddHex(object, digits_field, bytes, size);
}

/* ---- folders --------------------------------------------------------------------------------- */

void ManifestFile_OfRegion(uint64_t place, char file[MEMBER_FILE_BYTES]) {
    snprintf(file, MEMBER_FILE_BYTES, "~region-%" PRIu64, place);
}

RpStatus ManifestFolder_Load(const char *folder, const char *file, ManifestBytes *bytes,
                             RpError *error) {
    return Load(folder, file, NULL, bytes, error);
}

typedef struct FolderFiles {
    char **names;
    size_t count, capacity;
} FolderFiles;

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
        while (kept && (item = readdir(directory))) {
            char path[4096];
            struct stat facts;
            const int length = snprintf(path, sizeof path, "%s/%s", folder, item->d_name);
            if (item->d_name[0] != '.' && (size_t)length < sizeof path && stat(path, &facts) == 0 &&
                S_ISREG(facts.st_mode))
                kept = KeepName(&files, item->d_name);
        }
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
