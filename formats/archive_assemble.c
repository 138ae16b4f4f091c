/* From a manifest, or a folder of files, to an archive. */
#define _POSIX_C_SOURCE 200809L /* opendir */

#include "formats/archive_manifest.h"
#include "formats/archive_names.h"
#include "formats/mapping.h"

#include <cjson/cJSON.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A payload or a region. */
typedef struct Part {
    RpNResMember
        member; /* its data and size as given; offset as written; unused in regions: names */
    uint32_t written_size;
    bool has_offset;
} Part;

typedef struct Manifest {
    const char *folder;
    Part *members, *regions;
    uint32_t count, region_count;
    uint32_t directory_offset;
    uint32_t *table; /* null: to be made */
    uint32_t table_count;
    RpNResLayout layout;
} Manifest;

/* ---- fields of the JSON text ----------------------------------------------------------------- */

typedef struct Place {
    const char *list; /* "members" or "regions"; null: the document */
    uint32_t index;
} Place;

static RpStatus Refuse(const Place *place, const char *field, const char *what,
                       const char *expected, const char *found, RpError *error) {
    char where[160];
    if (place->list)
        snprintf(where, sizeof where, "%s[%" PRIu32 "].%s", place->list, place->index, field);
    else
        snprintf(where, sizeof where, "%s", field);
    return RpError_Set(error, RP_INVALID, RP_NOWHERE, what, where, expected, found);
}

/* Leaves *number alone when the field is absent; *found (may be null) says whether it was there. */
static RpStatus ReadNumber(const cJSON *object, const Place *place, const char *field,
                           uint32_t *number, bool *found, RpError *error) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, field);
    if (found)
        *found = item != NULL;
    if (!item)
        return RP_OK;
    if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0 && item->valuedouble <= UINT32_MAX) ||
        item->valuedouble != (double)(uint32_t)item->valuedouble)
        return Refuse(place, field, "a field of the manifest is wrong",
                      "a whole number from 0 to 4294967295", "", error);
    *number = (uint32_t)item->valuedouble;
    return RP_OK;
}

static int HexDigit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Half as many bytes as there are digits. */
static bool ReadHex(const char *digits, uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        const int high = HexDigit(digits[2 * i]);
        const int low = high < 0 ? -1 : HexDigit(digits[2 * i + 1]);
        if (low < 0)
            return false;
        bytes[i] = (uint8_t)(high * 16 + low);
    }
    return !digits[2 * size];
}

static RpStatus ReadTail(const cJSON *object, const Place *place, char *field, RpError *error) {
    const cJSON *tail = cJSON_GetObjectItemCaseSensitive(object, "name_tail");
    const size_t used = strlen(field) + 1, room = RP_NRES_NAME_BYTES - used;
    char expected[80];
    if (!tail)
        return RP_OK;
    if (cJSON_IsString(tail) && strlen(tail->valuestring) == 2 * room &&
        ReadHex(tail->valuestring, (uint8_t *)field + used, room))
        return RP_OK;
    snprintf(expected, sizeof expected, "%zu hex digits behind that name, or no such field",
             2 * room);
    return Refuse(place, "name_tail", "the bytes behind a name are not that many", expected,
                  cJSON_IsString(tail) ? tail->valuestring : "", error);
}

static RpStatus ReadName(const cJSON *object, const Place *place, char *field, RpError *error) {
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(object, "name");
    if (!cJSON_IsString(name) || !ArchiveName_FromUtf8(name->valuestring, field))
        return Refuse(place, "name", "a member has no name that fits",
                      "up to 35 characters of Windows-1251",
                      cJSON_IsString(name) ? name->valuestring : "none", error);
    if (!memchr(field, 0, RP_NRES_NAME_BYTES)) /* N07, as it was read */
        return RP_OK;
    return ReadTail(object, place, field, error);
}

