#include "walk.h"

#include "animesh/records.h"
#include "archive.h"
#include "calls.h"
#include "core/hash.h"
#include "exports/animesh_offsets.h"
#include "imports.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#define DIRECTORY_SLOT 4
#define FIND_TYPE_SLOT 8
#define NODES_TYPE     1
#define NODES_COUNT    4 /* offset of attr1 in a directory record */
#define RECORD_BYTES   64
#define NO_PARENT      0xFFFF
#define TOLERANCE      1e-3

/* ---- how the DLLs are reached ---------------------------------------------------------------- */

static const void *Slot(int index) {
    return ((const void *const *)IMPORTED(g_FastProc))[index];
}

/* Returns the code of a published address in the original. In a game folder the original lies
 * beside our DLL under another name, and only ours tells where its own code is. */
static const void *Internal(uint32_t address, uint32_t rva) {
    typedef uintptr_t(__stdcall * Lookup)(uint32_t);
    HMODULE animesh = GetModuleHandleA("AniMesh.dll");
    HMODULE original = GetModuleHandleA("AniMesh.retail.dll");
    Lookup lookup = (Lookup)(uintptr_t)GetProcAddress(animesh, "RetroposeInternal");
    if (!original && lookup)
        return (const void *)lookup(address);
    return (const uint8_t *)(original ? original : animesh) + rva;
}

#define INTERNAL(name) Internal(ADDRESS_animesh_##name, RVA_animesh_##name)

