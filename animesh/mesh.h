/* The object behind LoadAniMesh, without its vtables: what each of the original's functions does to
 * the records of layout.h. The DLL's methods, the public library (retropose/mesh_object.h) and the
 * native provider of replays are thin users of these functions.
 *
 * Every function works on a Mesh that may have been made by the original. Therefore nothing beyond
 * ABI_MESH_SIZE is read, and whatever else a function needs is in the context. No function
 * allocates memory except those of mesh.c that say so. Setters ignore piece indices that do not
 * exist; getters answer them with zeros or false. Streams are read within their bounds. A read
 * outside them is counted, and answered as if the slot, batch or vertex did not exist.
 *
 * Arithmetic uses ngi32/processor/x87.h under the control word in force, in the order that
 * docs/reference/arithmetic.md
 * ("The mesh object") gives, because the resulting numbers are part of the contract. Addresses are
 * the original's, and numbers such as E.7 are sections of facts/animesh.md.
 */
#ifndef RETROPOSE_ANIMESH_MESH_H
#define RETROPOSE_ANIMESH_MESH_H

#include "animesh/layout.h"
#include "animesh/sample.h"
#include "ngi32/exact/many.h"
#include "retropose/error.h"
#include "retropose/memory.h"

/* ---- models: mesh_model.c -------------------------------------------------------------------- */

/* A stream and the number of whole elements in it. If the reader came without sizes, the count is
 * UINT32_MAX, and reads go wherever the original's go. */
typedef struct MeshStream {
    const uint8_t *data;
    uint32_t count;
} MeshStream;

typedef struct MeshModel {
    RpSkeleton pose;       /* nodes, keys and frame map */
    bool bounded;          /* false when the sizes of streams are unknown */
    const uint8_t *header; /* 140 bytes, or null */
    MeshStream slots, positions, normals, uv0, uv1, indices, triangles, batches, probes;
    const uint8_t *strings;
    uint32_t string_bytes;
    struct MeshPrepared *prepared; /* see mesh_prepared.h; null if nothing is prepared */
} MeshModel;

typedef struct MeshHeader {
    float corners[24], sphere[4], capsule[7]; /* capsule: end a, end b, radius */
} MeshHeader;

typedef struct MeshSlot { /* boxes and spheres are in the node's space */
    uint32_t index;       /* number of the slot in its stream */
    uint16_t first_triangle, triangle_count, first_batch, batch_count;
    float low[3], high[3], sphere[4], area, volume;
} MeshSlot;

typedef struct MeshBatch {
    uint32_t flags;
    uint8_t material, lightmap;
    uint16_t portal; /* node of the room behind the portal, or NO_INDEX */
    uint16_t index_count;
    uint32_t first_index;
    uint16_t vertex_count;
    uint32_t base_vertex;
} MeshBatch;

typedef struct MeshTriangle {
    uint16_t flags, neighbours[3];
    int16_t normal[3]; /* divide by 32767 */
    uint16_t edges;
} MeshTriangle;

enum { NODE_FLAG_INTERIOR = 0x1, NODE_FLAG_NO_RECURSION = 0x4, NODE_FLAG_LEAF = 0x10 };
enum { NODE_FLAG_COCKPIT = 0x20, NODE_FLAG_NO_SHADOW = 0x40, NODE_FLAG_SOCKET_TEXT = 0x800 };
enum { BATCH_TWO_SIDED = 2, BATCH_MATERIAL_PHASE = 4, BATCH_PORTAL = 8, BATCH_SUPPRESSED = 0x20 };

/* Makes a model of a reader that does not say how large its streams are. */
void MeshModel_FromReader(const Reader *reader, MeshModel *model);
/* Returns UINT32_MAX when the number of nodes is unknown. */
uint32_t MeshModel_NodeCount(const MeshModel *model);
bool MeshModel_NodeFlags(const MeshModel *model, uint32_t node, uint16_t *flags);
/* *parent is -1 when the node has no parent. */
bool MeshModel_Parent(const MeshModel *model, uint32_t node, int32_t *parent);
bool MeshModel_Header(const MeshModel *model, MeshHeader *header);
/* Gives the word of Res1 for a level and variant: a slot, or NO_INDEX. */
bool MeshModel_SlotWord(const MeshModel *model, uint32_t node, uint32_t level, uint32_t variant,
                        uint16_t *slot);
