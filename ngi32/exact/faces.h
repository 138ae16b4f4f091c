/* Chooses the faces that a query has to look at. Faces are prepared for this. The tests are those
 * by which animesh/mesh_segment.c, mesh_face.c, mesh_push.c and mesh_inside.c rule out most faces,
 * but here many faces are tested at a time, in the lanes of vector registers
 * (docs/reference/exact.md, "Queries").
 *
 * There is a set of functions for each width of registers. A function may choose too many faces,
 * but it never leaves out one that the query would answer with, as long as no flag of MXCSR is
 * raised meanwhile:
 *
 *     uint32_t before = Exact_Enter();
 *     width->segment(faces, ...);
 *     if (!Exact_Leave(before)) every face has to be looked at;
 */
#ifndef RETROPOSE_NGI32_EXACT_FACES_H
#define RETROPOSE_NGI32_EXACT_FACES_H

#include "ngi32/processor/in_software.h"

#include <stdbool.h>
#include <stdint.h>

enum { EXACT_BLOCK = 8, EXACT_MOST_FACES = 16384, EXACT_FACE_WORDS = EXACT_MOST_FACES / 64 };
enum { EXACT_TREE_LEVELS = 4 }; /* enough for EXACT_MOST_FACES: 8^5 faces */
#define EXACT_NO_FACE UINT32_MAX

/* The room that the tests leave for roundings, as a part of the sizes of numbers. Each is at least
 * a third more than is proven to be needed (arc_errors.h), which a test checks. */
#define EXACT_EDGE_MARGIN 0x40p-24f /* a crossing beside a face's edge */
#define EXACT_BOX_MARGIN  0x20p-24f /* a box beside a segment */
#define EXACT_FACE_MARGIN 0x20p-24f /* an accepted crossing beside its face's rectangle */
#define EXACT_GAP_MARGIN  0x20p-24f /* a point beside the box of a face's corners */

/* Eight faces, in the space of their node. Lanes without a face have zeros and EXACT_NO_FACE. */
typedef struct ExactBlock {
    float normal[3][EXACT_BLOCK]; /* as stored: s16 / 32767 */
    float offset[EXACT_BLOCK];    /* -(normal . first corner), rounded as slot 45's callers do */
    float corner[3][3][EXACT_BLOCK];
    uint32_t number[EXACT_BLOCK]; /* the face's place in the walk over its slot */
} ExactBlock;

/* The boxes of eight blocks, or of eight sets of such boxes. */
typedef struct ExactBoxes {
    float least[3][EXACT_BLOCK], most[3][EXACT_BLOCK];
} ExactBoxes;

/* The faces that mrnPointInPoly projects along one axis. Only the first blocks have boxes. The
 * faces of the other blocks may be hit outside of their corners' box, because they have hardly any
 * area or turn the wrong way. */
typedef struct ExactTree {
    const ExactBlock *blocks;
    uint32_t boxed, block_count;
    const ExactBoxes *levels[EXACT_TREE_LEVELS]; /* the first one has the boxes of blocks */
    uint32_t counts[EXACT_TREE_LEVELS];          /* how many boxes a level has that are not empty */
    uint32_t level_count;
    bool two_sided; /* at least one face is two-sided */
    float extent;   /* the greatest size of a coordinate */
    float slack;    /* how far from its box the rounded test may accept a point */
} ExactTree;

/* The faces of a slot. A count of 0 means that they are not prepared. */
typedef struct ExactFaces {
    uint32_t count;
    const uint32_t *odd; /* faces that are in no tree, because of the sizes of their coordinates */
    uint32_t odd_count;
    ExactTree trees[3]; /* by the axis along which they are projected */
    void *memory;       /* the memory that the pointers above lead into */
} ExactFaces;

/* Each function sets the bits of the faces that it chooses in `chosen`, by their numbers. The odd
 * faces have to be looked at in any case. */
typedef struct ExactFaceWidth {
    const char *name;
    /* Chooses faces that a segment may cross, for slot 45 in either build, whichever choice is
     * taken of plane-far, plane-division and plane-newton, and for mrnPointInPoly. `reach` is the
     * greatest size of a coordinate of the segment, and less than 2^60. */
    void (*segment)(const ExactFaces *faces, const float segment[6], float reach, uint64_t *chosen);
    /* Chooses faces whose plane a sphere in the world touches from the face's front. */
    void (*sphere)(const ExactFaces *faces, const float world[16], const float centre[3],
                   float radius, uint64_t *chosen);
    /* Chooses walkable faces under or over a point or, if `reach` is not negative, beside it by no
     * more than that. */
    void (*over)(const ExactFaces *faces, const float world[16], const float point[3], float least,
                 float reach, uint64_t *chosen);
    /* Chooses faces that a line along z through a point crosses. */
    void (*across)(const ExactFaces *faces, const float world[16], const float point[3],
                   uint64_t *chosen);
} ExactFaceWidth;

extern const ExactFaceWidth exact_faces_sse2;
#if MACHINE_HAS_X87 && defined(__x86_64__)
extern const ExactFaceWidth exact_faces_avx2; /* not for 32-bit programs: see many.h */
#endif

/* Returns the widths that this processor has, narrowest first. Null ends the list. Call it only
 * where the processor has SSE2. */
const ExactFaceWidth *const *Exact_FaceWidths(void);

#endif
