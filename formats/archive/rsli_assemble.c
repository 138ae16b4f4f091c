/* From a manifest, or a folder of files, to a library. */
#include "core/bytes.h"
#include "core/text/encoding.h"
#include "formats/archive/manifest_text.h"
#include "formats/archive/rsli_manifest.h"
#include "formats/rsli/rules.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Manifest {
    ManifestFolder folder;
    RpRsLiArchive archive; /* records as the manifest has them; payloads owned */
    bool *own_sort;        /* by entry: the manifest gives its sort field */
    uint64_t size;
    bool is_verbatim; /* still */
    bool own_count, own_sum;
} Manifest;

/* ---- fields of the JSON text ----------------------------------------------------------------- */

static RpStatus ReadU16(const cJSON *object, const ManifestPlace *place, const char *field,
                        uint16_t *number, bool *found, RpError *error) {
    uint64_t wide = *number;
    RpStatus status = ManifestText_Number(object, place, field, UINT16_MAX, &wide, found, error);
    *number = (uint16_t)wide;
    return status;
}

/* Exactly `size` bytes, or no such field. */
static RpStatus ReadBytes(const cJSON *object, const ManifestPlace *place, const char *field,
                          uint8_t *bytes, size_t size, RpError *error) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, field);
    char expected[64];
    if (!item || (cJSON_IsString(item) && strlen(item->valuestring) == 2 * size &&
                  ManifestText_Hex(item->valuestring, bytes, size)))
        return RP_OK;
    snprintf(expected, sizeof expected, "%zu hex digits", 2 * size);
    return ManifestText_Refuse(place, field, "a field of the manifest is wrong", expected,
                               cJSON_IsString(item) ? item->valuestring : "", error);
}

/* ---- payloads -------------------------------------------------------------------------------- */

/* From digits or from a file; none when the manifest names neither. */
static RpStatus ReadPart(const Manifest *manifest, const cJSON *object, const ManifestPlace *place,
                         const char *digits_field, const char *file_field, ManifestBytes *bytes,
                         RpError *error) {
    const cJSON *digits = cJSON_GetObjectItemCaseSensitive(object, digits_field);
    const cJSON *file = cJSON_GetObjectItemCaseSensitive(object, file_field);
    if (digits)
        return ManifestText_Digits(digits, place, digits_field, bytes, error);
    if (file)
        return ManifestText_File(&manifest->folder, file, place, file_field, bytes, error);
    return RP_OK;
}

/* ---- entries --------------------------------------------------------------------------------- */

static RpStatus ReadName(const cJSON *object, const ManifestPlace *place, uint8_t *field,
                         RpError *error) {
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(object, "name");
    bool exact = false;
    size_t used = cJSON_IsString(name) ? Text1251_FromUtf8(name->valuestring, (char *)field,
                                                           RP_RSLI_NAME_BYTES, &exact)
                                       : 0;
    if (!exact)
        return ManifestText_Refuse(place, "name", "an entry has no name that fits",
                                   "up to 12 characters of Windows-1251",
                                   cJSON_IsString(name) ? name->valuestring : "none", error);
    return ReadBytes(object, place, "name_tail", field + used, RP_RSLI_NAME_BYTES - used, error);
}

static RpStatus ReadMethod(const cJSON *object, const ManifestPlace *place, RpRsLiRecord *record,
                           RpError *error) {
    const cJSON *method = cJSON_GetObjectItemCaseSensitive(object, "method");
    int32_t parsed = cJSON_IsString(method) ? RpRsLiMethod_Parse(method->valuestring) : 0;
    RpStatus status = ReadU16(object, place, "flags", &record->flags, NULL, error);
    if (status)
        return status;
    if ((method && !cJSON_IsString(method)) || parsed < 0)
        return ManifestText_Refuse(place, "method", "the packing method is unknown",
                                   "stored, xor, lzss, xor+lzss, huffman, xor+huffman or deflate",
                                   cJSON_IsString(method) ? method->valuestring : "", error);
    record->flags = (uint16_t)(record->flags | (uint32_t)parsed);
    return RP_OK;
}

typedef struct Entry {
    RpRsLiMember member;
    ManifestBytes packed, unpacked;
    bool has_offset, has_size, has_sort;
} Entry;

