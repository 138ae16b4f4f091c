/* Where nodes of the synthetic corpus stand and how large they are, so that a walker looks like
 * one: limbs to both sides of a body, barrels on a turret, houses side by side. */
#include "formats/corpus/corpus_model.h"
#include "formats/corpus/integer.h"

#include <string.h>

CorpusRole CorpusLayout_Role(const CorpusMaking *making, uint32_t node) {
    switch (making->model->family) {
    case CORPUS_PARTS:
    case CORPUS_ANIMALS:
        return node >= 2 ? CORPUS_LIMB : CORPUS_BODY;
    case CORPUS_TURRETS:
    case CORPUS_GUNS:
        return node >= 3 ? CORPUS_BARREL : CORPUS_BODY;
    case CORPUS_FORTIF:
    case CORPUS_BASES:
    case CORPUS_STATIC:
        return CORPUS_BUILDING;
    default:
        return CORPUS_BODY;
    }
}

static int32_t FamilySize(const CorpusMaking *making) {
    static const int32_t sizes[CORPUS_FAMILY_COUNT] = {3200, 5600, 1800, 5200, 1200,
                                                       1600, 700,  1400, 600,  900};
    return sizes[making->model->family];
}

void CorpusLayout_Size(const CorpusMaking *making, uint32_t node, int32_t half[3]) {
    static const int32_t shapes[4][3] = {/* per cent */
                                         [CORPUS_BODY] = {90, 100, 70},
                                         [CORPUS_LIMB] = {28, 34, 60},
                                         [CORPUS_BARREL] = {14, 90, 14},
                                         [CORPUS_BUILDING] = {80, 80, 100}};
    const CorpusRole role = CorpusLayout_Role(making, node);
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t draw =
            Corpus_Draw(making->plan->seed, making->model->first_node + node, CORPUS_DRAW_SIZE, i);
        half[i] = FamilySize(making) * shapes[role][i] / 100 * (int32_t)(75 + draw % 50) / 100;
    }
}

void CorpusLayout_Bone(const CorpusMaking *making, uint32_t node, int32_t at[3]) {
    int32_t parent[3];
    const uint16_t above = making->plan->nodes[making->model->first_node + node].parent;
    memset(at, 0, 3 * sizeof *at);
    if (above == RP_MSH_NONE)
        return;
    CorpusLayout_Size(making, above, parent);
    switch (CorpusLayout_Role(making, node)) {
    case CORPUS_LIMB:
        if (above == 1) {
            /* Legs are low and arms high, in rows from back to front, left and right alike. */
            const int32_t limb = (int32_t)(node - 2) / 3;
            const int32_t rows = (int32_t)(making->model->node_count - 2 + 5) / 6;
            at[0] = limb % 2 ? parent[0] : -parent[0];
            at[1] = parent[1] * (2 * (limb / 2) + 1 - rows) / rows;
            at[2] = limb / 2 % 2 ? parent[2] * 3 / 2 : parent[2] / 2;
        } else {
            at[2] = -2 * parent[2] * 9 / 10;
        }
        break;
    case CORPUS_BARREL: {
        const int32_t count = (int32_t)making->model->node_count - 3;
        at[0] = parent[0] * (2 * (int32_t)(node - 3) + 1 - count) / count;
        at[1] = parent[1];
        at[2] = parent[2];
        break;
    }
    case CORPUS_BUILDING: {
        /* Buildings stand in a square of cells that are wide enough. */
        const uint32_t cells = Corpus_Root(making->model->node_count - 1) + 1;
        const int32_t middle = (int32_t)(cells - 1) * FamilySize(making);
        at[0] = (int32_t)((node - 1) % cells) * 2 * FamilySize(making) - middle;
        at[1] = (int32_t)((node - 1) / cells) * 2 * FamilySize(making) - middle;
        break;
    }
    default: /* a walker's body rests on its legs, anything else on its parent */
        at[2] = CorpusLayout_Role(making, 2) == CORPUS_LIMB && making->model->node_count > 2
                    ? 3 * FamilySize(making)
                    : 2 * parent[2];
        break;
    }
}
