/* Makes the image that a dump (formats/msh/text/dump.c) describes. */
#include "retropose/msh_text.h"

#include "core/bytes.h"
#include "core/json/json_read.h"
#include "core/text/encoding.h"
#include "formats/msh/text/fields.h"
#include "formats/nres/record.h"
#include "ngi32/processor/modes.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A dump is larger than its image, except for runs of zeros between payloads. */
#define MOST_BYTES (UINT32_C(1) << 28)

typedef struct Assembly {
    const RpAllocator *allocator;
    RpNResArchive archive; /* its members own nothing; the payloads are in `payloads` */
    RpBuffer *payloads;
    JsonRead read;
} Assembly;

/* ---- errors ---------------------------------------------------------------------------------- */

static RpStatus Refuse(Assembly *assembly, const char *what, const char *expected,
                       const cJSON *item) {
    JsonRead_Refuse(&assembly->read, what, expected, item);
    return RP_CORRUPT;
}

static RpStatus RefuseMemory(Assembly *assembly) {
    return RpMemory_Refused(assembly->read.error, "assembling a dump");
}

/* ---- values ---------------------------------------------------------------------------------- */

static RpStatus TakeInteger(Assembly *assembly, const cJSON *item, int64_t least, int64_t most,
                            int64_t *value) {
    double number = 0;
    if (!JsonRead_Integer(&assembly->read, item, (double)least, (double)most, &number))
        return RP_CORRUPT;
    *value = (int64_t)number;
    return RP_OK;
}

static RpStatus TakeU32(Assembly *assembly, const cJSON *item, uint32_t *value) {
    int64_t number = 0;
    RpStatus status = TakeInteger(assembly, item, 0, UINT32_MAX, &number);
    *value = (uint32_t)number;
    return status;
}

typedef struct Range {
    int64_t least, most;
} Range;

/* Words may have either sign, because sources differ on what is signed (facts/formats.md C10). */
static const Range ranges[] = {
    [MSH_FIELD_U8] = {0, UINT8_MAX},           [MSH_FIELD_I8] = {INT8_MIN, INT8_MAX},
    [MSH_FIELD_U16] = {0, UINT16_MAX},         [MSH_FIELD_INDEX] = {0, UINT16_MAX},
    [MSH_FIELD_I16] = {INT16_MIN, UINT16_MAX}, [MSH_FIELD_U32] = {0, UINT32_MAX},
    [MSH_FIELD_I32] = {INT32_MIN, INT32_MAX}};

static RpStatus TakeValue(Assembly *assembly, const MshField *field, const cJSON *item,
                          int64_t *value) {
    if (field->kind == MSH_FIELD_FLOAT) {
        float number;
        uint32_t bits;
        if (!JsonRead_Float(&assembly->read, item, &number))
            return RP_CORRUPT;
        memcpy(&bits, &number, sizeof bits);
        *value = bits;
        return RP_OK;
    }
    if (field->kind == MSH_FIELD_INDEX && cJSON_IsNull(item)) {
        *value = RP_MSH_NONE;
        return RP_OK;
    }
    return TakeInteger(assembly, item, ranges[field->kind].least, ranges[field->kind].most, value);
}

/* Appends the bytes of a hexadecimal text. */
static RpStatus TakeHex(Assembly *assembly, const cJSON *item, RpBuffer *bytes) {
    if (!JsonRead_Hex(&assembly->read, item, bytes))
        return RP_CORRUPT;
    return bytes->failed ? RefuseMemory(assembly) : RP_OK;
}

/* Appends a text, or the bytes of {"hex": ...}. */
static RpStatus TakeText(Assembly *assembly, const cJSON *item, RpBuffer *bytes) {
    if (cJSON_IsObject(item))
        return TakeHex(assembly, cJSON_GetObjectItemCaseSensitive(item, "hex"), bytes);
    if (!cJSON_IsString(item))
        return Refuse(assembly, "this is no text", "a text, or {\"hex\": ...}", item);
    bool exact = true;
    const size_t most = strlen(item->valuestring); /* a letter of one byte has at least one here */
    char *at = (char *)RpBuffer_Extend(bytes, most);
    if (at)
        bytes->size -= most - Text1251_FromUtf8(item->valuestring, at, most, &exact);
    if (!exact)
        return Refuse(assembly, "the text does not fit", "characters of Windows-1251", item);
    return bytes->failed ? RefuseMemory(assembly) : RP_OK;
}

