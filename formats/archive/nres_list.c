#include "formats/archive/nres_list.h"

#include "core/json/json_text.h"
#include "formats/archive/nres_names.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- members as text ------------------------------------------------------------------------- */

typedef struct Listing {
    RpBuffer *text;
    cJSON *archives;
    bool nested, failed;
} Listing;

static bool ListAsText(void *context, const RpNRes *archive, const char *path, uint32_t depth,
                       uint32_t offset) {
    const Listing *listing = context;
    (void)offset;
    for (uint32_t i = 0; i < archive->count; i++) {
        const RpNResEntry entry = RpNRes_Entry(archive, i);
        char name[ARCHIVE_SHOWN_BYTES], type[ARCHIVE_TYPE_BYTES];
        ArchiveName_Show(entry.name, name);
        ArchiveType_Show(entry.type, type);
        RpBuffer_Print(listing->text,
                       "%5" PRIu32 "  %-10s %10" PRIu32 " %10" PRIu32 " %10" PRIu32 " %10" PRIu32
                       " 0x%08" PRIX32 "  ",
                       entry.index, type, entry.attr1, entry.attr2, entry.attr3, entry.size,
                       entry.data_offset);
        for (const char *at = path; *at; at++)
            RpBuffer_Print(listing->text, (unsigned char)*at < 0x20 ? "\\x%02X" : "%c",
                           (unsigned char)*at);
        RpBuffer_Print(listing->text, "%s%s%s\n", *path ? "/" : "", name,
                       entry.data ? "" : "  (outside the data)");
    }
    return listing->nested || depth > 0;
}

RpStatus ArchiveList_Text(const RpNRes *archive, bool nested, RpBuffer *text, RpError *error) {
    Listing listing = {.text = text, .nested = nested};
    RpBuffer_AppendText(text, "index  type            attr1      attr2      attr3       size "
                              "offset      name\n");
    RpNRes_Walk(archive, ListAsText, &listing);
    return text->failed ? RpMemory_Refused(error, "a list") : RP_OK;
}

/* ---- members as JSON ------------------------------------------------------------------------- */

static bool ListAsJson(void *context, const RpNRes *archive, const char *path, uint32_t depth,
                       uint32_t offset) {
    Listing *listing = context;

    /* A path consists of bytes of names, which JSON does not take as they are. */
    char utf8[RP_NRES_MAX_DEPTH * (ARCHIVE_NAME_BYTES + 1)] = "";
    size_t used = 0;
    while (*path) {
        char field[RP_NRES_NAME_BYTES] = {0};
        size_t length = strlen(path);
        length = length < sizeof field ? length : sizeof field;
        memcpy(field, path, length);
        ArchiveName_ToUtf8(field, utf8 + used);
        used += strlen(utf8 + used);
        path += length;
    }

    cJSON *object = cJSON_CreateObject();
    bool good = object && cJSON_AddItemToArray(listing->archives, object) &&
                cJSON_AddStringToObject(object, "path", utf8) &&
                cJSON_AddNumberToObject(object, "offset", offset);
    cJSON *members = cJSON_AddArrayToObject(object, "members");
    for (uint32_t i = 0; good && members && i < archive->count; i++) {
        const RpNResEntry entry = RpNRes_Entry(archive, i);
        char name[ARCHIVE_NAME_BYTES], type[ARCHIVE_TYPE_BYTES];
        ArchiveName_ToUtf8(entry.name, name);
        ArchiveType_Show(entry.type, type);
        cJSON *member = cJSON_CreateObject();
        cJSON_AddItemToArray(members, member);
        good = cJSON_AddNumberToObject(member, "index", entry.index) &&
               cJSON_AddStringToObject(member, "name", name) &&
               (ArchiveType_IsFourCC(entry.type)
                    ? cJSON_AddStringToObject(member, "type", type)
                    : cJSON_AddNumberToObject(member, "type", entry.type)) &&
               cJSON_AddNumberToObject(member, "attr1", entry.attr1) &&
               cJSON_AddNumberToObject(member, "attr2", entry.attr2) &&
               cJSON_AddNumberToObject(member, "attr3", entry.attr3) &&
               cJSON_AddNumberToObject(member, "size", entry.size) &&
               cJSON_AddNumberToObject(member, "offset", entry.data_offset) &&
               cJSON_AddNumberToObject(member, "sort_index", entry.sort_index) &&
               cJSON_AddBoolToObject(member, "inside", entry.data != NULL);
    }
    listing->failed |= !good || !members;
    return !listing->failed && (listing->nested || depth > 0);
}