static RpStatus ReadNumbers(const cJSON *object, const ManifestPlace *place, Entry *entry,
                            RpError *error) {
    RpRsLiRecord *record = &entry->member.record;
    RpStatus status =
        ManifestText_U32(object, place, "unpacked_size", &record->unpacked_size, NULL, error);
    if (status == RP_OK)
        status = ManifestText_U32(object, place, "packed_size", &record->packed_size,
                                  &entry->has_size, error);
    if (status == RP_OK)
        status =
            ManifestText_U32(object, place, "offset", &record->offset, &entry->has_offset, error);
    if (status == RP_OK)
        status = ReadU16(object, place, "sort", &record->stored_sort, &entry->has_sort, error);
    if (status == RP_OK)
        status = ManifestText_U32(object, place, "key", &entry->member.packed_key, NULL, error);
    if (status == RP_OK)
        status = ReadBytes(object, place, "service", record->service, 4, error);
    return status;
}

/* Whether the packed payload is that of the unpacked file: then it is kept as it is. */
static bool PackedHolds(const Entry *entry) {
    const RpRsLiMember *member = &entry->member;
    bool same = false;
    if (!entry->packed.bytes || member->record.unpacked_size != entry->unpacked.size)
        return false;
    uint8_t *output = malloc(entry->unpacked.size + 1);
    void *work = malloc(RP_RSLI_WORK_BYTES);
    if (output && work)
        same = RpRsLi_Unpack(member->record.flags, member->packed_key, entry->packed.bytes,
                             entry->packed.size, output, entry->unpacked.size, work, NULL,
                             NULL) == RP_OK &&
               memcmp(output, entry->unpacked.bytes, entry->unpacked.size) == 0;
    free(output);
    free(work);
    return same;
}

static RpStatus PackAnew(Entry *entry, RpError *error) {
    RpRsLiMember *member = &entry->member;
    RpBuffer packed;
    RpBuffer_Init(&packed, NULL);
    RpStatus status = RpRsLi_Pack(member->record.flags, 0, entry->unpacked.bytes,
                                  entry->unpacked.size, &packed, error);
    free(entry->packed.bytes);
    entry->packed = (ManifestBytes){packed.bytes, packed.size};
    member->packed_key = 0;
    member->record.unpacked_size = (uint32_t)entry->unpacked.size;
    return status;
}

static RpStatus ReadPayloads(const Manifest *manifest, const cJSON *object,
                             const ManifestPlace *place, Entry *entry, bool *packed_anew,
                             RpError *error) {
    RpStatus status =
        ReadPart(manifest, object, place, "packed_hex", "packed_file", &entry->packed, error);
    if (status == RP_OK)
        status = ReadPart(manifest, object, place, "hex", "file", &entry->unpacked, error);
    if (status)
        return status;
    if (!entry->packed.bytes && !entry->unpacked.bytes)
        return ManifestText_Refuse(place, "file", "a payload is missing",
                                   "packed_hex, packed_file, hex or file", "", error);
    *packed_anew = entry->unpacked.bytes && !PackedHolds(entry);
    return *packed_anew ? PackAnew(entry, error) : RP_OK;
}

static RpStatus KeepEntry(Manifest *manifest, const ManifestPlace *place, Entry *entry,
                          bool packed_anew, RpError *error) {
    RpRsLiMember *member = &entry->member;
    uint32_t declared = member->record.packed_size;
    member->packed = entry->packed.bytes;
    member->packed_size = (uint32_t)entry->packed.size;
    member->place = entry->has_offset ? (uint64_t)member->record.offset + manifest->archive.overlay
                                      : RP_RSLI_NO_PLACE;
    if (!packed_anew && entry->has_size && declared > member->packed_size)
        member->past_end = declared - member->packed_size;
    if (packed_anew || !entry->has_offset || !entry->has_size)
        manifest->is_verbatim = false;
    manifest->own_sort[place->index] = entry->has_sort;
    return RpRsLiArchive_Insert(&manifest->archive, manifest->archive.count, member, error);
}

static RpStatus ReadEntry(Manifest *manifest, const cJSON *object, const ManifestPlace *place,
                          RpError *error) {
    Entry entry = {.member = {.record = {.flags = 0}}};
    bool packed_anew = false;
    RpStatus status = ReadName(object, place, entry.member.record.name, error);
    if (status == RP_OK)
        status = ReadMethod(object, place, &entry.member.record, error);
    if (status == RP_OK)
        status = ReadNumbers(object, place, &entry, error);
    if (status == RP_OK)
        status = ReadPayloads(manifest, object, place, &entry, &packed_anew, error);
    if (status == RP_OK)
        status = KeepEntry(manifest, place, &entry, packed_anew, error);
    free(entry.packed.bytes);
    free(entry.unpacked.bytes);
    return status;
}