static RpStatus ReadType(const cJSON *object, const Place *place, uint32_t *type, RpError *error) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, "type");
    if (!cJSON_IsString(item))
        return ReadNumber(object, place, "type", type, NULL, error);
    if (ArchiveType_Parse(item->valuestring, type))
        return RP_OK;
    return Refuse(place, "type", "a type is unknown", "four characters or a number",
                  item->valuestring, error);
}

/* ---- payloads -------------------------------------------------------------------------------- */

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

static RpStatus CopyMapping(const Mapping *mapping, const char *path, Part *part, RpError *error) {
    if (mapping->size > UINT32_MAX)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "a payload is too large", path,
                           "at most 4294967295 bytes", "");
    uint8_t *bytes = malloc(mapping->size + 1);
    if (!bytes)
        return RpMemory_Refused(error, path);
    if (mapping->size)
        memcpy(bytes, mapping->bytes, mapping->size);
    part->member.data = bytes;
    part->member.size = (uint32_t)mapping->size;
    return RP_OK;
}

static RpStatus ReadFile(const char *folder, const char *file, Part *part, RpError *error) {
    char path[4096];
    Mapping mapping;
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, file) >= sizeof path)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the path is too long", file, "", "");
    RpStatus status = Mapping_Open(path, &mapping, error);
    if (status != RP_OK)
        return status;
    status = CopyMapping(&mapping, path, part, error);
    Mapping_Close(&mapping);
    return status;
}

static RpStatus ReadDigits(const char *digits, const Place *place, Part *part, RpError *error) {
    const size_t size = strlen(digits) / 2;
    uint8_t *bytes = size <= UINT32_MAX ? malloc(size + 1) : NULL;
    if (!bytes)
        return RpMemory_Refused(error, "a payload");
    part->member.data = bytes;
    part->member.size = (uint32_t)size;
    if (ReadHex(digits, bytes, size))
        return RP_OK;
    return Refuse(place, "hex", "a payload is no hex text", "pairs of hex digits", "", error);
}

static RpStatus ReadPayload(const Manifest *manifest, const cJSON *object, const Place *place,
                            Part *part, RpError *error) {
    const cJSON *file = cJSON_GetObjectItemCaseSensitive(object, "file");
    const cJSON *digits = cJSON_GetObjectItemCaseSensitive(object, "hex");
    if (cJSON_IsString(digits) && !file)
        return ReadDigits(digits->valuestring, place, part, error);
    if (!cJSON_IsString(file))
        return Refuse(place, "file", "a payload is missing", "\"file\" or \"hex\"", "", error);
    if (!StaysInside(file->valuestring))
        return Refuse(place, "file", "a payload's file is not in the folder of the manifest",
                      "a relative path without ..", file->valuestring, error);
    return ReadFile(manifest->folder, file->valuestring, part, error);
}

/* ---- the lists ------------------------------------------------------------------------------- */

static RpStatus ReadNumbers(const cJSON *object, const Place *place, Part *part, RpError *error) {
    RpStatus status = ReadType(object, place, &part->member.type, error);
    if (status == RP_OK)
        status = ReadNumber(object, place, "attr1", &part->member.attr1, NULL, error);
    if (status == RP_OK)
        status = ReadNumber(object, place, "attr2", &part->member.attr2, NULL, error);
    if (status == RP_OK)
        status = ReadNumber(object, place, "attr3", &part->member.attr3, NULL, error);
    return status;
}

static RpStatus ReadPlace(const cJSON *object, const Place *place, Part *part, RpError *error) {
    RpStatus status =
        ReadNumber(object, place, "offset", &part->member.offset, &part->has_offset, error);
    part->written_size = part->member.size;
    if (status == RP_OK)
        status = ReadNumber(object, place, "size", &part->written_size, NULL, error);
    if (status == RP_OK && part->has_offset && part->member.offset < RP_NRES_HEADER_BYTES)
        return Refuse(place, "offset", "an offset lies in the header", "16 or more", "", error);
    return status;
}

