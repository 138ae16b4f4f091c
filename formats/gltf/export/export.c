/* The exporter: nodes, scenes, animations, and the contents of extras. docs/formats/gltf.md
 * describes these. */
#include "formats/gltf/export/export.h"

#include "core/text/encoding.h"
#include "exports/reading_table.h"
#include "formats/msh/read/sharing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SCHEMA_VERSION = 1 };
static const double half_root = 0.70710678118654757;

/* ---- options --------------------------------------------------------------------------------- */

const char *RpGltfRootMotion_Name(RpGltfRootMotion motion) {
    static const char *const names[] = {"keep", "drop", "separate"};
    return (unsigned)motion < sizeof names / sizeof *names ? names[motion] : NULL;
}

RpGltfExportOptions RpGltfExportOptions_Default(void) {
    return (RpGltfExportOptions){.frames_per_second = RP_GLTF_DEFAULT_FPS,
                                 .sub_frames = 1,
                                 .cells = RP_GLTF_ALL_CELLS,
                                 .root_motion = RP_GLTF_ROOT_KEEP,
                                 .container = RP_GLTF_BINARY,
                                 .animation = true,
                                 .restore = true};
}

/* ---- the exporter ---------------------------------------------------------------------------- */

void Gltf_CellName(const RpReadings *readings, uint32_t cell, char *text, size_t size) {
    const char *format = readings->choice[READING_SLOT_WORDS] ? "state%u lod%u" : "lod%u group%u";
    snprintf(text, size, format, (unsigned)(cell / 5), (unsigned)(cell % 5));
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* The labels have been collected on a single pass, because Res10 can only be walked from its
 * beginning. */
static const char *NodeText(const GltfExporter *exporter, uint32_t type, uint32_t index,
                            uint32_t *length) {
    const GltfNode *node = &exporter->nodes[index];
    if (type != RP_MSH_LABELS)
        return RpMsh_Text(&exporter->msh, type, index, length);
    *length = node->label_length;
    return node->label;
}

static RpStatus PlanNodes(GltfExporter *exporter, RpError *error) {
    exporter->node_count = RpMsh_Count(&exporter->msh, RP_MSH_NODES);
    exporter->nodes = GltfExporter_Allocate(exporter, exporter->node_count, sizeof(GltfNode));
    if (!exporter->nodes)
        return RpMemory_Refused(error, "nodes");
    RpMshTexts labels = RpMsh_Texts(&exporter->msh, RP_MSH_LABELS);
    for (uint32_t i = 0; i < exporter->node_count; i++) {
        GltfNode *node = &exporter->nodes[i];
        RpMsh_Node(&exporter->msh, i, &node->record);
        RpMshTexts_Next(&labels, &node->label, &node->label_length);
        node->parent = node->record.parent;
        if (node->record.parent == RP_MSH_NONE) {
            node->parent = GLTF_NOTHING;
        } else if (node->parent >= i) {
            GltfExporter_Note(exporter, "G07",
                              "a node does not follow its parent: shown at the top", RP_MSH_NODES,
                              i, RP_NO_INDEX);
            node->parent = GLTF_NOTHING;
        }
    }
    return RP_OK;
}

static RpStatus OpenModel(GltfExporter *exporter, const RpNResArchive *archive, RpError *error) {
    RpStatus status =
        RpMsh_Open(RpNResArchive_Entries(archive), RP_TOLERANT, &exporter->msh, error);
    if (status != RP_OK)
        return status;
    if (exporter->msh.node_stride == RP_MSH_LEGACY_NODE_BYTES)
        return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE,
                           "nodes of stride 24 have no known hierarchy", "Res1", "stride 38", "24");
    if (RpMsh_Count(&exporter->msh, RP_MSH_NODES) == 0)
        return RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "the model has no nodes", "Res1",
                           "one at least", "0");
    exporter->posed = RpMsh_Skeleton(&exporter->msh, &exporter->model, NULL) == RP_OK;
    exporter->pose.build = RP_BUILD_SSE;
    exporter->pose.readings = exporter->options->readings;
    return Msh_CheckSharing(&exporter->msh, error);
}

