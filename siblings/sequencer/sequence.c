/* The sequence: facts/ac-sequencer.md B. The list is kept in the caller's nodes, which refer to
 * each other by index. D-3 to D-20 are the corrections of seed 004 that are followed here. */
#include "siblings/sequencer/sequence.h"

#include "core/arithmetic/binary64.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define EPSILON ((double)RP_AC_EPSILON)

/* ---- nodes: B.1, B.2 ------------------------------------------------------------------------- */

/* The frame has to exist in the whole animation, not only in the node's part of it. */
static bool HasFrame(const RpSequenceNode *node, int64_t frame) {
    return frame >= 0 && frame < node->animation->frame_count;
}

/* D-7: a node that plays backwards begins just below the end of its last frame. */
double RpSequenceNode_Start(const RpSequenceNode *node) {
    return node->framerate >= 0 ? node->low : (double)node->high + 1 - EPSILON;
}

double RpSequenceNode_End(const RpSequenceNode *node) {
    return node->framerate >= 0 ? (double)node->high + 1 - EPSILON : node->low;
}

static bool IsPastEnd(int32_t frame, uint32_t frames) {
    return (uint32_t)frame >= frames;
}

/* ---- the list -------------------------------------------------------------------------------- */

void RpSequence_Init(RpSequence *sequence, RpSequenceNode *nodes, uint16_t capacity,
                     const RpAcLibrary *library) {
    memset(sequence, 0, sizeof *sequence);
    sequence->nodes = nodes;
    sequence->capacity = capacity < RP_AC_MOST_NODES ? capacity : RP_AC_MOST_NODES;
    sequence->library = *library;
    sequence->quirks = RP_AC_QUIRKS;
    sequence->has_hooks = true;
    Sequence_Empty(sequence);
}

void Sequence_Empty(RpSequence *sequence) {
    sequence->count = 0;
    sequence->head = sequence->tail = RP_AC_NO_NODE;
    sequence->first_cyclic = sequence->current = RP_AC_NO_NODE;
    sequence->unused = sequence->capacity > 0 ? 0 : RP_AC_NO_NODE;
    for (uint16_t i = 0; i < sequence->capacity; i++) {
        memset(&sequence->nodes[i], 0, sizeof sequence->nodes[i]);
        sequence->nodes[i].next = i + 1 < sequence->capacity ? (uint16_t)(i + 1) : RP_AC_NO_NODE;
    }
}

uint16_t Sequence_Push(RpSequence *sequence, const RpSequenceNode *node) {
    const uint16_t index = sequence->unused;
    if (index == RP_AC_NO_NODE)
        return index;
    RpSequenceNode *own = &sequence->nodes[index];
    sequence->unused = own->next;
    *own = *node;
    own->next = RP_AC_NO_NODE;
    own->previous = sequence->tail;
    if (sequence->tail != RP_AC_NO_NODE)
        sequence->nodes[sequence->tail].next = index;
    else
        sequence->head = index;
    sequence->tail = index;
    sequence->count++;
    return index;
}

static void Remove(RpSequence *sequence, uint16_t index) {
    RpSequenceNode *node = &sequence->nodes[index];
    if (node->previous != RP_AC_NO_NODE)
        sequence->nodes[node->previous].next = node->next;
    else
        sequence->head = node->next;
    if (node->next != RP_AC_NO_NODE)
        sequence->nodes[node->next].previous = node->previous;
    else
        sequence->tail = node->previous;
    memset(node, 0, sizeof *node);
    node->next = sequence->unused;
    sequence->unused = index;
    sequence->count--;
}

static void GoTo(RpSequence *sequence, uint16_t index) {
    sequence->current = index;
    sequence->frame_number = RpSequenceNode_Start(&sequence->nodes[index]);
}

static RpStatus CannotAppend(RpStatus status, const char *what, uint32_t id, RpError *error) {
    char found[16];
    snprintf(found, sizeof found, "0x%08" PRIX32, id);
    return RpError_Set(error, status, RP_NOWHERE, what, "", "", found);
}

/* facts/ac-sequencer.md B.3. D-4: it is checked whether the new node has an animation, not whether
 * the sequence has one. D-5: the cycle begins with the last node of the list. */
