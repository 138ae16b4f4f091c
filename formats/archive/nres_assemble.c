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
    RpNResMember member;   /* data and size are those of its bytes, the offset the manifest's */
    uint32_t written_size; /* the manifest's */
    bool has_offset;
} Part;

typedef struct Manifest {
    ManifestText text;
    Part *members, *regions;
    uint32_t count, region_count;
    uint32_t directory_offset;
    uint32_t *table, table_count;
    bool has_table; /* else the sort table follows from the names */
    RpNResLayout layout;
} Manifest;

/* ---- the JSON text --------------------------------------------------------------------------- */

static void ReadPart(ManifestText *text, const cJSON *object, Part *part) {
    const ManifestBytes payload = ManifestText_Payload(text, object, "hex", "file");
    if (!payload.bytes)
        ManifestText_Refuse(text, "file", "a payload is missing", "\"file\" or \"hex\"", "");
    part->member.data = payload.bytes;
    part->member.size = part->written_size = (uint32_t)payload.size;
    ManifestText_U32(text, object, "offset", &part->member.offset, &part->has_offset);
    ManifestText_U32(text, object, "size", &part->written_size, NULL);
    if (part->has_offset && part->member.offset < RP_NRES_HEADER_BYTES)
        ManifestText_Refuse(text, "offset", "an offset lies in the header", "16 or more", "");
}

static void ReadMember(void *context, const cJSON *object, uint32_t index) {
    Manifest *manifest = context;
    ManifestText *text = &manifest->text;
    RpNResMember *member = &manifest->members[index].member;
    const cJSON *type = cJSON_GetObjectItemCaseSensitive(object, "type");
    manifest->count++;
    /* A name without a NUL, as in an archive that breaks rule N07, has nothing behind it. */
    ManifestText_Name(text, object, (uint8_t *)member->name, RP_NRES_NAME_BYTES, 1,
                      "a member has no name that fits", "up to 35 characters of Windows-1251");
    if (!cJSON_IsString(type))
        ManifestText_U32(text, object, "type", &member->type, NULL);
    else if (!ArchiveType_Parse(type->valuestring, &member->type))
        ManifestText_Refuse(text, "type", "a type is unknown", "four characters or a number",
                            type->valuestring);
    ManifestText_U32(text, object, "attr1", &member->attr1, NULL);
    ManifestText_U32(text, object, "attr2", &member->attr2, NULL);
    ManifestText_U32(text, object, "attr3", &member->attr3, NULL);
    ReadPart(text, object, &manifest->members[index]);
}

/* The bytes of a region must be as many as the manifest states. If they are not, nothing says what
 * was changed. */
static void ReadRegion(void *context, const cJSON *object, uint32_t index) {
    Manifest *manifest = context;
    Part *part = &manifest->regions[index];
    manifest->region_count++;
    ReadPart(&manifest->text, object, part);
    if (!part->has_offset || part->written_size != part->member.size)
        ManifestText_Refuse(&manifest->text, "size", "a region is not as long as the manifest says",
                            "an offset, and the size of its bytes", "");
}

/* Demands that parts end before the directory begins. */
static void CheckEnds(Manifest *manifest, const char *list, const Part *parts, uint32_t count) {
    char expected[64];
    for (uint32_t i = 0; i < count && !manifest->text.json.status; i++) {
        const uint64_t end = (uint64_t)parts[i].member.offset + parts[i].written_size;
        if (!parts[i].has_offset || end <= manifest->directory_offset)
            continue;
        snprintf(expected, sizeof expected, "an end of at most %" PRIu32,
                 manifest->directory_offset);
        JsonRead_Enter(&manifest->text.json, list);
        JsonRead_EnterElement(&manifest->text.json, i);
        ManifestText_Refuse(&manifest->text, "offset", "something lies behind the data", expected,
                            "");
    }
}

