/* The motion table's state machine: facts/ac-sequencer.md C.1 to C.9. Where seed 004 is wrong or
 * open, the corrections D-21 to D-34 decide. */
#include "siblings/sequencer/motion.h"

#include <math.h>
#include <string.h>

#define EPSILON    ((double)RP_AC_EPSILON)
#define MOST_DEPTH 32 /* most nested commands; the client has no limit and would hang */
#define MOST_STOPS                                                                                 \
    64 /* most modifiers to stop in a row; the client has no limit and would hang                  \
        */

/* ---- limits ---------------------------------------------------------------------------------- */

static void Stop(Command *command, RpStatus status, const char *what) {
    if (!command->status)
        command->status = RpError_Set(command->error, status, RP_NOWHERE, what, "", "", "");
}

/* ---- lists: C.9 ------------------------------------------------------------------------------ */

static void PushModifier(Command *command, uint32_t id, float speed) {
    RpMotion *motion = command->motion;
    if (motion->modifier_count == RP_AC_MOST_MODIFIERS) {
        Stop(command, RP_NO_MEMORY, "too many modifiers");
        return;
    }
    memmove(motion->modifiers + 1, motion->modifiers,
            motion->modifier_count * sizeof *motion->modifiers);
    motion->modifiers[0] = (RpAcListed){id, speed};
    motion->modifier_count++;
}

static int FindModifier(const RpMotion *motion, uint32_t id) {
    for (uint32_t i = 0; i < motion->modifier_count; i++)
        if (motion->modifiers[i].motion == id)
            return (int)i;
    return -1;
}

static bool AddModifier(Command *command, uint32_t id, float speed) {
    const RpMotion *motion = command->motion;
    if (FindModifier(motion, id) >= 0 || motion->substate == id)
        return false;
    PushModifier(command, id, speed);
    return true;
}

static void RemoveModifier(RpMotion *motion, int index) {
    motion->modifier_count--;
    memmove(motion->modifiers + index, motion->modifiers + index + 1,
            (motion->modifier_count - (uint32_t)index) * sizeof *motion->modifiers);
}

/* ---- look-ups: C.2, C.3 ---------------------------------------------------------------------- */

static const RpAcMotionData *FindCycle(const RpMotion *motion, uint32_t style, uint32_t substate) {
    return RpAcMotionTable_Cycle(motion->table, RpAc_Key(style, substate));
}

/* D-22: where one of the speeds is negative, the link that leads from the motion back is taken and
 * played backwards. */
static const RpAcMotionData *FindLink(const RpMotion *motion, uint32_t style, uint32_t substate,
                                      float substate_speed, uint32_t id, float speed) {
    const RpAcMotionTable *table = motion->table;
    const uint32_t from = RpAc_Key(style, substate), back = RpAc_Key(style, id);
    if (speed < 0 || substate_speed < 0) {
        const RpAcMotionData *link = RpAcMotionTable_Link(table, back, substate);
        const uint32_t standard = RpAcMotionTable_Default(table, style);
        return link || !standard ? link : RpAcMotionTable_Link(table, from, standard);
    }
    const RpAcMotionData *link = RpAcMotionTable_Link(table, from, id);
    return link ? link : RpAcMotionTable_Link(table, RpAc_Key(style, 0), id);
}

static const RpAcMotionData *FindModifierData(const RpMotion *motion, uint32_t id) {
    const RpAcMotionData *data =
        RpAcMotionTable_Modifier(motion->table, RpAc_Key(motion->style, id));
    return data ? data : RpAcMotionTable_Modifier(motion->table, RpAc_Key(0, id));
}

static uint32_t Count(const RpAcMotionData *data) {
    return data ? data->ref_count : 0;
}

/* ---- what a motion does to the sequence: C.5 ------------------------------------------------- */

static void Scale(const float vector[3], float speed, float scaled[3]) {
    for (int i = 0; i < 3; i++)
        scaled[i] = (float)((double)vector[i] * speed);
}

/* D-34: the physics are set even if they are zero, so that the motion that is added last determines
 * them. */
