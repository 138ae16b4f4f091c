/* Makes an archive of a manifest, or of a folder of files. */
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
        member; /* data and size are those of its bytes, the offset is that of the manifest */
    uint32_t written_size;
    bool has_offset;
} Part;

typedef struct Manifest {
    ManifestText text;
    Part *members, *regions;
    uint32_t count, region_count;
    uint32_t directory_offset;
    uint32_t *table; /* null: it is to be made from the names */
    uint32_t table_count;
    RpNResLayout layout;
} Manifest;

/* ---- fields of the JSON text ----------------------------------------------------------------- */

static RpStatus ReadName(ManifestText *text, const cJSON *object, char *field) {
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(object, "name");
    if (!cJSON_IsString(name) || !ArchiveName_FromUtf8(name->valuestring, field))
        return ManifestText_Refuse(text, "name", "a member has no name that fits",
                                   "up to 35 characters of Windows-1251",
                                   ManifestText_Word(name, "none"));
    if (!memchr(field, 0, RP_NRES_NAME_BYTES)) /* the dumped archive already broke rule N07 */
        return RP_OK;

    /* The bytes behind the name's NUL. */
    const cJSON *tail = cJSON_GetObjectItemCaseSensitive(object, "name_tail");
    const size_t used = strlen(field) + 1, room = RP_NRES_NAME_BYTES - used;
    char expected[80];
    if (!tail || ManifestText_Hex(tail, (uint8_t *)field + used, room))
        return RP_OK;
    snprintf(expected, sizeof expected, "%zu hex digits behind that name, or no such field",
             2 * room);
    return ManifestText_Refuse(text, "name_tail", "the bytes behind a name are not that many",
                               expected, ManifestText_Word(tail, ""));
}

/* ---- payloads -------------------------------------------------------------------------------- */

static RpStatus ReadPayload(ManifestText *text, const cJSON *object, Part *part) {
    const cJSON *file = cJSON_GetObjectItemCaseSensitive(object, "file");
    const cJSON *digits = cJSON_GetObjectItemCaseSensitive(object, "hex");
    ManifestBytes bytes = {NULL, 0};
    RpStatus status;
    if (cJSON_IsString(digits) && !file)
        status = ManifestText_Digits(text, digits, "hex", &bytes);
    else if (cJSON_IsString(file))
        status = ManifestText_File(text, file, "file", &bytes);
    else
        status =
            ManifestText_Refuse(text, "file", "a payload is missing", "\"file\" or \"hex\"", "");
    part->member.data = bytes.bytes;
    part->member.size = (uint32_t)bytes.size;
    return status;
}

/* ---- the lists ------------------------------------------------------------------------------- */

static RpStatus ReadPlace(ManifestText *text, const cJSON *object, Part *part) {
    RpStatus status =
        ManifestText_U32(text, object, "offset", &part->member.offset, &part->has_offset);
    part->written_size = part->member.size;
    if (status == RP_OK)
        status = ManifestText_U32(text, object, "size", &part->written_size, NULL);
    if (status == RP_OK && part->has_offset && part->member.offset < RP_NRES_HEADER_BYTES)
        return ManifestText_Refuse(text, "offset", "an offset lies in the header", "16 or more",
                                   "");
    return status;
}

static RpStatus ReadMember(void *context, const cJSON *object, uint32_t index) {
    Manifest *manifest = context;
    Part *part = &manifest->members[index];
    manifest->count++;
    RpStatus status = ReadName(&manifest->text, object, part->member.name);
    if (status == RP_OK) {
        ManifestText *text = &manifest->text;
        RpNResMember *member = &part->member;
        uint32_t *type = &member->type;
        const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, "type");
        if (!cJSON_IsString(item))
            status = ManifestText_U32(text, object, "type", type, NULL);
        else if (!ArchiveType_Parse(item->valuestring, type))
            status = ManifestText_Refuse(text, "type", "a type is unknown",
                                         "four characters or a number", item->valuestring);
        if (status == RP_OK)
            status = ManifestText_U32(text, object, "attr1", &member->attr1, NULL);
        if (status == RP_OK)
            status = ManifestText_U32(text, object, "attr2", &member->attr2, NULL);
        if (status == RP_OK)
            status = ManifestText_U32(text, object, "attr3", &member->attr3, NULL);
    }
    if (status == RP_OK)
        status = ReadPayload(&manifest->text, object, part);
    if (status == RP_OK)
        status = ReadPlace(&manifest->text, object, part);
    return status;
}

