/* Describes batches and triangles as the callers of IMesh2 methods 3 and 5 receive them: AniMesh
 * 0x100134D0 and 0x10013680 (facts/animesh.md E.13, C.6). */
#include "animesh/mesh.h"
#include "animesh/streams.h"
#include "animesh/vector.h"

enum { NO_LIGHTMAP = 0xFF };
#define WEAR_OF_MATERIAL 0xFFFF0000u

static const MeshModel *ModelOfNode(const MeshContext *context, const Piece *piece,
                                    MeshModel *scratch) {
    return piece ? Mesh_ModelOf(context, piece, scratch) : NULL;
}

/* ---- batches --------------------------------------------------------------------------------- */

bool Mesh_DescribeBatch(const MeshContext *context, const Mesh *mesh, int32_t node, uint32_t batch,
                        BatchDescriptor *descriptor) {
    const Piece *piece = Mesh_Piece(mesh, node);
    MeshModel scratch;
    const MeshModel *model = ModelOfNode(context, piece, &scratch);
    MeshBatch record;
    if (!model)
        return false;
    if (!MeshModel_Batch(model, batch, &record)) {
        Mesh_CountOutside(context);
        return false;
    }
    bool portal = record.flags & BATCH_PORTAL;
    *descriptor = (BatchDescriptor){
        .flags = record.flags | (portal ? BATCH_SUPPRESSED : 0), /* 0x10013647 */
        .lightmap = record.lightmap == NO_LIGHTMAP
                        ? NO_INDEX
                        : (piece->material_base & WEAR_OF_MATERIAL) | record.lightmap,
        .portal = record.portal == NO_INDEX ? NO_INDEX : piece->part_base + record.portal,
        /* The material of a worn face replaces all others, 0x10013595. */
        .material = (uint32_t)mesh->worn_handle != UINT32_MAX
                        ? (uint32_t)mesh->worn_handle
                        : piece->material_base | record.material,
        .first_index = record.first_index,
        .index_count = record.index_count,
        .base_vertex = record.base_vertex,
        .vertex_count = record.vertex_count};
    return true;
}

/* ---- triangles ------------------------------------------------------------------------------- */

/* Finds the number of a batch's first triangle in the model. The triangles of a slot are numbered
 * through all its batches. */
static bool CountTo(const MeshModel *model, const MeshSlot *slot, uint32_t batch, uint32_t *first) {
    if (batch < slot->first_batch || batch - slot->first_batch >= slot->batch_count)
        return false;
    *first = slot->first_triangle;
    for (uint32_t i = slot->first_batch; i < batch; i++) {
        MeshBatch before;
        if (!MeshModel_Batch(model, i, &before))
            return false;
        *first += ((uint32_t)before.index_count + 2) / 3;
    }
    return true;
}

static bool Describe(const MeshModel *model, const MeshBatch *batch, const MeshTriangle *record,
                     uint32_t triangle, bool with_uv, TriangleDescriptor *descriptor) {
    TriangleDescriptor result = {.flags = record->flags, .batch_flags = batch->flags};
    for (uint32_t corner = 0; corner < 3; corner++) {
        const uint32_t place = 3 * triangle + corner;
        uint16_t index;
        int16_t uv[2];
        if (place > UINT32_MAX - batch->first_index ||
            !MeshModel_Index(model, batch->first_index + place, &index) ||
            index > UINT32_MAX - batch->base_vertex)
            return false;
        const uint32_t vertex = batch->base_vertex + index;
        result.indices[corner] = vertex;
        if (!MeshModel_Vertex(model, vertex, result.vertices + 3 * corner))
            return false;
        if (!with_uv)
            continue;
        if (!MeshModel_Uv(model, vertex, uv))
            return false;
        static const float step = 0x1p-10f; /* 1/1024 */
        for (int i = 0; i < 2; i++)
            X87_Store(X87_Mul(X87_LoadI16(&uv[i]), X87_Load(&step)), result.uv + 2 * corner + i);
    }
    MeshTriangle_Normal(record, result.normal);
    *descriptor = result;
    return true;
}

bool Mesh_DescribeTriangle(const MeshContext *context, const Mesh *mesh, int32_t node,
                           uint32_t batch, uint32_t triangle, uint32_t flags,
                           TriangleDescriptor *descriptor) {
    const Piece *piece = Mesh_Piece(mesh, node);
    MeshModel scratch;
    const MeshModel *model = ModelOfNode(context, piece, &scratch);
    uint32_t first;
    MeshBatch record;
    MeshTriangle face;
    if (!model)
        return false;

    /* The levels are searched in order for a slot that contains the batch. */
    bool found = false;
    for (int32_t level = 0; level < NODE_LEVELS && !found; level++) {
        MeshSlot slot;
        found =
            Mesh_FindSlot(context, piece, level, -1, &slot) && CountTo(model, &slot, batch, &first);
    }
    if (!found || !MeshModel_Batch(model, batch, &record) ||
        triangle >= ((uint32_t)record.index_count + 2) / 3)
        return false;
    if (MeshModel_Triangle(model, first + triangle, &face) &&
        Describe(model, &record, &face, triangle, flags & DESCRIBE_UV, descriptor))
        return true;
    Mesh_CountOutside(context);
    return false;
}