static void AddMotion(Command *command, const RpAcMotionData *data, float speed) {
    RpMotion *motion = command->motion;
    float velocity[3], omega[3];
    if (!data)
        return;
    Scale(data->velocity, speed, velocity);
    Scale(data->omega, speed, omega);
    RpSequence_SetPhysics(&motion->sequence, velocity, omega);
    for (uint32_t i = 0; i < data->ref_count; i++) {
        RpAcAnimRef ref = motion->table->refs[data->first_ref + i];
        RpError error;
        ref.framerate = (float)((double)ref.framerate * speed);
        const RpStatus status = RpSequence_Append(&motion->sequence, &ref, &error);
        if (status && status != RP_NOT_FOUND) /* D-4: a missing animation is left out. */
            Stop(command, status, error.what);
    }
}

/* Adds a motion as a cycle. Without quirk CYCLE_TAIL all its animations repeat, not only the last
 * one. */
static void AddCycle(Command *command, const RpAcMotionData *data, float speed) {
    RpSequence *sequence = &command->motion->sequence;
    const uint16_t before = sequence->tail;
    AddMotion(command, data, speed);
    if (sequence->quirks & RP_AC_QUIRK_CYCLE_TAIL || sequence->tail == before)
        return;
    sequence->first_cyclic =
        before != RP_AC_NO_NODE ? sequence->nodes[before].next : sequence->head;
}

static void ChangePhysics(Command *command, const RpAcMotionData *data, float speed, bool combine) {
    float velocity[3], omega[3];
    if (!data)
        return;
    Scale(data->velocity, speed, velocity);
    Scale(data->omega, speed, omega);
    if (combine)
        RpSequence_CombinePhysics(&command->motion->sequence, velocity, omega);
    else
        RpSequence_SubtractPhysics(&command->motion->sequence, velocity, omega);
}

/* Zero counts as a positive number. */
static bool SameSign(float a, float b) {
    return (a < 0) == (b < 0);
}

static void Multiply(Command *command, float factor) {
    RpError error;
    const RpStatus status =
        RpSequence_MultiplyFramerate(&command->motion->sequence, factor, &error);
    if (status)
        Stop(command, status, error.what);
}

static void Restart(Command *command) {
    RpSequence_ClearPhysics(&command->motion->sequence);
    RpSequence_RemoveCyclic(&command->motion->sequence);
}

/* ---- modifiers once more: C.7 ---------------------------------------------------------------- */

static void Remodify(Command *command) {
    if (command->motion->sequence.quirks & RP_AC_QUIRK_REMODIFY_HEAD) {
        /* D-32: removes the first modifier of the list and applies it again, as many times as there
         * are modifiers. Because it returns to the head of the list, this is the same modifier each
         * time. */
        RpMotion *motion = command->motion;
        for (uint32_t left = motion->modifier_count; left > 0 && motion->modifier_count > 0;
             left--) {
            const RpAcListed head = motion->modifiers[0];
            uint32_t animations;
            RemoveModifier(motion, 0);
            Motion_GetSequence(command, head.motion, head.speed, false, &animations);
            if (command->status)
                break;
        }
    } else {
        RpMotion *motion = command->motion;
        RpAcListed listed[RP_AC_MOST_MODIFIERS];
        const uint32_t count = motion->modifier_count;
        memcpy(listed, motion->modifiers, sizeof listed);
        motion->modifier_count = 0;
        for (uint32_t i = count; i-- > 0 && !command->status;) {
            uint32_t animations;
            Motion_GetSequence(command, listed[i].motion, listed[i].speed, false, &animations);
        }
    }
}

/* ---- the four classes: C.4 ------------------------------------------------------------------- */

typedef enum Outcome { NOT_MINE, SERVED, FAILED } Outcome;

/* D-25: all animations of the change of style are counted, also those of the new style's default.
 * One is subtracted from the sum, because the last animation never reports its end. */