/* The bytes of a region must be as many as the manifest states. If they are not, nothing says what
 * was changed. */
static RpStatus ReadRegion(void *context, const cJSON *object, uint32_t index) {
    Manifest *manifest = context;
    Part *part = &manifest->regions[index];
    manifest->region_count++;
    RpStatus status = ReadPayload(&manifest->text, object, part);
    if (status == RP_OK)
        status = ReadPlace(&manifest->text, object, part);
    if (status == RP_OK && (!part->has_offset || part->written_size != part->member.size))
        return ManifestText_Refuse(&manifest->text, "size",
                                   "a region is not as long as the manifest says",
                                   "an offset, and the size of its bytes", "");
    return status;
}

static RpStatus ReadList(Manifest *manifest, const cJSON *root, const char *name,
                         ManifestTake *take, Part **parts) {
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, name);
    *parts = calloc((size_t)cJSON_GetArraySize(list) + 1, sizeof **parts);
    if (!*parts)
        return RpMemory_Refused(manifest->text.json.error, name);
    return ManifestText_List(&manifest->text, root, name, take, manifest);
}

/* The manifest has the sort table only if it is not the one that follows from the names. */
static RpStatus ReadTable(Manifest *manifest, const cJSON *root) {
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, "sort_table"), *item;
    if (!list)
        return RP_OK;
    manifest->table = calloc((size_t)cJSON_GetArraySize(list) + 1, sizeof *manifest->table);
    if (!manifest->table)
        return RpMemory_Refused(manifest->text.json.error, "the sort table");
    cJSON_ArrayForEach(item, list) {
        if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0 && item->valuedouble <= UINT32_MAX))
            return ManifestText_Refuse(&manifest->text, "sort_table",
                                       "a field of the manifest is wrong",
                                       "whole numbers from 0 to 4294967295", "");
        manifest->table[manifest->table_count++] = (uint32_t)item->valuedouble;
    }
    return RP_OK;
}

static RpStatus ReadManifest(void *context, const cJSON *root, uint32_t index) {
    Manifest *manifest = context;
    RpStatus status = RP_OK;

    /* The layout that was dumped, and where its directory lay. */
    const char *layout =
        ManifestText_Word(cJSON_GetObjectItemCaseSensitive(root, "layout"), "canonical");
    if (strcmp(layout, "canonical") != 0 && strcmp(layout, "preserving") != 0) {
        status = ManifestText_Refuse(&manifest->text, "layout", "the layout is unknown",
                                     "canonical or preserving", layout);
    } else {
        manifest->layout = *layout == 'c' ? RP_NRES_CANONICAL : RP_NRES_PRESERVING;
        status = ManifestText_U32(&manifest->text, root, "directory_offset",
                                  &manifest->directory_offset, NULL);
    }
    (void)index;
    if (status == RP_OK)
        status = ReadTable(manifest, root);
    if (status == RP_OK)
        status = ReadList(manifest, root, "members", ReadMember, &manifest->members);
    if (status == RP_OK)
        status = ReadList(manifest, root, "regions", ReadRegion, &manifest->regions);
    return status;
}

static void FreeParts(Part *parts, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        free((void *)(uintptr_t)parts[i].member.data);
    free(parts);
}

/* ---- the image that the manifest describes --------------------------------------------------- */

/* Returns the most bytes that the image can have had. In any image that was dumped, payloads,
 * regions and fewer than 8 bytes of padding behind each of them fill the data region. If parts lie
 * farther apart, something between them has been removed since. */