RpStatus RpSequence_Append(RpSequence *sequence, const RpAcAnimRef *ref, RpError *error) {
    RpSequenceNode node = {.framerate = ref->framerate,
                           .stored_framerate = ref->framerate,
                           .low = ref->low,
                           .high = ref->high};
    node.animation =
        ref->animation ? sequence->library.find(sequence->library.context, ref->animation) : NULL;
    if (!node.animation)
        return CannotAppend(RP_NOT_FOUND, "there is no such animation", ref->animation, error);
    if (node.animation->frame_count == 0 || node.animation->frame_count > INT32_MAX)
        return CannotAppend(RP_INVALID, "the animation has no frames", ref->animation, error);
    if (!isfinite(ref->framerate))
        return CannotAppend(RP_INVALID, "the frame rate is no number", ref->animation, error);

    /* facts/ac-sequencer.md B.1: `low` is compared as an unsigned number, so that -1 becomes the
     * last frame. */
    const uint32_t frames = node.animation->frame_count;
    const int32_t last = (int32_t)(frames - 1);
    if (node.high < 0)
        node.high = last;
    if (node.low < 0 && !(sequence->quirks & RP_AC_QUIRK_UNSIGNED_LOW))
        node.low = 0;
    if (IsPastEnd(node.low, frames))
        node.low = last;
    if (IsPastEnd(node.high, frames))
        node.high = last;
    if (node.low > node.high)
        node.high = node.low;

    const uint16_t index = Sequence_Push(sequence, &node);
    if (index == RP_AC_NO_NODE)
        return CannotAppend(RP_NO_MEMORY, "no node is left", ref->animation, error);
    sequence->first_cyclic = index;
    if (sequence->current == RP_AC_NO_NODE)
        GoTo(sequence, sequence->head);
    return RP_OK;
}

/* ---- list surgery: B.8 ----------------------------------------------------------------------- */

/* D-20, D-21: only the cycle is removed. A link that is playing goes on. */
void RpSequence_RemoveCyclic(RpSequence *sequence) {
    uint16_t index = sequence->first_cyclic;
    while (index != RP_AC_NO_NODE) {
        const uint16_t next = sequence->nodes[index].next;
        if (index == sequence->current) {
            sequence->current = sequence->nodes[index].previous;
            sequence->frame_number = 0;
            if (sequence->current != RP_AC_NO_NODE)
                sequence->frame_number = RpSequenceNode_End(&sequence->nodes[sequence->current]);
        }
        Remove(sequence, index);
        index = next;
    }
    sequence->first_cyclic = sequence->tail;
}

/* Removes the link in front of the cycle. */
static bool RemoveLink(RpSequence *sequence) {
    if (sequence->first_cyclic == RP_AC_NO_NODE)
        return false;
    const uint16_t link = sequence->nodes[sequence->first_cyclic].previous;
    if (link == RP_AC_NO_NODE)
        return false;
    if (link == sequence->current)
        GoTo(sequence, sequence->first_cyclic);
    Remove(sequence, link);
    return true;
}

void RpSequence_RemoveLinks(RpSequence *sequence, uint32_t count) {
    while (count-- > 0 && RemoveLink(sequence)) {
    }
}

void RpSequence_RemoveAllLinks(RpSequence *sequence) {
    while (RemoveLink(sequence)) {
    }
}

void RpSequence_ClearAnimations(RpSequence *sequence) {
    Sequence_Empty(sequence);
    sequence->frame_number = 0;
}

void RpSequence_Clear(RpSequence *sequence) {
    RpSequence_ClearAnimations(sequence);
    RpSequence_ClearPhysics(sequence);
    RpSequence_SetPlacement(sequence, NULL, 0);
}

/* Refuses a negative factor. It would exchange `low` and `high`, and updates would never end (C.6,
 * D-19). */