/* Reads exactly `size` bytes, or fewer, which are padded with zeros. */
static RpStatus TakePadded(Assembly *assembly, const cJSON *item, uint32_t size, bool hex,
                           uint8_t *at) {
    RpBuffer bytes;
    RpBuffer_Init(&bytes, assembly->allocator);
    RpStatus status = hex ? TakeHex(assembly, item, &bytes) : TakeText(assembly, item, &bytes);
    if (status == RP_OK && (bytes.size > size || (hex && bytes.size < size))) {
        char expected[40];
        snprintf(expected, sizeof expected, "%s%" PRIu32 " bytes", hex ? "" : "at most ", size);
        status = Refuse(assembly, "the text has another length", expected, item);
    }
    if (status == RP_OK && bytes.size > 0)
        memcpy(at, bytes.bytes, bytes.size);
    RpBuffer_Free(&bytes);
    return status;
}

/* ---- records --------------------------------------------------------------------------------- */

static RpStatus TakeField(Assembly *assembly, const MshField *field, const cJSON *item,
                          uint8_t *record) {
    if (field->kind == MSH_FIELD_TEXT || field->kind == MSH_FIELD_HEX)
        return TakePadded(assembly, item, field->count, field->kind == MSH_FIELD_HEX,
                          record + field->offset);
    if (field->count > 1) {
        uint32_t index = 0;
        if (!cJSON_IsArray(item) || cJSON_GetArraySize(item) != (int)field->count) {
            char expected[40];
            snprintf(expected, sizeof expected, "%" PRIu32 " values", field->count);
            return Refuse(assembly, "the list has another length", expected, item);
        }
        for (const cJSON *child = item->child; child; child = child->next, index++) {
            int64_t value = 0;
            const size_t place = JsonRead_EnterElement(&assembly->read, index);
            RpStatus status = TakeValue(assembly, field, child, &value);
            if (status != RP_OK)
                return status;
            JsonRead_Leave(&assembly->read, place);
            MshField_Put(field, record, index, value);
        }
        return RP_OK;
    }
    int64_t value = 0;
    RpStatus status = TakeValue(assembly, field, item, &value);
    MshField_Put(field, record, 0, value);
    return status;
}

static RpStatus TakeRecord(Assembly *assembly, const MshRecord *kind, const cJSON *item,
                           uint8_t *record) {
    if (!kind->fields[0].name)
        return TakeField(assembly, &kind->fields[0], item, record);
    if (!cJSON_IsObject(item) || cJSON_GetArraySize(item) != (int)kind->field_count) {
        char expected[40];
        snprintf(expected, sizeof expected, "an object of %" PRIu32 " members", kind->field_count);
        return Refuse(assembly, "the record has other members", expected, item);
    }
    const cJSON *next = item->child; /* null once the members are not in the order of the fields */
    for (uint32_t i = 0; i < kind->field_count; i++) {
        const MshField *field = &kind->fields[i];
        const bool in_order = next && strcmp(next->string, field->name) == 0;
        const cJSON *member = in_order ? next : cJSON_GetObjectItemCaseSensitive(item, field->name);
        next = in_order ? next->next : NULL;
        const size_t place = JsonRead_Enter(&assembly->read, field->name);
        RpStatus status = TakeField(assembly, field, member, record);
        if (status != RP_OK)
            return status;
        JsonRead_Leave(&assembly->read, place);
    }
    return RP_OK;
}

static RpStatus TakeRecords(Assembly *assembly, const MshRecord *kind, const cJSON *list,
                            RpBuffer *payload, uint32_t *count) {
    if (!cJSON_IsArray(list))
        return Refuse(assembly, "this is no list", "a list of records", list);
    for (const cJSON *item = list->child; item; item = item->next, (*count)++) {
        const size_t place = JsonRead_EnterElement(&assembly->read, *count);
        uint8_t *record = RpBuffer_Extend(payload, kind->size);
        if (!record)
            return RefuseMemory(assembly);
        RpStatus status = TakeRecord(assembly, kind, item, record);
        if (status != RP_OK)
            return status;
        JsonRead_Leave(&assembly->read, place);
    }
    return RP_OK;
}

