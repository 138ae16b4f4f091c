/* Finds out which readings the numbers of a model support. */
#include "exports/reading_table.h"
#include "ngi32/processor/modes.h"
#include "retropose/msh_check.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *RpMshCertainty_Name(RpMshCertainty certainty) {
    static const char *const names[] = {"undecided", "likely", "certain"};
    return (unsigned)certainty < sizeof names / sizeof *names ? names[certainty] : "unknown";
}

static const char *const orders[2] = {"xyzw", "wxyz"}, *const senses[2] = {"conjugate", "plain"};

__attribute__((format(printf, 4, 5))) static void
Decide(RpMshReading *reading, RpMshCertainty certainty, const char *choice, const char *why, ...) {
    va_list arguments;
    reading->certainty = certainty;
    snprintf(reading->choice, sizeof reading->choice, "%s", choice);
    va_start(arguments, why);
    vsnprintf(reading->why, sizeof reading->why, why, arguments);
    va_end(arguments);
}

/* ---- rotations ------------------------------------------------------------------------------- */

/* A rotation that is the identity in one order of components is a half turn in the other. */
static void OrderByIdentities(const RpMsh *msh, const RpMshBoxEvidence *box, RpMshReading *order) {
    const uint32_t keys = RpMsh_Count(msh, RP_MSH_KEYS);
    const char *why = !box->usable ? box->why
                      : box->supported_count == 0
                          ? "no order puts the geometry into the header's box"
                          : "every order puts it into the header's box";
    uint32_t identity[2];
    RpMsh_IdentityKeys(msh, &identity[0], &identity[1]);
    order->matters = keys > 0;
    for (int i = 0; i < 2; i++)
        if (identity[i] > 0 && identity[1 - i] == 0) {
            Decide(order, RP_MSH_LIKELY, orders[i],
                   "%u of %u rotations are the identity in this order, none in the other",
                   (unsigned)identity[i], (unsigned)keys);
            return;
        }
    Decide(order, RP_MSH_UNDECIDED, orders[0], "%s", why);
}

/* Measures a fit, in per cent of the diagonal: how far posed geometry extends beyond the header's
 * box, or how far the geometry's own box is from that one. */
typedef double Measure(const RpMshBoxEvidence *box, int order, int sense);

static double Outside(const RpMshBoxEvidence *box, int order, int sense) {
    const RpMshFit *fits = box->fits[order][sense];
    return 100 * fmin(fits[0].outside, fits[1].outside);
}

/* Fits that extend beyond the box are not supported, so they have no gap. */
static double Gap(const RpMshBoxEvidence *box, int order, int sense) {
    double gap = INFINITY;
    for (int i = 0; i < 2; i++)
        if (box->fits[order][sense][i].outside <= RP_MSH_BOX_TOLERANCE)
            gap = fmin(gap, 100 * box->fits[order][sense][i].gap);
    return gap;
}

static const char *Words(Measure *measure) {
    return measure == Gap ? "from the geometry's" : "outside";
}

/* Of two senses of rotation that fit, returns the one that leaves much less geometry outside, or
 * otherwise the one whose box is nearest. Returns -1 if neither of these decides. *measure says
 * which of the two did. */
static int LikelySense(const RpMshBoxEvidence *box, int order, Measure **measure) {
    static const double noticeable = 0.05; /* per cent of the diagonal */
    const double outside[2] = {Outside(box, order, 0), Outside(box, order, 1)};
    *measure = Outside;
    for (int s = 0; s < 2; s++)
        if (outside[1 - s] > noticeable && outside[s] < outside[1 - s] / 4)
            return s;
    if (box->key_order != order)
        return -1;
    *measure = Gap;
    return box->rotation;
}

/* If all fits that are supported have the same order, this is the order. The same holds for the
 * sense. */
