/* Writes slots as meshes, batches as primitives, and the states with which batches are drawn as
 * materials. */
#include "exports/reading_table.h"
#include "formats/gltf/export/export.h"

#include "core/bytes.h"
#include "core/text/encoding.h"
#include "formats/msh/read/sharing.h"
#include "retropose/msh_make.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH_TWO_SIDED = 2 };  /* from facts/formats.md C.6 */
enum { WIDEST_INDEX = 65535 }; /* glTF reserves it for primitive restart */

/* ---- what there is --------------------------------------------------------------------------- */

static uint32_t TriangleIndices(const RpMshBatch *batch) {
    return batch->index_count - batch->index_count % 3u;
}

static void PlanBatch(GltfExporter *exporter, uint32_t index) {
    GltfBatch *batch = &exporter->batches[index];
    const RpMshBatch *record = &batch->record;
    uint32_t count = TriangleIndices(record), highest = 0;
    RpMsh_Batch(&exporter->msh, index, &batch->record);
    batch->indices = GLTF_NOTHING;
    count = TriangleIndices(record);
    if (count == 0)
        return;
    uint64_t indices = RpMsh_Count(&exporter->msh, RP_MSH_INDICES);
    if ((uint64_t)record->first_index + count > indices) {
        GltfExporter_Note(exporter, "G01", "the indices of a batch are not all there: left out",
                          RP_MSH_BATCHES, RP_NO_INDEX, index);
        return;
    }
    const uint8_t *at = exporter->msh.streams[RP_MSH_INDICES].data + 2ull * record->first_index;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t value = Bytes_U16(at + 2ull * i);
        highest = value > highest ? value : highest;
    }
    if ((uint64_t)record->base_vertex + highest >= exporter->vertex_count) {
        GltfExporter_Note(exporter, "G02", "the vertices of a batch are not all there: left out",
                          RP_MSH_BATCHES, RP_NO_INDEX, index);
        return;
    }
    batch->shown = true;
    batch->wide = highest == WIDEST_INDEX;
    batch->vertex_count = highest + 1;
}

/* If some batches of a slot are missing, the others are still shown. */
static uint32_t SlotEnd(const GltfExporter *exporter, const GltfSlot *slot) {
    uint32_t end = (uint32_t)slot->record.first_batch + slot->record.batch_count;
    return end < exporter->batch_count ? end : exporter->batch_count;
}

static int CompareStates(const void *left, const void *right) {
    const GltfState *a = left, *b = right;
    if (a->row != b->row)
        return a->row < b->row ? -1 : 1;
    if (a->material != b->material)
        return a->material < b->material ? -1 : 1;
    if (a->flags != b->flags)
        return a->flags < b->flags ? -1 : 1;
    if (a->lightmap != b->lightmap)
        return a->lightmap < b->lightmap ? -1 : 1;
    return (a->portal > b->portal) - (a->portal < b->portal);
}

static GltfState BatchState(const RpMshBatch *batch) {
    GltfState state;
    memset(&state, 0, sizeof state);
    state.flags = batch->flags;
    state.material = batch->material;
    state.portal = batch->portal;
    state.row = batch->row;
    state.lightmap = batch->lightmap;
    return state;
}

