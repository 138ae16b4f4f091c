/* Makes a library of a manifest, or of a folder of files. */
#include "core/bytes.h"
#include "formats/archive/manifest_text.h"
#include "formats/archive/rsli_manifest.h"
#include "formats/rsli/rsli_rules.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

typedef struct Manifest {
    ManifestText text;
    RpRsLiArchive archive; /* owns its payloads; its records are those of the manifest */
    bool *own_sort;        /* for each entry, whether the manifest gives its sort field */
    uint64_t size;
    bool is_verbatim; /* everything so far can lie where the manifest says */
    bool own_count, own_sum;
} Manifest;

/* ---- the JSON text --------------------------------------------------------------------------- */

/* Returns whether the packed payload unpacks to the contents of the unpacked file. If so, it can be
 * kept as it is. */
static bool PackedHolds(const RpRsLiMember *member, ManifestBytes packed, ManifestBytes unpacked) {
    bool same = false;
    if (!packed.bytes || member->record.unpacked_size != unpacked.size)
        return false;
    uint8_t *output = malloc(unpacked.size + 1);
    void *work = malloc(RP_RSLI_WORK_BYTES);
    if (output && work)
        same = RpRsLi_Unpack(member->record.flags, member->packed_key, packed.bytes, packed.size,
                             output, unpacked.size, work, NULL, NULL) == RP_OK &&
               memcmp(output, unpacked.bytes, unpacked.size) == 0;
    free(output);
    free(work);
    return same;
}

static void ReadEntry(void *context, const cJSON *object, uint32_t index) {
    Manifest *manifest = context;
    ManifestText *text = &manifest->text;
    RpRsLiMember member = {.record = {.flags = 0}};
    RpRsLiRecord *record = &member.record;
    const cJSON *method = cJSON_GetObjectItemCaseSensitive(object, "method");
    const int32_t parsed = method ? RpRsLiMethod_Parse(ManifestText_Word(method, "")) : 0;
    bool has_size, has_offset;

    /* Everything but the payload. */
    ManifestText_Name(text, object, record->name, RP_RSLI_NAME_BYTES, 0,
                      "an entry has no name that fits", "up to 12 characters of Windows-1251");
    ManifestText_U16(text, object, "flags", &record->flags, NULL);
    if (parsed < 0)
        ManifestText_Refuse(text, "method", "the packing method is unknown",
                            "stored, xor, lzss, xor+lzss, huffman, xor+huffman or deflate",
                            ManifestText_Word(method, ""));
    record->flags = (uint16_t)(record->flags | (uint32_t)parsed);
    ManifestText_U32(text, object, "unpacked_size", &record->unpacked_size, NULL);
    ManifestText_U32(text, object, "packed_size", &record->packed_size, &has_size);
    ManifestText_U32(text, object, "offset", &record->offset, &has_offset);
    ManifestText_U16(text, object, "sort", &record->stored_sort, &manifest->own_sort[index]);
    ManifestText_U32(text, object, "key", &member.packed_key, NULL);
    ManifestText_Bytes(text, object, "service", record->service, sizeof record->service);

    /* The payload: packed as it was or, if the unpacked one has changed, packed anew. */
    ManifestBytes packed = ManifestText_Payload(text, object, "packed_hex", "packed_file");
    const ManifestBytes unpacked = ManifestText_Payload(text, object, "hex", "file");
    if (!packed.bytes && !unpacked.bytes)
        ManifestText_Refuse(text, "file", "a payload is missing",
                            "packed_hex, packed_file, hex or file", "");
    const bool packed_anew =
        !text->json.status && unpacked.bytes && !PackedHolds(&member, packed, unpacked);
    if (packed_anew) {
        RpBuffer bytes;
        RpBuffer_Init(&bytes, NULL);
        text->json.status =
            RpRsLi_Pack(record->flags, 0, unpacked.bytes, unpacked.size, &bytes, text->json.error);
        free(packed.bytes);
        packed = (ManifestBytes){bytes.bytes, bytes.size};
        member.packed_key = 0;
        record->unpacked_size = (uint32_t)unpacked.size;
    }
    if (!text->json.status) {
        member.packed = packed.bytes;
        member.packed_size = (uint32_t)packed.size;
        member.place =
            has_offset ? (uint64_t)record->offset + manifest->archive.overlay : RP_RSLI_NO_PLACE;
        if (!packed_anew && has_size && record->packed_size > member.packed_size)
            member.past_end = record->packed_size - member.packed_size;
        if (packed_anew || !has_offset || !has_size)
            manifest->is_verbatim = false;
        text->json.status = RpRsLiArchive_Insert(&manifest->archive, manifest->archive.count,
                                                 &member, text->json.error);
    }
    free(packed.bytes);
    free(unpacked.bytes);
}