/* ---- extras ---------------------------------------------------------------------------------- */

/* Returns whether the keys are at frames that an importer can use, that is, at ascending whole
 * numbers from 0 on. */
static bool KeysAreFrames(const GltfExporter *exporter, uint32_t first, uint32_t last) {
    RpMshKey key;
    double previous = -1.0;
    for (uint32_t i = first; i <= last; i++) {
        if (!RpMsh_Key(&exporter->msh, i, &key) || !(key.time > previous) ||
            !(key.time < (double)exporter->frame_count) || key.time != floorf(key.time))
            return false;
        if (i == first && key.time != 0.0f)
            return false;
        previous = key.time;
    }
    return last > first;
}

static void NodeName(const GltfExporter *exporter, uint32_t index, char *text, size_t size) {
    uint32_t length;
    uint32_t type =
        exporter->options->readings.choice[READING_NAMES] ? RP_MSH_LABELS : RP_MSH_NAMES;
    const char *name = NodeText(exporter, type, index, &length);
    if (name && length * 3 < size)
        Text1251_ToUtf8(name, length, text);
    else
        snprintf(text, size, "node %u", (unsigned)index);
}

/* Writes a text with a line for each node that has a socket, or flags. With it, an import finds out
 * what an editor has lost. Not all editors would keep a list. */
static void WriteKept(GltfExporter *exporter, const char *member, bool sockets) {
    char text[3 * 256 + 1];
    uint32_t length;
    RpBuffer lines;
    RpBuffer_Init(&lines, exporter->options->allocator);
    for (uint32_t i = 0; i < exporter->node_count; i++) {
        const char *label = sockets ? NodeText(exporter, RP_MSH_LABELS, i, &length) : NULL;
        if (sockets ? !label || length >= 256 : exporter->nodes[i].record.flags == 0)
            continue;
        if (sockets)
            Text1251_ToUtf8(label, length, text);
        else
            NodeName(exporter, i, text, sizeof text);
        RpBuffer_AppendText(&lines, lines.size ? "\n" : "");
        RpBuffer_AppendText(&lines, text);
    }
    if (lines.size)
        RpBuffer_Append(&lines, "", 1);
    exporter->writer.failed |= lines.failed;
    if (lines.size && !lines.failed)
        GltfWriter_Text(&exporter->writer, exporter->extras, member, (const char *)lines.bytes);
    RpBuffer_Free(&lines);
}

/* ---- trees ----------------------------------------------------------------------------------- */

/* A copy of the skeleton for one scene. */
typedef struct Tree {
    uint32_t cell;
    /* it has all nodes; otherwise those that show something in the cell, and their parents */
    bool whole;
    cJSON **objects;   /* for each node; null: it is not in this tree */
    uint32_t *indices; /* for each node, the index of its glTF node */
    cJSON *root;
    uint32_t motion; /* the glTF node that carries node 0's translation, or GLTF_NOTHING */
} Tree;

static uint32_t NodeMesh(const GltfExporter *exporter, uint32_t node, uint32_t cell) {
    uint32_t slot = exporter->nodes[node].record.slots[cell];
    return slot < exporter->slot_count ? exporter->slots[slot].mesh : GLTF_NOTHING;
}

static bool CellShows(const GltfExporter *exporter, uint32_t cell) {
    bool shows = false;
    for (uint32_t i = 0; i < exporter->node_count && !shows; i++)
        shows = NodeMesh(exporter, i, cell) != GLTF_NOTHING;
    return shows && exporter->options->cells >> cell & 1;
}