static Outcome TakeStyle(Command *command, uint32_t id, float speed, uint32_t *animations) {
    RpMotion *motion = command->motion;
    const RpAcMotionTable *table = motion->table;
    const uint32_t style = motion->style, standard = RpAcMotionTable_Default(table, style);
    const uint32_t substate = motion->substate, next = RpAcMotionTable_Default(table, id);
    const float old = motion->substate_speed;
    if (style == id)
        return SERVED;
    const RpAcMotionData *before =
        substate != standard ? FindLink(motion, style, substate, old, standard, speed) : NULL;
    const RpAcMotionData *cycle = next ? FindCycle(motion, id, next) : NULL;
    if (!cycle)
        return NOT_MINE;
    if (cycle->bitfield & RP_AC_DATA_CLEARS_MODIFIERS)
        motion->modifier_count = 0;
    const RpAcMotionData *first = FindLink(motion, style, standard, old, id, speed), *second = NULL;
    if (!first) {
        const uint32_t main = table->default_style;
        first = FindLink(motion, style, standard, 1, main, 1);
        second = FindLink(motion, main, RpAcMotionTable_Default(table, main), 1, id, 1);
    }
    Restart(command);
    AddMotion(command, before, speed);
    AddMotion(command, first, speed);
    AddMotion(command, second, speed);
    AddCycle(command, cycle, speed);
    motion->substate = next;
    motion->style = id;
    motion->substate_speed = speed;
    Remodify(command);
    *animations = Count(before) + Count(first) + Count(second) + Count(cycle) - 1;
    return SERVED;
}

static Outcome TakeSubstate(Command *command, uint32_t id, float speed, uint32_t *animations) {
    RpMotion *motion = command->motion;
    const uint32_t style = motion->style, substate = motion->substate;
    const uint32_t standard = RpAcMotionTable_Default(motion->table, style);
    const float old = motion->substate_speed;
    const RpAcMotionData *cycle = FindCycle(motion, style, id);
    if (!cycle)
        cycle = FindCycle(motion, motion->table->default_style, id);

    if (!cycle)
        return NOT_MINE;
    if ((cycle->bitfield & RP_AC_DATA_FROM_DEFAULT_ONLY) && id != substate && standard != substate)
        return NOT_MINE;

    if (id == substate && SameSign(speed, old) && motion->sequence.count > 0) {
        /* D-26: the same cycle continues at another speed. */
        RpSequence *sequence = &motion->sequence;
        if (fabs((double)old) > EPSILON) {
            Multiply(command, (float)((double)speed / old));
        } else if (fabs((double)speed) < EPSILON) {
            Multiply(command, 0);
        } else if (!(sequence->quirks & RP_AC_QUIRK_FROZEN_CYCLE)) {
            /* A cycle that stood still (at speed 0) gets its stored frame rates back, times the
             * speed. */
            for (uint16_t i = sequence->first_cyclic; i != RP_AC_NO_NODE;
                 i = sequence->nodes[i].next) {
                RpSequenceNode *node = &sequence->nodes[i];
                node->framerate = (float)((double)node->stored_framerate * speed);
            }
        }
        ChangePhysics(command, cycle, old, false);
        ChangePhysics(command, cycle, speed, true);
        motion->substate_speed = speed;
        return SERVED;
    }
    if (cycle->bitfield & RP_AC_DATA_CLEARS_MODIFIERS)
        motion->modifier_count = 0;

    /* The way is the link from one cycle to another or, where there is none, two links: to the
     * style's default and from there. D-27: a single link is played backwards only on the way from
     * a negative speed to a positive one. */
    const RpAcMotionData *first = FindLink(motion, style, substate, old, id, speed), *second = NULL;
    if (!first || !SameSign(speed, old)) {
        first = FindLink(motion, style, substate, old, standard, 1);
        second = FindLink(motion, style, standard, 1, id, speed);
    }
    Restart(command);
    if (second) {
        AddMotion(command, first, old);
        AddMotion(command, second, speed);
    } else {
        AddMotion(command, first, old < 0 && speed > 0 ? -speed : speed);
    }
    AddCycle(command, cycle, speed);

    /* D-28: the old substate is kept as a modifier. */
    if (substate != id && (substate & RP_AC_MODIFIER) && standard != id)
        PushModifier(command, substate, old);
    motion->substate_speed = speed;
    motion->substate = id;
    Remodify(command);
    *animations = Count(first) + Count(second) + Count(cycle) - 1;
    return SERVED;
}