/* ---- regions --------------------------------------------------------------------------------- */

static RpStatus ReadRegion(Manifest *manifest, const cJSON *object, const ManifestPlace *place,
                           RpError *error) {
    ManifestBytes bytes = {NULL, 0};
    uint64_t at = 0;
    bool has_place;
    RpStatus status =
        ManifestText_Number(object, place, "place", UINT64_C(1) << 40, &at, &has_place, error);
    if (status == RP_OK)
        status = ReadPart(manifest, object, place, "hex", "file", &bytes, error);
    if (status == RP_OK && (!has_place || !bytes.bytes))
        status = ManifestText_Refuse(place, "place", "a region is incomplete",
                                     "a place, and hex or file", "", error);
    if (status) {
        free(bytes.bytes);
        return status;
    }
    manifest->archive.regions[manifest->archive.region_count++] =
        (RpRsLiRegion){bytes.bytes, at, bytes.size};
    return RP_OK;
}

/* ---- the document ---------------------------------------------------------------------------- */

static RpStatus ReadHeader(Manifest *manifest, const cJSON *root, RpError *error) {
    static const ManifestPlace place = {.list = NULL};
    RpRsLiArchive *archive = &manifest->archive;
    uint32_t seed = 0, sum = 0;
    uint16_t mark = RP_RSLI_SORTED, again = 0;
    RpStatus status = ManifestText_U32(root, &place, "seed", &seed, NULL, error);
    if (status == RP_OK)
        status = ReadU16(root, &place, "sort_mark", &mark, NULL, error);
    if (status == RP_OK)
        status = ReadU16(root, &place, "count_again", &again, &manifest->own_count, error);
    if (status == RP_OK)
        status = ManifestText_U32(root, &place, "sum", &sum, &manifest->own_sum, error);
    if (status == RP_OK)
        status = ReadBytes(root, &place, "bytes_8", archive->header + 8, 6, error);
    if (status == RP_OK)
        status = ReadBytes(root, &place, "bytes_24", archive->header + RSLI_AT_RESERVED, 8, error);
    if (status == RP_OK)
        status = ManifestText_U32(root, &place, "overlay", &archive->overlay, &archive->has_trailer,
                                  error);
    Bytes_PutU16(archive->header + RSLI_AT_SORTED, mark);
    Bytes_PutU16(archive->header + RSLI_AT_COUNT_AGAIN, again);
    Bytes_PutU32(archive->header + RSLI_AT_SUM, sum);
    Bytes_PutU32(archive->header + RSLI_AT_SEED, seed);
    return status;
}

static RpStatus ReadHead(Manifest *manifest, const cJSON *root, RpError *error) {
    static const ManifestPlace place = {.list = NULL};
    const cJSON *format = cJSON_GetObjectItemCaseSensitive(root, "format");
    if (!cJSON_IsString(format) || strcmp(format->valuestring, "retropose rsli 1") != 0)
        return ManifestText_Refuse(&place, "format", "this is no manifest of a library",
                                   "\"retropose rsli 1\"",
                                   cJSON_IsString(format) ? format->valuestring : "none", error);
    RpStatus status = ManifestText_Number(root, &place, "size", UINT64_C(1) << 40, &manifest->size,
                                          &manifest->is_verbatim, error);
    return status ? status : ReadHeader(manifest, root, error);
}

static RpStatus ReadEntries(Manifest *manifest, const cJSON *root, RpError *error) {
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, "entries"), *object;
    ManifestPlace place = {.list = "entries"};
    manifest->own_sort = calloc((size_t)cJSON_GetArraySize(list) + 1, sizeof *manifest->own_sort);
    if (!manifest->own_sort)
        return RpMemory_Refused(error, "entries");
    cJSON_ArrayForEach(object, list) {
        RpStatus status = ReadEntry(manifest, object, &place, error);
        if (status)
            return status;
        place.index++;
    }
    return RP_OK;
}

static RpStatus ReadRegions(Manifest *manifest, const cJSON *root, RpError *error) {
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, "regions"), *object;
    ManifestPlace place = {.list = "regions"};
    manifest->archive.regions =
        calloc((size_t)cJSON_GetArraySize(list) + 1, sizeof *manifest->archive.regions);
    if (!manifest->archive.regions)
        return RpMemory_Refused(error, "regions");
    cJSON_ArrayForEach(object, list) {
        RpStatus status = ReadRegion(manifest, object, &place, error);
        if (status)
            return status;
        place.index++;
    }
    return RP_OK;
}

