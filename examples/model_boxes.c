#include "model_boxes.h"

#include "model_image.h"
#include "retropose/msh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, FACES = 6, VERTICES = 8, TRIANGLES = 12, INDICES = 36 };
enum { POSITION_BYTES = 12, LABEL_BYTES = 64, MOST_FRAMES = 64 };

typedef struct Streams {
    uint8_t nodes[MOST * RP_MSH_NODE_BYTES], slots[RP_MSH_HEADER_BYTES + MOST * RP_MSH_SLOT_BYTES];
    uint8_t positions[MOST * VERTICES * POSITION_BYTES], normals[MOST * VERTICES * 4];
    uint8_t uv[MOST * VERTICES * 4], indices[MOST * INDICES * 2];
    uint8_t triangles[MOST * TRIANGLES * RP_MSH_TRIANGLE_BYTES], batches[MOST * RP_MSH_BATCH_BYTES];
    uint8_t keys[2 * MOST * RP_MSH_KEY_BYTES], frame_map[MOST * MOST_FRAMES * 2];
    uint8_t labels[MOST * LABEL_BYTES];
    uint32_t key_count, map_words, label_bytes;
} Streams;

/* ---- bytes ----------------------------------------------------------------------------------- */

static void PutU16(uint8_t *at, uint32_t value) {
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
}

static void PutU32(uint8_t *at, uint32_t value) {
    PutU16(at, value);
    PutU16(at + 2, value >> 16);
}

static void PutFloats(uint8_t *at, const float *values, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        PutU32(at + 4 * i, bits);
    }
}

/* ---- nodes and keys -------------------------------------------------------------------------- */

static int Moves(const ModelBox *box) {
    static const int16_t still[4];
    return memcmp(box->turned, still, sizeof still) != 0 || box->moved[0] != 0 ||
           box->moved[1] != 0 || box->moved[2] != 0;
}

static void PutKey(Streams *to, const float position[3], float time, const int16_t rotation[4]) {
    static const int16_t identity[4] = {0, 0, 0, 32767};
    static const int16_t none[4];
    RpMshKey key = {.time = time};
    if (memcmp(rotation, none, sizeof none) == 0)
        rotation = identity;
    memcpy(key.position, position, sizeof key.position);
    memcpy(key.rotation, rotation, sizeof key.rotation);
    RpMshKey_Write(&key, to->keys + to->key_count++ * RP_MSH_KEY_BYTES);
}

/* A box that moves has two keys, and in the frame map a word for each frame: the first key for all
 * frames but the last, and the second key for the last one. */
static void PutTrack(Streams *to, const ModelBox *box, uint32_t frames, RpMshNode *node) {
    static const int16_t none[4];
    uint32_t first = to->key_count;
    PutKey(to, box->position, 0, none);
    node->map_start = RP_MSH_NONE;
    if (frames > 1 && Moves(box)) {
        float moved[3];
        for (int i = 0; i < 3; i++)
            moved[i] = box->position[i] + box->moved[i];
        PutKey(to, moved, (float)(frames - 1), box->turned);
        node->map_start = (uint16_t)to->map_words;
        for (uint32_t frame = 0; frame < frames; frame++)
            PutU16(to->frame_map + 2 * to->map_words++, frame + 1 < frames ? first : first + 1);
    }
    node->fallback = (uint16_t)(to->key_count - 1);
}

static void PutLabel(Streams *to, const char *label) {
    uint32_t length = label ? (uint32_t)strlen(label) : 0;
    uint8_t *at = to->labels + to->label_bytes;
    PutU32(at, length);
    if (length)
        memcpy(at + 4, label, length + 1);
    to->label_bytes += 4 + (length ? length + 1 : 0);
}

static void PutNode(Streams *to, uint32_t index, const ModelBox *box, uint32_t frames) {
    RpMshNode node = {.flags = box->flags, .parent = box->parent};
    /* A node has its slot at level 0 of each stage. */
    for (uint32_t i = 0; i < RP_MSH_SLOT_WORDS; i++)
        node.slots[i] = (uint16_t)(i % 5 == 0 && i / 5 < box->stages ? index : RP_MSH_NONE);
    PutTrack(to, box, frames, &node);
    RpMshNode_Write(&node, to->nodes + index * RP_MSH_NODE_BYTES);
    PutLabel(to, box->label);
}

