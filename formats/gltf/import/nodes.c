/* Makes the nodes of a model from the scenes of a glTF file. */
#include "exports/reading_table.h"
#include "formats/gltf/import/import.h"
#include "formats/gltf/import/tree.h"

#include "core/text/encoding.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double half_root = 0.70710678118654757;
static const double no_difference = 1e-6;
enum { MOST_NODES = RP_MSH_NONE - 1 };

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
    if (context->has_linear && context->is_even) {
        const double back[4] = {-context->frame[0], -context->frame[1], -context->frame[2],
                                context->frame[3]};
        Turn_Multiply(context->frame, turn, turn);
        Turn_Multiply(turn, back, turn);
    }
    if (context->has_before) {
        Turn_Apply(context->before_rotation, place, place);
        for (int i = 0; i < 3; i++)
            place[i] += context->before_translation[i];
        Turn_Multiply(context->before_rotation, turn, turn);
    }
}

static void SetLinear(GltfContext *context, bool has_linear, const double linear[9]) {
    context->has_linear = has_linear;
    memcpy(context->linear, linear, sizeof context->linear);
    context->is_even = has_linear && Linear_Evenness(linear) > 0.0;
    if (context->is_even)
        Turn_FromLinear(linear, context->frame);
}

/* Computes the linear part of a node's vertices: what remains of L R rest when the rotation that
 * the node has in the model is removed from it. */
