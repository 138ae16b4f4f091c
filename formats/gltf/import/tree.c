#include "formats/gltf/import/tree.h"

#include <math.h>
#include <string.h>

/* ---- what a node says ------------------------------------------------------------------------ */

GltfLocal GltfLocal_Identity(void) {
    return (GltfLocal){.rotation = {0.0, 0.0, 0.0, 1.0},
                       .rest = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}};
}

GltfLocal GltfLocal_OfAffine(const GltfAffine *map) {
    GltfLocal local = GltfLocal_Identity();
    double turn[9], back[9];
    memcpy(local.translation, map->offset, sizeof local.translation);
    Turn_FromLinear(map->linear, local.rotation);
    Turn_Matrix(local.rotation, turn);
    Linear_Transpose(turn, back);
    Linear_Multiply(back, map->linear, local.rest);
    local.has_rest = !Linear_IsIdentity(local.rest);
    return local;
}

GltfAffine GltfLocal_Affine(const GltfLocal *local) {
    GltfAffine map;
    double turn[9];
    Turn_Matrix(local->rotation, turn);
    Linear_Multiply(turn, local->rest, map.linear);
    memcpy(map.offset, local->translation, sizeof map.offset);
    return map;
}

bool Turn_MakeUnit(double rotation[4]) {
    /* The sampler's own numbers, which an export writes as they are, are up to 4e-4 away from
     * length 1. */
    static const double near = 1e-3;
    double square = 0.0;
    for (int i = 0; i < 4; i++)
        square += rotation[i] * rotation[i];
    if (fabs(square - 1.0) <= near)
        return false;
    const double length = sqrt(square);
    for (int i = 0; i < 4; i++)
        rotation[i] = length > 0.0 ? rotation[i] / length : i == 3 ? 1.0 : 0.0;
    return true;
}

static RpStatus BadNode(RpError *error, uint32_t index, const char *expected) {
    return Gltf_Bad(error, RP_CORRUPT, "a node's place cannot be read", "nodes", index, expected);
}

static bool AreFinite(const double *values, int count) {
    for (int i = 0; i < count; i++)
        if (!isfinite((float)values[i]))
            return false;
    return true;
}

RpStatus GltfLocal_Read(const GltfDoc *doc, uint32_t index, GltfLocal *local, RpError *error) {
    const cJSON *json = doc->tables[GLTF_TABLE_NODES].items[index];
    double matrix[16], scale[3] = {1.0, 1.0, 1.0};
    *local = GltfLocal_Identity();
    if (Gltf_Member(json, "matrix")) {
        if (Gltf_Numbers(json, "matrix", matrix, 16) != 16 || !AreFinite(matrix, 16))
            return BadNode(error, index, "16 numbers as matrix");
        GltfAffine map;
        for (int i = 0; i < 9; i++)
            map.linear[i] = matrix[4 * (i % 3) + i / 3];
        memcpy(map.offset, matrix + 12, sizeof map.offset);
        *local = GltfLocal_OfAffine(&map);
        return RP_OK;
    }
    if (Gltf_Member(json, "translation") &&
        (Gltf_Numbers(json, "translation", local->translation, 3) != 3 ||
         !AreFinite(local->translation, 3)))
        return BadNode(error, index, "3 numbers as translation");
    if (Gltf_Member(json, "rotation") &&
        (Gltf_Numbers(json, "rotation", local->rotation, 4) != 4 || !AreFinite(local->rotation, 4)))
        return BadNode(error, index, "4 numbers as rotation");
    local->was_odd = Turn_MakeUnit(local->rotation);
    if (Gltf_Member(json, "scale") &&
        (Gltf_Numbers(json, "scale", scale, 3) != 3 || !AreFinite(scale, 3)))
        return BadNode(error, index, "3 numbers as scale");
    for (int i = 0; i < 3; i++)
        local->rest[4 * i] = scale[i];
    local->has_rest = !Linear_IsIdentity(local->rest);
    return RP_OK;
}

/* ---- the tree -------------------------------------------------------------------------------- */

bool GltfTree_IsOurs(const cJSON *node) {
    const cJSON *hints = Gltf_Hints(node);
    const char *role = Gltf_Text(hints, "role");
    return Gltf_Member(hints, "schema") ||
           (role && (strcmp(role, "axes") == 0 || strcmp(role, "unnamed") == 0));
}