static RpStatus TakeLines(Assembly *assembly, const cJSON *list, RpBuffer *payload) {
    uint32_t index = 0;
    if (!cJSON_IsArray(list))
        return Refuse(assembly, "this is no list", "a list of hexadecimal texts", list);
    for (const cJSON *item = list->child; item; item = item->next, index++) {
        const size_t place = JsonRead_EnterElement(&assembly->read, index);
        RpStatus status = TakeHex(assembly, item, payload);
        if (status != RP_OK)
            return status;
        JsonRead_Leave(&assembly->read, place);
    }
    return RP_OK;
}

static RpStatus TakeLabels(Assembly *assembly, const cJSON *list, RpBuffer *payload,
                           uint32_t *count) {
    if (!cJSON_IsArray(list))
        return Refuse(assembly, "this is no list", "a list of labels", list);
    for (const cJSON *item = list->child; item; item = item->next, (*count)++) {
        const size_t place = JsonRead_EnterElement(&assembly->read, *count);
        size_t start = payload->size;
        RpBuffer_AppendU32(payload, 0);
        RpStatus status = TakeText(assembly, item, payload);
        if (status != RP_OK)
            return status;
        JsonRead_Leave(&assembly->read, place);
        const uint32_t length = (uint32_t)(payload->size - start - 4);
        Bytes_PutU32(payload->bytes + start, length);
        if (length > 0)
            RpBuffer_Extend(payload, 1);
    }
    return payload->failed ? RefuseMemory(assembly) : RP_OK;
}

/* ---- streams --------------------------------------------------------------------------------- */

/* Reports unknown members. Otherwise a misspelt member would be lost without a message. */
static RpStatus CheckMembers(Assembly *assembly, const cJSON *stream, const char *payload) {
    static const char *const known[] = {"type",   "stride", "name",     "attr1", "attr2", "attr3",
                                        "header", "tail",   "vertices", "links", "data",  "lost"};
    for (const cJSON *member = stream->child; member; member = member->next) {
        bool found = payload && strcmp(member->string, payload) == 0;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            found |= strcmp(member->string, known[i]) == 0;
        if (!found) {
            JsonRead_Enter(&assembly->read, member->string);
            return Refuse(assembly, "a stream has no such member", payload ? payload : "data",
                          member);
        }
    }
    return RP_OK;
}

static RpStatus TakeMember(Assembly *assembly, const cJSON *stream, const char *name,
                           RpStatus (*take)(Assembly *, const cJSON *, RpBuffer *),
                           RpBuffer *payload) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(stream, name);
    if (!item)
        return RP_OK;
    const size_t place = JsonRead_Enter(&assembly->read, name);
    RpStatus status = take(assembly, item, payload);
    if (status == RP_OK)
        JsonRead_Leave(&assembly->read, place);
    return status;
}

static RpStatus TakeTail(Assembly *assembly, const cJSON *item, RpBuffer *payload) {
    return TakeHex(assembly, item, payload);
}

static RpStatus TakeHeader(Assembly *assembly, const cJSON *item, RpBuffer *payload) {
    uint8_t *header = RpBuffer_Extend(payload, RP_MSH_HEADER_BYTES);
    return header ? TakeRecord(assembly, &msh_header_record, item, header) : RefuseMemory(assembly);
}

static RpStatus TakeTyped(Assembly *assembly, const cJSON *stream, const cJSON *list, uint32_t type,
                          uint32_t node_stride, RpBuffer *payload, uint32_t *count) {
    const MshRecord *kind = MshRecord_Of(type, node_stride);
    RpStatus status = RP_OK;
    if (type == RP_MSH_SLOTS)
        status = TakeMember(assembly, stream, "header", TakeHeader, payload);
    if (status != RP_OK)
        return status;
    const size_t place = JsonRead_Enter(&assembly->read, RpMsh_StreamName(type));
    status = type == RP_MSH_LABELS ? TakeLabels(assembly, list, payload, count)
                                   : TakeRecords(assembly, kind, list, payload, count);
    if (status == RP_OK)
        JsonRead_Leave(&assembly->read, place);
    return status;
}