/* ---- geometry -------------------------------------------------------------------------------- */

/* In a vertex number, bit 1 stands for the greatest x, bit 2 for the greatest y, and bit 4 for the
 * greatest z. Corners are counter-clockwise when seen from outside. */
static const struct Face {
    int16_t normal[3];
    uint8_t corners[4];
} faces[FACES] = {
    {{-32767, 0, 0}, {0, 4, 6, 2}}, {{32767, 0, 0}, {1, 3, 7, 5}},  {{0, -32767, 0}, {0, 1, 5, 4}},
    {{0, 32767, 0}, {2, 6, 7, 3}},  {{0, 0, -32767}, {0, 2, 3, 1}}, {{0, 0, 32767}, {4, 5, 7, 6}},
};

static void PutTriangle(Streams *to, uint32_t index, const struct Face *face, int second) {
    RpMshTriangle triangle = {.flags = face->normal[2] > 0 ? 2 : 0, .edges = 0xFFFF};
    uint8_t *indices = to->indices + 6 * index;
    for (int i = 0; i < 3; i++) {
        triangle.neighbours[i] = RP_MSH_NONE;
        triangle.normal[i] = face->normal[i];
    }
    RpMshTriangle_Write(&triangle, to->triangles + index * RP_MSH_TRIANGLE_BYTES);
    PutU16(indices, face->corners[0]);
    PutU16(indices + 2, face->corners[second ? 2 : 1]);
    PutU16(indices + 4, face->corners[second ? 3 : 2]);
}

static void PutVertices(Streams *to, uint32_t index, const ModelBox *box) {
    for (uint32_t vertex = 0; vertex < VERTICES; vertex++) {
        float position[3];
        for (int axis = 0; axis < 3; axis++)
            position[axis] = vertex >> axis & 1 ? box->high[axis] : box->low[axis];
        PutFloats(to->positions + (index * VERTICES + vertex) * POSITION_BYTES, position, 3);
    }
}

static void SphereOf(const float low[3], const float high[3], float sphere[4]) {
    float squares = 0;
    for (int i = 0; i < 3; i++) {
        sphere[i] = (low[i] + high[i]) / 2;
        squares += (high[i] - low[i]) * (high[i] - low[i]);
    }
    sphere[3] = sqrtf(squares) / 2;
}

static void PutSlot(Streams *to, uint32_t index, const ModelBox *box) {
    const float *a = box->low, *b = box->high, area = (b[0] - a[0]) * (b[1] - a[1]);
    RpMshSlot slot = {.first_triangle = (uint16_t)(index * TRIANGLES),
                      .triangle_count = TRIANGLES,
                      .first_batch = (uint16_t)index,
                      .batch_count = 1,
                      .area = area,
                      .volume = area * (b[2] - a[2])};
    memcpy(slot.low, a, sizeof slot.low);
    memcpy(slot.high, b, sizeof slot.high);
    SphereOf(a, b, slot.sphere);
    RpMshSlot_Write(&slot, to->slots + RP_MSH_HEADER_BYTES + index * RP_MSH_SLOT_BYTES);
}

static void PutBatch(Streams *to, uint32_t index) {
    const RpMshBatch batch = {.row = (uint8_t)index, /* its material */
                              .lightmap = 0xFF,      /* 0xFF means that there is none */
                              .portal = RP_MSH_NONE,
                              .index_count = INDICES,
                              .first_index = index * INDICES,
                              .vertex_count = VERTICES,
                              .base_vertex = index * VERTICES};
    RpMshBatch_Write(&batch, to->batches + index * RP_MSH_BATCH_BYTES);
}

static void PutBox(Streams *to, uint32_t index, const ModelBox *box) {
    PutVertices(to, index, box);
    for (uint32_t i = 0; i < TRIANGLES; i++)
        PutTriangle(to, index * TRIANGLES + i, &faces[i / 2], i % 2);
    PutBatch(to, index);
    PutSlot(to, index, box);
}

/* ---- header ---------------------------------------------------------------------------------- */

