/* Makes the model that the game walks with: two legs under a hull with a turret, ten nodes, each a
 * box; a cycle of 32 frames.
 *
 *   make_walk FILE
 */
#include "core/files/output.h"
#include "retropose/msh_make.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NODES     10
#define FRAMES    33 /* the last frame equals the first */
#define KEY_STEP  4
#define KEYS      (FRAMES / KEY_STEP + 1)
#define CORNERS   8
#define PI        3.14159265358979323846
#define BOX_INDEX 36

typedef struct Part {
    const char *name, *label;
    int parent;
    float at[3], half[3]; /* the joint in the parent's space, and half the size of the box */
    double swing, phase;  /* swing about x in radians, and its phase in the cycle */
    double bob;           /* movement up and down, twice in a cycle */
    double turn;          /* turn about z */
} Part;

static const Part parts[NODES] = {
    {"hips", "", -1, {0, 0, 2}, {0.6F, 0.4F, 0.3F}, 0, 0, 0.08, 0},
    {"hull", "central", 0, {0, 0, 0.6F}, {0.8F, 0.9F, 0.4F}, 0.05, 0.5, 0, 0},
    {"turret", "e_tur_tt", 1, {0, 0.1F, 0.6F}, {0.4F, 0.5F, 0.25F}, 0, 0, 0, 0.7},
    {"gun", "", 2, {0, 0.8F, 0}, {0.08F, 0.6F, 0.08F}, 0.1, 0.25, 0, 0},
    {"thigh_l", "", 0, {-0.7F, 0, -0.2F}, {0.15F, 0.2F, 0.5F}, 0.6, 0, 0, 0},
    {"shin_l", "", 4, {0, 0, -0.9F}, {0.12F, 0.15F, 0.5F}, 0.5, 0.2, 0, 0},
    {"foot_l", "", 5, {0, 0.1F, -0.6F}, {0.2F, 0.35F, 0.08F}, 0.3, 0.4, 0, 0},
    {"thigh_r", "", 0, {0.7F, 0, -0.2F}, {0.15F, 0.2F, 0.5F}, 0.6, 0.5, 0, 0},
    {"shin_r", "", 7, {0, 0, -0.9F}, {0.12F, 0.15F, 0.5F}, 0.5, 0.7, 0, 0},
    {"foot_r", "", 8, {0, 0.1F, -0.6F}, {0.2F, 0.35F, 0.08F}, 0.3, 0.9, 0, 0},
};

/* The outward faces of a box. Bit i of corner c is set if its coordinate i is high. */
static const uint16_t box[BOX_INDEX] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                        2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};

typedef struct Walk {
    RpMshDescription model;
    RpMshNodeDescription nodes[NODES];
    RpMshSlotDescription slots[NODES];
    RpMshBatchDescription batches[NODES];
    RpMshKey keys[NODES][KEYS];
    float positions[NODES * CORNERS][3];
    int8_t normals[NODES * CORNERS][4];
    uint16_t uv0[NODES * CORNERS][2];
    uint8_t res15[NODES * CORNERS][8];
} Walk;

static void MakeKey(const Part *part, double time, RpMshKey *key) {
    double cycle = 2 * PI * (time / (FRAMES - 1) + part->phase);
    double swing = 0.5 * part->swing * sin(cycle), turn = 0.5 * part->turn * sin(cycle);
    float quaternion[4] = {(float)(cos(swing) * cos(turn)), (float)(sin(swing) * cos(turn)),
                           (float)(sin(swing) * sin(turn)), (float)(cos(swing) * sin(turn))};
    memcpy(key->position, part->at, sizeof key->position);
    key->position[2] += (float)(part->bob * cos(2 * cycle));
    key->time = (float)time;
    RpMsh_EncodeRotation(quaternion, NULL, key->rotation);
}

static void AddBox(Walk *walk, uint32_t node) {
    for (uint32_t c = 0; c < CORNERS; c++) {
        uint32_t vertex = node * CORNERS + c;
        for (int i = 0; i < 3; i++) {
            float sign = c >> i & 1 ? 1.0F : -1.0F;
            walk->positions[vertex][i] = sign * parts[node].half[i];
            walk->normals[vertex][i] = RpMsh_EncodeNormal(sign * 0.57735F);
        }
        walk->uv0[vertex][0] = RpMsh_EncodeUv((float)(c & 1), NULL);
        walk->uv0[vertex][1] = RpMsh_EncodeUv((float)(c >> 1 & 1), NULL);
    }
    walk->batches[node] = (RpMshBatchDescription){.lightmap = 0xFF,
                                                  .portal = RP_MSH_NONE,
                                                  .base_vertex = node * CORNERS,
                                                  .indices = box,
                                                  .index_count = BOX_INDEX};
    walk->slots[node] = (RpMshSlotDescription){.first_batch = node, .batch_count = 1};
}

static void AddNode(Walk *walk, uint32_t index) {
    const Part *part = &parts[index];
    RpMshNodeDescription *node = &walk->nodes[index];
    *node =
        (RpMshNodeDescription){.label = part->label,
                               .parent = part->parent < 0 ? RP_MSH_NONE : (uint16_t)part->parent,
                               .keys = walk->keys[index],
                               .key_count = KEYS};
    snprintf(node->name, sizeof node->name, "%s", part->name);
    memset(node->slots, 0xFF, sizeof node->slots);
    node->slots[0] = (uint16_t)index;
    for (uint32_t k = 0; k < KEYS; k++)
        MakeKey(part, k * KEY_STEP, &walk->keys[index][k]);
    AddBox(walk, index);
}

static void Describe(Walk *walk) {
    memset(walk, 0, sizeof *walk);
    for (uint32_t i = 0; i < NODES; i++)
        AddNode(walk, i);
    walk->model = (RpMshDescription){.name = "walk",
                                     .nodes = walk->nodes,
                                     .node_count = NODES,
                                     .slots = walk->slots,
                                     .slot_count = NODES,
                                     .batches = walk->batches,
                                     .batch_count = NODES,
                                     .vertex_count = NODES * CORNERS,
                                     .positions = (const float(*)[3])walk->positions,
                                     .normals = (const int8_t(*)[4])walk->normals,
                                     .uv0 = (const uint16_t(*)[2])walk->uv0,
                                     .res15 = (const uint8_t(*)[8])walk->res15};
}

static RpStatus Write(const Walk *walk, const char *path, RpError *error) {
    RpNResArchive archive;
    RpBuffer image;
    RpNResArchive_Init(&archive, NULL);
    RpBuffer_Init(&image, NULL);
    RpStatus status = RpMsh_Make(&walk->model, &archive, error);
    if (!status)
        status = RpNResArchive_Write(&archive, RP_NRES_CANONICAL, &image, error);
    if (!status)
        status = Output_WriteBytes(path, image.bytes, image.size, error);
    RpBuffer_Free(&image);
    RpNResArchive_Free(&archive);
    return status;
}

int main(int argc, char **argv) {
    static Walk walk;
    RpError error;
    if (argc != 2) {
        fputs("usage: make_walk FILE\n", stderr);
        return 2;
    }
    Describe(&walk);
    if (Write(&walk, argv[1], &error)) {
        fprintf(stderr, "%s: %s %s\n", argv[1], error.what, error.found);
        return 1;
    }
    return 0;
}