static void OrderByBox(const RpMshBoxEvidence *box, RpMshReading *order, RpMshReading *sense) {
    const bool fits[2] = {box->supported[0][0] || box->supported[0][1],
                          box->supported[1][0] || box->supported[1][1]};
    const bool both = fits[0] && fits[1];
    const int o = both ? (box->key_order >= 0 ? box->key_order : 0) : fits[1];
    const bool any = box->supported[o][0] && box->supported[o][1];
    Measure *orders_by = both && box->key_order >= 0 ? Gap : Outside, *senses_by = Outside;
    const int likely = any ? LikelySense(box, o, &senses_by) : box->supported[o][1];
    const int s = likely < 0 ? 0 : likely;
    Decide(order,
           !both                 ? RP_MSH_CERTAIN
           : box->key_order >= 0 ? RP_MSH_LIKELY
                                 : RP_MSH_UNDECIDED,
           orders[o], "the header's box: %.2g %% of its diagonal %s, %.2g %% as %s",
           orders_by(box, o, s), Words(orders_by),
           fmin(orders_by(box, 1 - o, 0), orders_by(box, 1 - o, 1)), orders[1 - o]);
    Decide(sense,
           !any          ? RP_MSH_CERTAIN
           : likely >= 0 ? RP_MSH_LIKELY
                         : RP_MSH_UNDECIDED,
           senses[s], "the header's box: %.2g %% of its diagonal %s, %.2g %% if %s",
           senses_by(box, o, s), Words(senses_by), senses_by(box, o, 1 - s), senses[1 - s]);
    order->matters = sense->matters = true;
}

/* ---- slot words ------------------------------------------------------------------------------ */

typedef struct Votes {
    uint32_t all, state_lod, lod_group; /* some slots have no vote */
} Votes;

/* In one reading, words 1 and 2 are levels of state 0; in the other they are states of level 0. For
 * words 5 and 10 it is the other way round. The game has ten times as many levels as states
 * (facts/formats.md C.14). So a ruin must be more certain than a level. */
static void Vote(const RpMsh *msh, const RpMshNode *node, Votes *votes) {
    static const double level = 0.1, ruin = 0.3;
    static const struct {
        uint32_t word;
        bool level; /* meaning in reading state-lod */
    } words[] = {{1, true}, {2, true}, {5, false}, {10, false}};
    RpMshSlot first, other;
    if (node->slots[0] == RP_MSH_NONE || !RpMsh_Slot(msh, node->slots[0], &first))
        return;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const uint16_t index = node->slots[words[i].word];
        if (index == RP_MSH_NONE || index == node->slots[0] || !RpMsh_Slot(msh, index, &other))
            continue;

        /* How far the two boxes differ, in diagonals of the first one. The box of a level of detail
         * is nearly that of level 0. A ruin is smaller. */
        double square = 0, farthest = 0;
        for (int k = 0; k < 3; k++) {
            square +=
                ((double)first.high[k] - first.low[k]) * ((double)first.high[k] - first.low[k]);
            farthest = fmax(farthest, fabs((double)first.low[k] - other.low[k]));
            farthest = fmax(farthest, fabs((double)first.high[k] - other.high[k]));
        }
        const double apart = farthest / sqrt(square);
        votes->all++;
        votes->state_lod += words[i].level ? apart <= level : apart > ruin;
        votes->lod_group += words[i].level ? apart > ruin : apart <= level;
    }
}

/* ---- all ------------------------------------------------------------------------------------- */

/* The projects that draw the game's files found these readings together (facts/formats.md C1, C3,
 * C4). So if one of them is certain, the others follow from it. */
static void FollowOrder(const RpMshReading *order, RpMshReading *other, const char *choice) {
    if (order->certainty == RP_MSH_CERTAIN && strcmp(order->choice, orders[1]) == 0 &&
        other->certainty == RP_MSH_UNDECIDED && other->matters)
        Decide(other, RP_MSH_LIKELY, choice,
               "so have all known files whose rotations are in the order wxyz");
}

