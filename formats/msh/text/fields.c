#include "formats/msh/text/fields.h"

#include "animesh/records.h"
#include "core/bytes.h"
#include "core/hex.h"
#include "core/text/encoding.h"
#include "core/text/view_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- tables ---------------------------------------------------------------------------------- */

/* How a dump shows the types of animesh/records.h. */
enum {
    KIND_u8 = MSH_FIELD_U8,
    KIND_i8 = MSH_FIELD_I8,
    KIND_u16 = MSH_FIELD_U16,
    KIND_index = MSH_FIELD_INDEX,
    KIND_i16 = MSH_FIELD_I16,
    KIND_u32 = MSH_FIELD_U32,
    KIND_i32 = MSH_FIELD_I32,
    KIND_f32 = MSH_FIELD_FLOAT,
    KIND_text = MSH_FIELD_TEXT,
    KIND_hex = MSH_FIELD_HEX
};

#define FIELD(offset, type, count, name) {#name, (MshFieldKind)KIND_##type, offset, count},
/* The only field of its record. A dump shows it without its name. */
#define ALONE(offset, type, count, name) {NULL, (MshFieldKind)KIND_##type, offset, count},

static const MshField node_fields[] = {STORED_NODE(FIELD)};
static const MshField legacy_fields[] = {STORED_LEGACY_NODE(ALONE)};
static const MshField header_fields[] = {STORED_HEADER(FIELD)};
static const MshField slot_fields[] = {STORED_SLOT(FIELD)};
static const MshField position_fields[] = {STORED_POSITION(ALONE)};
static const MshField normal_fields[] = {STORED_NORMAL(ALONE)};
static const MshField uv_fields[] = {STORED_UV(ALONE)};
static const MshField index_fields[] = {STORED_INDEX(ALONE)};
static const MshField map_fields[] = {STORED_MAP_WORD(ALONE)};
static const MshField triangle_fields[] = {STORED_TRIANGLE(FIELD)};
static const MshField key_fields[] = {STORED_KEY(FIELD)};
static const MshField name_fields[] = {STORED_NAME(ALONE)};
static const MshField batch_fields[] = {STORED_BATCH(FIELD)};
static const MshField res15_fields[] = {STORED_RES_15(ALONE)};
/* A dump shows the two halves of this record as one field. */
static const MshField res16_fields[] = {{NULL, MSH_FIELD_HEX, 0, RES_16_BYTES}};
static const MshField probe_fields[] = {STORED_PROBE(FIELD)};

#define FIELDS(table) table, sizeof table / sizeof *table
static const MshRecord records[RP_MSH_TYPE_LIMIT] = {
    [RP_MSH_NODES] = {FIELDS(node_fields), RP_MSH_NODE_BYTES, 1},
    [RP_MSH_SLOTS] = {FIELDS(slot_fields), RP_MSH_SLOT_BYTES, 1},
    [RP_MSH_POSITIONS] = {FIELDS(position_fields), POSITION_BYTES, 1},
    [RP_MSH_NORMALS] = {FIELDS(normal_fields), NORMAL_BYTES, 1},
    [RP_MSH_UV0] = {FIELDS(uv_fields), UV_BYTES, 1},
    [RP_MSH_INDICES] = {FIELDS(index_fields), INDEX_BYTES, 3},
    [RP_MSH_TRIANGLES] = {FIELDS(triangle_fields), RP_MSH_TRIANGLE_BYTES, 1},
    [RP_MSH_KEYS] = {FIELDS(key_fields), RP_MSH_KEY_BYTES, 1},
    [RP_MSH_NAMES] = {FIELDS(name_fields), RP_MSH_NAME_BYTES, 1},
    [RP_MSH_BATCHES] = {FIELDS(batch_fields), RP_MSH_BATCH_BYTES, 1},
    [RP_MSH_RES15] = {FIELDS(res15_fields), RES_15_BYTES, 1},
    [RP_MSH_RES16] = {FIELDS(res16_fields), RES_16_BYTES, 1},
    [RP_MSH_UV1] = {FIELDS(uv_fields), UV_BYTES, 1},
    [RP_MSH_FRAME_MAP] = {FIELDS(map_fields), MAP_WORD_BYTES, 16},
    [RP_MSH_PROBES] = {FIELDS(probe_fields), RP_MSH_PROBE_BYTES, 1},
};
static const MshRecord legacy_record = {FIELDS(legacy_fields), RP_MSH_LEGACY_NODE_BYTES, 1};
const MshRecord msh_header_record = {FIELDS(header_fields), RP_MSH_HEADER_BYTES, 1};

const MshRecord *MshRecord_Of(uint32_t type, uint32_t node_stride) {
    if (type >= RP_MSH_TYPE_LIMIT || !records[type].fields)
        return NULL;
    if (type == RP_MSH_NODES && node_stride == RP_MSH_LEGACY_NODE_BYTES)
        return &legacy_record;
    return &records[type];
}

