/* The importer: calls its parts, and builds a model from what they have read. */
#include "formats/gltf/import/import.h"

#include "core/text.h"
#include "core/text/encoding.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

RpGltfImportOptions RpGltfImportOptions_Default(void) {
    return (RpGltfImportOptions){.tolerance = 1e-6};
}

/* ---- the description ------------------------------------------------------------------------- */

typedef struct Description {
    RpMshNodeDescription *nodes;
    RpMshSlotDescription *slots;
    RpMshBatchDescription *batches;
} Description;

static RpStatus BuildDescription(Importer *importer, const Description *description,
                                 RpNResArchive *archive, RpError *error) {
    RpMshDescription model = {.nodes = description->nodes,
                              .node_count = importer->node_count,
                              .slots = description->slots,
                              .slot_count = importer->slot_count,
                              .batches = description->batches,
                              .batch_count = importer->batch_count,
                              .vertex_count = importer->vertex_count,
                              .positions =
                                  (const float(*)[3])(const void *)importer->positions.bytes,
                              .normals = (const int8_t(*)[4])(const void *)importer->normals.bytes,
                              .uv0 = (const uint16_t(*)[2])(const void *)importer->uv0.bytes,
                              .res15 = (const uint8_t(*)[8])importer->res15.bytes,
                              .frame_count = importer->frame_count,
                              .readings = importer->readings};
    if (importer->has_res16)
        model.res16 = (const uint8_t(*)[8])importer->res16.bytes;
    if (importer->has_uv1)
        model.uv1 = (const uint16_t(*)[2])(const void *)importer->uv1.bytes;
    memcpy(model.name, importer->model_name, sizeof model.name);
    return RpMsh_Make(&model, archive, error);
}

static RpStatus Assemble(Importer *importer, RpNResArchive *archive, RpError *error) {
    const GltfDoc *doc = &importer->doc;
    Description description = {
        GltfDoc_Allocate(doc, importer->node_count, sizeof *description.nodes),
        GltfDoc_Allocate(doc, importer->slot_count, sizeof *description.slots),
        GltfDoc_Allocate(doc, importer->batch_count, sizeof *description.batches)};
    RpStatus status = RpMemory_Refused(error, "model");
    if (importer->slot_count > UINT16_MAX - 1 || importer->batch_count > UINT16_MAX - 1) {
        status = RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE, "too many meshes for a model",
                             "/meshes", "at most 65534 slots and batches", "");
    } else if (description.nodes && description.slots && description.batches) {
        /* Nodes, slots and batches are described in the order of their numbers. */
        const ImportBatch *batches = (const ImportBatch *)(const void *)importer->batches.bytes;
        for (uint32_t i = 0; i < importer->node_count; i++) {
            const ImportNode *from = &importer->nodes[importer->order[i]];
            RpMshNodeDescription *node = &description.nodes[i];
            const cJSON *hints = Gltf_Hints(from->json);
            uint32_t flags = Gltf_Index(hints, "flags");
            memcpy(node->name, from->name, sizeof node->name);
            node->label = from->label;
            node->flags = flags <= 0xFFFF ? (uint16_t)flags : 0;
            node->parent = from->parent == GLTF_ABSENT
                               ? RP_MSH_NONE
                               : (uint16_t)importer->nodes[from->parent].number;
            for (int cell = 0; cell < RP_MSH_SLOT_WORDS; cell++)
                node->slots[cell] = from->slots[cell] == GLTF_ABSENT
                                        ? RP_MSH_NONE
                                        : (uint16_t)((const ImportSlot *)(const void *)
                                                         importer->slots.bytes)[from->slots[cell]]
                                              .number;
            node->keys = from->keys;
            node->key_count = from->key_count;
        }
        for (uint32_t i = 0; i < importer->slot_count; i++) {
            const ImportSlot *from = Importer_Slot(importer, importer->slot_order[i]);
            RpMshSlotDescription *slot = &description.slots[i];
            slot->first_batch = from->first_batch;
            slot->batch_count = from->batch_count;
            memcpy(slot->opaque, from->opaque, sizeof slot->opaque);
        }
        for (uint32_t i = 0; i < importer->batch_count; i++) {
            const ImportBatch *from = &batches[i];
            RpMshBatchDescription *batch = &description.batches[i];
            *batch = (RpMshBatchDescription){
                .flags = from->flags,
                .material = from->material,
                .row = from->row,
                .lightmap = from->lightmap,
                .portal = from->portal,
                .base_vertex = from->base_vertex,
                .indices =
                    (const uint16_t *)(const void *)importer->indices.bytes + from->first_index,
                .index_count = from->index_count,
                .triangle_flags = (const uint16_t *)(const void *)importer->triangle_flags.bytes +
                                  from->first_index / 3};
        }
        status = BuildDescription(importer, &description, archive, error);
    }
    GltfDoc_Release(doc, description.nodes);
    GltfDoc_Release(doc, description.slots);
    GltfDoc_Release(doc, description.batches);
    return status;
}

/* ---- what an editor has lost ----------------------------------------------------------------- */

enum { MOST_LOOKED_FOR = 64 }; /* limits the work for a long list */

/* Returns whether a node still has a label, or flags, as the export had it. Without a text, any
 * label or flags of any node count. */
typedef bool Keeps(const ImportNode *node, const char *text, size_t length);

static bool IsText(const char *own, const char *text, size_t length) {
    return own && (!text || (strlen(own) == length && memcmp(own, text, length) == 0));
}

static bool KeepsLabel(const ImportNode *node, const char *text, size_t length) {
    return IsText(Gltf_Text(Gltf_Hints(node->json), "label"), text, length);
}

