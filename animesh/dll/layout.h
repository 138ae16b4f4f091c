/* The records of the original that our functions work on, made from the rows of the ABI table. */
#ifndef RETROPOSE_ANIMESH_DLL_LAYOUT_H
#define RETROPOSE_ANIMESH_DLL_LAYOUT_H

#include "exports/animesh.abi.h"

#include <stddef.h>
#include <stdint.h>

typedef uint8_t Layout_u8;
typedef int32_t Layout_i32;
typedef uint32_t Layout_u32;
typedef float Layout_f32;
typedef const uint8_t *Layout_ref;

#define LAYOUT_MEMBER_1(type, name)  Layout_##type name;
#define LAYOUT_MEMBER_4(type, name)  Layout_##type name[4];
#define LAYOUT_MEMBER_8(type, name)  Layout_##type name[8];
#define LAYOUT_MEMBER_16(type, name) Layout_##type name[16];

#define LAYOUT_MEMBER(offset, type, count, name) LAYOUT_MEMBER_##count(type, name)

/* What the loader 0x10015FD0 fills. */
typedef struct Reader {
    ABI_READER_FIELDS(LAYOUT_MEMBER)
} Reader;

/* One node of a loaded model. */
typedef struct Piece {
    ABI_PIECE_FIELDS(LAYOUT_MEMBER)
} Piece;

#define LAYOUT_CHECK_READER(offset, type, count, name)                                             \
    _Static_assert(offsetof(Reader, name) == (offset), "Reader." #name);
#define LAYOUT_CHECK_PIECE(offset, type, count, name)                                              \
    _Static_assert(offsetof(Piece, name) == (offset), "Piece." #name);
ABI_READER_FIELDS(LAYOUT_CHECK_READER)
ABI_PIECE_FIELDS(LAYOUT_CHECK_PIECE)
_Static_assert(sizeof(Reader) == ABI_READER_SIZE, "Reader");
_Static_assert(sizeof(Piece) == ABI_PIECE_SIZE, "Piece");

#endif
