/* Chooses the animated nodes of the corpus, and the number of their keys. */
#include "formats/corpus/planning.h"

enum { ANIMATED_NODES = 817, ANIMATED_KEYS = 33020 };

/* ---- motion ---------------------------------------------------------------------------------- */

/* Returns the number of keys of a node if the form of its model fixes it, otherwise 0. */
static uint32_t FixedKeys(const PlannedModel *model, uint32_t number) {
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
        const PlannedModel *model = &plan->models[i];
        for (uint32_t n = 0; n < model->animated; n++, count++) {
            const uint32_t fixed = FixedKeys(model, n);

            /* Nodes are animated in this order: the body, the nodes behind it, and last the root.
             */
            nodes[count] = model->first_node + (n + 1) % model->node_count;
            shares[count] = (CorpusShare){
                .weight = 10 + Corpus_Draw(plan->seed, nodes[count], DRAW_KEYS, 0) % 90,
                .low = fixed ? fixed : 2,
                .high = fixed ? fixed : model->frames};
        }
    }
    if (!Corpus_ShareOut(shares, count, ANIMATED_KEYS))
        return Planning_Refuse("keys among nodes", error);
    for (uint32_t i = 0; i < count; i++)
        plan->nodes[nodes[i]].keys = shares[i].share;
    return RP_OK;
}

RpStatus Planning_Motion(CorpusPlan *plan, RpError *error) {
    for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++) {
        PlannedModel *model = &plan->models[i];
        const Special *special = Planning_Special(model);
        model->frames = 1;
        if (!Planning_IsAnimated(model))
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
    RpStatus status = RP_OK;
    CorpusShare shares[RP_CORPUS_MODELS];
    for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++) {
        const PlannedModel *model = &plan->models[i];
        const Special *special = Planning_Special(model);
        uint32_t fixed = 0;
        if (special)
            fixed = special->animated;
        else if (model->form == CORPUS_TURRET || model->form == CORPUS_TWO_FRAMES)
            fixed = 2;
        else if (model->form == CORPUS_NINE_FRAMES)
            fixed = 1;
        shares[i] = (CorpusShare){.weight = model->node_count, .low = 1, .high = model->node_count};
        if (!Planning_IsAnimated(model) || fixed)
            shares[i].low = shares[i].high = Planning_IsAnimated(model) ? fixed : 0;
    }
    if (!Corpus_ShareOut(shares, RP_CORPUS_MODELS, ANIMATED_NODES)) {
        status = Planning_Refuse("animated nodes among models", error);
    } else {
        for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++)
            plan->models[i].animated = shares[i].share;
    }
    if (!status)
        status = ShareKeys(plan, error);
    for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++) {
        PlannedModel *model = &plan->models[i];
        model->keys = model->form == CORPUS_LEGACY ? 1 : 0;
        for (uint32_t n = 0; n < model->node_count; n++)
            model->keys += plan->nodes[model->first_node + n].keys;
    }
    return status;
}
