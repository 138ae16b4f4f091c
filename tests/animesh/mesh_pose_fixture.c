#include "mesh_pose_fixture.h"
#include "tests/of_thread.h"

#include "animesh/column.h"
#include "core/bytes.h"
#include "core/random.h"
#include "formats/synthetic/synthetic_streams.h"
#include "retropose/fastproc.h"

#include <math.h>
#include <string.h>

/* ---- models ---------------------------------------------------------------------------------- */

void TestModel_Begin(TestModel *test) {
    memset(test, 0, sizeof *test);
}

uint32_t TestModel_AddNode(TestModel *test, const ModelKey *keys, uint32_t key_count,
                           uint16_t flags) {
    assert_true(test->node_count < MODEL_NODES && test->key_count + key_count <= MODEL_KEYS);
    test->nodes[test->node_count] =
        (ModelNode){flags, test->key_count, key_count, {NO_SLOT, NO_SLOT, NO_SLOT}};
    memcpy(test->keys + test->key_count, keys, key_count * sizeof *keys);
    test->key_count += key_count;
    return test->node_count++;
}

uint32_t TestModel_AddSlot(TestModel *test, uint32_t node, int variant, const ModelSlot *slot) {
    assert_true(test->slot_count < MODEL_SLOTS);
    test->slots[test->slot_count] = *slot;
    test->nodes[node].slots[variant] = (int16_t)test->slot_count;
    return test->slot_count++;
}

static void WriteKeys(TestModel *test, RpSkeleton *pose) {
    for (uint32_t i = 0; i < test->key_count; i++) {
        RpMshKey key;
        memcpy(key.position, test->keys[i].position, sizeof key.position);
        memcpy(&key.time, &test->keys[i].time, sizeof key.time);
        memcpy(key.rotation, test->keys[i].xyzw, sizeof key.rotation);
        SyntheticSkeleton_AddKey(pose, &key);
    }
}

static void WriteNodes(TestModel *test, RpSkeleton *pose) {
    memset(test->res1, 0xFF, sizeof test->res1);
    for (uint32_t i = 0; i < test->node_count; i++) {
        const ModelNode *node = &test->nodes[i];
        const uint32_t last = node->first_key + node->key_count - 1;
        const uint32_t map_start = node->key_count > 1
                                       ? SyntheticSkeleton_AddFrames(pose, node->first_key, last)
                                       : NO_INDEX;
        SyntheticSkeleton_AddNode(pose, node->flags, NO_INDEX, map_start, last);
        for (int variant = 0; variant < 3; variant++)
            Bytes_PutU16(test->res1 + NODE_BYTES * i + NODE_AT_slots + 2 * NODE_LEVELS * variant,
                         (uint16_t)node->slots[variant]);
    }
}

static void WriteSlots(TestModel *test) {
    const MeshHeader *header = &test->header;
    memcpy(test->res2 + HEADER_AT_corners, header->corners, sizeof header->corners);
    memcpy(test->res2 + HEADER_AT_sphere, header->sphere, sizeof header->sphere);
    memcpy(test->res2 + HEADER_AT_axis_low, header->capsule, sizeof header->capsule);
    for (uint32_t i = 0; i < test->slot_count; i++) {
        const ModelSlot *slot = &test->slots[i];
        uint8_t *to = test->res2 + HEADER_BYTES_OF_RES2 + SLOT_BYTES * i;
        memset(to, 0xA5, SLOT_BYTES);
        memcpy(to + SLOT_AT_low, slot->low, sizeof slot->low);
        memcpy(to + SLOT_AT_high, slot->high, sizeof slot->high);
        memcpy(to + SLOT_AT_sphere, slot->sphere, sizeof slot->sphere);
    }
    test->model.header = test->res2;
    test->model.slots = (MeshStream){test->res2 + HEADER_BYTES_OF_RES2, test->slot_count};
}

void TestModel_Finish(TestModel *test) {
    RpSkeleton *pose = &test->model.pose;
    *pose = (RpSkeleton){.nodes = test->res1,
                         .keys = test->res8,
                         .frame_map = test->res19,
                         .frame_count = MODEL_FRAMES};
    WriteKeys(test, pose);
    WriteNodes(test, pose);
    WriteSlots(test);
    test->model.bounded = true;
}

static const TestModel *ModelOfReader(const Reader *reader) {
    return (const TestModel *)(const void *)((const char *)reader - offsetof(TestModel, reader));
}

static const MeshModel *Find(const MeshContext *context, const Reader *reader, MeshModel *scratch) {
    (void)context;
    (void)scratch;
    return &ModelOfReader(reader)->model;
}

/* ---- objects --------------------------------------------------------------------------------- */