static void CarryLinear(const GltfContext *context, const GltfLocal *local, ImportNode *node) {
    double turn[4], matrix[9], transposed[9], rest[9];
    if (!context->has_linear && !local->has_rest)
        return;
    memcpy(rest, local->rest, sizeof rest);
    memcpy(turn, local->rotation, sizeof turn);
    if (context->turned) {
        Linear_TurnBasis(rest);
        Basis_Turn(turn);
    }
    memcpy(node->linear, rest, sizeof node->linear);
    if (context->has_linear && context->is_even) {
        Linear_Multiply(context->linear, rest, node->linear);
    } else if (context->has_linear) {
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
    GltfLocal local;
    const cJSON *json = doc->tables[GLTF_TABLE_NODES].items[index];
    if (Gltf_Member(json, "mesh") || !Gltf_Member(json, "children") ||
        GltfLocal_Read(doc, index, &local, NULL) != RP_OK || local.has_rest)
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

/* Below a root that we have written, nothing is applied before the nodes, unless somebody has moved
 * that root. To nodes beside it, the rotation back to the model's axes is applied. */
static GltfContext ContextOfRoot(const GltfLocal *root) {
    const double back[4] = {half_root, 0.0, 0.0, half_root};
    GltfContext context = {.has_before = true};
    Turn_Multiply(back, root->rotation, context.before_rotation);
    memcpy(context.before_translation, root->translation, sizeof context.before_translation);
    Basis_Turn(context.before_translation);
    const double *turn = context.before_rotation, *shift = context.before_translation;
    if (fabs(turn[0]) + fabs(turn[1]) + fabs(turn[2]) <= no_difference &&
        fabs(shift[0]) + fabs(shift[1]) + fabs(shift[2]) == 0.0)
        context.has_before = false;
    SetLinear(&context, root->has_rest, root->rest);
    return context;
}

/* ---- the walk -------------------------------------------------------------------------------- */

typedef struct Step {
    const cJSON *next; /* the next child to visit */
    uint32_t parent;   /* an import node, or GLTF_ABSENT under a root */
    uint32_t motion;
} Step;

typedef struct Walk {
    Importer *importer;
    GltfTree tree;
    Step *steps; /* room for a path through all nodes, and one more */
    uint32_t depth;
    bool *visited;  /* for each glTF node */
    uint32_t *tops; /* glTF nodes; room for all of them */
    uint32_t top_count;
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

static uint32_t RootCell(const Walk *walk, uint32_t index, const cJSON *scene) {
    const GltfTable *nodes = &walk->importer->doc.tables[GLTF_TABLE_NODES];
    const cJSON *json = nodes->items[index];
    const uint32_t above = walk->tree.parents[index];
    const char *name = Gltf_Text(json, "name"), *scene_name = Gltf_Text(scene, "name");
    uint32_t cell = Gltf_Index(Gltf_Hints(json), "cell");
    if (cell == GLTF_ABSENT && name)
        cell = CellOfName(name);
    if (cell == GLTF_ABSENT && above != GLTF_ABSENT) /* what some programs make of a scene */
        cell = Gltf_Index(Gltf_Hints(nodes->items[above]), "cell");
    if (cell == GLTF_ABSENT)
        cell = Gltf_Index(Gltf_Hints(scene), "cell");
    if (cell == GLTF_ABSENT && scene_name)
        cell = CellOfName(scene_name);
    return cell < RP_MSH_SLOT_WORDS ? cell : 0;
}

/* Notes what of a node has no place in a model. */
static void NoteLeftOut(const Importer *importer, const cJSON *json) {
    static const char *const extensions[] = {"EXT_mesh_gpu_instancing", "MSFT_lod"};
    const char *name = Gltf_Text(json, "name");
    if (Gltf_Member(json, "skin"))
        GltfDoc_Note(&importer->doc, "G21",
                     "a skin is left out: models move whole nodes, without weights, and the mesh "
                     "stands in its bind pose",
                     name);
    if (Gltf_Member(json, "camera"))
        GltfDoc_Note(&importer->doc, "G22", "a camera is left out", name);
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
        if (Gltf_Extension(json, extensions[i]))
            GltfDoc_Note(&importer->doc, "G48",
                         i == 0 ? "the copies of a mesh by EXT_mesh_gpu_instancing are left out"
                                : "the other levels of a node by MSFT_lod are left out",
                         name);
}

/* Where the vertices of a mesh stand below its node. A mesh with a skin stands where its joints
 * have it, and not at its node (glTF 2.0, 3.7.3.3): here in its bind pose, at its first joint. */
static RpStatus PlaceMesh(Walk *walk, uint32_t index, const ImportNode *node, GltfAffine *place,
                          RpError *error) {
    GltfDoc *doc = &walk->importer->doc;
    const cJSON *json = doc->tables[GLTF_TABLE_NODES].items[index];
    const GltfTable *skins = &doc->tables[GLTF_TABLE_SKINS];
    const uint32_t number = Gltf_Index(json, "skin");
    const cJSON *skin = number < skins->count ? skins->items[number] : NULL;
    const cJSON *joints = Gltf_Member(skin, "joints");
    const uint32_t joint = cJSON_IsArray(joints) ? Gltf_Whole(joints->child) : GLTF_ABSENT;
    *place = (GltfAffine){.linear = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}};
    if (node->has_linear)
        memcpy(place->linear, node->linear, sizeof place->linear);
    if (!Gltf_Member(json, "mesh") || joint >= doc->tables[GLTF_TABLE_NODES].count)
        return RP_OK;

    GltfAffine own, back, at, bind = {.linear = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}};
    RpStatus status = GltfTree_World(&walk->tree, index, &own, error);
    if (status == RP_OK)
        status = GltfTree_World(&walk->tree, joint, &at, error);
    if (status == RP_OK && Gltf_Member(skin, "inverseBindMatrices")) {
        GltfAccess access;
        status = GltfDoc_Access(doc, Gltf_Index(skin, "inverseBindMatrices"), &access, error);
        if (status == RP_OK && (access.components != 16 || access.count == 0))
            status = RpError_Set(error, RP_CORRUPT, RP_NOWHERE,
                                 "the inverse bind matrices of a skin are none", "/skins",
                                 "one MAT4 for each joint", "");
        for (uint32_t i = 0; status == RP_OK && i < 12; i++) {
            const double value = GltfAccess_Number(&access, 0, i / 3 * 4 + i % 3);
            if (i < 9)
                bind.linear[i % 3 * 3 + i / 3] = value;
            else
                bind.offset[i - 9] = value;
        }
    }
    if (status != RP_OK || !Affine_Invert(&own, &back))
        return status;
    at = Affine_Multiply(&at, &bind);
    at = Affine_Multiply(&back, &at);
    if (node->context.turned) {
        Linear_TurnBasis(at.linear);
        Basis_Turn(at.offset);
    }
    *place = Affine_Multiply(place, &at);
    return RP_OK;
}

/* Whether a node is what a program has put below a node of ours to hold its mesh, or a part of it:
 * glTF-Transform does so without a name where it has quantised the mesh, and three.js for each
 * primitive. */
static bool IsPart(const Walk *walk, uint32_t index, uint32_t parent) {
    const Importer *importer = walk->importer;
    const cJSON *json = importer->doc.tables[GLTF_TABLE_NODES].items[index];
    const cJSON *hints = Gltf_Hints(json), *children = Gltf_Member(json, "children");
    return parent != GLTF_ABSENT && importer->nodes[parent].hint != GLTF_ABSENT &&
           Gltf_Member(json, "mesh") && !(cJSON_IsArray(children) && children->child) &&
           Gltf_Index(hints, "node") == GLTF_ABSENT && !walk->tree.is_moved[index] &&
           !Gltf_Member(json, "skin") &&
           (!Gltf_Text(json, "name") || Gltf_Index(hints, "slot") != GLTF_ABSENT);
}

static RpStatus ShowPart(Walk *walk, uint32_t index, uint32_t parent, RpError *error) {
    Importer *importer = walk->importer;
    const ImportNode *node = &importer->nodes[parent];
    GltfAffine place;
    GltfLocal local;
    RpStatus status = GltfLocal_Read(&importer->doc, index, &local, error);
    if (status != RP_OK)
        return status;
    place = GltfLocal_Affine(&local);
    if (node->context.turned) {
        Linear_TurnBasis(place.linear);
        Basis_Turn(place.offset);
    }
    if (node->has_linear) {
        Linear_Multiply(node->linear, place.linear, place.linear);
        Linear_Apply(node->linear, place.offset, place.offset);
    }
    return Importer_ShowMesh(importer, importer->doc.tables[GLTF_TABLE_NODES].items[index], parent,
                             walk->cell, &place, error);
}

static RpStatus TakeNode(Walk *walk, uint32_t index, const Step *from, RpError *error) {
    static const double origin[3] = {0.0, 0.0, 0.0};
    Importer *importer = walk->importer;
    const cJSON *json = importer->doc.tables[GLTF_TABLE_NODES].items[index];
    GltfLocal local, motion;
    RpStatus status = GltfLocal_Read(&importer->doc, index, &local, error);
    if (status != RP_OK)
        return status;
    if (IsPart(walk, index, from->parent))
        return ShowPart(walk, index, from->parent, error);

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
        context = (GltfContext){.turned = parent->context.turned};
        SetLinear(&context, parent->has_linear, parent->linear);
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
        GltfLocal_Read(&importer->doc, from->motion, &motion, error) == RP_OK)
        translation = motion.translation;
    memcpy(node->own_translation, translation, sizeof node->own_translation);
    memcpy(node->own_rotation, local.rotation, sizeof node->own_rotation);
    GltfContext_Place(&node->context, translation, local.rotation, node->translation,
                      node->rotation);
    CarryLinear(&node->context, &local, node);
    importer->by_gltf[index] = importer->node_count;
    if (from->motion != GLTF_ABSENT)
        importer->by_gltf[from->motion] = importer->node_count;
    importer->node_count++;
    if (local.was_odd)
        GltfDoc_Note(&importer->doc, "G49", "a rotation is not of length 1: normalised",
                     Gltf_Text(json, "name"));
    const cJSON *visibility = Gltf_Extension(json, "KHR_node_visibility");
    node->hidden = cJSON_IsFalse(Gltf_Member(visibility, "visible")) ||
                   (from->parent != GLTF_ABSENT && importer->nodes[from->parent].hidden);
    NoteLeftOut(importer, json);
    GltfAffine place;
    status = PlaceMesh(walk, index, node, &place, error);
    Descend(walk, json, importer->node_count - 1, GLTF_ABSENT);
    return status == RP_OK ? Importer_ShowMesh(importer, json, importer->node_count - 1, walk->cell,
                                               &place, error)
                           : status;
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
        const char *name = Importer_NameOf(importer->nodes[i].json);
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
    const char *name = Importer_NameOf(json);
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
    Importer *importer = walk->importer;
    RpStatus status = RP_OK;
    while (walk->depth > 0 && status == RP_OK) {
        Step *step = &walk->steps[walk->depth - 1];
        const uint32_t index = Gltf_Whole(step->next), parent = step->parent;
        step->next = step->next->next;
        if (!step->next)
            walk->depth--;
        status = Visit(walk, index, error);
        if (status != RP_OK)
            return status;
        const cJSON *json = importer->doc.tables[GLTF_TABLE_NODES].items[index];
        const uint32_t node = kind == ROOT_COPY ? MatchNode(matcher, json) : GLTF_ABSENT;
        Descend(walk, json, node, GLTF_ABSENT);
        if (!Gltf_Member(json, "mesh"))
            continue;
        GltfAffine place = {.linear = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}};
        if (kind != ROOT_COPY) {
            status = Importer_ShowMesh(importer, json, GLTF_ABSENT, walk->cell, &place, error);
        } else if (node != GLTF_ABSENT) {
            if (importer->nodes[node].has_linear)
                memcpy(place.linear, importer->nodes[node].linear, sizeof place.linear);
            status = Importer_ShowMesh(importer, json, node, walk->cell, &place, error);
        } else if (IsPart(walk, index, parent)) {
            status = ShowPart(walk, index, parent, error);
        } else {
            GltfDoc_Note(&importer->doc, "G23",
                         "a mesh of another cell belongs to no node of the skeleton: left out",
                         Gltf_Text(json, "name"));
        }
    }
    return status;
}

