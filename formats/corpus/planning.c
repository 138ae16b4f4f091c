/* The first step of the plan, which makes the models of the corpus and their nodes, and the
 * questions about models that all steps ask. The other steps decide what the nodes show. */
#include "formats/corpus/planning.h"

#include <stdio.h>
#include <string.h>

/* ---- tables ---------------------------------------------------------------------------------- */

typedef struct Family {
    const char *library;
    uint32_t models, animated;
    uint32_t node_low, node_high, node_weight; /* for each model */
    uint32_t detail;                           /* weight for the number of triangles of a node */
    const char *stems[6];                      /* for names; "%u" stands for the number */
} Family;

/* It is known that static has 68 models, fortif 30 and turrets 28; of the other libraries it is
 * known only that they have models. 157 models are animated. The stems resemble names that public
 * sources mention. */
static const Family families[CORPUS_FAMILY_COUNT] = {
    {"static.rlb", 68, 0, 1, 4, 1, 60, {"s_stn_%u_%02u", "s_tre_%u_%02u", "s_rok_%u_%02u"}},
    {"fortif.rlb", 30, 14, 2, 26, 12, 200, {"fr_m_%u_%02u", "fr_l_%u_%02u", "fr_s_%u_%02u"}},
    {"turrets.rlb", 28, 28, 6, 9, 6, 80, {"e_tur_%u_%02u", "e_tow_%u_%02u"}},
    {"bases.rlb", 24, 6, 2, 26, 9, 160, {"b_cent_%u_%02u", "b_univ_%u_%02u"}},
    {"guns.rlb", 64, 30, 1, 8, 3, 50, {"g_can_%u_%02u", "g_las_%u_%02u", "g_rkt_%u_%02u"}},
    {"parts.rlb", 110, 66, 3, 20, 7, 90, {"R_B_%u%02u", "R_H_%u%02u", "a_l_%u%02u", "a_a_%u%02u"}},
    {"weapon.rlb", 52, 4, 1, 3, 1, 40, {"w_rkt_%u_%02u", "w_shl_%u_%02u", "w_pls_%u_%02u"}},
    {"animals.rlb", 9, 9, 8, 22, 14, 70, {"an_%u_%02u"}},
    {"intsys.rlb", 22, 0, 1, 8, 3, 50, {"is_m_%u_%02u", "is_p_%u_%02u"}},
    {"system.rlb", 28, 0, 1, 4, 1, 30, {"sys_%u_%02u", "u_min_%u_%02u"}},
};

enum {
    LIT_MODELS = 21, /* these are also the models with interiors */
    PATH_MODELS = 29,
    VISIBLE_NODES = 1300, /* 1451 slots of level 0, less 150 of states 1 and 2, less the legacy */
    SOCKETS = CORPUS_NODES - COCKPITS - VISIBLE_NODES
};

static const Special specials[] = {
    {CORPUS_SYSTEM, 0, "MTCHECK", CORPUS_LEGACY, 0, 0, 0, 1},
    {CORPUS_SYSTEM, 1, "sys_point", CORPUS_SMALLEST, 1, 0, 0, 1},
    {CORPUS_STATIC, 0, "s_stn_0_13", CORPUS_ORDINARY, 2, 0, 0, 1},
    {CORPUS_BASES, 0, "b_cent_l", CORPUS_LARGEST, LARGEST_NODES, 6, 37, 97},
    {CORPUS_PARTS, 0, "R_B_01", CORPUS_ORDINARY, 34, 10, 30, 121},
    {CORPUS_PARTS, 1, "R_H_02", CORPUS_ORDINARY, 10, 1, 10, 124},
    {CORPUS_PARTS, 2, "a_a_l3", CORPUS_ORDINARY, 13, 2, 11, 61},
};

/* Faults of single models of the game, which some of these models therefore have, too, and the
 * rules that find them. */
typedef struct Oddity {
    CorpusFamily family;
    uint32_t number;
    uint32_t normals, neighbours, rotations; /* numbers of triangles, of triangles, and of keys */
    const char *expected;
} Oddity;

/* C.7: eight face normals that do not follow from the geometry, and six neighbours, all in one
 * model, that do not touch. C.14: eleven rotations of zeros. */
