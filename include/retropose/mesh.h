/* Mesh objects: what the game's LoadAniMesh makes, for other engines. A model is loaded once and
 * shared; an object is a tree of pieces, made of one model and of others attached to it, that is
 * posed, measured and queried.
 *
 * The bits are those of AniMesh.dll as far as they are public (docs/reference/mesh.md), under the
 * x87 control word that the caller has set: call RpFpu_SetControlWord first for the game's results.
 *
 * Memory: models and objects allocate when they are made, attached to and taken apart; posing and
 * querying never allocate. Threads: models are constant, and any number of objects in any number of
 * threads may share one. An object belongs to one thread at a time; of a posed object any number of
 * threads may ask bounds and queries, with a room each for RpMesh_PushOut.
 *
 * Shapes: matrices are 16 floats, row-major, for column vectors, translation in 3, 7, 11; times are
 * frames; lengths are the model's units. Functions with an RpError fail with a status and change
 * nothing; those without ignore pieces that do not exist, or answer with false and zeros.
 */
#ifndef RETROPOSE_MESH_H
#define RETROPOSE_MESH_H

#include "api.h"
#include "memory.h"
#include "pose.h"

RP_API_BEGIN

typedef struct RpMeshModel RpMeshModel;
typedef struct RpMesh RpMesh;

/* ---- models ---------------------------------------------------------------------------------- */

/* From an NRes image of a model (`.msh`), which must outlive it. Refused with stream, element, byte
 * offset, expected and found: whatever would lead outside of a stream, parents that do not precede
 * their children, missing streams (RP_CORRUPT, RP_NOT_FOUND, RP_TRUNCATED), nodes of stride 24,
 * more than 8192 nodes or 1024 generations, ranges that share their elements again and again
 * (RP_UNSUPPORTED). A null allocator is the C library's heap. */
RpStatus RpMeshModel_FromNRes(const void *image, size_t size, const RpAllocator *allocator,
                              RpMeshModel **model, RpError *error);
void RpMeshModel_Free(RpMeshModel *model);
uint32_t RpMeshModel_NodeCount(const RpMeshModel *model);
uint32_t RpMeshModel_FrameCount(const RpMeshModel *model);

/* ---- objects --------------------------------------------------------------------------------- */

/* `root` is part 0; it and whatever is attached must outlive the object. Frame pairs, phase and
 * weight are 0, the placement is the identity, the scale 1; the object is posed, its bounds are up
 * to date. Null settings are all zero; a null allocator is the C library's heap. */
RpStatus RpMesh_Create(const RpMeshModel *root, const RpPoseSettings *settings,
                       const RpAllocator *allocator, RpMesh **mesh, RpError *error);
void RpMesh_Free(RpMesh *mesh);
/* Attaches a model's nodes, but for its node 0, to a piece (AniMesh 0x1000A460): a model of one
 * node adds nothing. `part`: a number above 0 that no part has; `material`: a handle, 0 to 65535.
 * Bounds are brought up to date, which poses. RP_INVALID for a part, piece or handle that will not
 * do, and for more than 8192 pieces; RP_UNSUPPORTED for more than 1024 generations. */
RpStatus RpMesh_Attach(RpMesh *mesh, const RpMeshModel *model, uint32_t part, int32_t piece,
                       uint32_t material, RpError *error);
/* With every part attached to it. RP_NOT_FOUND; RP_INVALID for part 0. */
RpStatus RpMesh_Detach(RpMesh *mesh, uint32_t part, RpError *error);

/* Bytes that an object of so many pieces takes, in two blocks. While it grows or shrinks, an
 * allocator that moves blocks has the pieces of before, too. */
size_t RpMesh_Bytes(uint32_t piece_count);