/* ---- scenes ---------------------------------------------------------------------------------- */

static RpStatus AddTop(Walk *walk, uint32_t index, RpError *error) {
    const uint32_t count = walk->importer->doc.tables[GLTF_TABLE_NODES].count;
    if (index >= count || walk->top_count >= count)
        return Gltf_Bad(error, RP_CORRUPT,
                        index >= count ? "there is no such node" : "a node is in two places",
                        "nodes", index, "an index of nodes, each in one place");
    walk->tops[walk->top_count++] = index;
    return RP_OK;
}

/* Lists the nodes at the top of a scene, or of a file without scenes. What programs put above a
 * root of ours (a scene as a node, a pivot) is no node of the model: its children stand for it. */
static RpStatus ListTops(Walk *walk, const cJSON *scene, RpError *error) {
    const GltfTable *nodes = &walk->importer->doc.tables[GLTF_TABLE_NODES];
    const cJSON *roots = Gltf_Member(scene, "nodes");
    RpStatus status = RP_OK;
    walk->top_count = 0;
    for (const cJSON *root = cJSON_IsArray(roots) ? roots->child : NULL; root && status == RP_OK;
         root = root->next)
        status = AddTop(walk, Gltf_Whole(root), error);
    for (uint32_t i = 0; !scene && i < nodes->count && status == RP_OK; i++)
        if (walk->tree.parents[i] == GLTF_ABSENT)
            status = AddTop(walk, i, error);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < walk->top_count && status == RP_OK; i++) {
        const uint32_t index = walk->tops[i];
        const cJSON *json = nodes->items[index], *children = Gltf_Member(json, "children");
        if (!walk->tree.holds_ours[index] || GltfTree_IsOurs(json)) {
            walk->tops[kept++] = index;
            continue;
        }
        if (!walk->visited[index] && (Gltf_Member(json, "mesh") || walk->tree.is_moved[index]))
            GltfDoc_Note(&walk->importer->doc, "G50",
                         "the mesh or the animation of a node above the model's root is left out",
                         Gltf_Text(json, "name"));
        walk->visited[index] = true;
        for (const cJSON *child = cJSON_IsArray(children) ? children->child : NULL;
             child && status == RP_OK; child = child->next)
            status = AddTop(walk, Gltf_Whole(child), error);
    }
    walk->top_count = kept;
    return status;
}

