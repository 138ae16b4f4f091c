/* Makes the nodes of a model from the scenes of a glTF file. */
#include "exports/reading_table.h"
#include "formats/gltf/import/import.h"

#include "core/text/encoding.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double half_root = 0.70710678118654757;
static const double no_difference = 1e-6;
enum { MOST_NODES = RP_MSH_NONE - 1 };

/* ---- small mathematics ----------------------------------------------------------------------- */

void Turn_Multiply(const double a[4], const double b[4], double product[4]) {
    const double x = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    const double y = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
    const double z = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
    const double w = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
    product[0] = x;
    product[1] = y;
    product[2] = z;
    product[3] = w;
}

static void Turn_Matrix(const double q[4], double m[9]) {
    double x = q[0], y = q[1], z = q[2], w = q[3];
    double square = x * x + y * y + z * z + w * w, s = square > 0.0 ? 2.0 / square : 0.0;
    const double rows[9] = {
        1.0 - s * (y * y + z * z), s * (x * y - w * z),       s * (x * z + w * y),
        s * (x * y + w * z),       1.0 - s * (x * x + z * z), s * (y * z - w * x),
        s * (x * z - w * y),       s * (y * z + w * x),       1.0 - s * (x * x + y * y)};
    memcpy(m, rows, sizeof rows);
}

void Linear_Apply(const double linear[9], const double vector[3], double result[3]) {
    const double v[3] = {vector[0], vector[1], vector[2]};
    for (int i = 0; i < 3; i++)
        result[i] = linear[3 * i] * v[0] + linear[3 * i + 1] * v[1] + linear[3 * i + 2] * v[2];
}

void Turn_Apply(const double rotation[4], const double vector[3], double result[3]) {
    double matrix[9];
    Turn_Matrix(rotation, matrix);
    Linear_Apply(matrix, vector, result);
}

static void Linear_Multiply(const double a[9], const double b[9], double product[9]) {
    double result[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            result[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
    memcpy(product, result, sizeof result);
}

static void Linear_Transpose(const double a[9], double result[9]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            result[3 * i + j] = a[3 * j + i];
}

double Linear_Determinant(const double a[9]) {
    return a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) +
           a[2] * (a[3] * a[7] - a[4] * a[6]);
}

static bool Linear_IsIdentity(const double a[9]) {
    for (int i = 0; i < 9; i++)
        if (!(fabs(a[i] - (i % 4 == 0 ? 1.0 : 0.0)) <= no_difference))
            return false;
    return true;
}

void Basis_Turn(double vector[3]) {
    const double y = vector[1];
    vector[1] = 0.0 - vector[2];
    vector[2] = y;
}

/* Gives the rotation in a linear map by Gram and Schmidt's method; the identity where there is
 * none. */
static void Turn_FromLinear(const double a[9], double q[4]) {
    static const double identity[4] = {0.0, 0.0, 0.0, 1.0};
    double columns[3][3];
    for (int c = 0; c < 3; c++) {
        double square = 0.0;
        for (int i = 0; i < 3; i++)
            columns[c][i] = a[3 * i + c];
        for (int before = 0; before < c; before++) {
            double dot = 0.0;
            for (int i = 0; i < 3; i++)
                dot += columns[c][i] * columns[before][i];
            for (int i = 0; i < 3; i++)
                columns[c][i] -= dot * columns[before][i];
        }
        for (int i = 0; i < 3; i++)
            square += columns[c][i] * columns[c][i];
        if (!(square > 1e-24)) {
            memcpy(q, identity, sizeof identity);
            return;
        }
        for (int i = 0; i < 3; i++)
            columns[c][i] /= sqrt(square);
    }
    double m[9];
    for (int i = 0; i < 9; i++)
        m[i] = columns[i % 3][i / 3];
    double sign = Linear_Determinant(m) < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < 9; i++)
        m[i] *= sign;

    /* The columns are orthonormal now, and have determinant 1. q is x, y, z, w. */
    const double trace = m[0] + m[4] + m[8];
    if (trace > 0.0) {
        double s = sqrt(trace + 1.0) * 2.0;
        q[3] = s / 4.0;
        q[0] = (m[7] - m[5]) / s;
        q[1] = (m[2] - m[6]) / s;
        q[2] = (m[3] - m[1]) / s;
    } else {
        int i = m[4] > m[0] ? 1 : 0;
        i = m[8] > m[4 * i] ? 2 : i;
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double s = sqrt(1.0 + m[4 * i] - m[4 * j] - m[4 * k]) * 2.0;
        q[i] = s / 4.0;
        q[j] = (m[3 * j + i] + m[3 * i + j]) / s;
        q[k] = (m[3 * k + i] + m[3 * i + k]) / s;
        q[3] = (m[3 * k + j] - m[3 * j + k]) / s;
    }
}

