/* Helpers that the tests of queries share: models with geometry, built triangle by triangle, and
 * objects whose pieces are placed by hand. */
#ifndef RETROPOSE_TESTS_ANIMESH_MESH_FIXTURE_H
#define RETROPOSE_TESTS_ANIMESH_MESH_FIXTURE_H

#include "animesh/mesh.h"
#include "animesh/records.h"
#include "core/bytes.h"
#include "tests/test.h"

#include <stddef.h>

enum { SHAPE_NODES = 8, SHAPE_SLOTS = 16, SHAPE_BATCHES = 32, SHAPE_TRIANGLES = 96 };
enum { SCENE_PIECES = 8 };

/* The streams of one model. Each triangle has vertices of its own. */
typedef struct Shape {
    uint8_t nodes[SHAPE_NODES * NODE_BYTES], slots[SHAPE_SLOTS * SLOT_BYTES],
        batches[SHAPE_BATCHES * BATCH_BYTES];
    uint8_t triangles[SHAPE_TRIANGLES * TRIANGLE_BYTES], indices[SHAPE_TRIANGLES * 3 * INDEX_BYTES];
    uint8_t positions[SHAPE_TRIANGLES * 3 * POSITION_BYTES], uv[SHAPE_TRIANGLES * 3 * UV_BYTES];
    MeshModel model; /* a model with known sizes */
    Reader reader;
} Shape;

void Shape_Begin(Shape *shape);
/* Each of these returns the index of what it added. */
uint32_t Shape_AddNode(Shape *shape, uint16_t flags);
/* Batches that are added later belong to this slot. Its sphere is about the origin with a radius of
 * 1000. */
uint32_t Shape_AddSlot(Shape *shape, uint32_t node, uint32_t level, uint32_t variant);
void Shape_SetSphere(Shape *shape, uint32_t slot, float x, float y, float z, float radius);
uint32_t Shape_AddBatch(Shape *shape, uint32_t flags);
/* Adds a triangle to the last batch. The normal is multiplied by 32767 and stored. */
uint32_t Shape_AddTriangle(Shape *shape, const float corners[9], const float normal[3],
                           uint16_t flags);
/* Makes a model of one node with one slot, one batch and one triangle. */
void Shape_MakeTriangle(Shape *shape, uint32_t batch_flags, const float corners[9],
                        const float normal[3]);

typedef struct Scene {
    Mesh mesh;
    Piece pieces[SCENE_PIECES];
    RpArithmetic arithmetic;
    RpPoseCounters counters;
    MeshContext context;
} Scene;

/* Begins an object that is computed by the generic x87 build, whose arithmetic the tests can
 * predict. */
void Scene_Begin(Scene *scene);
/* Begins an object of one piece, which is the first node of the model. */
void Scene_Make(Scene *scene, const Shape *shape);
/* Adds a piece whose three matrices are the identity. */
int32_t Scene_Add(Scene *scene, const Shape *shape, uint32_t node, int32_t parent);
/* Turns a piece by a quarter about z (x to y), and then moves it. */
void Scene_Turn(Scene *scene, int32_t piece, float x, float y, float z);
void Scene_Move(Scene *scene, int32_t piece, float x, float y, float z);
void Scene_SetScale(Scene *scene, float x, float y, float z);

/* The corners (0,0,0), (4,0,0), (0,4,0) are counter-clockwise when seen from above. */
extern const float floor_corners[9];
extern const float up[3], down[3];

void AssertBits(float actual, float expected);
void AssertPoint(const float actual[3], float x, float y, float z);
void AssertNear(const float actual[3], float x, float y, float z, double bound);
float Above(float x); /* returns the next greater number */
float Below(float x);

#endif
