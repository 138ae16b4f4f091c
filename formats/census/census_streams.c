/* Counts what is in the streams of a model. */
#include "formats/census/census_tally.h"

#include <math.h>
#include <string.h>

enum { FLAG_INTERIOR = 1, FLAG_COCKPIT = 0x20 };

/* ---- nodes ----------------------------------------------------------------------------------- */

/* Returns whether a node counts for published numbers by level. Those who published them draw
 * undamaged objects only, and leave out cockpits. */
static bool IsCounted(const RpMshNode *node, uint32_t state) {
    return state == 0 && !(node->flags & FLAG_COCKPIT);
}

/* Returns whether the second attribute of the frame map, the number of frames, is one more than the
 * time of the last key. */
static bool IsTimed(const RpMsh *msh) {
    float last = -1;
    for (uint32_t n = 0; n < RpMsh_Count(msh, RP_MSH_NODES); n++) {
        uint32_t first, end;
        RpMshKey key;
        if (RpMsh_Track(msh, n, &first, &end) && RpMsh_Key(msh, end, &key) && key.time > last)
            last = key.time;
    }
    return last + 1 == (float)msh->frame_count;
}

/* Counts keys whose time is the first frame that refers to them, and tracks whose fallback is their
 * last key. */
static void CountTrack(CensusTally *tally, const RpMsh *msh, uint32_t index,
                       const RpMshNode *node) {
    uint32_t first, last;
    if (!RpMsh_Track(msh, index, &first, &last))
        return;
    tally->last_fallbacks += last == node->fallback;
    tally->animated_keys += last - first + 1;
    uint32_t frame = 0;
    for (uint32_t k = first; k <= last; k++) {
        RpMshKey key;
        uint16_t word = 0;
        RpMsh_Key(msh, k, &key);
        while (frame < msh->frame_count &&
               (!RpMsh_MapWord(msh, node->map_start + frame, &word) || word < k))
            frame++;
        tally->placed_keys += frame < msh->frame_count && word == k && key.time == (float)frame;
    }
}

static void CountNodes(CensusTally *tally, const RpMsh *msh, const RpReadings *readings) {
    bool animated = false, interior = false;
    RpMshNode node;
    for (uint32_t n = 0; RpMsh_Node(msh, n, &node); n++) {
        tally->nodes++;
        tally->cockpits += (node.flags & FLAG_COCKPIT) != 0;
        interior |= (node.flags & FLAG_INTERIOR) != 0;

        /* The slots of the node, by level and by state. */
        for (uint32_t state = 0; state < CENSUS_STATES; state++) {
            bool has = false;
            for (uint32_t level = 0; level < CENSUS_LEVELS; level++) {
                const uint32_t word = RpCorpus_SlotWord(readings, state, level);
                const bool filled = word != RP_MSH_NONE && node.slots[word] != RP_MSH_NONE;
                tally->level_slots[level] += filled && IsCounted(&node, state);
                has |= filled;
            }
            tally->state_nodes[state] += has;
        }
        if (node.map_start == RP_MSH_NONE)
            continue;
        animated = true;
        tally->animated++;
        CountTrack(tally, msh, n, &node);
    }
    const uint32_t nodes = RpMsh_Count(msh, RP_MSH_NODES);
    tally->most_nodes = nodes > tally->most_nodes ? nodes : tally->most_nodes;
    tally->animated_models += animated;
    tally->timed_models += animated && IsTimed(msh);
    tally->interiors += interior;
}

/* ---- slots ----------------------------------------------------------------------------------- */

bool CensusSlot_Bound(const RpMsh *msh, const RpMshSlot *slot, float low[3], float high[3]) {
    bool any = false;
    for (uint32_t b = 0; b < slot->batch_count; b++) {
        RpMshBatch batch;
        if (!RpMsh_Batch(msh, (uint32_t)slot->first_batch + b, &batch))
            return false;
        for (uint32_t i = 0; i < batch.index_count; i++) {
            uint16_t index;
            float p[3];
            if (!RpMsh_Index(msh, batch.first_index + i, &index) ||
                !RpMsh_Position(msh, batch.base_vertex + index, p))
                return false;
            for (int k = 0; k < 3; k++) {
                low[k] = !any || p[k] < low[k] ? p[k] : low[k];
                high[k] = !any || p[k] > high[k] ? p[k] : high[k];
            }
            any = true;
        }
    }
    return any;
}

/* Whether a slot's box is that of its vertices, bit for bit. */
static bool IsExact(const RpMsh *msh, const RpMshSlot *slot) {
    float low[3], high[3];
    return CensusSlot_Bound(msh, slot, low, high) && memcmp(low, slot->low, sizeof low) == 0 &&
           memcmp(high, slot->high, sizeof high) == 0;
}

/* ---- batches and keys ------------------------------------------------------------------------ */

void CensusTally_Word(CensusTally *tally, uint32_t word) {
    for (uint32_t i = 0; i < tally->word_count; i++)
        if (tally->words[i] == word)
            return;
    if (tally->word_count < CENSUS_WORDS)
        tally->words[tally->word_count++] = word;
}

static void CountKeys(CensusTally *tally, const RpMsh *msh) {
    RpMshKey key;
    for (uint32_t k = 0; RpMsh_Key(msh, k, &key); k++) {
        double square = 0;
        for (int i = 0; i < 4; i++)
            square += (double)key.rotation[i] * key.rotation[i];
        tally->keys++;
        tally->zero_keys += square == 0;
        tally->unit_keys += fabs(sqrt(square) / 32767 - 1) < 0.001;
    }
}

/* 0 means that no model has been counted yet. */
static void CountLimits(uint32_t count, uint32_t *fewest, uint32_t *most) {
    *fewest = !*fewest || count < *fewest ? count : *fewest;
    *most = count > *most ? count : *most;
}

void CensusTally_Streams(CensusTally *tally, const RpMsh *msh, const RpReadings *readings) {
    tally->models++;
    tally->lit += RpMsh_Count(msh, RP_MSH_UV1) > 0;
    tally->paths += RpMsh_Count(msh, RP_MSH_PATHS) > 0;
    tally->triangles += RpMsh_Count(msh, RP_MSH_TRIANGLES);
    CountLimits(RpMsh_Count(msh, RP_MSH_SLOTS), &tally->fewest_slots, &tally->most_slots);
    CountLimits(RpMsh_Count(msh, RP_MSH_BATCHES), &tally->fewest_batches, &tally->most_batches);
    CountLimits(RpMsh_Count(msh, RP_MSH_POSITIONS), &tally->fewest_vertices, &tally->most_vertices);
    RpMshBatch batch;
    for (uint32_t b = 0; RpMsh_Batch(msh, b, &batch); b++) {
        tally->batches++;
        CensusTally_Word(tally, batch.flags);
        for (int bit = 0; bit < 16; bit++)
            tally->bits[bit] += batch.flags >> bit & 1;
        tally->lit_batches += batch.lightmap == 0;
    }
    CountKeys(tally, msh);
    RpMshNode node;
    for (uint32_t n = 0; RpMsh_Node(msh, n, &node); n++)
        for (uint32_t level = 0; IsCounted(&node, 0) && level < CENSUS_LEVELS; level++) {
            RpMshSlot slot;
            if (RpMsh_Slot(msh, node.slots[RpCorpus_SlotWord(readings, 0, level)], &slot))
                tally->exact_slots[level] += IsExact(msh, &slot);
        }
    if (msh->node_stride == RP_MSH_LEGACY_NODE_BYTES)
        tally->legacy++;
    else
        CountNodes(tally, msh, readings);
}
