#include "formats/msh/text/fields.h"

#include "core/bytes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- tables (seed 001 section 5, facts/formats.md C.2 to C.9) -------------------------------- */

static const MshField node_fields[] = {{"flags", MSH_FIELD_U16, 0, 1},
                                       {"parent", MSH_FIELD_INDEX, 2, 1},
                                       {"map_start", MSH_FIELD_INDEX, 4, 1},
                                       {"fallback", MSH_FIELD_U16, 6, 1},
                                       {"slots", MSH_FIELD_INDEX, 8, 15}};
static const MshField legacy_fields[] = {{NULL, MSH_FIELD_HEX, 0, 24}};
static const MshField header_fields[] = {{"corners", MSH_FIELD_FLOAT, 0, 24},
                                         {"sphere", MSH_FIELD_FLOAT, 0x60, 4},
                                         {"axis_low", MSH_FIELD_FLOAT, 0x70, 3},
                                         {"axis_high", MSH_FIELD_FLOAT, 0x7C, 3},
                                         {"axis_radius", MSH_FIELD_FLOAT, 0x88, 1}};
static const MshField slot_fields[] = {
    {"first_triangle", MSH_FIELD_U16, 0, 1}, {"triangle_count", MSH_FIELD_U16, 2, 1},
    {"first_batch", MSH_FIELD_U16, 4, 1},    {"batch_count", MSH_FIELD_U16, 6, 1},
    {"low", MSH_FIELD_FLOAT, 8, 3},          {"high", MSH_FIELD_FLOAT, 20, 3},
    {"sphere", MSH_FIELD_FLOAT, 32, 4},      {"area", MSH_FIELD_FLOAT, 48, 1},
    {"volume", MSH_FIELD_FLOAT, 52, 1},      {"opaque", MSH_FIELD_U32, 56, 3}};
static const MshField position_fields[] = {{NULL, MSH_FIELD_FLOAT, 0, 3}};
static const MshField normal_fields[] = {{NULL, MSH_FIELD_I8, 0, 4}};
static const MshField uv_fields[] = {{NULL, MSH_FIELD_I16, 0, 2}};
static const MshField word_fields[] = {{NULL, MSH_FIELD_U16, 0, 1}};
static const MshField triangle_fields[] = {{"flags", MSH_FIELD_U16, 0, 1},
                                           {"neighbours", MSH_FIELD_INDEX, 2, 3},
                                           {"normal", MSH_FIELD_I16, 8, 3},
                                           {"edges", MSH_FIELD_U16, 14, 1}};
static const MshField key_fields[] = {{"position", MSH_FIELD_FLOAT, 0, 3},
                                      {"time", MSH_FIELD_FLOAT, 12, 1},
                                      {"rotation", MSH_FIELD_I16, 16, 4}};
static const MshField name_fields[] = {{NULL, MSH_FIELD_TEXT, 0, RP_MSH_NAME_BYTES}};
static const MshField batch_fields[] = {
    {"flags", MSH_FIELD_U16, 0, 1},        {"material", MSH_FIELD_U16, 2, 1},
    {"row", MSH_FIELD_U8, 4, 1},           {"lightmap", MSH_FIELD_U8, 5, 1},
    {"portal", MSH_FIELD_INDEX, 6, 1},     {"index_count", MSH_FIELD_U16, 8, 1},
    {"first_index", MSH_FIELD_U32, 10, 1}, {"vertex_count", MSH_FIELD_U16, 14, 1},
    {"base_vertex", MSH_FIELD_U32, 16, 1}};
static const MshField eight_fields[] = {{NULL, MSH_FIELD_HEX, 0, 8}};
static const MshField probe_fields[] = {{"node", MSH_FIELD_I32, 0, 1},
                                        {"position", MSH_FIELD_FLOAT, 4, 3},
                                        {"direction", MSH_FIELD_FLOAT, 16, 3},
                                        {"colour", MSH_FIELD_FLOAT, 28, 4},
                                        {"intensity", MSH_FIELD_FLOAT, 44, 1}};