void TestMesh_Begin(TestMesh *test) {
    memset(test, 0xA5, sizeof *test);
    test->arithmetic = OfThread(RP_BUILD_GENERIC, NULL);
    memset(&test->counters, 0, sizeof test->counters);
    test->context = (MeshContext){.arithmetic = &test->arithmetic,
                                  .math = &Mesh_LibraryMath,
                                  .find = Find,
                                  .counters = &test->counters};
    Mesh *mesh = &test->mesh;
    mesh->pieces = (const uint8_t *)test->pieces;
    mesh->piece_count = 0;
    mesh->scaled = 0;
    mesh->scale[0] = mesh->scale[1] = mesh->scale[2] = 1.0f;
    Matrix_SetIdentity(mesh->placement);
    mesh->a_first = mesh->a_last = mesh->b_first = mesh->b_last = 0;
    mesh->phase = mesh->weight = 0.0f;
}

int32_t TestMesh_Add(TestMesh *test, TestModel *model, uint32_t node, int32_t parent) {
    int32_t index = (int32_t)test->mesh.piece_count++;
    assert_true(index < MESH_PIECES);
    Piece *piece = &test->pieces[index];
    piece->tag = 0;
    piece->part_base = 0;
    piece->node = node;
    piece->flags = index == 0 ? PIECE_FIRST_OF_PART : 0;
    piece->parent = parent;
    piece->variant = 0;
    for (int i = 0; i < 4; i++)
        piece->previous_tilt[i] = piece->tilt[i] = i == 0 ? 1.0f : 0.0f;
    piece->a_first = piece->a_last = piece->b_first = piece->b_last = 0;
    piece->cache_valid = piece->flying = piece->own_segment = piece->tilted = 0;
    piece->phase = piece->weight = 0.0f;
    piece->reader = (const uint8_t *)&model->reader;
    return index;
}

void TestMesh_Choose(TestMesh *test, int reading, int choice) {
    test->arithmetic.readings.choice[reading] = (uint8_t)choice;
}

void TestMesh_Copy(const TestMesh *test, TestMesh *copy) {
    memcpy(copy, test, sizeof *copy);
    copy->mesh.pieces = (const uint8_t *)copy->pieces;
    copy->context.arithmetic = &copy->arithmetic;
    copy->context.counters = &copy->counters;
}

/* ---- random ---------------------------------------------------------------------------------- */

static bool Once(uint64_t *seed, uint32_t in) {
    return Random_SplitMixBelow(seed, in) == 0;
}

float Draw_Number(uint64_t *seed, float reach) {
    int32_t bits = (int32_t)(Random_SplitMix(seed) >> 40) - 0x800000; /* from -2^23 to 2^23 */
    return (float)bits * 0x1p-23f * reach;
}

static float RandomPhase(uint64_t *seed) {
    return (float)Random_SplitMixBelow(seed, 0x1000001) * 0x1p-24f;
}

static void RandomTurn(uint64_t *seed, int16_t xyzw[4]) {
    double q[4], length = 0;
    do {
        length = 0;
        for (int i = 0; i < 4; i++) {
            q[i] = (double)Draw_Number(seed, 1.0f);
            length += q[i] * q[i];
        }
    } while (length < 0.01 || length > 1);
    for (int i = 0; i < 4; i++)
        xyzw[i] = (int16_t)lrint(q[i] / sqrt(length) * 32767);
}

static uint32_t RandomKeys(uint64_t *seed, ModelKey keys[4]) {
    uint32_t count = 1 + Random_SplitMixBelow(seed, 4);
    for (uint32_t i = 0; i < count; i++) {
        keys[i].time = i == 0 ? 0 : keys[i - 1].time + 3.0f;
        for (int axis = 0; axis < 3; axis++)
            keys[i].position[axis] = Draw_Number(seed, 30);
        RandomTurn(seed, keys[i].xyzw);
    }
    return count;
}

static void RandomSlot(uint64_t *seed, ModelSlot *slot) {
    for (int i = 0; i < 3; i++) {
        slot->low[i] = Draw_Number(seed, 20);
        slot->high[i] = slot->low[i] + fabsf(Draw_Number(seed, 20));
        slot->sphere[i] = Draw_Number(seed, 20);
    }
    slot->sphere[3] = fabsf(Draw_Number(seed, 20));
}

void TestModel_MakeRandom(TestModel *test, uint64_t *seed) {
    TestModel_Begin(test);
    uint32_t count = 2 + Random_SplitMixBelow(seed, 14);
    for (uint32_t i = 0; i < count; i++) {
        ModelKey keys[4];
        uint32_t key_count = RandomKeys(seed, keys);
        uint16_t flags = (uint16_t)(Once(seed, 3) ? Random_SplitMixBelow(seed, 32) : 0);
        uint32_t node = TestModel_AddNode(test, keys, key_count, flags);
        for (int variant = 0; variant < 3; variant++) {
            ModelSlot slot;
            RandomSlot(seed, &slot);
            if (!Once(seed, 4))
                TestModel_AddSlot(test, node, variant, &slot);
        }
    }
    for (int i = 0; i < 24; i++)
        test->header.corners[i] = Draw_Number(seed, 40);
    for (int i = 0; i < 7; i++)
        test->header.capsule[i] = Draw_Number(seed, 40);
    for (int i = 0; i < 3; i++)
        test->header.sphere[i] = Draw_Number(seed, 40);
    test->header.sphere[3] = fabsf(Draw_Number(seed, 40));
    TestModel_Finish(test);
}