static RpStatus ReadManifest(Manifest *manifest, const cJSON *root, RpError *error) {
    RpStatus status = ReadHead(manifest, root, error);
    if (status == RP_OK)
        status = ReadEntries(manifest, root, error);
    return status ? status : ReadRegions(manifest, root, error);
}

static void FreeManifest(Manifest *manifest) {
    for (uint32_t i = 0; i < manifest->archive.region_count; i++)
        free((void *)(uintptr_t)manifest->archive.regions[i].data);
    RpRsLiArchive_Free(&manifest->archive);
    free(manifest->own_sort);
}

/* ---- as the manifest says -------------------------------------------------------------------- */

static bool PutPart(RpBuffer *image, uint64_t place, const uint8_t *bytes, uint64_t size) {
    if (place > image->size || size > image->size - place)
        return false;
    if (size > 0)
        memcpy(image->bytes + place, bytes, (size_t)size);
    return true;
}

/* Every part at its place; false when one lies outside. */
static bool PutParts(const Manifest *manifest, RpBuffer *image) {
    const RpRsLiArchive *archive = &manifest->archive;
    bool fits = true;
    for (uint32_t i = 0; fits && i < archive->region_count; i++)
        fits = PutPart(image, archive->regions[i].place, archive->regions[i].data,
                       archive->regions[i].size);
    for (uint32_t i = 0; fits && i < archive->count; i++)
        fits = PutPart(image, archive->members[i].place, archive->members[i].packed,
                       archive->members[i].packed_size);
    return fits;
}

static void PutHeader(const Manifest *manifest, uint8_t *at) {
    const RpRsLiArchive *archive = &manifest->archive;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < archive->count; i++)
        sum += archive->members[i].record.unpacked_size;
    memcpy(at, archive->header, RP_RSLI_HEADER_BYTES);
    Bytes_PutU16(at + RSLI_AT_COUNT, archive->count);
    if (!manifest->own_count)
        Bytes_PutU16(at + RSLI_AT_COUNT_AGAIN, archive->count);
    if (!manifest->own_sum)
        Bytes_PutU32(at + RSLI_AT_SUM, sum);
}

static void PutRecords(const Manifest *manifest, const RpRsLiRecord *sorted, uint8_t *header) {
    const RpRsLiArchive *archive = &manifest->archive;
    uint8_t *table = header + RP_RSLI_HEADER_BYTES;
    uint32_t seed = header[RSLI_AT_SEED] | (uint32_t)header[RSLI_AT_SEED + 1] << 8;
    RpRsLiCipher cipher = RpRsLiCipher_Start(seed);
    for (uint32_t i = 0; i < archive->count; i++) {
        const RpRsLiRecord *record = &archive->members[i].record;
        uint8_t *at = table + (size_t)i * RP_RSLI_RECORD_BYTES;
        memcpy(at, record->name, RP_RSLI_NAME_BYTES);
        memcpy(at + RSLI_AT_SERVICE, record->service, sizeof record->service);
        Bytes_PutU16(at + RSLI_AT_FLAGS, record->flags);
        Bytes_PutU16(at + RSLI_AT_SORT,
                     manifest->own_sort[i] ? record->stored_sort : sorted[i].sort);
        Bytes_PutU32(at + RSLI_AT_UNPACKED_SIZE, record->unpacked_size);
        Bytes_PutU32(at + RSLI_AT_OFFSET, record->offset);
        Bytes_PutU32(at + RSLI_AT_PACKED_SIZE, record->packed_size);
    }
    RpRsLiCipher_Apply(&cipher, table, (size_t)archive->count * RP_RSLI_RECORD_BYTES, table);
}

static void PutTrailer(const RpRsLiArchive *archive, RpBuffer *image) {
    uint8_t *trailer = image->bytes + image->size - RP_RSLI_TRAILER_BYTES;
    if (!archive->has_trailer)
        return;
    memcpy(trailer, "AO", 2);
    Bytes_PutU32(trailer + 2, archive->overlay);
}

/* The keys of the map that the image will have must be those that the payloads are under. */
static bool KeysHold(const Manifest *manifest, const RpRsLiRecord *sorted) {
    const RpRsLiArchive *archive = &manifest->archive;
    bool marked =
        archive->header[RSLI_AT_SORTED] == 0xBA && archive->header[RSLI_AT_SORTED + 1] == 0xAB;
    for (uint32_t i = 0; i < archive->count; i++) {
        const RpRsLiRecord *record = &archive->members[i].record;
        uint16_t key = marked && manifest->own_sort[i] ? record->stored_sort : sorted[i].sort;
        if (RpRsLiMethod_HasKey(record->flags) && archive->members[i].packed_key != key)
            return false;
    }
    return true;
}