static void ReadRegion(void *context, const cJSON *object, uint32_t index) {
    Manifest *manifest = context;
    uint64_t place = 0;
    bool has_place;
    ManifestText_Number(&manifest->text, object, "place", UINT32_MAX, &place, &has_place);
    const ManifestBytes bytes = ManifestText_Payload(&manifest->text, object, "hex", "file");
    if (!has_place || !bytes.bytes)
        ManifestText_Refuse(&manifest->text, "place", "a region is incomplete",
                            "a place, and hex or file", "");
    manifest->archive.regions[index] = (RpRsLiRegion){bytes.bytes, place, bytes.size};
    manifest->archive.region_count++;
}

static size_t CountOf(const cJSON *root, const char *list) {
    return (size_t)cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(root, list));
}

static void ReadManifest(void *context, const cJSON *root, uint32_t index) {
    Manifest *manifest = context;
    RpRsLiArchive *archive = &manifest->archive;
    ManifestText *text = &manifest->text;
    uint32_t seed = 0, sum = 0;
    uint16_t mark = RP_RSLI_SORTED, again = 0;
    (void)index;
    ManifestText_Number(text, root, "size", UINT32_MAX, &manifest->size, &manifest->is_verbatim);
    ManifestText_U32(text, root, "seed", &seed, NULL);
    ManifestText_U16(text, root, "sort_mark", &mark, NULL);
    ManifestText_U16(text, root, "count_again", &again, &manifest->own_count);
    ManifestText_U32(text, root, "sum", &sum, &manifest->own_sum);
    ManifestText_Bytes(text, root, "bytes_8", archive->header + 8, 6);
    ManifestText_Bytes(text, root, "bytes_24", archive->header + RSLI_AT_RESERVED, 8);
    ManifestText_U32(text, root, "overlay", &archive->overlay, &archive->has_trailer);
    Bytes_PutU16(archive->header + RSLI_AT_SORTED, mark);
    Bytes_PutU16(archive->header + RSLI_AT_COUNT_AGAIN, again);
    Bytes_PutU32(archive->header + RSLI_AT_SUM, sum);
    Bytes_PutU32(archive->header + RSLI_AT_SEED, seed);
    manifest->own_sort = calloc(CountOf(root, "entries") + 1, sizeof *manifest->own_sort);
    archive->regions = calloc(CountOf(root, "regions") + 1, sizeof *archive->regions);
    if (!manifest->own_sort || !archive->regions) {
        text->json.status = RpMemory_Refused(text->json.error, "entries");
        return;
    }
    ManifestText_List(text, root, "entries", ReadEntry, manifest);
    ManifestText_List(text, root, "regions", ReadRegion, manifest);
}

/* ---- the image as the manifest describes it -------------------------------------------------- */

static bool PutPart(RpBuffer *image, uint64_t place, const uint8_t *bytes, uint64_t size) {
    if (place > image->size || size > image->size - place)
        return false;
    if (size > 0)
        memcpy(image->bytes + place, bytes, (size_t)size);
    return true;
}

/* Puts every part at its place. Returns false if one of them lies outside the image. */
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

/* Whether the payloads are encrypted with the keys that the sort map of the image will give them.
 */
