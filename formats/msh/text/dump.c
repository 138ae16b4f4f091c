/* Writes every byte of an archive as readable JSON, one record in a line. */
#include "retropose/msh_text.h"

#include "core/bytes.h"
#include "core/json/json_text.h"
#include "core/text/number_text.h"
#include "formats/msh/read/streams.h"
#include "formats/msh/text/fields.h"

#include <inttypes.h>
#include <string.h>

typedef struct Dump {
    const RpNRes *archive;
    RpBuffer *text;
    uint32_t node_stride;
} Dump;

/* ---- records --------------------------------------------------------------------------------- */

/* A record is written into room for the longest one of its kind, which most of them are far from.
 * The writing functions return where they end. */
static size_t MostText(const MshRecord *kind) {
    size_t most = sizeof ",\n   {}";
    for (uint32_t i = 0; i < kind->field_count; i++) {
        const MshField *field = &kind->fields[i];
        const bool whole = field->kind == MSH_FIELD_TEXT || field->kind == MSH_FIELD_HEX;
        most += field->label_length + sizeof ", []" + NUMBER_TEXT_BYTES * (size_t)field->count;
        most += whole ? MSH_FIELD_MOST_TEXT : 0;
    }
    return most;
}

static char *WriteText(char *at, const char *text, size_t length) {
    memcpy(at, text, length);
    return at + length;
}

static char *WriteField(char *at, const MshField *field, const uint8_t *record) {
    if (field->count == 1 || field->kind == MSH_FIELD_TEXT || field->kind == MSH_FIELD_HEX)
        return at + MshField_Format(field, record, 0, at);
    for (uint32_t i = 0; i < field->count; i++) {
        at = i ? WriteText(at, ", ", 2) : WriteText(at, "[", 1);
        at += MshField_Format(field, record, i, at);
    }
    return WriteText(at, "]", 1);
}

static char *WriteRecord(char *at, const MshRecord *kind, const uint8_t *record) {
    if (!kind->fields[0].name)
        return WriteField(at, &kind->fields[0], record);
    for (uint32_t i = 0; i < kind->field_count; i++) {
        const MshField *field = &kind->fields[i];
        at = i ? WriteText(at, ", ", 2) : WriteText(at, "{", 1);
        at = WriteText(at, field->label, field->label_length);
        at = WriteField(at, field, record);
    }
    return WriteText(at, "}", 1);
}

/* Takes back the room that was not needed. */
static void Cut(Dump *dump, const char *end) {
    dump->text->size = (size_t)((const uint8_t *)end - dump->text->bytes);
}

static void DumpRecord(Dump *dump, const MshRecord *kind, const uint8_t *record) {
    char *at = (char *)RpBuffer_Extend(dump->text, MostText(kind));
    if (at)
        Cut(dump, WriteRecord(at, kind, record));
}

static void DumpRecords(Dump *dump, const MshRecord *kind, const uint8_t *data, uint32_t count) {
    const size_t most = MostText(kind);
    RpBuffer_AppendText(dump->text, "[");
    for (uint32_t i = 0; i < count; i++) {
        char *at = (char *)RpBuffer_Extend(dump->text, most);
        if (!at)
            return;
        at = WriteText(at, ",", i ? 1 : 0);
        at = i % kind->row == 0 ? WriteText(at, "\n   ", 4) : WriteText(at, " ", 1);
        Cut(dump, WriteRecord(at, kind, data + (size_t)i * kind->size));
    }
    RpBuffer_AppendText(dump->text, "]");
}

/* Writes elements as lines of hexadecimal digits. */
static void DumpLines(Dump *dump, const uint8_t *data, size_t size, size_t line) {
    RpBuffer_AppendText(dump->text, "[");
    for (size_t at = 0; at < size; at += line) {
        RpBuffer_AppendText(dump->text, at ? ",\n   " : "\n   ");
        JsonText_Hex(dump->text, data + at, size - at < line ? size - at : line);
    }
    RpBuffer_AppendText(dump->text, "]");
}