static void WriteTransform(GltfExporter *exporter, cJSON *object, const float translation[3],
                           const float rotation[4]) {
    static const float identity[4] = {0.0f, 0.0f, 0.0f, 1.0f}, zeros[3];
    if (rotation && memcmp(rotation, identity, sizeof identity) != 0)
        GltfWriter_Floats(&exporter->writer, object, "rotation", rotation, 4);
    if (translation && memcmp(translation, zeros, sizeof zeros) != 0)
        GltfWriter_Floats(&exporter->writer, object, "translation", translation, 3);
}

static void AddChild(GltfExporter *exporter, cJSON *parent, uint32_t child) {
    cJSON *children = cJSON_GetObjectItemCaseSensitive(parent, "children");
    if (!children)
        children = GltfWriter_Array(&exporter->writer, parent, "children");
    GltfWriter_Push(&exporter->writer, children, child);
}

static void WriteNode(GltfExporter *exporter, Tree *tree, uint32_t index) {
    GltfWriter *writer = &exporter->writer;
    const GltfNode *node = &exporter->nodes[index];
    const RpGltfRootMotion motion = exporter->options->root_motion;
    char name[3 * 256 + 1];
    cJSON *parent = node->parent == GLTF_NOTHING ? tree->root : tree->objects[node->parent];
    if (index == 0 && motion == RP_GLTF_ROOT_SEPARATE) {
        /* Writes a node between the root and node 0 that has the translation of node 0's poses. */
        cJSON *object = GltfWriter_Add(&exporter->writer, GLTF_NODES);
        tree->motion = exporter->writer.counts[GLTF_NODES] - 1;
        GltfWriter_Text(&exporter->writer, object, "name", "root motion");
        WriteTransform(exporter, object, exporter->nodes[0].translation, NULL);
        GltfWriter_Text(&exporter->writer, GltfWriter_Extras(&exporter->writer, object), "role",
                        "motion");
        AddChild(exporter, parent, tree->motion);
        parent = object;
    }
    cJSON *object = GltfWriter_Add(writer, GLTF_NODES);
    tree->objects[index] = object;
    tree->indices[index] = writer->counts[GLTF_NODES] - 1;
    NodeName(exporter, index, name, sizeof name);
    GltfWriter_Text(writer, object, "name", name);
    bool placed = index > 0 || motion == RP_GLTF_ROOT_KEEP;
    WriteTransform(exporter, object, placed ? node->translation : NULL, node->rotation);
    uint32_t mesh = NodeMesh(exporter, index, tree->cell);
    if (mesh != GLTF_NOTHING)
        GltfWriter_Number(writer, object, "mesh", mesh);
    if (tree->whole) {
        cJSON *extras = GltfWriter_Extras(&exporter->writer, object);
        uint32_t length;
        GltfWriter_Number(&exporter->writer, extras, "node", index);
        if (node->record.flags)
            GltfWriter_Number(&exporter->writer, extras, "flags", node->record.flags);
        uint32_t other =
            exporter->options->readings.choice[READING_NAMES] ? RP_MSH_NAMES : RP_MSH_LABELS;
        const char *label = NodeText(exporter, other, index, &length);
        char text[3 * 256 + 1];
        if (label && length < 256) {
            Text1251_ToUtf8(label, length, text);
            GltfWriter_Text(&exporter->writer, extras,
                            exporter->options->readings.choice[READING_NAMES] ? "name" : "label",
                            text);
        }
        uint32_t first, last;
        RpMshKey key;
        if (exporter->nodes[index].animated && RpMsh_Track(&exporter->msh, index, &first, &last) &&
            KeysAreFrames(exporter, first, last)) {
            cJSON *times = GltfWriter_Array(&exporter->writer, extras, "keys");
            for (uint32_t i = first; i <= last; i++) {
                RpMsh_Key(&exporter->msh, i, &key);
                GltfWriter_Push(&exporter->writer, times, key.time);
            }
        }
    } else {
        GltfWriter_Number(writer, GltfWriter_Extras(writer, object), "node", index);
    }
    AddChild(exporter, parent, tree->indices[index]);
}