static uint64_t MostBytes(const Manifest *manifest) {
    uint64_t bytes = RP_NRES_HEADER_BYTES + 8;
    for (uint32_t i = 0; i < manifest->count; i++)
        bytes +=
            manifest->members[i].has_offset ? (uint64_t)manifest->members[i].written_size + 8 : 0;
    for (uint32_t i = 0; i < manifest->region_count; i++)
        bytes += (uint64_t)manifest->regions[i].written_size + 8;
    return bytes;
}

static RpStatus CheckEnds(Manifest *manifest, const char *list, const Part *parts, uint32_t count) {
    char expected[64];
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t end = (uint64_t)parts[i].member.offset + parts[i].written_size;
        if (!parts[i].has_offset || end <= manifest->directory_offset)
            continue;
        snprintf(expected, sizeof expected, "an end of at most %" PRIu32,
                 manifest->directory_offset);
        JsonRead_Enter(&manifest->text.json, list);
        JsonRead_EnterElement(&manifest->text.json, i);
        return ManifestText_Refuse(&manifest->text, "offset", "something lies behind the data",
                                   expected, "");
    }
    return RP_OK;
}

static int CompareOffsets(const void *left, const void *right) {
    const uint32_t a = (*(Part *const *)left)->member.offset;
    const uint32_t b = (*(Part *const *)right)->member.offset;
    return (a > b) - (a < b);
}

static uint32_t TakePlaced(Part *parts, uint32_t count, Part **placed) {
    uint32_t taken = 0;
    for (uint32_t i = 0; i < count; i++)
        if (parts[i].has_offset)
            placed[taken++] = &parts[i];
    return taken;
}

/* Moves parts down by multiples of 8, until no hole has 8 bytes or more, and none before the
 * directory 16. The place of the directory is kept only if it follows the data at once. Writing
 * would close the holes of removed members anyway; but an image that has them can be as large as
 * the offsets say. */
static RpStatus CloseHoles(Manifest *manifest, RpError *error) {
    Part **placed = malloc(((size_t)manifest->count + manifest->region_count + 1) * sizeof *placed);
    if (!placed)
        return RpMemory_Refused(error, "the places of an archive");
    uint32_t count = TakePlaced(manifest->members, manifest->count, placed);
    count += TakePlaced(manifest->regions, manifest->region_count, placed + count);
    qsort(placed, count, sizeof *placed, CompareOffsets);
    uint64_t shift = 0, cursor = RP_NRES_HEADER_BYTES;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t offset = placed[i]->member.offset - shift;
        if (offset > cursor)
            shift += (offset - cursor) / 8 * 8;
        placed[i]->member.offset -= (uint32_t)shift;
        const uint64_t end = (uint64_t)placed[i]->member.offset + placed[i]->written_size;
        cursor = end > cursor ? end : cursor;
    }
    free(placed);
    manifest->directory_offset -= (uint32_t)shift;
    const uint64_t room = manifest->directory_offset - cursor;
    manifest->directory_offset -= room >= 16 ? (uint32_t)(room / 8 * 8) - 8 : 0;
    return RP_OK;
}

static void PutPart(uint8_t *image, const Part *part) {
    if (part->member.size && part->member.size == part->written_size)
        memcpy(image + part->member.offset, part->member.data, part->member.size);
}

/* Makes the image that was dumped, from the parts that the manifest still has. */
static RpStatus MakeSource(const Manifest *manifest, RpBuffer *source, RpError *error) {
    uint32_t placed = 0;
    for (uint32_t i = 0; i < manifest->count; i++)
        placed += manifest->members[i].has_offset;
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
        const Part *part = &manifest->members[i];
        const uint32_t sort_index =
            position < manifest->table_count ? manifest->table[position] : 0;
        const RpNResMember *member = &part->member;
        const uint32_t numbers[5] = {member->type, member->attr1, member->attr2, part->written_size,
                                     member->attr3};
        for (int k = 0; k < 5; k++)
            Bytes_PutU32(record + (ptrdiff_t)k * 4, numbers[k]);
        memcpy(record + 20, member->name, RP_NRES_NAME_BYTES);
        Bytes_PutU32(record + 56, member->offset);
        Bytes_PutU32(record + 60, sort_index);
        record += RP_NRES_RECORD_BYTES;
        position++;
    }
    return RP_OK;
}

