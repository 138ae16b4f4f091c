/* From a manifest, or a folder of files, to an archive. */
#include "core/bytes.h"
#include "formats/archive/manifest_text.h"
#include "formats/archive/nres_manifest.h"
#include "formats/archive/nres_names.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A payload or a region. */
typedef struct Part {
    RpNResMember
        member; /* its data and size as given; offset as written; unused in regions: names */
    uint32_t written_size;
    bool has_offset;
} Part;

typedef struct Manifest {
    ManifestFolder folder;
    Part *members, *regions;
    uint32_t count, region_count;
    uint32_t directory_offset;
    uint32_t *table; /* null: to be made */
    uint32_t table_count;
    RpNResLayout layout;
} Manifest;

/* ---- fields of the JSON text ----------------------------------------------------------------- */

static RpStatus ReadTail(const cJSON *object, const ManifestPlace *place, char *field,
                         RpError *error) {
    const cJSON *tail = cJSON_GetObjectItemCaseSensitive(object, "name_tail");
    const size_t used = strlen(field) + 1, room = RP_NRES_NAME_BYTES - used;
    char expected[80];
    if (!tail)
        return RP_OK;
    if (cJSON_IsString(tail) && strlen(tail->valuestring) == 2 * room &&
        ManifestText_Hex(tail->valuestring, (uint8_t *)field + used, room))
        return RP_OK;
    snprintf(expected, sizeof expected, "%zu hex digits behind that name, or no such field",
             2 * room);
    return ManifestText_Refuse(place, "name_tail", "the bytes behind a name are not that many",
                               expected, cJSON_IsString(tail) ? tail->valuestring : "", error);
}

static RpStatus ReadName(const cJSON *object, const ManifestPlace *place, char *field,
                         RpError *error) {
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(object, "name");
    if (!cJSON_IsString(name) || !ArchiveName_FromUtf8(name->valuestring, field))
        return ManifestText_Refuse(place, "name", "a member has no name that fits",
                                   "up to 35 characters of Windows-1251",
                                   cJSON_IsString(name) ? name->valuestring : "none", error);
    if (!memchr(field, 0, RP_NRES_NAME_BYTES)) /* N07, as it was read */
        return RP_OK;
    return ReadTail(object, place, field, error);
}

static RpStatus ReadType(const cJSON *object, const ManifestPlace *place, uint32_t *type,
                         RpError *error) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, "type");
    if (!cJSON_IsString(item))
        return ManifestText_U32(object, place, "type", type, NULL, error);
    if (ArchiveType_Parse(item->valuestring, type))
        return RP_OK;
    return ManifestText_Refuse(place, "type", "a type is unknown", "four characters or a number",
                               item->valuestring, error);
}

/* ---- payloads -------------------------------------------------------------------------------- */

static RpStatus ReadBytes(const Manifest *manifest, const cJSON *object, const ManifestPlace *place,
                          ManifestBytes *bytes, RpError *error) {
    const cJSON *file = cJSON_GetObjectItemCaseSensitive(object, "file");
    const cJSON *digits = cJSON_GetObjectItemCaseSensitive(object, "hex");
    if (cJSON_IsString(digits) && !file)
        return ManifestText_Digits(digits, place, "hex", bytes, error);
    if (cJSON_IsString(file))
        return ManifestText_File(&manifest->folder, file, place, "file", bytes, error);
    return ManifestText_Refuse(place, "file", "a payload is missing", "\"file\" or \"hex\"", "",
                               error);
}

static RpStatus ReadPayload(const Manifest *manifest, const cJSON *object,
                            const ManifestPlace *place, Part *part, RpError *error) {
    ManifestBytes bytes = {NULL, 0};
    const RpStatus status = ReadBytes(manifest, object, place, &bytes, error);
    part->member.data = bytes.bytes;
    part->member.size = (uint32_t)bytes.size;
    return status;
}

/* ---- the lists ------------------------------------------------------------------------------- */

