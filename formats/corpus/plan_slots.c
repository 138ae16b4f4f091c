/* Decides which levels of detail and states of destruction the nodes of the corpus show. */
#include "formats/corpus/planning.h"

#include <stdlib.h>

enum { STATE1_NODES = 135, STATE2_NODES = 15 };

/* How many slots each level has, and how many models have the level. */
static const uint32_t level_slots[CORPUS_LEVELS] = {1451, 1011, 952, 535, 288};
static const uint32_t level_models[CORPUS_LEVELS] = {434, 283, 282, 197, 75 + COCKPITS};
/* Slots of states 1 and 2. All nodes with such a state have level 0, and some have more levels. */
static const uint32_t state_levels[CORPUS_STATES][CORPUS_LEVELS] = {
    {0}, {STATE1_NODES, 60, 50, 20, 0}, {STATE2_NODES, 2, 1, 0, 0}};

/* Returns a visible node of a model. Nodes get levels and states in the order of these numbers. */
static CorpusNode *Visible(CorpusPlan *plan, const PlannedModel *model, uint32_t number) {
    return &plan->nodes[model->first_node + (model->sockets > 0 ? 1 : 0) + number];
}

/* ---- levels and states ----------------------------------------------------------------------- */

static RpStatus ShareLevels(CorpusPlan *plan, RpError *error) {
    enum { MOST_OF_LEVEL_3 = 12 }; /* keeps all models but the largest far from 112 slots */
    for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++)
        plan->models[i].levels[0] = plan->models[i].visible;
    for (uint32_t level = 1; level < CORPUS_LEVELS; level++) {
        Rank ranks[RP_CORPUS_MODELS];
        CorpusShare shares[RP_CORPUS_MODELS];

        /* Sorts models by the number of their visible nodes, more first, with ties in a drawn
         * order. */
        const bool units_only = level == 4;
        uint32_t ranked = 0;
        for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++) {
            const PlannedModel *model = &plan->models[i];
            const bool unit = model->family == CORPUS_PARTS || model->family == CORPUS_GUNS;
            if (model->form == CORPUS_LEGACY || model->form == CORPUS_SMALLEST ||
                (units_only && !unit))
                continue;
            ranks[ranked++] = (Rank){i, model->visible << 16 |
                                            (Corpus_Draw(plan->seed, i, DRAW_RANK, 0) & 0xFFFF)};
        }
        qsort(ranks, ranked, sizeof *ranks, Rank_Compare);
        const uint32_t count = level_models[level] - (level == 4 ? COCKPITS : 0);
        uint32_t total = level_slots[level] - (level == 4 ? COCKPITS : 0);
        for (int state = 1; state < CORPUS_STATES; state++)
            total -= state_levels[state][level];
        if (count > ranked)
            return Planning_Refuse("levels among models", error);
        for (uint32_t i = 0; i < count; i++) {
            const PlannedModel *model = &plan->models[ranks[i].index];
            const uint32_t most = level == 4 ? model->visible : model->levels[level - 1];
            const uint32_t high = level == 3 && most > MOST_OF_LEVEL_3 ? MOST_OF_LEVEL_3 : most;
            shares[i] = (CorpusShare){.weight = high, .low = 1, .high = high};
            if (model->form == CORPUS_LARGEST) {
                /* The nodes of the largest model that have a level add up to its 112 slots,
                 * 32 + 30 + 28 + 22. */
                static const uint32_t counts[CORPUS_LEVELS] = {32, 30, 28, 22, 0};
                shares[i].low = shares[i].high = counts[level];
            }
        }
        if (!Corpus_ShareOut(shares, count, total))
            return Planning_Refuse("slots of a level among models", error);
        for (uint32_t i = 0; i < count; i++)
            plan->models[ranks[i].index].levels[level] = shares[i].share;
    }
    return RP_OK;
}

/* Returns the weight with which models of a family are chosen for things that can be shot to
 * pieces. */
static uint32_t StateWeight(const PlannedModel *model) {
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
            const PlannedModel *model = &plan->models[i];
            const uint32_t weight = StateWeight(model);
            const uint32_t before = model->states[state - 1];
            shares[i] = (CorpusShare){
                .weight = weight * (1 + Corpus_Draw(plan->seed, i, DRAW_STATES, state) % 4),
                .high = weight ? (before > 4 ? 4 : before) : 0};
        }
        if (!Corpus_ShareOut(shares, RP_CORPUS_MODELS, totals[state]))
            return Planning_Refuse("states among models", error);
        for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++)
            plan->models[i].states[state] = shares[i].share;
    }
    return RP_OK;
}

RpStatus Planning_Slots(CorpusPlan *plan, RpError *error) {
    RpStatus status = ShareLevels(plan, error);
    if (!status)
        status = ShareStates(plan, error);
    if (status)
        return status;
    for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++) {
        const PlannedModel *model = &plan->models[i];
        for (uint32_t level = 0; level < CORPUS_LEVELS; level++)
            for (uint32_t n = 0; n < model->levels[level]; n++)
                Visible(plan, model, n)->shown[0][level] = true;
        if (model->cockpits)
            plan->nodes[model->first_node + model->node_count - 1].shown[0][4] = true;
    }

    /* A ruin has the same levels as the intact node, until the number of ruins of a level in the
     * whole corpus is reached. */
    for (uint32_t state = 1; state < CORPUS_STATES; state++)
        for (uint32_t level = 0; level < CORPUS_LEVELS; level++) {
            uint32_t left = state_levels[state][level];
            for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++) {
                const PlannedModel *model = &plan->models[i];
                for (uint32_t n = 0; n < model->states[state] && left > 0; n++) {
                    CorpusNode *node = Visible(plan, model, n);
                    if (!node->shown[state - 1][level] || (level && !node->shown[state][level - 1]))
                        continue;
                    node->shown[state][level] = true;
                    left--;
                }
            }
            if (left)
                return Planning_Refuse("levels of ruins", error);
        }

    /* The slots of the corpus are in the order of models, nodes, states and levels. */
    uint32_t count = 0;
    for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++) {
        PlannedModel *model = &plan->models[i];
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
                    return Planning_Refuse("slots", error);
                node->slots[state][level] = (uint16_t)count;
                plan->slots[count++] = (CorpusSlot){.model = i,
                                                    .node = model->first_node + n,
                                                    .state = (uint8_t)state,
                                                    .level = (uint8_t)level};
            }
        }
        model->slot_count = count - model->first_slot;
    }
    return count == CORPUS_SLOTS ? RP_OK : Planning_Refuse("slots", error);
}
