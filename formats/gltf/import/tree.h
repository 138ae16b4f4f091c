/* The nodes of a glTF file: where each stands, below which other, and which of them move. */
#ifndef RETROPOSE_FORMATS_GLTF_IMPORT_TREE_H
#define RETROPOSE_FORMATS_GLTF_IMPORT_TREE_H

#include "formats/gltf/container/read.h"
#include "formats/gltf/import/affine.h"

/* The place of a node below its parent. */
typedef struct GltfLocal {
    double translation[3], rotation[4];
    double rest[9]; /* scale and shear, which are applied before the rotation */
    bool has_rest;
    bool was_odd; /* the file has a rotation that is not of length 1, which is normalised here */
} GltfLocal;

GltfLocal GltfLocal_Identity(void);
RpStatus GltfLocal_Read(const GltfDoc *doc, uint32_t index, GltfLocal *local, RpError *error);
GltfLocal GltfLocal_OfAffine(const GltfAffine *map);
GltfAffine GltfLocal_Affine(const GltfLocal *local);

/* Makes a rotation one of length 1, or the identity if it is zero. Returns whether it was neither
 * near that length. */
bool Turn_MakeUnit(double rotation[4]);

typedef struct GltfTree {
    const GltfDoc *doc;
    uint32_t *parents;  /* for each node; GLTF_ABSENT at the top */
    bool *holds_ours;   /* for each node, whether a root that we have written is below it */
    bool *is_moved;     /* for each node, whether an animation moves it */
    GltfAffine *worlds; /* made when the first one is asked for */
} GltfTree;

/* The tree must be freed in any case. */
RpStatus GltfTree_Make(const GltfDoc *doc, GltfTree *tree, RpError *error);
/* Where a node stands at rest, from the origin of its scene. */
RpStatus GltfTree_World(GltfTree *tree, uint32_t node, GltfAffine *world, RpError *error);
/* Whether the extras of a node say that it is a root of ours. */
bool GltfTree_IsOurs(const cJSON *node);
void GltfTree_Free(GltfTree *tree);

#endif