static RpStatus ReadNumbers(const cJSON *object, const ManifestPlace *place, Part *part,
                            RpError *error) {
    RpStatus status = ReadType(object, place, &part->member.type, error);
    if (status == RP_OK)
        status = ManifestText_U32(object, place, "attr1", &part->member.attr1, NULL, error);
    if (status == RP_OK)
        status = ManifestText_U32(object, place, "attr2", &part->member.attr2, NULL, error);
    if (status == RP_OK)
        status = ManifestText_U32(object, place, "attr3", &part->member.attr3, NULL, error);
    return status;
}

static RpStatus ReadPlace(const cJSON *object, const ManifestPlace *place, Part *part,
                          RpError *error) {
    RpStatus status =
        ManifestText_U32(object, place, "offset", &part->member.offset, &part->has_offset, error);
    part->written_size = part->member.size;
    if (status == RP_OK)
        status = ManifestText_U32(object, place, "size", &part->written_size, NULL, error);
    if (status == RP_OK && part->has_offset && part->member.offset < RP_NRES_HEADER_BYTES)
        return ManifestText_Refuse(place, "offset", "an offset lies in the header", "16 or more",
                                   "", error);
    return status;
}

static RpStatus ReadMember(const Manifest *manifest, const cJSON *object,
                           const ManifestPlace *place, Part *part, RpError *error) {
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
static RpStatus ReadRegion(const Manifest *manifest, const cJSON *object,
                           const ManifestPlace *place, Part *part, RpError *error) {
    RpStatus status = ReadPayload(manifest, object, place, part, error);
    if (status == RP_OK)
        status = ReadPlace(object, place, part, error);
    if (status == RP_OK && (!part->has_offset || part->written_size != part->member.size))
        return ManifestText_Refuse(place, "size", "a region is not as long as the manifest says",
                                   "an offset, and the size of its bytes", "", error);
    return status;
}

typedef RpStatus (*PartReader)(const Manifest *manifest, const cJSON *object,
                               const ManifestPlace *place, Part *part, RpError *error);

static RpStatus ReadList(const Manifest *manifest, const cJSON *root, const char *name,
                         PartReader reader, Part **parts, uint32_t *count, RpError *error) {
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, name), *object;
    const int size = list ? cJSON_GetArraySize(list) : 0;
    ManifestPlace place = {.list = name};
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
    static const ManifestPlace place = {.list = NULL};
    const cJSON *format = cJSON_GetObjectItemCaseSensitive(root, "format");
    const cJSON *layout = cJSON_GetObjectItemCaseSensitive(root, "layout");
    const char *layout_name = cJSON_IsString(layout) ? layout->valuestring : "canonical";
    if (!cJSON_IsString(format) || strcmp(format->valuestring, "retropose nres 1") != 0)
        return ManifestText_Refuse(&place, "format", "this is no manifest of an archive",
                                   "\"retropose nres 1\"",
                                   cJSON_IsString(format) ? format->valuestring : "none", error);
    if (strcmp(layout_name, "canonical") != 0 && strcmp(layout_name, "preserving") != 0)
        return ManifestText_Refuse(&place, "layout", "the layout is unknown",
                                   "canonical or preserving", layout_name, error);
    manifest->layout = *layout_name == 'c' ? RP_NRES_CANONICAL : RP_NRES_PRESERVING;
    return ManifestText_U32(root, &place, "directory_offset", &manifest->directory_offset, NULL,
                            error);
}