RpStatus GltfExporter_PlanMeshes(GltfExporter *exporter, RpError *error) {
    exporter->vertex_count = RpMsh_Count(&exporter->msh, RP_MSH_POSITIONS);
    exporter->slot_count = RpMsh_Count(&exporter->msh, RP_MSH_SLOTS);
    exporter->batch_count = RpMsh_Count(&exporter->msh, RP_MSH_BATCHES);
    exporter->slots = GltfExporter_Allocate(exporter, exporter->slot_count, sizeof(GltfSlot));
    exporter->batches = GltfExporter_Allocate(exporter, exporter->batch_count, sizeof(GltfBatch));
    if (!exporter->slots || !exporter->batches)
        return RpMemory_Refused(error, "slots");
    for (uint32_t i = 0; i < exporter->batch_count; i++)
        PlanBatch(exporter, i);
    for (uint32_t i = 0; i < exporter->slot_count; i++) {
        GltfSlot *slot = &exporter->slots[i];
        RpMsh_Slot(&exporter->msh, i, &slot->record);
        slot->node = slot->cell = slot->mesh = GLTF_NOTHING;
        uint32_t end = (uint32_t)slot->record.first_batch + slot->record.batch_count;
        if (end > exporter->batch_count)
            GltfExporter_Note(exporter, "G03", "a slot names batches that are not there: left out",
                              RP_MSH_SLOTS, RP_NO_INDEX, i);
    }

    /* A slot belongs to the first node, and the first cell of it, that names the slot. */
    for (uint32_t node = 0; node < exporter->node_count; node++)
        for (uint32_t cell = 0; cell < RP_MSH_SLOT_WORDS; cell++) {
            uint32_t index = exporter->nodes[node].record.slots[cell];
            if (index >= exporter->slot_count || !(exporter->options->cells >> cell & 1))
                continue;
            GltfSlot *slot = &exporter->slots[index];
            if (slot->node == GLTF_NOTHING) {
                slot->node = node;
                slot->cell = cell;
            }
            slot->used = true;
        }

    /* Slots that no node names are shown, too, in a scene of their own. */
    for (uint32_t i = 0; i < exporter->slot_count; i++)
        exporter->slots[i].used |= exporter->options->cells == RP_GLTF_ALL_CELLS;

    /* Slots with something to show get meshes, numbered in their order. */
    uint32_t mesh = 0;
    for (uint32_t i = 0; i < exporter->slot_count; i++) {
        GltfSlot *slot = &exporter->slots[i];
        bool shown = false;
        for (uint32_t b = slot->record.first_batch; b < SlotEnd(exporter, slot) && !shown; b++)
            shown = exporter->batches[b].shown;
        if (shown && slot->used)
            slot->mesh = mesh++;
    }

    /* Marks each batch that a mesh shows, and gathers the states of those. */
    uint32_t total = 0;
    bool *needed = GltfExporter_Allocate(exporter, exporter->batch_count, sizeof *needed);
    exporter->states =
        GltfExporter_Allocate(exporter, exporter->batch_count, sizeof *exporter->states);
    if (!needed || !exporter->states) {
        GltfExporter_Release(exporter, needed);
        return RpMemory_Refused(error, "batches");
    }
    for (uint32_t i = 0; i < exporter->slot_count; i++) {
        const GltfSlot *slot = &exporter->slots[i];
        for (uint32_t b = slot->record.first_batch;
             slot->mesh != GLTF_NOTHING && b < SlotEnd(exporter, slot); b++)
            needed[b] = exporter->batches[b].shown;
    }
    for (uint32_t i = 0; i < exporter->batch_count; i++) {
        exporter->batches[i].shown = needed[i];
        if (needed[i])
            exporter->states[total++] = BatchState(&exporter->batches[i].record);
    }
    GltfExporter_Release(exporter, needed);
    if (total > 0)
        qsort(exporter->states, total, sizeof *exporter->states, CompareStates);
    for (uint32_t i = 0; i < total; i++)
        if (i == 0 || CompareStates(&exporter->states[i], &exporter->states[i - 1]) != 0)
            exporter->states[exporter->state_count++] = exporter->states[i];
    return RP_OK;
}

/* ---- materials ------------------------------------------------------------------------------- */

static uint32_t StateRow(const GltfExporter *exporter, const GltfState *state) {
    return exporter->options->readings.choice[READING_MATERIAL] ? state->row : state->material;
}

static void WriteMaterial(GltfExporter *exporter, const GltfState *state) {
    GltfWriter *writer = &exporter->writer;
    cJSON *material = GltfWriter_Add(writer, GLTF_MATERIALS);
    char name[64];
    float colour[4];

    /* The name is the row, and whatever distinguishes the state from others of that row. */
    const size_t size = sizeof name;
    int length = snprintf(name, size, "row %u", (unsigned)StateRow(exporter, state));
    if (state->flags || state->lightmap != 0xFF || state->portal != RP_MSH_NONE)
        snprintf(name + length, size - (size_t)length, " flags %04X.%02X.%04X",
                 (unsigned)state->flags, (unsigned)state->lightmap, (unsigned)state->portal);
    GltfWriter_Text(writer, material, "name", name);

    /* Each row gets a colour that differs from the others: the hues are a golden section apart. */
    cJSON *surface = GltfWriter_Object(writer, material, "pbrMetallicRoughness");
    uint32_t row = StateRow(exporter, state);
    double hue = (row * 0.6180339887498949 - floor(row * 0.6180339887498949)) * 6.0;
    for (int i = 0; i < 3; i++) {
        double distance = fabs(fmod(hue + 6.0 - 2.0 * i, 6.0) - 3.0) - 1.0;
        double value = distance < 0.0 ? 0.0 : distance > 1.0 ? 1.0 : distance;
        colour[i] = (float)(floor((0.35 + 0.5 * value) * 256.0) / 256.0);
    }
    colour[3] = 1.0f;
    GltfWriter_Floats(writer, surface, "baseColorFactor", colour, 4);
    GltfWriter_Number(writer, surface, "metallicFactor", 0);
    if (state->flags & BATCH_TWO_SIDED)
        GltfWriter_True(writer, material, "doubleSided");
    cJSON *extras = GltfWriter_Extras(writer, material);
    GltfWriter_Number(writer, extras, "flags", state->flags);
    GltfWriter_Number(writer, extras, "material", state->material);
    GltfWriter_Number(writer, extras, "row", state->row);
    GltfWriter_Number(writer, extras, "lightmap", state->lightmap);
    if (state->portal != RP_MSH_NONE)
        GltfWriter_Number(writer, extras, "portal", state->portal);
}