static RpStatus TakeAttribute(Assembly *assembly, const cJSON *stream, const char *name,
                              uint32_t *value) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(stream, name);
    if (!item)
        return RP_OK;
    const size_t place = JsonRead_Enter(&assembly->read, name);
    RpStatus status = TakeU32(assembly, item, value);
    if (status == RP_OK)
        JsonRead_Leave(&assembly->read, place);
    return status;
}

static RpStatus TakeName(Assembly *assembly, const cJSON *stream, RpNResMember *member) {
    const size_t place = JsonRead_Enter(&assembly->read, "name");
    RpStatus status = TakePadded(assembly, cJSON_GetObjectItemCaseSensitive(stream, "name"),
                                 RP_NRES_NAME_BYTES, false, (uint8_t *)member->name);
    if (status == RP_OK)
        JsonRead_Leave(&assembly->read, place);
    return status;
}

static RpStatus TakeStream(Assembly *assembly, const cJSON *stream, uint32_t index) {
    RpNResMember *member = &assembly->archive.members[index];
    RpBuffer *payload = &assembly->payloads[index];
    RpBuffer_Init(payload, assembly->allocator);
    const size_t place = JsonRead_Enter(&assembly->read, "type");
    RpStatus status =
        TakeU32(assembly, cJSON_GetObjectItemCaseSensitive(stream, "type"), &member->type);
    if (status == RP_OK) {
        JsonRead_Leave(&assembly->read, place);
        status = TakeName(assembly, stream, member);
    }
    if (status == RP_OK) {
        const char *name = RpMsh_StreamName(member->type);
        const cJSON *typed = name ? cJSON_GetObjectItemCaseSensitive(stream, name) : NULL;
        const cJSON *stride = cJSON_GetObjectItemCaseSensitive(stream, "stride");
        uint32_t count = 0, node_stride = stride ? RP_MSH_LEGACY_NODE_BYTES : RP_MSH_NODE_BYTES;
        status = CheckMembers(assembly, stream, name);
        if (status == RP_OK && typed)
            status = TakeTyped(assembly, stream, typed, member->type, node_stride, payload, &count);
        const MshAttributes usual = MshAttributes_Usual(member->type, count, node_stride);
        member->attr1 = usual.attr1;
        member->attr2 = usual.attr2;
        member->attr3 = usual.attr3;
        if (status == RP_OK && !typed && member->type == RP_MSH_PATHS &&
            cJSON_HasObjectItem(stream, "links")) {
            status = TakeMember(assembly, stream, "vertices", TakeLines, payload);
            size_t vertices = payload->size;
            if (status == RP_OK)
                status = TakeMember(assembly, stream, "links", TakeLines, payload);
            member->attr1 = (uint32_t)(vertices / RP_MSH_PATH_VERTEX_BYTES);
            member->attr2 = (uint32_t)((payload->size - vertices) / RP_MSH_PATH_LINK_BYTES);
        }
        if (status == RP_OK)
            status = TakeMember(assembly, stream, "data", TakeLines, payload);
        if (status == RP_OK)
            status = TakeMember(assembly, stream, "tail", TakeTail, payload);
    }
    if (status == RP_OK)
        status = TakeAttribute(assembly, stream, "attr1", &member->attr1);
    if (status == RP_OK)
        status = TakeAttribute(assembly, stream, "attr2", &member->attr2);
    if (status == RP_OK)
        status = TakeAttribute(assembly, stream, "attr3", &member->attr3);
    if (status == RP_OK && (payload->failed || payload->size > MOST_BYTES))
        status = RefuseMemory(assembly);
    member->data = payload->size ? payload->bytes : (const uint8_t *)"";
    member->size = (uint32_t)payload->size;
    return status;
}

/* ---- a layout of its own --------------------------------------------------------------------- */