RpStatus ArchiveList_Json(const RpNRes *archive, bool nested, RpBuffer *json, RpError *error) {
    cJSON *root = cJSON_CreateObject();
    Listing listing = {.nested = nested};
    listing.archives = cJSON_AddArrayToObject(root, "archives");
    if (listing.archives)
        RpNRes_Walk(archive, ListAsJson, &listing);
    return JsonText_End(root, listing.archives && !listing.failed, "a list as JSON", json, error);
}

/* ---- about the whole ------------------------------------------------------------------------- */

typedef struct TypeCount {
    uint32_t type, count;
    uint64_t bytes;
} TypeCount;

typedef struct Info {
    const RpNRes *archive;
    RpFindingCounter findings;
    RpNResArchive read; /* tells the regions; empty when a payload lies outside the image */
    TypeCount *types;
    uint32_t type_count;
    uint64_t payload_bytes, region_bytes;
    uint32_t nested;
    const char *layout; /* "canonical", "sound", "odd" or "broken" */
} Info;

static int CompareTypes(const void *a, const void *b) {
    const TypeCount *left = a, *right = b;
    return (left->type > right->type) - (left->type < right->type);
}

static bool CountNested(void *context, const RpNRes *archive, const char *path, uint32_t depth,
                        uint32_t offset) {
    (void)archive, (void)path, (void)offset;
    *(uint32_t *)context += depth > 0;
    return true;
}

static RpStatus Gather(const RpNRes *archive, Info *info, RpError *error) {
    *info = (Info){.archive = archive};
    const RpFindingSink sink = RpFindingCounter_Sink(&info->findings);
    void *work = malloc(RpNRes_CheckWork(archive->count) + 1);
    info->types = calloc((size_t)archive->count + 1, sizeof *info->types);
    RpNResArchive_Init(&info->read, NULL);
    if (!work || !info->types) {
        free(work);
        return RpMemory_Refused(error, "a summary");
    }
    RpNRes_Check(archive->image, archive->size, work, &sink, NULL);
    free(work);
    info->layout = info->findings.count[RP_SEVERITY_ERROR]       ? "broken"
                   : info->findings.count[RP_SEVERITY_WARNING]   ? "odd"
                   : info->findings.count[RP_SEVERITY_CANONICAL] ? "sound"
                                                                 : "canonical";
    for (uint32_t i = 0; i < archive->count; i++) {
        const RpNResEntry entry = RpNRes_Entry(archive, i);
        info->types[i] = (TypeCount){entry.type, 1, entry.size};
        info->payload_bytes += entry.size;
    }
    qsort(info->types, archive->count, sizeof *info->types, CompareTypes);
    for (uint32_t i = 0; i < archive->count; i++) {
        TypeCount *last = info->type_count ? &info->types[info->type_count - 1] : NULL;
        if (last && last->type == info->types[i].type) {
            last->count++;
            last->bytes += info->types[i].bytes;
        } else {
            info->types[info->type_count++] = info->types[i];
        }
    }
    RpNRes_Walk(archive, CountNested, &info->nested);
    const RpStatus status = RpNResArchive_Read(&info->read, archive, error);
    for (uint32_t i = 0; i < info->read.region_count; i++)
        info->region_bytes += info->read.regions[i].size;
    return status == RP_NO_MEMORY ? status : RP_OK;
}

static void FreeInfo(Info *info) {
    RpNResArchive_Free(&info->read);
    free(info->types);
}

