/* Writes every byte of an archive as readable JSON, one record in a line. */
#include "formats/msh/text/dump.h"

#include "core/bytes.h"
#include "core/json/json_text.h"
#include "core/text/encoding.h"
#include "formats/msh/read/find_streams.h"
#include "formats/msh/text/fields.h"
#include "formats/nres/canonical.h"
#include "ngi32/processor/modes.h"

#include <inttypes.h>
#include <string.h>

typedef struct Dump {
    const RpNRes *archive;
    RpBuffer *text;
    uint32_t node_stride;
    /* null: all of the text is kept */
    MshDumpTake take;
    void *context;
    RpStatus status; /* status of `take` */
    RpError *error;
} Dump;

/* ---- pieces ---------------------------------------------------------------------------------- */

/* Files are written fastest in large pieces of whole pages. */
enum { PIECE_BYTES = 1 << 16, PAGE_BYTES = 4096 };

static void HandOver(Dump *dump, size_t size) {
    RpBuffer *text = dump->text;
    if (dump->status == RP_OK && !text->failed)
        dump->status = dump->take(dump->context, text->bytes, size, dump->error);
    text->size -= size;
    memmove(text->bytes, text->bytes + size, text->size);
}

/* Passes on the text so far, if `take` is set and there is enough for a piece. */
static void HandOverPages(Dump *dump) {
    if (dump->take && dump->text->size >= PIECE_BYTES)
        HandOver(dump, dump->text->size / PAGE_BYTES * PAGE_BYTES);
}

/* ---- records --------------------------------------------------------------------------------- */

/* Several values are separated by commas and enclosed in brackets. */
static void DumpField(Dump *dump, const MshField *field, const uint8_t *record) {
    const bool is_whole = field->kind == MSH_FIELD_TEXT || field->kind == MSH_FIELD_HEX;
    const uint32_t count = is_whole ? 1 : field->count;
    for (uint32_t i = 0; i < count; i++) {
        char value[MSH_FIELD_MOST_TEXT];
        MshField_Format(field, record, i, value);
        RpBuffer_AppendText(dump->text, i > 0 ? ", " : count > 1 ? "[" : "");
        RpBuffer_AppendText(dump->text, value);
    }
    RpBuffer_AppendText(dump->text, count > 1 ? "]" : "");
}

static void DumpRecord(Dump *dump, const MshRecord *kind, const uint8_t *record) {
    if (!kind->fields[0].name) {
        DumpField(dump, &kind->fields[0], record);
        return;
    }
    for (uint32_t i = 0; i < kind->field_count; i++) {
        RpBuffer_AppendText(dump->text, i > 0 ? ", \"" : "{\"");
        RpBuffer_AppendText(dump->text, kind->fields[i].name);
        RpBuffer_AppendText(dump->text, "\": ");
        DumpField(dump, &kind->fields[i], record);
    }
    RpBuffer_AppendText(dump->text, "}");
}

