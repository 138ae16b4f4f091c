/* The queue of motions that are still to be completed: facts/ac-sequencer.md C.10. */
#include "siblings/sequencer/motion.h"

#include <string.h>

void RpMotion_Init(RpMotion *motion, const RpAcMotionTable *table, RpSequenceNode *nodes,
                   uint16_t capacity, const RpAcLibrary *library) {
    memset(motion, 0, sizeof *motion);
    motion->table = table;
    motion->substate_speed = 1;
    RpSequence_Init(&motion->sequence, nodes, capacity, library);
}

/* ---- what a newer motion makes redundant ----------------------------------------------------- */

static bool RemoveBehindMatch(RpMotion *motion, uint32_t last) {
    const uint32_t id = motion->pending[last].motion;
    const bool cycle = (id & RP_AC_SUBSTATE) && !(id & RP_AC_MODIFIER);
    if (!cycle && !(id & RP_AC_STYLE))
        return false;

    /* The match is the nearest entry before `last` with the same motion. A cycle matches only an
     * entry that still waits for animations; a style matches any entry. */
    const uint32_t stops = cycle ? RP_AC_STYLE | RP_AC_MODIFIER | RP_AC_ACTION
                                 : RP_AC_SUBSTATE | RP_AC_MODIFIER | RP_AC_ACTION;
    uint32_t match = last;
    for (;;) {
        if (match-- == 0)
            return false;
        const RpAcPending *entry = &motion->pending[match];
        if (entry->motion == id && (!cycle || entry->animations != 0))
            break;
        if (entry->animations != 0 && (entry->motion & stops))
            return false;
    }

    /* Nobody waits for the animations of the entries behind the match, so they are not to play. */
    uint32_t animations = 0;
    for (uint32_t i = match + 1; i < motion->pending_count; i++) {
        animations += motion->pending[i].animations;
        motion->pending[i].animations = 0;
    }
    RpSequence_RemoveLinks(&motion->sequence, animations);

    return true;
}

static void AddToQueue(Command *command, uint32_t id, uint32_t animations) {
    RpMotion *motion = command->motion;
    if (motion->pending_count == RP_AC_MOST_PENDING) {
        if (!command->status)
            command->status = RpError_Set(command->error, RP_NO_MEMORY, RP_NOWHERE,
                                          "too many motions are waiting", "", "", "");
        return;
    }
    motion->pending[motion->pending_count++] = (RpAcPending){id, animations};

    /* The client considers only the last entry that waits for animations (quirk ONE_REDUNDANT).
     * Without this quirk, the entries before it are considered, too. */
    for (uint32_t i = motion->pending_count; i-- > 0;) {
        if (motion->pending[i].animations == 0)
            continue;
        if (RemoveBehindMatch(motion, i) || (motion->sequence.quirks & RP_AC_QUIRK_ONE_REDUNDANT))
            return;
    }
}

/* ---- commands -------------------------------------------------------------------------------- */

RpStatus RpMotion_Perform(RpMotion *motion, RpAcCommand kind, uint32_t id, float speed,
                          uint32_t *result, RpError *error) {
    Command command;
    *result = RP_AC_NO_TABLE;
    if (!motion->table)
        return RP_OK;
    if (kind != RP_AC_DO && kind != RP_AC_STOP && kind != RP_AC_STOP_ALL)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "unknown kind of command", "",
                           "2 (do), 4 (stop) or 5 (stop all)", "");
    Motion_Begin(&command, motion, error);

    uint32_t animations;
    bool done = true;
    if (kind == RP_AC_STOP_ALL)
        Motion_StopCompletely(&command, &animations);
    else if (kind == RP_AC_DO)
        done = Motion_GetSequence(&command, id, speed, false, &animations);
    else
        done = Motion_Stop(&command, id, &animations);
    if (done)
        AddToQueue(&command, kind == RP_AC_DO ? id : RP_AC_READY, animations);
    *result = done ? RP_AC_DONE : RP_AC_REFUSED;

    const RpStatus status = Motion_End(&command);
    if (!status)
        RpMotion_CheckCompleted(motion);
    return status;
}

RpStatus RpMotion_Start(RpMotion *motion, RpError *error) {
    Command command;
    uint32_t animations;
    if (!motion->table)
        return RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "the object has no motion table", "",
                           "", "");
    Motion_Begin(&command, motion, error);
    const bool done = Motion_SetDefault(&command, &animations);
    AddToQueue(&command, RP_AC_READY, done ? animations : 0);
    const RpStatus status = Motion_End(&command);
    if (status || done)
        return status;
    return RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "the motion table has no default state", "",
                       "a default substate of the default style, and its cycle", "");
}

/* ---- ends ------------------------------------------------------------------------------------ */

static void Pop(RpMotion *motion, bool success) {
    const uint32_t id = motion->pending[0].motion;
    if ((id & RP_AC_ACTION) && motion->action_count > 0) {
        motion->action_count--;
        memmove(motion->actions, motion->actions + 1,
                motion->action_count * sizeof *motion->actions);
    }
    motion->pending_count--;
    memmove(motion->pending, motion->pending + 1, motion->pending_count * sizeof *motion->pending);
    if (motion->motion_done)
        motion->motion_done(motion->context, id, success);
}

void RpMotion_AnimationDone(RpMotion *motion, bool success) {
    if (motion->pending_count == 0)
        return;
    /* The counter counts modulo 2^32. It is never smaller than what is subtracted from it below. */
    motion->animation_counter = (int32_t)((uint32_t)motion->animation_counter + 1);
    while (motion->pending_count > 0 &&
           motion->pending[0].animations <= (uint32_t)motion->animation_counter) {
        motion->animation_counter =
            (int32_t)((uint32_t)motion->animation_counter - motion->pending[0].animations);
        Pop(motion, success);
    }
    if (motion->pending_count == 0)
        motion->animation_counter = 0;
}

void RpMotion_CheckCompleted(RpMotion *motion) {
    while (motion->pending_count > 0 && motion->pending[0].animations == 0)
        Pop(motion, true);
}

/* The counter is set to one less than the number for which the entry waits. So even an entry that
 * waits for more animations than the counter could reach ends here. */
void RpMotion_ExitWorld(RpMotion *motion) {
    while (motion->pending_count > 0) {
        motion->animation_counter = (int32_t)(motion->pending[0].animations - 1);
        RpMotion_AnimationDone(motion, false);
    }
}

void RpMotion_EnterWorld(RpMotion *motion) {
    RpSequence_RemoveAllLinks(&motion->sequence);
    RpMotion_ExitWorld(motion);
}

/* ---- a step of physics ----------------------------------------------------------------------- */

typedef struct Tick {
    RpMotion *motion;
    RpSequenceSink *sink;
    void *context;
    uint32_t done; /* number of AnimDone hooks in this update */
} Tick;

static void TakeEvent(void *context, const RpSequenceEvent *event) {
    Tick *tick = context;
    tick->done += !event->hook;
    if (tick->sink)
        tick->sink(tick->context, event);
}

RpStatus RpMotion_Tick(RpMotion *motion, double quantum, RpAcFrame *offset, RpSequenceSink *sink,
                       void *context, RpError *error) {
    Tick tick = {motion, sink, context, 0};
    const RpStatus status =
        RpSequence_Update(&motion->sequence, quantum, offset, TakeEvent, &tick, error);
    if (status)
        return status;
    while (tick.done-- > 0)
        RpMotion_AnimationDone(motion, true);
    RpMotion_CheckCompleted(motion);
    return RP_OK;
}