/* ---- values ---------------------------------------------------------------------------------- */

uint32_t MshField_Size(MshFieldKind kind) {
    switch (kind) {
    case MSH_FIELD_U16:
    case MSH_FIELD_INDEX:
    case MSH_FIELD_I16:
        return 2;
    case MSH_FIELD_U32:
    case MSH_FIELD_I32:
    case MSH_FIELD_FLOAT:
        return 4;
    default:
        return 1;
    }
}

static int64_t SignExtend(uint32_t value, uint32_t sign) {
    return (int64_t)(value ^ sign) - (int64_t)sign;
}

/* Returns a value as a number. This works for every kind except text and hex. The number of a float
 * consists of its bits. */
static int64_t Get(MshFieldKind kind, const uint8_t *at) {
    switch (kind) {
    case MSH_FIELD_I8:
        return SignExtend(at[0], 0x80);
    case MSH_FIELD_U16:
    case MSH_FIELD_INDEX:
        return Bytes_U16(at);
    case MSH_FIELD_I16:
        return SignExtend(Bytes_U16(at), 0x8000);
    case MSH_FIELD_U32:
    case MSH_FIELD_FLOAT:
        return Bytes_U32(at);
    case MSH_FIELD_I32:
        return SignExtend(Bytes_U32(at), UINT32_C(0x80000000));
    default:
        return at[0];
    }
}

void MshField_Put(const MshField *field, uint8_t *record, uint32_t index, int64_t value) {
    uint32_t size = MshField_Size(field->kind);
    uint8_t *at = record + field->offset + (size_t)index * size;
    for (uint32_t i = 0; i < size; i++)
        at[i] = (uint8_t)((uint64_t)value >> 8 * i);
}

static size_t CopyText(char *text, const char *copied) {
    const size_t length = strlen(copied);
    memcpy(text, copied, length + 1);
    return length;
}

static size_t FormatHex(const uint8_t *bytes, uint32_t count, char *text) {
    const size_t length = 2 * (size_t)count;
    text[0] = '"';
    Hex_Write(bytes, count, text + 1);
    return length + 1 + CopyText(text + 1 + length, "\"");
}

bool MshText_IsPlain(const uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (bytes[i] < ' ' || bytes[i] == 0x7F || bytes[i] == 0x98 || bytes[i] == '"' ||
            bytes[i] == '\\')
            return false;
    return true;
}

void MshField_Format(const MshField *field, const uint8_t *record, uint32_t index, char *text) {
    const uint8_t *at = record + field->offset;
    if (field->kind == MSH_FIELD_TEXT) {
        /* Text that JSON can show is written as it is; other bytes are written in hexadecimal, with
         * a mark that no text has. */
        const uint32_t count = field->count;
        uint32_t length = count;
        while (length > 0 && at[length - 1] == 0)
            length--;
        char utf8[3 * RP_MSH_NAME_BYTES + 1];
        Text1251_ToUtf8((const char *)at, length, utf8);
        const size_t end = strlen(utf8);
        if (!MshText_IsPlain(at, length) || end + sizeof "\"\"" > MSH_FIELD_MOST_TEXT) {
            const size_t mark = CopyText(text, "{\"hex\": ");
            const size_t whole = mark + FormatHex(at, count, text + mark);
            CopyText(text + whole, "}");
        } else {
            text[0] = '"';
            memcpy(text + 1, utf8, end);
            CopyText(text + 1 + end, "\"");
        }
    } else if (field->kind == MSH_FIELD_HEX) {
        FormatHex(at, field->count, text);
    } else {
        const int64_t value = Get(field->kind, at + (size_t)index * MshField_Size(field->kind));
        if (field->kind == MSH_FIELD_FLOAT) {
            const uint32_t bits = (uint32_t)value;
            float number;
            memcpy(&number, &bits, sizeof number);
            if ((bits & 0x7F800000u) == 0x7F800000u)
                snprintf(text, MSH_FIELD_MOST_TEXT, "\"0x%08" PRIX32 "\"", bits);
            else
                ViewText_Digits((double)number, text);
        } else if (field->kind == MSH_FIELD_INDEX && value == RP_MSH_NONE) {
            CopyText(text, "null");
        } else {
            snprintf(text, MSH_FIELD_MOST_TEXT, "%" PRId64, value);
        }
    }
}

/* ---- attributes ------------------------------------------------------------------------------ */

MshAttributes MshAttributes_Usual(uint32_t type, uint32_t count, uint32_t node_stride) {
    const MshRecord *record = MshRecord_Of(type, node_stride);
    MshAttributes usual = {.attr1 = count, .attr3 = record ? record->size : 0};
    if (type == RP_MSH_KEYS)
        usual.attr3 = 4; /* this is not its stride: facts/formats.md C.1 */
    return usual;
}
