/* What the files of the sequencer share. */
#ifndef RETROPOSE_SIBLINGS_SEQUENCER_SEQUENCE_H
#define RETROPOSE_SIBLINGS_SEQUENCER_SEQUENCE_H

#include "retropose/sequencer.h"

/* All nodes free. */
void Sequence_Empty(RpSequence *sequence);
/* A copy at the tail, and nothing else; RP_AC_NO_NODE when none is free. */
uint16_t Sequence_Push(RpSequence *sequence, const RpSequenceNode *node);

#endif