#define FIELDS(table) table, sizeof table / sizeof *table
static const MshRecord records[RP_MSH_TYPE_LIMIT] = {
    [RP_MSH_NODES] = {FIELDS(node_fields), RP_MSH_NODE_BYTES, 1},
    [RP_MSH_SLOTS] = {FIELDS(slot_fields), RP_MSH_SLOT_BYTES, 1},
    [RP_MSH_POSITIONS] = {FIELDS(position_fields), 12, 1},
    [RP_MSH_NORMALS] = {FIELDS(normal_fields), 4, 1},
    [RP_MSH_UV0] = {FIELDS(uv_fields), 4, 1},
    [RP_MSH_INDICES] = {FIELDS(word_fields), 2, 3},
    [RP_MSH_TRIANGLES] = {FIELDS(triangle_fields), RP_MSH_TRIANGLE_BYTES, 1},
    [RP_MSH_KEYS] = {FIELDS(key_fields), RP_MSH_KEY_BYTES, 1},
    [RP_MSH_NAMES] = {FIELDS(name_fields), RP_MSH_NAME_BYTES, 1},
    [RP_MSH_BATCHES] = {FIELDS(batch_fields), RP_MSH_BATCH_BYTES, 1},
    [RP_MSH_RES15] = {FIELDS(eight_fields), 8, 1},
    [RP_MSH_RES16] = {FIELDS(eight_fields), 8, 1},
    [RP_MSH_UV1] = {FIELDS(uv_fields), 4, 1},
    [RP_MSH_FRAME_MAP] = {FIELDS(word_fields), 2, 16},
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

int64_t MshField_Get(const MshField *field, const uint8_t *record, uint32_t index) {
    const uint8_t *at = record + field->offset + (size_t)index * MshField_Size(field->kind);
    switch (field->kind) {
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

/* As %PRId64, which takes most of a dump's time. */
static int FormatInteger(int64_t value, char *text, size_t size) {
    char digits[24];
    size_t at = sizeof digits, length;
    uint64_t rest = value < 0 ? (uint64_t)-value : (uint64_t)value;
    digits[--at] = 0;
    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (value < 0)
        digits[--at] = '-';
    length = sizeof digits - 1 - at;
    if (length < size)
        memcpy(text, digits + at, length + 1);
    return (int)length;
}

/* Nine digits name every float; no locale's comma. */
static int FormatFloat(uint32_t bits, char *text, size_t size) {
    float value;
    memcpy(&value, &bits, sizeof value);
    if ((bits & 0x7F800000u) == 0x7F800000u)
        return snprintf(text, size, "\"0x%08" PRIX32 "\"", bits);
    if (value == floorf(value) && fabsf(value) < 1e6F && bits != 0x80000000u)
        return FormatInteger((int64_t)value, text, size);
    int length = snprintf(text, size, "%.9g", (double)value);
    char *comma = strchr(text, ',');
    if (comma)
        *comma = '.';
    return length;
}

static int FormatHex(const uint8_t *bytes, uint32_t count, char *text, size_t size) {
    int length = snprintf(text, size, "\"");
    for (uint32_t i = 0; i < count && (size_t)length + 3 < size; i++)
        length += snprintf(text + length, size - (size_t)length, "%02x", bytes[i]);
    return length + snprintf(text + length, size - (size_t)length, "\"");
}

/* Text that JSON shows as it is; anything else in hexadecimal, with a mark that no text has. */
static int FormatText(const uint8_t *bytes, uint32_t count, char *text, size_t size) {
    uint32_t length = 0;
    while (length < count && bytes[length] >= ' ' && bytes[length] < 0x7F && bytes[length] != '"' &&
           bytes[length] != '\\')
        length++;
    for (uint32_t i = length; i < count; i++)
        if (bytes[i] != 0) {
            char hex[2 * RP_MSH_NAME_BYTES + 3];
            FormatHex(bytes, count, hex, sizeof hex);
            return snprintf(text, size, "{\"hex\": %s}", hex);
        }
    return snprintf(text, size, "\"%.*s\"", (int)length, (const char *)bytes);
}

int MshField_Format(const MshField *field, const uint8_t *record, uint32_t index, char *text,
                    size_t size) {
    if (field->kind == MSH_FIELD_TEXT)
        return FormatText(record + field->offset, field->count, text, size);
    if (field->kind == MSH_FIELD_HEX)
        return FormatHex(record + field->offset, field->count, text, size);
    int64_t value = MshField_Get(field, record, index);
    if (field->kind == MSH_FIELD_FLOAT)
        return FormatFloat((uint32_t)value, text, size);
    if (field->kind == MSH_FIELD_INDEX && value == RP_MSH_NONE)
        return snprintf(text, size, "null");
    return FormatInteger(value, text, size);
}

/* ---- attributes ------------------------------------------------------------------------------ */

MshAttributes MshAttributes_Usual(uint32_t type, uint32_t count, uint32_t node_stride) {
    const MshRecord *record = MshRecord_Of(type, node_stride);
    MshAttributes usual = {.attr1 = count, .attr3 = record ? record->size : 0};
    if (type == RP_MSH_KEYS)
        usual.attr3 = 4; /* not its stride: facts/formats.md C.1 */
    return usual;
}
