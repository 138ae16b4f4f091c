/* Declarations that the files of the sequencer share. */
#ifndef RETROPOSE_SIBLINGS_SEQUENCER_SEQUENCE_H
#define RETROPOSE_SIBLINGS_SEQUENCER_SEQUENCE_H

#include "retropose/sequencer.h"

/* Frees all nodes. */
void Sequence_Empty(RpSequence *sequence);
/* Appends a copy of the node to the list, and does nothing else. Returns RP_AC_NO_NODE if no node
 * is free. */
uint16_t Sequence_Push(RpSequence *sequence, const RpSequenceNode *node);

#endif