static bool KeysHold(const Manifest *manifest, const RpRsLiRecord *sorted) {
    const RpRsLiArchive *archive = &manifest->archive;
    bool marked = Bytes_U16(archive->header + RSLI_AT_SORTED) == RP_RSLI_SORTED;
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

/* Makes the image exactly as the manifest describes it. If the parts no longer fit together, *done
 * becomes false; they must then be laid out anew. */
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
        /* The header as it was read, with the numbers that the manifest does not state. */
        uint8_t *at = image->bytes;
        uint32_t sum = 0;
        for (uint32_t i = 0; i < archive->count; i++)
            sum += archive->members[i].record.unpacked_size;
        memcpy(at, archive->header, RP_RSLI_HEADER_BYTES);
        Bytes_PutU16(at + RSLI_AT_COUNT, archive->count);
        if (!manifest->own_count)
            Bytes_PutU16(at + RSLI_AT_COUNT_AGAIN, archive->count);
        if (!manifest->own_sum)
            Bytes_PutU32(at + RSLI_AT_SUM, sum);
        uint8_t *table = at + RP_RSLI_HEADER_BYTES;
        RpRsLiCipher cipher = RpRsLiCipher_Start(Bytes_U16(at + RSLI_AT_SEED));
        for (uint32_t i = 0; i < archive->count; i++) {
            const RpRsLiRecord *record = &archive->members[i].record;
            uint8_t *entry = table + (size_t)i * RP_RSLI_RECORD_BYTES;
            memcpy(entry, record->name, RP_RSLI_NAME_BYTES);
            memcpy(entry + RSLI_AT_SERVICE, record->service, sizeof record->service);
            Bytes_PutU16(entry + RSLI_AT_FLAGS, record->flags);
            Bytes_PutU16(entry + RSLI_AT_SORT,
                         manifest->own_sort[i] ? record->stored_sort : sorted[i].sort);
            Bytes_PutU32(entry + RSLI_AT_UNPACKED_SIZE, record->unpacked_size);
            Bytes_PutU32(entry + RSLI_AT_OFFSET, record->offset);
            Bytes_PutU32(entry + RSLI_AT_PACKED_SIZE, record->packed_size);
        }
        RpRsLiCipher_Apply(&cipher, table, (size_t)archive->count * RP_RSLI_RECORD_BYTES, table);
        uint8_t *trailer = image->bytes + image->size - RP_RSLI_TRAILER_BYTES;
        if (archive->has_trailer) {
            memcpy(trailer, "AO", 2);
            Bytes_PutU32(trailer + 2, archive->overlay);
        }
        *done = true;
    } else {
        image->size = 0;
    }
    free(sorted);
    return status;
}

RpStatus RsLiManifest_Assemble(const char *json, size_t size, const char *folder, bool canonical,
                               RpBuffer *image, RpError *error) {
    Manifest manifest = {.text = {.json = {.error = error}, .folder = folder}};
    RpRsLiArchive_Init(&manifest.archive, NULL);
    RpStatus status =
        ManifestText_Read(&manifest.text, json, size, "retropose rsli 1",
                          "this is no manifest of a library", ReadManifest, &manifest);
    if (status == RP_OK) {
        bool done = false;
        if (manifest.is_verbatim && !canonical)
            status = MakeVerbatim(&manifest, image, &done, error);
        if (status == RP_OK && !done) {
            /* Manifests leave out sort fields that follow from the names. When a library is laid
             * out anew it gets these fields back, whether it is marked as sorted or not. */
            const RpRsLiArchive *archive = &manifest.archive;
            RpRsLiRecord *sorted;
            status = SortRecords(archive, &sorted, error);
            for (uint32_t i = 0; status == RP_OK && i < archive->count; i++)
                if (!manifest.own_sort[i])
                    archive->members[i].record.stored_sort = (uint16_t)sorted[i].sort;
            if (status == RP_OK)
                free(sorted);
        }
        if (!status && !done)
            status = RpRsLiArchive_Write(&manifest.archive,
                                         canonical ? RP_RSLI_CANONICAL : RP_RSLI_PRESERVING, image,
                                         error);
    }

    for (uint32_t i = 0; i < manifest.archive.region_count; i++)
        free((void *)(uintptr_t)manifest.archive.regions[i].data);
    RpRsLiArchive_Free(&manifest.archive);
    free(manifest.own_sort);
    return status;
}

/* ---- a folder -------------------------------------------------------------------------------- */

typedef struct Packing {
    RpRsLiArchive archive;
    const char *folder;
    uint32_t method;
} Packing;

static RpStatus AddFile(void *context, const char *file, RpError *error) {
    Packing *packing = context;
    ManifestBytes bytes = {NULL, 0};
    RpStatus status = ManifestFolder_Load(packing->folder, file, &bytes, error);
    if (status == RP_OK)
        status = RpRsLiArchive_Add(&packing->archive, packing->archive.count, file, packing->method,
                                   bytes.bytes, bytes.size, error);
    free(bytes.bytes);
    return status;
}

RpStatus RsLiManifest_PackFolder(const char *folder, uint32_t method, RpBuffer *image,
                                 RpError *error) {
    Packing packing = {.folder = folder, .method = method};
    RpRsLiArchive_Init(&packing.archive, NULL);
    RpStatus status = ManifestFolder_Each(folder, AddFile, &packing, error);
    if (status == RP_OK)
        status = RpRsLiArchive_Write(&packing.archive, RP_RSLI_CANONICAL, image, error);
    RpRsLiArchive_Free(&packing.archive);
    return status;
}