static RpStatus PlaceEntries(Assembly *assembly, const cJSON *layout, RpBuffer *image, size_t start,
                             uint32_t directory) {
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(layout, "entries");
    uint32_t index = 0;
    if (!cJSON_IsArray(list) || (uint32_t)cJSON_GetArraySize(list) != assembly->archive.count)
        return Refuse(assembly, "the layout has not one entry a stream", "a list of that length",
                      NULL);
    for (const cJSON *item = list->child; item; item = item->next, index++) {
        const size_t place = JsonRead_Enter(&assembly->read, "entries");
        JsonRead_EnterElement(&assembly->read, index);

        /* Payloads that overlap are written in the order of the directory. Unless something is
         * damaged, they agree where they overlap. */
        const RpNResMember *member = &assembly->archive.members[index];
        uint32_t offset = 0, size = 0, sort_index = 0;
        RpStatus status = TakeAttribute(assembly, item, "offset", &offset);
        if (status == RP_OK)
            status = TakeAttribute(assembly, item, "size", &size);
        if (status == RP_OK)
            status = TakeAttribute(assembly, item, "sort_index", &sort_index);
        if (status != RP_OK)
            return status;
        bool inside =
            offset >= RP_NRES_HEADER_BYTES && offset <= directory && size <= directory - offset;
        if (inside && size != member->size)
            return Refuse(assembly, "the stream has not the size that the layout gives it",
                          "the same size, or a dump without \"layout\"", item);
        if (inside && size > 0)
            memcpy(image->bytes + start + offset, member->data, size);
        uint8_t *record = image->bytes + start + directory + (size_t)index * RP_NRES_RECORD_BYTES;
        Bytes_PutU32(record + NRES_AT_TYPE, member->type);
        Bytes_PutU32(record + NRES_AT_ATTR1, member->attr1);
        Bytes_PutU32(record + NRES_AT_ATTR2, member->attr2);
        Bytes_PutU32(record + NRES_AT_SIZE, size);
        Bytes_PutU32(record + NRES_AT_ATTR3, member->attr3);
        memcpy(record + NRES_AT_NAME, member->name, RP_NRES_NAME_BYTES);
        Bytes_PutU32(record + NRES_AT_DATA_OFFSET, offset);
        Bytes_PutU32(record + NRES_AT_SORT_INDEX, sort_index);
        JsonRead_Leave(&assembly->read, place);
    }
    return RP_OK;
}

static RpStatus PlaceBytes(Assembly *assembly, const cJSON *hex, uint64_t at, uint32_t end,
                           RpBuffer *image, size_t start) {
    RpBuffer bytes;
    RpBuffer_Init(&bytes, assembly->allocator);
    RpStatus status = TakeHex(assembly, hex, &bytes);
    if (status == RP_OK && at + bytes.size > end)
        status = Refuse(assembly, "bytes of the layout do not fit", "a place inside", hex);
    if (status == RP_OK && bytes.size > 0)
        memcpy(image->bytes + start + at, bytes.bytes, bytes.size);
    RpBuffer_Free(&bytes);
    return status;
}

static RpStatus WriteLayout(Assembly *assembly, const cJSON *layout, RpBuffer *image) {
    uint32_t size = 0;
    uint64_t least =
        RP_NRES_HEADER_BYTES + (uint64_t)assembly->archive.count * RP_NRES_RECORD_BYTES;
    JsonRead_Enter(&assembly->read, "layout");
    RpStatus status = TakeAttribute(assembly, layout, "size", &size);
    if (status != RP_OK)
        return status;
    if (size < least || size > MOST_BYTES)
        return Refuse(assembly, "the layout's size is out of range",
                      "room for header and directory, below 256 MiB", layout);
    size_t start = image->size;
    if (!RpBuffer_Extend(image, size))
        return RefuseMemory(assembly);
    uint32_t directory = size - assembly->archive.count * RP_NRES_RECORD_BYTES;

    /* The header, and the bytes that belong to no member. */
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(layout, "rest");
    uint32_t index = 0;
    status = PlaceBytes(assembly, cJSON_GetObjectItemCaseSensitive(layout, "header"), 0,
                        RP_NRES_HEADER_BYTES, image, start);
    for (const cJSON *item = list ? list->child : NULL; status == RP_OK && item;
         item = item->next, index++) {
        uint32_t at = 0;
        const size_t place = JsonRead_Enter(&assembly->read, "rest");
        JsonRead_EnterElement(&assembly->read, index);
        status = TakeAttribute(assembly, item, "at", &at);
        if (status == RP_OK)
            status = PlaceBytes(assembly, cJSON_GetObjectItemCaseSensitive(item, "hex"), at, size,
                                image, start);
        if (status == RP_OK)
            JsonRead_Leave(&assembly->read, place);
    }
    if (status == RP_OK)
        status = PlaceEntries(assembly, layout, image, start, directory);
    return status;
}