static RpStatus ReadMember(const Manifest *manifest, const cJSON *object, const Place *place,
                           Part *part, RpError *error) {
    RpStatus status = ReadName(object, place, part->member.name, error);
    if (status == RP_OK)
        status = ReadNumbers(object, place, part, error);
    if (status == RP_OK)
        status = ReadPayload(manifest, object, place, part, error);
    if (status == RP_OK)
        status = ReadPlace(object, place, part, error);
    return status;
}

/* A region stays as it is: resized, it would be another one. */
static RpStatus ReadRegion(const Manifest *manifest, const cJSON *object, const Place *place,
                           Part *part, RpError *error) {
    RpStatus status = ReadPayload(manifest, object, place, part, error);
    if (status == RP_OK)
        status = ReadPlace(object, place, part, error);
    if (status == RP_OK && (!part->has_offset || part->written_size != part->member.size))
        return Refuse(place, "size", "a region is not as long as the manifest says",
                      "an offset, and the size of its bytes", "", error);
    return status;
}

typedef RpStatus (*PartReader)(const Manifest *manifest, const cJSON *object, const Place *place,
                               Part *part, RpError *error);

static RpStatus ReadList(const Manifest *manifest, const cJSON *root, const char *name,
                         PartReader reader, Part **parts, uint32_t *count, RpError *error) {
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, name), *object;
    const int size = list ? cJSON_GetArraySize(list) : 0;
    Place place = {.list = name};
    RpStatus status = RP_OK;
    *parts = calloc((size_t)size + 1, sizeof **parts);
    if (!*parts)
        return RpMemory_Refused(error, name);
    cJSON_ArrayForEach(object, list) {
        place.index = (*count)++;
        status = reader(manifest, object, &place, &(*parts)[place.index], error);
        if (status != RP_OK)
            break;
    }
    return status;
}

static RpStatus ReadHead(Manifest *manifest, const cJSON *root, RpError *error) {
    static const Place place = {.list = NULL};
    const cJSON *format = cJSON_GetObjectItemCaseSensitive(root, "format");
    const cJSON *layout = cJSON_GetObjectItemCaseSensitive(root, "layout");
    const char *layout_name = cJSON_IsString(layout) ? layout->valuestring : "canonical";
    if (!cJSON_IsString(format) || strcmp(format->valuestring, "retropose nres 1") != 0)
        return Refuse(&place, "format", "this is no manifest of an archive", "\"retropose nres 1\"",
                      cJSON_IsString(format) ? format->valuestring : "none", error);
    if (strcmp(layout_name, "canonical") != 0 && strcmp(layout_name, "preserving") != 0)
        return Refuse(&place, "layout", "the layout is unknown", "canonical or preserving",
                      layout_name, error);
    manifest->layout = *layout_name == 'c' ? RP_NRES_CANONICAL : RP_NRES_PRESERVING;
    return ReadNumber(root, &place, "directory_offset", &manifest->directory_offset, NULL, error);
}

/* There only when it is not what the names give. */
static RpStatus ReadTable(Manifest *manifest, const cJSON *root, RpError *error) {
    static const Place place = {.list = NULL};
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, "sort_table"), *item;
    if (!list)
        return RP_OK;
    manifest->table = calloc((size_t)cJSON_GetArraySize(list) + 1, sizeof *manifest->table);
    if (!manifest->table)
        return RpMemory_Refused(error, "the sort table");
    cJSON_ArrayForEach(item, list) {
        if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0 && item->valuedouble <= UINT32_MAX))
            return Refuse(&place, "sort_table", "a field of the manifest is wrong",
                          "whole numbers from 0 to 4294967295", "", error);
        manifest->table[manifest->table_count++] = (uint32_t)item->valuedouble;
    }
    return RP_OK;
}