uint32_t RpMesh_PieceCount(const RpMesh *mesh);
typedef struct RpMeshPiece {
    uint32_t part, node; /* node: in its model */
    int32_t parent;      /* piece, or -1 */
    uint32_t flags, material;
    int32_t stage;
    const RpMeshModel *model;
} RpMeshPiece;
bool RpMesh_Piece(const RpMesh *mesh, int32_t piece, RpMeshPiece *description);
/* -1 when there is none. */
int32_t RpMesh_FirstPieceOfPart(const RpMesh *mesh, uint32_t part);

/* ---- state ----------------------------------------------------------------------------------- */

/* Of the whole object: side A from a_first to a_last, side B likewise, `phase` 0..1 between first
 * and last, `weight` 0..1 between A and B; a side with a negative time does not count. */
void RpMesh_SetFrames(RpMesh *mesh, int32_t a_first, int32_t a_last, int32_t b_first,
                      int32_t b_last);
void RpMesh_SetPhase(RpMesh *mesh, float phase, float weight);
/* Of one piece, in force while its flag 8 (RP_MESH_OWN_SEGMENT) is set. */
void RpMesh_SetPieceFrames(RpMesh *mesh, int32_t piece, int32_t a_first, int32_t a_last,
                           int32_t b_first, int32_t b_last);
void RpMesh_SetPiecePhase(RpMesh *mesh, int32_t piece, float phase, float weight);

enum {
    RP_MESH_HIDDEN = 1,      /* not drawn, not hit by segments */
    RP_MESH_FLYING = 4,      /* left out of posing: RpMesh_SetPieceMatrix */
    RP_MESH_OWN_SEGMENT = 8, /* frame pairs, phase and weight of its own */
    RP_MESH_TILTED = 0x10    /* RpMesh_Tilt is applied */
};
/* Sets or clears these flags, and no others; `subtree`: of the pieces below it, too (AniMesh
 * 0x10005500). */
void RpMesh_ChangeFlags(RpMesh *mesh, int32_t piece, uint32_t flags, bool set, bool subtree);
/* Damage state 0 to 2: which of the node's slots counts. Another is ignored. */
void RpMesh_SetStage(RpMesh *mesh, int32_t piece, int32_t stage);
void RpMesh_SetPlacement(RpMesh *mesh, const float placement[16]);
/* Poses, and brings the bounds up to date: from the models' headers, where the game's own
 * multiplies what the bounds were before. */
void RpMesh_SetScale(RpMesh *mesh, const float scale[3]);
void RpMesh_SetPieceMatrix(RpMesh *mesh, int32_t piece, const float world[16]);
/* The turn between two directions of length 1, by the whole angle; null: none. The matrix that the
 * game makes of it takes `to` to `from`, seen with column vectors. Blended with the turn of before
 * by the object's phase. */
void RpMesh_Tilt(RpMesh *mesh, int32_t piece, const float *from, const float *to);

/* ---- posing ---------------------------------------------------------------------------------- */

typedef enum RpMeshSpace {
    RP_MESH_LOCAL, /* in the parent */
    RP_MESH_MODEL, /* in the object */
    RP_MESH_WORLD
} RpMeshSpace;

void RpMesh_Pose(RpMesh *mesh);
/* As posed last; valid until the object is posed, attached to or taken apart. Null for a piece that
 * does not exist. */
const float *RpMesh_Matrix(const RpMesh *mesh, int32_t piece, RpMeshSpace space);
/* Added up since the object was made, by what changes it or poses it; not by queries. */
void RpMesh_Counters(const RpMesh *mesh, RpPoseCounters *counters);

/* ---- bounds ---------------------------------------------------------------------------------- */

/* At the pose of last time; `space` RP_MESH_LOCAL: the node's own. `subtree`: joined with the
 * pieces below. Corners in the game's order: 0 least, then the greatest x, xy, y, yz, z, xz, xyz.
 */
void RpMesh_Box(const RpMesh *mesh, int32_t piece, RpMeshSpace space, bool subtree,
                float corners[8][3]);
/* Centre and radius. */
void RpMesh_Sphere(const RpMesh *mesh, int32_t piece, RpMeshSpace space, bool subtree,
                   float sphere[4]);
