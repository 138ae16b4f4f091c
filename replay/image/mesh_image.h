/* Mesh objects in the memories of a trace (docs/formats/trace.md, type `state`): frozen into the
 * 32-bit layout of the ABI tables, the mesh first and its pieces behind it, and thawed into records
 * of this process, whatever its pointers are.
 */
#ifndef RETROPOSE_REPLAY_IMAGE_MESH_IMAGE_H
#define RETROPOSE_REPLAY_IMAGE_MESH_IMAGE_H

#include "animesh/mesh.h"
#include "replay/trace/signature.h"
#include "replay/trace/trace.h"

/* ---- freezing -------------------------------------------------------------------------------- */

/* Where a reader is in the trace. */
typedef struct MeshImageReader {
    const Reader *reader;
    uint32_t memory, offset;
} MeshImageReader;

/* A memory to be: TraceWriter_Memory takes it with an id of its own. */
typedef struct MeshImage {
    uint8_t *bytes;
    uint32_t size;
    TraceRelocation *relocations; /* of the pieces' readers, and of the pieces into this memory */
    uint32_t relocation_count;
} MeshImage;

#define MESH_IMAGE_PIECES SIGNATURE_STATE_PIECES /* offset of the first piece */
static inline uint32_t MeshImage_PieceOffset(uint32_t piece) {
    return MESH_IMAGE_PIECES + piece * ABI_PIECE_SIZE;
}

/* `id`: the memory that the image will be. Pointers to what a trace does not hold (vtables,
 * managers, views) become 0. RP_NOT_FOUND for a piece whose reader is not in the list. */
RpStatus MeshImage_Freeze(const Mesh *mesh, uint32_t id, const MeshImageReader *readers,
                          size_t reader_count, MeshImage *image, RpError *error);
void MeshImage_Free(MeshImage *image);

/* A reader over `size` bytes at `base`, which are memory `id` of the trace. What points elsewhere
 * becomes null. Returns the number of relocations. */
#define MESH_IMAGE_READER_RELOCATIONS 24
uint32_t MeshImage_FreezeReader(const Reader *reader, const uint8_t *base, size_t size, uint32_t id,
                                uint8_t bytes[ABI_READER_SIZE],
                                TraceRelocation relocations[MESH_IMAGE_READER_RELOCATIONS]);

/* ---- thawing --------------------------------------------------------------------------------- */

/* Objects made of a trace's memories; each is kept until another trace is set. */
typedef struct MeshStates MeshStates;
MeshStates *MeshStates_Create(void);         /* null when memory is short */
void MeshStates_Destroy(MeshStates *states); /* safe on null */
void MeshStates_SetMemory(MeshStates *states, const TraceReader *reader);

typedef struct MeshState MeshState;
/* Null for a memory that holds no object: too small, pieces outside of it, readers or streams that
 * lead nowhere. */
MeshState *MeshStates_Find(MeshStates *states, uint32_t memory);

/* The object as the trace has it, with the patches: pairs of offset and value. Null when they lead
 * out of it: a pointer patched, more pieces than there are, a parent behind its child. */
Mesh *MeshState_Enter(MeshState *state, const uint32_t *patches, uint32_t patch_count);
/* A piece by its offset in the memory; null when there is none. */
Piece *MeshState_PieceAt(MeshState *state, uint32_t offset);
/* Behind a call: the contents of the ranges, pairs of offset and number of dwords, one after the
 * other. False when a range leaves the memory; *outside: a dword outside of them was changed. */
bool MeshState_Leave(MeshState *state, const uint32_t *ranges, uint32_t range_count,
                     uint32_t *contents, bool *outside);

/* MeshContext.find for readers of thawed objects. */
const MeshModel *MeshState_Model(const MeshContext *context, const Reader *reader,
                                 MeshModel *scratch);

#endif