/* ---- streams --------------------------------------------------------------------------------- */

static void DumpTail(Dump *dump, const uint8_t *data, uint32_t size, uint32_t used) {
    if (used == size)
        return;
    RpBuffer_AppendText(dump->text, ",\n   \"tail\": ");
    JsonText_Hex(dump->text, data + used, size - used);
}

/* Leaves out attributes that follow from the type. */
static void DumpAttributes(Dump *dump, const RpNResEntry *entry, uint32_t count) {
    const MshAttributes usual = MshAttributes_Usual(entry->type, count, dump->node_stride);
    if (entry->attr1 != usual.attr1)
        RpBuffer_Print(dump->text, ", \"attr1\": %" PRIu32, entry->attr1);
    if (entry->attr2 != usual.attr2)
        RpBuffer_Print(dump->text, ", \"attr2\": %" PRIu32, entry->attr2);
    if (entry->attr3 != usual.attr3)
        RpBuffer_Print(dump->text, ", \"attr3\": %" PRIu32, entry->attr3);
}

static void DumpTyped(Dump *dump, const RpNResEntry *entry, const MshRecord *kind) {
    uint32_t header = entry->type == RP_MSH_SLOTS ? RP_MSH_HEADER_BYTES : 0;
    uint32_t count = (entry->size - header) / kind->size;
    DumpAttributes(dump, entry, count);
    if (header) {
        RpBuffer_AppendText(dump->text, ",\n   \"header\": ");
        DumpRecord(dump, &msh_header_record, entry->data);
    }
    RpBuffer_Print(dump->text, ", \"%s\": ", RpMsh_StreamName(entry->type));
    DumpRecords(dump, kind, entry->data + header, count);
    DumpTail(dump, entry->data, entry->size, header + count * kind->size);
}

static bool IsPlain(const uint8_t *text, uint32_t length) {
    for (uint32_t i = 0; i < length; i++)
        if (text[i] < ' ' || text[i] >= 0x7F || text[i] == '"' || text[i] == '\\')
            return false;
    return true;
}

static void DumpLabel(Dump *dump, const uint8_t *text, uint32_t length) {
    if (IsPlain(text, length)) {
        RpBuffer_AppendText(dump->text, "\"");
        RpBuffer_Append(dump->text, text, length);
        RpBuffer_AppendText(dump->text, "\"");
        return;
    }
    RpBuffer_AppendText(dump->text, "{\"hex\": ");
    JsonText_Hex(dump->text, text, length);
    RpBuffer_AppendText(dump->text, "}");
}

static void DumpLabels(Dump *dump, const RpNResEntry *entry) {
    const RpMshStream stream = Msh_LabelsOf(entry);
    RpMshTexts texts = {.stream = &stream, .type = RP_MSH_LABELS};
    DumpAttributes(dump, entry, stream.count);
    RpBuffer_AppendText(dump->text, ", \"labels\": [");
    const char *text = NULL;
    uint32_t length = 0, at = 0;
    while (RpMshTexts_Next(&texts, &text, &length)) {
        RpBuffer_AppendText(dump->text, texts.node > 1 ? ",\n   " : "\n   ");
        DumpLabel(dump, entry->data + at + 4, Bytes_U32(entry->data + at));
        at = texts.offset;
    }
    RpBuffer_AppendText(dump->text, "]");
    DumpTail(dump, entry->data, entry->size, at);
}

static bool IsWholePathGraph(const RpNResEntry *entry) {
    return (uint64_t)entry->attr1 * RP_MSH_PATH_VERTEX_BYTES +
               (uint64_t)entry->attr2 * RP_MSH_PATH_LINK_BYTES ==
           entry->size;
}

static void DumpPaths(Dump *dump, const RpNResEntry *entry) {
    uint32_t vertices = entry->attr1 * RP_MSH_PATH_VERTEX_BYTES;
    if (entry->attr3 != 0)
        RpBuffer_Print(dump->text, ", \"attr3\": %" PRIu32, entry->attr3);
    RpBuffer_AppendText(dump->text, ", \"vertices\": ");
    DumpLines(dump, entry->data, vertices, RP_MSH_PATH_VERTEX_BYTES);
    RpBuffer_AppendText(dump->text, ",\n   \"links\": ");
    DumpLines(dump, entry->data + vertices, entry->size - vertices, RP_MSH_PATH_LINK_BYTES);
}