/* ---- what a node says ------------------------------------------------------------------------ */

typedef struct Local {
    double translation[3], rotation[4];
    double rest[9]; /* scale and shear, which are applied before the rotation */
    bool has_rest;
} Local;

static RpStatus BadNode(RpError *error, uint32_t index, const char *expected) {
    return Gltf_Bad(error, RP_CORRUPT, "a node's place cannot be read", "nodes", index, expected);
}

static bool AreFinite(const double *values, int count) {
    for (int i = 0; i < count; i++)
        if (!isfinite((float)values[i]))
            return false;
    return true;
}

static RpStatus ReadLocal(const GltfDoc *doc, uint32_t index, Local *local, RpError *error) {
    static const Local identity = {{0.0, 0.0, 0.0},
                                   {0.0, 0.0, 0.0, 1.0},
                                   {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0},
                                   false};
    const cJSON *json = doc->tables[GLTF_TABLE_NODES].items[index];
    double matrix[16], scale[3] = {1.0, 1.0, 1.0};
    *local = identity;
    if (Gltf_Member(json, "matrix")) {
        if (Gltf_Numbers(json, "matrix", matrix, 16) != 16 || !AreFinite(matrix, 16))
            return BadNode(error, index, "16 numbers as matrix");
        double linear[9], turn[9], back[9];
        for (int i = 0; i < 9; i++)
            linear[i] = matrix[4 * (i % 3) + i / 3];
        memcpy(local->translation, matrix + 12, sizeof local->translation);
        Turn_FromLinear(linear, local->rotation);
        Turn_Matrix(local->rotation, turn);
        Linear_Transpose(turn, back);
        Linear_Multiply(back, linear, local->rest);
        local->has_rest = !Linear_IsIdentity(local->rest);
        return RP_OK;
    }
    if (Gltf_Member(json, "translation") &&
        (Gltf_Numbers(json, "translation", local->translation, 3) != 3 ||
         !AreFinite(local->translation, 3)))
        return BadNode(error, index, "3 numbers as translation");
    if (Gltf_Member(json, "rotation") &&
        (Gltf_Numbers(json, "rotation", local->rotation, 4) != 4 || !AreFinite(local->rotation, 4)))
        return BadNode(error, index, "4 numbers as rotation");
    if (Gltf_Member(json, "scale") &&
        (Gltf_Numbers(json, "scale", scale, 3) != 3 || !AreFinite(scale, 3)))
        return BadNode(error, index, "3 numbers as scale");
    for (int i = 0; i < 3; i++)
        local->rest[4 * i] = scale[i];
    local->has_rest = !Linear_IsIdentity(local->rest);
    return RP_OK;
}

/* ---- contexts -------------------------------------------------------------------------------- */

void GltfContext_Place(const GltfContext *context, const double translation[3],
                       const double rotation[4], double place[3], double turn[4]) {
    memcpy(place, translation, 3 * sizeof *place);
    memcpy(turn, rotation, 4 * sizeof *turn);
    if (context->turned) {
        Basis_Turn(place);
        Basis_Turn(turn);
    }
    if (context->has_linear)
        Linear_Apply(context->linear, place, place);
    if (context->has_before) {
        Turn_Apply(context->before_rotation, place, place);
        for (int i = 0; i < 3; i++)
            place[i] += context->before_translation[i];
        Turn_Multiply(context->before_rotation, turn, turn);
    }
}

/* Computes R^-1 L R rest: the scale and shear that remain when the node's rotation has been
 * removed. */
static void CarryLinear(const GltfContext *context, const Local *local, ImportNode *node) {
    double turn[4], matrix[9], transposed[9], rest[9];
    if (!context->has_linear && !local->has_rest)
        return;
    memcpy(rest, local->rest, sizeof rest);
    memcpy(turn, local->rotation, sizeof turn);
    if (context->turned) {
        /* The axes of a linear map are changed from both sides. */
        double result[9];
        static const int from[3] = {0, 2, 1};
        static const double sign[3] = {1.0, -1.0, 1.0};
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                result[3 * i + j] = sign[i] * sign[j] * rest[3 * from[i] + from[j]];
        memcpy(rest, result, sizeof result);
        Basis_Turn(turn);
    }
    memcpy(node->linear, rest, sizeof node->linear);
    if (context->has_linear) {
        Turn_Matrix(turn, matrix);
        Linear_Transpose(matrix, transposed);
        Linear_Multiply(matrix, node->linear, node->linear);
        Linear_Multiply(context->linear, node->linear, node->linear);
        Linear_Multiply(transposed, node->linear, node->linear);
    }
    node->has_linear = !Linear_IsIdentity(node->linear);
}