static RpStatus ReadManifest(Manifest *manifest, const cJSON *root, RpError *error) {
    RpStatus status = ReadHead(manifest, root, error);
    if (status == RP_OK)
        status = ReadTable(manifest, root, error);
    if (status == RP_OK)
        status = ReadList(manifest, root, "members", ReadMember, &manifest->members,
                          &manifest->count, error);
    if (status == RP_OK)
        status = ReadList(manifest, root, "regions", ReadRegion, &manifest->regions,
                          &manifest->region_count, error);
    return status;
}

static void FreeParts(Part *parts, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        free((void *)(uintptr_t)parts[i].member.data);
    free(parts);
}

static void FreeManifest(Manifest *manifest) {
    FreeParts(manifest->members, manifest->count);
    FreeParts(manifest->regions, manifest->region_count);
    free(manifest->table);
}

/* ---- the image that the manifest describes --------------------------------------------------- */

/* Payloads, regions and padding of fewer than 8 bytes behind each of them fill the data region of
 * any image; more than that is not allocated. */
static uint64_t MostBytes(const Manifest *manifest) {
    uint64_t bytes = RP_NRES_HEADER_BYTES + 8;
    for (uint32_t i = 0; i < manifest->count; i++)
        bytes +=
            manifest->members[i].has_offset ? (uint64_t)manifest->members[i].written_size + 8 : 0;
    for (uint32_t i = 0; i < manifest->region_count; i++)
        bytes += (uint64_t)manifest->regions[i].written_size + 8;
    return bytes;
}

static RpStatus CheckEnd(const Part *part, const Place *place, uint64_t end, RpError *error) {
    char expected[64];
    if (!part->has_offset || (uint64_t)part->member.offset + part->written_size <= end)
        return RP_OK;
    snprintf(expected, sizeof expected, "an end of at most %" PRIu64, end);
    return Refuse(place, "offset", "something lies behind the data", expected, "", error);
}

static RpStatus CheckPlaces(const Manifest *manifest, RpError *error) {
    static const Place document = {.list = NULL};
    const uint64_t end = manifest->directory_offset, most = MostBytes(manifest);
    char expected[64];
    RpStatus status = RP_OK;
    snprintf(expected, sizeof expected, "16 to %" PRIu64, most);
    if (end < RP_NRES_HEADER_BYTES || end > most)
        return Refuse(&document, "directory_offset", "the directory lies elsewhere", expected, "",
                      error);
    for (uint32_t i = 0; status == RP_OK && i < manifest->count; i++)
        status = CheckEnd(&manifest->members[i], &(Place){"members", i}, end, error);
    for (uint32_t i = 0; status == RP_OK && i < manifest->region_count; i++)
        status = CheckEnd(&manifest->regions[i], &(Place){"regions", i}, end, error);
    return status;
}

static void PutU32(uint8_t *at, uint32_t value) {
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> (8 * i));
}

static void PutRecord(uint8_t *record, const Part *part, uint32_t sort_index) {
    const RpNResMember *member = &part->member;
    const uint32_t numbers[5] = {member->type, member->attr1, member->attr2, part->written_size,
                                 member->attr3};
    for (int i = 0; i < 5; i++)
        PutU32(record + (ptrdiff_t)i * 4, numbers[i]);
    memcpy(record + 20, member->name, RP_NRES_NAME_BYTES);
    PutU32(record + 56, member->offset);
    PutU32(record + 60, sort_index);
}

static void PutPart(uint8_t *image, const Part *part) {
    if (part->member.size && part->member.size == part->written_size)
        memcpy(image + part->member.offset, part->member.data, part->member.size);
}

static uint32_t CountPlaced(const Manifest *manifest) {
    uint32_t placed = 0;
    for (uint32_t i = 0; i < manifest->count; i++)
        placed += manifest->members[i].has_offset;
    return placed;
}