/* Where a node at the top stands, with what was put above it. */
static RpStatus PlaceTop(Walk *walk, uint32_t index, bool with_own, GltfLocal *local,
                         RpError *error) {
    const uint32_t above = walk->tree.parents[index];
    GltfAffine map;
    RpStatus status = RP_OK;
    *local = GltfLocal_Identity();
    if (with_own)
        status = GltfLocal_Read(&walk->importer->doc, index, local, error);
    if (status != RP_OK || above == GLTF_ABSENT || !walk->tree.holds_ours[above])
        return status;
    status = GltfTree_World(&walk->tree, with_own ? index : above, &map, error);
    *local = GltfLocal_OfAffine(&map);
    return status;
}

static RpStatus WalkDefault(Walk *walk, const cJSON *scene, RpError *error) {
    Importer *importer = walk->importer;
    GltfLocal local;
    RpStatus status = ListTops(walk, scene, error);
    uint32_t primary = GLTF_ABSENT;
    for (uint32_t i = 0; i < walk->top_count && status == RP_OK && primary == GLTF_ABSENT; i++)
        if (ClassifyRoot(importer, walk->tops[i], false) == ROOT_PRIMARY)
            primary = walk->tops[i];
    const bool has_primary = primary != GLTF_ABSENT;
    if (has_primary) {
        const cJSON *json = importer->doc.tables[GLTF_TABLE_NODES].items[primary];
        status = PlaceTop(walk, primary, true, &local, error);
        if (status == RP_OK)
            status = Visit(walk, primary, error);
        if (status == RP_OK) {
            walk->root = ContextOfRoot(&local);
            importer->hints = Gltf_Hints(json);
            importer->root_name = Importer_NameOf(json);
            walk->cell = RootCell(walk, primary, scene);
            Descend(walk, json, GLTF_ABSENT, GLTF_ABSENT);
            status = WalkNodes(walk, error);
        }
    }

    /* Without such a root, the axes of the whole scene have to be turned. */
    importer->turned = !has_primary;
    for (uint32_t i = 0; i < walk->top_count && status == RP_OK; i++) {
        const uint32_t index = walk->tops[i];
        if (index == primary || (has_primary && ClassifyRoot(importer, index, true) != ROOT_NODE))
            continue;
        const Step step = {.parent = GLTF_ABSENT, .motion = GLTF_ABSENT};
        status = PlaceTop(walk, index, false, &local, error);
        walk->root = has_primary ? ContextOfRoot(&local) : (GltfContext){.turned = true};
        if (status == RP_OK)
            status = Visit(walk, index, error);
        if (status == RP_OK)
            status = TakeNode(walk, index, &step, error);
        status = status == RP_OK ? WalkNodes(walk, error) : status;
    }
    return status;
}