static const Oddity oddities[] = {
    {CORPUS_STATIC, 0, 0, 6, 0, "M16"},  {CORPUS_STATIC, 5, 5, 0, 0, "M17"},
    {CORPUS_FORTIF, 3, 3, 0, 0, "M17"},  {CORPUS_PARTS, 3, 0, 0, 4, "M29"},
    {CORPUS_PARTS, 17, 0, 0, 3, "M29"},  {CORPUS_ANIMALS, 2, 0, 0, 2, "M29"},
    {CORPUS_FORTIF, 25, 0, 0, 1, "M29"}, {CORPUS_GUNS, 21, 0, 0, 1, "M29"},
};

/* ---- what every step uses -------------------------------------------------------------------- */

const char *CorpusFamily_Library(CorpusFamily family) {
    return (unsigned)family < CORPUS_FAMILY_COUNT ? families[family].library : NULL;
}

RpStatus Planning_Refuse(const char *what, RpError *error) {
    return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the corpus cannot be shared out", what, "",
                       "");
}

uint32_t Planning_Detail(CorpusFamily family) {
    return families[family].detail;
}

int Rank_Compare(const void *left, const void *right) {
    const Rank *a = left, *b = right;
    if (a->score != b->score)
        return a->score > b->score ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

void Sharing_Add(Sharing *sharing, uint32_t slot, uint32_t weight, uint32_t low, uint32_t high) {
    sharing->slots[sharing->count] = slot;
    sharing->shares[sharing->count++] =
        (CorpusShare){.weight = weight, .low = low, .high = high < low ? low : high};
}

static PlannedModel *FindModel(CorpusPlan *plan, CorpusFamily family, uint32_t number) {
    uint32_t index = number;
    for (int f = 0; f < (int)family; f++)
        index += families[f].models;
    return &plan->models[index];
}

/* ---- models and nodes ------------------------------------------------------------------------ */

uint32_t CorpusPlan_Largest(void) {
    uint32_t index = 0;
    for (int f = 0; f < CORPUS_BASES; f++)
        index += families[f].models;
    return index;
}

const Special *Planning_Special(const PlannedModel *model) {
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++)
        if (specials[i].family == model->family && specials[i].number == model->number)
            return &specials[i];
    return NULL;
}

bool Planning_IsAnimated(const PlannedModel *model) {
    /* The first and the last buildings are animated, so that some animated ones are lit and some
     * are not. */
    if (model->family == CORPUS_FORTIF)
        return model->number < 5 || model->number >= 21;
    return model->number < families[model->family].animated;
}

static RpStatus ShareNodes(CorpusPlan *plan, RpError *error) {
    CorpusShare shares[RP_CORPUS_MODELS];
    for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++) {
        const PlannedModel *model = &plan->models[i];
        const Family *family = &families[model->family];
        const Special *special = Planning_Special(model);
        const uint32_t draw = Corpus_Draw(plan->seed, i, DRAW_NODES, 0);
        shares[i] = (CorpusShare){.weight = family->node_weight * (1 + draw % 8),
                                  .low = family->node_low,
                                  .high = family->node_high};
        if (model->lit)
            shares[i].low = 9;
        if (Planning_IsAnimated(model) && shares[i].low < 3)
            shares[i].low = 3;
        if (special)
            shares[i].low = shares[i].high = special->nodes;
    }
    if (!Corpus_ShareOut(shares, RP_CORPUS_MODELS, CORPUS_NODES))
        return Planning_Refuse("nodes among models", error);
    uint32_t first = 0;
    for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++) {
        plan->models[i].first_node = first;
        plan->models[i].node_count = shares[i].share;
        first += shares[i].share;
    }
    return RP_OK;
}

/* In the game's mounted parts, the root of a tree is an empty node, a socket (C.2). */
static RpStatus ShareSockets(CorpusPlan *plan, RpError *error) {
    CorpusShare shares[RP_CORPUS_MODELS];
    for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++) {
        PlannedModel *model = &plan->models[i];
        const Special *special = Planning_Special(model);
        model->cockpits = model->family == CORPUS_TURRETS ? 1 : 0;
        const uint32_t others = model->node_count - model->cockpits;
        const uint32_t most = others >= 3 ? (others + 1) / 2 : others / 2;
        shares[i] = (CorpusShare){.weight = others, .low = others >= 3, .high = most};
        if (model->lit) /* rooms first */
            shares[i].high = 1 + others / 5;
        if (special)
            shares[i].low = shares[i].high = special->sockets;
    }
    if (!Corpus_ShareOut(shares, RP_CORPUS_MODELS, SOCKETS))
        return Planning_Refuse("sockets among models", error);
    for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++) {
        PlannedModel *model = &plan->models[i];
        model->sockets = shares[i].share;
        model->visible = model->node_count - model->cockpits - model->sockets;
    }
    return RP_OK;
}