static void RandomMatrix(uint64_t *seed, float matrix[16]) {
    Matrix_SetIdentity(matrix);
    for (int i = 0; i < 11; i++)
        if (i % 4 != 3)
            matrix[i] = Draw_Number(seed, 1);
    for (int i = 3; i < 12; i += 4)
        matrix[i] = Draw_Number(seed, 50);
}

static void RandomQuaternion(uint64_t *seed, float wxyz[4]) {
    int16_t xyzw[4];
    RandomTurn(seed, xyzw);
    for (int i = 0; i < 4; i++)
        wxyz[i] = (float)xyzw[(i + 3) % 4] / 32767.0f;
}

static void RandomScale(uint64_t *seed, Mesh *mesh) {
    mesh->scaled = Once(seed, 2);
    for (int i = 0; i < 3; i++)
        mesh->scale[i] = 1.5f + Draw_Number(seed, 1.0f);
}

/* The game leaves a side out by frame -1. */
static int32_t RandomFrame(uint64_t *seed) {
    return Once(seed, 8) ? -1 : (int32_t)Random_SplitMixBelow(seed, MODEL_FRAMES);
}

void TestMesh_Disturb(TestMesh *test, uint64_t *seed) {
    Mesh *mesh = &test->mesh;
    mesh->a_first = RandomFrame(seed);
    mesh->a_last = RandomFrame(seed);
    mesh->b_first = RandomFrame(seed);
    mesh->b_last = RandomFrame(seed);
    mesh->phase = RandomPhase(seed);
    mesh->weight = RandomPhase(seed);
    for (uint32_t i = 0; i < mesh->piece_count; i++) {
        Piece *piece = &test->pieces[i];
        piece->a_first = RandomFrame(seed);
        piece->a_last = RandomFrame(seed);
        piece->b_first = RandomFrame(seed);
        piece->b_last = RandomFrame(seed);
        piece->phase = RandomPhase(seed);
        piece->weight = RandomPhase(seed);
        piece->flying = Once(seed, 10);
        piece->own_segment = Once(seed, 4);
        piece->tilted = Once(seed, 4);
        piece->variant = (int32_t)Random_SplitMixBelow(seed, 3);
        RandomQuaternion(seed, piece->tilt);
        RandomQuaternion(seed, piece->previous_tilt);
    }
}

static void AddRandomPiece(TestMesh *test, uint64_t *seed, TestModel *model, uint32_t node,
                           int32_t parent) {
    Piece *piece = &test->pieces[TestMesh_Add(test, model, node, parent)];
    RandomMatrix(seed, piece->world);
    RandomMatrix(seed, piece->model);
    RandomMatrix(seed, piece->local);
    piece->cache_valid = Once(seed, 2);
    piece->cached_a = (float)Random_SplitMixBelow(seed, 8);
    piece->cached_b = (float)Random_SplitMixBelow(seed, 8);
}

void TestMesh_MakeRandom(TestMesh *test, uint64_t *seed, TestModel *root, TestModel *part) {
    TestMesh_Begin(test);
    for (uint32_t i = 0; i < root->node_count; i++) {
        bool is_root = i == 0 || Once(seed, 12);
        AddRandomPiece(test, seed, root, i, is_root ? -1 : (int32_t)Random_SplitMixBelow(seed, i));
    }
    int32_t attach = (int32_t)Random_SplitMixBelow(seed, root->node_count);
    int32_t base = (int32_t)test->mesh.piece_count;
    for (uint32_t i = 1; i < part->node_count; i++) {
        int32_t parent = i == 1 ? attach : base + (int32_t)Random_SplitMixBelow(seed, i - 1);
        AddRandomPiece(test, seed, part, i, parent);
        test->pieces[base + (int32_t)i - 1].tag = 7;
    }
    test->pieces[base].flags |= PIECE_FIRST_OF_PART;
    RandomScale(seed, &test->mesh);
    RandomMatrix(seed, test->mesh.placement);
    TestMesh_Disturb(test, seed);
}

/* ---- comparison ------------------------------------------------------------------------------ */

void AssertSameBits(const float *actual, const float *expected, int count) {
    for (int i = 0; i < count; i++)
        if (BitsAt(&actual[i]) != BitsAt(&expected[i]))
            fail_msg("number %d: %08x, expected %08x", i, (unsigned)BitsAt(&actual[i]),
                     (unsigned)BitsAt(&expected[i]));
}

void AssertNumbers(const float *actual, const float *expected, int count) {
    for (int i = 0; i < count; i++)
        if (!(actual[i] == expected[i]))
            fail_msg("number %d: %.9g, expected %.9g", i, (double)actual[i], (double)expected[i]);
}

uint16_t ControlWord_Set(uint16_t word) {
    uint16_t before = RpFpu_ControlWord();
    RpFpu_Restore(word);
    return before;
}