static cJSON *WriteRoot(GltfExporter *exporter, const char *name) {
    GltfWriter *writer = &exporter->writer;
    cJSON *object = GltfWriter_Add(writer, GLTF_NODES);
    GltfWriter_Text(writer, object, "name", name);
    cJSON *rotation = GltfWriter_Array(writer, object, "rotation");
    GltfWriter_Push(writer, rotation, -half_root);
    GltfWriter_Push(writer, rotation, 0);
    GltfWriter_Push(writer, rotation, 0);
    GltfWriter_Push(writer, rotation, half_root);
    return object;
}

static cJSON *WriteScene(GltfExporter *exporter, const char *name, uint32_t root) {
    cJSON *scene = GltfWriter_Add(&exporter->writer, GLTF_SCENES);
    GltfWriter_Text(&exporter->writer, scene, "name", name);
    GltfWriter_Push(&exporter->writer, GltfWriter_Array(&exporter->writer, scene, "nodes"), root);
    return scene;
}

static void WriteTreeNodes(GltfExporter *exporter, Tree *tree) {
    char cell[32], name[sizeof cell + sizeof exporter->name_text + 1];
    Gltf_CellName(&exporter->options->readings, tree->cell, cell, sizeof cell);
    snprintf(name, sizeof name, tree->whole ? "%s" : "%s %s", exporter->name_text, cell);
    uint32_t root = exporter->writer.counts[GLTF_NODES];
    tree->root = WriteRoot(exporter, name);
    cJSON *extras = GltfWriter_Extras(&exporter->writer, tree->root);
    if (tree->whole) {
        const RpGltfExportOptions *options = exporter->options;
        GltfWriter *writer = &exporter->writer;
        char readings[256];
        exporter->extras = extras;
        RpReadings_Format(&options->readings, RP_READS_FILES, readings, sizeof readings);
        GltfWriter_Number(writer, exporter->extras, "schema", SCHEMA_VERSION);
        GltfWriter_Text(writer, exporter->extras, "model", exporter->name_text);
        GltfWriter_Text(writer, exporter->extras, "readings", readings);
        GltfWriter_Number(writer, exporter->extras, "framesPerSecond", options->frames_per_second);
        GltfWriter_Number(writer, exporter->extras, "frames", exporter->frame_count);
        GltfWriter_Number(writer, exporter->extras, "subFrames", options->sub_frames);
        GltfWriter_Text(writer, exporter->extras, "rootMotion",
                        RpGltfRootMotion_Name(options->root_motion));
        if (!options->readings.choice[READING_NAMES])
            WriteKept(exporter, "sockets", true);
        WriteKept(exporter, "flagged", false);
    } else {
        GltfWriter_Text(&exporter->writer, extras, "role", "axes");
    }
    GltfWriter_Number(&exporter->writer, extras, "cell", tree->cell);
    cJSON *scene = WriteScene(exporter, cell, root);
    GltfWriter_Number(&exporter->writer, GltfWriter_Extras(&exporter->writer, scene), "cell",
                      tree->cell);
    memset(tree->indices, 0xFF, exporter->node_count * sizeof *tree->indices);

    /* Marks all nodes that are needed. One pass from the end is enough, because parents come before
     * their children. */
    uint32_t *indices = tree->indices;
    for (uint32_t i = exporter->node_count; i-- > 0;) {
        if (tree->whole || NodeMesh(exporter, i, tree->cell) != GLTF_NOTHING)
            indices[i] = 0;
        if (indices[i] == 0 && exporter->nodes[i].parent != GLTF_NOTHING)
            indices[exporter->nodes[i].parent] = 0;
    }
    for (uint32_t i = 0; i < exporter->node_count; i++)
        if (tree->indices[i] != GLTF_NOTHING)
            WriteNode(exporter, tree, i);
}

/* ---- animations ------------------------------------------------------------------------------ */