static void DumpOpaque(Dump *dump, const RpNResEntry *entry) {
    DumpAttributes(dump, entry, 0);
    RpBuffer_AppendText(dump->text, ", \"data\": ");
    DumpLines(dump, entry->data, entry->size, 32);
}

static void DumpPayload(Dump *dump, const RpNResEntry *entry) {
    const MshRecord *kind = MshRecord_Of(entry->type, dump->node_stride);
    uint32_t header = entry->type == RP_MSH_SLOTS ? RP_MSH_HEADER_BYTES : 0;
    if (!entry->data) {
        DumpAttributes(dump, entry, 0);
        RpBuffer_AppendText(dump->text, ", \"lost\": true");
    } else if (kind && entry->size >= header) {
        DumpTyped(dump, entry, kind);
    } else if (entry->type == RP_MSH_LABELS) {
        DumpLabels(dump, entry);
    } else if (entry->type == RP_MSH_PATHS && IsWholePathGraph(entry)) {
        DumpPaths(dump, entry);
    } else {
        DumpOpaque(dump, entry);
    }
}

static void DumpName(Dump *dump, const RpNResEntry *entry) {
    const uint8_t *name = (const uint8_t *)entry->name;
    bool plain = entry->name_length < RP_NRES_NAME_BYTES && IsPlain(name, entry->name_length);
    for (uint32_t i = entry->name_length; i < RP_NRES_NAME_BYTES; i++)
        plain &= name[i] == 0;
    if (plain) {
        RpBuffer_Print(dump->text, ", \"name\": \"%.*s\"", (int)entry->name_length, entry->name);
        return;
    }
    RpBuffer_AppendText(dump->text, ", \"name\": {\"hex\": ");
    JsonText_Hex(dump->text, name, RP_NRES_NAME_BYTES);
    RpBuffer_AppendText(dump->text, "}");
}

static void DumpStreams(Dump *dump) {
    RpBuffer_AppendText(dump->text, "\"streams\": [");
    for (uint32_t i = 0; i < dump->archive->count; i++) {
        RpNResEntry entry = RpNRes_Entry(dump->archive, i);
        RpBuffer_Print(dump->text, "%s\n  {\"type\": %" PRIu32, i ? "," : "", entry.type);
        dump->node_stride = entry.type == RP_MSH_NODES && entry.attr3 == RP_MSH_LEGACY_NODE_BYTES
                                ? RP_MSH_LEGACY_NODE_BYTES
                                : RP_MSH_NODE_BYTES;
        if (dump->node_stride == RP_MSH_LEGACY_NODE_BYTES)
            RpBuffer_Print(dump->text, ", \"stride\": %d", RP_MSH_LEGACY_NODE_BYTES);
        DumpName(dump, &entry);
        DumpPayload(dump, &entry);
        RpBuffer_AppendText(dump->text, "}");
    }
    RpBuffer_AppendText(dump->text, "]");
}

/* ---- layout ---------------------------------------------------------------------------------- */

/* Returns whether writing the members anew gives the image. */
static RpStatus IsCanonical(const RpNRes *archive, const RpAllocator *allocator, bool *canonical) {
    RpNResArchive members;
    RpBuffer image;
    RpNResArchive_Init(&members, allocator);
    RpBuffer_Init(&image, allocator);
    RpStatus status = RpNResArchive_Read(&members, archive, NULL);
    if (status == RP_OK)
        status = RpNResArchive_Write(&members, RP_NRES_CANONICAL, &image, NULL);
    *canonical = status == RP_OK && image.size == archive->size &&
                 memcmp(image.bytes, archive->image, image.size) == 0;
    RpBuffer_Free(&image);
    RpNResArchive_Free(&members);
    return status == RP_NO_MEMORY ? status : RP_OK;
}