/* The nodes of a model are in this order: the empty root, what is visible, other sockets, the
 * cockpit. */
static CorpusNodeKind KindOf(const PlannedModel *model, uint32_t node) {
    const uint32_t before = model->sockets > 0 ? 1 : 0;
    if (node < before)
        return CORPUS_SOCKET;
    if (node < before + model->visible)
        return CORPUS_VISIBLE;
    return node < model->node_count - model->cockpits ? CORPUS_SOCKET : CORPUS_COCKPIT;
}

/* Limbs of three nodes hang on the body, node 1; a turret is a chain of yaw, pitch and barrels;
 * in a building everything stands on the ground. */
static uint16_t ParentOf(const PlannedModel *model, uint32_t node) {
    if (node == 0)
        return RP_MSH_NONE;
    if (node == 1)
        return 0;
    switch (model->family) {
    case CORPUS_PARTS:
    case CORPUS_ANIMALS:
        return (node - 2) % 3 == 0 ? 1 : (uint16_t)(node - 1);
    case CORPUS_TURRETS:
    case CORPUS_GUNS:
        return node == 2 ? 1 : 2;
    default:
        return 0;
    }
}

RpStatus Planning_Models(CorpusPlan *plan, RpError *error) {
    PlannedModel *model = plan->models;
    for (int f = 0; f < CORPUS_FAMILY_COUNT; f++) {
        for (uint32_t number = 0; number < families[f].models; number++, model++) {
            model->family = (CorpusFamily)f;
            model->number = number;
            model->expected = "";
            model->frames = 1;
            model->form = f == CORPUS_TURRETS ? CORPUS_TURRET : CORPUS_ORDINARY;

            /* The model's number chooses one of the family's stems, and counts the models of the
             * same stem. */
            uint32_t stems = 0;
            for (; stems < 6 && families[f].stems[stems]; stems++)
                ;
            const uint32_t of_stem = number / stems;
            char name[RP_NRES_NAME_BYTES - 4];
            snprintf(name, sizeof name, families[f].stems[number % stems], (unsigned)(of_stem / 16),
                     (unsigned)(of_stem % 16 + 20));
            snprintf(model->name, sizeof model->name, "%s.msh", name);
        }
    }
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++) {
        model = FindModel(plan, specials[i].family, specials[i].number);
        model->form = specials[i].form;
        memset(model->name, 0, sizeof model->name);
        snprintf(model->name, sizeof model->name, "%s.msh", specials[i].name);
    }

    /* Makes five guns of two animated nodes and two frames, and one of nine frames. */
    for (uint32_t number = 0; number < 6; number++)
        FindModel(plan, CORPUS_GUNS, number)->form =
            number < 5 ? CORPUS_TWO_FRAMES : CORPUS_NINE_FRAMES;
    for (size_t i = 0; i < sizeof oddities / sizeof *oddities; i++) {
        PlannedModel *odd = FindModel(plan, oddities[i].family, oddities[i].number);
        odd->odd_normals = oddities[i].normals;
        odd->odd_neighbours = oddities[i].neighbours;
        odd->zero_rotations = oddities[i].rotations;
        odd->expected = oddities[i].expected;
    }
    FindModel(plan, CORPUS_SYSTEM, 0)->expected = "M06";
    for (uint32_t number = 0; number < PATH_MODELS; number++) {
        PlannedModel *building = FindModel(plan, CORPUS_FORTIF, number);
        building->paths = true;
        building->lit = number < LIT_MODELS;
    }
    RpStatus status = ShareNodes(plan, error);
    if (!status)
        status = ShareSockets(plan, error);
    if (!status) {
        for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++) {
            const PlannedModel *planned = &plan->models[i];
            for (uint32_t n = 0; n < planned->node_count; n++) {
                CorpusNode *node = &plan->nodes[planned->first_node + n];
                node->kind = KindOf(planned, n);
                node->parent = ParentOf(planned, n);
                node->keys = 1;
                /* The first third of the visible nodes are outer parts. The others are rooms. */
                node->interior =
                    planned->lit && node->kind == CORPUS_VISIBLE && n > planned->visible / 3;
            }
        }
    }
    return status;
}
