#include "corpus_plan.h"

#include "corpus_integer.h"
#include "corpus_share.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- tables ---------------------------------------------------------------------------------- */

typedef struct Family {
    const char *library;
    uint32_t models, animated;
    uint32_t node_low, node_high, node_weight; /* of a model */
    uint32_t detail;                           /* weight of a node's triangles */
    const char *stems[6];                      /* of names; "%u" is the number */
} Family;

/* static 68, fortif 30 and turrets 28 are known; the other libraries are only known to hold models.
 * 157 models are animated. Stems are after names that public sources mention. */
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
    LIT_MODELS = 21, /* these are the ones with interiors, too */
    PATH_MODELS = 29,
    COCKPITS = 28,
    VISIBLE_NODES = 1300, /* 1451 slots of level 0, less 150 of states 1 and 2, less the legacy */
    SOCKETS = CORPUS_NODES - COCKPITS - VISIBLE_NODES,
    STATE1_NODES = 135,
    STATE2_NODES = 15,
    ANIMATED_NODES = 817,
    ANIMATED_KEYS = 33020,
    LEGACY_TRIANGLES = 84,
    LEGACY_BATCHES = 15,
    LARGEST_NODES = 38,
    LARGEST_SLOTS = 112,
    LARGEST_BATCHES = 439,
    TRIANGLES = 241887
};

/* The levels of all slots, and of the slots of state 0 that are triangles' levels. */
static const uint32_t level_slots[CORPUS_LEVELS] = {1451, 1011, 952, 535, 288};
static const uint32_t level_models[CORPUS_LEVELS] = {434, 283, 282, 197, 75 + COCKPITS};
static const uint32_t level_triangles[CORPUS_LEVELS] = {137445, 34843, 14033, 5039, 13763};
/* Slots of states 1 and 2: all their nodes have level 0, some have more. */
static const uint32_t state_levels[CORPUS_STATES][CORPUS_LEVELS] = {
    {0}, {STATE1_NODES, 60, 50, 20, 0}, {STATE2_NODES, 2, 1, 0, 0}};

/* Models of a form of their own, by family and number. `nodes` etc. 0: shared out. */
typedef struct Special {
    CorpusFamily family;
    uint32_t number;
    const char *name;
    CorpusForm form;
    uint32_t nodes, sockets, animated, frames;
} Special;

static const Special specials[] = {
    {CORPUS_SYSTEM, 0, "MTCHECK", CORPUS_LEGACY, 0, 0, 0, 1},
    {CORPUS_SYSTEM, 1, "sys_point", CORPUS_SMALLEST, 1, 0, 0, 1},
    {CORPUS_STATIC, 0, "s_stn_0_13", CORPUS_ORDINARY, 2, 0, 0, 1},
    {CORPUS_BASES, 0, "b_cent_l", CORPUS_LARGEST, LARGEST_NODES, 6, 37, 97},
    {CORPUS_PARTS, 0, "R_B_01", CORPUS_ORDINARY, 34, 10, 30, 121},
    {CORPUS_PARTS, 1, "R_H_02", CORPUS_ORDINARY, 10, 1, 10, 124},
    {CORPUS_PARTS, 2, "a_a_l3", CORPUS_ORDINARY, 13, 2, 11, 61},
};

/* What is wrong with single models of the game, and so with these; the rules find it. */
typedef struct Oddity {
    CorpusFamily family;
    uint32_t number;
    uint32_t normals, neighbours, rotations; /* triangles, triangles, keys */
    const char *expected;
} Oddity;

/* C.7: eight face normals that do not follow from the geometry, six neighbours in one model that
 * do not touch; C.14: eleven all-zero rotations. */
static const Oddity oddities[] = {
    {CORPUS_STATIC, 0, 0, 6, 0, "M16"},  {CORPUS_STATIC, 5, 5, 0, 0, "M17"},
    {CORPUS_FORTIF, 3, 3, 0, 0, "M17"},  {CORPUS_PARTS, 3, 0, 0, 4, "M29"},
    {CORPUS_PARTS, 17, 0, 0, 3, "M29"},  {CORPUS_ANIMALS, 2, 0, 0, 2, "M29"},
    {CORPUS_FORTIF, 25, 0, 0, 1, "M29"}, {CORPUS_GUNS, 21, 0, 0, 1, "M29"},
};
/* C.7: 1387 descriptors carry something above bit 5 of their edge word. */
enum { EDGE_TAILS = 1387, EDGE_TAIL_MODELS = 40 };

typedef struct Word {
    uint16_t flags;
    uint32_t count;
} Word;

enum {
    FLAG_SPECIAL = 0x1,
    FLAG_TWO_SIDED = 0x2,
    FLAG_PHASE = 0x4,
    FLAG_PORTAL = 0x8,
    FLAG_SECOND_PASS = 0x100,
    FLAG_LIT = 0x2000,
    FLAG_EARLY_OUT = 0x4000
};

/* Fourteen words, 0 among them, whose bits are as often as C.6 says: 1 on 183 batches, 2 on 1477,
 * 4 on 112, 8 on 633, 0x10 on 66, 0x40 on 170, 0x100 on 2953, 0x2000 on 972, 0x4000 on 307. */