/* ---- roots ----------------------------------------------------------------------------------- */

typedef enum RootKind {
    ROOT_NODE,    /* a node of the model */
    ROOT_PRIMARY, /* a node that we write: turns the axes of the whole skeleton */
    ROOT_COPY,    /* a node that we write: the same for what another cell shows */
    ROOT_UNNAMED  /* a node that we write: has slots that no node refers to */
} RootKind;

/* Reads "lod1 group0" or "state1 lod2" at the end of a name. A program may have appended a
 * suffix. */
static uint32_t CellOfName(const char *name) {
    uint32_t outer, inner;
    for (const char *at = name; at; at = strchr(at, ' ')) {
        at += *at == ' ';
        const char *lod = at, *state = at;
        if ((Text_TakeNumber(&lod, "lod", 10, 2, &outer) &&
             Text_TakeNumber(&lod, " group", 10, 4, &inner)) ||
            (Text_TakeNumber(&state, "state", 10, 2, &outer) &&
             Text_TakeNumber(&state, " lod", 10, 4, &inner)))
            return outer * 5 + inner;
    }
    return GLTF_ABSENT;
}

static bool LooksLikeAxes(const GltfDoc *doc, uint32_t index) {
    Local local;
    const cJSON *json = doc->tables[GLTF_TABLE_NODES].items[index];
    if (Gltf_Member(json, "mesh") || !Gltf_Member(json, "children") ||
        ReadLocal(doc, index, &local, NULL) != RP_OK || local.has_rest)
        return false;
    const double expected[4] = {-half_root, 0.0, 0.0, half_root};
    double sign = local.rotation[3] < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < 4; i++)
        if (fabs(sign * local.rotation[i] - expected[i]) > 1e-5)
            return false;
    return fabs(local.translation[0]) + fabs(local.translation[1]) + fabs(local.translation[2]) ==
           0.0;
}

static RootKind ClassifyRoot(const Importer *importer, uint32_t index, bool has_primary) {
    const cJSON *json = importer->doc.tables[GLTF_TABLE_NODES].items[index];
    const cJSON *hints = Gltf_Hints(json);
    const char *role = Gltf_Text(hints, "role"), *name = Gltf_Text(json, "name");
    if (role && strcmp(role, "axes") == 0)
        return ROOT_COPY;
    if (role && strcmp(role, "unnamed") == 0)
        return ROOT_UNNAMED;
    if (Gltf_Member(hints, "schema") && !has_primary)
        return ROOT_PRIMARY;
    if (!LooksLikeAxes(&importer->doc, index))
        return ROOT_NODE;
    if (name && strncmp(name, "slots without a node", 20) == 0)
        return ROOT_UNNAMED;
    if (name && CellOfName(name) != GLTF_ABSENT)
        return ROOT_COPY;
    return has_primary ? ROOT_NODE : ROOT_PRIMARY;
}

static uint32_t RootCell(const Importer *importer, uint32_t index, const cJSON *scene) {
    const cJSON *json = importer->doc.tables[GLTF_TABLE_NODES].items[index];
    const char *name = Gltf_Text(json, "name"), *scene_name = Gltf_Text(scene, "name");
    uint32_t cell = Gltf_Index(Gltf_Hints(json), "cell");
    if (cell == GLTF_ABSENT && name)
        cell = CellOfName(name);
    if (cell == GLTF_ABSENT)
        cell = Gltf_Index(Gltf_Hints(scene), "cell");
    if (cell == GLTF_ABSENT && scene_name)
        cell = CellOfName(scene_name);
    return cell < RP_MSH_SLOT_WORDS ? cell : 0;
}

/* Below a root that we have written, nothing is applied before the nodes, unless somebody has moved
 * that root. To nodes beside it, the rotation back to the model's axes is applied. */