/* D-29, D-30: an action plays once and leads back into the cycle. */
static Outcome TakeAction(Command *command, uint32_t id, float speed, uint32_t *animations) {
    RpMotion *motion = command->motion;
    const uint32_t style = motion->style, substate = motion->substate;
    const uint32_t standard = RpAcMotionTable_Default(motion->table, style);
    const float old = motion->substate_speed;
    const RpAcMotionData *cycle = FindCycle(motion, style, substate);
    if (!cycle)
        return NOT_MINE;
    const RpAcMotionData *link = FindLink(motion, style, substate, old, id, speed);
    const RpAcMotionData *out = NULL, *back = NULL;
    if (!link) {
        out = FindLink(motion, style, substate, old, standard, 1);
        link = FindLink(motion, style, standard, 1, id, speed);
        if (!out || !link)
            return NOT_MINE;
        back = FindLink(motion, style, standard, 1, substate, old);
    }
    if (motion->action_count == RP_AC_MOST_ACTIONS)
        Stop(command, RP_NO_MEMORY, "too many actions");
    else
        motion->actions[motion->action_count++] = (RpAcListed){id, speed};
    Restart(command);
    AddMotion(command, out, 1);
    AddMotion(command, link, speed);
    AddMotion(command, back, 1);
    AddCycle(command, cycle, old);
    Remodify(command);
    *animations = Count(out) + Count(link) + Count(back);
    return SERVED;
}

/* D-31: a modifier adds physics to the cycle, but no animation. */
static Outcome TakeModifier(Command *command, uint32_t id, float speed) {
    RpMotion *motion = command->motion;
    const RpAcMotionData *cycle = FindCycle(motion, motion->style, motion->substate);
    const RpAcMotionData *data = FindModifierData(motion, id);
    uint32_t stopped;
    if (!cycle || (cycle->bitfield & RP_AC_DATA_CLEARS_MODIFIERS) || !data)
        return FAILED;
    if (!AddModifier(command, id, speed)) {
        Motion_Stop(command, id, &stopped);
        if (!AddModifier(command, id, speed))
            return FAILED;
    }
    ChangePhysics(command, data, speed, true);
    return SERVED;
}

bool Motion_GetSequence(Command *command, uint32_t id, float speed, bool stop_modifiers,
                        uint32_t *animations) {
    RpMotion *motion = command->motion;
    *animations = 0;
    if (motion->style == 0 || motion->substate == 0)
        return false;
    if (id == RpAcMotionTable_Default(motion->table, motion->style) && !stop_modifiers &&
        (motion->substate & RP_AC_MODIFIER)) /* D-24: a modifier that is the substate stays */
        return true;
    if (command->depth == MOST_DEPTH) {
        Stop(command, RP_UNSUPPORTED, "a command gives commands without end");
        return false;
    }

    /* The classes of which the motion is a member are tried, one after the other, until one serves
     * it. */
    Outcome outcome = NOT_MINE;
    command->depth++;
    if (id & RP_AC_STYLE)
        outcome = TakeStyle(command, id, speed, animations);
    if (outcome == NOT_MINE && (id & RP_AC_SUBSTATE))
        outcome = TakeSubstate(command, id, speed, animations);
    if (outcome == NOT_MINE && (id & RP_AC_ACTION))
        outcome = TakeAction(command, id, speed, animations);
    if (outcome == NOT_MINE && (id & RP_AC_MODIFIER))
        outcome = TakeModifier(command, id, speed);
    command->depth--;
    return outcome == SERVED;
}

/* ---- stops: C.8 ------------------------------------------------------------------------------ */