static const Word portal_words[] = {{FLAG_PORTAL | FLAG_SECOND_PASS, 633}};
static const Word lit_words[] = {{FLAG_LIT, 852}, {FLAG_LIT | FLAG_TWO_SIDED, 120}};
static const Word other_words[] = {
    {FLAG_SECOND_PASS, 1980},
    {FLAG_TWO_SIDED, 997},
    {FLAG_SECOND_PASS | FLAG_TWO_SIDED, 300},
    {FLAG_EARLY_OUT, 247},
    {FLAG_SPECIAL, 183},
    {0x40, 170},
    {FLAG_PHASE, 72},
    {0x10, 66},
    {FLAG_EARLY_OUT | FLAG_TWO_SIDED, 60},
    {FLAG_SECOND_PASS | FLAG_PHASE, 40},
};

/* C.7 counts bits, not words: its five counts and the zeros are six more than there are triangles,
 * so six carry two bits, 34 = 2 | 32. */
static const Word triangle_marks[] = {{34, 6}, {16, 384}, {32, 268}, {4, 1355}, {2, 6160}};

/* ---- what every step uses -------------------------------------------------------------------- */

enum { /* purposes of Corpus_Draw */
       DRAW_NODES,
       DRAW_RANK,
       DRAW_STATES,
       DRAW_TRIANGLES,
       DRAW_COCKPIT,
       DRAW_BATCHES,
       DRAW_SPLIT,
       DRAW_WORDS,
       DRAW_FRAMES,
       DRAW_KEYS,
       DRAW_PORTAL
};

const char *CorpusFamily_Library(CorpusFamily family) {
    return (unsigned)family < CORPUS_FAMILY_COUNT ? families[family].library : NULL;
}

static bool HasNodes(const CorpusModel *model) {
    return model->form != CORPUS_LEGACY;
}

static RpStatus Indivisible(const char *what, RpError *error) {
    return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the corpus cannot be shared out", what, "",
                       "");
}

static CorpusModel *FindModel(CorpusPlan *plan, CorpusFamily family, uint32_t number) {
    uint32_t index = number;
    for (int f = 0; f < (int)family; f++)
        index += families[f].models;
    return &plan->models[index];
}

/* ---- models and nodes ------------------------------------------------------------------------ */

static void NameModel(CorpusModel *model, const Family *family) {
    uint32_t stems = 0;
    for (; stems < 6 && family->stems[stems]; stems++)
        ;
    const uint32_t number = model->number / stems;
    char name[RP_NRES_NAME_BYTES - 4];
    snprintf(name, sizeof name, family->stems[model->number % stems], (unsigned)(number / 16),
             (unsigned)(number % 16 + 20));
    snprintf(model->name, sizeof model->name, "%s.msh", name);
}

static void NameModels(CorpusPlan *plan) {
    CorpusModel *model = plan->models;
    for (int f = 0; f < CORPUS_FAMILY_COUNT; f++) {
        for (uint32_t number = 0; number < families[f].models; number++, model++) {
            model->family = (CorpusFamily)f;
            model->number = number;
            model->expected = "";
            model->frames = 1;
            model->form = f == CORPUS_TURRETS ? CORPUS_TURRET : CORPUS_ORDINARY;
            NameModel(model, &families[f]);
        }
    }
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++) {
        model = FindModel(plan, specials[i].family, specials[i].number);
        model->form = specials[i].form;
        memset(model->name, 0, sizeof model->name);
        snprintf(model->name, sizeof model->name, "%s.msh", specials[i].name);
    }
}

/* Five guns of two animated nodes and two frames, one of nine frames. */
static void FormGuns(CorpusPlan *plan) {
    for (uint32_t number = 0; number < 6; number++)
        FindModel(plan, CORPUS_GUNS, number)->form =
            number < 5 ? CORPUS_TWO_FRAMES : CORPUS_NINE_FRAMES;
}

static void PlaceOddities(CorpusPlan *plan) {
    for (size_t i = 0; i < sizeof oddities / sizeof *oddities; i++) {
        CorpusModel *model = FindModel(plan, oddities[i].family, oddities[i].number);
        model->odd_normals = oddities[i].normals;
        model->odd_neighbours = oddities[i].neighbours;
        model->zero_rotations = oddities[i].rotations;
        model->expected = oddities[i].expected;
    }
    FindModel(plan, CORPUS_SYSTEM, 0)->expected = "M06";
}

uint32_t CorpusPlan_Largest(void) {
    uint32_t index = 0;
    for (int f = 0; f < CORPUS_BASES; f++)
        index += families[f].models;
    return index;
}

static const Special *FindSpecial(const CorpusModel *model) {
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++)
        if (specials[i].family == model->family && specials[i].number == model->number)
            return &specials[i];
    return NULL;
}

static void MarkBuildings(CorpusPlan *plan) {
    for (uint32_t number = 0; number < PATH_MODELS; number++) {
        CorpusModel *model = FindModel(plan, CORPUS_FORTIF, number);
        model->paths = true;
        model->lit = number < LIT_MODELS;
    }
}

static bool IsAnimated(const CorpusModel *model) {
    /* buildings: the first and the last ones, so that some are lit and some are not */
    if (model->family == CORPUS_FORTIF)
        return model->number < 5 || model->number >= 21;
    return model->number < families[model->family].animated;
}