RpStatus RpSequence_MultiplyFramerate(RpSequence *sequence, float factor, RpError *error) {
    if (!(factor >= 0) || isinf(factor))
        return RpError_Set(error, RP_INVALID, RP_NOWHERE,
                           "a frame rate cannot be multiplied by this", "", "0 or more", "");
    uint16_t index = sequence->first_cyclic;
    for (; index != RP_AC_NO_NODE; index = sequence->nodes[index].next) {
        RpSequenceNode *node = &sequence->nodes[index];
        node->framerate = Round((double)node->framerate * factor);
    }
    return RP_OK;
}

void RpSequence_SetPlacement(RpSequence *sequence, const RpAcAnimation *animation, uint32_t frame) {
    sequence->placement = animation;
    sequence->placement_frame = frame;
}

/* ---- physics --------------------------------------------------------------------------------- */

void RpSequence_SetPhysics(RpSequence *sequence, const float velocity[3], const float omega[3]) {
    memcpy(sequence->velocity, velocity, sizeof sequence->velocity);
    memcpy(sequence->omega, omega, sizeof sequence->omega);
}

void RpSequence_ClearPhysics(RpSequence *sequence) {
    static const float zero[3];
    RpSequence_SetPhysics(sequence, zero, zero);
}

void RpSequence_CombinePhysics(RpSequence *sequence, const float velocity[3],
                               const float omega[3]) {
    for (int i = 0; i < 3; i++) {
        sequence->velocity[i] = Round((double)sequence->velocity[i] + velocity[i]);
        sequence->omega[i] = Round((double)sequence->omega[i] + omega[i]);
    }
}

void RpSequence_SubtractPhysics(RpSequence *sequence, const float velocity[3],
                                const float omega[3]) {
    for (int i = 0; i < 3; i++) {
        sequence->velocity[i] = Round((double)sequence->velocity[i] - velocity[i]);
        sequence->omega[i] = Round((double)sequence->omega[i] - omega[i]);
    }
}

/* facts/ac-sequencer.md B.7, D-35: the origin moves in the outer space, while the rotation is about
 * the frame's own axes. */
static void ApplyPhysics(const RpSequence *sequence, double amount, double sign, RpAcFrame *frame) {
    const double seconds = sign >= 0 ? fabs(amount) : -fabs(amount);
    float turn[3];
    for (int i = 0; i < 3; i++) {
        frame->origin[i] = Round(frame->origin[i] + sequence->velocity[i] * seconds);
        turn[i] = Round(sequence->omega[i] * seconds);
    }
    RpAcFrame_Rotate(frame, turn);
}

/* ---- update: B.4 to B.6, B.9 ----------------------------------------------------------------- */

typedef struct Update {
    RpSequence *sequence;
    RpAcFrame *offset; /* may be null */
    RpSequenceSink *sink;
    void *context;
    uint32_t steps;
} Update;

static void Report(const Update *update, const RpSequenceEvent *event) {
    if (update->sequence->has_hooks && update->sink)
        update->sink(update->context, event);
}

/* facts/ac-sequencer.md B.9. A frame beyond the animation's last one, which the client would read,
 * has no hooks. */
static void ExecuteHooks(const Update *update, const RpSequenceNode *node, int64_t frame,
                         int32_t direction) {
    const RpAcAnimation *animation = node->animation;
    if (!HasFrame(node, frame))
        return;
    for (uint32_t i = animation->first_hook[frame]; i < animation->first_hook[frame + 1]; i++) {
        const RpAcHook *hook = &animation->hooks[i];
        const bool unread = hook->type == RP_AC_HOOK_ANIMATION_DONE &&
                            (update->sequence->quirks & RP_AC_QUIRK_TYPE4);
        if (!unread && (hook->direction == RP_AC_BOTH || hook->direction == direction))
            Report(update, &(RpSequenceEvent){hook, animation, (uint32_t)frame, direction});
    }
}

/* Adds the root motion of one frame and the physics of the time that a frame takes. */
static void Move(const Update *update, const RpSequenceNode *node, int64_t frame, bool combine,
                 double quantum) {
    const RpAcFrame *positions = node->animation->pos_frames;
    const double rate = node->framerate;
    if (!update->offset)
        return;
    if (positions && HasFrame(node, frame) && combine)
        RpAcFrame_Combine(update->offset, &positions[frame]);
    else if (positions && HasFrame(node, frame))
        RpAcFrame_Subtract(update->offset, &positions[frame]);
    if (fabs(rate) > EPSILON)
        ApplyPhysics(update->sequence, 1 / rate, quantum, update->offset);
}