RpStatus GltfTree_Make(const GltfDoc *doc, GltfTree *tree, RpError *error) {
    const GltfTable *nodes = &doc->tables[GLTF_TABLE_NODES];
    const GltfTable *animations = &doc->tables[GLTF_TABLE_ANIMATIONS];
    *tree = (GltfTree){.doc = doc,
                       .parents = GltfDoc_Allocate(doc, nodes->count, sizeof *tree->parents),
                       .holds_ours = GltfDoc_Allocate(doc, nodes->count, sizeof *tree->holds_ours),
                       .is_moved = GltfDoc_Allocate(doc, nodes->count, sizeof *tree->is_moved)};
    if (!tree->parents || !tree->holds_ours || !tree->is_moved)
        return RpMemory_Refused(error, "nodes");
    memset(tree->parents, 0xFF, nodes->count * sizeof *tree->parents);
    for (uint32_t i = 0; i < nodes->count; i++) {
        const cJSON *children = Gltf_Member(nodes->items[i], "children");
        for (const cJSON *child = cJSON_IsArray(children) ? children->child : NULL; child;
             child = child->next) {
            const uint32_t index = Gltf_Whole(child);
            if (index < nodes->count && tree->parents[index] == GLTF_ABSENT)
                tree->parents[index] = i;
        }
    }
    for (uint32_t i = 0; i < nodes->count; i++) {
        uint32_t above = GltfTree_IsOurs(nodes->items[i]) ? tree->parents[i] : GLTF_ABSENT;
        for (; above != GLTF_ABSENT && !tree->holds_ours[above]; above = tree->parents[above])
            tree->holds_ours[above] = true;
    }
    for (uint32_t i = 0; i < animations->count; i++) {
        const cJSON *channels = Gltf_Member(animations->items[i], "channels");
        for (const cJSON *channel = cJSON_IsArray(channels) ? channels->child : NULL; channel;
             channel = channel->next) {
            const char *path;
            const uint32_t node = Gltf_Target(channel, &path);
            if (node < nodes->count)
                tree->is_moved[node] = true;
        }
    }
    return RP_OK;
}

/* Places each node below its parent. In a file whose nodes go round in circles, one node of each
 * circle counts as its beginning; the walk refuses such files. */
static RpStatus MakeWorlds(GltfTree *tree, RpError *error) {
    const uint32_t count = tree->doc->tables[GLTF_TABLE_NODES].count;
    GltfAffine *worlds = GltfDoc_Allocate(tree->doc, count, sizeof *worlds);
    uint32_t *path = GltfDoc_Allocate(tree->doc, count, sizeof *path);
    bool *placed = GltfDoc_Allocate(tree->doc, count, sizeof *placed);
    RpStatus status = worlds && path && placed ? RP_OK : RpMemory_Refused(error, "nodes");
    for (uint32_t i = 0; i < count && status == RP_OK; i++) {
        uint32_t depth = 0;
        for (uint32_t at = i; at != GLTF_ABSENT && !placed[at] && depth < count;
             at = tree->parents[at])
            path[depth++] = at;
        while (depth > 0 && status == RP_OK) {
            const uint32_t at = path[--depth], above = tree->parents[at];
            GltfLocal local;
            status = GltfLocal_Read(tree->doc, at, &local, error);
            worlds[at] = GltfLocal_Affine(&local);
            if (above != GLTF_ABSENT && placed[above])
                worlds[at] = Affine_Multiply(&worlds[above], &worlds[at]);
            placed[at] = true;
        }
    }
    GltfDoc_Release(tree->doc, path);
    GltfDoc_Release(tree->doc, placed);
    tree->worlds = worlds;
    return status;
}

RpStatus GltfTree_World(GltfTree *tree, uint32_t node, GltfAffine *world, RpError *error) {
    const RpStatus status = tree->worlds ? RP_OK : MakeWorlds(tree, error);
    if (status == RP_OK)
        *world = tree->worlds[node];
    return status;
}

void GltfTree_Free(GltfTree *tree) {
    GltfDoc_Release(tree->doc, tree->parents);
    GltfDoc_Release(tree->doc, tree->holds_ours);
    GltfDoc_Release(tree->doc, tree->is_moved);
    GltfDoc_Release(tree->doc, tree->worlds);
}