static RpStatus ShareNodes(CorpusPlan *plan, RpError *error) {
    CorpusShare shares[RP_CORPUS_MODELS];
    for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++) {
        const CorpusModel *model = &plan->models[i];
        const Family *family = &families[model->family];
        const Special *special = FindSpecial(model);
        const uint32_t draw = Corpus_Draw(plan->seed, i, DRAW_NODES, 0);
        shares[i] = (CorpusShare){.weight = family->node_weight * (1 + draw % 8),
                                  .low = family->node_low,
                                  .high = family->node_high};
        if (model->lit)
            shares[i].low = 9;
        if (IsAnimated(model) && shares[i].low < 3)
            shares[i].low = 3;
        if (special)
            shares[i].low = shares[i].high = special->nodes;
    }
    if (!Corpus_ShareOut(shares, RP_CORPUS_MODELS, CORPUS_NODES))
        return Indivisible("nodes among models", error);
    uint32_t first = 0;
    for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++) {
        plan->models[i].first_node = first;
        plan->models[i].node_count = shares[i].share;
        first += shares[i].share;
    }
    return RP_OK;
}

/* The root of a tree is an empty one in the game's mounted parts (C.2): a socket. */
static RpStatus ShareSockets(CorpusPlan *plan, RpError *error) {
    CorpusShare shares[RP_CORPUS_MODELS];
    for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++) {
        CorpusModel *model = &plan->models[i];
        const Special *special = FindSpecial(model);
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
        return Indivisible("sockets among models", error);
    for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++) {
        CorpusModel *model = &plan->models[i];
        model->sockets = shares[i].share;
        model->visible = model->node_count - model->cockpits - model->sockets;
    }
    return RP_OK;
}

/* Order within a model: the empty root, what is visible, other sockets, the cockpit. */
static CorpusNodeKind KindOf(const CorpusModel *model, uint32_t node) {
    const uint32_t before = model->sockets > 0 ? 1 : 0;
    if (node < before)
        return CORPUS_SOCKET;
    if (node < before + model->visible)
        return CORPUS_VISIBLE;
    return node < model->node_count - model->cockpits ? CORPUS_SOCKET : CORPUS_COCKPIT;
}

/* Limbs of three nodes hang on the body, node 1; a turret is a chain of yaw, pitch and barrels;
 * in a building everything stands on the ground. */
static uint16_t ParentOf(const CorpusModel *model, uint32_t node) {
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

static void MakeNodes(CorpusPlan *plan) {
    for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++) {
        const CorpusModel *model = &plan->models[i];
        for (uint32_t n = 0; n < model->node_count; n++) {
            CorpusNode *node = &plan->nodes[model->first_node + n];
            node->kind = KindOf(model, n);
            node->parent = ParentOf(model, n);
            node->keys = 1;
            /* the first rooms after a third of outer parts */
            node->interior = model->lit && node->kind == CORPUS_VISIBLE && n > model->visible / 3;
        }
    }
}

/* Nodes that are seen in a model, in order; they get levels and states first to last. */
static CorpusNode *Visible(CorpusPlan *plan, const CorpusModel *model, uint32_t number) {
    return &plan->nodes[model->first_node + (model->sockets > 0 ? 1 : 0) + number];
}

/* ---- levels and states ----------------------------------------------------------------------- */

typedef struct Rank {
    uint32_t model, score;
} Rank;

static int CompareRanks(const void *left, const void *right) {
    const Rank *a = left, *b = right;
    if (a->score != b->score)
        return a->score > b->score ? -1 : 1;
    return a->model < b->model ? -1 : a->model > b->model;
}

/* Models by the number of their visible nodes, more first, ties in a drawn order. */
static uint32_t RankModels(const CorpusPlan *plan, bool units_only, Rank ranks[RP_CORPUS_MODELS]) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++) {
        const CorpusModel *model = &plan->models[i];
        const bool unit = model->family == CORPUS_PARTS || model->family == CORPUS_GUNS;
        if (model->form == CORPUS_LEGACY || model->form == CORPUS_SMALLEST || (units_only && !unit))
            continue;
        ranks[count++] =
            (Rank){i, model->visible << 16 | (Corpus_Draw(plan->seed, i, DRAW_RANK, 0) & 0xFFFF)};
    }
    qsort(ranks, count, sizeof *ranks, CompareRanks);
    return count;
}

/* Level 3 of the largest model, so that it has 112 slots: 32 + 30 + 28 + 22. */
static uint32_t LargestLevel(uint32_t level) {
    static const uint32_t counts[CORPUS_LEVELS] = {32, 30, 28, 22, 0};
    return counts[level];
}

static uint32_t LevelHigh(const CorpusModel *model, uint32_t level) {
    enum { MOST_OF_LEVEL_3 = 12 }; /* so that no other model comes near 112 slots */
    const uint32_t high = level == 4 ? model->visible : model->levels[level - 1];
    return level == 3 && high > MOST_OF_LEVEL_3 ? MOST_OF_LEVEL_3 : high;
}

