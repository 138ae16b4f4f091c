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

static void Refuse(Assembly *assembly, const char *what, const char *expected, const cJSON *item) {
    JsonRead_Refuse(&assembly->read, what, expected, item);
}

static void RefuseMemory(Assembly *assembly) {
    if (!assembly->read.status)
        assembly->read.status = RpMemory_Refused(assembly->read.error, "assembling a dump");
}

static const cJSON *Member(const cJSON *object, const char *name) {
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

/* ---- values ---------------------------------------------------------------------------------- */

static int64_t TakeInteger(Assembly *assembly, const cJSON *item, int64_t least, int64_t most) {
    double number = 0;
    JsonRead_Integer(&assembly->read, item, (double)least, (double)most, &number);
    return (int64_t)number;
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

static int64_t TakeValue(Assembly *assembly, const MshField *field, const cJSON *item) {
    if (field->kind == MSH_FIELD_FLOAT) {
        float number = 0;
        uint32_t bits;
        JsonRead_Float(&assembly->read, item, &number);
        memcpy(&bits, &number, sizeof bits);
        return bits;
    }
    if (field->kind == MSH_FIELD_INDEX && cJSON_IsNull(item))
        return RP_MSH_NONE;
    return TakeInteger(assembly, item, ranges[field->kind].least, ranges[field->kind].most);
}

/* Appends the bytes of a hexadecimal text. */
static void TakeHex(Assembly *assembly, const cJSON *item, RpBuffer *bytes) {
    JsonRead_Hex(&assembly->read, item, bytes);
    if (bytes->failed)
        RefuseMemory(assembly);
}

/* Appends a text, or the bytes of {"hex": ...}. */
static void TakeText(Assembly *assembly, const cJSON *item, RpBuffer *bytes) {
    bool exact = true;
    if (cJSON_IsObject(item)) {
        TakeHex(assembly, Member(item, "hex"), bytes);
    } else if (!cJSON_IsString(item)) {
        Refuse(assembly, "this is no text", "a text, or {\"hex\": ...}", item);
    } else {
        const size_t most = strlen(item->valuestring); /* here a letter has at least one byte */
        char *at = (char *)RpBuffer_Extend(bytes, most);
        if (at)
            bytes->size -= most - Text1251_FromUtf8(item->valuestring, at, most, &exact);
        else if (bytes->failed)
            RefuseMemory(assembly);
    }
    if (!exact)
        Refuse(assembly, "the text does not fit", "characters of Windows-1251", item);
}

/* Reads exactly `size` bytes, or fewer, which are padded with zeros. */
static void TakePadded(Assembly *assembly, const cJSON *item, uint32_t size, bool hex,
                       uint8_t *at) {
    RpBuffer bytes;
    RpBuffer_Init(&bytes, assembly->allocator);
    (hex ? TakeHex : TakeText)(assembly, item, &bytes);
    if (bytes.size > size || (hex && bytes.size < size)) {
        char expected[40];
        snprintf(expected, sizeof expected, "%s%" PRIu32 " bytes", hex ? "" : "at most ", size);
        Refuse(assembly, "the text has another length", expected, item);
    } else if (bytes.size > 0) {
        memcpy(at, bytes.bytes, bytes.size);
    }
    RpBuffer_Free(&bytes);
}

/* ---- records --------------------------------------------------------------------------------- */

static void TakeField(Assembly *assembly, const MshField *field, const cJSON *item,
                      uint8_t *record) {
    const bool is_list = field->count > 1;
    if (field->kind == MSH_FIELD_TEXT || field->kind == MSH_FIELD_HEX) {
        TakePadded(assembly, item, field->count, field->kind == MSH_FIELD_HEX,
                   record + field->offset);
    } else if (!is_list) {
        MshField_Put(field, record, 0, TakeValue(assembly, field, item));
    } else if (!cJSON_IsArray(item) || cJSON_GetArraySize(item) != (int)field->count) {
        char expected[40];
        snprintf(expected, sizeof expected, "%" PRIu32 " values", field->count);
        Refuse(assembly, "the list has another length", expected, item);
    } else {
        uint32_t index = 0;
        for (const cJSON *child = item->child; child; child = child->next, index++) {
            const size_t place = JsonRead_EnterElement(&assembly->read, index);
            MshField_Put(field, record, index, TakeValue(assembly, field, child));
            JsonRead_Leave(&assembly->read, place);
        }
    }
}

/* The three kinds of elements that a list of a stream may have. */
typedef void TakeElement(Assembly *assembly, const MshRecord *kind, const cJSON *item,
                         RpBuffer *payload);

static void TakeRecord(Assembly *assembly, const MshRecord *kind, const cJSON *item,
                       RpBuffer *payload) {
    uint8_t *record = RpBuffer_Extend(payload, kind->size);
    if (!record) {
        RefuseMemory(assembly);
        return;
    }
    if (!kind->fields[0].name) {
        TakeField(assembly, &kind->fields[0], item, record);
        return;
    }
    if (!cJSON_IsObject(item) || cJSON_GetArraySize(item) != (int)kind->field_count) {
        char expected[40];
        snprintf(expected, sizeof expected, "an object of %" PRIu32 " members", kind->field_count);
        Refuse(assembly, "the record has other members", expected, item);
        return;
    }
    const cJSON *next = item->child; /* null once the members are not in the order of the fields */
    for (uint32_t i = 0; i < kind->field_count; i++) {
        const MshField *field = &kind->fields[i];
        const bool in_order = next && strcmp(next->string, field->name) == 0;
        const cJSON *member = in_order ? next : Member(item, field->name);
        next = in_order ? next->next : NULL;
        const size_t place = JsonRead_Enter(&assembly->read, field->name);
        TakeField(assembly, field, member, record);
        JsonRead_Leave(&assembly->read, place);
    }
}

static void TakeLine(Assembly *assembly, const MshRecord *kind, const cJSON *item,
                     RpBuffer *payload) {
    (void)kind;
    TakeHex(assembly, item, payload);
}

static void TakeLabel(Assembly *assembly, const MshRecord *kind, const cJSON *item,
                      RpBuffer *payload) {
    (void)kind;
    const size_t start = payload->size;
    RpBuffer_AppendU32(payload, 0);
    TakeText(assembly, item, payload);
    if (payload->failed) {
        RefuseMemory(assembly);
        return;
    }
    const uint32_t length = (uint32_t)(payload->size - start - 4);
    Bytes_PutU32(payload->bytes + start, length);
    if (length > 0)
        RpBuffer_Extend(payload, 1);
}

/* Reads the list that is a member, if there is one, and returns how many elements it has. */
static uint32_t TakeList(Assembly *assembly, const cJSON *stream, const char *name,
                         const char *expected, TakeElement *take, const MshRecord *kind,
                         RpBuffer *payload) {
    const cJSON *list = Member(stream, name);
    uint32_t count = 0;
    if (!list)
        return 0;
    const size_t place = JsonRead_Enter(&assembly->read, name);
    if (!cJSON_IsArray(list))
        Refuse(assembly, "this is no list", expected, list);
    for (const cJSON *item = list->child; item && !assembly->read.status;
         item = item->next, count++) {
        const size_t outer = JsonRead_EnterElement(&assembly->read, count);
        take(assembly, kind, item, payload);
        JsonRead_Leave(&assembly->read, outer);
    }
    JsonRead_Leave(&assembly->read, place);
    return count;
}

static void TakeLines(Assembly *assembly, const cJSON *stream, const char *name,
                      RpBuffer *payload) {
    TakeList(assembly, stream, name, "a list of hexadecimal texts", TakeLine, NULL, payload);
}

/* ---- streams --------------------------------------------------------------------------------- */

static void TakeAttribute(Assembly *assembly, const cJSON *object, const char *name,
                          uint32_t *value) {
    const cJSON *item = Member(object, name);
    const size_t place = JsonRead_Enter(&assembly->read, name);
    if (item)
        *value = (uint32_t)TakeInteger(assembly, item, 0, UINT32_MAX);
    JsonRead_Leave(&assembly->read, place);
}

static void TakeStream(Assembly *assembly, const cJSON *stream, uint32_t index) {
    JsonRead *read = &assembly->read;
    RpNResMember *member = &assembly->archive.members[index];
    RpBuffer *payload = &assembly->payloads[index];
    size_t place = JsonRead_Enter(read, "type");
    member->type = (uint32_t)TakeInteger(assembly, Member(stream, "type"), 0, UINT32_MAX);
    JsonRead_Leave(read, place);
    place = JsonRead_Enter(read, "name");
    TakePadded(assembly, Member(stream, "name"), RP_NRES_NAME_BYTES, false,
               (uint8_t *)member->name);
    JsonRead_Leave(read, place);

    /* The payload, as a list that is named for the type, or as lines of bytes. */
    const uint32_t node_stride =
        Member(stream, "stride") ? RP_MSH_LEGACY_NODE_BYTES : RP_MSH_NODE_BYTES;
    const MshRecord *kind = MshRecord_Of(member->type, node_stride);
    const bool has_list = kind || member->type == RP_MSH_LABELS; /* the paths have a name only */
    const char *name = has_list ? RpMsh_StreamName(member->type) : NULL;
    const bool is_typed = name && Member(stream, name);
    uint32_t count = 0;

    /* Unknown members are reported. Otherwise a misspelt member would be lost without a message. */
    static const char *const known[] = {"type",   "stride", "name",     "attr1", "attr2", "attr3",
                                        "header", "tail",   "vertices", "links", "data",  "lost"};
    for (const cJSON *item = stream->child; item && item->string; item = item->next) {
        bool found = name && strcmp(item->string, name) == 0;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            found |= strcmp(item->string, known[i]) == 0;
        const size_t entered = JsonRead_Enter(&assembly->read, item->string);
        if (!found)
            Refuse(assembly, "a stream has no such member", name ? name : "data", item);
        JsonRead_Leave(&assembly->read, entered);
    }
    if (is_typed && member->type == RP_MSH_SLOTS && Member(stream, "header")) {
        place = JsonRead_Enter(read, "header");
        TakeRecord(assembly, &msh_header_record, Member(stream, "header"), payload);
        JsonRead_Leave(read, place);
    }
    if (is_typed && member->type == RP_MSH_LABELS)
        count = TakeList(assembly, stream, name, "a list of labels", TakeLabel, NULL, payload);
    else if (is_typed)
        count = TakeList(assembly, stream, name, "a list of records", TakeRecord, kind, payload);
    const MshAttributes usual = MshAttributes_Usual(member->type, count, node_stride);
    member->attr1 = usual.attr1;
    member->attr2 = usual.attr2;
    member->attr3 = usual.attr3;
    if (member->type == RP_MSH_PATHS && Member(stream, "links")) {
        TakeLines(assembly, stream, "vertices", payload);
        const size_t vertices = payload->size;
        TakeLines(assembly, stream, "links", payload);
        member->attr1 = (uint32_t)(vertices / RP_MSH_PATH_VERTEX_BYTES);
        member->attr2 = (uint32_t)((payload->size - vertices) / RP_MSH_PATH_LINK_BYTES);
    }
    TakeLines(assembly, stream, "data", payload);
    if (Member(stream, "tail"))
        JsonRead_HexMember(read, stream, "tail", payload);
    TakeAttribute(assembly, stream, "attr1", &member->attr1);
    TakeAttribute(assembly, stream, "attr2", &member->attr2);
    TakeAttribute(assembly, stream, "attr3", &member->attr3);
    if (payload->failed || payload->size > MOST_BYTES)
        RefuseMemory(assembly);
    member->data = payload->size ? payload->bytes : (const uint8_t *)"";
    member->size = (uint32_t)payload->size;
}

/* ---- a layout of its own --------------------------------------------------------------------- */

static void PlaceBytes(Assembly *assembly, const cJSON *hex, uint64_t at, uint32_t end,
                       uint8_t *image) {
    RpBuffer bytes;
    RpBuffer_Init(&bytes, assembly->allocator);
    TakeHex(assembly, hex, &bytes);
    if (at + bytes.size > end)
        Refuse(assembly, "bytes of the layout do not fit", "a place inside", hex);
    else if (bytes.size > 0)
        memcpy(image + at, bytes.bytes, bytes.size);
    RpBuffer_Free(&bytes);
}

static void WriteLayout(Assembly *assembly, const cJSON *layout, RpBuffer *out) {
    JsonRead *read = &assembly->read;
    const uint32_t count = assembly->archive.count;
    const uint64_t least = RP_NRES_HEADER_BYTES + (uint64_t)count * RP_NRES_RECORD_BYTES;
    uint32_t size = 0, index = 0;
    JsonRead_Enter(read, "layout");
    TakeAttribute(assembly, layout, "size", &size);
    if (size < least || size > MOST_BYTES)
        Refuse(assembly, "the layout's size is out of range",
               "room for header and directory, below 256 MiB", layout);
    if (read->status)
        return;
    uint8_t *image = RpBuffer_Extend(out, size);
    if (!image) {
        RefuseMemory(assembly);
        return;
    }

    /* The header, and the bytes that belong to no member. */
    const cJSON *rest = Member(layout, "rest"), *entries = Member(layout, "entries");
    PlaceBytes(assembly, Member(layout, "header"), 0, RP_NRES_HEADER_BYTES, image);
    for (const cJSON *item = rest ? rest->child : NULL; item && !read->status;
         item = item->next, index++) {
        uint32_t at = 0;
        const size_t place = JsonRead_Enter(read, "rest");
        JsonRead_EnterElement(read, index);
        TakeAttribute(assembly, item, "at", &at);
        PlaceBytes(assembly, Member(item, "hex"), at, size, image);
        JsonRead_Leave(read, place);
    }

    if (!cJSON_IsArray(entries) || (uint32_t)cJSON_GetArraySize(entries) != count)
        Refuse(assembly, "the layout has not one entry a stream", "a list of that length", NULL);
    const uint32_t directory = size - count * RP_NRES_RECORD_BYTES;
    index = 0;
    for (const cJSON *item = entries ? entries->child : NULL; item && !read->status;
         item = item->next, index++) {
        const size_t place = JsonRead_Enter(read, "entries");
        JsonRead_EnterElement(read, index);
        const RpNResMember *member = &assembly->archive.members[index];
        uint8_t *record = image + directory + (size_t)index * RP_NRES_RECORD_BYTES;
        uint32_t offset = 0, bytes = 0, sort_index = 0;
        TakeAttribute(assembly, item, "offset", &offset);
        TakeAttribute(assembly, item, "size", &bytes);
        TakeAttribute(assembly, item, "sort_index", &sort_index);

        /* Payloads that overlap are written in the order of the directory. Unless something is
         * damaged, they agree where they overlap. */
        const bool inside =
            offset >= RP_NRES_HEADER_BYTES && offset <= directory && bytes <= directory - offset;
        if (inside && bytes != member->size)
            Refuse(assembly, "the stream has not the size that the layout gives it",
                   "the same size, or a dump without \"layout\"", item);
        else if (inside && bytes > 0)
            memcpy(image + offset, member->data, bytes);
        Bytes_PutU32(record + NRES_AT_TYPE, member->type);
        Bytes_PutU32(record + NRES_AT_ATTR1, member->attr1);
        Bytes_PutU32(record + NRES_AT_ATTR2, member->attr2);
        Bytes_PutU32(record + NRES_AT_SIZE, bytes);
        Bytes_PutU32(record + NRES_AT_ATTR3, member->attr3);
        memcpy(record + NRES_AT_NAME, member->name, RP_NRES_NAME_BYTES);
        Bytes_PutU32(record + NRES_AT_DATA_OFFSET, offset);
        Bytes_PutU32(record + NRES_AT_SORT_INDEX, sort_index);
        JsonRead_Leave(read, place);
    }
}

/* ---- all ------------------------------------------------------------------------------------- */

static void WriteImage(Assembly *assembly, const cJSON *root, RpBuffer *image) {
    static const char format[] = "retropose msh dump 1";
    JsonRead *read = &assembly->read;
    const cJSON *stated = Member(root, "format"), *layout = Member(root, "layout");
    const cJSON *list = Member(root, "streams");
    const uint32_t count = (uint32_t)cJSON_GetArraySize(list);
    uint32_t index = 0;
    if (!cJSON_IsString(stated) || strcmp(stated->valuestring, format) != 0)
        Refuse(assembly, "this is no dump of a model", format, stated);
    if (!cJSON_IsArray(list))
        Refuse(assembly, "the dump has no streams", "a list", list);
    if (read->status)
        return;

    /* Makes room for `count` members and their payloads. */
    if (count != 0) {
        const size_t members = (size_t)count * sizeof *assembly->archive.members;
        const size_t payloads = (size_t)count * sizeof *assembly->payloads;
        assembly->archive.members = RpMemory_Resize(assembly->allocator, NULL, members);
        assembly->payloads = RpMemory_Resize(assembly->allocator, NULL, payloads);
        if (!assembly->archive.members || !assembly->payloads) {
            RefuseMemory(assembly);
            return;
        }
        memset(assembly->archive.members, 0, members);
        memset(assembly->payloads, 0, payloads);
        assembly->archive.count = assembly->archive.capacity = count;
    }
    for (uint32_t i = 0; i < count; i++)
        RpBuffer_Init(&assembly->payloads[i], assembly->allocator);
    for (const cJSON *item = list->child; item && !read->status; item = item->next, index++) {
        const size_t place = JsonRead_Enter(read, "streams");
        JsonRead_EnterElement(read, index);
        TakeStream(assembly, item, index);
        JsonRead_Leave(read, place);
    }
    if (read->status)
        return;
    if (layout)
        WriteLayout(assembly, layout, image);
    else
        read->status =
            RpNResArchive_Write(&assembly->archive, RP_NRES_CANONICAL, image, read->error);
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
    WriteImage(&assembly, root, image);
    for (uint32_t i = 0; i < assembly.archive.count; i++)
        RpBuffer_Free(&assembly.payloads[i]);
    RpMemory_Free(assembly.allocator, assembly.payloads);
    RpMemory_Free(assembly.allocator, assembly.archive.members);
    cJSON_Delete(root);
    return assembly.read.status;
}