/* ---- all ------------------------------------------------------------------------------------- */

static RpStatus WriteImage(Assembly *assembly, const cJSON *root, RpBuffer *image) {
    static const char format[] = "retropose msh dump 1";
    const cJSON *stated = cJSON_GetObjectItemCaseSensitive(root, "format");
    const cJSON *layout = cJSON_GetObjectItemCaseSensitive(root, "layout");
    if (!cJSON_IsString(stated) || strcmp(stated->valuestring, format) != 0)
        return Refuse(assembly, "this is no dump of a model", format, stated);
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, "streams");
    uint32_t index = 0;
    if (!cJSON_IsArray(list))
        return Refuse(assembly, "the dump has no streams", "a list", list);

    /* Makes room for `count` members and their payloads. */
    RpStatus status = RP_OK;
    const uint32_t count = (uint32_t)cJSON_GetArraySize(list);
    size_t members = (size_t)count * sizeof *assembly->archive.members;
    size_t payloads = (size_t)count * sizeof *assembly->payloads;
    if (count != 0) {
        assembly->archive.members = RpMemory_Resize(assembly->allocator, NULL, members);
        assembly->payloads = RpMemory_Resize(assembly->allocator, NULL, payloads);
        if (!assembly->archive.members || !assembly->payloads) {
            status = RefuseMemory(assembly);
        } else {
            memset(assembly->archive.members, 0, members);
            memset(assembly->payloads, 0, payloads);
            assembly->archive.count = assembly->archive.capacity = count;
        }
    }
    for (const cJSON *item = list->child; status == RP_OK && item; item = item->next, index++) {
        const size_t place = JsonRead_Enter(&assembly->read, "streams");
        JsonRead_EnterElement(&assembly->read, index);
        status = TakeStream(assembly, item, index);
        if (status == RP_OK)
            JsonRead_Leave(&assembly->read, place);
    }
    if (status != RP_OK)
        return status;
    if (layout)
        return WriteLayout(assembly, layout, image);
    return RpNResArchive_Write(&assembly->archive, RP_NRES_CANONICAL, image, assembly->read.error);
}

RpStatus RpMsh_Assemble(const char *text, size_t size, RpBuffer *image, RpError *error) {
    MODES_OF_C();
    const char *end = NULL;
    Assembly assembly = {.allocator = image->allocator, .read = {.error = error, .whole = "dump"}};
    cJSON *root = JsonRead_Parse(text, size, &end);
    if (!root) {
        uint64_t offset = end && end >= text && end <= text + size ? (uint64_t)(end - text) : 0;
        unsigned line = 1;
        char where[40];
        for (uint64_t i = 0; i < offset; i++)
            line += text[i] == '\n';
        snprintf(where, sizeof where, "line %u", line);
        return RpError_Set(error, RP_CORRUPT, offset, "the dump is not JSON", where, "", "");
    }
    RpNResArchive_Init(&assembly.archive, image->allocator);
    const RpStatus status = WriteImage(&assembly, root, image);
    for (uint32_t i = 0; i < assembly.archive.count; i++)
        RpBuffer_Free(&assembly.payloads[i]);
    RpMemory_Free(assembly.allocator, assembly.payloads);
    RpMemory_Free(assembly.allocator, assembly.archive.members);
    cJSON_Delete(root);
    return status;
}