static RpStatus ShareLevel(CorpusPlan *plan, uint32_t level, RpError *error) {
    Rank ranks[RP_CORPUS_MODELS];
    CorpusShare shares[RP_CORPUS_MODELS];
    const uint32_t ranked = RankModels(plan, level == 4, ranks);
    const uint32_t count = level_models[level] - (level == 4 ? COCKPITS : 0);
    uint32_t total = level_slots[level] - (level == 4 ? COCKPITS : 0);
    for (int state = 1; state < CORPUS_STATES; state++)
        total -= state_levels[state][level];
    if (count > ranked)
        return Indivisible("levels among models", error);
    for (uint32_t i = 0; i < count; i++) {
        const CorpusModel *model = &plan->models[ranks[i].model];
        const uint32_t high = LevelHigh(model, level);
        shares[i] = (CorpusShare){.weight = high, .low = 1, .high = high};
        if (model->form == CORPUS_LARGEST)
            shares[i].low = shares[i].high = LargestLevel(level);
    }
    if (!Corpus_ShareOut(shares, count, total))
        return Indivisible("slots of a level among models", error);
    for (uint32_t i = 0; i < count; i++)
        plan->models[ranks[i].model].levels[level] = shares[i].share;
    return RP_OK;
}

static RpStatus ShareLevels(CorpusPlan *plan, RpError *error) {
    for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++)
        plan->models[i].levels[0] = plan->models[i].visible;
    for (uint32_t level = 1; level < CORPUS_LEVELS; level++) {
        const RpStatus status = ShareLevel(plan, level, error);
        if (status)
            return status;
    }
    return RP_OK;
}

/* What can be shot to pieces. */
static uint32_t StateWeight(const CorpusModel *model) {
    switch (model->family) {
    case CORPUS_STATIC:
        return model->form == CORPUS_ORDINARY ? 2 : 0;
    case CORPUS_FORTIF:
        return model->lit ? 0 : 3;
    case CORPUS_TURRETS:
        return 3;
    case CORPUS_BASES:
        return model->form == CORPUS_LARGEST ? 0 : 2;
    default:
        return 0;
    }
}

static RpStatus ShareStates(CorpusPlan *plan, RpError *error) {
    CorpusShare shares[RP_CORPUS_MODELS];
    const uint32_t totals[CORPUS_STATES] = {0, STATE1_NODES, STATE2_NODES};
    for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++)
        plan->models[i].states[0] = plan->models[i].visible;
    for (uint32_t state = 1; state < CORPUS_STATES; state++) {
        for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++) {
            const CorpusModel *model = &plan->models[i];
            const uint32_t weight = StateWeight(model);
            const uint32_t before = model->states[state - 1];
            shares[i] = (CorpusShare){
                .weight = weight * (1 + Corpus_Draw(plan->seed, i, DRAW_STATES, state) % 4),
                .high = weight ? (before > 4 ? 4 : before) : 0};
        }
        if (!Corpus_ShareOut(shares, RP_CORPUS_MODELS, totals[state]))
            return Indivisible("states among models", error);
        for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++)
            plan->models[i].states[state] = shares[i].share;
    }
    return RP_OK;
}

static void ShowIntact(CorpusPlan *plan) {
    for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++) {
        const CorpusModel *model = &plan->models[i];
        for (uint32_t level = 0; level < CORPUS_LEVELS; level++)
            for (uint32_t n = 0; n < model->levels[level]; n++)
                Visible(plan, model, n)->shown[0][level] = true;
        if (model->cockpits)
            plan->nodes[model->first_node + model->node_count - 1].shown[0][4] = true;
    }
}

/* A ruin has the levels of what stood there, down to a number of them in the whole corpus. */
static RpStatus ShowRuins(CorpusPlan *plan, uint32_t state, uint32_t level, RpError *error) {
    uint32_t left = state_levels[state][level];
    for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++) {
        const CorpusModel *model = &plan->models[i];
        for (uint32_t n = 0; n < model->states[state] && left > 0; n++) {
            CorpusNode *node = Visible(plan, model, n);
            if (!node->shown[state - 1][level] || (level && !node->shown[state][level - 1]))
                continue;
            node->shown[state][level] = true;
            left--;
        }
    }
    return left ? Indivisible("levels of ruins", error) : RP_OK;
}

static RpStatus ShowNodes(CorpusPlan *plan, RpError *error) {
    RpStatus status = RP_OK;
    ShowIntact(plan);
    for (uint32_t state = 1; state < CORPUS_STATES && !status; state++)
        for (uint32_t level = 0; level < CORPUS_LEVELS && !status; level++)
            status = ShowRuins(plan, state, level, error);
    return status;
}

/* Slots of the corpus in the order of models, nodes, states, levels. */
static RpStatus MakeSlots(CorpusPlan *plan, RpError *error) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++) {
        CorpusModel *model = &plan->models[i];
        model->first_slot = count;
        if (model->form == CORPUS_LEGACY && count < CORPUS_SLOTS)
            plan->slots[count++] = (CorpusSlot){.model = i, .triangles = LEGACY_TRIANGLES};
        for (uint32_t n = 0; n < model->node_count; n++) {
            CorpusNode *node = &plan->nodes[model->first_node + n];
            for (uint32_t cell = 0; cell < CORPUS_STATES * CORPUS_LEVELS; cell++) {
                const uint32_t state = cell / CORPUS_LEVELS, level = cell % CORPUS_LEVELS;
                node->slots[state][level] = CORPUS_NO_SLOT;
                if (!node->shown[state][level])
                    continue;
                if (count == CORPUS_SLOTS)
                    return Indivisible("slots", error);
                node->slots[state][level] = (uint16_t)count;
                plan->slots[count++] = (CorpusSlot){.model = i,
                                                    .node = model->first_node + n,
                                                    .state = (uint8_t)state,
                                                    .level = (uint8_t)level};
            }
        }
        model->slot_count = count - model->first_slot;
    }
    return count == CORPUS_SLOTS ? RP_OK : Indivisible("slots", error);
}