/* The image as it was, as far as the manifest still has it. */
static RpStatus MakeSource(const Manifest *manifest, RpBuffer *source, RpError *error) {
    const uint32_t placed = CountPlaced(manifest);
    const uint64_t total = manifest->directory_offset + (uint64_t)placed * RP_NRES_RECORD_BYTES;
    uint8_t *image = total <= UINT32_MAX ? RpBuffer_Extend(source, (size_t)total) : NULL;
    if (!image)
        return RpMemory_Refused(error, "an archive's image");
    memcpy(image, "NRes", 4);
    PutU32(image + 4, RP_NRES_VERSION);
    PutU32(image + 8, placed);
    PutU32(image + 12, (uint32_t)total);
    uint8_t *record = image + manifest->directory_offset;
    uint32_t position = 0;
    for (uint32_t i = 0; i < manifest->region_count; i++)
        PutPart(image, &manifest->regions[i]);
    for (uint32_t i = 0; i < manifest->count; i++) {
        if (!manifest->members[i].has_offset)
            continue;
        PutPart(image, &manifest->members[i]);
        PutRecord(record, &manifest->members[i],
                  position < manifest->table_count ? manifest->table[position] : 0);
        record += RP_NRES_RECORD_BYTES;
        position++;
    }
    return RP_OK;
}

/* ---- the archive ----------------------------------------------------------------------------- */

/* The manifest's regions instead of all gaps: what a removed member has left closes up. */
static RpStatus SetRegions(const Manifest *manifest, RpNResArchive *archive, RpError *error) {
    RpNResRegion *regions =
        RpMemory_Resize(archive->allocator, NULL, (manifest->region_count + 1) * sizeof *regions);
    if (!regions)
        return RpMemory_Refused(error, "the regions of an archive");
    for (uint32_t i = 0; i < manifest->region_count; i++) {
        const RpNResMember *region = &manifest->regions[i].member;
        regions[i] = (RpNResRegion){.data = archive->source.image + region->offset,
                                    .offset = region->offset,
                                    .size = region->size};
    }
    RpMemory_Free(archive->allocator, archive->regions);
    archive->regions = regions;
    archive->region_count = manifest->region_count;
    return RP_OK;
}

/* Resized, or overwritten in the image by another member that shared its bytes. */
static bool Differs(const RpNResMember *member, const Part *part) {
    return member->size != part->member.size ||
           (member->size && memcmp(member->data, part->member.data, member->size) != 0);
}

static RpStatus ApplyMember(RpNResArchive *archive, uint32_t at, const Part *part, RpError *error) {
    if (!part->has_offset)
        return RpNResArchive_Add(archive, at, &part->member, error);
    if (Differs(&archive->members[at], part))
        return RpNResArchive_Replace(archive, at, part->member.data, part->member.size, error);
    return RP_OK;
}

static RpStatus FillArchive(const Manifest *manifest, const RpBuffer *source,
                            RpNResArchive *archive, RpError *error) {
    RpNRes opened;
    RpStatus status = RpNRes_Open(source->bytes, source->size, RP_TOLERANT, &opened, error);
    if (status == RP_OK)
        status = RpNResArchive_Read(archive, &opened, error);
    if (status == RP_OK)
        status = SetRegions(manifest, archive, error);
    if (status == RP_OK)
        archive->keeps_table = manifest->table && manifest->table_count == manifest->count &&
                               archive->count == manifest->count;
    for (uint32_t i = 0; status == RP_OK && i < manifest->count; i++)
        status = ApplyMember(archive, i, &manifest->members[i], error);
    return status;
}

static RpStatus WriteManifest(const Manifest *manifest, const RpNResLayout *layout, RpBuffer *image,
                              RpError *error) {
    RpBuffer source;
    RpNResArchive archive;
    RpBuffer_Init(&source, NULL);
    RpNResArchive_Init(&archive, NULL);
    RpStatus status = CheckPlaces(manifest, error);
    if (status == RP_OK)
        status = MakeSource(manifest, &source, error);
    if (status == RP_OK)
        status = FillArchive(manifest, &source, &archive, error);
    if (status == RP_OK)
        status = RpNResArchive_Write(&archive, layout ? *layout : manifest->layout, image, error);
    RpNResArchive_Free(&archive);
    RpBuffer_Free(&source);
    return status;
}

