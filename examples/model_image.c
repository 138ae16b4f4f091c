#include "model_image.h"
#include "retropose/msh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- NRes ------------------------------------------------------------------------------------ */

enum { HEADER_BYTES = 16, RECORD_BYTES = 64, ALIGNMENT = 8 };

static void PutU16(uint8_t *at, uint32_t value) {
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
}

static void PutU32(uint8_t *at, uint32_t value) {
    PutU16(at, value);
    PutU16(at + 2, value >> 16);
}

static uint32_t Padded(uint32_t size) {
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

uint8_t *ModelImage_Write(const ModelStream *streams, uint32_t count, size_t *size) {
    uint32_t directory = HEADER_BYTES;
    for (uint32_t i = 0; i < count; i++)
        directory += Padded(streams[i].size);
    uint32_t total = directory + count * RECORD_BYTES;
    uint8_t *image = calloc(1, total);
    if (!image)
        return NULL;
    memcpy(image, "NRes", 4);
    PutU32(image + 4, 0x100);
    PutU32(image + 8, count);
    PutU32(image + 12, total);
    uint32_t data = HEADER_BYTES;
    for (uint32_t i = 0; i < count; i++) {
        uint8_t *record = image + directory + i * RECORD_BYTES;
        PutU32(record + 0x00, streams[i].type);
        PutU32(record + 0x04, streams[i].attr1);
        PutU32(record + 0x08, streams[i].attr2);
        PutU32(record + 0x0C, streams[i].size);
        PutU32(record + 0x10, streams[i].attr3);
        snprintf((char *)record + 0x14, 36, "stream %u", (unsigned)streams[i].type);
        PutU32(record + 0x38, data);
        PutU32(record + 0x3C, i);
        if (streams[i].size)
            memcpy(image + data, streams[i].data, streams[i].size);
        data += Padded(streams[i].size);
    }
    *size = total;
    return image;
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
    for (int i = 0; i < 2 * FRAMES; i++)
        PutU16(res19 + 2 * i, frame_map[i]);
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