bool MeshModel_Slot(const MeshModel *model, uint32_t index, MeshSlot *slot);
bool MeshModel_Batch(const MeshModel *model, uint32_t index, MeshBatch *batch);
bool MeshModel_Triangle(const MeshModel *model, uint32_t index, MeshTriangle *triangle);
bool MeshModel_Vertex(const MeshModel *model, uint32_t index, float position[3]);
bool MeshModel_Index(const MeshModel *model, uint32_t index, uint16_t *value);
/* Gives the position of a batch's corner. */
bool MeshModel_Corner(const MeshModel *model, const MeshBatch *batch, uint32_t corner,
                      float position[3]);
/* Returns (index_count + 2) / 3: an incomplete triangle counts. */
uint32_t MeshBatch_TriangleCount(const MeshBatch *batch);
bool MeshModel_Uv(const MeshModel *model, uint32_t vertex, int16_t uv[2]);
/* Returns the node's text in Res10 up to its first NUL; null for an empty one. */
const char *MeshModel_Text(const MeshModel *model, uint32_t node, uint32_t *length);
/* Checks a model strictly. It is for models that are not the game's own.
 *
 * RP_CORRUPT means that parents do not precede their children, or that slots, batches, indices,
 * vertices, triangles, keys, frames or texts are outside their streams. It comes with the stream,
 * the element, the expected and the found value. RP_UNSUPPORTED means that the model's size is
 * unknown, that it has more nodes or generations than an object can have, or that its ranges share
 * elements so often that walks would take forever. Errors have byte offsets from `image`, or none
 * if it is null. */
RpStatus MeshModel_Check(const MeshModel *model, const uint8_t *image, RpError *error);

/* ---- context --------------------------------------------------------------------------------- */

typedef struct MeshContext MeshContext;

/* The functions of Ngi32 that the object calls. The DLL calls them through Ngi32's table and
 * exports. The library calls those of the build that its caller chose (mesh_math.c:
 * Mesh_LibraryMath). */
typedef struct MeshMath {
    PoseMath pose;
    void (*product)(const MeshContext *context, const float a[16], const float b[16],
                    float product[16]); /* slot 28; product may be a or b */
    void (*to_frame)(const MeshContext *context, const float frame[16], const float point[3],
                     float result[3]); /* slot 26 */
    int (*segment_plane)(const MeshContext *context, const float start[3], const float end[3],
                         const float plane[4], float hit[3]); /* slot 45 */
    int (*point_in_polygon)(const MeshContext *context, const float plane[4],
                            const float *const *vertices, uint32_t count,
                            const float point[3]); /* mrnPointInPoly */
} MeshMath;

extern const MeshMath Mesh_LibraryMath;

struct MeshContext {
    const RpArithmetic *arithmetic; /* the build in it counts for the library's MeshMath only */
    const MeshMath *math;
    /* If this is not null, the functions of `math` that pose pieces are the library's with this
     * build, so that these functions of the exact core may be called instead. */
    const ExactWidth *width;
    /* Returns the model of a reader; it may fill and return `scratch`. The result is never null. */
    const MeshModel *(*find)(const MeshContext *context, const Reader *reader, MeshModel *scratch);
    RpPoseCounters *counters; /* may be null */
    /* The caller may leave these null, unless a function says that it needs them. */
    const RpAllocator *allocator;
    void *owner;
};

/* Counts a read outside the streams. */
void Mesh_CountOutside(const MeshContext *context);

/* ---- the object: mesh.c ---------------------------------------------------------------------- */

/* Some walks take a step for each generation above a piece, or for each pair of pieces. These
 * limits keep hostile models from taking forever. The game's models have fewer than 100 nodes. */