static GltfContext ContextOfRoot(const Local *root) {
    const double back[4] = {half_root, 0.0, 0.0, half_root};
    GltfContext context = {.has_before = true};
    Turn_Multiply(back, root->rotation, context.before_rotation);
    memcpy(context.before_translation, root->translation, sizeof context.before_translation);
    Basis_Turn(context.before_translation);
    const double *turn = context.before_rotation, *shift = context.before_translation;
    if (fabs(turn[0]) + fabs(turn[1]) + fabs(turn[2]) <= no_difference &&
        fabs(shift[0]) + fabs(shift[1]) + fabs(shift[2]) == 0.0)
        context.has_before = false;
    context.has_linear = root->has_rest;
    memcpy(context.linear, root->rest, sizeof context.linear);
    return context;
}

/* ---- slots ----------------------------------------------------------------------------------- */

static RpStatus AddSlot(Importer *importer, uint32_t mesh, uint32_t node, uint32_t *index,
                        RpError *error) {
    const GltfTable *meshes = &importer->doc.tables[GLTF_TABLE_MESHES];
    if (mesh >= meshes->count)
        return Gltf_Bad(error, RP_CORRUPT, "there is no such mesh", "meshes", mesh,
                        "an index of meshes");
    bool own = node != GLTF_ABSENT && importer->nodes[node].has_linear;
    if (!own && importer->mesh_slots[mesh] != GLTF_ABSENT) {
        *index = importer->mesh_slots[mesh];
        return RP_OK;
    }
    const cJSON *hints = Gltf_Hints(meshes->items[mesh]);
    ImportSlot slot = {.mesh = mesh,
                       .node = own ? node : GLTF_ABSENT,
                       .slot_hint = Gltf_Index(hints, "slot"),
                       .batch_hint = Gltf_Index(hints, "batch")};
    double opaque[3] = {0.0, 0.0, 0.0};
    Gltf_Numbers(hints, "opaque", opaque, 3);
    for (int i = 0; i < 3; i++)
        slot.opaque[i] = opaque[i] >= 0.0 && opaque[i] <= UINT32_MAX ? (uint32_t)opaque[i] : 0;
    if (!RpBuffer_Append(&importer->slots, &slot, sizeof slot))
        return RpMemory_Refused(error, "slots");
    *index = importer->slot_count++;
    if (!own)
        importer->mesh_slots[mesh] = *index;
    return RP_OK;
}

static RpStatus ShowMesh(Importer *importer, const cJSON *json, uint32_t node, uint32_t cell,
                         RpError *error) {
    uint32_t slot;
    if (!Gltf_Member(json, "mesh"))
        return RP_OK;
    RpStatus status = AddSlot(importer, Gltf_Index(json, "mesh"), node, &slot, error);
    if (status != RP_OK)
        return status;
    if (importer->nodes[node].slots[cell] != GLTF_ABSENT)
        GltfDoc_Note(&importer->doc, "G20",
                     "a node shows two meshes in one cell: the first is kept",
                     Gltf_Text(json, "name"));
    else
        importer->nodes[node].slots[cell] = slot;
    return RP_OK;
}

/* ---- the walk -------------------------------------------------------------------------------- */

typedef struct Step {
    const cJSON *next; /* the next child to visit */
    uint32_t parent;   /* an import node, or GLTF_ABSENT under a root */
    uint32_t motion;
} Step;

typedef struct Walk {
    Importer *importer;
    Step *steps; /* room for a path through all nodes, and one more */
    uint32_t depth;
    bool *visited; /* for each glTF node */
    uint32_t cell;
    GltfContext root; /* for the nodes at the top */
} Walk;

static RpStatus Visit(Walk *walk, uint32_t index, RpError *error) {
    if (index >= walk->importer->doc.tables[GLTF_TABLE_NODES].count)
        return Gltf_Bad(error, RP_CORRUPT, "there is no such node", "nodes", index,
                        "an index of nodes");
    if (walk->visited[index])
        return Gltf_Bad(error, RP_CORRUPT, "a node is in two places", "nodes", index,
                        "one parent or scene for each node");
    walk->visited[index] = true;
    return RP_OK;
}

static void Descend(Walk *walk, const cJSON *json, uint32_t parent, uint32_t motion) {
    const cJSON *children = Gltf_Member(json, "children");
    if (cJSON_IsArray(children) && children->child)
        walk->steps[walk->depth++] = (Step){children->child, parent, motion};
}