/* Writes elements as lines of hexadecimal digits. */
static void DumpLines(Dump *dump, const uint8_t *data, size_t size, size_t line) {
    RpBuffer_AppendText(dump->text, "[");
    for (size_t at = 0; at < size; at += line) {
        RpBuffer_AppendText(dump->text, at ? ",\n   " : "\n   ");
        JsonText_Hex(dump->text, data + at, size - at < line ? size - at : line);
        HandOverPages(dump);
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

/* Appends a text that MshText_IsPlain. */
static void DumpText(Dump *dump, const uint8_t *bytes, size_t size) {
    RpBuffer_AppendText(dump->text, "\"");
    char *text = (char *)RpBuffer_Extend(dump->text, 3 * size + 1);
    if (!text)
        return;
    Text1251_ToUtf8((const char *)bytes, size, text);
    dump->text->size -= 3 * size + 1 - strlen(text);
    RpBuffer_AppendText(dump->text, "\"");
}

static void DumpLabel(Dump *dump, const uint8_t *text, uint32_t length) {
    if (MshText_IsPlain(text, length)) {
        DumpText(dump, text, length);
        return;
    }
    RpBuffer_AppendText(dump->text, "{\"hex\": ");
    JsonText_Hex(dump->text, text, length);
    RpBuffer_AppendText(dump->text, "}");
}

static void DumpPayload(Dump *dump, const RpNResEntry *entry) {
    const MshRecord *kind = MshRecord_Of(entry->type, dump->node_stride);
    uint32_t header = entry->type == RP_MSH_SLOTS ? RP_MSH_HEADER_BYTES : 0;
    if (!entry->data) {
        DumpAttributes(dump, entry, 0);
        RpBuffer_AppendText(dump->text, ", \"lost\": true");
    } else if (kind && entry->size >= header) {
        uint32_t count = (entry->size - header) / kind->size;
        DumpAttributes(dump, entry, count);
        if (header) {
            RpBuffer_AppendText(dump->text, ",\n   \"header\": ");
            DumpRecord(dump, &msh_header_record, entry->data);
        }
        RpBuffer_Print(dump->text, ", \"%s\": ", RpMsh_StreamName(entry->type));

        const uint8_t *data = entry->data + header;
        RpBuffer_AppendText(dump->text, "[");
        for (uint32_t i = 0; i < count; i++) {
            RpBuffer_AppendText(dump->text, i > 0 ? "," : "");
            RpBuffer_AppendText(dump->text, i % kind->row == 0 ? "\n   " : " ");
            DumpRecord(dump, kind, data + (size_t)i * kind->size);
            HandOverPages(dump);
        }
        RpBuffer_AppendText(dump->text, "]");

        DumpTail(dump, entry->data, entry->size, header + count * kind->size);
    } else if (entry->type == RP_MSH_LABELS) {
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
    } else if (entry->type == RP_MSH_PATHS &&
               (uint64_t)entry->attr1 * RP_MSH_PATH_VERTEX_BYTES +
                       (uint64_t)entry->attr2 * RP_MSH_PATH_LINK_BYTES ==
                   entry->size) {
        uint32_t vertices = entry->attr1 * RP_MSH_PATH_VERTEX_BYTES;
        if (entry->attr3 != 0)
            RpBuffer_Print(dump->text, ", \"attr3\": %" PRIu32, entry->attr3);
        RpBuffer_AppendText(dump->text, ", \"vertices\": ");
        DumpLines(dump, entry->data, vertices, RP_MSH_PATH_VERTEX_BYTES);
        RpBuffer_AppendText(dump->text, ",\n   \"links\": ");
        DumpLines(dump, entry->data + vertices, entry->size - vertices, RP_MSH_PATH_LINK_BYTES);
    } else {
        DumpAttributes(dump, entry, 0);
        RpBuffer_AppendText(dump->text, ", \"data\": ");
        DumpLines(dump, entry->data, entry->size, 32);
    }
}

/* ---- layout ---------------------------------------------------------------------------------- */

static RpStatus DumpLayout(Dump *dump, RpError *error) {
    const RpNRes *archive = dump->archive;
    uint8_t *used = RpMemory_Resize(dump->text->allocator, NULL, archive->size);
    if (!used)
        return RpMemory_Refused(error, "the layout of a dump");
    memset(used, 0, archive->size);

    /* Marks the bytes of header, payloads and directory. */
    memset(used, 1, RP_NRES_HEADER_BYTES);
    memset(used + archive->directory_offset, 1, archive->size - archive->directory_offset);
    for (uint32_t i = 0; i < archive->count; i++) {
        RpNResEntry entry = RpNRes_Entry(archive, i);
        if (entry.data)
            memset(used + entry.data_offset, 1, entry.size);
    }
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

    /* Writes all unmarked bytes that are not zero, in runs. */
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
        HandOverPages(dump);
        before = ",\n    ";
        at = end - 1;
    }
    RpBuffer_AppendText(dump->text, "]}");
    RpMemory_Free(dump->text->allocator, used);
    return RP_OK;
}

static RpStatus DumpAll(Dump *dump, RpError *error) {
    bool canonical = false;

    /* The text of payloads that overlap many times could become arbitrarily long. */
    const RpNRes *archive = dump->archive;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < archive->count; i++) {
        RpNResEntry entry = RpNRes_Entry(archive, i);
        sum += entry.data ? entry.size : 0;
    }
    if (sum > 4 * (uint64_t)archive->size)
        return RpError_Set(error, RP_UNSUPPORTED, archive->directory_offset,
                           "payloads overlap too often for a dump", "directory",
                           "at most four times the file in all", "");

    RpStatus status = NRes_IsCanonical(dump->archive, dump->text->allocator, &canonical);
    if (status != RP_OK)
        return RpMemory_Refused(error, "a dump");
    RpBuffer_AppendText(dump->text, "{\"format\": \"retropose msh dump 1\",\n");
    RpBuffer_AppendText(dump->text, "\"streams\": [");
    for (uint32_t i = 0; i < dump->archive->count; i++) {
        RpNResEntry entry = RpNRes_Entry(dump->archive, i);
        RpBuffer_Print(dump->text, "%s\n  {\"type\": %" PRIu32, i ? "," : "", entry.type);
        dump->node_stride = entry.type == RP_MSH_NODES && entry.attr3 == RP_MSH_LEGACY_NODE_BYTES
                                ? RP_MSH_LEGACY_NODE_BYTES
                                : RP_MSH_NODE_BYTES;
        if (dump->node_stride == RP_MSH_LEGACY_NODE_BYTES)
            RpBuffer_Print(dump->text, ", \"stride\": %d", RP_MSH_LEGACY_NODE_BYTES);
        const uint8_t *name = (const uint8_t *)entry.name;
        bool plain =
            entry.name_length < RP_NRES_NAME_BYTES && MshText_IsPlain(name, entry.name_length);
        for (uint32_t k = entry.name_length; k < RP_NRES_NAME_BYTES; k++)
            plain &= name[k] == 0;
        if (plain) {
            RpBuffer_AppendText(dump->text, ", \"name\": ");
            DumpText(dump, name, entry.name_length);
        } else {
            RpBuffer_AppendText(dump->text, ", \"name\": {\"hex\": ");
            JsonText_Hex(dump->text, name, RP_NRES_NAME_BYTES);
            RpBuffer_AppendText(dump->text, "}");
        }
        DumpPayload(dump, &entry);
        RpBuffer_AppendText(dump->text, "}");
    }
    RpBuffer_AppendText(dump->text, "]");
    if (!canonical)
        status = DumpLayout(dump, error);
    RpBuffer_AppendText(dump->text, "}\n");
    if (status == RP_OK && dump->text->failed)
        status = RpMemory_Refused(error, "a dump");
    return status;
}

RpStatus RpMsh_Dump(const RpNRes *archive, RpBuffer *text, RpError *error) {
    MODES_OF_C();
    Dump dump = {.archive = archive, .text = text, .error = error};
    return DumpAll(&dump, error);
}

RpStatus MshDump_Write(const RpNRes *archive, MshDumpTake take, void *context, RpError *error) {
    RpBuffer text;
    Dump dump = {
        .archive = archive, .text = &text, .take = take, .context = context, .error = error};
    RpBuffer_Init(&text, NULL);
    const RpStatus status = DumpAll(&dump, error);
    if (status == RP_OK)
        HandOver(&dump, text.size);
    RpBuffer_Free(&text);
    return status == RP_OK ? dump.status : status;
}
