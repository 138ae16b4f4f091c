/* What the records of a model's streams are made of: one table for dump, assembly and differences.
 */
#ifndef RETROPOSE_FORMATS_MSH_TEXT_FIELDS_H
#define RETROPOSE_FORMATS_MSH_TEXT_FIELDS_H

#include "retropose/msh.h"

typedef enum MshFieldKind {
    MSH_FIELD_U8,
    MSH_FIELD_I8,
    MSH_FIELD_U16,
    MSH_FIELD_INDEX, /* a u16; 0xFFFF is none */
    MSH_FIELD_I16,
    MSH_FIELD_U32,
    MSH_FIELD_I32,
    MSH_FIELD_FLOAT,
    MSH_FIELD_TEXT, /* `count` bytes, NUL-padded */
    MSH_FIELD_HEX   /* `count` bytes */
} MshFieldKind;

typedef struct MshField {
    const char *name; /* null: the record is this field and nothing else */
    MshFieldKind kind;
    uint32_t offset, count; /* in the record; of values (bytes for text and hex) */
} MshField;

typedef struct MshRecord {
    const MshField *fields; /* they cover the record, in order of offset */
    uint32_t field_count;
    uint32_t size;
    uint32_t row; /* records a line in a dump; 0: one */
} MshRecord;

/* Null for types without records of one size. `stride` is that of the nodes. */
const MshRecord *MshRecord_Of(uint32_t type, uint32_t node_stride);
/* Before the slots of Res2. */
extern const MshRecord msh_header_record;

uint32_t MshField_Size(MshFieldKind kind);
/* Value `index` of a field, as a number; of every kind but text and hex. Floats: their bits. */
int64_t MshField_Get(const MshField *field, const uint8_t *record, uint32_t index);
void MshField_Put(const MshField *field, uint8_t *record, uint32_t index, int64_t value);
/* As a dump shows it: numbers, null for no index, floats that come back exactly, NaN and infinity
 * as the hexadecimal text of their bits. Returns the length. */
int MshField_Format(const MshField *field, const uint8_t *record, uint32_t index, char *text,
                    size_t size);

/* attr1 to attr3 that the streams of a type have: what a dump need not say. */
typedef struct MshAttributes {
    uint32_t attr1, attr2, attr3;
} MshAttributes;
MshAttributes MshAttributes_Usual(uint32_t type, uint32_t count, uint32_t node_stride);

#endif
