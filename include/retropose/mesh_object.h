/* Mesh objects: what the game's LoadAniMesh makes, for use in other engines. A model is loaded once
 * and shared. An object is a tree of pieces, made of one model and of others that are attached to
 * it; it can be posed, measured and queried.
 *
 * The bits are those of AniMesh.dll as far as they are public (docs/reference/mesh.md), under the
 * control word and the readings that the object was made with: by default the game's. The thread's
 * own control word and MXCSR do not matter and are left as they are.
 *
 * Memory: models and objects allocate when they are made, attached to or taken apart; posing and
 * querying never allocate. Threads: models are constant, and any number of objects in any number of
 * threads may share one. An object belongs to one thread at a time, but any number of threads may
 * ask a posed object for bounds and queries, provided that each has its own memory for
 * RpMeshObject_PushOut.
 *
 * Shapes: matrices are 16 floats, row-major, for column vectors, with the translation in elements
 * 3, 7 and 11. Times are frames, and lengths are the model's units. Functions with an RpError fail
 * with a status and change nothing. Functions without one ignore pieces that do not exist, or
 * answer with false and zeros.
 */
#ifndef RETROPOSE_MESH_OBJECT_H
#define RETROPOSE_MESH_OBJECT_H

#include "api.h"
#include "memory.h"
#include "pose.h"

RP_API_BEGIN

typedef struct RpModel RpModel;
typedef struct RpMeshObject RpMeshObject;

/* ---- models ---------------------------------------------------------------------------------- */

/* Makes a model from an NRes image (`.msh`), which must outlive it. It is refused, with the stream,
 * element, byte offset, expected and found value in the error, for whatever would lead outside of a
 * stream, for parents that do not precede their children and for missing streams (RP_CORRUPT,
 * RP_NOT_FOUND, RP_TRUNCATED). RP_UNSUPPORTED stands for nodes of stride 24, for more than 8192
 * nodes or 1024 generations, and for ranges that share their elements again and again. A null
 * allocator is the C library's heap. */
RpStatus RpModel_FromNRes(const void *image, size_t size, const RpAllocator *allocator,
                          RpModel **model, RpError *error);
/* Prepares the model's faces, so that queries of its objects take a fraction of the time; the
 * answers stay the same. It takes about 65 bytes for each triangle of level 0, and twice as much
 * while it runs. Call it before other threads use the model. RP_NO_MEMORY changes nothing. Without
 * SSE2, or for a second time, it does nothing. */
RpStatus RpModel_PrepareQueries(RpModel *model, RpError *error);
/* Returns the bytes that the model takes, apart from its image. */
size_t RpModel_Bytes(const RpModel *model);
/* Frees a model, which may be null. No object may use it any more. */
void RpModel_Free(RpModel *model);
/* Returns how many nodes the model has. */
uint32_t RpModel_NodeCount(const RpModel *model);
/* Returns how many frames the model has: it moves between 0 and one less. */
uint32_t RpModel_FrameCount(const RpModel *model);

/* ---- objects --------------------------------------------------------------------------------- */

/* Makes an object whose part 0 is `root`. This model, and every one that is attached later, must
 * outlive the object. Frame pairs, phase and weight are 0, the placement is the identity and the
 * scale is 1; the object is posed and its bounds are up to date. A null `arithmetic` means the
 * defaults; a null allocator is the C library's heap. The error is RP_NO_MEMORY, and *mesh stays as
 * it was. */
RpStatus RpMeshObject_Create(const RpModel *root, const RpArithmetic *arithmetic,
                             const RpAllocator *allocator, RpMeshObject **mesh, RpError *error);
/* Frees an object, which may be null. Its models stay. */
void RpMeshObject_Free(RpMeshObject *mesh);
/* Attaches the nodes of a model, except for its node 0, to a piece (AniMesh 0x1000A460), so that a
 * model of one node adds nothing. `part` is the number of the new part: above 0, and not in use.
 * `material` is a handle, 0 to 65535. The bounds are brought up to date, which also poses the
 * object. RP_INVALID stands for an unsuitable part, piece or handle and for more than 8192 pieces;
 * RP_UNSUPPORTED for more than 1024 generations. */
RpStatus RpMeshObject_Attach(RpMeshObject *mesh, const RpModel *model, uint32_t part, int32_t piece,
                             uint32_t material, RpError *error);
/* Removes a part, together with every part that is attached to it. RP_NOT_FOUND stands for a part
 * that does not exist, RP_INVALID for part 0. */
RpStatus RpMeshObject_Detach(RpMeshObject *mesh, uint32_t part, RpError *error);

/* Returns the bytes that an object of so many pieces takes, in two blocks. While it grows or
 * shrinks, an allocator that moves blocks holds the old block of pieces as well. */
size_t RpMeshObject_Bytes(uint32_t piece_count);

