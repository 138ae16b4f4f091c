#include "mesh_fixture.h"
#include "tests/of_thread.h"

#include "animesh/streams.h"
#include "core/bytes.h"
#include "formats/synthetic/synthetic_streams.h"

#include <math.h>
#include <string.h>

const float floor_corners[9] = {0, 0, 0, 4, 0, 0, 0, 4, 0};
const float up[3] = {0, 0, 1}, down[3] = {0, 0, -1};

/* ---- streams --------------------------------------------------------------------------------- */

static void PutFloats(uint8_t *at, const float *values, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        Bytes_PutU32(at + 4 * i, bits);
    }
}

static void Add16(uint8_t *at, uint32_t more) {
    Bytes_PutU16(at, Bytes_U16(at) + more);
}

void Shape_Begin(Shape *shape) {
    memset(shape, 0, sizeof *shape);
    MeshModel *model = &shape->model;
    model->bounded = true;
    model->pose.nodes = shape->nodes;
    model->slots.data = shape->slots;
    model->batches.data = shape->batches;
    model->triangles.data = shape->triangles;
    model->indices.data = shape->indices;
    model->positions.data = shape->positions;
    model->uv0.data = shape->uv;
    shape->reader.nodes = shape->nodes;
}

uint32_t Shape_AddNode(Shape *shape, uint16_t flags) {
    RpSkeleton *pose = &shape->model.pose;
    assert_true(pose->node_bytes < sizeof shape->nodes);
    memset(shape->nodes + pose->node_bytes, 0xFF, NODE_BYTES);
    return SyntheticSkeleton_AddNode(pose, flags, NO_INDEX, NO_INDEX, NO_INDEX);
}

void Shape_SetSphere(Shape *shape, uint32_t slot, float x, float y, float z, float radius) {
    const float sphere[4] = {x, y, z, radius};
    PutFloats(shape->slots + SLOT_BYTES * (size_t)slot + SLOT_AT_sphere, sphere, 4);
}

uint32_t Shape_AddSlot(Shape *shape, uint32_t node, uint32_t level, uint32_t variant) {
    uint32_t slot = shape->model.slots.count++;
    uint8_t *record = shape->slots + SLOT_BYTES * (size_t)slot;
    assert_true(slot < SHAPE_SLOTS);
    Bytes_PutU16(shape->nodes + NODE_BYTES * (size_t)node + NODE_AT_slots +
                     2 * (NODE_LEVELS * (size_t)variant + level),
                 slot);
    Bytes_PutU16(record + SLOT_AT_first_triangle, shape->model.triangles.count);
    Bytes_PutU16(record + SLOT_AT_first_batch, shape->model.batches.count);
    Shape_SetSphere(shape, slot, 0, 0, 0, 1000);
    return slot;
}

uint32_t Shape_AddBatch(Shape *shape, uint32_t flags) {
    uint32_t batch = shape->model.batches.count++;
    uint8_t *record = shape->batches + BATCH_BYTES * (size_t)batch;
    assert_true(batch < SHAPE_BATCHES);
    /* This also writes `material`, which is the high half of the flags. */
    Bytes_PutU32(record + BATCH_AT_flags, flags);
    record[BATCH_AT_row] = (uint8_t)batch;
    record[BATCH_AT_lightmap] = 0xFF;
    Bytes_PutU16(record + BATCH_AT_portal, NO_INDEX);
    Bytes_PutU32(record + BATCH_AT_first_index, shape->model.indices.count);
    Bytes_PutU32(record + BATCH_AT_base_vertex, shape->model.positions.count);
    Add16(shape->slots + SLOT_BYTES * (size_t)(shape->model.slots.count - 1) + SLOT_AT_batch_count,
          1);
    return batch;
}

uint32_t Shape_AddTriangle(Shape *shape, const float corners[9], const float normal[3],
                           uint16_t flags) {
    uint32_t triangle = shape->model.triangles.count++;
    uint8_t *batch = shape->batches + BATCH_BYTES * (size_t)(shape->model.batches.count - 1);
    uint8_t *record = shape->triangles + TRIANGLE_BYTES * (size_t)triangle;
    uint32_t first = Bytes_U16(batch + BATCH_AT_index_count);
    assert_true(triangle < SHAPE_TRIANGLES);
    Bytes_PutU16(record + TRIANGLE_AT_flags, flags);
    for (uint32_t i = 0; i < 3; i++) {
        Bytes_PutU16(record + TRIANGLE_AT_normal + 2 * i,
                     (uint32_t)(int32_t)lrintf(normal[i] * 32767.0f));
        Bytes_PutU16(shape->indices + INDEX_BYTES * (size_t)(shape->model.indices.count + i),
                     first + i);
    }
    PutFloats(shape->positions + POSITION_BYTES * (size_t)shape->model.positions.count, corners, 9);
    Add16(batch + BATCH_AT_index_count, 3);
    Add16(batch + BATCH_AT_vertex_count, 3);
    Add16(shape->slots + SLOT_BYTES * (size_t)(shape->model.slots.count - 1) +
              SLOT_AT_triangle_count,
          1);
    shape->model.indices.count += 3;
    shape->model.positions.count += 3;
    shape->model.uv0.count += 3;
    return triangle;
}