/* ---- triangles ------------------------------------------------------------------------------- */

typedef struct Sharing {
    CorpusShare shares[CORPUS_SLOTS];
    uint32_t slots[CORPUS_SLOTS];
    uint32_t count;
} Sharing;

static void Sharing_Add(Sharing *sharing, uint32_t slot, uint32_t weight, uint32_t low,
                        uint32_t high) {
    sharing->slots[sharing->count] = slot;
    sharing->shares[sharing->count++] =
        (CorpusShare){.weight = weight, .low = low, .high = high < low ? low : high};
}

static RpStatus Sharing_Triangles(Sharing *sharing, CorpusPlan *plan, uint64_t total,
                                  const char *what, RpError *error) {
    if (!Corpus_ShareOut(sharing->shares, sharing->count, total))
        return Indivisible(what, error);
    for (uint32_t i = 0; i < sharing->count; i++)
        plan->slots[sharing->slots[i]].triangles = sharing->shares[i].share;
    return RP_OK;
}

static uint32_t TrianglesOf(const CorpusPlan *plan, uint32_t node, uint32_t state, uint32_t level) {
    const uint16_t slot = plan->nodes[node].slots[state][level];
    return slot == CORPUS_NO_SLOT ? 0 : plan->slots[slot].triangles;
}

/* Level by level, each with fewer triangles than the one before. The largest model's shares are
 * fixed first: its file shall have a certain size. */
static RpStatus ShareIntactTriangles(CorpusPlan *plan, Sharing *sharing, uint32_t level,
                                     RpError *error) {
    static const uint32_t low[CORPUS_LEVELS] = {12, 8, 4, 2, 8};
    static const uint32_t largest[CORPUS_LEVELS] = {300, 92, 36, 18, 0};
    sharing->count = 0;
    for (uint32_t i = 0; i < CORPUS_SLOTS; i++) {
        const CorpusSlot *slot = &plan->slots[i];
        const CorpusModel *model = &plan->models[slot->model];
        if (slot->state || slot->level != level || model->form == CORPUS_LEGACY)
            continue;
        const uint32_t draw = Corpus_Draw(plan->seed, i, DRAW_TRIANGLES, 0) % 16 + 1;
        const uint32_t above =
            level == 0 || level == 4 ? 4000 : TrianglesOf(plan, slot->node, 0, level - 1);
        const uint32_t weight =
            level == 0 || level == 4 ? families[model->family].detail * draw * draw : above;
        if (model->form == CORPUS_SMALLEST)
            Sharing_Add(sharing, i, 1, 20, 20);
        else if (model->form == CORPUS_LARGEST)
            Sharing_Add(sharing, i, 1, largest[level], largest[level]);
        else
            Sharing_Add(sharing, i, weight, low[level], above - 1);
    }
    return Sharing_Triangles(sharing, plan, level_triangles[level], "triangles of a level", error);
}

/* What the five level totals leave of all triangles is states 1 and 2 and the legacy model: lower
 * levels of ruins are as fine as those of the intact node. */
static RpStatus ShareRuinTriangles(CorpusPlan *plan, Sharing *sharing, RpError *error) {
    uint64_t total = TRIANGLES - LEGACY_TRIANGLES;
    for (uint32_t level = 0; level < CORPUS_LEVELS; level++)
        total -= level_triangles[level];
    sharing->count = 0;
    for (uint32_t i = 0; i < CORPUS_SLOTS; i++) {
        CorpusSlot *slot = &plan->slots[i];
        if (slot->state == 0)
            continue;
        const uint32_t intact = TrianglesOf(plan, slot->node, 0, slot->level);
        if (slot->level > 0) {
            slot->triangles = intact;
            total -= intact;
        } else {
            Sharing_Add(sharing, i, intact, intact, 2000);
        }
    }
    return Sharing_Triangles(sharing, plan, total, "triangles of ruins", error);
}

static RpStatus ShareTriangles(CorpusPlan *plan, Sharing *sharing, RpError *error) {
    RpStatus status = RP_OK;
    for (uint32_t level = 0; level < CORPUS_LEVELS && !status; level++)
        status = ShareIntactTriangles(plan, sharing, level, error);
    return status ? status : ShareRuinTriangles(plan, sharing, error);
}

/* ---- batches --------------------------------------------------------------------------------- */