enum { MESH_MAX_PIECES = 8192, MESH_MAX_DEPTH = 1024 };

enum { PIECE_HIDDEN = 1, PIECE_FLYING = 4, PIECE_OWN_SEGMENT = 8, PIECE_TILTED = 0x10 };
#define PIECE_FIRST_OF_PART 0x01000000u

static inline Piece *Mesh_Piece(const Mesh *mesh, int32_t index) {
    return index >= 0 && (uint32_t)index < mesh->piece_count
               ? (Piece *)(uintptr_t)mesh->pieces + index
               : NULL;
}

static inline const MeshModel *Mesh_ModelOf(const MeshContext *context, const Piece *piece,
                                            MeshModel *scratch) {
    return piece->reader
               ? context->find(context, (const Reader *)(const void *)piece->reader, scratch)
               : NULL;
}

/* Does what is public of the constructor 0x100068A0: there are no pieces, the scale is 1, the
 * placement is the identity, the handle at "worn" is UINT32_MAX (-1), and the life colours are set.
 * Everything else, except the six vtable pointers, is 0. */
void Mesh_Init(Mesh *mesh);
/* Frees the memory of the pieces. */
void Mesh_Free(const MeshContext *context, Mesh *mesh);

/* 0x100123E0: sets the tag and the flags of a new piece. */
void Piece_Init(Piece *piece, uint32_t part);
/* 0x1000A460 for a model that was read already (E.8). For `part` 0 all nodes become pieces. For any
 * other part node 0 does not, because the piece `attach` stands for it; a model of one node then
 * adds nothing. The material handle goes into the high half of +0x10. Matrices and tilts of a new
 * piece are the identity, and its life is 1. The pieces are reallocated. For part 0 the header's
 * bounds go into the mesh; bringing bounds up to date is left to the caller (C.5).
 *
 * Errors change nothing. RP_INVALID stands for a tag that exists already, for an `attach` outside
 * the mesh when `part` is not 0, and for more than MESH_MAX_PIECES; RP_UNSUPPORTED for a model of
 * unknown size or a tree deeper than MESH_MAX_DEPTH; RP_CORRUPT for a model without nodes or with a
 * parent that does not precede its child; and RP_NO_MEMORY.
 *
 * The socket rule: flag 0x800 of the new piece's node together with the text of `attach` hides the
 * new piece (reading central, because the sources do not say whose flag it is).
 */
RpStatus Mesh_Merge(const MeshContext *context, Mesh *mesh, const Reader *reader, uint32_t part,
                    int32_t attach, uint32_t material, RpError *error);
/* 0x1000AA70: removes the pieces of a tag and of every part attached to them. The others move up,
 * and parents and part bases are renumbered. The result is false when the tag does not exist or is
 * 0. `left`, which may be null, is called at the end, once for each reader that no piece uses any
 * longer.
 *
 * Removing relies on the order in which merging puts pieces: what is attached comes after what it
 * is attached to, and the pieces of a part lie together. */
bool Mesh_RemovePart(const MeshContext *context, Mesh *mesh, uint32_t part,
                     void (*left)(const MeshContext *context, const Reader *reader));

/* IAnimation method 3; the numbers beside the following functions are methods of it, too. The
 * result is false, and nothing is written, for an unknown id or a piece that does not exist. The
 * answers 0xF and 0x10 are floats, given as bits. */
bool Mesh_QueryNode(const MeshContext *context, const Mesh *mesh, int32_t node, uint32_t id,
                    uint32_t *answer);
uint32_t Mesh_NodeFlags(const Mesh *mesh, int32_t node); /* 7 */
/* Method 8 (E.9). */
enum { MESH_OPERATION_CLEAR = 1, MESH_OPERATION_SUBTREE = 0x200 };
void Mesh_ChangeNodeFlags(Mesh *mesh, int32_t node, uint32_t mask, uint32_t operation);
float Mesh_NodePhase(const Mesh *mesh, int32_t node); /* 9 */
/* Methods 10 and 25. Numbers are passed by pointer so that all their bits are copied; the x87 may
 * quiet a signalling NaN that is passed by value. Under the reading pose-cache=weight-clears,
 * and only there, a new weight clears the pose cache. */
