/* Lists what is drawn, in which order and how: IMesh2 method 11, AniMesh 0x10014B30, and IJointMesh
 * method 6, 0x100101D0 (facts/animesh.md E.17). The list ends where the original begins to call the
 * shade. */
#include "animesh/mesh.h"

static void DrawPiece(const MeshContext *context, const Mesh *mesh, int32_t node, int32_t level,
                      const MeshDraw *draw) {
    const Piece *piece = Mesh_Piece(mesh, node);
    BatchDescriptor batch;
    MeshSlot slot;
    if (Mesh_IsHidden(mesh, node) || !Mesh_FindSlot(context, piece, level, -1, &slot))
        return;
    uint32_t mode = 0;
    if (level == DRAW_FIRST_PERSON) {
        MeshModel scratch;
        uint16_t flags;
        const MeshModel *model = Mesh_ModelOf(context, piece, &scratch);
        bool known = model && MeshModel_NodeFlags(model, piece->node, &flags);
        mode = known && (flags & NODE_FLAG_COCKPIT) ? 2 : 1; /* 0x10014E9A */
    }
    for (uint32_t i = 0; i < slot.batch_count; i++) {
        if (!Mesh_DescribeBatch(context, mesh, node, (uint32_t)slot.first_batch + i, &batch))
            return;
        draw->batch(draw->user, node, mode, piece->world, &batch);
    }
}

void Mesh_Draw(const MeshContext *context, const Mesh *mesh, const MeshDraw *draw) {
    int32_t level = draw->flags & DRAW_AT_LEVEL_1 ? 1 : draw->level;
    for (uint32_t i = 0; i < mesh->piece_count; i++)
        if (draw->subtree == -1 || Mesh_IsWithin(mesh, (int32_t)i, draw->subtree))
            DrawPiece(context, mesh, (int32_t)i, level, draw);
}