void Shape_MakeTriangle(Shape *shape, uint32_t batch_flags, const float corners[9],
                        const float normal[3]) {
    Shape_Begin(shape);
    Shape_AddSlot(shape, Shape_AddNode(shape, 0), 0, 0);
    Shape_AddBatch(shape, batch_flags);
    Shape_AddTriangle(shape, corners, normal, 0);
}

/* ---- objects --------------------------------------------------------------------------------- */

static const MeshModel *Find(const MeshContext *context, const Reader *reader, MeshModel *scratch) {
    (void)context;
    (void)scratch;
    return &((const Shape *)(const void *)((const char *)reader - offsetof(Shape, reader)))->model;
}

static void SetIdentity(float matrix[16]) {
    for (int i = 0; i < 16; i++)
        matrix[i] = i % 5 == 0 ? 1.0f : 0.0f;
}

void Scene_Begin(Scene *scene) {
    memset(scene, 0, sizeof *scene);
    Mesh_Init(&scene->mesh);
    scene->mesh.pieces = (Layout_ref)scene->pieces;
    scene->arithmetic = OfThread(RP_BUILD_GENERIC, NULL);
    scene->context = (MeshContext){.arithmetic = &scene->arithmetic,
                                   .math = &Mesh_LibraryMath,
                                   .find = Find,
                                   .counters = &scene->counters};
}

int32_t Scene_Add(Scene *scene, const Shape *shape, uint32_t node, int32_t parent) {
    uint32_t index = scene->mesh.piece_count++;
    Piece *piece = &scene->pieces[index];
    assert_true(index < SCENE_PIECES);
    piece->node = node;
    piece->parent = parent;
    piece->reader = (Layout_ref)&shape->reader;
    SetIdentity(piece->world);
    SetIdentity(piece->model);
    SetIdentity(piece->local);
    return (int32_t)index;
}

void Scene_Make(Scene *scene, const Shape *shape) {
    Scene_Begin(scene);
    Scene_Add(scene, shape, 0, -1);
}

void Scene_Move(Scene *scene, int32_t piece, float x, float y, float z) {
    float *world = scene->pieces[piece].world;
    world[3] = x;
    world[7] = y;
    world[11] = z;
}

void Scene_Turn(Scene *scene, int32_t piece, float x, float y, float z) {
    static const float turned[16] = {0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    memcpy(scene->pieces[piece].world, turned, sizeof turned);
    Scene_Move(scene, piece, x, y, z);
}

void Scene_SetScale(Scene *scene, float x, float y, float z) {
    const float scale[3] = {x, y, z};
    memcpy(scene->mesh.scale, scale, sizeof scale);
    scene->mesh.scaled = 1;
}

/* ---- numbers --------------------------------------------------------------------------------- */

void AssertBits(float actual, float expected) {
    uint32_t a, b;
    memcpy(&a, &actual, sizeof a);
    memcpy(&b, &expected, sizeof b);
    if (a != b)
        print_error("%a (%g) is not %a (%g)\n", (double)actual, (double)actual, (double)expected,
                    (double)expected);
    assert_int_equal(a, b);
}

void AssertPoint(const float actual[3], float x, float y, float z) {
    AssertBits(actual[0], x);
    AssertBits(actual[1], y);
    AssertBits(actual[2], z);
}

void AssertNear(const float actual[3], float x, float y, float z, double bound) {
    const float expected[3] = {x, y, z};
    for (int i = 0; i < 3; i++) {
        double gap = fabs((double)actual[i] - (double)expected[i]);
        if (!(gap <= bound))
            print_error("[%d]: %g is not %g\n", i, (double)actual[i], (double)expected[i]);
        assert_true(gap <= bound);
    }
}

float Above(float x) {
    return nextafterf(x, INFINITY);
}

float Below(float x) {
    return nextafterf(x, -INFINITY);
}