void Mesh_SetNodePhase(const MeshContext *context, Mesh *mesh, int32_t node, const float *phase,
                       const float *weight);
void Mesh_SetNodeFramePairs(Mesh *mesh, int32_t node, const int32_t pairs[4]);        /* 12 */
int32_t Mesh_FirstPieceOfPart(const Mesh *mesh, uint32_t part);                       /* 14 */
uint32_t Mesh_PieceCountOfPart(const Mesh *mesh, uint32_t part);                      /* 15 */
int32_t Mesh_NodeStage(const Mesh *mesh, int32_t node);                               /* 16 */
void Mesh_SetNodeStage(Mesh *mesh, int32_t node, int32_t stage);                      /* 17 */
uint32_t Mesh_StageCount(const MeshContext *context, const Mesh *mesh, int32_t node); /* 18 */
void Mesh_SetPhase(const MeshContext *context, Mesh *mesh, const float *phase, const float *weight);
void Mesh_SetFramePairs(Mesh *mesh, const int32_t pairs[4]); /* 26 */
/* Slot 29: +0x14 is the parent. The other words are 0, because what they mean is not published. */
void Mesh_NodeRecord(const Mesh *mesh, int32_t node, uint32_t record[6]);
/* Slots 33 to 35. A view is a pointer, or any other word. The views are kept at +0x1C8, in memory
 * of the allocator. A view that exists already is not added again. */
RpStatus Mesh_AddView(const MeshContext *context, Mesh *mesh, uintptr_t view, RpError *error);
bool Mesh_IsView(const Mesh *mesh, uintptr_t view);
void Mesh_RemoveView(Mesh *mesh, uintptr_t view);

/* Finds the slot of a level from 0 to 4 (E.2). A variant of -1 means the piece's own. Returns false
 * when there is no slot. */
bool Mesh_FindSlot(const MeshContext *context, const Piece *piece, int32_t level, int32_t variant,
                   MeshSlot *slot);
/* Returns whether `ancestor` is `node` or above it. A piece that does not follow its parent counts
 * as nobody's child. */
bool Mesh_IsWithin(const Mesh *mesh, int32_t node, int32_t ancestor);

/* ---- posing: mesh_pose.c --------------------------------------------------------------------- */

enum { SPACE_MODEL = 0, SPACE_NODE = 1, SPACE_WORLD = 2 };

void Mesh_ClearPoseCache(Mesh *mesh);                   /* 0x1000A2A0 */
void Mesh_Pose(const MeshContext *context, Mesh *mesh); /* 0x10008B30, E.7 */
/* IAnimation method 4 poses the mesh first. A mode that does not exist gives the identity. */
void Mesh_NodeMatrix(const MeshContext *context, Mesh *mesh, int32_t node, uint32_t mode,
                     float matrix[16]);
/* IAnimation method 5: sets the world matrix of a piece that posing leaves out. */
void Mesh_SetNodeMatrix(Mesh *mesh, int32_t node, const float matrix[16]);
/* IAnimation method 31 (E.10). Either vector may be null. */
void Mesh_TiltNode(const MeshContext *context, Mesh *mesh, int32_t node, const float *from,
                   const float *to);
/* IAnimation method 32: gives the translation of node 0, from a blend at the mesh's phase and
 * weight. It poses no piece. */
void Mesh_RootTranslation(const MeshContext *context, const Mesh *mesh, float translation[3]);
/* Returns the stored matrix of a space without posing. It is null for SPACE_NODE and for spaces
 * that do not exist. */
const float *Piece_Matrix(const Piece *piece, uint32_t space);

/* ---- bounds: mesh_bounds.c ------------------------------------------------------------------- */

/* 0x10011850: makes the eight corners of a box. */
void Bounds_FillCorners(const float low[3], const float high[3], float corners[24]);
/* IJointMesh methods 4, 3 and 5 (E.11). They use the matrices as they are. A null request has the
 * meaning of one that is all zeros. */