/* Returns how many pieces the object has, over all parts. */
uint32_t RpMeshObject_PieceCount(const RpMeshObject *mesh);
typedef struct RpMeshPiece {
    uint32_t part, node; /* node: index in the piece's model */
    int32_t parent;      /* index of the parent's piece, or -1 */
    uint32_t flags, material;
    int32_t stage;
    const RpModel *model;
} RpMeshPiece;
/* Describes a piece. Returns false, and zeros, for one that does not exist. */
bool RpMeshObject_Piece(const RpMeshObject *mesh, int32_t piece, RpMeshPiece *description);
/* Returns the first piece of a part, or -1 when the part does not exist. */
int32_t RpMeshObject_FirstPieceOfPart(const RpMeshObject *mesh, uint32_t part);

/* ---- state ----------------------------------------------------------------------------------- */

/* Sets the times of the whole object. Side A goes from a_first to a_last and side B likewise;
 * `phase` (0..1) lies between first and last, and `weight` (0..1) between side A and side B. A side
 * with a negative time does not count. */
void RpMeshObject_SetFrames(RpMeshObject *mesh, int32_t a_first, int32_t a_last, int32_t b_first,
                            int32_t b_last);
/* Sets where the object is between the frames of each pair, 0 to 1, and the weight of side B, 0
 * to 1. The next pose follows it, also where only the weight is another one: there the game may
 * keep the pose that it has (reading `pose-cache`). */
void RpMeshObject_SetPhase(RpMeshObject *mesh, float phase, float weight);
/* Sets the times of one piece, which are used while the piece's flag 8 (RP_MESH_OWN_SEGMENT) is
 * set. */
void RpMeshObject_SetPieceFrames(RpMeshObject *mesh, int32_t piece, int32_t a_first, int32_t a_last,
                                 int32_t b_first, int32_t b_last);
/* Sets the phase and the weight of one piece, as RpMeshObject_SetPhase does those of the
 * object. */
void RpMeshObject_SetPiecePhase(RpMeshObject *mesh, int32_t piece, float phase, float weight);

enum {
    RP_MESH_HIDDEN = 1,      /* not drawn, and not hit by segments */
    RP_MESH_FLYING = 4,      /* not posed: RpMeshObject_SetPieceMatrix places the piece */
    RP_MESH_OWN_SEGMENT = 8, /* the piece has frame pairs, a phase and a weight of its own */
    RP_MESH_TILTED = 0x10    /* the turn of RpMeshObject_Tilt is applied */
};
/* Sets or clears these flags, and no others. `subtree` also changes the pieces below (AniMesh
 * 0x10005500). */
void RpMeshObject_ChangeFlags(RpMeshObject *mesh, int32_t piece, uint32_t flags, bool set,
                              bool subtree);
/* Sets the damage state, 0 to 2, which decides which of the node's slots counts. Any other number
 * is ignored. */
void RpMeshObject_SetStage(RpMeshObject *mesh, int32_t piece, int32_t stage);
/* Sets the matrix that takes the object's space into the world. The next pose follows it. */
void RpMeshObject_SetPlacement(RpMeshObject *mesh, const float placement[16]);
/* Scales the object, poses it and brings its bounds up to date. The bounds are computed from the
 * models' headers, whereas the game multiplies the former bounds. */
void RpMeshObject_SetScale(RpMeshObject *mesh, const float scale[3]);
/* Places a piece in the world, which counts while the piece's flag RP_MESH_FLYING is set. */
void RpMeshObject_SetPieceMatrix(RpMeshObject *mesh, int32_t piece, const float world[16]);
/* Tilts a piece by the turn between two directions of length 1, by the whole angle. Null directions
 * mean no turn. The matrix that the game makes of the turn takes `to` to `from`, seen with column
 * vectors. The object's phase blends the previous turn with the new one. */
void RpMeshObject_Tilt(RpMeshObject *mesh, int32_t piece, const float *from, const float *to);

/* ---- posing ---------------------------------------------------------------------------------- */

typedef enum RpMeshSpace {
    RP_MESH_LOCAL, /* in the parent's space */
    RP_MESH_MODEL, /* in the object's space */
    RP_MESH_WORLD
} RpMeshSpace;

/* Poses all pieces by the frame pairs, phases and weights that were set. Nothing is allocated. */
void RpMeshObject_Pose(RpMeshObject *mesh);
/* Returns a matrix of the last pose. It is valid until the object is posed, attached to or taken
 * apart. Null stands for a piece that does not exist. */
const float *RpMeshObject_Matrix(const RpMeshObject *mesh, int32_t piece, RpMeshSpace space);
/* Gives the counts since the object was made. Calls that change or pose the object add to them;
 * queries do not. */
void RpMeshObject_Counters(const RpMeshObject *mesh, RpPoseCounters *counters);

/* ---- bounds ---------------------------------------------------------------------------------- */

/* Bounds one piece at the last pose. RP_MESH_LOCAL gives the node's own box. `subtree` joins it
 * with the boxes of the pieces below. The corners are in the game's order: the least one, then
 * those with the greatest x, xy, y, yz, z, xz and xyz. */
void RpMeshObject_Box(const RpMeshObject *mesh, int32_t piece, RpMeshSpace space, bool subtree,
                      float corners[8][3]);