RpStatus RpMsh_ReadingsByEvidence(const RpMsh *msh, const RpAllocator *allocator,
                                  RpReadings *readings, RpMshReading found[RP_MSH_READINGS],
                                  RpError *error) {
    MODES_OF_C();
    RpMshBoxEvidence box;
    RpMshReading *order = &found[RP_MSH_READS_KEY_ORDER], *sense = &found[RP_MSH_READS_ROTATION];
    char list[RP_READINGS_TEXT] = "";
    size_t length = 0;
    static const char *const names[RP_MSH_READINGS] = {[RP_MSH_READS_KEY_ORDER] = "key-order",
                                                       [RP_MSH_READS_ROTATION] = "rotation",
                                                       [RP_MSH_READS_SLOT_WORDS] = "slot-words",
                                                       [RP_MSH_READS_MATERIAL] = "material"};
    memset(found, 0, RP_MSH_READINGS * sizeof *found);
    for (int i = 0; i < RP_MSH_READINGS; i++)
        snprintf(found[i].name, sizeof found[i].name, "%s", names[i]);
    RpStatus status = RpMsh_BoxEvidence(msh, allocator, &box, error);
    if (status != RP_OK)
        return status;
    if (box.usable && box.telling) {
        OrderByBox(&box, order, sense);
    } else {
        OrderByIdentities(msh, &box, order);
        Decide(sense, RP_MSH_UNDECIDED, senses[0], "what holds for key-order");
        sense->matters = order->matters;
    }

    /* Lower levels of detail keep the box of level 0, which tells slots of levels from slots of
     * states. */
    RpMshReading *words = &found[RP_MSH_READS_SLOT_WORDS];
    Votes votes = {0, 0, 0};
    RpMshNode node;
    for (uint32_t i = 0; RpMsh_Node(msh, i, &node); i++)
        Vote(msh, &node, &votes);
    const bool state_lod = votes.state_lod > votes.lod_group;
    const uint32_t most = state_lod ? votes.state_lod : votes.lod_group;
    const uint32_t given = votes.state_lod + votes.lod_group;
    words->matters = votes.all > 0;
    if (votes.all == 0)
        Decide(words, RP_MSH_UNDECIDED, "lod-group", "no node has more than one level or state");
    else if (most < 3 || 3 * most < 2 * given) /* one ruin alone can look like a level */
        Decide(words, RP_MSH_UNDECIDED, "lod-group",
               "the boxes of %u slots speak for state-lod, of %u for lod-group",
               (unsigned)votes.state_lod, (unsigned)votes.lod_group);
    else
        Decide(words, most == given && most >= 4 ? RP_MSH_CERTAIN : RP_MSH_LIKELY,
               state_lod ? "state-lod" : "lod-group",
               "levels keep the box of level 0, as %u of %u slots do", (unsigned)most,
               (unsigned)votes.all);

    /* The row of a material is in the field that is not always 0. */
    RpMshReading *material = &found[RP_MSH_READS_MATERIAL];
    uint32_t word2 = 0, byte4 = 0;
    RpMshBatch batch;
    for (uint32_t i = 0; RpMsh_Batch(msh, i, &batch); i++) {
        word2 += batch.material != 0;
        byte4 += batch.row != 0;
        material->matters |= batch.material != batch.row;
    }
    if (!material->matters)
        Decide(material, RP_MSH_UNDECIDED, "word2", "every batch has the same row either way");
    else if (word2 > 0 && byte4 > 0)
        Decide(material, RP_MSH_UNDECIDED, "word2", "%u batches have a row in word 2, %u in byte 4",
               (unsigned)word2, (unsigned)byte4);
    else
        Decide(material, RP_MSH_LIKELY, word2 > 0 ? "word2" : "byte4",
               "only there have batches a row other than 0: %u of them", (unsigned)(word2 + byte4));
    FollowOrder(order, &found[RP_MSH_READS_SLOT_WORDS], "state-lod");
    FollowOrder(order, &found[RP_MSH_READS_MATERIAL], "byte4");
    for (int i = 0; i < RP_MSH_READINGS; i++)
        length += (size_t)snprintf(list + length, sizeof list - length, "%s%s=%s", i ? "," : "",
                                   found[i].name, found[i].choice);
    return RpReadings_Parse(readings, RP_READS_FILES, list, error);
}
