/* Declarations that the files of the motion state machine share. A Command is one command while it
 * is carried out, with a copy of all that it may have to undo. */
#ifndef RETROPOSE_SIBLINGS_SEQUENCER_MOTION_H
#define RETROPOSE_SIBLINGS_SEQUENCER_MOTION_H

#include "retropose/sequencer.h"

typedef struct Command {
    RpMotion *motion;
    RpError *error;
    RpStatus status; /* set when the command first meets a limit */
    uint32_t depth;
    RpMotion saved;
    RpSequenceNode saved_nodes[RP_AC_MOST_NODES];
} Command;

void Motion_Begin(Command *command, RpMotion *motion, RpError *error);
/* Ends the command. If a limit was met, undoes all of it. */
RpStatus Motion_End(Command *command);

bool Motion_GetSequence(Command *command, uint32_t id, float speed, bool stop_modifiers,
                        uint32_t *animations);
bool Motion_Stop(Command *command, uint32_t id, uint32_t *animations);
bool Motion_StopCompletely(Command *command, uint32_t *animations);
bool Motion_SetDefault(Command *command, uint32_t *animations);

#endif