typedef struct Channels {
    cJSON *samplers, *channels;
    uint32_t count;
} Channels;

static void WriteChannel(GltfExporter *exporter, Channels *channels, uint32_t output, uint32_t node,
                         const char *path) {
    GltfWriter *writer = &exporter->writer;
    cJSON *sampler = GltfWriter_PushObject(writer, channels->samplers);
    GltfWriter_Number(writer, sampler, "input", exporter->time_accessor);
    GltfWriter_Number(writer, sampler, "output", output);
    cJSON *channel = GltfWriter_PushObject(writer, channels->channels);
    GltfWriter_Number(writer, channel, "sampler", channels->count++);
    cJSON *target = GltfWriter_Object(writer, channel, "target");
    GltfWriter_Number(writer, target, "node", node);
    GltfWriter_Text(writer, target, "path", path);
}

static void WriteTree(GltfExporter *exporter, Tree *tree, uint32_t cell, bool whole) {
    tree->cell = cell;
    tree->whole = whole;
    tree->motion = GLTF_NOTHING;
    WriteTreeNodes(exporter, tree);

    /* The tree gets an animation of its own if any of its nodes moves. */
    bool moves = false;
    for (uint32_t i = 0; i < exporter->node_count && !moves; i++)
        moves =
            tree->indices[i] != GLTF_NOTHING && exporter->nodes[i].rotation_track != GLTF_NOTHING;
    if (!moves)
        return;
    cJSON *animation = GltfWriter_Add(&exporter->writer, GLTF_ANIMATIONS);
    char cell_name[32], name[64];
    Gltf_CellName(&exporter->options->readings, cell, cell_name, sizeof cell_name);
    snprintf(name, sizeof name, whole ? "frames" : "frames %s", cell_name);
    GltfWriter_Text(&exporter->writer, animation, "name", name);
    Channels channels = {GltfWriter_Array(&exporter->writer, animation, "samplers"),
                         GltfWriter_Array(&exporter->writer, animation, "channels"), 0};
    for (uint32_t i = 0; i < exporter->node_count; i++) {
        const GltfNode *node = &exporter->nodes[i];
        if (tree->indices[i] == GLTF_NOTHING || node->rotation_track == GLTF_NOTHING)
            continue;
        WriteChannel(exporter, &channels, node->rotation_track, tree->indices[i], "rotation");
        uint32_t moved = i == 0 && tree->motion != GLTF_NOTHING ? tree->motion : tree->indices[i];
        if (node->translation_track != GLTF_NOTHING)
            WriteChannel(exporter, &channels, node->translation_track, moved, "translation");
    }
}

/* The first scene has all nodes, and shows the first cell that has anything to show. */
static RpStatus WriteTrees(GltfExporter *exporter, RpError *error) {
    Tree tree = {
        .objects = GltfExporter_Allocate(exporter, exporter->node_count, sizeof *tree.objects),
        .indices = GltfExporter_Allocate(exporter, exporter->node_count, sizeof *tree.indices)};
    uint32_t first = 0;
    bool allocated = tree.objects && tree.indices;
    while (first < RP_MSH_SLOT_WORDS && !CellShows(exporter, first))
        first++;
    if (allocated) {
        WriteTree(exporter, &tree, first < RP_MSH_SLOT_WORDS ? first : 0, true);
        for (uint32_t cell = first + 1; cell < RP_MSH_SLOT_WORDS; cell++)
            if (CellShows(exporter, cell))
                WriteTree(exporter, &tree, cell, false);

        /* Shows slots that no node names, so that they are not lost. */
        GltfWriter *writer = &exporter->writer;
        uint32_t root = writer->counts[GLTF_NODES];
        cJSON *object = NULL;
        for (uint32_t i = 0; i < exporter->slot_count; i++) {
            const GltfSlot *slot = &exporter->slots[i];
            if (slot->node != GLTF_NOTHING || slot->mesh == GLTF_NOTHING)
                continue;
            if (!object) {
                object = WriteRoot(exporter, "slots without a node");
                GltfWriter_Text(writer, GltfWriter_Extras(writer, object), "role", "unnamed");
                WriteScene(exporter, "slots without a node", root);
            }
            char name[32];
            snprintf(name, sizeof name, "slot %u", (unsigned)i);
            cJSON *node = GltfWriter_Add(writer, GLTF_NODES);
            GltfWriter_Text(writer, node, "name", name);
            GltfWriter_Number(writer, node, "mesh", slot->mesh);
            AddChild(exporter, object, writer->counts[GLTF_NODES] - 1);
        }
    }
    GltfExporter_Release(exporter, tree.objects);
    GltfExporter_Release(exporter, tree.indices);
    return allocated ? RP_OK : RpMemory_Refused(error, "nodes");
}