void Mesh_Box(const MeshContext *context, Mesh *mesh, int32_t node, uint32_t mode,
              const JointRequest *request, float corners[24]);
void Mesh_Sphere(const MeshContext *context, Mesh *mesh, int32_t node, uint32_t mode,
                 const JointRequest *request, float sphere[4]);
void Mesh_NodeCapsule(const MeshContext *context, Mesh *mesh, int32_t node, uint32_t mode,
                      const JointRequest *request, float capsule[7]);
/* 0x10009510 poses the mesh first. */
void Mesh_UpdateBounds(const MeshContext *context, Mesh *mesh);
void Mesh_AgentSphere(const Mesh *mesh, uint32_t mode, float centre[3],
                      float *radius);                                 /* IMesh2 9 */
void Mesh_Capsule(const Mesh *mesh, uint32_t mode, float capsule[7]); /* 12 */
void Mesh_Scale(const Mesh *mesh, float scale[3]);                    /* 14 */
/* Slot 15 (E.12): sets the flag, and scales the translations of every piece's matrices and every
 * bound. */
void Mesh_SetScale(const MeshContext *context, Mesh *mesh, const float scale[3]);
/* These multiply the matrix with (point, 1), or with a vector without the translation, in the order
 * of docs/reference/arithmetic.md. */
void Bounds_Transform(const float matrix[16], const float point[3], float result[3]);
void Bounds_Turn(const float matrix[16], const float vector[3], float result[3]);

/* ---- walking geometry: mesh_walk.c ----------------------------------------------------------- */

/* One triangle, as a query sees it. */
typedef struct MeshWalkTriangle {
    const MeshModel *model;
    const MeshBatch *batch;
    const MeshTriangle *record;
    int32_t node;            /* index of the piece */
    uint32_t batch_index;    /* number of the batch in the model */
    uint32_t batch_triangle; /* number of the triangle in the batch */
    uint32_t triangle;       /* number of the triangle in the model */
    float vertices[3][3];    /* in node space, times the scale */
    float normal[3];         /* the stored normal, s16 / 32767, in node space */
} MeshWalkTriangle;

typedef struct MeshVisitor MeshVisitor;
struct MeshVisitor {
    /* A result of false leaves out the piece's geometry. The visitor is also asked about hidden
     * pieces (E.19). */
    bool (*node)(MeshVisitor *visitor, const MeshContext *context, const Mesh *mesh, int32_t node,
                 const MeshSlot *slot);
    void (*triangle)(MeshVisitor *visitor, const MeshContext *context, const Mesh *mesh,
                     const MeshWalkTriangle *triangle);
    /* Sets the bits of the triangles that the visitor has to see. Returns false when it has to see
     * all of them. This is called after node(), and only for a slot whose faces are prepared. */
    bool (*choose)(MeshVisitor *visitor, const MeshContext *context, const Mesh *mesh, int32_t node,
                   const struct MeshPrepared *prepared, uint32_t slot, uint64_t *chosen);
};

/* 0x10008120 walks one piece, over the batches and triangles that the query's masks let through;
 * with a null query, over all. Mesh_WalkSubtree walks every piece of a subtree (-1: all pieces) in
 * index order. With -1 and null it is 0x10007E90, which knows no masks. The level is 0 and the
 * variant -1.
 *
 * A batch has (index_count + 2) / 3 triangles. The slot's triangles are numbered through all its
 * batches, whether a batch is left out or not. A triangle with an index or a vertex that does not
 * exist is left out. A batch or triangle that does not exist ends the piece. */
void Mesh_WalkPiece(const MeshContext *context, const Mesh *mesh, int32_t node,
                    const MeshQuery *query, MeshVisitor *visitor);
void Mesh_WalkSubtree(const MeshContext *context, const Mesh *mesh, int32_t node,
                      const MeshQuery *query, MeshVisitor *visitor);
/* These return whether the flags of a batch or a triangle have all required bits and no excluded
 * one. With a null query the result is true. */
