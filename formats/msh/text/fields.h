/* The fields of the records in a model's streams: one table for dump, assembly and differences. */
#ifndef RETROPOSE_FORMATS_MSH_TEXT_FIELDS_H
#define RETROPOSE_FORMATS_MSH_TEXT_FIELDS_H

#include "retropose/msh.h"

typedef enum MshFieldKind {
    MSH_FIELD_U8,
    MSH_FIELD_I8,
    MSH_FIELD_U16,
    MSH_FIELD_INDEX, /* a u16, of which 0xFFFF means none */
    MSH_FIELD_I16,
    MSH_FIELD_U32,
    MSH_FIELD_I32,
    MSH_FIELD_FLOAT,
    MSH_FIELD_TEXT, /* `count` bytes, padded with NULs */
    MSH_FIELD_HEX   /* `count` bytes */
} MshFieldKind;

typedef struct MshField {
    const char *name; /* null: the record consists of this field alone */
    MshFieldKind kind;
    /* Offset in the record; number of values or, for text and hex, of bytes. */
    uint32_t offset, count;
} MshField;

typedef struct MshRecord {
    const MshField *fields; /* they cover the record, in the order of their offsets */
    uint32_t field_count;
    uint32_t size;
    uint32_t row; /* records in a line of a dump */
} MshRecord;

/* Returns null for types whose records are not all of one size. `stride` is that of the nodes. */
const MshRecord *MshRecord_Of(uint32_t type, uint32_t node_stride);
/* What stands in front of the slots in Res2. */
extern const MshRecord msh_header_record;

uint32_t MshField_Size(MshFieldKind kind);
void MshField_Put(const MshField *field, uint8_t *record, uint32_t index, int64_t value);
enum { MSH_FIELD_MOST_TEXT = 96 }; /* room for any value as a text, with a NUL */
/* Writes value `index` of a field as a dump shows it: numbers, null for no index, floats that can
 * be read back exactly, NaN and infinity as the hexadecimal text of their bits. `text` has room for
 * MSH_FIELD_MOST_TEXT bytes. */
void MshField_Format(const MshField *field, const uint8_t *record, uint32_t index, char *text);

/* Returns whether a dump writes these bytes of Windows-1251 as a text. This is so if each of
 * them is a letter that JSON can show without an escape. Such a text can be read back as the
 * same bytes. */
bool MshText_IsPlain(const uint8_t *bytes, size_t size);

/* The usual attributes attr1 to attr3 of a stream. A dump need not contain them. */
typedef struct MshAttributes {
    uint32_t attr1, attr2, attr3;
} MshAttributes;
MshAttributes MshAttributes_Usual(uint32_t type, uint32_t count, uint32_t node_stride);

#endif
