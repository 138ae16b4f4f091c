/* Converts mesh objects in the memories of a trace (docs/formats/trace.md, type `state`). Freezing
 * writes an object in the 32-bit layout of the ABI tables, first the mesh and then its pieces.
 * Thawing makes records of this process from it, however wide its pointers are. */
#ifndef RETROPOSE_REPLAY_IMAGE_MESH_IMAGE_H
#define RETROPOSE_REPLAY_IMAGE_MESH_IMAGE_H

#include "animesh/mesh.h"
#include "tracefile/signature.h"
#include "tracefile/tracefile.h"

/* ---- freezing -------------------------------------------------------------------------------- */

/* The place of a reader in the trace. */
typedef struct MeshImageReader {
    const Reader *reader;
    uint32_t memory, offset;
} MeshImageReader;

/* A memory to be written: TraceWriter_Memory takes it under an id of its own. */
typedef struct MeshImage {
    uint8_t *bytes;
    uint32_t size;
    /* relocations of the pointers to the pieces' readers, and to pieces within this memory */
    TraceRelocation *relocations;
    uint32_t relocation_count;
} MeshImage;

#define MESH_IMAGE_PIECES SIGNATURE_STATE_PIECES /* the offset of the first piece */
static inline uint32_t MeshImage_PieceOffset(uint32_t piece) {
    return MESH_IMAGE_PIECES + piece * ABI_PIECE_SIZE;
}

/* Freezes an object. `id` is the memory that the image will be. Pointers to what a trace does
 * not hold (vtables, managers, views) become 0. Returns RP_NOT_FOUND for a piece whose reader is
 * not in the list. */
RpStatus MeshImage_Freeze(const Mesh *mesh, uint32_t id, const MeshImageReader *readers,
                          size_t reader_count, MeshImage *image, RpError *error);
void MeshImage_Free(MeshImage *image);

/* Freezes a reader over `size` bytes at `base`, which are memory `id` of the trace. Pointers to
 * anything else become null. Returns the number of relocations. */
#define MESH_IMAGE_READER_RELOCATIONS 24
uint32_t MeshImage_FreezeReader(const Reader *reader, const uint8_t *base, size_t size, uint32_t id,
                                uint8_t bytes[ABI_READER_SIZE],
                                TraceRelocation relocations[MESH_IMAGE_READER_RELOCATIONS]);

/* ---- thawing --------------------------------------------------------------------------------- */

/* Objects that were thawed from a trace's memories. Each is kept until another trace is set. */
typedef struct MeshStates MeshStates;
MeshStates *MeshStates_Create(void);         /* returns null where memory is short */
void MeshStates_Destroy(MeshStates *states); /* null is allowed */
void MeshStates_SetMemory(MeshStates *states, const TraceReader *reader);

typedef struct MeshState MeshState;
/* Returns the object of a memory. Returns null for a memory that is not an object: it is too small,
 * or has pieces outside of it, or has readers or streams that lead nowhere. */
MeshState *MeshStates_Find(MeshStates *states, uint32_t memory);

/* Returns the object as the trace has it, changed by the patches, which are pairs of offset and
 * value. Returns null where the patches break it: a changed pointer, more pieces than there are, or
 * a parent after its child. */
Mesh *MeshState_Enter(MeshState *state, const uint32_t *patches, uint32_t patch_count);
/* Returns the piece at this offset of the memory, or null. */
Piece *MeshState_PieceAt(MeshState *state, uint32_t offset);
/* Has to be called after a call. It copies the contents of the ranges, which are pairs of offset
 * and number of dwords, one after the other. Returns false where a range leaves the memory;
 * *outside says whether a dword outside of the ranges was changed. */
bool MeshState_Leave(MeshState *state, const uint32_t *ranges, uint32_t range_count,
                     uint32_t *contents, bool *outside);

/* Serves as MeshContext.find for the readers of thawed objects. */
const MeshModel *MeshState_Model(const MeshContext *context, const Reader *reader,
                                 MeshModel *scratch);

#endif