/* Two ends and a radius. */
void RpMesh_NodeCapsule(const RpMesh *mesh, int32_t piece, RpMeshSpace space, bool subtree,
                        float capsule[7]);
/* The object's own, computed when it is made, attached to, taken apart or scaled, or here: at the
 * pose of now. */
void RpMesh_UpdateBounds(RpMesh *mesh);
typedef struct RpMeshBounds {
    float corners[8][3];   /* of one part in its file's order, of several in that of RpMesh_Box */
    float agent_sphere[4]; /* over the parts' headers */
    float node_sphere[4];  /* over the nodes of the outside */
    float capsule[7];
} RpMeshBounds;
void RpMesh_Bounds(const RpMesh *mesh, RpMeshBounds *bounds);

/* ---- queries --------------------------------------------------------------------------------- */

/* Which faces count: all required bits, none of the excluded, of batch and triangle flags
 * (docs/reference/mesh.md). Null: all. */
typedef struct RpMeshFilter {
    uint32_t required_batch, excluded_batch, required_triangle, excluded_triangle;
} RpMeshFilter;

typedef struct RpMeshHit {
    int32_t piece;
    uint32_t batch, batch_triangle, triangle; /* in the piece's model; the second in the batch */
    float point[3];
    float distance; /* squared: to the segment's start, or the vertical gap of a walk */
} RpMeshHit;

/* In world space, over the pose of last time. The nearest hit of a piece's subtree (-1: of all). */
bool RpMesh_Segment(const RpMesh *mesh, int32_t piece, const float start[3], const float end[3],
                    const RpMeshFilter *filter, RpMeshHit *hit);
/* The face straight below (or above) a point. */
bool RpMesh_WalkFace(const RpMesh *mesh, const float point[3], const RpMeshFilter *filter,
                     RpMeshHit *hit);
enum { RP_MESH_ABOVE = 4, RP_MESH_BELOW = 8 };
/* The walkable face nearest in height, also beside the point: up to a squared gap in xy of `margin`
 * (the game's is 0.5), and of nodes whose spheres are no farther than `margin` in xy. */
bool RpMesh_WalkFaceWithMargin(const RpMesh *mesh, const float point[3], float margin,
                               uint32_t direction, RpMeshHit *hit);
/* How far a sphere has to move to be out of the faces. `faces` is the room for those within reach,
 * for RpMesh_PushOutRoom(face_count) bytes, aligned as malloc's; more faces than that: the nearest
 * count, and `dropped` (may be null) says how many do not. True when a face pushed: a face
 * whose normal is null pushes by nothing. */
size_t RpMesh_PushOutRoom(uint32_t face_count);
bool RpMesh_PushOut(const RpMesh *mesh, const float centre[3], float radius,
                    const RpMeshFilter *filter, void *faces, uint32_t face_count, float push[3],
                    uint32_t *dropped);
/* By crossings of a ray; -1: all pieces. */
bool RpMesh_IsInside(const RpMesh *mesh, int32_t piece, const float point[3],
                     const RpMeshFilter *filter);

/* ---- geometry -------------------------------------------------------------------------------- */

typedef struct RpMeshBatch {
    uint32_t flags, material, lightmap;
    int32_t portal; /* piece, or -1 */
    uint32_t first_index, index_count, base_vertex, vertex_count;
} RpMeshBatch;
bool RpMesh_Batch(const RpMesh *mesh, int32_t piece, uint32_t batch, RpMeshBatch *description);

/* What the game would draw at a level (0 to 3; 4: first person; another draws nothing), batch by
 * batch; draw_mode 2 is a cockpit's. */
typedef void RpMeshDrawBatch(void *user, int32_t piece, uint32_t draw_mode, const float world[16],
                             const RpMeshBatch *batch);
void RpMesh_Draw(const RpMesh *mesh, int32_t level, RpMeshDrawBatch *draw, void *user);

RP_API_END

#endif