static void AddBatchShare(Sharing *sharing, const CorpusPlan *plan, uint32_t index) {
    const CorpusSlot *slot = &plan->slots[index];
    const CorpusModel *model = &plan->models[slot->model];
    const uint32_t most = 24;
    const uint32_t high = slot->triangles / 2 < most ? slot->triangles / 2 : most;
    const uint32_t rooms = model->lit && slot->level == 0 ? 2 : 1;
    if (model->form == CORPUS_SMALLEST)
        Sharing_Add(sharing, index, 1, 1, 1);
    else
        Sharing_Add(sharing, index, Corpus_Root((uint64_t)slot->triangles * 64) * rooms, 1, high);
}

static RpStatus ShareBatchesAmong(CorpusPlan *plan, Sharing *sharing, bool largest, uint32_t total,
                                  RpError *error) {
    sharing->count = 0;
    for (uint32_t i = 0; i < CORPUS_SLOTS; i++) {
        const CorpusForm form = plan->models[plan->slots[i].model].form;
        if (form != CORPUS_LEGACY && (form == CORPUS_LARGEST) == largest)
            AddBatchShare(sharing, plan, i);
    }
    if (!Corpus_ShareOut(sharing->shares, sharing->count, total))
        return Indivisible("batches among slots", error);
    for (uint32_t i = 0; i < sharing->count; i++)
        plan->slots[sharing->slots[i]].batch_count = sharing->shares[i].share;
    return RP_OK;
}

/* The first batch of a slot has the bulk: its body. */
static RpStatus SplitSlot(CorpusPlan *plan, uint32_t index, RpError *error) {
    const CorpusSlot *slot = &plan->slots[index];
    CorpusShare shares[LARGEST_BATCHES];
    const uint32_t low = slot->triangles >= 2 * slot->batch_count ? 2 : 1;
    for (uint32_t b = 0; b < slot->batch_count; b++)
        shares[b] = (CorpusShare){.weight = (b == 0 ? 24 : 4) +
                                            Corpus_Draw(plan->seed, index, DRAW_SPLIT, b) % 8,
                                  .low = low,
                                  .high = slot->triangles};
    if (!Corpus_ShareOut(shares, slot->batch_count, slot->triangles))
        return Indivisible("triangles among batches", error);
    for (uint32_t b = 0; b < slot->batch_count; b++)
        plan->batches[slot->first_batch + b] =
            (CorpusBatch){.triangles = shares[b].share, .portal = RP_MSH_NONE};
    return RP_OK;
}

static RpStatus ShareBatches(CorpusPlan *plan, Sharing *sharing, RpError *error) {
    const uint32_t ordinary = CORPUS_BATCHES - LEGACY_BATCHES - LARGEST_BATCHES;
    RpStatus status = ShareBatchesAmong(plan, sharing, true, LARGEST_BATCHES, error);
    if (!status)
        status = ShareBatchesAmong(plan, sharing, false, ordinary, error);
    if (status)
        return status;
    uint32_t first = 0;
    for (uint32_t i = 0; i < CORPUS_SLOTS && !status; i++) {
        CorpusSlot *slot = &plan->slots[i];
        CorpusModel *model = &plan->models[slot->model];
        if (model->form == CORPUS_LEGACY)
            slot->batch_count = LEGACY_BATCHES;
        slot->first_batch = first;
        if (i == model->first_slot)
            model->first_batch = first;
        model->batch_count += slot->batch_count;
        model->triangles += slot->triangles;
        first += slot->batch_count;
        status = SplitSlot(plan, i, error);
    }
    return status;
}

/* ---- words of batches and triangles ---------------------------------------------------------- */

static bool ShowsRooms(const CorpusPlan *plan, const CorpusSlot *slot) {
    return plan->models[slot->model].lit && slot->state == 0 && slot->level == 0;
}

/* A room of the model, not the node itself. */
static uint16_t RoomBehind(const CorpusPlan *plan, const CorpusSlot *slot, uint32_t batch) {
    const CorpusModel *model = &plan->models[slot->model];
    const uint32_t start = Corpus_Draw(plan->seed, batch, DRAW_PORTAL, 0) % model->node_count;
    for (uint32_t i = 0; i < model->node_count; i++) {
        const uint32_t node = (start + i) % model->node_count;
        if (plan->nodes[model->first_node + node].interior &&
            model->first_node + node != slot->node)
            return (uint16_t)node;
    }
    return RP_MSH_NONE;
}

/* Portals are the last batches of a slot, what takes the lightmap the first. */
static RpStatus ShareRoomWords(CorpusPlan *plan, Sharing *sharing, bool portals, RpError *error) {
    const Word *words = portals ? portal_words : lit_words;
    const uint32_t total =
        portals ? portal_words[0].count : lit_words[0].count + lit_words[1].count;
    sharing->count = 0;
    for (uint32_t i = 0; i < CORPUS_SLOTS; i++) {
        const CorpusSlot *slot = &plan->slots[i];
        if (ShowsRooms(plan, slot)) {
            const uint32_t room = (slot->batch_count - 1) / 2;
            Sharing_Add(sharing, i, room, 0, portals ? room : slot->batch_count - room);
        }
    }
    if (!Corpus_ShareOut(sharing->shares, sharing->count, total))
        return Indivisible("words of rooms", error);
    for (uint32_t i = 0, given = 0; i < sharing->count; i++) {
        const CorpusSlot *slot = &plan->slots[sharing->slots[i]];
        const uint32_t share = sharing->shares[i].share;
        const uint32_t first = slot->first_batch + (portals ? slot->batch_count - share : 0);
        for (uint32_t b = first; b < first + share; b++, given++) {
            plan->batches[b].flags = words[given < words[0].count ? 0 : 1].flags;
            if (portals)
                plan->batches[b].portal = RoomBehind(plan, slot, b);
        }
    }
    return RP_OK;
}