/* There only when it is not what the names give. */
static RpStatus ReadTable(Manifest *manifest, const cJSON *root, RpError *error) {
    static const ManifestPlace place = {.list = NULL};
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, "sort_table"), *item;
    if (!list)
        return RP_OK;
    manifest->table = calloc((size_t)cJSON_GetArraySize(list) + 1, sizeof *manifest->table);
    if (!manifest->table)
        return RpMemory_Refused(error, "the sort table");
    cJSON_ArrayForEach(item, list) {
        if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0 && item->valuedouble <= UINT32_MAX))
            return ManifestText_Refuse(&place, "sort_table", "a field of the manifest is wrong",
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

static RpStatus CheckEnd(const Part *part, const ManifestPlace *place, uint64_t end,
                         RpError *error) {
    char expected[64];
    if (!part->has_offset || (uint64_t)part->member.offset + part->written_size <= end)
        return RP_OK;
    snprintf(expected, sizeof expected, "an end of at most %" PRIu64, end);
    return ManifestText_Refuse(place, "offset", "something lies behind the data", expected, "",
                               error);
}

static RpStatus CheckPlaces(const Manifest *manifest, RpError *error) {
    static const ManifestPlace document = {.list = NULL};
    const uint64_t end = manifest->directory_offset, most = MostBytes(manifest);
    char expected[64];
    RpStatus status = RP_OK;
    snprintf(expected, sizeof expected, "16 to %" PRIu64, most);
    if (end < RP_NRES_HEADER_BYTES || end > most)
        return ManifestText_Refuse(&document, "directory_offset", "the directory lies elsewhere",
                                   expected, "", error);
    for (uint32_t i = 0; status == RP_OK && i < manifest->count; i++)
        status = CheckEnd(&manifest->members[i], &(ManifestPlace){"members", i}, end, error);
    for (uint32_t i = 0; status == RP_OK && i < manifest->region_count; i++)
        status = CheckEnd(&manifest->regions[i], &(ManifestPlace){"regions", i}, end, error);
    return status;
}

static void PutRecord(uint8_t *record, const Part *part, uint32_t sort_index) {
    const RpNResMember *member = &part->member;
    const uint32_t numbers[5] = {member->type, member->attr1, member->attr2, part->written_size,
                                 member->attr3};
    for (int i = 0; i < 5; i++)
        Bytes_PutU32(record + (ptrdiff_t)i * 4, numbers[i]);
    memcpy(record + 20, member->name, RP_NRES_NAME_BYTES);
    Bytes_PutU32(record + 56, member->offset);
    Bytes_PutU32(record + 60, sort_index);
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
    Bytes_PutU32(image + 4, RP_NRES_VERSION);
    Bytes_PutU32(image + 8, placed);
    Bytes_PutU32(image + 12, (uint32_t)total);
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
    InputBudget budget;
    Manifest manifest = {.folder = {folder, &budget}, .directory_offset = RP_NRES_HEADER_BYTES};
    cJSON *root = ManifestText_Parse(json, size, error);
    if (!root)
        return RP_INVALID;
    InputBudget_Begin(&budget, size);
    RpStatus status = ReadManifest(&manifest, root, error);
    cJSON_Delete(root);
    InputBudget_End(&budget);
    if (status == RP_OK)
        status = WriteManifest(&manifest, layout, image, error);
    FreeManifest(&manifest);
    return status;
}

/* ---- a folder without a manifest ------------------------------------------------------------- */

static RpStatus AddFile(RpNResArchive *archive, const char *folder, const char *name, uint32_t type,
                        RpError *error) {
    Part part = {.member = {.type = type}};
    if (!ArchiveName_FromUtf8(name, part.member.name) || part.member.name[RP_NRES_NAME_MAX])
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "a file's name fits no member", name,
                           "up to 35 characters of Windows-1251", "");
    ManifestBytes bytes = {NULL, 0};
    RpStatus status = ManifestText_Load(&(ManifestFolder){folder, NULL}, name, &bytes, error);
    part.member.data = bytes.bytes;
    part.member.size = (uint32_t)bytes.size;
    if (status == RP_OK)
        status = RpNResArchive_Add(archive, archive->count, &part.member, error);
    free(bytes.bytes);
    return status;
}

RpStatus ArchiveManifest_PackFolder(const char *folder, uint32_t type, RpBuffer *image,
                                    RpError *error) {
    FolderFiles list;
    RpNResArchive archive;
    RpNResArchive_Init(&archive, NULL);
    RpStatus status = FolderFiles_List(folder, &list, error);
    for (size_t i = 0; status == RP_OK && i < list.count; i++)
        status = AddFile(&archive, folder, list.names[i], type, error);
    if (status == RP_OK)
        status = RpNResArchive_Write(&archive, RP_NRES_CANONICAL, image, error);
    RpNResArchive_Free(&archive);
    FolderFiles_Free(&list);
    return status;
}
