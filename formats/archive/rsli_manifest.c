/* Makes the manifest of a library. */
#include "formats/archive/rsli_manifest.h"

#include "core/bytes.h"
#include "core/files/output.h"
#include "core/json/json_text.h"
#include "formats/archive/manifest_text.h"
#include "formats/archive/rsli_names.h"
#include "formats/rsli/rsli_rules.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A library that is dumped. */
typedef struct Source {
    const RpRsLi *rsli;
    RpRsLiArchive archive;
    RpRsLiRecord *sorted;  /* the records with the sort map that follows from the names */
    MemberFileName *files; /* null: payloads are written as hexadecimal digits */
    bool *unpacks;
} Source;

/* ---- JSON ------------------------------------------------------------------------------------ */

static bool AddNumber(cJSON *object, const char *name, uint64_t number) {
    return cJSON_AddNumberToObject(object, name, (double)number) != NULL;
}

/* Adds a number if it does not follow from the rest. */
static bool AddNumberUnless(cJSON *object, const char *name, uint64_t number, uint64_t expected) {
    return number == expected || AddNumber(object, name, number);
}

static bool AddName(cJSON *object, const uint8_t *field) {
    char name[LIBRARY_NAME_BYTES];
    size_t length = RsLi_NameLength(field);
    RsLiName_ToUtf8(field, name);
    return cJSON_AddStringToObject(object, "name", name) &&
           ManifestText_AddUnlessZero(object, "name_tail", field + length,
                                      RP_RSLI_NAME_BYTES - length);
}

static void NamePacked(uint32_t index, char file[MEMBER_FILE_BYTES]) {
    snprintf(file, MEMBER_FILE_BYTES, "~packed-%" PRIu32, index);
}

static RpStatus Print(const Source *source, RpBuffer *json, RpError *error) {
    const RpRsLi *rsli = source->rsli;
    const uint8_t *header = rsli->image;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < rsli->count; i++)
        sum += rsli->records[i].unpacked_size;
    cJSON *root = cJSON_CreateObject();
    bool good =
        cJSON_AddStringToObject(root, "format", "retropose rsli 1") &&
        AddNumber(root, "size", rsli->size) && AddNumber(root, "seed", rsli->seed) &&
        (rsli->presorted || AddNumber(root, "sort_mark", Bytes_U16(header + RSLI_AT_SORTED))) &&
        AddNumberUnless(root, "count_again", Bytes_U16(header + RSLI_AT_COUNT_AGAIN),
                        rsli->count) &&
        AddNumberUnless(root, "sum", Bytes_U32(header + RSLI_AT_SUM), sum) &&
        ManifestText_AddUnlessZero(root, "bytes_8", header + 8, 6) &&
        ManifestText_AddUnlessZero(root, "bytes_24", header + RSLI_AT_RESERVED, 8) &&
        (!rsli->has_trailer || AddNumber(root, "overlay", rsli->overlay));
    cJSON *entries = cJSON_AddArrayToObject(root, "entries");
    cJSON *regions = cJSON_AddArrayToObject(root, "regions");
    for (uint32_t i = 0; good && entries && i < rsli->count; i++) {
        const RpRsLiRecord *record = &rsli->records[i];
        const RpRsLiMember *member = &source->archive.members[i];
        const char *method = RpRsLiMethod_Name(record->flags);
        const uint32_t rest = record->flags & (uint32_t)~RP_RSLI_METHOD_MASK;
        char file[MEMBER_FILE_BYTES];
        cJSON *object = cJSON_CreateObject();
        NamePacked(i, file);
        good = cJSON_AddItemToArray(entries, object) && AddName(object, record->name) &&
               (method ? cJSON_AddStringToObject(object, "method", method) &&
                             AddNumberUnless(object, "flags", rest, 0)
                       : AddNumber(object, "flags", record->flags)) &&
               ManifestText_AddUnlessZero(object, "service", record->service, 4) &&
               AddNumber(object, "unpacked_size", record->unpacked_size) &&
               AddNumber(object, "packed_size", record->packed_size) &&
               AddNumber(object, "offset", record->offset) &&
               AddNumberUnless(object, "sort", record->stored_sort, source->sorted[i].sort) &&
               (!RpRsLiMethod_HasKey(record->flags) || AddNumber(object, "key", record->sort)) &&
               ManifestText_AddPayload(object, "packed_hex", "packed_file",
                                       source->files ? file : NULL, member->packed,
                                       member->packed_size) &&
               (!source->files || !source->unpacks[i] ||
                cJSON_AddStringToObject(object, "file", source->files[i].text));
    }
    for (uint32_t i = 0; good && regions && i < source->archive.region_count; i++) {
        const RpRsLiRegion *region = &source->archive.regions[i];
        char file[MEMBER_FILE_BYTES];
        cJSON *object = cJSON_CreateObject();
        ManifestFile_OfRegion(region->place, file);
        good = cJSON_AddItemToArray(regions, object) && AddNumber(object, "place", region->place) &&
               ManifestText_AddPayload(object, "hex", "file", source->files ? file : NULL,
                                       region->data, (size_t)region->size);
    }
    return JsonText_End(root, good && entries && regions, "the manifest of a library", json, error);
}

/* ---- source ---------------------------------------------------------------------------------- */