bool MeshQuery_TakesBatch(const MeshQuery *query, uint32_t flags);
bool MeshQuery_TakesTriangle(const MeshQuery *query, uint32_t flags);
/* Returns whether PIECE_HIDDEN is set; false for a piece that does not exist. */
bool Mesh_IsHidden(const Mesh *mesh, int32_t node);
/* Gives the slot's sphere in world space. The centre is transformed by the piece's world matrix;
 * centre and radius are multiplied by the scale. */
void Mesh_SlotSphere(const Mesh *mesh, int32_t node, const MeshSlot *slot, float sphere[4]);
/* Gives the vertices, transformed by the piece's world matrix, and the normal, rotated by it. */
void Mesh_WorldTriangle(const Mesh *mesh, const MeshWalkTriangle *triangle, float corners[9],
                        float normal[3]);
/* Gives the stored normal, s16 / 32767. */
void MeshTriangle_Normal(const MeshTriangle *triangle, float normal[3]);
/* Gives -(normal . corner), the plane's offset in calls of slot 45. */
void Mesh_PlaneOffset(const float normal[3], const float corner[3], float *offset);
/* Sets everything of a hit except its object. */
void MeshHit_Set(MeshHit *hit, const MeshWalkTriangle *triangle, const float point[3],
                 float distance);

/* ---- queries: mesh_segment.c, mesh_face.c, mesh_push.c, mesh_inside.c ------------------------ */

/* A segment is given by its start and its end. Points and segments are in world space. The pieces'
 * matrices are used as they are, so pose the mesh first. When the result is false nothing is
 * written. hit->object is never written, because the caller knows it. Of a query only the masks of
 * batches and triangles count. docs/reference/mesh.md, "Queries", lists what is assumed. */

/* IJointMesh method 10, IMesh2 method 6 (E.14). hit->distance is squared. Mode 1 tests the piece
 * alone, any other mode its subtree. `most` is the greatest squared distance that counts. */
bool Mesh_NodeSegment(const MeshContext *context, const Mesh *mesh, int32_t node, uint32_t mode,
                      const float segment[6], const MeshQuery *query, float most, MeshHit *hit);
bool Mesh_Segment(const MeshContext *context, const Mesh *mesh, const float segment[6],
                  const MeshQuery *query, MeshHit *hit);
/* IMesh2 method 7: finds the face straight below or above the point, without a margin.
 * hit->distance is the squared vertical gap. The original tests no masks here, so the query is null
 * for its calls. When the same question is asked again, the original gives the answer that it has
 * kept; ours always looks at the present pose. */
bool Mesh_WalkFace(const MeshContext *context, const Mesh *mesh, const float point[3],
                   const MeshQuery *query, MeshHit *hit);
/* Interface 0x25 method 2 (E.15) does the same as Mesh_WalkFace, but also considers faces beside
 * the point whose squared gap in xy is at most `margin`, which is 0.5 in the game. `direction` is
 * WALK_BELOW or WALK_ABOVE alone; any other value means both. */
enum { WALK_ABOVE = 4 /* or at its height */, WALK_BELOW = 8 };
bool Mesh_WalkFaceWithMargin(const MeshContext *context, const Mesh *mesh, const float point[3],
                             float margin, uint32_t direction, MeshHit *hit);
/* 0x1000D220: returns 1 and writes the height and the squared gap, or returns 0 for a triangle that
 * has no area in xy. */
int Face_PointOver(const float triangle[9], const float point[3], float answer[2]);
/* Interface 0x25 method 3 (E.16), in its seven steps. The caller provides the memory for the faces.
 * If there are more than `capacity`, the nearest are kept, and the others are counted in *dropped,
 * which may be null. Of faces at equal distances, the one that is walked first comes first. The
 * result is true when a face moves the sphere; otherwise `push` is zero. */
typedef struct PushOutFaces {
    struct PushOutFace {
        MeshFace face;
        float distance;
        float direction[3]; /* from the face's nearest point to the centre, of length 1 */
        bool hidden;
    } * faces;
    uint32_t capacity;
} PushOutFaces;
/* The game has two filters. `push` is applied to each gathered face. What the other one selects is
 * not published. With the reading push-gather=masks, it selects the faces that are gathered, and
 * that can therefore hide others. Each may be null, and then lets everything through. */