/* ---- vertices -------------------------------------------------------------------------------- */

/* All batches with the same base and count share one set of accessors for their vertices. */
typedef struct Range {
    uint32_t base, count, accessors;
} Range;

static int CompareRanges(const void *left, const void *right) {
    const Range *a = left, *b = right;
    if (a->base != b->base)
        return a->base < b->base ? -1 : 1;
    return (a->count > b->count) - (a->count < b->count);
}

typedef struct Attribute {
    const char *name, *type;
    uint32_t component, stride, view;
} Attribute;

enum { MAX_ATTRIBUTES = 7 };
typedef struct Vertices {
    Attribute attributes[MAX_ATTRIBUTES]; /* POSITION is the first */
    uint32_t attribute_count;
    float (*positions)[3];
    Range *ranges; /* sorted */
    uint32_t range_count;
    uint32_t index_view;
} Vertices;

static void AddAttribute(GltfExporter *exporter, Vertices *vertices, Attribute attribute,
                         const void *bytes) {
    size_t size = (size_t)exporter->vertex_count * attribute.stride;
    attribute.view =
        GltfWriter_View(&exporter->writer, bytes, size, attribute.stride, GLTF_VERTICES);
    vertices->attributes[vertices->attribute_count++] = attribute;
}

static const float farthest = 1e18f; /* the same limit as in RpMsh_Make */

static void CleanPosition(const GltfExporter *exporter, uint32_t vertex, float position[3]) {
    bool clean = true;
    RpMsh_Position(&exporter->msh, vertex, position);
    for (int i = 0; i < 3; i++)
        if (!(fabsf(position[i]) <= farthest)) {
            position[i] = 0.0f;
            clean = false;
        }
    if (!clean)
        GltfExporter_Note(exporter, "G04", "a position is not a number, or past 1e18: shown as 0",
                          RP_MSH_POSITIONS, RP_NO_INDEX, vertex);
}

/* glTF asks for length 1. The stored bytes go to _RAW_NORMAL. The meaning of the fourth is
 * unknown. */
void Gltf_DecodeNormal(const int8_t raw[4], float normal[3]) {
    double square = 0.0;
    for (int i = 0; i < 3; i++)
        square += (double)raw[i] * raw[i];
    double length = sqrt(square);
    for (int i = 0; i < 3; i++)
        normal[i] = length > 0.0 ? (float)(raw[i] / length) : i == 2 ? 1.0f : 0.0f;
}

static void AddNormals(GltfExporter *exporter, Vertices *vertices, void *scratch) {
    float(*normals)[3] = scratch;
    int8_t(*bytes)[4] = scratch, raw[4];
    bool exact = true;
    for (uint32_t i = 0; i < exporter->vertex_count; i++) {
        RpMsh_Normal(&exporter->msh, i, raw);
        Gltf_DecodeNormal(raw, normals[i]);
        for (int j = 0; j < 3; j++)
            exact &= RpMsh_EncodeNormal(normals[i][j]) == raw[j];
        exact &= raw[3] == 0;
    }
    AddAttribute(exporter, vertices, (Attribute){"NORMAL", "VEC3", GLTF_FLOAT, sizeof *normals, 0},
                 normals);
    if (exact)
        return;
    for (uint32_t i = 0; i < exporter->vertex_count; i++)
        RpMsh_Normal(&exporter->msh, i, bytes[i]);
    AddAttribute(exporter, vertices,
                 (Attribute){"_RAW_NORMAL", "VEC4", GLTF_BYTE, sizeof *bytes, 0}, bytes);
}