static RpStatus WalkOther(Walk *walk, const Matcher *matcher, const cJSON *scene, RpError *error) {
    Importer *importer = walk->importer;
    bool left_out = false;
    RpStatus status = ListTops(walk, scene, error);
    for (uint32_t i = 0; i < walk->top_count && status == RP_OK; i++) {
        const uint32_t index = walk->tops[i];
        if (walk->visited[index])
            continue;
        RootKind kind = ClassifyRoot(importer, index, true);
        left_out |= kind == ROOT_NODE || kind == ROOT_PRIMARY;
        if (kind != ROOT_COPY && kind != ROOT_UNNAMED)
            continue;
        walk->visited[index] = true;
        walk->cell = RootCell(walk, index, scene);
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

/* Programs of three.js drop what its paths use from names, and keep the name itself in the extras
 * (PropertyBinding.sanitizeNodeName). A number may follow that makes the name unique. */
static bool IsSanitized(const char *name, const char *original) {
    for (; *original; original++) {
        if (strchr("[].:/", *original))
            continue;
        if (*name != (strchr(" \t\n\v\f\r", *original) ? '_' : *original))
            return false;
        name++;
    }
    if (*name == '_')
        name += 1 + strspn(name + 1, "0123456789");
    return *name == 0;
}

const char *Importer_NameOf(const cJSON *json) {
    const char *name = Gltf_Text(json, "name");
    const char *original = Gltf_Text(Gltf_Member(json, "extras"), "name");
    return name && original && IsSanitized(name, original) ? original : name;
}

/* Leaves room for a NUL. */
static void TakeText(const Importer *importer, const char *text, char *bytes, size_t size) {
    bool exact = true;
    if (!text)
        return;
    Text1251_FromUtf8(text, bytes, size - 1, &exact);
    if (!exact)
        GltfDoc_Note(&importer->doc, "G25",
                     "a name is too long or has characters outside Windows-1251: changed", text);
}

RpStatus Importer_WalkScenes(Importer *importer, RpError *error) {
    uint32_t nodes = importer->doc.tables[GLTF_TABLE_NODES].count;
    uint32_t meshes = importer->doc.tables[GLTF_TABLE_MESHES].count;
    Walk walk = {.importer = importer,
                 .steps = GltfDoc_Allocate(&importer->doc, (size_t)nodes + 1, sizeof *walk.steps),
                 .visited = GltfDoc_Allocate(&importer->doc, nodes, sizeof *walk.visited),
                 .tops = GltfDoc_Allocate(&importer->doc, nodes, sizeof *walk.tops)};
    importer->nodes = GltfDoc_Allocate(&importer->doc, nodes < MOST_NODES ? nodes : MOST_NODES,
                                       sizeof *importer->nodes);
    importer->by_gltf = GltfDoc_Allocate(&importer->doc, nodes, sizeof *importer->by_gltf);
    importer->mesh_slots = GltfDoc_Allocate(&importer->doc, meshes, sizeof *importer->mesh_slots);
    importer->hinted_slots = GltfDoc_Allocate(&importer->doc, 65536, sizeof(uint32_t));
    RpStatus status = GltfTree_Make(&importer->doc, &walk.tree, error);
    const bool fits = status == RP_OK && walk.steps && walk.visited && walk.tops &&
                      importer->nodes && importer->by_gltf && importer->mesh_slots &&
                      importer->hinted_slots;
    if (!fits)
        status = RpMemory_Refused(error, "nodes");
    if (fits) {
        memset(importer->hinted_slots, 0xFF, 65536 * sizeof(uint32_t));
        memset(importer->by_gltf, 0xFF, nodes * sizeof *importer->by_gltf);
        memset(importer->mesh_slots, 0xFF, meshes * sizeof *importer->mesh_slots);

        /* The default scene has the nodes. Other scenes show other cells of the same nodes. */
        const GltfTable *scenes = &importer->doc.tables[GLTF_TABLE_SCENES];
        const cJSON *number = Gltf_Member(importer->doc.root, "scene");
        uint32_t first = number ? Gltf_Whole(number) : 0;
        Matcher matcher = {NULL, 0, NULL};
        if (first >= scenes->count && scenes->count > 0) {
            status = Gltf_Bad(error, RP_CORRUPT, "there is no such scene", "scenes", first,
                              "a default scene");
        } else {
            status = WalkDefault(&walk, first < scenes->count ? scenes->items[first] : NULL, error);
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
    GltfDoc_Release(&importer->doc, walk.tops);
    GltfTree_Free(&walk.tree);
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
        const char *name = Importer_NameOf(node->json);

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
                TakeText(importer, label, node->label, RP_MSH_LABEL_MAX + 1);
        }
    }
    return status;
}
