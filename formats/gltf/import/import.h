/* Declarations that the parts of the glTF importer share. They work in this order: scenes are made
 * into nodes, meshes into slots, primitives into batches, animations into keys; RpMsh_Make builds
 * the model; corrections are applied to it. */
#ifndef RETROPOSE_FORMATS_GLTF_IMPORT_IMPORT_H
#define RETROPOSE_FORMATS_GLTF_IMPORT_IMPORT_H

#include "formats/gltf/container/read.h"
#include "formats/gltf/import/affine.h"
#include "retropose/msh_make.h"

/* How the numbers of a glTF node become those of a node of the model. Models have no scale, so a
 * parent's scale is applied to the places of its children and to vertices. */
typedef struct GltfContext {
    bool turned; /* the file has no root node of ours, so (x, y, z) becomes (x, -z, y) everywhere */
    bool has_before; /* a rotation and a translation that come before the node's own */
    double before_rotation[4], before_translation[3];
    bool has_linear;
    double linear[9]; /* linear part of the parent; row-major */

    /* Whether the linear part scales all directions alike, with or without a mirror. Then it can
     * follow the rotations of children: L R = (L R L^-1) L, and the first factor is a rotation,
     * which `frame` makes of R. Otherwise it is baked as it is at rest. */
    bool is_even;
    double frame[4];
} GltfContext;

typedef struct ImportNode {
    const cJSON *json;
    uint32_t gltf;
    uint32_t
        /* The glTF node whose translation is used instead of this node's, or GLTF_ABSENT. */
        motion;
    uint32_t parent; /* an import node, or GLTF_ABSENT */
    uint32_t hint;   /* its number in the exported model, or GLTF_ABSENT */
    uint32_t number; /* in the model */
    GltfContext context;
    double rotation[4], translation[3];         /* in the rest pose; x, y, z, w */
    double own_rotation[4], own_translation[3]; /* the same as the file has them */
    bool hidden;
    bool has_linear;
    double linear[9];                  /* linear part that is applied to its vertices */
    uint32_t slots[RP_MSH_SLOT_WORDS]; /* import slots, or GLTF_ABSENT */
    char name[RP_MSH_NAME_BYTES];
    char *label; /* or null */
    RpMshKey *keys;
    uint32_t key_count;
    bool animated;
} ImportNode;

/* A mesh, and where its vertices go. */
typedef struct ImportPart {
    uint32_t mesh;
    uint32_t next; /* the next part of the slot, or GLTF_ABSENT */
    bool is_moved; /* whether `place` is not the identity */
    GltfAffine place;
} ImportPart;

typedef struct ImportSlot {
    uint32_t first_part, last_part;
    uint32_t node; /* the import node that showed it first, or GLTF_ABSENT */
    const cJSON *hints;
    uint32_t slot_hint, batch_hint;
    uint32_t number; /* in the model */
    uint32_t first_batch, batch_count;
    uint32_t opaque[3];
} ImportSlot;

typedef struct ImportBatch {
    uint16_t flags, material, portal;
    uint8_t row, lightmap;
    uint32_t base_vertex;
    uint32_t first_index, index_count; /* in Importer.indices */
} ImportBatch;

typedef struct Importer {
    GltfDoc doc;
    const RpGltfImportOptions *options;
    RpReadings readings;
    double frames_per_second;
    /* Hints of the root node; null if the file is not an export of ours, or has lost its extras. */
    const cJSON *hints;
    const char *root_name; /* name of that node, or null */
    char model_name[RP_NRES_NAME_BYTES];

    ImportNode *nodes; /* in the order of the walk; there is room for all nodes of the file */
    uint32_t node_count;
    uint32_t *order;        /* import nodes in the order of the model */
    uint32_t *by_gltf;      /* the import node of each glTF node, or GLTF_ABSENT */
    uint32_t *mesh_slots;   /* for each mesh, the first slot that begins with it, or GLTF_ABSENT */
    uint32_t *hinted_slots; /* for each number that a slot may have had, the same */
    RpBuffer slots;         /* elements of type ImportSlot */
    RpBuffer parts;         /* elements of type ImportPart */
    uint32_t slot_count, part_count;
    uint32_t *slot_order; /* import slots in the order of the model */
    bool turned;

    RpBuffer batches; /* elements of type ImportBatch */
    uint32_t batch_count;
    RpBuffer indices; /* elements of type uint16_t; triangle_flags has one word for each triangle */
    RpBuffer triangle_flags;
    RpBuffer positions, normals, uv0, uv1, res15, res16;
    uint32_t vertex_count;
    bool has_uv1, has_res16;
    bool clamps_uv; /* a texture coordinate was outside of what the format holds */

    uint32_t frame_count;
} Importer;

static inline ImportSlot *Importer_Slot(Importer *importer, uint32_t index) {
    return (ImportSlot *)(void *)importer->slots.bytes + index;
}

static inline ImportPart *Importer_Part(Importer *importer, uint32_t index) {
    return (ImportPart *)(void *)importer->parts.bytes + index;
}

/* In slots.c: has a node show its mesh in a cell, with its vertices moved to `place`. Without an
 * import node (GLTF_ABSENT), only the slot is made. */
RpStatus Importer_ShowMesh(Importer *importer, const cJSON *json, uint32_t node, uint32_t cell,
                           const GltfAffine *place, RpError *error);

/* In nodes.c. */
/* Returns the name that a node had before a program has changed it, or null. */
const char *Importer_NameOf(const cJSON *json);
RpStatus Importer_WalkScenes(Importer *importer, RpError *error);
/* Reads names and labels, once the readings are known. */
RpStatus Importer_TakeTexts(Importer *importer, RpError *error);
/* Converts a place and a rotation of the file into the model's, within a context. */
void GltfContext_Place(const GltfContext *context, const double translation[3],
                       const double rotation[4], double place[3], double turn[4]);

/* In primitives.c. */
RpStatus Importer_ReadMeshes(Importer *importer, RpError *error);

/* In import_keys.c. */
RpStatus Importer_ReadAnimation(Importer *importer, RpError *error);

/* In import.c: reads an opened document and builds the model, without corrections. */
RpStatus Importer_Make(Importer *importer, RpNResArchive *archive, RpError *error);
void Importer_Free(Importer *importer);

#endif
