/* Saves and restores states. A saved state consists of words in a fixed order
 * (docs/reference/sequencer.md). It is checked completely before anything in the object changes. */
#include "siblings/sequencer/sequence.h"

#include <math.h>
#include <string.h>

enum {
    VERSION,
    NODES,
    FIRST_CYCLIC, /* place of the node in the list */
    CURRENT,
    FRAME_NUMBER,
    VELOCITY = FRAME_NUMBER + 2,
    OMEGA = VELOCITY + 3,
    PLACEMENT = OMEGA + 3,
    PLACEMENT_FRAME,
    QUIRKS,
    HAS_HOOKS,
    STYLE,
    SUBSTATE,
    SUBSTATE_SPEED,
    COUNTER,
    MODIFIERS,
    ACTIONS,
    PENDING,
    HEAD_WORDS,
    NODE_WORDS = 5,
    STATE_VERSION = 1
};
#define NO_PLACE UINT32_MAX

uint32_t RpMotion_StateWords(const RpMotion *motion) {
    return HEAD_WORDS + NODE_WORDS * (uint32_t)motion->sequence.count +
           2 * (motion->modifier_count + motion->action_count + motion->pending_count);
}

/* ---- saving ---------------------------------------------------------------------------------- */

static uint32_t PlaceOf(const RpSequence *sequence, uint16_t wanted) {
    uint32_t place = 0;
    for (uint16_t i = sequence->head; i != RP_AC_NO_NODE; i = sequence->nodes[i].next, place++)
        if (i == wanted)
            return place;
    return NO_PLACE;
}

static uint32_t *SaveListed(const RpAcListed *list, uint32_t count, uint32_t *words) {
    for (uint32_t i = 0; i < count; i++, words += 2) {
        words[0] = list[i].motion;
        memcpy(&words[1], &list[i].speed, 4);
    }
    return words;
}

void RpMotion_Save(const RpMotion *motion, uint32_t *words) {
    const RpSequence *sequence = &motion->sequence;
    words[VERSION] = STATE_VERSION;
    words[NODES] = sequence->count;
    words[FIRST_CYCLIC] = PlaceOf(sequence, sequence->first_cyclic);
    words[CURRENT] = PlaceOf(sequence, sequence->current);
    memcpy(&words[FRAME_NUMBER], &sequence->frame_number, 8);
    memcpy(&words[VELOCITY], sequence->velocity, 12);
    memcpy(&words[OMEGA], sequence->omega, 12);
    words[PLACEMENT] = sequence->placement ? sequence->placement->id : 0;
    words[PLACEMENT_FRAME] = sequence->placement_frame;
    words[QUIRKS] = sequence->quirks;
    words[HAS_HOOKS] = sequence->has_hooks;
    words[STYLE] = motion->style;
    words[SUBSTATE] = motion->substate;
    memcpy(&words[SUBSTATE_SPEED], &motion->substate_speed, 4);
    memcpy(&words[COUNTER], &motion->animation_counter, 4);
    words[MODIFIERS] = motion->modifier_count;
    words[ACTIONS] = motion->action_count;
    words[PENDING] = motion->pending_count;

    uint32_t *next = words + HEAD_WORDS;
    for (uint16_t i = sequence->head; i != RP_AC_NO_NODE; i = sequence->nodes[i].next) {
        const RpSequenceNode *node = &sequence->nodes[i];
        next[0] = node->animation->id;
        memcpy(&next[1], &node->framerate, 4);
        memcpy(&next[2], &node->stored_framerate, 4);
        memcpy(&next[3], &node->low, 4);
        memcpy(&next[4], &node->high, 4);
        next += NODE_WORDS;
    }

    next = SaveListed(motion->modifiers, motion->modifier_count, next);
    next = SaveListed(motion->actions, motion->action_count, next);
    for (uint32_t i = 0; i < motion->pending_count; i++, next += 2) {
        next[0] = motion->pending[i].motion;
        next[1] = motion->pending[i].animations;
    }
}

/* ---- restoring ------------------------------------------------------------------------------- */

static RpStatus Corrupt(uint32_t word, const char *what, RpError *error) {
    return RpError_Set(error, RP_CORRUPT, 4 * (uint64_t)word, what, "a saved state", "", "");
}

static RpStatus CheckCounts(const RpMotion *motion, const uint32_t *words, uint32_t count,
                            RpError *error) {
    if (count < HEAD_WORDS || words[VERSION] != STATE_VERSION)
        return Corrupt(VERSION, "no state of this version", error);
    if (words[MODIFIERS] > RP_AC_MOST_MODIFIERS || words[ACTIONS] > RP_AC_MOST_ACTIONS ||
        words[PENDING] > RP_AC_MOST_PENDING || words[NODES] > RP_AC_MOST_NODES)
        return Corrupt(MODIFIERS, "longer lists than an object has", error);
    if (count < HEAD_WORDS + NODE_WORDS * words[NODES] +
                    2 * (words[MODIFIERS] + words[ACTIONS] + words[PENDING]))
        return Corrupt(NODES, "fewer words than the counts ask for", error);
    if (words[NODES] > motion->sequence.capacity)
        return RpError_Set(error, RP_NO_MEMORY, 4 * NODES,
                           "more nodes than the object has room for", "a saved state", "", "");
    if (words[QUIRKS] & ~(uint32_t)RP_AC_QUIRKS)
        return Corrupt(QUIRKS, "unknown quirks", error);
    return RP_OK;
}

