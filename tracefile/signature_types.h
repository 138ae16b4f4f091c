/* The types of values in a trace, and one value of a call, for signature.h and
 * signature_state.h. */
#ifndef RETROPOSE_TRACEFILE_SIGNATURE_TYPES_H
#define RETROPOSE_TRACEFILE_SIGNATURE_TYPES_H

#include "exports/animesh_offsets.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum SignatureType {
    SIGNATURE_VOID,
    SIGNATURE_F32, /* as a return value it is ST0: 12 bytes in a trace (10 of the x87 number, 2 of
                      zero) */
    SIGNATURE_I32,
    SIGNATURE_U32,
    SIGNATURE_U8,  /* in fields of structs only */
    SIGNATURE_REF, /* 8 bytes in a trace: u32 memory id, u32 offset */
    /* u32 size with the NUL, then the bytes, padded with zeros to a multiple of 4 */
    SIGNATURE_CSTR,
    SIGNATURE_NRES, /* u32 memory id of an NRes image */
    SIGNATURE_STRUCT,
    SIGNATURE_STATE, /* the memory of an object, see SignatureState */
    SIGNATURE_ANY,   /* 4 bytes of 0 in a trace; never compared */
    SIGNATURE_SLOT   /* only as a return value: the entry of g_FastProc that holds the pointer */
} SignatureType;

/* In a memory that a state names, a mesh is at offset 0 and its pieces begin here. The dwords of a
 * state have the names that the layouts `mesh` and `piece` give them. */
#define SIGNATURE_STATE_PIECES 0x240u
/* where the mesh points to its pieces, if it has any */
#define SIGNATURE_STATE_PIECES_FIELD MESH_AT_pieces

/* One element of an outputs record that can be compared. */
typedef struct SignatureElement {
    char path[64]; /* "matrix[2][1]", "return", "reader.frame_count", "piece[3].model[2][1]" */
    SignatureType type;
    uint32_t offset; /* its place in the outputs or in the inputs */
    uint32_t size;   /* 1 (u8), 4, 8 or 12 bytes */
    bool compared;   /* false for `any`, which is never compared */
} SignatureElement;

#endif
