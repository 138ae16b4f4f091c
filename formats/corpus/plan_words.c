/* Gives the batches and triangles of the corpus their flag words (facts/formats.md C.6, C.7). */
#include "formats/corpus/planning.h"

#include <stdlib.h>

/* C.7: in 1387 descriptors, the edge word has something above bit 5. */
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

/* C.7 counts bits, not words. The sum of its five counts and of the zeros is six more than the
 * number of triangles. So six triangles have two bits: 34 = 2 | 32. */
static const Word triangle_marks[] = {{34, 6}, {16, 384}, {32, 268}, {4, 1355}, {2, 6160}};

/* ---- words of batches and triangles ---------------------------------------------------------- */

/* Returns a room of the model that is not the node itself. */
static uint16_t RoomBehind(const CorpusPlan *plan, const CorpusSlot *slot, uint32_t batch) {
    const PlannedModel *model = &plan->models[slot->model];
    const uint32_t start = Corpus_Draw(plan->seed, batch, DRAW_PORTAL, 0) % model->node_count;
    for (uint32_t i = 0; i < model->node_count; i++) {
        const uint32_t node = (start + i) % model->node_count;
        if (plan->nodes[model->first_node + node].interior &&
            model->first_node + node != slot->node)
            return (uint16_t)node;
    }
    return RP_MSH_NONE;
}

/* Portals are the last batches of a slot. Batches with a lightmap are the first. */
static RpStatus ShareRoomWords(CorpusPlan *plan, Sharing *sharing, bool portals, RpError *error) {
    const Word *words = portals ? portal_words : lit_words;
    const uint32_t total =
        portals ? portal_words[0].count : lit_words[0].count + lit_words[1].count;
    sharing->count = 0;
    for (uint32_t i = 0; i < CORPUS_SLOTS; i++) {
        const CorpusSlot *slot = &plan->slots[i];
        if (plan->models[slot->model].lit && slot->state == 0 && slot->level == 0) {
            const uint32_t room = (slot->batch_count - 1) / 2;
            Sharing_Add(sharing, i, room, 0, portals ? room : slot->batch_count - room);
        }
    }
    if (!Corpus_ShareOut(sharing->shares, sharing->count, total))
        return Planning_Refuse("words of rooms", error);
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

/* Returns whether a batch may have a mark of triangles: marks for seeing through are on two-sided
 * batches, glass has a phase of its own, floors to walk on are in buildings, and doors in animated
 * buildings. */
static bool MayCarry(const CorpusPlan *plan, const CorpusSlot *slot, const CorpusBatch *batch,
                     uint16_t mark) {
    const PlannedModel *model = &plan->models[slot->model];
    const bool solid = batch->portal == RP_MSH_NONE && (batch->flags & FLAG_TWO_SIDED) == 0;
    if (batch->marked || model->form == CORPUS_LEGACY || model->form == CORPUS_SMALLEST)
        return false;
    switch (mark) {
    case 4:
        return (batch->flags & FLAG_TWO_SIDED) != 0 && slot->level < 2;
    case 32:
        return (batch->flags & FLAG_PHASE) != 0;
    case 16:
        return solid && model->family == CORPUS_FORTIF && Planning_IsAnimated(model);
    default:
        return solid && slot->level == 0 &&
               (model->family == CORPUS_FORTIF || model->family == CORPUS_BASES);
    }
}

RpStatus Planning_Words(CorpusPlan *plan, PlanningWork *work, RpError *error) {
    RpStatus status = ShareRoomWords(plan, &work->sharing, true, error);
    if (!status)
        status = ShareRoomWords(plan, &work->sharing, false, error);
    if (status)
        return status;

    /* All batches that have no word yet get one of the others in a drawn order. */
    Rank *ranks = work->ranks;
    uint32_t ranked = 0, given = 0;
    for (uint32_t i = 0; i < CORPUS_SLOTS; i++) {
        const CorpusSlot *slot = &plan->slots[i];
        if (plan->models[slot->model].form == CORPUS_LEGACY)
            continue;
        for (uint32_t b = slot->first_batch; b < slot->first_batch + slot->batch_count; b++)
            if (plan->batches[b].flags == 0)
                ranks[ranked++] = (Rank){b, Corpus_Draw(plan->seed, b, DRAW_WORDS, 0)};
    }
    qsort(ranks, ranked, sizeof *ranks, Rank_Compare);
    for (size_t w = 0; w < sizeof other_words / sizeof *other_words; w++) {
        if (other_words[w].count > ranked - given)
            return Planning_Refuse("words among batches", error);
        for (uint32_t i = 0; i < other_words[w].count; i++)
            plan->batches[ranks[given++].index].flags = other_words[w].flags;
    }

    for (size_t i = 0; i < sizeof triangle_marks / sizeof *triangle_marks && !status; i++) {
        const Word *mark = &triangle_marks[i];
        uint32_t left = mark->count;
        for (uint32_t k = 0; k < CORPUS_SLOTS && left > 0; k++) {
            const CorpusSlot *slot = &plan->slots[k];
            for (uint32_t b = 0; b < slot->batch_count && left > 0; b++) {
                CorpusBatch *batch = &plan->batches[slot->first_batch + b];
                if (!MayCarry(plan, slot, batch, mark->flags))
                    continue;
                const uint32_t most =
                    mark->flags == 2 ? (batch->triangles + 1) / 2 : batch->triangles;
                batch->mark = (uint8_t)mark->flags;
                batch->marked = (uint16_t)(most < left ? most : left);
                left -= batch->marked;
            }
        }
        status = left ? Planning_Refuse("marks of triangles", error) : RP_OK;
    }

    if (status)
        return status;

    /* Tails go to models that are odd in no other way. */
    CorpusShare shares[EDGE_TAIL_MODELS];
    uint32_t models[EDGE_TAIL_MODELS], count = 0;
    for (uint32_t i = 0; i < RP_CORPUS_MODELS && count < EDGE_TAIL_MODELS; i += 7) {
        const PlannedModel *model = &plan->models[i];
        if (model->form == CORPUS_LEGACY || *model->expected)
            continue;
        models[count] = i;
        shares[count++] =
            (CorpusShare){.weight = model->triangles, .low = 1, .high = model->triangles};
    }
    if (!Corpus_ShareOut(shares, count, EDGE_TAILS))
        return Planning_Refuse("tails of edge words", error);
    for (uint32_t i = 0; i < count; i++)
        plan->models[models[i]].edge_tails = shares[i].share;
    return RP_OK;
}