static int CompareDraws(const void *left, const void *right) {
    return CompareRanks(left, right);
}

/* All batches without a word yet, in a drawn order. */
static uint32_t DrawBatches(const CorpusPlan *plan, Rank *ranks) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < CORPUS_SLOTS; i++) {
        const CorpusSlot *slot = &plan->slots[i];
        if (plan->models[slot->model].form == CORPUS_LEGACY)
            continue;
        for (uint32_t b = slot->first_batch; b < slot->first_batch + slot->batch_count; b++)
            if (plan->batches[b].flags == 0)
                ranks[count++] = (Rank){b, Corpus_Draw(plan->seed, b, DRAW_WORDS, 0)};
    }
    qsort(ranks, count, sizeof *ranks, CompareDraws);
    return count;
}

static RpStatus GiveOtherWords(CorpusPlan *plan, Rank *ranks, RpError *error) {
    const uint32_t count = DrawBatches(plan, ranks);
    uint32_t given = 0;
    for (size_t w = 0; w < sizeof other_words / sizeof *other_words; w++) {
        if (other_words[w].count > count - given)
            return Indivisible("words among batches", error);
        for (uint32_t i = 0; i < other_words[w].count; i++)
            plan->batches[ranks[given++].model].flags = other_words[w].flags;
    }
    return RP_OK;
}

/* What a mark of triangles goes with: one may see through what is two-sided, glass has a phase of
 * its own, one walks in buildings, whose doors are in animated ones. */
static bool MayCarry(const CorpusPlan *plan, const CorpusSlot *slot, const CorpusBatch *batch,
                     uint16_t mark) {
    const CorpusModel *model = &plan->models[slot->model];
    const bool solid = batch->portal == RP_MSH_NONE && (batch->flags & FLAG_TWO_SIDED) == 0;
    if (batch->marked || model->form == CORPUS_LEGACY || model->form == CORPUS_SMALLEST)
        return false;
    switch (mark) {
    case 4:
        return (batch->flags & FLAG_TWO_SIDED) != 0 && slot->level < 2;
    case 32:
        return (batch->flags & FLAG_PHASE) != 0;
    case 16:
        return solid && model->family == CORPUS_FORTIF && IsAnimated(model);
    default:
        return solid && slot->level == 0 &&
               (model->family == CORPUS_FORTIF || model->family == CORPUS_BASES);
    }
}

static RpStatus MarkTriangles(CorpusPlan *plan, const Word *mark, RpError *error) {
    uint32_t left = mark->count;
    for (uint32_t i = 0; i < CORPUS_SLOTS && left > 0; i++) {
        const CorpusSlot *slot = &plan->slots[i];
        for (uint32_t b = 0; b < slot->batch_count && left > 0; b++) {
            CorpusBatch *batch = &plan->batches[slot->first_batch + b];
            if (!MayCarry(plan, slot, batch, mark->flags))
                continue;
            const uint32_t most = mark->flags == 2 ? (batch->triangles + 1) / 2 : batch->triangles;
            batch->mark = (uint8_t)mark->flags;
            batch->marked = (uint16_t)(most < left ? most : left);
            left -= batch->marked;
        }
    }
    return left ? Indivisible("marks of triangles", error) : RP_OK;
}

static RpStatus ShareWords(CorpusPlan *plan, Sharing *sharing, Rank *ranks, RpError *error) {
    RpStatus status = ShareRoomWords(plan, sharing, true, error);
    if (!status)
        status = ShareRoomWords(plan, sharing, false, error);
    if (!status)
        status = GiveOtherWords(plan, ranks, error);
    for (size_t i = 0; i < sizeof triangle_marks / sizeof *triangle_marks && !status; i++)
        status = MarkTriangles(plan, &triangle_marks[i], error);
    return status;
}

/* ---- motion ---------------------------------------------------------------------------------- */

static void SetFrames(CorpusPlan *plan) {
    for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++) {
        CorpusModel *model = &plan->models[i];
        const Special *special = FindSpecial(model);
        model->frames = 1;
        if (!IsAnimated(model))
            continue;
        if (special)
            model->frames = special->frames;
        else if (model->form == CORPUS_TURRET)
            model->frames = 5;
        else if (model->form == CORPUS_TWO_FRAMES)
            model->frames = 2;
        else if (model->form == CORPUS_NINE_FRAMES)
            model->frames = 9;
        else
            model->frames = 61 + Corpus_Draw(plan->seed, i, DRAW_FRAMES, 0) % 60;
    }
}