static RpStatus TakeNode(Walk *walk, uint32_t index, const Step *from, RpError *error) {
    static const double origin[3] = {0.0, 0.0, 0.0};
    Importer *importer = walk->importer;
    const cJSON *json = importer->doc.tables[GLTF_TABLE_NODES].items[index];
    Local local, motion;
    RpStatus status = ReadLocal(&importer->doc, index, &local, error);
    if (status != RP_OK)
        return status;

    /* Such a node was written by us only to carry node 0's translation. */
    const char *role = Gltf_Text(Gltf_Hints(json), "role");
    const cJSON *children = Gltf_Member(json, "children");
    if (role && strcmp(role, "motion") == 0 && !Gltf_Member(json, "rotation") &&
        !Gltf_Member(json, "scale") && !Gltf_Member(json, "matrix") && cJSON_IsArray(children) &&
        children->child && !children->child->next && from->motion == GLTF_ABSENT) {
        Descend(walk, json, from->parent, index);
        return RP_OK;
    }
    if (importer->node_count >= MOST_NODES)
        return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE, "too many nodes for a model",
                           "/nodes", "at most 65534", "");
    GltfContext context = walk->root;
    if (from->parent != GLTF_ABSENT) {
        const ImportNode *parent = &importer->nodes[from->parent];
        context = (GltfContext){.turned = parent->context.turned, .has_linear = parent->has_linear};
        memcpy(context.linear, parent->linear, sizeof context.linear);
    }
    ImportNode *node = &importer->nodes[importer->node_count];
    *node = (ImportNode){.json = json,
                         .gltf = index,
                         .motion = from->motion,
                         .parent = from->parent,
                         .hint = Gltf_Index(Gltf_Hints(json), "node"),
                         .context = context};
    memset(node->slots, 0xFF, sizeof node->slots);
    const double *translation = local.translation;
    if (from->motion != GLTF_ABSENT && memcmp(translation, origin, sizeof origin) == 0 &&
        ReadLocal(&importer->doc, from->motion, &motion, error) == RP_OK)
        translation = motion.translation;
    GltfContext_Place(&node->context, translation, local.rotation, node->translation,
                      node->rotation);
    CarryLinear(&node->context, &local, node);
    importer->by_gltf[index] = importer->node_count;
    if (from->motion != GLTF_ABSENT)
        importer->by_gltf[from->motion] = importer->node_count;
    importer->node_count++;
    const char *name = Gltf_Text(json, "name");
    if (Gltf_Member(json, "skin"))
        GltfDoc_Note(&importer->doc, "G21",
                     "a skin is left out: models move whole nodes, without weights", name);
    if (Gltf_Member(json, "camera"))
        GltfDoc_Note(&importer->doc, "G22", "a camera is left out", name);
    Descend(walk, json, importer->node_count - 1, GLTF_ABSENT);
    return ShowMesh(importer, json, importer->node_count - 1, walk->cell, error);
}

static RpStatus WalkNodes(Walk *walk, RpError *error) {
    RpStatus status = RP_OK;
    while (walk->depth > 0 && status == RP_OK) {
        Step *step = &walk->steps[walk->depth - 1];
        const Step current = *step;
        step->next = current.next->next;
        if (!step->next)
            walk->depth--;
        uint32_t index = Gltf_Whole(current.next);
        status = Visit(walk, index, error);
        if (status == RP_OK)
            status = TakeNode(walk, index, &current, error);
    }
    return status;
}

/* ---- names ----------------------------------------------------------------------------------- */

typedef struct NamedNode {
    const char *name;
    uint32_t node;
} NamedNode;

static int CompareNames(const void *left, const void *right) {
    const NamedNode *a = left, *b = right;
    int order = strcmp(a->name, b->name);
    return order ? order : (a->node > b->node) - (a->node < b->node);
}

static int CompareToName(const void *name, const void *entry) {
    return strcmp(name, ((const NamedNode *)entry)->name);
}

typedef struct Matcher {
    NamedNode *names; /* sorted */
    uint32_t count;
    uint32_t *by_hint; /* the import node for each of the 65536 numbers that a node may have had */
} Matcher;

static RpStatus Matcher_Make(const Importer *importer, Matcher *matcher, RpError *error) {
    matcher->names = GltfDoc_Allocate(&importer->doc, importer->node_count, sizeof *matcher->names);
    matcher->by_hint = GltfDoc_Allocate(&importer->doc, 65536, sizeof *matcher->by_hint);
    if (!matcher->names || !matcher->by_hint)
        return RpMemory_Refused(error, "nodes");
    memset(matcher->by_hint, 0xFF, 65536 * sizeof *matcher->by_hint);
    for (uint32_t i = importer->node_count; i-- > 0;) {
        const char *name = Gltf_Text(importer->nodes[i].json, "name");
        if (name)
            matcher->names[matcher->count++] = (NamedNode){name, i};
        if (importer->nodes[i].hint < 65536)
            matcher->by_hint[importer->nodes[i].hint] = i;
    }
    qsort(matcher->names, matcher->count, sizeof *matcher->names, CompareNames);
    return RP_OK;
}

