/* Helpers that the tests of poses and bounds share: models described in numbers and written into
 * streams, objects made of their nodes, and random models and objects. */
#ifndef RETROPOSE_TESTS_ANIMESH_MESH_POSE_FIXTURE_H
#define RETROPOSE_TESTS_ANIMESH_MESH_POSE_FIXTURE_H

#include "animesh/mesh.h"
#include "animesh/streams.h"
#include "tests/bits.h"
#include "tests/test.h"

#include <stddef.h>

enum {
    MODEL_NODES = 40,
    MODEL_KEYS = 160,
    MODEL_SLOTS = 120,
    MODEL_FRAMES = 16,
    MESH_PIECES = 144
};
enum { NO_SLOT = -1 };

typedef struct ModelKey {
    float time, position[3];
    int16_t xyzw[4];
} ModelKey;

typedef struct ModelNode {
    uint16_t flags;
    uint32_t first_key, key_count;
    int16_t slots[3]; /* slots of level 0 by variant, or NO_SLOT */
} ModelNode;

typedef struct ModelSlot {
    float low[3], high[3], sphere[4];
} ModelSlot;

typedef struct TestModel {
    uint32_t node_count, key_count, slot_count;
    ModelNode nodes[MODEL_NODES];
    ModelKey keys[MODEL_KEYS];
    ModelSlot slots[MODEL_SLOTS];
    MeshHeader header;
    /* The streams that TestModel_Finish makes of the description. */
    uint8_t res1[MODEL_NODES * NODE_BYTES], res2[HEADER_BYTES_OF_RES2 + MODEL_SLOTS * SLOT_BYTES],
        res8[MODEL_KEYS * KEY_BYTES];
    uint8_t res19[MODEL_NODES * MODEL_FRAMES * MAP_WORD_BYTES];
    MeshModel model;
    Reader reader;
} TestModel;

/* The functions that add something return its index. A node with one key is static. */
void TestModel_Begin(TestModel *test);
uint32_t TestModel_AddNode(TestModel *test, const ModelKey *keys, uint32_t key_count,
                           uint16_t flags);
uint32_t TestModel_AddSlot(TestModel *test, uint32_t node, int variant, const ModelSlot *slot);
/* Writes the streams again from the description. */
void TestModel_Finish(TestModel *test);

typedef struct TestMesh {
    Mesh mesh;
    Piece pieces[MESH_PIECES];
    RpArithmetic arithmetic;
    RpPoseCounters counters;
    MeshContext context;
} TestMesh;

/* Begins an object without pieces, with identity placement, scale 1, phase and weight 0. All that
 * posing must not touch is filled with 0xA5. The object must not be moved in memory. */
void TestMesh_Begin(TestMesh *test);
int32_t TestMesh_Add(TestMesh *test, TestModel *model, uint32_t node, int32_t parent);
void TestMesh_Choose(TestMesh *test, int reading, int choice);
/* Makes a copy that has its own pieces. */
void TestMesh_Copy(const TestMesh *test, TestMesh *copy);

void TestModel_MakeRandom(TestModel *test, uint64_t *seed);
/* Makes a tree of all nodes of one model and of some of another, with poses as an earlier walk may
 * have left them, and flags of every kind. */
void TestMesh_MakeRandom(TestMesh *test, uint64_t *seed, TestModel *root, TestModel *part);
/* Changes frames, phases, weights and flags. */
void TestMesh_Disturb(TestMesh *test, uint64_t *seed);

float Draw_Number(uint64_t *seed, float reach);

void AssertSameBits(const float *actual, const float *expected, int count);
void AssertNumbers(const float *actual, const float *expected, int count);

enum { GAME_WORD = 0x007F };
uint16_t ControlWord_Set(uint16_t word);

#endif