static void AddUvs(GltfExporter *exporter, Vertices *vertices, const char *name, uint32_t type,
                   void *scratch) {
    float(*uvs)[2] = scratch;
    for (uint32_t i = 0; i < exporter->vertex_count; i++) {
        uint16_t raw[2];
        RpMsh_Uv(&exporter->msh, type, i, raw);
        for (int j = 0; j < 2; j++) {
            int32_t value = raw[j];
            if (!exporter->options->readings.choice[READING_UV] && value > INT16_MAX)
                value -= 65536;
            uvs[i][j] = (float)value / 1024.0f;
        }
    }
    AddAttribute(exporter, vertices, (Attribute){name, "VEC2", GLTF_FLOAT, sizeof *uvs, 0}, uvs);
}

/* Writes a stream of 8 bytes for each vertex, whose meaning is unknown, unchanged, unless all of it
 * is zero. */
static void AddOpaque(GltfExporter *exporter, Vertices *vertices, const char *name, uint32_t type,
                      void *scratch) {
    const RpMshStream *stream = &exporter->msh.streams[type];
    uint8_t(*records)[8] = scratch;
    uint32_t count =
        stream->count < exporter->vertex_count ? stream->count : exporter->vertex_count;
    bool zero = true;
    memset(records, 0, (size_t)exporter->vertex_count * sizeof *records);
    if (count > 0)
        memcpy(records, stream->data, (size_t)count * sizeof *records);
    for (uint32_t i = 0; i < count && zero; i++)
        for (int j = 0; j < 8; j++)
            zero &= records[i][j] == 0;
    if (!zero || (type == RP_MSH_RES16 && stream->data))
        AddAttribute(exporter, vertices,
                     (Attribute){name, "VEC4", GLTF_UNSIGNED_SHORT, sizeof *records, 0}, records);
}

/* A box of all vertices from `base` on, which grows from range to range. */
typedef struct Extent {
    uint32_t base, count;
    float low[3], high[3];
} Extent;

/* Ranges with the same base follow each other, and the shorter ones come first. So each range adds
 * vertices to the one before. */
static void Extend(Extent *extent, const Vertices *vertices, const Range *range) {
    if (extent->count == 0 || extent->base != range->base) {
        *extent = (Extent){.base = range->base, .count = 1};
        memcpy(extent->low, vertices->positions[range->base], sizeof extent->low);
        memcpy(extent->high, extent->low, sizeof extent->high);
    }
    for (; extent->count < range->count; extent->count++)
        for (int axis = 0; axis < 3; axis++) {
            float value = vertices->positions[range->base + extent->count][axis];
            extent->low[axis] = value < extent->low[axis] ? value : extent->low[axis];
            extent->high[axis] = value > extent->high[axis] ? value : extent->high[axis];
        }
}

static void WriteRange(GltfExporter *exporter, const Vertices *vertices, Range *range,
                       const Extent *extent) {
    range->accessors = exporter->writer.counts[GLTF_ACCESSORS];
    for (uint32_t i = 0; i < vertices->attribute_count; i++) {
        const Attribute *attribute = &vertices->attributes[i];
        GltfAccessor accessor = {.view = attribute->view,
                                 .offset = range->base * attribute->stride,
                                 .component = attribute->component,
                                 .count = range->count,
                                 .type = attribute->type};
        if (i == 0) {
            accessor.low = extent->low;
            accessor.high = extent->high;
            accessor.components = 3;
        }
        GltfWriter_Accessor(&exporter->writer, &accessor);
    }
}

/* ---- indices --------------------------------------------------------------------------------- */