static uint32_t MatchNode(const Matcher *matcher, const cJSON *json) {
    uint32_t hint = Gltf_Index(Gltf_Hints(json), "node");
    const char *name = Gltf_Text(json, "name");
    if (hint < 65536 && matcher->by_hint[hint] != GLTF_ABSENT)
        return matcher->by_hint[hint];
    if (!name)
        return GLTF_ABSENT;

    /* Finds a name as it is, or without what Blender (".001") and three.js ("_1") append to make a
     * name unique. */
    char cut[256];
    const NamedNode *found =
        bsearch(name, matcher->names, matcher->count, sizeof *found, CompareToName);
    size_t length = strlen(name);
    if (!found && length < sizeof cut) {
        memcpy(cut, name, length + 1);
        while (length > 0 && cut[length - 1] >= '0' && cut[length - 1] <= '9')
            length--;
        if (length > 1 && (cut[length - 1] == '.' || cut[length - 1] == '_') && cut[length]) {
            cut[length - 1] = 0;
            found = bsearch(cut, matcher->names, matcher->count, sizeof *found, CompareToName);
        }
    }
    return found ? found->node : GLTF_ABSENT;
}

/* ---- copies of the skeleton ------------------------------------------------------------------ */

static RpStatus WalkCopy(Walk *walk, const Matcher *matcher, RootKind kind, RpError *error) {
    RpStatus status = RP_OK;
    while (walk->depth > 0 && status == RP_OK) {
        Step *step = &walk->steps[walk->depth - 1];
        uint32_t index = Gltf_Whole(step->next);
        step->next = step->next->next;
        if (!step->next)
            walk->depth--;
        status = Visit(walk, index, error);
        if (status != RP_OK)
            return status;
        const cJSON *json = walk->importer->doc.tables[GLTF_TABLE_NODES].items[index];
        Descend(walk, json, GLTF_ABSENT, GLTF_ABSENT);
        if (!Gltf_Member(json, "mesh"))
            continue;
        uint32_t slot, node = kind == ROOT_COPY ? MatchNode(matcher, json) : GLTF_ABSENT;
        if (kind != ROOT_COPY)
            status = AddSlot(walk->importer, Gltf_Index(json, "mesh"), GLTF_ABSENT, &slot, error);
        else if (node != GLTF_ABSENT)
            status = ShowMesh(walk->importer, json, node, walk->cell, error);
        else
            GltfDoc_Note(&walk->importer->doc, "G23",
                         "a mesh of another cell belongs to no node of the skeleton: left out",
                         Gltf_Text(json, "name"));
    }
    return status;
}

/* ---- scenes ---------------------------------------------------------------------------------- */

static const cJSON *SceneRoots(const cJSON *scene) {
    const cJSON *roots = Gltf_Member(scene, "nodes");
    return cJSON_IsArray(roots) ? roots->child : NULL;
}