typedef struct PushOutFilters {
    const MeshQuery *gather, *push;
} PushOutFilters;
bool Mesh_PushOut(const MeshContext *context, const Mesh *mesh, const float centre[3], float radius,
                  const PushOutFilters *filters, const PushOutFaces *room, float push[3],
                  uint32_t *dropped);
int Face_TouchesSphere(const MeshFace *face, const float centre[3], float radius,
                       float *distance); /* 0x1000E900 */
int Face_EdgeTouchesSphere(const float start[3], const float end[3], const float centre[3],
                           const float foot[3], float height, float radius,
                           float *distance); /* 0x1000EB70 */
/* IJointMesh method 7: counts the crossings of a ray with the subtree of `node` (-1: all pieces).
 * An odd number means that the point is inside. The direction of the original's ray is not
 * published; here the ray goes up along z. */
bool Mesh_IsInside(const MeshContext *context, const Mesh *mesh, int32_t node, const float point[3],
                   const MeshQuery *query);

/* ---- descriptors and drawing: mesh_describe.c, mesh_draw.c ----------------------------------- */

/* The public part of the answer of IMesh2 method 3 (E.13), which the original keeps at 0x100270F8.
 * Batches are counted in the model. */
typedef struct BatchDescriptor {
    uint32_t flags;    /* +0x00: the batch's flags; 0x20 is set for a portal */
    uint32_t lightmap; /* +0x08: (wear << 16) | lightmap index; NO_INDEX (0xFFFF): none */
    uint32_t portal;   /* +0x18: piece of the room behind the portal, or NO_INDEX */
    uint32_t material; /* +0x34: piece +0x10 | material; the worn handle if one is worn */
    uint32_t first_index, index_count, base_vertex, vertex_count; /* taken from the batch */
} BatchDescriptor;
bool Mesh_DescribeBatch(const MeshContext *context, const Mesh *mesh, int32_t node, uint32_t batch,
                        BatchDescriptor *descriptor);

/* The public part of the answer of IMesh2 method 5, which the original keeps at 0x10026ED8.
 * Triangles are counted in the batch, which has to belong to the piece's own variant, at any level.
 */
enum { DESCRIBE_UV = 8 }; /* without this bit uv is 0 */
typedef struct TriangleDescriptor {
    uint32_t flags, batch_flags;
    uint32_t indices[3]; /* numbers of vertices in the model */
    float vertices[9];   /* node space, unscaled */
    float normal[3];
    float uv[6]; /* the stored numbers times 1/1024 */
} TriangleDescriptor;
bool Mesh_DescribeTriangle(const MeshContext *context, const Mesh *mesh, int32_t node,
                           uint32_t batch, uint32_t triangle, uint32_t flags,
                           TriangleDescriptor *descriptor);

/* IMesh2 method 11 and IJointMesh method 6 (E.17), up to the point where the original calls the
 * shade. Pieces that are not hidden come in index order, each with the slot of the level and of its
 * own variant, and the slot's batches in order. A piece without a slot at that level is not drawn.
 * Suppressed batches are not left out. The draw mode at level 4 is 2 for a node of the cockpit and
 * 1 for others; at other levels it is 0. */
enum { DRAW_FIRST_PERSON = 4, DRAW_AT_LEVEL_1 = 0x200 };
typedef struct MeshDraw {
    int32_t level;   /* 0 to 3, which the caller chooses by distance; 4 for first person */
    uint32_t flags;  /* the caller's; only 0x200 has an effect: level 1 (0x100225E8) */
    int32_t subtree; /* -1: all */
    void (*batch)(void *user, int32_t node, uint32_t draw_mode, const float world[16],
                  const BatchDescriptor *batch);
    void *user;
} MeshDraw;
void Mesh_Draw(const MeshContext *context, const Mesh *mesh, const MeshDraw *draw);

#endif