static void WriteIndices(GltfExporter *exporter, const Vertices *vertices, GltfBatch *batch) {
    if (batch->wide) {
        uint32_t count = TriangleIndices(&batch->record);
        RpBuffer wide;
        RpBuffer_Init(&wide, exporter->options->allocator);
        for (uint32_t i = 0; i < count; i++) {
            uint16_t value = 0;
            RpMsh_Index(&exporter->msh, batch->record.first_index + i, &value);
            RpBuffer_AppendU32(&wide, value);
        }
        exporter->writer.failed |= wide.failed;
        uint32_t view = GltfWriter_View(&exporter->writer, wide.bytes, wide.size, 0, GLTF_INDICES);
        RpBuffer_Free(&wide);
        const GltfAccessor accessor = {
            .view = view, .component = GLTF_UNSIGNED_INT, .count = count, .type = "SCALAR"};
        batch->indices = GltfWriter_Accessor(&exporter->writer, &accessor);
        return;
    }
    const GltfAccessor accessor = {.view = vertices->index_view,
                                   .offset = 2 * batch->record.first_index,
                                   .component = GLTF_UNSIGNED_SHORT,
                                   .count = TriangleIndices(&batch->record),
                                   .type = "SCALAR"};
    batch->indices = GltfWriter_Accessor(&exporter->writer, &accessor);
}

/* ---- meshes ---------------------------------------------------------------------------------- */

static void WriteMesh(GltfExporter *exporter, const Vertices *vertices, uint32_t index) {
    GltfWriter *writer = &exporter->writer;
    const GltfSlot *slot = &exporter->slots[index];
    cJSON *mesh = GltfWriter_Add(writer, GLTF_MESHES);
    char name[3 * RP_MSH_NAME_BYTES + 32] = "";
    uint32_t length = 0;
    const char *node = slot->node == GLTF_NOTHING
                           ? NULL
                           : RpMsh_Text(&exporter->msh, RP_MSH_NAMES, slot->node, &length);
    int at = snprintf(name, sizeof name, "slot %u%s", (unsigned)index, node ? " " : "");
    if (node)
        Text1251_ToUtf8(node, length, name + at);
    GltfWriter_Text(writer, mesh, "name", name);
    cJSON *primitives = GltfWriter_Array(writer, mesh, "primitives");
    for (uint32_t b = slot->record.first_batch; b < SlotEnd(exporter, slot); b++)
        if (exporter->batches[b].shown) {
            GltfBatch *batch = &exporter->batches[b];
            cJSON *primitive = GltfWriter_PushObject(writer, primitives);
            cJSON *attributes = GltfWriter_Object(writer, primitive, "attributes");
            Range range = {batch->record.base_vertex, batch->vertex_count, 0};
            const Range *found = bsearch(&range, vertices->ranges, vertices->range_count,
                                         sizeof range, CompareRanges);
            uint32_t accessors = found->accessors;
            for (uint32_t i = 0; i < vertices->attribute_count; i++)
                GltfWriter_Number(writer, attributes, vertices->attributes[i].name, accessors + i);
            if (batch->indices == GLTF_NOTHING)
                WriteIndices(exporter, vertices, batch);
            GltfWriter_Number(writer, primitive, "indices", batch->indices);
            const GltfState state = BatchState(&batch->record), *states = exporter->states;
            const GltfState *material =
                bsearch(&state, states, exporter->state_count, sizeof state, CompareStates);
            GltfWriter_Number(writer, primitive, "material", (uint32_t)(material - states));
        }
    cJSON *extras = GltfWriter_Extras(writer, mesh);
    GltfWriter_Number(writer, extras, "slot", index);
    GltfWriter_Number(writer, extras, "batch", slot->record.first_batch);
    const uint32_t *opaque = slot->record.opaque;
    if (opaque[0] || opaque[1] || opaque[2]) {
        cJSON *words = GltfWriter_Array(writer, extras, "opaque");
        for (int i = 0; i < 3; i++)
            GltfWriter_Push(writer, words, opaque[i]);
    }

    /* Writes the flags of the slot's triangles in pairs: a flag word, and how many triangles in a
     * row have it. */
    cJSON *runs = NULL;
    RpMshTriangle triangle;
    uint32_t count = 0, flags = 0;
    bool any = false;
    for (uint32_t i = 0; i < slot->record.triangle_count && !any; i++) {
        RpMsh_Triangle(&exporter->msh, slot->record.first_triangle + i, &triangle);
        any = triangle.flags != 0;
    }
    if (!any)
        return;
    runs = GltfWriter_Array(&exporter->writer, extras, "triangleFlags");
    for (uint32_t i = 0; i <= slot->record.triangle_count; i++) {
        RpMsh_Triangle(&exporter->msh, slot->record.first_triangle + i, &triangle);
        bool end = i == slot->record.triangle_count;
        if (count > 0 && (end || triangle.flags != flags)) {
            GltfWriter_Push(&exporter->writer, runs, flags);
            GltfWriter_Push(&exporter->writer, runs, count);
            count = 0;
        }
        flags = triangle.flags;
        count++;
    }
}

