/* Makes names, labels and flags of nodes like those that public sources mention (facts/formats.md
 * C.2, C.4, C.8). */
#include "formats/corpus/corpus_model.h"
#include "formats/corpus/integer.h"

#include <stdio.h>

static const CorpusNode *NodeAt(const CorpusMaking *making, uint32_t node) {
    return &making->plan->nodes[making->model->first_node + node];
}

static uint32_t Draw(const CorpusMaking *making, uint32_t node, uint32_t purpose) {
    return Corpus_Draw(making->plan->seed, making->model->first_node + node, purpose, 0);
}

void CorpusMaking_NameNode(const CorpusMaking *making, uint32_t node, char name[RP_MSH_NAME_BYTES],
                           char label[CORPUS_LABEL_BYTES]) {
    enum { CP_TURRETS = 19 }; /* of the 28 cockpits; the other nine are called BTCP */
    static const char *const ends[4] = {"TM", "WL", "WR", "EN"};
    static const char *const parts[3] = {"Up", "Md", "Dn"};
    static const char limbs[] = "LAWTHF";
    const CorpusFamily family = making->model->family;
    const bool has_limbs = family == CORPUS_PARTS || family == CORPUS_ANIMALS;
    switch (NodeAt(making, node)->kind) {
    case CORPUS_COCKPIT:
        snprintf(name, RP_MSH_NAME_BYTES,
                 making->model->number < CP_TURRETS ? "CP_m1o1" : "BTCP_m1o1");
        break;
    case CORPUS_SOCKET:
        if (node == 0)
            snprintf(name, RP_MSH_NAME_BYTES, "Base");
        else
            snprintf(name, RP_MSH_NAME_BYTES, "Base_%s%u", ends[node % 4], (unsigned)(node / 4));
        /* Only the labels of the variants have Cyrillic letters. Those of the game do not. */
        const uint32_t draw = Draw(making, node, CORPUS_DRAW_LABEL);
        const unsigned number = draw / 16 % 4;
        switch (draw % 7) {
        case 0:
            snprintf(label, CORPUS_LABEL_BYTES, "central_%uc", number);
            break;
        case 1:
            snprintf(label, CORPUS_LABEL_BYTES, "universal_%u%c", number, "lrs"[draw / 64 % 3]);
            break;
        case 2:
            snprintf(label, CORPUS_LABEL_BYTES, "e_tur_tt");
            break;
        case 3:
            snprintf(label, CORPUS_LABEL_BYTES, "e_bnt_%02u", number);
            break;
        case 4:
            snprintf(label, CORPUS_LABEL_BYTES, "u_h_def_%02u", number);
            break;
        default: /* most nodes have no label */
            break;
        }
        break;
    default:
        if (making->model->lit) {
            snprintf(name, RP_MSH_NAME_BYTES, "%c%02u_0_m1o1",
                     NodeAt(making, node)->interior ? 'i' : 'o', (unsigned)node);
        } else if (has_limbs && node > 1) {
            /* Legs and arms on the left and right, beginning at the body. */
            const uint32_t limb = (node - 2) / 3;
            if (limb / 2 < sizeof limbs - 1)
                snprintf(name, RP_MSH_NAME_BYTES, "%c%c_%s", limb % 2 ? 'R' : 'L', limbs[limb / 2],
                         parts[(node - 2) % 3]);
            else
                snprintf(name, RP_MSH_NAME_BYTES, "X%u_%s", (unsigned)limb, parts[(node - 2) % 3]);
        } else if (has_limbs) {
            snprintf(name, RP_MSH_NAME_BYTES, node ? "B_Up" : "B_Dn");
        } else {
            snprintf(name, RP_MSH_NAME_BYTES, "n%02u_m1o1", (unsigned)node);
        }
        break;
    }
}

uint16_t CorpusMaking_NodeFlags(const CorpusMaking *making, uint32_t node) {
    enum {
        INTERIOR = 0x1,
        STOPS = 0x10,
        COCKPIT = 0x20,
        NO_SHADOW = 0x40,
        NO_UPDATE = 0x100,
        INHERITS = 0x400,
        ASKS_LABEL = 0x800
    };
    static const uint16_t others[8] = {0, 0, 0, STOPS, NO_SHADOW, NO_UPDATE, INHERITS, 0};
    const CorpusNode *plan = NodeAt(making, node);
    const uint32_t draw = Draw(making, node, CORPUS_DRAW_FLAGS);
    if (plan->kind == CORPUS_COCKPIT)
        return COCKPIT;
    if (plan->kind == CORPUS_SOCKET)
        return draw & 1 ? ASKS_LABEL : 0;
    return (uint16_t)((plan->interior ? INTERIOR : 0) | others[draw % 8]);
}
