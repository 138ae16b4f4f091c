/* The records of a model's streams, as they lie in the file: one table each, and the only place
 * that says where a field is (seed 001 section 5, facts/formats.md C.2 to C.9).
 *
 * A table has one row a field, in the order of the file and without gaps:
 *
 *   X(offset, type, count, name)
 *
 *   offset  bytes from the start of the record; a static assertion compares it with what the rows
 *           before it take
 *   type    u8, i8, u16, i16, u32, i32: little-endian integers; f32: the bits of a float;
 *           index: a u16 whose 0xFFFF means none; text: bytes of a text, padded with zeros;
 *           hex: bytes that nobody understands
 *   count   how many values of that type
 *   name    of the field, in the structs and in the text of a dump (formats/msh/text/fields.c)
 *
 * From a table come a struct of bytes, whose members have the place and the size that the file
 * gives them and which needs no alignment; the offsets and the strides; and, in formats/msh/, the
 * reading and writing of retropose/msh.h, the dump and its assembly, and the corrections of glTF
 * files. */
#ifndef RETROPOSE_ANIMESH_RECORDS_H
#define RETROPOSE_ANIMESH_RECORDS_H

#include <stddef.h>
#include <stdint.h>

/* ---- tables ---------------------------------------------------------------------------------- */

/* clang-format off */
#define STORED_NODE(X) \
    X(0, u16, 1, flags) \
    X(2, index, 1, parent) \
    X(4, index, 1, map_start) \
    X(6, u16, 1, fallback) \
    X(8, index, 15, slots)

/* The form of nodes that the game does not pose. Only its size is published. */
#define STORED_LEGACY_NODE(X) X(0, hex, 24, bytes)

/* The header lies in front of the slots of Res2. */
#define STORED_HEADER(X) \
    X(0x00, f32, 24, corners) \
    X(0x60, f32, 4, sphere) \
    X(0x70, f32, 3, axis_low) \
    X(0x7C, f32, 3, axis_high) \
    X(0x88, f32, 1, axis_radius)

#define STORED_SLOT(X) \
    X(0x00, u16, 1, first_triangle) \
    X(0x02, u16, 1, triangle_count) \
    X(0x04, u16, 1, first_batch) \
    X(0x06, u16, 1, batch_count) \
    X(0x08, f32, 3, low) \
    X(0x14, f32, 3, high) \
    X(0x20, f32, 4, sphere) \
    X(0x30, f32, 1, area) \
    X(0x34, f32, 1, volume) \
    X(0x38, u32, 3, opaque)

#define STORED_POSITION(X) X(0, f32, 3, position)
#define STORED_NORMAL(X) X(0, i8, 4, normal)
#define STORED_UV(X) X(0, i16, 2, uv)
#define STORED_INDEX(X) X(0, u16, 1, vertex)
#define STORED_MAP_WORD(X) X(0, u16, 1, key)

#define STORED_TRIANGLE(X) \
    X(0, u16, 1, flags) \
    X(2, index, 3, neighbours) \
    X(8, i16, 3, normal) \
    X(14, u16, 1, edges)

#define STORED_KEY(X) \
    X(0, f32, 3, position) \
    X(12, f32, 1, time) \
    X(16, i16, 4, rotation)

#define STORED_NAME(X) X(0, text, 32, name)

#define STORED_BATCH(X) \
    X(0x00, u16, 1, flags) \
    X(0x02, u16, 1, material) \
    X(0x04, u8, 1, row) \
    X(0x05, u8, 1, lightmap) \
    X(0x06, index, 1, portal) \
    X(0x08, u16, 1, index_count) \
    X(0x0A, u32, 1, first_index) \
    X(0x0E, u16, 1, vertex_count) \
    X(0x10, u32, 1, base_vertex)

#define STORED_RES_15(X) X(0, hex, 8, bytes)

/* Two vectors of four bytes; a dump shows the eight bytes as one. */
#define STORED_RES_16(X) \
    X(0, hex, 4, tangent) \
    X(4, hex, 4, bitangent)

#define STORED_PROBE(X) \
    X(0, i32, 1, node) \
    X(4, f32, 3, position) \
    X(16, f32, 3, direction) \
    X(28, f32, 4, colour) \
    X(44, f32, 1, intensity)
/* clang-format on */

/* ---- structs of bytes ------------------------------------------------------------------------ */

/* How many bytes one value of a type takes. */
enum {
    STORED_BYTES_u8 = 1,
    STORED_BYTES_i8 = 1,
    STORED_BYTES_u16 = 2,
    STORED_BYTES_index = 2,
    STORED_BYTES_i16 = 2,
    STORED_BYTES_u32 = 4,
    STORED_BYTES_i32 = 4,
    STORED_BYTES_f32 = 4,
    STORED_BYTES_text = 1,
    STORED_BYTES_hex = 1
};

#define STORED_MEMBER(offset, type, count, name) uint8_t name[STORED_BYTES_##type * (count)];

typedef struct StoredNode {
    STORED_NODE(STORED_MEMBER)
} StoredNode;

typedef struct StoredLegacyNode {
    STORED_LEGACY_NODE(STORED_MEMBER)
} StoredLegacyNode;

typedef struct StoredHeader {
    STORED_HEADER(STORED_MEMBER)
} StoredHeader;

typedef struct StoredSlot {
    STORED_SLOT(STORED_MEMBER)
} StoredSlot;

typedef struct StoredPosition {
    STORED_POSITION(STORED_MEMBER)
} StoredPosition;