/* ---- the whole ------------------------------------------------------------------------------- */

void GltfExporter_Free(GltfExporter *exporter) {
    GltfExporter_Release(exporter, exporter->nodes);
    GltfExporter_Release(exporter, exporter->slots);
    GltfExporter_Release(exporter, exporter->batches);
    GltfExporter_Release(exporter, exporter->states);
    GltfWriter_Free(&exporter->writer);
}

RpStatus GltfExporter_Make(GltfExporter *exporter, const RpNResArchive *model, RpError *error) {
    GltfWriter_Init(&exporter->writer, exporter->options->allocator);

    const RpGltfExportOptions *options = exporter->options;
    const char *what = NULL, *expected = "";
    if (!isfinite(options->frames_per_second) || options->frames_per_second <= 0.0) {
        what = "frames a second";
        expected = "more than 0";
    } else if (options->sub_frames < 1 || options->sub_frames > RP_GLTF_MAX_SUBFRAME) {
        what = "samples a frame";
        expected = "1 to 64";
    } else if (options->cells == 0 || options->cells & ~RP_GLTF_ALL_CELLS) {
        what = "cells";
        expected = "some of bits 0 to 14";
    } else if (!RpGltfRootMotion_Name(options->root_motion)) {
        what = "root motion";
        expected = "keep, drop or separate";
    }
    RpStatus status =
        what ? RpError_Set(error, RP_INVALID, RP_NOWHERE, "not a choice", what, expected, "")
             : RP_OK;

    if (status == RP_OK) {
        char text[3 * RP_NRES_NAME_BYTES + 1] = "model";
        if (model->count > 0 && model->members[0].name[0]) {
            const char *name = model->members[0].name;
            const char *end = memchr(name, 0, RP_NRES_NAME_BYTES);
            Text1251_ToUtf8(name, end ? (size_t)(end - name) : RP_NRES_NAME_BYTES, text);
        }
        snprintf(exporter->name_text, sizeof exporter->name_text, "%s",
                 exporter->options->name ? exporter->options->name : text);
        status = OpenModel(exporter, model, error);
        if (status == RP_OK)
            status = PlanNodes(exporter, error);
        if (status == RP_OK)
            status = GltfExporter_PlanMeshes(exporter, error);
        if (status == RP_OK)
            status = GltfExporter_PlanPoses(exporter, error);
    }
    if (status != RP_OK)
        return status;
    GltfWriter *writer = &exporter->writer;
    cJSON *asset = GltfWriter_Object(writer, writer->root, "asset");
    GltfWriter_Text(writer, asset, "version", "2.0");
    GltfWriter_Text(writer, asset, "generator", "Retropose");
    GltfWriter_Number(writer, writer->root, "scene", 0);
    status = GltfExporter_WriteMeshes(exporter, error);
    if (status == RP_OK)
        status = GltfExporter_WriteTracks(exporter, error);
    if (status == RP_OK)
        status = WriteTrees(exporter, error);
    GltfWriter_Assemble(writer);
    if (status == RP_OK && writer->failed)
        status = RpMemory_Refused(error, "glTF");
    return status;
}