static RpStatus WalkDefault(Walk *walk, const cJSON *scene, RpError *error) {
    uint32_t primary = GLTF_ABSENT;
    for (const cJSON *root = SceneRoots(scene); root && primary == GLTF_ABSENT; root = root->next) {
        uint32_t index = Gltf_Whole(root);
        if (index < walk->importer->doc.tables[GLTF_TABLE_NODES].count &&
            ClassifyRoot(walk->importer, index, false) == ROOT_PRIMARY)
            primary = index;
    }
    const bool has_primary = primary != GLTF_ABSENT;
    Importer *importer = walk->importer;
    RpStatus status = RP_OK;
    if (has_primary) {
        const cJSON *json = importer->doc.tables[GLTF_TABLE_NODES].items[primary];
        Local local;
        status = ReadLocal(&importer->doc, primary, &local, error);
        if (status == RP_OK)
            status = Visit(walk, primary, error);
        if (status == RP_OK) {
            walk->root = ContextOfRoot(&local);
            importer->hints = Gltf_Hints(json);
            importer->root_name = Gltf_Text(json, "name");
            walk->cell = RootCell(importer, primary, scene);
            Descend(walk, json, GLTF_ABSENT, GLTF_ABSENT);
            status = WalkNodes(walk, error);
        }
    }

    /* Without such a root, the axes of the whole scene have to be turned. */
    importer->turned = !has_primary;
    for (const cJSON *root = SceneRoots(scene); root && status == RP_OK; root = root->next) {
        uint32_t index = Gltf_Whole(root);
        if (index == primary)
            continue;
        if (index >= walk->importer->doc.tables[GLTF_TABLE_NODES].count)
            return Visit(walk, index, error);
        if (!has_primary || ClassifyRoot(walk->importer, index, true) == ROOT_NODE) {
            static const Local beside = {{0.0, 0.0, 0.0},
                                         {0.0, 0.0, 0.0, 1.0},
                                         {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0},
                                         false};
            const Step step = {.parent = GLTF_ABSENT, .motion = GLTF_ABSENT};
            walk->root = has_primary ? ContextOfRoot(&beside) : (GltfContext){.turned = true};
            status = Visit(walk, index, error);
            if (status == RP_OK)
                status = TakeNode(walk, index, &step, error);
            status = status == RP_OK ? WalkNodes(walk, error) : status;
        }
    }
    return status;
}

static RpStatus WalkOther(Walk *walk, const Matcher *matcher, const cJSON *scene, RpError *error) {
    Importer *importer = walk->importer;
    RpStatus status = RP_OK;
    bool left_out = false;
    for (const cJSON *root = SceneRoots(scene); root && status == RP_OK; root = root->next) {
        uint32_t index = Gltf_Whole(root);
        if (index >= importer->doc.tables[GLTF_TABLE_NODES].count)
            return Visit(walk, index, error);
        if (walk->visited[index])
            continue;
        RootKind kind = ClassifyRoot(importer, index, true);
        left_out |= kind == ROOT_NODE || kind == ROOT_PRIMARY;
        if (kind != ROOT_COPY && kind != ROOT_UNNAMED)
            continue;
        walk->visited[index] = true;
        walk->cell = RootCell(importer, index, scene);
        Descend(walk, importer->doc.tables[GLTF_TABLE_NODES].items[index], GLTF_ABSENT,
                GLTF_ABSENT);
        status = WalkCopy(walk, matcher, kind, error);
    }
    if (left_out)
        GltfDoc_Note(&importer->doc, "G24", "a scene beside the default one is left out",
                     Gltf_Text(scene, "name"));
    return status;
}

/* ---- order ----------------------------------------------------------------------------------- */

typedef struct Ranked {
    uint32_t hint, node;
} Ranked;

static int CompareRanks(const void *left, const void *right) {
    const Ranked *a = left, *b = right;
    if (a->hint != b->hint)
        return a->hint < b->hint ? -1 : 1;
    return (a->node > b->node) - (a->node < b->node);
}

/* Keeps the exported order. New nodes follow in the order of the file. Parents always come before
 * their children. */
static RpStatus OrderNodes(Importer *importer, RpError *error) {
    uint32_t count = importer->node_count, next = 0;
    Ranked *ranks = GltfDoc_Allocate(&importer->doc, count, sizeof *ranks);
    uint32_t *path = GltfDoc_Allocate(&importer->doc, count, sizeof *path);
    importer->order = GltfDoc_Allocate(&importer->doc, count, sizeof *importer->order);
    bool allocated = ranks && path && importer->order;
    for (uint32_t i = 0; allocated && i < count; i++) {
        ranks[i] = (Ranked){importer->nodes[i].hint, i};
        importer->nodes[i].number = GLTF_ABSENT;
    }
    if (allocated) {
        qsort(ranks, count, sizeof *ranks, CompareRanks);
        for (uint32_t i = 0; i < count; i++) {
            /* Gives a node its number. Parents without a number get theirs first. */
            uint32_t node = ranks[i].node;
            uint32_t depth = 0;
            while (node != GLTF_ABSENT && importer->nodes[node].number == GLTF_ABSENT) {
                path[depth++] = node;
                node = importer->nodes[node].parent;
            }
            while (depth > 0) {
                importer->nodes[path[--depth]].number = next;
                importer->order[next++] = path[depth];
            }
        }
    }
    GltfDoc_Release(&importer->doc, ranks);
    GltfDoc_Release(&importer->doc, path);
    return allocated ? RP_OK : RpMemory_Refused(error, "nodes");
}

/* ---- texts ----------------------------------------------------------------------------------- */