typedef struct StoredNormal {
    STORED_NORMAL(STORED_MEMBER)
} StoredNormal;

typedef struct StoredUv {
    STORED_UV(STORED_MEMBER)
} StoredUv;

typedef struct StoredIndex {
    STORED_INDEX(STORED_MEMBER)
} StoredIndex;

typedef struct StoredMapWord {
    STORED_MAP_WORD(STORED_MEMBER)
} StoredMapWord;

typedef struct StoredTriangle {
    STORED_TRIANGLE(STORED_MEMBER)
} StoredTriangle;

typedef struct StoredKey {
    STORED_KEY(STORED_MEMBER)
} StoredKey;

typedef struct StoredName {
    STORED_NAME(STORED_MEMBER)
} StoredName;

typedef struct StoredBatch {
    STORED_BATCH(STORED_MEMBER)
} StoredBatch;

typedef struct StoredRes15 {
    STORED_RES_15(STORED_MEMBER)
} StoredRes15;

typedef struct StoredRes16 {
    STORED_RES_16(STORED_MEMBER)
} StoredRes16;

typedef struct StoredProbe {
    STORED_PROBE(STORED_MEMBER)
} StoredProbe;

/* A row that states another offset than the rows before it take is refused. */
#define STORED_CHECK(record, offset, name)                                                         \
    _Static_assert(offsetof(record, name) == (offset), #record "." #name);
#define STORED_CHECK_NODE(offset, type, count, name)     STORED_CHECK(StoredNode, offset, name)
#define STORED_CHECK_HEADER(offset, type, count, name)   STORED_CHECK(StoredHeader, offset, name)
#define STORED_CHECK_SLOT(offset, type, count, name)     STORED_CHECK(StoredSlot, offset, name)
#define STORED_CHECK_TRIANGLE(offset, type, count, name) STORED_CHECK(StoredTriangle, offset, name)
#define STORED_CHECK_KEY(offset, type, count, name)      STORED_CHECK(StoredKey, offset, name)
#define STORED_CHECK_BATCH(offset, type, count, name)    STORED_CHECK(StoredBatch, offset, name)
#define STORED_CHECK_RES_16(offset, type, count, name)   STORED_CHECK(StoredRes16, offset, name)
#define STORED_CHECK_PROBE(offset, type, count, name)    STORED_CHECK(StoredProbe, offset, name)
STORED_NODE(STORED_CHECK_NODE)
STORED_HEADER(STORED_CHECK_HEADER)
STORED_SLOT(STORED_CHECK_SLOT)
STORED_TRIANGLE(STORED_CHECK_TRIANGLE)
STORED_KEY(STORED_CHECK_KEY)
STORED_BATCH(STORED_CHECK_BATCH)
STORED_RES_16(STORED_CHECK_RES_16)
STORED_PROBE(STORED_CHECK_PROBE)

/* ---- offsets --------------------------------------------------------------------------------- */

/* Offsets of the fields: NODE_AT_parent, for example, is where a node stores its parent. */
#define STORED_AT_NODE(offset, type, count, name)     NODE_AT_##name = (offset),
#define STORED_AT_HEADER(offset, type, count, name)   HEADER_AT_##name = (offset),
#define STORED_AT_SLOT(offset, type, count, name)     SLOT_AT_##name = (offset),
#define STORED_AT_TRIANGLE(offset, type, count, name) TRIANGLE_AT_##name = (offset),
#define STORED_AT_KEY(offset, type, count, name)      KEY_AT_##name = (offset),
#define STORED_AT_BATCH(offset, type, count, name)    BATCH_AT_##name = (offset),
#define STORED_AT_RES_16(offset, type, count, name)   RES_16_AT_##name = (offset),
#define STORED_AT_PROBE(offset, type, count, name)    PROBE_AT_##name = (offset),
enum { STORED_NODE(STORED_AT_NODE) };
enum { STORED_HEADER(STORED_AT_HEADER) };
enum { STORED_SLOT(STORED_AT_SLOT) };
enum { STORED_TRIANGLE(STORED_AT_TRIANGLE) };
enum { STORED_KEY(STORED_AT_KEY) };
enum { STORED_BATCH(STORED_AT_BATCH) };
enum { STORED_RES_16(STORED_AT_RES_16) };
enum { STORED_PROBE(STORED_AT_PROBE) };

/* ---- strides --------------------------------------------------------------------------------- */

enum {
    NODE_BYTES = sizeof(StoredNode),
    NODE_BYTES_LEGACY = sizeof(StoredLegacyNode),
    HEADER_BYTES_OF_RES2 = sizeof(StoredHeader),
    SLOT_BYTES = sizeof(StoredSlot),
    POSITION_BYTES = sizeof(StoredPosition),
    NORMAL_BYTES = sizeof(StoredNormal),
    UV_BYTES = sizeof(StoredUv),
    INDEX_BYTES = sizeof(StoredIndex),
    TRIANGLE_BYTES = sizeof(StoredTriangle),
    KEY_BYTES = sizeof(StoredKey),
    NAME_BYTES_OF_RES9 = sizeof(StoredName),
    BATCH_BYTES = sizeof(StoredBatch),
    RES_15_BYTES = sizeof(StoredRes15),
    RES_16_BYTES = sizeof(StoredRes16),
    MAP_WORD_BYTES = sizeof(StoredMapWord),
    PROBE_BYTES = sizeof(StoredProbe)
};

#endif