static bool KeepsFlags(const ImportNode *node, const char *text, size_t length) {
    const char *name = Importer_NameOf(node->json);
    const uint32_t flags = Gltf_Index(Gltf_Hints(node->json), "flags");
    return flags != GLTF_ABSENT && flags != 0 && IsText(name ? name : "", text, length);
}

static uint32_t CountKept(const Importer *importer, Keeps *keeps, const char *text, size_t length) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < importer->node_count; i++)
        count += keeps(&importer->nodes[i], text, length);
    return count;
}

/* Compares the lines that the export has written, one for each node, with the nodes that came back.
 * A node that exists under another name was edited, not lost. */
static void NoteLost(const Importer *importer, const char *member, Keeps *keeps, const char *what) {
    const char *lines = Gltf_Text(importer->hints, member);
    char found[sizeof((RpFinding *)NULL)->found];
    uint32_t recorded = 0, looked_for = 0;
    for (const char *at = lines; at; at = strchr(at, '\n'), at = at ? at + 1 : NULL)
        recorded++;
    const uint32_t kept = CountKept(importer, keeps, NULL, 0);
    if (kept >= recorded)
        return;
    char counts[32];
    snprintf(counts, sizeof counts, "%u of %u", (unsigned)(recorded - kept), (unsigned)recorded);
    Text text = Text_Begin(found, sizeof found);
    Text_Append(&text, counts);
    for (const char *at = lines; at && looked_for < MOST_LOOKED_FOR; looked_for++) {
        const char *end = strchr(at, '\n');
        const size_t length = end ? (size_t)(end - at) : strlen(at);
        if (CountKept(importer, keeps, at, length) == 0) {
            Text_Append(&text, ", ");
            Text_AppendPart(&text, at, length);
        }
        at = end ? end + 1 : NULL;
    }
    GltfDoc_Note(&importer->doc, "G46", what, found);
}

/* ---- the importer ---------------------------------------------------------------------------- */

void Importer_Free(Importer *importer) {
    for (uint32_t i = 0; i < importer->node_count; i++) {
        GltfDoc_Release(&importer->doc, importer->nodes[i].keys);
        GltfDoc_Release(&importer->doc, importer->nodes[i].label);
    }
    GltfDoc_Release(&importer->doc, importer->nodes);
    GltfDoc_Release(&importer->doc, importer->order);
    GltfDoc_Release(&importer->doc, importer->by_gltf);
    GltfDoc_Release(&importer->doc, importer->mesh_slots);
    GltfDoc_Release(&importer->doc, importer->hinted_slots);
    GltfDoc_Release(&importer->doc, importer->slot_order);
    RpBuffer *const buffers[] = {&importer->slots,
                                 &importer->parts,
                                 &importer->batches,
                                 &importer->indices,
                                 &importer->triangle_flags,
                                 &importer->positions,
                                 &importer->normals,
                                 &importer->uv0,
                                 &importer->uv1,
                                 &importer->res15,
                                 &importer->res16};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        RpBuffer_Free(buffers[i]);
    GltfDoc_Free(&importer->doc);
}

RpStatus Importer_Make(Importer *importer, RpNResArchive *archive, RpError *error) {
    RpBuffer *const buffers[] = {&importer->slots,
                                 &importer->parts,
                                 &importer->batches,
                                 &importer->indices,
                                 &importer->triangle_flags,
                                 &importer->positions,
                                 &importer->normals,
                                 &importer->uv0,
                                 &importer->uv1,
                                 &importer->res15,
                                 &importer->res16};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        RpBuffer_Init(buffers[i], importer->options->allocator);
    RpStatus status = Importer_WalkScenes(importer, error);
    if (status != RP_OK)
        return status;

    /* The readings and the speed hold for the whole file: those of the options, or those that the
     * export has recorded. */
    const RpGltfImportOptions *options = importer->options;
    const char *text = Gltf_Text(importer->hints, "readings");
    double recorded = Gltf_Number(importer->hints, "framesPerSecond", RP_GLTF_DEFAULT_FPS);
    RpReadings readings;
    importer->readings = options->readings;
    if (text && !options->use_readings &&
        RpReadings_Parse(&readings, RP_READS_FILES, text, NULL) == RP_OK)
        importer->readings = readings;
    importer->frames_per_second =
        options->frames_per_second > 0.0 ? options->frames_per_second : recorded;
    if (!(importer->frames_per_second > 0.0) || !isfinite(importer->frames_per_second) ||
        !(options->tolerance >= 0.0))
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "not a choice",
                           "frames a second, tolerance", "more than 0; 0 or more", "");
    status = Importer_TakeTexts(importer, error);
    if (status != RP_OK)
        return status;

    /* The model's name: the wanted one, that of the export, or that of the root. */
    const char *name = importer->options->name;
    bool exact;
    if (!name)
        name = Gltf_Text(importer->hints, "model");
    if (!name)
        name = importer->root_name;
    if (!name || !*name)
        name = "model";
    Text1251_FromUtf8(name, importer->model_name, RP_NRES_NAME_MAX, &exact);
    if (!importer->hints)
        GltfDoc_Note(&importer->doc, "G39",
                     "no extras.retropose (in Blender: Custom Properties): sockets, flags and "
                     "speed are the defaults",
                     "");
    NoteLost(importer, "sockets", KeepsLabel, "sockets that were exported are lost");
    NoteLost(importer, "flagged", KeepsFlags, "flags of nodes that were exported are lost");
    status = Importer_ReadMeshes(importer, error);
    if (status == RP_OK)
        status = Importer_ReadAnimation(importer, error);
    return status == RP_OK ? Assemble(importer, archive, error) : status;
}