/* Gives the place of a box's origin at frame 0, where no box is turned. */
static void OriginOf(const ModelBox *boxes, uint32_t index, float origin[3]) {
    memset(origin, 0, 3 * sizeof *origin);
    for (uint32_t i = index; i != MODEL_BOXES_NO_PARENT; i = boxes[i].parent)
        for (int axis = 0; axis < 3; axis++)
            origin[axis] += boxes[i].position[axis];
}

static void Extent(const ModelBox *boxes, uint32_t count, float low[3], float high[3]) {
    for (uint32_t i = 0; i < count; i++) {
        float origin[3];
        OriginOf(boxes, i, origin);
        for (int axis = 0; axis < 3; axis++) {
            const float a = origin[axis] + boxes[i].low[axis];
            const float b = origin[axis] + boxes[i].high[axis];
            low[axis] = i == 0 || a < low[axis] ? a : low[axis];
            high[axis] = i == 0 || b > high[axis] ? b : high[axis];
        }
    }
}

static void PutHeader(Streams *to, const ModelBox *boxes, uint32_t count) {
    /* the order of the file, which goes axis by axis */
    static const uint8_t corners[8] = {0, 1, 3, 2, 6, 4, 5, 7};
    float low[3], high[3];
    RpMshHeader header;
    Extent(boxes, count, low, high);
    for (int corner = 0; corner < 8; corner++)
        for (int axis = 0; axis < 3; axis++)
            header.corners[corner][axis] = corners[corner] >> axis & 1 ? high[axis] : low[axis];
    SphereOf(low, high, header.sphere);
    for (int axis = 0; axis < 2; axis++)
        header.axis_low[axis] = header.axis_high[axis] = (low[axis] + high[axis]) / 2;
    header.axis_low[2] = low[2];
    header.axis_high[2] = high[2];
    header.axis_radius = hypotf(high[0] - low[0], high[1] - low[1]) / 2;
    RpMshHeader_Write(&header, to->slots);
}

/* ---- the image ------------------------------------------------------------------------------- */

static uint8_t *WriteStreams(const Streams *from, uint32_t count, uint32_t frames, size_t *size) {
    const uint32_t vertices = count * VERTICES;
    const ModelStream streams[] = {
        {1, count, 0, RP_MSH_NODE_BYTES, from->nodes, count * RP_MSH_NODE_BYTES},
        {2, count, 0, RP_MSH_SLOT_BYTES, from->slots,
         RP_MSH_HEADER_BYTES + count * RP_MSH_SLOT_BYTES},
        {3, vertices, 0, POSITION_BYTES, from->positions, vertices * POSITION_BYTES},
        {4, vertices, 0, 4, from->normals, vertices * 4},
        {5, vertices, 0, 4, from->uv, vertices * 4},
        {13, count, 0, RP_MSH_BATCH_BYTES, from->batches, count * RP_MSH_BATCH_BYTES},
        {6, count * INDICES, 0, 2, from->indices, count * INDICES * 2},
        {7, count * TRIANGLES, 0, RP_MSH_TRIANGLE_BYTES, from->triangles,
         count * TRIANGLES * RP_MSH_TRIANGLE_BYTES},
        {8, from->key_count, 0, 4, from->keys, from->key_count * RP_MSH_KEY_BYTES},
        {19, from->map_words, frames, 2, from->frame_map, from->map_words * 2},
        {10, count, 0, 0, from->labels, from->label_bytes},
    };
    return ModelImage_Write(streams, sizeof streams / sizeof *streams, size);
}

uint8_t *ModelBoxes_Write(const ModelBox *boxes, uint32_t count, uint32_t frames, size_t *size) {
    if (count == 0 || count > MOST || frames == 0 || frames > MOST_FRAMES)
        return NULL;
    Streams *streams = calloc(1, sizeof *streams);
    if (!streams)
        return NULL;
    for (uint32_t i = 0; i < count; i++) {
        PutNode(streams, i, &boxes[i], frames);
        PutBox(streams, i, &boxes[i]);
    }
    PutHeader(streams, boxes, count);
    uint8_t *image = WriteStreams(streams, count, frames, size);
    free(streams);
    return image;
}