static void ReadManifest(void *context, const cJSON *root, uint32_t index) {
    Manifest *manifest = context;
    ManifestText *text = &manifest->text;
    const cJSON *table = cJSON_GetObjectItemCaseSensitive(root, "sort_table"), *item;
    const cJSON *members = cJSON_GetObjectItemCaseSensitive(root, "members");
    const cJSON *regions = cJSON_GetObjectItemCaseSensitive(root, "regions");
    (void)index;

    /* The layout that was dumped, and where its directory lay. */
    const char *layout =
        ManifestText_Word(cJSON_GetObjectItemCaseSensitive(root, "layout"), "canonical");
    manifest->layout = *layout == 'c' ? RP_NRES_CANONICAL : RP_NRES_PRESERVING;
    if (strcmp(layout, "canonical") != 0 && strcmp(layout, "preserving") != 0)
        ManifestText_Refuse(text, "layout", "the layout is unknown", "canonical or preserving",
                            layout);
    ManifestText_U32(text, root, "directory_offset", &manifest->directory_offset, NULL);

    /* There is one of each more, because memory of no bytes may be null. */
    manifest->table = calloc((size_t)cJSON_GetArraySize(table) + 1, sizeof *manifest->table);
    manifest->members = calloc((size_t)cJSON_GetArraySize(members) + 1, sizeof(Part));
    manifest->regions = calloc((size_t)cJSON_GetArraySize(regions) + 1, sizeof(Part));
    if (!manifest->table || !manifest->members || !manifest->regions) {
        text->json.status = RpMemory_Refused(text->json.error, "the manifest of an archive");
        return;
    }
    manifest->has_table = table != NULL;
    cJSON_ArrayForEach(item, table) {
        if (!JsonRead_IsWhole(item, 0, UINT32_MAX))
            ManifestText_Refuse(text, "sort_table", "a field of the manifest is wrong",
                                "whole numbers from 0 to 4294967295", "");
        else
            manifest->table[manifest->table_count++] = (uint32_t)item->valuedouble;
    }
    ManifestText_List(text, root, "members", ReadMember, manifest);
    ManifestText_List(text, root, "regions", ReadRegion, manifest);
    if (manifest->directory_offset < RP_NRES_HEADER_BYTES)
        ManifestText_Refuse(text, "directory_offset", "the directory lies in the header",
                            "at least 16", "");
    CheckEnds(manifest, "members", manifest->members, manifest->count);
    CheckEnds(manifest, "regions", manifest->regions, manifest->region_count);
}

static void FreeParts(Part *parts, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        free((void *)(uintptr_t)parts[i].member.data);
    free(parts);
}

/* ---- the image that the manifest describes --------------------------------------------------- */

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

/* The dumped image is made again, and what the manifest says otherwise is applied to it. */
RpStatus ArchiveManifest_Assemble(const char *json, size_t size, const char *folder,
                                  const RpNResLayout *layout, RpBuffer *image, RpError *error) {
    Manifest manifest = {.text = {.json = {.error = error}, .folder = folder},
                         .directory_offset = RP_NRES_HEADER_BYTES};
    RpBuffer source;
    RpNRes opened;
    RpNResArchive archive;
    RpBuffer_Init(&source, NULL);
    RpNResArchive_Init(&archive, NULL);
    RpStatus status =
        ManifestText_Read(&manifest.text, json, size, "retropose nres 1",
                          "this is no manifest of an archive", ReadManifest, &manifest);

    /* In any image that was dumped, payloads, regions and fewer than 8 bytes of padding behind each
     * of them fill the data region. If parts lie farther apart, something between them has been
     * removed since. */
    uint64_t most = RP_NRES_HEADER_BYTES + 8;
    for (uint32_t i = 0; status == RP_OK && i < manifest.count; i++)
        if (manifest.members[i].has_offset)
            most += (uint64_t)manifest.members[i].written_size + 8;
    for (uint32_t i = 0; status == RP_OK && i < manifest.region_count; i++)
        most += (uint64_t)manifest.regions[i].written_size + 8;
    if (status == RP_OK && manifest.directory_offset > most)
        status = CloseHoles(&manifest, error);
    if (status == RP_OK)
        status = MakeSource(&manifest, &source, error);
    if (status == RP_OK)
        status = RpNRes_Open(source.bytes, source.size, RP_TOLERANT, &opened, error);
    if (status == RP_OK)
        status = RpNResArchive_Read(&archive, &opened, error);
    if (status == RP_OK)
        status = SetRegions(&manifest, &archive, error);
    if (status == RP_OK)
        archive.keeps_table = manifest.has_table && manifest.table_count == manifest.count &&
                              archive.count == manifest.count;
    for (uint32_t i = 0; status == RP_OK && i < manifest.count; i++) {
        const Part *part = &manifest.members[i];
        if (!part->has_offset) {
            status = RpNResArchive_Add(&archive, i, &part->member, error);
            continue;
        }

        /* A payload is replaced if it has another size than the manifest states, or was overwritten
         * in the image by another member that shared its bytes. */
        const RpNResMember *member = &archive.members[i];
        if (member->size != part->member.size ||
            (member->size && memcmp(member->data, part->member.data, member->size) != 0))
            status =
                RpNResArchive_Replace(&archive, i, part->member.data, part->member.size, error);
    }
    if (status == RP_OK)
        status = RpNResArchive_Write(&archive, layout ? *layout : manifest.layout, image, error);
    RpNResArchive_Free(&archive);
    RpBuffer_Free(&source);
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