/* An empty list has neither a current nor a first cyclic node. In any other list both exist, and
 * the cursor is in the current node. */
static RpStatus CheckCursor(const uint32_t *words, const RpSequenceNode *nodes, RpError *error) {
    double frame_number;
    memcpy(&frame_number, &words[FRAME_NUMBER], 8);
    if (words[NODES] == 0)
        return words[FIRST_CYCLIC] == NO_PLACE && words[CURRENT] == NO_PLACE && frame_number == 0
                   ? RP_OK
                   : Corrupt(CURRENT, "a place in an empty list", error);
    if (words[FIRST_CYCLIC] >= words[NODES] || words[CURRENT] >= words[NODES])
        return Corrupt(CURRENT, "a place behind the list's end", error);
    const RpSequenceNode *node = &nodes[words[CURRENT]];
    return frame_number >= node->low && frame_number < (double)node->high + 1
               ? RP_OK
               : Corrupt(FRAME_NUMBER, "a cursor outside its node", error);
}

static const uint32_t *PutListed(RpAcListed *list, uint32_t count, const uint32_t *words) {
    for (uint32_t i = 0; i < count; i++, words += 2) {
        list[i].motion = words[0];
        memcpy(&list[i].speed, &words[1], 4);
    }
    return words;
}

RpStatus RpMotion_Restore(RpMotion *motion, const uint32_t *words, uint32_t count, RpError *error) {
    RpSequenceNode nodes[RP_AC_MOST_NODES];
    const RpAcAnimation *placement;
    RpStatus status = CheckCounts(motion, words, count, error);
    for (uint32_t i = 0; !status && i < words[NODES]; i++) {
        const RpAcLibrary *library = &motion->sequence.library;
        const uint32_t at = HEAD_WORDS + NODE_WORDS * i;
        RpSequenceNode *node = &nodes[i];
        memset(node, 0, sizeof *node);
        node->animation = library->find(library->context, words[at]);
        memcpy(&node->framerate, &words[at + 1], 4);
        memcpy(&node->stored_framerate, &words[at + 2], 4);
        memcpy(&node->low, &words[at + 3], 4);
        memcpy(&node->high, &words[at + 4], 4);
        if (!node->animation)
            return RpError_Set(error, RP_NOT_FOUND, 4 * (uint64_t)at, "there is no such animation",
                               "a saved state", "", "");
        if (isnan(node->framerate) || isnan(node->stored_framerate) || node->low < 0 ||
            node->low > node->high || (uint32_t)node->high >= node->animation->frame_count)
            return Corrupt(at, "a node that no sequence has", error);
    }
    if (!status)
        status = CheckCursor(words, nodes, error);
    if (!status) {
        placement =
            words[PLACEMENT]
                ? motion->sequence.library.find(motion->sequence.library.context, words[PLACEMENT])
                : NULL;
        status = placement || !words[PLACEMENT]
                     ? RP_OK
                     : RpError_Set(error, RP_NOT_FOUND, 4 * PLACEMENT, "there is no such animation",
                                   "a saved state", "", "");
    }
    if (status)
        return status;
    Sequence_Empty(&motion->sequence);
    for (uint32_t i = 0; i < words[NODES]; i++) {
        const uint16_t index = Sequence_Push(&motion->sequence, &nodes[i]);
        if (i == words[FIRST_CYCLIC])
            motion->sequence.first_cyclic = index;
        if (i == words[CURRENT])
            motion->sequence.current = index;
    }
    memcpy(&motion->sequence.frame_number, &words[FRAME_NUMBER], 8);
    memcpy(motion->sequence.velocity, &words[VELOCITY], 12);
    memcpy(motion->sequence.omega, &words[OMEGA], 12);
    RpSequence_SetPlacement(&motion->sequence, placement, words[PLACEMENT_FRAME]);
    motion->sequence.quirks = words[QUIRKS];
    motion->sequence.has_hooks = words[HAS_HOOKS] != 0;

    motion->style = words[STYLE];
    motion->substate = words[SUBSTATE];
    memcpy(&motion->substate_speed, &words[SUBSTATE_SPEED], 4);
    memcpy(&motion->animation_counter, &words[COUNTER], 4);
    motion->modifier_count = words[MODIFIERS];
    motion->action_count = words[ACTIONS];
    motion->pending_count = words[PENDING];
    const uint32_t *next = words + HEAD_WORDS + NODE_WORDS * words[NODES];
    next = PutListed(motion->modifiers, motion->modifier_count, next);
    next = PutListed(motion->actions, motion->action_count, next);
    for (uint32_t i = 0; i < motion->pending_count; i++, next += 2)
        motion->pending[i] = (RpAcPending){next[0], next[1]};

    return RP_OK;
}