static void TakeText(const Importer *importer, const char *text, char *bytes, size_t size) {
    bool exact = true;
    if (!text)
        return;
    Text1251_FromUtf8(text, bytes, size, &exact);
    if (!exact)
        GltfDoc_Note(&importer->doc, "G25",
                     "a name is too long or has characters outside Windows-1251: changed", text);
}

RpStatus Importer_WalkScenes(Importer *importer, RpError *error) {
    uint32_t nodes = importer->doc.tables[GLTF_TABLE_NODES].count;
    uint32_t meshes = importer->doc.tables[GLTF_TABLE_MESHES].count;
    Walk walk = {.importer = importer,
                 .steps = GltfDoc_Allocate(&importer->doc, (size_t)nodes + 1, sizeof *walk.steps),
                 .visited = GltfDoc_Allocate(&importer->doc, nodes, sizeof *walk.visited)};
    importer->nodes = GltfDoc_Allocate(&importer->doc, nodes < MOST_NODES ? nodes : MOST_NODES,
                                       sizeof *importer->nodes);
    importer->by_gltf = GltfDoc_Allocate(&importer->doc, nodes, sizeof *importer->by_gltf);
    importer->mesh_slots = GltfDoc_Allocate(&importer->doc, meshes, sizeof *importer->mesh_slots);
    RpStatus status = RpMemory_Refused(error, "nodes");
    if (walk.steps && walk.visited && importer->nodes && importer->by_gltf &&
        importer->mesh_slots) {
        memset(importer->by_gltf, 0xFF, nodes * sizeof *importer->by_gltf);
        memset(importer->mesh_slots, 0xFF, meshes * sizeof *importer->mesh_slots);

        /* The default scene has the nodes. Other scenes show other cells of the same nodes. */
        const GltfTable *scenes = &importer->doc.tables[GLTF_TABLE_SCENES];
        const cJSON *number = Gltf_Member(importer->doc.root, "scene");
        uint32_t first = number ? Gltf_Whole(number) : 0;
        Matcher matcher = {NULL, 0, NULL};
        if (first >= scenes->count) {
            status = Gltf_Bad(error, scenes->count ? RP_CORRUPT : RP_NOT_FOUND,
                              "there is no such scene", "scenes", first, "a default scene");
        } else {
            status = WalkDefault(&walk, scenes->items[first], error);
            if (status == RP_OK)
                status = Matcher_Make(importer, &matcher, error);
            for (uint32_t i = 0; !importer->turned && i < scenes->count && status == RP_OK; i++)
                status = WalkOther(&walk, &matcher, scenes->items[i], error);
            if (importer->turned && scenes->count > 1)
                GltfDoc_Note(&importer->doc, "G24", "scenes beside the default one are left out",
                             "");
            GltfDoc_Release(&importer->doc, matcher.names);
            GltfDoc_Release(&importer->doc, matcher.by_hint);
        }
    }
    GltfDoc_Release(&importer->doc, walk.steps);
    GltfDoc_Release(&importer->doc, walk.visited);
    if (status == RP_OK && importer->node_count == 0)
        status = RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "the scene has no nodes", "/scenes",
                             "one node at least", "");
    return status == RP_OK ? OrderNodes(importer, error) : status;
}

RpStatus Importer_TakeTexts(Importer *importer, RpError *error) {
    RpStatus status = RP_OK;
    for (uint32_t i = 0; i < importer->node_count && status == RP_OK; i++) {
        ImportNode *node = &importer->nodes[i];
        const cJSON *hints = Gltf_Hints(node->json);
        const char *name = Gltf_Text(node->json, "name");

        /* A node without a name was exported as "node 7". */
        char made_up[32];
        snprintf(made_up, sizeof made_up, "node %u", (unsigned)node->hint);
        if (name && node->hint != GLTF_ABSENT && strcmp(name, made_up) == 0)
            name = NULL;
        bool labels_name = importer->readings.choice[READING_NAMES];
        const char *label = labels_name ? name : Gltf_Text(hints, "label");
        TakeText(importer, labels_name ? Gltf_Text(hints, "name") : name, node->name,
                 sizeof node->name);
        if (label && *label) {
            node->label = GltfDoc_Allocate(&importer->doc, RP_MSH_LABEL_MAX + 1, 1);
            if (!node->label)
                status = RpMemory_Refused(error, "labels");
            else
                TakeText(importer, label, node->label, RP_MSH_LABEL_MAX);
        }
    }
    return status;
}