RpStatus ArchiveManifest_Assemble(const char *json, size_t size, const char *folder,
                                  const RpNResLayout *layout, RpBuffer *image, RpError *error) {
    Manifest manifest = {.folder = folder, .directory_offset = RP_NRES_HEADER_BYTES};
    const char *end = NULL;
    cJSON *root = cJSON_ParseWithLengthOpts(json, size, &end, false);
    RpStatus status = RP_OK;
    if (root)
        status = ReadManifest(&manifest, root, error);
    else
        status = RpError_Set(error, RP_INVALID, end ? (uint64_t)(end - json) : 0,
                             "the manifest is no JSON text", "", "", "");
    cJSON_Delete(root);
    if (status == RP_OK)
        status = WriteManifest(&manifest, layout, image, error);
    FreeManifest(&manifest);
    return status;
}

/* ---- a folder without a manifest ------------------------------------------------------------- */

static int CompareTexts(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool IsRegularFile(const char *folder, const char *file) {
    char path[4096];
    struct stat facts;
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, file) >= sizeof path)
        return false;
    return stat(path, &facts) == 0 && S_ISREG(facts.st_mode);
}

typedef struct FileList {
    char **names;
    size_t count;
} FileList;

static bool FileList_Add(FileList *list, const char *name) {
    char **names = realloc(list->names, (list->count + 1) * sizeof *names);
    char *copy = malloc(strlen(name) + 1);
    if (names)
        list->names = names;
    if (!names || !copy) {
        free(copy);
        return false;
    }
    strcpy(copy, name);
    list->names[list->count++] = copy;
    return true;
}

static void FileList_Free(FileList *list) {
    for (size_t i = 0; i < list->count; i++)
        free(list->names[i]);
    free(list->names);
}

static RpStatus ListFolder(const char *folder, FileList *list, RpError *error) {
    DIR *directory = opendir(folder);
    bool good = true;
    if (!directory)
        return RpError_Set(error, RP_IO, RP_NOWHERE, "cannot read the folder", folder, "",
                           strerror(errno));
    for (const struct dirent *entry = readdir(directory); entry && good; entry = readdir(directory))
        if (IsRegularFile(folder, entry->d_name))
            good = FileList_Add(list, entry->d_name);
    closedir(directory);
    if (!good)
        return RpMemory_Refused(error, folder);
    if (list->count)
        qsort(list->names, list->count, sizeof *list->names, CompareTexts);
    return RP_OK;
}

static RpStatus AddFile(RpNResArchive *archive, const char *folder, const char *name, uint32_t type,
                        RpError *error) {
    Part part = {.member = {.type = type}};
    if (!ArchiveName_FromUtf8(name, part.member.name) || part.member.name[RP_NRES_NAME_MAX])
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "a file's name fits no member", name,
                           "up to 35 characters of Windows-1251", "");
    RpStatus status = ReadFile(folder, name, &part, error);
    if (status == RP_OK)
        status = RpNResArchive_Add(archive, archive->count, &part.member, error);
    free((void *)(uintptr_t)part.member.data);
    return status;
}

RpStatus ArchiveManifest_PackFolder(const char *folder, uint32_t type, RpBuffer *image,
                                    RpError *error) {
    FileList list = {.names = NULL};
    RpNResArchive archive;
    RpNResArchive_Init(&archive, NULL);
    RpStatus status = ListFolder(folder, &list, error);
    for (size_t i = 0; status == RP_OK && i < list.count; i++)
        status = AddFile(&archive, folder, list.names[i], type, error);
    if (status == RP_OK)
        status = RpNResArchive_Write(&archive, RP_NRES_CANONICAL, image, error);
    RpNResArchive_Free(&archive);
    FileList_Free(&list);
    return status;
}
