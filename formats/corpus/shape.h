/* Shapes for the synthetic corpus: meshes of an exact number of triangles, in integer coordinates
 * of 1/1024 of a unit. Solids are closed if the number is even. An odd number of triangles cannot
 * close a solid, so one triangle of the underside is left out. */
#ifndef RETROPOSE_FORMATS_CORPUS_SHAPE_H
#define RETROPOSE_FORMATS_CORPUS_SHAPE_H

#include "retropose/memory.h"

enum { CORPUS_UNIT = 1024 };

typedef enum CorpusShapeKind {
    CORPUS_SOLID, /* pyramid, prism, cylinder, dome, ball and so on, as the number allows */
    CORPUS_PANEL, /* an open grid, not quite flat */
    CORPUS_WINDOW /* an upright polygon */
} CorpusShapeKind;

typedef struct CorpusShapeRequest {
    CorpusShapeKind kind;
    uint32_t triangles; /* 1 to 8000 */
    uint32_t draw;      /* random number that decides style and texture, but not size */
    int32_t centre[3];
    int32_t half[3]; /* extents from the centre, at least 64 */
    uint32_t axis;   /* axis of solids: 0 is z, 1 is x, 2 is y */
    bool smooth;     /* share vertices as far as possible */
} CorpusShapeRequest;

typedef struct CorpusVertex {
    int32_t at[3];
    int32_t uv[2];   /* in units of 1/1024 */
    uint32_t twin;   /* the vertex on the other side of a seam, which has the same normal */
    int64_t lean[3]; /* sum of face normals */
} CorpusVertex;

typedef struct CorpusShape {
    RpBuffer vertices;  /* elements of type CorpusVertex */
    RpBuffer triangles; /* elements of type uint32_t[3] */
} CorpusShape;

void CorpusShape_Init(CorpusShape *shape, const RpAllocator *allocator);
void CorpusShape_Free(CorpusShape *shape);
uint32_t CorpusShape_VertexCount(const CorpusShape *shape);
uint32_t CorpusShape_TriangleCount(const CorpusShape *shape);
CorpusVertex *CorpusShape_Vertices(const CorpusShape *shape);
uint32_t (*CorpusShape_Triangles(const CorpusShape *shape))[3];

/* Makes a shape, which replaces the one before. Every vertex is used. Returns false if memory is
 * refused. */
bool CorpusShape_Make(CorpusShape *shape, const CorpusShapeRequest *request);
/* Makes the icosahedron, 20 triangles that share 12 vertices. */
bool CorpusShape_MakePoint(CorpusShape *shape);
/* Gives the normal of a vertex times 127. */
void CorpusShape_Normal(const CorpusShape *shape, uint32_t vertex, int8_t normal[3]);

#endif