bool Motion_Stop(Command *command, uint32_t id, uint32_t *animations) {
    RpMotion *motion = command->motion;
    *animations = 0;
    if ((id & RP_AC_SUBSTATE) && id == motion->substate) {
        Motion_GetSequence(command, RpAcMotionTable_Default(motion->table, motion->style), 1, true,
                           animations);
        return true;
    }
    const int index = id & RP_AC_MODIFIER ? FindModifier(motion, id) : -1;
    const RpAcMotionData *data = index >= 0 ? FindModifierData(motion, id) : NULL;
    if (!data)
        return false;
    /* D-33: the physics are subtracted at the modifier's own speed. */
    ChangePhysics(command, data, motion->modifiers[index].speed, false);
    RemoveModifier(motion, index);
    return true;
}

/* The client would loop here for ever with a modifier that has no data. It would also do so with a
 * modifier that is the substate: stopping that starts the default state, and the modifier stays
 * listed. */
bool Motion_StopCompletely(Command *command, uint32_t *animations) {
    RpMotion *motion = command->motion;
    bool any = false;
    *animations = 0;
    for (int stops = 0; motion->modifier_count > 0; stops++) {
        if (stops == MOST_STOPS || !Motion_Stop(command, motion->modifiers[0].motion, animations)) {
            Stop(command, RP_UNSUPPORTED, "a modifier cannot be stopped: the client would hang");
            return false;
        }
        any = true;
    }
    return Motion_Stop(command, motion->substate, animations) || any;
}

/* ---- the default state ----------------------------------------------------------------------- */

bool Motion_SetDefault(Command *command, uint32_t *animations) {
    RpMotion *motion = command->motion;
    const uint32_t style = motion->table->default_style;
    const uint32_t substate = RpAcMotionTable_Default(motion->table, style);
    *animations = 0;
    if (!substate)
        return false;
    motion->modifier_count = motion->action_count = 0;
    const RpAcMotionData *cycle = FindCycle(motion, style, substate);
    if (!cycle)
        return false;
    motion->style = style;
    motion->substate = substate;
    motion->substate_speed = 1;
    *animations = Count(cycle) - 1;
    RpSequence_ClearPhysics(&motion->sequence);
    RpSequence_ClearAnimations(&motion->sequence);
    AddCycle(command, cycle, 1);
    return true;
}

/* ---- for callers ----------------------------------------------------------------------------- */

void Motion_Begin(Command *command, RpMotion *motion, RpError *error) {
    *command = (Command){.motion = motion, .error = error, .status = RP_OK};
    command->saved = *motion;
    memcpy(command->saved_nodes, motion->sequence.nodes,
           motion->sequence.capacity * sizeof *motion->sequence.nodes);
}

RpStatus Motion_End(Command *command) {
    if (command->status) {
        *command->motion = command->saved;
        memcpy(command->motion->sequence.nodes, command->saved_nodes,
               command->saved.sequence.capacity * sizeof *command->saved_nodes);
    }
    return command->status;
}

static RpStatus NeedsTable(RpError *error) {
    return RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "the object has no motion table", "", "",
                       "");
}

RpStatus RpMotion_GetSequence(RpMotion *motion, uint32_t id, float speed, bool stop_modifiers,
                              bool *done, uint32_t *animations, RpError *error) {
    Command command;
    if (!motion->table)
        return NeedsTable(error);
    Motion_Begin(&command, motion, error);
    *done = Motion_GetSequence(&command, id, speed, stop_modifiers, animations);
    return Motion_End(&command);
}

RpStatus RpMotion_Stop(RpMotion *motion, uint32_t id, bool *done, uint32_t *animations,
                       RpError *error) {
    Command command;
    if (!motion->table)
        return NeedsTable(error);
    Motion_Begin(&command, motion, error);
    *done = Motion_Stop(&command, id, animations);
    return Motion_End(&command);
}

RpStatus RpMotion_StopCompletely(RpMotion *motion, bool *done, uint32_t *animations,
                                 RpError *error) {
    Command command;
    if (!motion->table)
        return NeedsTable(error);
    Motion_Begin(&command, motion, error);
    *done = Motion_StopCompletely(&command, animations);
    return Motion_End(&command);
}
