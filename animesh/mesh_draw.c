/* Lists what is drawn, in which order and how: IMesh2 method 11, AniMesh 0x10014B30, and IJointMesh
 * method 6, 0x100101D0 (facts/animesh.md E.17). The list ends where the original begins to call the
 * shade. */
#include "animesh/mesh.h"

void Mesh_Draw(const MeshContext *context, const Mesh *mesh, const MeshDraw *draw) {
    int32_t level = draw->flags & DRAW_AT_LEVEL_1 ? 1 : draw->level;
    for (int32_t node = 0; (uint32_t)node < mesh->piece_count; node++) {
        if (draw->subtree != -1 && !Mesh_IsWithin(mesh, node, draw->subtree))
            continue;
        const Piece *piece = Mesh_Piece(mesh, node);
        MeshSlot slot;
        if (Mesh_IsHidden(mesh, node) || !Mesh_FindSlot(context, piece, level, -1, &slot))
            continue;
        uint32_t mode = 0;
        if (level == DRAW_FIRST_PERSON) {
            MeshModel scratch;
            uint16_t flags;
            const MeshModel *model = Mesh_ModelOf(context, piece, &scratch);
            bool known = model && MeshModel_NodeFlags(model, piece->node, &flags);
            mode = known && (flags & NODE_FLAG_COCKPIT) ? 2 : 1; /* 0x10014E9A */
        }
        for (uint32_t i = 0; i < slot.batch_count; i++) {
            BatchDescriptor batch;
            if (!Mesh_DescribeBatch(context, mesh, node, (uint32_t)slot.first_batch + i, &batch))
                break;
            draw->batch(draw->user, node, mode, piece->world, &batch);
        }
    }
}
