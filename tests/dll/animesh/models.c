#include "models.h"

#include "retropose/msh_make.h"

#include <stdio.h>
#include <string.h>

enum { NONE = RP_MSH_NONE, CUBE_VERTICES = 8, CUBE_INDICES = 36, SQUARE_VERTICES = 4 };
enum {
    RES_NODES = 1,
    NODE_AT_PARENT = 2,
    NODE_AT_SLOTS = 8,
    NODE_BYTES = 38,
    RECORD_BYTES = 0x140
};

static const uint16_t square_indices[6] = {0, 1, 2, 0, 2, 3};
static const uint16_t square_flags[2] = {2, 2}; /* walkable */
static const float square[SQUARE_VERTICES][3] = {
    {-10, -10, 0}, {10, -10, 0}, {10, 10, 0}, {-10, 10, 0}};
/* The faces look outwards. */
static const uint16_t cube_indices[CUBE_INDICES] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7,
                                                    0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5,
                                                    2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};
static const float cube[CUBE_VERTICES][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                             {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};

/* ---- descriptions ---------------------------------------------------------------------------- */

typedef struct Model {
    RpMshDescription build;
    RpMshNodeDescription nodes[4];
    RpMshSlotDescription slots[2];
    RpMshBatchDescription batches[2];
    float positions[SQUARE_VERTICES + CUBE_VERTICES][3];
    int8_t normals[SQUARE_VERTICES + CUBE_VERTICES][4];
    uint16_t uv0[SQUARE_VERTICES + CUBE_VERTICES][2];
    RpMshKey keys[8];
    uint32_t key_count;
} Model;

static const RpMshKey *Key(Model *model, float time, float x, float y, float z) {
    static const float identity[4] = {1, 0, 0, 0};
    const RpReadings readings = {{0}};
    RpMshKey *key = &model->keys[model->key_count++];
    *key = (RpMshKey){.position = {x, y, z}, .time = time};
    RpMsh_EncodeRotation(identity, &readings, key->rotation);
    return key;
}

static void Node(Model *model, uint16_t parent, uint16_t slot, const RpMshKey *keys,
                 uint32_t key_count) {
    RpMshNodeDescription *node = &model->nodes[model->build.node_count++];
    *node = (RpMshNodeDescription){
        .name = "node", .parent = parent, .keys = keys, .key_count = key_count};
    for (int i = 0; i < RP_MSH_SLOT_WORDS; i++)
        node->slots[i] = NONE;
    node->slots[0] = slot;
}

static void Geometry(Model *model, const float (*vertices)[3], uint32_t vertex_count,
                     const uint16_t *indices, uint32_t index_count, const uint16_t *flags) {
    RpMshDescription *build = &model->build;
    model->batches[build->batch_count] = (RpMshBatchDescription){.portal = NONE,
                                                                 .lightmap = 0xFF,
                                                                 .row = 3,
                                                                 .base_vertex = build->vertex_count,
                                                                 .indices = indices,
                                                                 .index_count = index_count,
                                                                 .triangle_flags = flags};
    model->slots[build->slot_count++] =
        (RpMshSlotDescription){.first_batch = build->batch_count++, .batch_count = 1};
    memcpy(model->positions[build->vertex_count], vertices, vertex_count * sizeof *vertices);
    build->vertex_count += vertex_count;
}

static void Begin(Model *model) {
    memset(model, 0, sizeof *model);
    snprintf(model->build.name, sizeof model->build.name, "model");
    model->build.nodes = model->nodes;
    model->build.slots = model->slots;
    model->build.batches = model->batches;
    model->build.positions = (const float(*)[3])model->positions;
    model->build.normals = (const int8_t(*)[4])model->normals;
    model->build.uv0 = (const uint16_t(*)[2])model->uv0;
}

static void MakeTank(Model *model) {
    Begin(model);
    Geometry(model, square, SQUARE_VERTICES, square_indices, 6, square_flags);
    Geometry(model, cube, CUBE_VERTICES, cube_indices, CUBE_INDICES, NULL);
    Node(model, NONE, NONE, Key(model, 0, 5, 6, 7), 1);
    Node(model, 0, 0, Key(model, 0, 0, 0, 0), 1);
    const RpMshKey *moving = Key(model, 0, 0, 0, 2);
    Key(model, 10, 10, 0, 2);
    Node(model, 0, 1, moving, 2);
    Node(model, 2, NONE, Key(model, 0, 0, 0, 1), 1);
}

static void MakeGun(Model *model) {
    Begin(model);
    Geometry(model, cube, CUBE_VERTICES, cube_indices, CUBE_INDICES, NULL);
    Node(model, NONE, NONE, Key(model, 0, 0, 0, 0), 1);
    Node(model, 0, 0, Key(model, 0, 1, 0, 0), 1);
    Node(model, 1, NONE, Key(model, 0, 2, 0, 0), 1);
}

/* ---- images ---------------------------------------------------------------------------------- */

static RpStatus Image(const Model *model, RpBuffer *image, RpError *error) {
    RpNResArchive archive;
    RpNResArchive_Init(&archive, NULL);
    RpStatus status = RpMsh_Make(&model->build, &archive, error);
    if (!status)
        status = RpNResArchive_Write(&archive, RP_NRES_CANONICAL, image, error);
    RpNResArchive_Free(&archive);
    return status;
}

/* Returns the nodes of an image, so that they can be damaged. */
static uint8_t *NodesOf(RpBuffer *image) {
    RpNRes nres;
    if (RpNRes_Open(image->bytes, image->size, RP_TOLERANT, &nres, NULL))
        return NULL;
    const int32_t index = RpNRes_FindType(&nres, RES_NODES, 0);
    return image->bytes + (RpNRes_Entry(&nres, (uint32_t)index).data - image->bytes);
}

static RpStatus Add(RpNResArchive *archive, const char *tag, const char *name, const void *data,
                    size_t size, RpError *error) {
    RpNResMember member = {.data = data, .size = (uint32_t)size};
    memcpy(&member.type, tag, 4);
    snprintf(member.name, sizeof member.name, "%s", name);
    return RpNResArchive_Add(archive, archive->count, &member, error);
}

static void Pair(uint8_t *at, const char *member) {
    snprintf((char *)at, 32, "%s", MODELS_ARCHIVE);
    snprintf((char *)at + 32, 32, "%s", member);
}

static RpStatus AddRecord(RpNResArchive *archive, const char *tag, const char *name,
                          const char *mesh, RpError *error) {
    uint8_t record[RECORD_BYTES] = {0};
    Pair(record, mesh);
    Pair(record + 0x80, "tank.cpt");
    Pair(record + 0xC0, "tank.ndp");
    Pair(record + 0x100, "tank.ctl");
    return Add(archive, tag, name, record, sizeof record, error);
}

static RpStatus AddModels(RpNResArchive *archive, RpError *error) {
    static Model tank, gun;
    RpBuffer image, other;
    RpBuffer_Init(&image, NULL);
    RpBuffer_Init(&other, NULL);
    MakeTank(&tank);
    MakeGun(&gun);
    RpStatus status = Image(&tank, &image, error);
    if (!status)
        status = Image(&gun, &other, error);
    if (!status)
        status = Add(archive, "MESH", "tank.msh", image.bytes, image.size, error);
    if (!status)
        status = Add(archive, "MESH", "gun.msh", other.bytes, other.size, error);
    if (!status)
        status = Add(archive, "MESH", "cut.msh", image.bytes, image.size / 2, error);
    if (!status)
        status = Add(archive, "MESH", "text.msh", "a text, and no model", 20, error);
    if (!status) {
        uint8_t *nodes = NodesOf(&image);
        nodes[NODE_BYTES + NODE_AT_PARENT] = 2;
        status = Add(archive, "MESH", "cycle.msh", image.bytes, image.size, error);
        nodes[NODE_BYTES + NODE_AT_PARENT] = 0;
        nodes[NODE_BYTES + NODE_AT_SLOTS] = 99;
    }
    if (!status)
        status = Add(archive, "MESH", "wild.msh", image.bytes, image.size, error);
    RpBuffer_Free(&image);
    RpBuffer_Free(&other);
    return status;
}

int Models_Write(const char *path) {
    RpError error;
    RpBuffer image;
    RpNResArchive archive;
    char text[400];
    RpBuffer_Init(&image, NULL);
    RpNResArchive_Init(&archive, NULL);
    RpStatus status = AddModels(&archive, &error);
    if (!status)
        status = AddRecord(&archive, "BTLU", "tank", "tank.msh", &error);
    if (!status)
        status = AddRecord(&archive, "EXTO", "gun", "gun.msh", &error);
    if (!status)
        status = RpNResArchive_Write(&archive, RP_NRES_CANONICAL, &image, &error);
    FILE *file = status ? NULL : fopen(path, "wb");
    const int written = file && fwrite(image.bytes, 1, image.size, file) == image.size;
    if (status)
        RpError_Format(&error, text, sizeof text);
    if (status || !written)
        fprintf(stderr, "%s cannot be written: %s\n", path, status ? text : "no such folder?");
    if (file)
        fclose(file);
    RpNResArchive_Free(&archive);
    RpBuffer_Free(&image);
    return written;
}
