/* Makes the manifest of an archive. */
#include "formats/archive/nres_manifest.h"

#include "core/files/output.h"
#include "core/json/json_text.h"
#include "formats/archive/manifest_text.h"
#include "formats/archive/nres_names.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

/* ---- JSON ------------------------------------------------------------------------------------ */

/* `files` is null if payloads are to be written as hexadecimal digits. */
static RpStatus Print(const RpNRes *archive, const RpNResArchive *read, const MemberFileName *files,
                      RpBuffer *json, RpError *error) {
    RpFindingCounter counter = {.next = NULL};
    const RpFindingSink sink = RpFindingCounter_Sink(&counter);
    RpNRes_Check(archive->image, archive->size, NULL, &sink, NULL);
    const bool is_canonical = counter.count[RP_SEVERITY_ERROR] +
                                  counter.count[RP_SEVERITY_WARNING] +
                                  counter.count[RP_SEVERITY_CANONICAL] ==
                              0;

    cJSON *root = cJSON_CreateObject();
    bool good =
        cJSON_AddStringToObject(root, "format", "retropose nres 1") &&
        cJSON_AddStringToObject(root, "layout", is_canonical ? "canonical" : "preserving") &&
        cJSON_AddNumberToObject(root, "directory_offset", archive->directory_offset);

    /* The sort table is left out if it follows from the names. */
    cJSON *table = good && !archive->sorted ? cJSON_AddArrayToObject(root, "sort_table") : NULL;
    for (uint32_t i = 0; table && i < archive->count; i++)
        cJSON_AddItemToArray(table, cJSON_CreateNumber(RpNRes_Entry(archive, i).sort_index));
    good = good && (archive->sorted || (table && cJSON_GetArraySize(table) == (int)archive->count));
    cJSON *members = cJSON_AddArrayToObject(root, "members");
    cJSON *regions = cJSON_AddArrayToObject(root, "regions");
    for (uint32_t i = 0; good && members && i < archive->count; i++) {
        const char *file = files ? files[i].text : NULL;
        const RpNResEntry entry = RpNRes_Entry(archive, i);
        char name[ARCHIVE_NAME_BYTES], type[ARCHIVE_TYPE_BYTES];
        cJSON *object = cJSON_CreateObject();
        ArchiveName_ToUtf8(entry.name, name);
        ArchiveType_Show(entry.type, type);
        cJSON_AddItemToArray(members, object);
        /* The bytes behind the NUL of the name are left out if they are all zero. */
        const char *end = memchr(entry.name, 0, RP_NRES_NAME_BYTES);
        good = cJSON_AddStringToObject(object, "name", name) &&
               (!end ||
                ManifestText_AddUnlessZero(object, "name_tail", (const uint8_t *)end + 1,
                                           (size_t)(entry.name + RP_NRES_NAME_BYTES - end - 1))) &&
               (ArchiveType_IsFourCC(entry.type)
                    ? cJSON_AddStringToObject(object, "type", type)
                    : cJSON_AddNumberToObject(object, "type", entry.type)) &&
               cJSON_AddNumberToObject(object, "attr1", entry.attr1) &&
               cJSON_AddNumberToObject(object, "attr2", entry.attr2) &&
               cJSON_AddNumberToObject(object, "attr3", entry.attr3) &&
               cJSON_AddNumberToObject(object, "offset", entry.data_offset) &&
               cJSON_AddNumberToObject(object, "size", entry.size) &&
               ManifestText_AddPayload(object, "hex", "file", file, entry.data, entry.size);
    }
    for (uint32_t i = 0; good && regions && i < read->region_count; i++) {
        const RpNResRegion *region = &read->regions[i];
        char file[MEMBER_FILE_BYTES];
        cJSON *object = cJSON_CreateObject();
        ManifestFile_OfRegion(region->offset, file);
        cJSON_AddItemToArray(regions, object);
        good = cJSON_AddNumberToObject(object, "offset", region->offset) &&
               cJSON_AddNumberToObject(object, "size", region->size) &&
               ManifestText_AddPayload(object, "hex", "file", files ? file : NULL, region->data,
                                       region->size);
    }
    return JsonText_End(root, good && members && regions, "the manifest of an archive", json,
                        error);
}

RpStatus ArchiveManifest_Dump(const RpNRes *archive, RpBuffer *json, RpError *error) {
    RpNResArchive read;
    RpNResArchive_Init(&read, NULL);
    RpStatus status = RpNRes_CheckCopies(archive, error);
    if (status == RP_OK)
        status = RpNResArchive_Read(&read, archive, error);
    if (status == RP_OK)
        status = Print(archive, &read, NULL, json, error);
    RpNResArchive_Free(&read);
    return status;
}

/* ---- files ----------------------------------------------------------------------------------- */

RpStatus ArchiveManifest_Extract(const RpNRes *archive, const char *folder, RpError *error) {
    RpNResArchive read;
    RpNResArchive_Init(&read, NULL);
    MemberFileName *files = ArchiveFile_Names(archive);
    RpStatus status =
        files ? RpNRes_CheckCopies(archive, error) : RpMemory_Refused(error, "file names");
    if (status == RP_OK)
        status = RpNResArchive_Read(&read, archive, error);
    if (status == RP_OK)
        status = Output_CheckUnnamed(folder, MEMBER_MANIFEST_FILE, MEMBER_MANIFEST_MARK, error);
    if (status == RP_OK)
        status = Output_MakeFolder(folder, error);
    if (status == RP_OK) {
        for (uint32_t i = 0; status == RP_OK && i < read.count; i++)
            status = Output_WriteInto(folder, files[i].text, read.members[i].data,
                                      read.members[i].size, error);
        for (uint32_t i = 0; status == RP_OK && i < read.region_count; i++) {
            char file[MEMBER_FILE_BYTES];
            ManifestFile_OfRegion(read.regions[i].offset, file);
            status =
                Output_WriteInto(folder, file, read.regions[i].data, read.regions[i].size, error);
        }
        if (status == RP_OK) {
            RpBuffer json;
            RpBuffer_Init(&json, NULL);
            status = Print(archive, &read, files, &json, error);
            if (status == RP_OK) /* last, so that a folder with a manifest is complete */
                status =
                    Output_WriteInto(folder, MEMBER_MANIFEST_FILE, json.bytes, json.size, error);
            RpBuffer_Free(&json);
        }
    }
    RpNResArchive_Free(&read);
    free(files);
    return status;
}

RpStatus ArchiveManifest_ExtractMember(const RpNRes *archive, uint32_t index, const char *folder,
                                       RpError *error) {
    const RpNResEntry entry = RpNRes_Entry(archive, index);
    if (!entry.data)
        return RpError_Set(error, RP_CORRUPT, entry.record_offset,
                           "N06: a payload lies outside the image's data", "", "", "");
    MemberFileName *files = ArchiveFile_Names(archive);
    RpStatus status =
        files ? Output_MakeFolder(folder, error) : RpMemory_Refused(error, "file names");
    if (status == RP_OK)
        status = Output_WriteInto(folder, files[index].text, entry.data, entry.size, error);
    free(files);
    return status;
}