RpStatus ArchiveInfo_Text(const RpNRes *archive, RpBuffer *text, RpError *error) {
    Info info;
    RpStatus status = Gather(archive, &info, error);
    if (status == RP_OK) {
        RpBuffer_Print(text, "size             %" PRIu32 " bytes\n", archive->size);
        RpBuffer_Print(text, "members          %" PRIu32 ", %" PRIu64 " bytes\n", archive->count,
                       info.payload_bytes);
        RpBuffer_Print(text, "nested archives  %" PRIu32 "\n", info.nested);
        RpBuffer_Print(text, "directory        at 0x%" PRIX32 "\n", archive->directory_offset);
        RpBuffer_Print(text, "sort table       %s\n",
                       archive->sorted ? "sound" : "broken, or equal names out of order");
        RpBuffer_Print(text, "layout           %s\n", info.layout);
        RpBuffer_Print(
            text,
            "findings         %" PRIu64 " errors, %" PRIu64 " warnings, %" PRIu64
            " canonical, %" PRIu64 " infos\n",
            info.findings.count[RP_SEVERITY_ERROR], info.findings.count[RP_SEVERITY_WARNING],
            info.findings.count[RP_SEVERITY_CANONICAL], info.findings.count[RP_SEVERITY_INFO]);
        for (uint32_t i = 0; i < info.read.region_count; i++)
            RpBuffer_Print(text, "region           %" PRIu32 " bytes at 0x%" PRIX32 "\n",
                           info.read.regions[i].size, info.read.regions[i].offset);
        for (uint32_t i = 0; i < info.type_count; i++) {
            char type[ARCHIVE_TYPE_BYTES];
            ArchiveType_Show(info.types[i].type, type);
            RpBuffer_Print(text, "type %-10s  %" PRIu32 " members, %" PRIu64 " bytes\n", type,
                           info.types[i].count, info.types[i].bytes);
        }
    }
    FreeInfo(&info);
    return status == RP_OK && text->failed ? RpMemory_Refused(error, "a summary") : status;
}

RpStatus ArchiveInfo_Json(const RpNRes *archive, const char *file, RpBuffer *json, RpError *error) {
    Info info;
    RpStatus status = Gather(archive, &info, error);
    cJSON *root = cJSON_CreateObject();
    if (status != RP_OK) {
        cJSON_Delete(root);
        FreeInfo(&info);
        return status;
    }
    bool good = root && (!file || cJSON_AddStringToObject(root, "file", file)) &&
                cJSON_AddNumberToObject(root, "size", archive->size) &&
                cJSON_AddNumberToObject(root, "count", archive->count) &&
                cJSON_AddNumberToObject(root, "directory_offset", archive->directory_offset) &&
                cJSON_AddNumberToObject(root, "payload_bytes", (double)info.payload_bytes) &&
                cJSON_AddNumberToObject(root, "nested_archives", info.nested) &&
                cJSON_AddBoolToObject(root, "sorted", archive->sorted) &&
                cJSON_AddStringToObject(root, "layout", info.layout) &&
                MemberList_AddFindings(cJSON_AddObjectToObject(root, "findings"), &info.findings);

    cJSON *list = good ? cJSON_AddArrayToObject(root, "regions") : NULL;
    good = list != NULL;
    for (uint32_t i = 0; good && i < info.read.region_count; i++) {
        cJSON *object = cJSON_CreateObject();
        good = cJSON_AddItemToArray(list, object) &&
               cJSON_AddNumberToObject(object, "offset", info.read.regions[i].offset) &&
               cJSON_AddNumberToObject(object, "size", info.read.regions[i].size);
    }

    cJSON *types = good ? cJSON_AddArrayToObject(root, "types") : NULL;
    good = types != NULL;
    for (uint32_t i = 0; good && i < info.type_count; i++) {
        char type[ARCHIVE_TYPE_BYTES];
        cJSON *object = cJSON_CreateObject();
        ArchiveType_Show(info.types[i].type, type);
        good = cJSON_AddItemToArray(types, object) &&
               (ArchiveType_IsFourCC(info.types[i].type)
                    ? cJSON_AddStringToObject(object, "type", type)
                    : cJSON_AddNumberToObject(object, "type", info.types[i].type)) &&
               cJSON_AddNumberToObject(object, "count", info.types[i].count) &&
               cJSON_AddNumberToObject(object, "bytes", (double)info.types[i].bytes);
    }
    status = JsonText_End(root, good, "a list as JSON", json, error);
    FreeInfo(&info);
    return status;
}

/* ---- files ----------------------------------------------------------------------------------- */

static void NameOf(const void *archive, uint32_t index, char text[MEMBER_NAME_BYTES]) {
    ArchiveName_ToUtf8(RpNRes_Entry(archive, index).name, text);
}

RpStatus ArchiveFiles_Json(const RpNRes *archive, const MemberFilesGiven *given, RpBuffer *json,
                           RpError *error) {
    return MemberFiles_Json(given, ArchiveFile_Names(archive), archive->count, NameOf, archive,
                            json, error);
}