static RpStatus ShareAnimatedNodes(CorpusPlan *plan, RpError *error) {
    CorpusShare shares[RP_CORPUS_MODELS];
    for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++) {
        const CorpusModel *model = &plan->models[i];
        const Special *special = FindSpecial(model);
        uint32_t fixed = 0;
        if (special)
            fixed = special->animated;
        else if (model->form == CORPUS_TURRET || model->form == CORPUS_TWO_FRAMES)
            fixed = 2;
        else if (model->form == CORPUS_NINE_FRAMES)
            fixed = 1;
        shares[i] = (CorpusShare){.weight = model->node_count, .low = 1, .high = model->node_count};
        if (!IsAnimated(model) || fixed)
            shares[i].low = shares[i].high = IsAnimated(model) ? fixed : 0;
    }
    if (!Corpus_ShareOut(shares, RP_CORPUS_MODELS, ANIMATED_NODES))
        return Indivisible("animated nodes among models", error);
    for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++)
        plan->models[i].animated = shares[i].share;
    return RP_OK;
}

/* The body and what follows it; the root last. */
static uint32_t AnimatedNode(const CorpusModel *model, uint32_t number) {
    return model->first_node + (number + 1) % model->node_count;
}

/* Keys of a node where its model's form fixes them, else 0. */
static uint32_t FixedKeys(const CorpusModel *model, uint32_t number) {
    switch (model->form) {
    case CORPUS_TURRET:
        return number == 0 ? 5 : 3;
    case CORPUS_TWO_FRAMES:
        return 2;
    case CORPUS_NINE_FRAMES:
        return 6;
    case CORPUS_LARGEST:
        return 49;
    default:
        return 0;
    }
}

static RpStatus ShareKeys(CorpusPlan *plan, RpError *error) {
    CorpusShare shares[ANIMATED_NODES];
    uint32_t nodes[ANIMATED_NODES], count = 0;
    for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++) {
        const CorpusModel *model = &plan->models[i];
        for (uint32_t n = 0; n < model->animated; n++, count++) {
            const uint32_t fixed = FixedKeys(model, n);
            nodes[count] = AnimatedNode(model, n);
            shares[count] = (CorpusShare){
                .weight = 10 + Corpus_Draw(plan->seed, nodes[count], DRAW_KEYS, 0) % 90,
                .low = fixed ? fixed : 2,
                .high = fixed ? fixed : model->frames};
        }
    }
    if (!Corpus_ShareOut(shares, count, ANIMATED_KEYS))
        return Indivisible("keys among nodes", error);
    for (uint32_t i = 0; i < count; i++)
        plan->nodes[nodes[i]].keys = shares[i].share;
    return RP_OK;
}

static RpStatus ShareMotion(CorpusPlan *plan, RpError *error) {
    SetFrames(plan);
    RpStatus status = ShareAnimatedNodes(plan, error);
    if (!status)
        status = ShareKeys(plan, error);
    for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++) {
        CorpusModel *model = &plan->models[i];
        model->keys = HasNodes(model) ? 0 : 1;
        for (uint32_t n = 0; n < model->node_count; n++)
            model->keys += plan->nodes[model->first_node + n].keys;
    }
    return status;
}

/* In models that are odd in no other way. */
static RpStatus ShareEdgeTails(CorpusPlan *plan, RpError *error) {
    CorpusShare shares[EDGE_TAIL_MODELS];
    uint32_t models[EDGE_TAIL_MODELS], count = 0;
    for (uint32_t i = 0; i < RP_CORPUS_MODELS && count < EDGE_TAIL_MODELS; i += 7) {
        const CorpusModel *model = &plan->models[i];
        if (!HasNodes(model) || *model->expected)
            continue;
        models[count] = i;
        shares[count++] =
            (CorpusShare){.weight = model->triangles, .low = 1, .high = model->triangles};
    }
    if (!Corpus_ShareOut(shares, count, EDGE_TAILS))
        return Indivisible("tails of edge words", error);
    for (uint32_t i = 0; i < count; i++)
        plan->models[models[i]].edge_tails = shares[i].share;
    return RP_OK;
}

/* ---- all of it ------------------------------------------------------------------------------- */

typedef struct Work {
    Sharing sharing;
    Rank ranks[CORPUS_BATCHES];
} Work;

static RpStatus MakeWith(CorpusPlan *plan, Work *work, RpError *error) {
    RpStatus status = ShareNodes(plan, error);
    if (!status)
        status = ShareSockets(plan, error);
    if (status)
        return status;
    MakeNodes(plan);
    status = ShareLevels(plan, error);
    if (!status)
        status = ShareStates(plan, error);
    if (!status)
        status = ShowNodes(plan, error);
    if (!status)
        status = MakeSlots(plan, error);
    if (!status)
        status = ShareTriangles(plan, &work->sharing, error);
    if (!status)
        status = ShareBatches(plan, &work->sharing, error);
    if (!status)
        status = ShareWords(plan, &work->sharing, work->ranks, error);
    if (!status)
        status = ShareMotion(plan, error);
    return status ? status : ShareEdgeTails(plan, error);
}

RpStatus CorpusPlan_Make(CorpusPlan *plan, uint64_t seed, const RpAllocator *allocator,
                         RpError *error) {
    Work *work = RpMemory_Resize(allocator, NULL, sizeof *work);
    if (!work)
        return RpMemory_Refused(error, "the plan of the corpus");
    plan->seed = seed;
    NameModels(plan);
    FormGuns(plan);
    PlaceOddities(plan);
    MarkBuildings(plan);
    const RpStatus status = MakeWith(plan, work, error);
    RpMemory_Free(allocator, work);
    return status;
}