/* Gives the centre and the radius of one piece's sphere. */
void RpMeshObject_Sphere(const RpMeshObject *mesh, int32_t piece, RpMeshSpace space, bool subtree,
                         float sphere[4]);
/* Gives the two ends and the radius of one piece's capsule. */
void RpMeshObject_NodeCapsule(const RpMeshObject *mesh, int32_t piece, RpMeshSpace space,
                              bool subtree, float capsule[7]);
/* Computes the object's own bounds at its present pose. They are also computed when the object is
 * made, attached to, taken apart or scaled. */
void RpMeshObject_UpdateBounds(RpMeshObject *mesh);
typedef struct RpMeshBounds {
    /* The corners of a single part are in the order of its file, those of several parts in the
     * order of RpMeshObject_Box. */
    float corners[8][3];
    float agent_sphere[4]; /* encloses the spheres of the parts' headers */
    float node_sphere[4];  /* encloses the spheres of the outside's nodes */
    float capsule[7];
} RpMeshBounds;
/* Copies the object's own bounds as they were last computed. */
void RpMeshObject_Bounds(const RpMeshObject *mesh, RpMeshBounds *bounds);

/* ---- queries --------------------------------------------------------------------------------- */

/* Says which faces count: those whose batch flags and triangle flags have all the required bits and
 * none of the excluded ones (docs/reference/mesh.md). A null filter, and one of all zeros, lets all
 * faces count. */
typedef struct RpMeshFilter {
    uint32_t required_batch, excluded_batch, required_triangle, excluded_triangle;
} RpMeshFilter;

typedef struct RpMeshHit {
    int32_t piece;
    /* in the piece's model; batch_triangle counts within the batch */
    uint32_t batch, batch_triangle, triangle;
    float point[3];
    /* squared: the distance to the segment's start, or the vertical gap of a walk query */
    float distance;
} RpMeshHit;

/* Finds the nearest face that a segment in world space hits, over the last pose, among a piece and
 * the pieces below it; -1 means all pieces. */
bool RpMeshObject_Segment(const RpMeshObject *mesh, int32_t piece, const float start[3],
                          const float end[3], const RpMeshFilter *filter, RpMeshHit *hit);
/* Finds the face straight below (or above) a point. */
bool RpMeshObject_WalkFace(const RpMeshObject *mesh, const float point[3],
                           const RpMeshFilter *filter, RpMeshHit *hit);
enum { RP_MESH_ABOVE = 4, RP_MESH_BELOW = 8 };
/* Finds the walkable face that is nearest in height, even if it is beside the point. The squared
 * gap in xy may be up to `margin` (0.5 in the game), and only nodes count whose spheres are no
 * farther than `margin` in xy. */
bool RpMeshObject_WalkFaceWithMargin(const RpMeshObject *mesh, const float point[3], float margin,
                                     uint32_t direction, RpMeshHit *hit);
/* Returns the bytes that RpMeshObject_PushOut needs for so many faces. */
size_t RpMeshObject_PushOutRoom(uint32_t face_count);
/* Computes how far a sphere has to move to leave the faces, and writes the movement, in world
 * space, to `push`. `faces` is memory for the faces within reach:
 * RpMeshObject_PushOutRoom(face_count) bytes, aligned as malloc aligns. If there are more faces
 * than `face_count`, the nearest ones count, and `dropped`, which may be null, says how many do
 * not. The result is true when a face pushed; a face whose normal is null pushes by nothing. */
bool RpMeshObject_PushOut(const RpMeshObject *mesh, const float centre[3], float radius,
                          const RpMeshFilter *filter, void *faces, uint32_t face_count,
                          float push[3], uint32_t *dropped);
/* Decides by the crossings of a ray whether a point is inside a piece; -1 means all pieces. */
bool RpMeshObject_IsInside(const RpMeshObject *mesh, int32_t piece, const float point[3],
                           const RpMeshFilter *filter);

/* ---- geometry -------------------------------------------------------------------------------- */

typedef struct RpDrawBatch {
    uint32_t flags, material, lightmap;
    int32_t portal; /* piece behind the portal, or -1 */
    uint32_t first_index, index_count, base_vertex, vertex_count;
} RpDrawBatch;
/* Describes a batch of a piece's model. Returns false, and zeros, for one that does not exist. */
bool RpMeshObject_Batch(const RpMeshObject *mesh, int32_t piece, uint32_t batch,
                        RpDrawBatch *description);

/* Calls `draw` for each batch that the game would draw at a level: 0 to 3, or 4 for first person;
 * any other level draws nothing. draw_mode is 2 for a cockpit. */
typedef void RpDrawVisit(void *user, int32_t piece, uint32_t draw_mode, const float world[16],
                         const RpDrawBatch *batch);
/* Calls `draw` with `user` for each batch that the game would draw at a level. */
void RpMeshObject_Draw(const RpMeshObject *mesh, int32_t level, RpDrawVisit *draw, void *user);

RP_API_END

#endif