static bool HasQuirk(const Update *update, uint32_t quirk) {
    return (update->sequence->quirks & quirk) != 0;
}

static bool TakeStep(Update *update) {
    return ++update->steps <= RP_AC_MOST_STEPS;
}

/* Returns how many seconds are left after the end of a node. D-10: none are left if the magnitude
 * of the rate is near zero. */
static double Leftover(double over, double rate) {
    return fabs(rate) > EPSILON ? over / rate : 0;
}

/* D-6, D-8: at the end of a node the frame number stays at `high`. The hooks of that frame are not
 * executed. */
static bool StepForward(Update *update, const RpSequenceNode *node, int64_t last, double quantum,
                        double *left, bool *ended) {
    double *frame_number = &update->sequence->frame_number;
    *ended = node->high < floor(*frame_number);
    if (*ended) {
        *left = Leftover(fmax(*frame_number - node->high - 1, 0), node->framerate);
        *frame_number = node->high;
    }
    int64_t to = (int64_t)floor(*frame_number);
    if (*ended && !HasQuirk(update, RP_AC_QUIRK_BOUNDARY))
        to++;
    for (int64_t frame = last; frame < to; frame++) {
        if (!TakeStep(update))
            return false;
        Move(update, node, frame, true, quantum);
        ExecuteHooks(update, node, frame, RP_AC_FORWARD);
    }
    return true;
}

static bool StepBackward(Update *update, const RpSequenceNode *node, int64_t last, double quantum,
                         double *left, bool *ended) {
    double *frame_number = &update->sequence->frame_number;
    *ended = node->low > floor(*frame_number);
    if (*ended) {
        *left = Leftover(fmin(*frame_number - node->low, 0), node->framerate);
        *frame_number = node->low;
    }
    int64_t to = (int64_t)floor(*frame_number);
    if (*ended && !HasQuirk(update, RP_AC_QUIRK_BOUNDARY))
        to--;
    for (int64_t frame = last; frame > to; frame--) {
        if (!TakeStep(update))
            return false;
        Move(update, node, frame, false, quantum);
        ExecuteHooks(update, node, frame, RP_AC_BACKWARD);
    }
    return true;
}

/* Makes one pass of facts/ac-sequencer.md B.5. *quantum becomes the time that is left, and *more
 * says whether there is another pass. */
static bool Pass(Update *update, double *quantum, bool *more) {
    RpSequence *sequence = update->sequence;
    const RpSequenceNode *node = &sequence->nodes[sequence->current];
    const double step = node->framerate * *quantum;
    const int64_t last = (int64_t)floor(sequence->frame_number);
    double left = 0;
    bool whole = true;
    *more = false;
    if (!TakeStep(update))
        return false;
    if (step > 0) {
        sequence->frame_number += step;
        whole = StepForward(update, node, last, *quantum, &left, more);
    } else if (step < 0) {
        sequence->frame_number += step;
        whole = StepBackward(update, node, last, *quantum, &left, more);
    } else if (update->offset && fabs(*quantum) > EPSILON) { /* D-11: only the physics act */
        ApplyPhysics(sequence, *quantum, *quantum, update->offset);
    }
    if (!whole || !*more)
        return whole;
    /* D-13: whether an end is reported depends on the head of the list, which stays the same until
     * the update is over. */
    bool done =
        HasQuirk(update, RP_AC_QUIRK_DONE_BY_HEAD) && sequence->head != sequence->first_cyclic;
    if (!HasQuirk(update, RP_AC_QUIRK_DONE_BY_HEAD))
        for (uint16_t i = sequence->head;
             i != sequence->first_cyclic && i != RP_AC_NO_NODE && !done;
             i = sequence->nodes[i].next)
            done = i == sequence->current;
    if (done)
        Report(update,
               &(RpSequenceEvent){.animation = sequence->nodes[sequence->current].animation});

    /* facts/ac-sequencer.md B.6, D-14 to D-18: the direction is given by the sign of the time, not
     * by that of the frame rate. */
    const bool forward = *quantum >= 0, boundary = HasQuirk(update, RP_AC_QUIRK_BOUNDARY);
    node = &sequence->nodes[sequence->current];
    if (boundary && (forward ? node->framerate < 0 : node->framerate >= 0))
        Move(update, node, (int64_t)floor(sequence->frame_number), false, *quantum);
    const uint16_t beside = forward ? node->next : node->previous;
    sequence->current = beside != RP_AC_NO_NODE ? beside
                        : forward               ? sequence->first_cyclic
                                                : sequence->tail;
    node = &sequence->nodes[sequence->current];
    sequence->frame_number = forward ? RpSequenceNode_Start(node) : RpSequenceNode_End(node);
    if (boundary && (forward ? node->framerate > 0 : node->framerate < 0))
        Move(update, node, (int64_t)floor(sequence->frame_number), true, *quantum);
    *quantum = left;
    return true;
}

