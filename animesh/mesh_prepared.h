/* Makes queries of a model's objects fast. The model's faces are prepared for vector registers, and
 * with them the few faces are chosen that a query has to look at one by one
 * (docs/reference/exact.md, "Queries"). The answers are the same without this.
 *
 * Only the library prepares models. The DLL asks the Ngi32.dll of its process about each crossing.
 * That may be the original's, whose answers are not known here. The functions below are reached
 * through `prepared` alone, which is null in the DLL. */
#ifndef RETROPOSE_ANIMESH_MESH_PREPARED_H
#define RETROPOSE_ANIMESH_MESH_PREPARED_H

#include "animesh/mesh.h"
#include "ngi32/exact/faces.h"

typedef struct MeshPrepared MeshPrepared;

typedef struct MeshOver {
    const float *point;
    float least;         /* the least z of a walkable face's normal */
    const float *margin; /* the greatest squared gap; null: the point has to be over the face */
} MeshOver;

/* Each function sets the bits of all triangles of a slot that the query might answer with. It
 * returns false when the core does not serve. */
typedef struct MeshChooser {
    bool (*segment)(const MeshContext *context, const MeshPrepared *prepared, uint32_t slot,
                    const float local[6], uint64_t *chosen);
    bool (*sphere)(const MeshPrepared *prepared, uint32_t slot, const float world[16],
                   const float centre[3], float radius, uint64_t *chosen);
    bool (*over)(const MeshPrepared *prepared, uint32_t slot, const float world[16],
                 const MeshOver *over, uint64_t *chosen);
    bool (*across)(const MeshPrepared *prepared, uint32_t slot, const float world[16],
                   const float point[3], uint64_t *chosen);
} MeshChooser;

struct MeshPrepared {
    const MeshChooser *chooser;
    const ExactFaceWidth *width;
    size_t bytes; /* size of this struct and of all that it points to */
    uint32_t slot_count;
    ExactFaces slots[];
};

extern const MeshChooser Mesh_Chooser; /* mesh_choose.c */

static inline bool MeshPrepared_Has(const MeshPrepared *prepared, uint32_t slot) {
    return slot < prepared->slot_count && prepared->slots[slot].count > 0;
}

/* Prepares the faces of all slots of level 0 of a checked model. On RP_NO_MEMORY nothing is
 * changed. *prepared is null on processors without SSE2. */
RpStatus MeshPrepared_New(const MeshModel *model, const RpAllocator *allocator,
                          MeshPrepared **prepared, RpError *error);
void MeshPrepared_Free(const RpAllocator *allocator, MeshPrepared *prepared);

#endif
