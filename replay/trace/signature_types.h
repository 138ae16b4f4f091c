/* The types of values in a trace, and one value of a call: what signature.h and signature_state.h
 * both speak of. */
#ifndef RETROPOSE_REPLAY_TRACE_SIGNATURE_TYPES_H
#define RETROPOSE_REPLAY_TRACE_SIGNATURE_TYPES_H

#include "exports/animesh_offsets.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum SignatureType {
    SIGNATURE_VOID,
    SIGNATURE_F32, /* as a return value: ST0, 12 bytes in a trace (10 of x87, 2 of zero) */
    SIGNATURE_I32,
    SIGNATURE_U32,
    SIGNATURE_U8,   /* struct fields only */
    SIGNATURE_REF,  /* 8 bytes in a trace: u32 memory id, u32 offset */
    SIGNATURE_CSTR, /* u32 size with the NUL, the bytes, zero padding to 4 */
    SIGNATURE_NRES, /* u32 memory id of an NRes image */
    SIGNATURE_STRUCT,
    SIGNATURE_STATE, /* the memory of an object: SignatureState */
    SIGNATURE_ANY,   /* 4 bytes of 0 in a trace, never compared */
    SIGNATURE_SLOT   /* return values only: the entry of g_FastProc that holds the pointer */
} SignatureType;

/* A memory that a state may name holds a mesh at 0 and its pieces from here on: dwords of a state
 * are named after the layouts `mesh` and `piece`. */
#define SIGNATURE_STATE_PIECES       0x240u
#define SIGNATURE_STATE_PIECES_FIELD MESH_AT_pieces /* where the mesh points to them, if any */

/* One comparable element of an outputs record. */
typedef struct SignatureElement {
    char path[64]; /* "matrix[2][1]", "return", "reader.frame_count", "piece[3].model[2][1]" */
    SignatureType type;
    uint32_t offset; /* in the outputs, or the inputs */
    uint32_t size;   /* 1 (u8), 4, 8 or 12 bytes */
    bool compared;   /* false for `any` */
} SignatureElement;

#endif