static RpStatus OpenSource(Source *source, const RpRsLi *rsli, RpError *error) {
    *source = (Source){.rsli = rsli};
    RpRsLiArchive_Init(&source->archive, NULL);
    if (rsli->size > UINT32_MAX) {
        char found[32];
        snprintf(found, sizeof found, "%zu", rsli->size);
        return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE,
                           "a library of 4 GiB or more has no manifest", "", "at most 4294967295",
                           found);
    }
    source->sorted = calloc((size_t)rsli->count + 1, sizeof *source->sorted);
    source->unpacks = calloc((size_t)rsli->count + 1, sizeof *source->unpacks);
    if (!source->sorted || !source->unpacks)
        return RpMemory_Refused(error, "the manifest of a library");
    if (rsli->count > 0)
        memcpy(source->sorted, rsli->records, rsli->count * sizeof *source->sorted);
    RsLi_SortMap(source->sorted, rsli->count);
    const RpStatus status = RpRsLi_CheckSizes(rsli, error);
    return status ? status : RpRsLiArchive_Read(&source->archive, rsli, error);
}

static void CloseSource(Source *source) {
    RpRsLiArchive_Free(&source->archive);
    free(source->sorted);
    free(source->unpacks);
    free(source->files);
}

RpStatus RsLiManifest_Dump(const RpRsLi *rsli, RpBuffer *json, RpError *error) {
    Source source;
    RpStatus status = OpenSource(&source, rsli, error);
    if (status == RP_OK)
        status = Print(&source, json, error);
    CloseSource(&source);
    return status;
}

/* ---- files ----------------------------------------------------------------------------------- */

static RpStatus WriteUnpacked(Source *source, uint32_t i, const char *folder, void *work,
                              RpError *error) {
    const RpRsLiRecord *record = &source->rsli->records[i];
    size_t packed_size;
    RpRsLi_Packed(source->rsli, i, &packed_size);
    if (record->unpacked_size > RpRsLiMethod_MostUnpacked(record->flags, packed_size))
        return RP_OK;
    uint8_t *output = malloc((size_t)record->unpacked_size + 1);
    if (!output)
        return RpMemory_Refused(error, source->files[i].text);
    RpStatus status = RP_OK;
    source->unpacks[i] = RpRsLi_Load(source->rsli, i, output, work, NULL, NULL) == RP_OK;
    if (source->unpacks[i])
        status =
            Output_WriteInto(folder, source->files[i].text, output, record->unpacked_size, error);
    free(output);
    return status;
}

RpStatus RsLiManifest_Extract(const RpRsLi *rsli, const char *folder, bool *unpacks,
                              RpError *error) {
    Source source;
    void *work = malloc(RP_RSLI_WORK_BYTES);
    RpStatus status = OpenSource(&source, rsli, error);
    source.files = RsLiFile_Names(rsli);
    if (status == RP_OK && (!work || !source.files))
        status = RpMemory_Refused(error, "file names");
    if (status == RP_OK)
        status = Output_CheckUnnamed(folder, MEMBER_MANIFEST_FILE, MEMBER_MANIFEST_MARK, error);
    if (status == RP_OK) {
        status = Output_MakeFolder(folder, error);
        for (uint32_t i = 0; status == RP_OK && i < source.rsli->count; i++) {
            const RpRsLiMember *member = &source.archive.members[i];
            char file[MEMBER_FILE_BYTES];
            NamePacked(i, file);
            status = Output_WriteInto(folder, file, member->packed, member->packed_size, error);
            status = status ? status : WriteUnpacked(&source, i, folder, work, error);
        }
        for (uint32_t i = 0; status == RP_OK && i < source.archive.region_count; i++) {
            const RpRsLiRegion *region = &source.archive.regions[i];
            char file[MEMBER_FILE_BYTES];
            ManifestFile_OfRegion(region->place, file);
            status = Output_WriteInto(folder, file, region->data, (size_t)region->size, error);
        }
    }
    if (status == RP_OK) {
        RpBuffer json;
        RpBuffer_Init(&json, NULL);
        status = Print(&source, &json, error);
        if (status == RP_OK)
            status = Output_WriteInto(folder, MEMBER_MANIFEST_FILE, json.bytes, json.size, error);
        RpBuffer_Free(&json);
    }
    if (status == RP_OK && unpacks)
        memcpy(unpacks, source.unpacks, rsli->count * sizeof *unpacks);
    CloseSource(&source);
    free(work);
    return status;
}

RpStatus RsLiManifest_ExtractEntry(const RpRsLi *rsli, uint32_t index, bool packed,
                                   const char *folder, RpError *error) {
    const RpRsLiRecord *record = &rsli->records[index];
    size_t size;
    const uint8_t *bytes = RpRsLi_Packed(rsli, index, &size);
    bool fits = record->unpacked_size <= RpRsLiMethod_MostUnpacked(record->flags, size);
    uint8_t *output = packed ? NULL : malloc(fits ? (size_t)record->unpacked_size + 1 : 1);
    void *work = malloc(RP_RSLI_WORK_BYTES);
    MemberFileName *files = RsLiFile_Names(rsli);
    RpStatus status = RP_OK;
    if (!files || !work || (!packed && !output))
        status = RpMemory_Refused(error, "an entry");
    else if (!bytes || (!packed && !fits))
        status = RpError_Set(error, RP_CORRUPT, RP_NOWHERE,
                             bytes ? "R21: more bytes than the packed ones can hold"
                                   : "R19: the payload is not inside the file",
                             files[index].text, "", "");
    if (status == RP_OK && !packed) {
        status = RpRsLi_Load(rsli, index, output, work, NULL, error);
        size = record->unpacked_size;
    }
    if (status == RP_OK)
        status = Output_MakeFolder(folder, error);
    if (status == RP_OK)
        status = Output_WriteInto(folder, files[index].text, packed ? bytes : output, size, error);
    free(output);
    free(work);
    free(files);
    return status;
}