static RpStatus SortRecords(const RpRsLiArchive *archive, RpRsLiRecord **sorted, RpError *error) {
    *sorted = calloc((size_t)archive->count + 1, sizeof **sorted);
    if (!*sorted)
        return RpMemory_Refused(error, "the table of a library");
    for (uint32_t i = 0; i < archive->count; i++)
        (*sorted)[i] = archive->members[i].record;
    RsLi_SortMap(*sorted, archive->count);
    return RP_OK;
}

/* *done is false when the parts do not fit together any more: then they are laid out anew. */
static RpStatus MakeVerbatim(const Manifest *manifest, RpBuffer *image, bool *done,
                             RpError *error) {
    const RpRsLiArchive *archive = &manifest->archive;
    RpRsLiRecord *sorted;
    uint64_t least = RP_RSLI_HEADER_BYTES + (uint64_t)archive->count * RP_RSLI_RECORD_BYTES +
                     (archive->has_trailer ? RP_RSLI_TRAILER_BYTES : 0U);
    uint64_t most = least; /* no image is longer than all its parts together */
    for (uint32_t i = 0; i < archive->count; i++)
        most += archive->members[i].packed_size;
    for (uint32_t i = 0; i < archive->region_count; i++)
        most += archive->regions[i].size;
    *done = false;
    if (manifest->size < least || manifest->size > most)
        return RP_OK;
    RpStatus status = SortRecords(archive, &sorted, error);
    if (status)
        return status;
    if (!RpBuffer_Extend(image, (size_t)manifest->size))
        status = RpMemory_Refused(error, "the image of a library");
    if (status == RP_OK && KeysHold(manifest, sorted) && PutParts(manifest, image)) {
        PutHeader(manifest, image->bytes);
        PutRecords(manifest, sorted, image->bytes);
        PutTrailer(archive, image);
        *done = true;
    } else {
        image->size = 0;
    }
    free(sorted);
    return status;
}

static RpStatus MakeImage(Manifest *manifest, bool canonical, RpBuffer *image, RpError *error) {
    bool done = false;
    RpStatus status = RP_OK;
    if (manifest->is_verbatim && !canonical)
        status = MakeVerbatim(manifest, image, &done, error);
    if (status || done)
        return status;
    return RpRsLiArchive_Write(&manifest->archive,
                               canonical ? RP_RSLI_CANONICAL : RP_RSLI_PRESERVING, image, error);
}

RpStatus RsLiManifest_Assemble(const char *json, size_t size, const char *folder, bool canonical,
                               RpBuffer *image, RpError *error) {
    InputBudget budget;
    Manifest manifest = {.folder = {folder, &budget}};
    cJSON *root = ManifestText_Parse(json, size, error);
    if (!root)
        return RP_INVALID;
    InputBudget_Begin(&budget, size);
    RpRsLiArchive_Init(&manifest.archive, NULL);
    RpStatus status = ReadManifest(&manifest, root, error);
    InputBudget_End(&budget);
    if (status == RP_OK)
        status = MakeImage(&manifest, canonical, image, error);
    FreeManifest(&manifest);
    cJSON_Delete(root);
    return status;
}

/* ---- a folder -------------------------------------------------------------------------------- */

static RpStatus AddFile(RpRsLiArchive *archive, const char *folder, const char *name,
                        uint32_t method, RpError *error) {
    ManifestBytes bytes = {NULL, 0};
    RpStatus status = ManifestText_Load(&(ManifestFolder){folder, NULL}, name, &bytes, error);
    if (status == RP_OK)
        status = RpRsLiArchive_Add(archive, archive->count, name, method, bytes.bytes,
                                   (uint32_t)bytes.size, error);
    free(bytes.bytes);
    return status;
}

RpStatus RsLiManifest_PackFolder(const char *folder, uint32_t method, RpBuffer *image,
                                 RpError *error) {
    FolderFiles list;
    RpRsLiArchive archive;
    RpRsLiArchive_Init(&archive, NULL);
    RpStatus status = FolderFiles_List(folder, &list, error);
    for (size_t i = 0; status == RP_OK && i < list.count; i++)
        status = AddFile(&archive, folder, list.names[i], method, error);
    if (status == RP_OK)
        status = RpRsLiArchive_Write(&archive, RP_RSLI_CANONICAL, image, error);
    RpRsLiArchive_Free(&archive);
    FolderFiles_Free(&list);
    return status;
}
