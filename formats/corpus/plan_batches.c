/* Divides the triangles of the corpus among its slots, and these into batches. */
#include "formats/corpus/planning.h"

enum { LEGACY_BATCHES = 15, TRIANGLES = 241887 };

/* The triangles of each level in state 0. */
static const uint32_t level_triangles[CORPUS_LEVELS] = {137445, 34843, 14033, 5039, 13763};

/* ---- triangles ------------------------------------------------------------------------------- */

static RpStatus Sharing_Triangles(Sharing *sharing, CorpusPlan *plan, uint64_t total,
                                  const char *what, RpError *error) {
    if (!Corpus_ShareOut(sharing->shares, sharing->count, total))
        return Planning_Refuse(what, error);
    for (uint32_t i = 0; i < sharing->count; i++)
        plan->slots[sharing->slots[i]].triangles = sharing->shares[i].share;
    return RP_OK;
}

static uint32_t TrianglesOf(const CorpusPlan *plan, uint32_t node, uint32_t state, uint32_t level) {
    const uint16_t slot = plan->nodes[node].slots[state][level];
    return slot == CORPUS_NO_SLOT ? 0 : plan->slots[slot].triangles;
}

static RpStatus ShareTriangles(CorpusPlan *plan, Sharing *sharing, RpError *error) {
    RpStatus status = RP_OK;
    for (uint32_t level = 0; level < CORPUS_LEVELS && !status; level++) {
        /* Divides the triangles of each level among its slots. A slot gets fewer of them than the
         * slot of the level before. The shares of the largest model are fixed first, because its
         * file must have a certain size. */
        static const uint32_t low[CORPUS_LEVELS] = {12, 8, 4, 2, 8};
        static const uint32_t largest[CORPUS_LEVELS] = {300, 92, 36, 18, 0};
        sharing->count = 0;
        for (uint32_t i = 0; i < CORPUS_SLOTS; i++) {
            const CorpusSlot *slot = &plan->slots[i];
            const PlannedModel *model = &plan->models[slot->model];
            if (slot->state || slot->level != level || model->form == CORPUS_LEGACY)
                continue;
            const uint32_t draw = Corpus_Draw(plan->seed, i, DRAW_TRIANGLES, 0) % 16 + 1;
            const uint32_t above =
                level == 0 || level == 4 ? 4000 : TrianglesOf(plan, slot->node, 0, level - 1);
            const uint32_t weight =
                level == 0 || level == 4 ? Planning_Detail(model->family) * draw * draw : above;
            if (model->form == CORPUS_SMALLEST)
                Sharing_Add(sharing, i, 1, 20, 20);
            else if (model->form == CORPUS_LARGEST)
                Sharing_Add(sharing, i, 1, largest[level], largest[level]);
            else
                Sharing_Add(sharing, i, weight, low[level], above - 1);
        }
        status =
            Sharing_Triangles(sharing, plan, level_triangles[level], "triangles of a level", error);
    }
    if (status)
        return status;

    /* Divides the triangles that are not in the totals of the five levels among states 1 and 2.
     * (The legacy model has the rest.) Lower levels of a ruin are as detailed as those of the
     * intact node. */
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

/* ---- batches --------------------------------------------------------------------------------- */

static RpStatus ShareBatchesAmong(CorpusPlan *plan, Sharing *sharing, bool largest, uint32_t total,
                                  RpError *error) {
    sharing->count = 0;
    for (uint32_t i = 0; i < CORPUS_SLOTS; i++) {
        const CorpusForm form = plan->models[plan->slots[i].model].form;
        if (form != CORPUS_LEGACY && (form == CORPUS_LARGEST) == largest) {
            const CorpusSlot *slot = &plan->slots[i];
            const PlannedModel *model = &plan->models[slot->model];
            const uint32_t most = 24;
            const uint32_t high = slot->triangles / 2 < most ? slot->triangles / 2 : most;
            const uint32_t rooms = model->lit && slot->level == 0 ? 2 : 1;
            if (model->form == CORPUS_SMALLEST)
                Sharing_Add(sharing, i, 1, 1, 1);
            else
                Sharing_Add(sharing, i, Corpus_Root((uint64_t)slot->triangles * 64) * rooms, 1,
                            high);
        }
    }
    if (!Corpus_ShareOut(sharing->shares, sharing->count, total))
        return Planning_Refuse("batches among slots", error);
    for (uint32_t i = 0; i < sharing->count; i++)
        plan->slots[sharing->slots[i]].batch_count = sharing->shares[i].share;
    return RP_OK;
}

RpStatus Planning_Batches(CorpusPlan *plan, PlanningWork *work, RpError *error) {
    RpStatus status = ShareTriangles(plan, &work->sharing, error);
    if (status)
        return status;
    Sharing *sharing = &work->sharing;
    const uint32_t ordinary = CORPUS_BATCHES - LEGACY_BATCHES - LARGEST_BATCHES;
    status = ShareBatchesAmong(plan, sharing, true, LARGEST_BATCHES, error);
    if (!status)
        status = ShareBatchesAmong(plan, sharing, false, ordinary, error);
    if (status)
        return status;
    uint32_t first = 0;
    for (uint32_t i = 0; i < CORPUS_SLOTS && !status; i++) {
        CorpusSlot *slot = &plan->slots[i];
        PlannedModel *model = &plan->models[slot->model];
        if (model->form == CORPUS_LEGACY)
            slot->batch_count = LEGACY_BATCHES;
        slot->first_batch = first;
        if (i == model->first_slot)
            model->first_batch = first;
        model->batch_count += slot->batch_count;
        model->triangles += slot->triangles;
        first += slot->batch_count;

        /* The first batch of a slot is its body and has most of the triangles. */
        CorpusShare shares[LARGEST_BATCHES];
        const uint32_t low = slot->triangles >= 2 * slot->batch_count ? 2 : 1;
        for (uint32_t b = 0; b < slot->batch_count; b++)
            shares[b] = (CorpusShare){.weight = (b == 0 ? 24 : 4) +
                                                Corpus_Draw(plan->seed, i, DRAW_SPLIT, b) % 8,
                                      .low = low,
                                      .high = slot->triangles};
        if (!Corpus_ShareOut(shares, slot->batch_count, slot->triangles)) {
            status = Planning_Refuse("triangles among batches", error);
        } else {
            for (uint32_t b = 0; b < slot->batch_count; b++)
                plan->batches[slot->first_batch + b] =
                    (CorpusBatch){.triangles = shares[b].share, .portal = RP_MSH_NONE};
            status = RP_OK;
        }
    }
    return status;
}
