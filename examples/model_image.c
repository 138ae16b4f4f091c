#include "model_image.h"
#include "retropose/msh.h"
#include "retropose/nres.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- NRes ------------------------------------------------------------------------------------ */

uint8_t *ModelImage_Write(const ModelStream *streams, uint32_t count, size_t *size) {
    RpNResArchive archive;
    RpBuffer image;
    RpStatus status = RP_OK;
    RpNResArchive_Init(&archive, NULL);
    RpBuffer_Init(&image, NULL);
    for (uint32_t i = 0; i < count && status == RP_OK; i++) {
        RpNResMember member = {.type = streams[i].type,
                               .attr1 = streams[i].attr1,
                               .attr2 = streams[i].attr2,
                               .attr3 = streams[i].attr3,
                               .data = streams[i].data,
                               .size = streams[i].size};
        snprintf(member.name, sizeof member.name, "stream %u", (unsigned)streams[i].type);
        status = RpNResArchive_Add(&archive, i, &member, NULL);
    }
    if (status == RP_OK)
        status = RpNResArchive_Write(&archive, RP_NRES_CANONICAL, &image, NULL);
    RpNResArchive_Free(&archive);
    if (status)
        RpBuffer_Free(&image);
    *size = image.size;
    return image.bytes;
}

/* ---- the tiny model -------------------------------------------------------------------------- */

enum { NODES = 3, KEYS = 6, FRAMES = 9, NONE = RP_MSH_NONE };

/* A node's parent, the start of its block in the frame map, and its last key, which also serves all
 * frames that the map does not cover. */
static const struct {
    uint16_t parent, map_start, fallback;
} nodes[NODES] = {
    {NONE, 0, 2},   /* body */
    {0, FRAMES, 4}, /* arm */
    {1, NONE, 5},   /* hand: one key, no map */
};

/* Rotations are x, y, z, w times 32767. */
static const struct {
    float position[3], time;
    int16_t rotation[4];
} keys[KEYS] = {
    {{0, 0, 0}, 0, {0, 0, 0, 32767}},
    {{1, 0, 0}, 4, {0, 0, 12539, 30273}}, /* 45 degrees about z */
    {{1, 2, 0}, 8, {0, 0, 23170, 23170}}, /* 90 degrees about z */
    {{0, 0, 1}, 0, {0, 0, 0, 32767}},
    {{0, 0, 1}, 8, {23170, 0, 0, 23170}}, /* 90 degrees about x */
    {{0, 0.5f, 0}, 0, {0, 0, 0, 32767}},
};

/* For each frame, this is the key before it, or the node's last key. */
static const uint16_t frame_map[2 * FRAMES] = {0, 0, 0, 0, 1, 1, 1, 1, 2,
                                               3, 3, 3, 3, 3, 3, 3, 3, 4};

uint8_t *ModelImage_Tiny(size_t *size) {
    uint8_t res1[NODES * RP_MSH_NODE_BYTES], res8[KEYS * RP_MSH_KEY_BYTES];
    uint8_t res19[sizeof frame_map];
    for (int i = 0; i < NODES; i++) {
        RpMshNode node = {.parent = nodes[i].parent,
                          .map_start = nodes[i].map_start,
                          .fallback = nodes[i].fallback};
        /* No node has a slot, which would be its geometry. */
        memset(node.slots, 0xFF, sizeof node.slots);
        RpMshNode_Write(&node, res1 + i * RP_MSH_NODE_BYTES);
    }
    for (int i = 0; i < KEYS; i++) {
        RpMshKey key = {.time = keys[i].time};
        memcpy(key.position, keys[i].position, sizeof key.position);
        memcpy(key.rotation, keys[i].rotation, sizeof key.rotation);
        RpMshKey_Write(&key, res8 + i * RP_MSH_KEY_BYTES);
    }
    for (int i = 0; i < 2 * FRAMES; i++) {
        res19[2 * i] = (uint8_t)frame_map[i];
        res19[2 * i + 1] = (uint8_t)(frame_map[i] >> 8);
    }
    const ModelStream streams[] = {
        {.type = 1, .attr1 = NODES, .attr3 = RP_MSH_NODE_BYTES, .data = res1, .size = sizeof res1},
        {.type = 8, .attr1 = KEYS, .attr3 = 4, .data = res8, .size = sizeof res8},
        {.type = 19,
         .attr1 = 2 * FRAMES,
         .attr2 = FRAMES,
         .attr3 = 2,
         .data = res19,
         .size = sizeof res19},
    };
    return ModelImage_Write(streams, 3, size);
}

/* ---- files ----------------------------------------------------------------------------------- */

uint8_t *ModelImage_Read(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    uint8_t *bytes = NULL;
    if (fseek(file, 0, SEEK_END) == 0) {
        long length = ftell(file);
        rewind(file);
        if (length > 0)
            bytes = malloc((size_t)length);
        if (bytes && fread(bytes, 1, (size_t)length, file) != (size_t)length) {
            free(bytes);
            bytes = NULL;
        }
        *size = (size_t)length;
    }
    fclose(file);
    return bytes;
}