static uint16_t Get16(const uint8_t *bytes) {
    uint16_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

static uint32_t Get32(const uint8_t *bytes) {
    uint32_t dword;
    memcpy(&dword, bytes, sizeof dword);
    return dword;
}

static void Put32(uint8_t *bytes, uint32_t dword) {
    memcpy(bytes, &dword, sizeof dword);
}

/* ---- loading --------------------------------------------------------------------------------- */

typedef int32_t(__attribute__((fastcall)) * FindType)(uintptr_t, uint32_t);
typedef uintptr_t(__attribute__((fastcall)) * Directory)(uintptr_t);

static uint32_t NodeCount(void *file) {
    const void *const *methods = *(const void *const *const *)file;
    uintptr_t self = (uintptr_t)file;
    int32_t entry = ((FindType)(uintptr_t)methods[FIND_TYPE_SLOT])(self, NODES_TYPE);
    const uint8_t *directory =
        (const uint8_t *)((Directory)(uintptr_t)methods[DIRECTORY_SLOT])(self);
    return entry < 0 ? 0 : Get32(directory + RECORD_BYTES * (uint32_t)entry + NODES_COUNT);
}

const char *Walk_Load(const char *model, Walk *walk) {
    static Archive own;
    void *file = (void *)(uintptr_t)Call_ngi32_niOpenResFileEx(IMPORTED(niOpenResFileEx), model, 4);
    memset(walk, 0, sizeof *walk);
    if (!file) {
        walk->own_archive = true;
        if (Archive_Open(model, &own))
            return "the model is no archive";
        file = &own;
    }
    Call_animesh_LoadReader(INTERNAL(LoadReader), walk->reader, file);
    walk->node_count = NodeCount(file);
    walk->frame_count = Get32(walk->reader + READER_AT_frame_count);
    const uint8_t *nodes = (const uint8_t *)(uintptr_t)Get32(walk->reader + READER_AT_nodes);
    if (!nodes || walk->node_count == 0 || walk->node_count > WALK_MAX_NODES ||
        walk->frame_count < 2)
        return "the reader is not filled";
    for (uint32_t i = 0; i < walk->node_count; i++) {
        uint16_t parent = Get16(nodes + NODE_BYTES * i + NODE_AT_parent);
        walk->parents[i] = parent == NO_PARENT ? -1 : parent;
    }
    walk->find_slot = INTERNAL(FindSlot);
    walk->sample_node = INTERNAL(SampleNode);
    walk->blend_poses = INTERNAL(BlendPoses);
    walk->node_string = INTERNAL(NodeString);
    walk->set_column = INTERNAL(SetColumn);
    return NULL;
}

void Walker_Begin(const Walk *walk, uint32_t phase, Walker *walker) {
    memset(walker, 0, sizeof *walker);
    walker->walk = walk;
    walker->phase = phase;
    for (uint32_t i = 0; i < walk->node_count; i++) {
        Put32(walker->pieces[i] + PIECE_AT_node, i);
        Put32(walker->pieces[i] + PIECE_AT_reader, (uint32_t)(uintptr_t)walk->reader);
    }
}

/* ---- checks: the bits by a digest, the meaning by plain arithmetic --------------------------- */

static void Digest(Walker *walker, const void *bytes, uint32_t size) {
    walker->digest = Hash_Fnv64(walker->digest, bytes, size);
}

static void Wrong(Walker *walker, const char *what, uint32_t node, double found, double expected) {
    if (walker->wrong++ == 0)
        snprintf(walker->first_wrong, sizeof walker->first_wrong, "%s of node %u: %g, expected %g",
                 what, (unsigned)node, found, expected);
}

static void ExpectNear(Walker *walker, const char *what, uint32_t node, double found,
                       double expected) {
    if (!(fabs(found - expected) <= TOLERANCE * (1 + fabs(expected))))
        Wrong(walker, what, node, found, expected);
}

static void ExpectProduct(Walker *walker, uint32_t node, const float *a, const float *b,
                          const float *product) {
    for (int i = 0; i < 16; i++) {
        double sum = 0;
        for (int k = 0; k < 4; k++)
            sum += (double)a[i / 4 * 4 + k] * b[4 * k + i % 4];
        ExpectNear(walker, "product", node, product[i], sum);
    }
}

/* ---- one frame ------------------------------------------------------------------------------- */

typedef struct Times {
    float a, b, weight;
} Times;

/* The times go from one time of the cycle to another and back, as one of the game's channels
 * does. */
static Times ChooseTimes(Walker *walker, uint32_t frame) {
    float last = (float)(walker->walk->frame_count - 1), sine = 0, cosine = 0;
    float angle = (float)(frame + walker->phase) * 0.05f;
    Call_ngi32_ngiGetSinCos(IMPORTED(ngiGetSinCos), angle, &sine, &cosine);
    ExpectNear(walker, "sine", 0, sine, sin((double)angle));
    ExpectNear(walker, "cosine", 0, cosine, cos((double)angle));
    Digest(walker, &sine, sizeof sine);
    Digest(walker, &cosine, sizeof cosine);
    Times times = {fmodf((float)(frame + walker->phase) * 0.37f, last),
                   fmodf((float)(frame + 2 * walker->phase) * 0.21f, last), 0.5f + 0.5f * sine};
    if (frame % 16 == 0) /* exactly on a key */
        times.a = (float)(frame / 16 % walker->walk->frame_count);
    if (frame % 10 == 3) /* no second pose */
        times.b = -1;
    if (frame % 10 == 3)
        times.weight = 0;
    return times;
}

static void Sample(Walker *walker, uint32_t node, float time) {
    float quaternion[4], position[3], matrix[16] = {0}, mirrored[16] = {0};
    Call_animesh_SampleNode(walker->walk->sample_node, walker->pieces[node], time, quaternion,
                            position);
    Call_ngi32_slot14(Slot(14), quaternion, matrix);
    Call_ngi32_slot15(Slot(15), quaternion, mirrored);
    double length = 0;
    for (int i = 0; i < 4; i++)
        length += (double)quaternion[i] * quaternion[i];
    ExpectNear(walker, "quaternion", node, length, 1);
    for (int i = 0; i < 3; i++) {
        ExpectNear(walker, "diagonal", node, mirrored[5 * i], matrix[5 * i]);
        double axis = 0;
        for (int k = 0; k < 3; k++)
            axis += (double)matrix[4 * k + i] * matrix[4 * k + i];
        ExpectNear(walker, "axis", node, axis, 1);
    }
    Digest(walker, quaternion, sizeof quaternion);
    Digest(walker, position, sizeof position);
    Digest(walker, matrix, sizeof matrix);
    Digest(walker, mirrored, 12);
}

/* Computes the local matrix, then the model's and the world's (facts/animesh.md E.7). */
static void Pose(Walker *walker, uint32_t node, const Times *times, const float *placement) {
    static const float nowhere[3] = {0, 0, 0};
    float local[16];
    int parent = walker->walk->parents[node];
    Call_animesh_BlendPoses(walker->walk->blend_poses, walker->pieces[node], times->a, times->b,
                            times->weight, local);
    if (parent < 0) {
        Call_animesh_SetColumn(walker->walk->set_column, local, 3, nowhere);
        memcpy(walker->model[node], local, sizeof local);
    } else {
        Call_ngi32_slot28(Slot(28), walker->model[parent], local, walker->model[node]);
        ExpectProduct(walker, node, walker->model[parent], local, walker->model[node]);
    }
    Call_ngi32_slot23(Slot(23), placement, walker->model[node], walker->world[node]);
    ExpectProduct(walker, node, placement, walker->model[node], walker->world[node]);
    Digest(walker, local, sizeof local);
    Digest(walker, walker->model[node], sizeof local);
    Digest(walker, walker->world[node], sizeof local);
}

/* Slot 7 rotates the corner (without the translation, because its reading is open), plain code
 * moves it, and slot 26 brings it back. */
static void MoveCorner(Walker *walker, uint32_t node, int corner, const float *point) {
    const float *world = walker->world[node];
    float rotated[3], turned_back[3], back[3], rotation[16];
    memcpy(rotation, world, sizeof rotation);
    rotation[3] = rotation[7] = rotation[11] = 0;
    Call_ngi32_slot7(Slot(7), rotation, point, rotated);
    memcpy(turned_back, rotated, sizeof turned_back);
    Call_ngi32_slot35(Slot(35), rotation, turned_back);
    float *moved = walker->corners[node][corner];
    for (int i = 0; i < 3; i++)
        moved[i] = rotated[i] + world[4 * i + 3];
    Call_ngi32_slot26(Slot(26), world, moved, back);
    for (int i = 0; i < 3; i++) {
        ExpectNear(walker, "corner", node, back[i], point[i]);
        ExpectNear(walker, "turned corner", node, turned_back[i], point[i]);
    }
    Digest(walker, moved, 12);
    Digest(walker, turned_back, 12);
    Digest(walker, back, 12);
}

static void MoveBox(Walker *walker, uint32_t node) {
    const uint8_t *record = (const uint8_t *)(uintptr_t)Call_animesh_FindSlot(
        walker->walk->find_slot, walker->pieces[node], 0, 0);
    if (!record) {
        Wrong(walker, "slot", node, 0, 1);
        return;
    }
    float box[2][3];
    memcpy(box, record + SLOT_AT_low, sizeof box);
    for (int corner = 0; corner < WALK_CORNERS; corner++) {
        float point[3];
        for (int i = 0; i < 3; i++)
            point[i] = box[corner >> i & 1][i];
        MoveCorner(walker, node, corner, point);
    }
}

/* Computes how the eye sees the top face and what the light makes of it. */
static void Look(Walker *walker, uint32_t node) {
    static const float ambient[3] = {0.1f, 0.1f, 0.15f}, scene[3] = {0.2f, 0.1f, 0.05f};
    static const float ground[4] = {0, 0, 1, -0.25f};
    float(*corners)[3] = walker->corners[node];
    float *colour = walker->colours[node];
    float up[3], centre[3], light[3], above[3], hit[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++) {
        up[i] = corners[4][i] - corners[0][i];
        centre[i] = 0.25f * (corners[4][i] + corners[5][i] + corners[6][i] + corners[7][i]);
        above[i] = corners[0][i];
    }
    double squared = (double)up[0] * up[0] + (double)up[1] * up[1] + (double)up[2] * up[2];
    long double length = Call_ngi32_slot38(Slot(38), up);
    long double inverse = Call_ngi32_slot11(Slot(11), (float)squared);
    ExpectNear(walker, "length", node, (double)length, sqrt(squared));
    ExpectNear(walker, "inverse", node, (double)inverse, 1 / sqrt(squared));
    for (int i = 0; i < 3; i++)
        light[i] = 0.5f + 0.5f * up[i];
    Call_ngi32_slot20(Slot(20), light, ambient, scene, colour);
    above[2] += 10;
    uint32_t meets = Call_ngi32_slot45(Slot(45), above, corners[0], ground, hit);
    /* The plane is z = 0.25. */
    if (meets != (uint32_t)(corners[0][2] < 0.25f))
        Wrong(walker, "crossing", node, meets, corners[0][2] < 0.25f);
    float top[4] = {up[0], up[1], up[2], 0};
    const float *const face[4] = {corners[4], corners[5], corners[7], corners[6]};
    uint32_t inside = Call_ngi32_mrnPointInPoly(IMPORTED(mrnPointInPoly), top, face, 4, centre);
    if (inside != 1)
        Wrong(walker, "centre", node, inside, 1);
    Digest(walker, up, sizeof up);
    Digest(walker, &length, 10);
    Digest(walker, &inverse, 10);
    Digest(walker, colour, 12);
    Digest(walker, hit, sizeof hit);
}

/* The camera's matrix has three rows. */
static void Project(Walker *walker, uint32_t node) {
    static const float camera[12] = {0.8f, 0, 0.6f, 1, 0, 1, 0, -2, -0.6f, 0, 0.8f, 12};
    float seen[12];
    Call_ngi32_slot4(Slot(4), camera, walker->world[node], seen);
    Digest(walker, seen, sizeof seen);
    for (int i = 0; i < 3; i++) {
        double sum = camera[4 * i + 3];
        for (int k = 0; k < 3; k++)
            sum += (double)camera[4 * i + k] * walker->world[node][4 * k + 3];
        ExpectNear(walker, "camera", node, seen[4 * i + 3], sum);
    }
}

/* Allocates a block whose length depends on the number of the frame. */
static void UseMemory(Walker *walker, uint32_t frame) {
    uint32_t size = 16 + frame % 500;
    uint32_t block = Call_ngi32_ngiAlloc(IMPORTED(ngiAlloc), size);
    memset((void *)(uintptr_t)block, 0x5A, size);
    uint32_t measured = Call_ngi32_ngiGetMemSize(IMPORTED(ngiGetMemSize), block);
    if (measured != size)
        Wrong(walker, "block", 0, measured, size);
    Call_ngi32_ngiFree(IMPORTED(ngiFree), block);
}

void Walker_Frame(Walker *walker, uint32_t frame) {
    const float turn = (float)walker->phase;
    float placement[16] = {0.6f, -0.8f, 0, 3 + turn, 0.8f, 0.6f, 0, 4, 0, 0, 1, 1.5f, 0, 0, 0, 1};
    walker->digest = HASH_FNV64_BEGIN;
    Times times = ChooseTimes(walker, frame);
    for (uint32_t node = 0; node < walker->walk->node_count; node++) {
        if ((frame + node) % 4 == 0)
            Sample(walker, node, times.a);
        Pose(walker, node, &times, placement);
        MoveBox(walker, node);
        Look(walker, node);
        Project(walker, node);
    }
    UseMemory(walker, frame);
}