/* ---- the archive ----------------------------------------------------------------------------- */

/* Uses the manifest's regions instead of all gaps in the image. This closes the gap that a removed
 * member has left. */
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

/* Whether a payload has another size than the manifest states, or was overwritten in the image by
 * another member that shared its bytes. */
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

RpStatus ArchiveManifest_Assemble(const char *json, size_t size, const char *folder,
                                  const RpNResLayout *layout, RpBuffer *image, RpError *error) {
    Manifest manifest = {.text = {.json = {.error = error}, .folder = folder},
                         .directory_offset = RP_NRES_HEADER_BYTES};
    RpStatus status =
        ManifestText_Read(&manifest.text, json, size, "retropose nres 1",
                          "this is no manifest of an archive", ReadManifest, &manifest);
    if (status == RP_OK) {
        /* The dumped image is made again, and what the manifest says otherwise is applied to it. */
        RpBuffer source;
        RpNResArchive archive;
        RpBuffer_Init(&source, NULL);
        RpNResArchive_Init(&archive, NULL);
        if (manifest.directory_offset < RP_NRES_HEADER_BYTES) {
            status = ManifestText_Refuse(&manifest.text, "directory_offset",
                                         "the directory lies in the header", "at least 16", "");
        } else {
            status = CheckEnds(&manifest, "members", manifest.members, manifest.count);
            if (status == RP_OK)
                status = CheckEnds(&manifest, "regions", manifest.regions, manifest.region_count);
            if (status == RP_OK && manifest.directory_offset > MostBytes(&manifest))
                status = CloseHoles(&manifest, error);
        }
        if (status == RP_OK)
            status = MakeSource(&manifest, &source, error);
        if (status == RP_OK) {
            RpNRes opened;
            status = RpNRes_Open(source.bytes, source.size, RP_TOLERANT, &opened, error);
            if (status == RP_OK)
                status = RpNResArchive_Read(&archive, &opened, error);
            if (status == RP_OK)
                status = SetRegions(&manifest, &archive, error);
            if (status == RP_OK)
                archive.keeps_table = manifest.table && manifest.table_count == manifest.count &&
                                      archive.count == manifest.count;
            for (uint32_t i = 0; status == RP_OK && i < manifest.count; i++)
                status = ApplyMember(&archive, i, &manifest.members[i], error);
        }
        if (status == RP_OK)
            status =
                RpNResArchive_Write(&archive, layout ? *layout : manifest.layout, image, error);
        RpNResArchive_Free(&archive);
        RpBuffer_Free(&source);
    }
    FreeParts(manifest.members, manifest.count);
    FreeParts(manifest.regions, manifest.region_count);
    free(manifest.table);
    return status;
}

/* ---- a folder without a manifest ------------------------------------------------------------- */

typedef struct Packing {
    RpNResArchive archive;
    const char *folder;
    uint32_t type;
} Packing;

static RpStatus AddFile(void *context, const char *file, RpError *error) {
    Packing *packing = context;
    RpNResMember member = {.type = packing->type};
    if (!ArchiveName_FromUtf8(file, member.name) || member.name[RP_NRES_NAME_MAX])
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "a file's name fits no member", file,
                           "up to 35 characters of Windows-1251", "");
    ManifestBytes bytes = {NULL, 0};
    RpStatus status = ManifestFolder_Load(packing->folder, file, &bytes, error);
    member.data = bytes.bytes;
    member.size = (uint32_t)bytes.size;
    if (status == RP_OK)
        status = RpNResArchive_Add(&packing->archive, packing->archive.count, &member, error);
    free(bytes.bytes);
    return status;
}

RpStatus ArchiveManifest_PackFolder(const char *folder, uint32_t type, RpBuffer *image,
                                    RpError *error) {
    Packing packing = {.folder = folder, .type = type};
    RpNResArchive_Init(&packing.archive, NULL);
    RpStatus status = ManifestFolder_Each(folder, AddFile, &packing, error);
    if (status == RP_OK)
        status = RpNResArchive_Write(&packing.archive, RP_NRES_CANONICAL, image, error);
    RpNResArchive_Free(&packing.archive);
    return status;
}