/* Marks the bytes of header, payloads and directory. */
static void MarkUsed(const RpNRes *archive, uint8_t *used) {
    memset(used, 1, RP_NRES_HEADER_BYTES);
    memset(used + archive->directory_offset, 1, archive->size - archive->directory_offset);
    for (uint32_t i = 0; i < archive->count; i++) {
        RpNResEntry entry = RpNRes_Entry(archive, i);
        if (entry.data)
            memset(used + entry.data_offset, 1, entry.size);
    }
}

/* Writes every other byte that is not zero, in runs. */
static void DumpRest(Dump *dump, const uint8_t *used) {
    const RpNRes *archive = dump->archive;
    const char *before = "\n    ";
    for (uint32_t at = 0; at < archive->size; at++) {
        if (used[at] || archive->image[at] == 0)
            continue;
        uint32_t end = at;
        while (end < archive->size && !used[end] && end - at < 0x10000)
            end++;
        RpBuffer_Print(dump->text, "%s{\"at\": %" PRIu32 ", \"hex\": ", before, at);
        JsonText_Hex(dump->text, archive->image + at, end - at);
        RpBuffer_AppendText(dump->text, "}");
        before = ",\n    ";
        at = end - 1;
    }
}

static RpStatus DumpLayout(Dump *dump, RpError *error) {
    const RpNRes *archive = dump->archive;
    uint8_t *used = RpMemory_Resize(dump->text->allocator, NULL, archive->size);
    if (!used)
        return RpMemory_Refused(error, "the layout of a dump");
    memset(used, 0, archive->size);
    MarkUsed(archive, used);
    RpBuffer_Print(dump->text,
                   ",\n\"layout\": {\"size\": %" PRIu32 ", \"header\": ", archive->size);
    JsonText_Hex(dump->text, archive->image, RP_NRES_HEADER_BYTES);
    RpBuffer_AppendText(dump->text, ",\n  \"entries\": [");
    for (uint32_t i = 0; i < archive->count; i++) {
        RpNResEntry entry = RpNRes_Entry(archive, i);
        RpBuffer_Print(dump->text,
                       "%s\n    {\"offset\": %" PRIu32 ", \"size\": %" PRIu32
                       ", \"sort_index\": %" PRIu32 "}",
                       i ? "," : "", entry.data_offset, entry.size, entry.sort_index);
    }
    RpBuffer_AppendText(dump->text, "],\n  \"rest\": [");
    DumpRest(dump, used);
    RpBuffer_AppendText(dump->text, "]}");
    RpMemory_Free(dump->text->allocator, used);
    return RP_OK;
}

/* Payloads that overlap again and again would make a text of any length. */
static RpStatus CheckSum(const RpNRes *archive, RpError *error) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < archive->count; i++) {
        RpNResEntry entry = RpNRes_Entry(archive, i);
        sum += entry.data ? entry.size : 0;
    }
    if (sum <= 4 * (uint64_t)archive->size)
        return RP_OK;
    return RpError_Set(error, RP_UNSUPPORTED, archive->directory_offset,
                       "payloads overlap too often for a dump", "directory",
                       "at most four times the file in all", "");
}

RpStatus RpMsh_Dump(const RpNRes *archive, RpBuffer *text, RpError *error) {
    Dump dump = {.archive = archive, .text = text};
    bool canonical = false;
    RpStatus status = CheckSum(archive, error);
    if (status != RP_OK)
        return status;
    status = IsCanonical(archive, text->allocator, &canonical);
    if (status != RP_OK)
        return RpMemory_Refused(error, "a dump");
    RpBuffer_AppendText(text, "{\"format\": \"retropose msh dump 1\",\n");
    DumpStreams(&dump);
    if (!canonical)
        status = DumpLayout(&dump, error);
    RpBuffer_AppendText(text, "}\n");
    if (status == RP_OK && text->failed)
        status = RpMemory_Refused(error, "a dump");
    return status;
}