RpStatus GltfExporter_WriteMeshes(GltfExporter *exporter, RpError *error) {
    Vertices vertices = {.attribute_count = 0};
    if (exporter->state_count == 0)
        return RP_OK; /* nothing is shown */
    vertices.ranges = GltfExporter_Allocate(exporter, exporter->batch_count, sizeof(Range));
    vertices.positions = GltfExporter_Allocate(exporter, exporter->vertex_count, 12);
    void *scratch = GltfExporter_Allocate(exporter, exporter->vertex_count, 12);
    RpStatus status = RpMemory_Refused(error, "vertices");
    if (vertices.ranges && vertices.positions && scratch) {
        /* Gathers the ranges of the batches that are shown, each once. */
        uint32_t total = 0;
        for (uint32_t i = 0; i < exporter->batch_count; i++)
            if (exporter->batches[i].shown)
                vertices.ranges[total++] = (Range){exporter->batches[i].record.base_vertex,
                                                   exporter->batches[i].vertex_count, 0};
        if (total > 0)
            qsort(vertices.ranges, total, sizeof *vertices.ranges, CompareRanges);
        for (uint32_t i = 0; i < total; i++)
            if (i == 0 || CompareRanges(&vertices.ranges[i], &vertices.ranges[i - 1]) != 0)
                vertices.ranges[vertices.range_count++] = vertices.ranges[i];

        /* Ranges with different beginnings may share so many vertices that visiting all of them
         * would take far too long. */
        uint64_t bytes = 0;
        for (uint32_t i = 0; i < vertices.range_count; i++)
            if (i + 1 == vertices.range_count ||
                vertices.ranges[i + 1].base != vertices.ranges[i].base)
                bytes += (uint64_t)vertices.ranges[i].count * sizeof *vertices.positions;
        status = bytes <= Msh_SharingBudget(&exporter->msh)
                     ? RP_OK
                     : RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE,
                                   "batches share vertices again and again", "Res13",
                                   "each vertex in at most 16 of them", "");
    }
    if (status == RP_OK) {
        for (uint32_t i = 0; i < exporter->vertex_count; i++)
            CleanPosition(exporter, i, vertices.positions[i]);
        AddAttribute(exporter, &vertices,
                     (Attribute){"POSITION", "VEC3", GLTF_FLOAT, sizeof *vertices.positions, 0},
                     vertices.positions);
        AddNormals(exporter, &vertices, scratch);
        AddUvs(exporter, &vertices, "TEXCOORD_0", RP_MSH_UV0, scratch);
        if (RpMsh_Count(&exporter->msh, RP_MSH_UV1) > 0)
            AddUvs(exporter, &vertices, "TEXCOORD_1", RP_MSH_UV1, scratch);
        AddOpaque(exporter, &vertices, "_RES15", RP_MSH_RES15, scratch);
        AddOpaque(exporter, &vertices, "_RES16", RP_MSH_RES16, scratch);

        /* Batches whose indices need no change share the stream as it is. */
        const RpMshStream *indices = &exporter->msh.streams[RP_MSH_INDICES];
        bool narrow = false;
        for (uint32_t i = 0; i < exporter->batch_count; i++)
            narrow |= exporter->batches[i].shown && !exporter->batches[i].wide;
        if (narrow)
            vertices.index_view = GltfWriter_View(&exporter->writer, indices->data,
                                                  2 * (size_t)indices->count, 0, GLTF_INDICES);

        /* Accessors, materials and meshes refer to what has been written so far. */
        Extent extent = {.count = 0};
        for (uint32_t i = 0; i < vertices.range_count; i++) {
            Extend(&extent, &vertices, &vertices.ranges[i]);
            WriteRange(exporter, &vertices, &vertices.ranges[i], &extent);
        }
        for (uint32_t i = 0; i < exporter->state_count; i++)
            WriteMaterial(exporter, &exporter->states[i]);
        for (uint32_t i = 0; i < exporter->slot_count; i++)
            if (exporter->slots[i].mesh != GLTF_NOTHING)
                WriteMesh(exporter, &vertices, i);
    }
    GltfExporter_Release(exporter, scratch);
    GltfExporter_Release(exporter, vertices.positions);
    GltfExporter_Release(exporter, vertices.ranges);
    return status;
}