RpStatus RpSequence_Update(RpSequence *sequence, double quantum, RpAcFrame *offset,
                           RpSequenceSink *sink, void *context, RpError *error) {
    RpAcFrame moved;
    Update update = {sequence, offset ? &moved : NULL, sink, context, 0};
    const uint16_t current = sequence->current;
    const double frame_number = sequence->frame_number;
    bool more = true;
    if (!isfinite(quantum))
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the time to update by is no number", "",
                           "", "");
    if (sequence->current == RP_AC_NO_NODE) {
        if (offset)
            ApplyPhysics(sequence, quantum, quantum, offset);
        return RP_OK;
    }
    if (offset)
        moved = *offset;
    while (more)
        if (!Pass(&update, &quantum, &more)) {
            sequence->current = current;
            sequence->frame_number = frame_number;
            return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE,
                               "an update takes too many steps: the client would hang", "",
                               "up to 100000 frames and passes", "");
        }
    if (offset)
        *offset = moved;

    /* Nodes that have been played are dropped, up to the cycle. The client's own symbol for this
     * step is `apricot`. */
    while (sequence->head != sequence->current && sequence->head != sequence->first_cyclic)
        Remove(sequence, sequence->head);

    return RP_OK;
}

/* ---- poses: B.12, F -------------------------------------------------------------------------- */

bool RpSequence_CurrentFrame(const RpSequence *sequence, const RpAcAnimation **animation,
                             uint32_t *frame) {
    *animation = sequence->placement;
    *frame = sequence->placement_frame;
    if (sequence->current == RP_AC_NO_NODE)
        return sequence->placement && sequence->placement_frame < sequence->placement->frame_count;
    const RpSequenceNode *node = &sequence->nodes[sequence->current];
    const double at = floor(sequence->frame_number);
    if (!(at >= 0 && at < node->animation->frame_count))
        return false;
    *animation = node->animation;
    *frame = (uint32_t)at;
    return true;
}

uint32_t RpSequence_Pose(const RpSequence *sequence, const RpAcFrame *object, const float scale[3],
                         bool interpolate, RpAcFrame *parts, uint32_t count) {
    const RpAcAnimation *animation;
    uint32_t frame;
    float weight = 0;
    if (!RpSequence_CurrentFrame(sequence, &animation, &frame))
        return 0;
    const RpAcFrame *pose = animation->part_frames + (size_t)frame * animation->part_count;

    /* The pose moves towards the next frame of the node, in either direction of play, and is held
     * at the node's end. */
    const RpAcFrame *next = NULL;
    if (interpolate && sequence->current != RP_AC_NO_NODE) {
        weight = Round(sequence->frame_number - floor(sequence->frame_number));
        if ((int64_t)frame + 1 <= sequence->nodes[sequence->current].high)
            next = pose + animation->part_count;
    }

    const uint32_t posed = count < animation->part_count ? count : animation->part_count;
    for (uint32_t i = 0; i < posed; i++) {
        RpAcFrame local = pose[i];
        if (next)
            RpAcFrame_Interpolate(&pose[i], &next[i], weight, &local);
        parts[i] = *object;
        RpAcFrame_CombineScaled(&parts[i], &local, scale);
    }
    return posed;
}
