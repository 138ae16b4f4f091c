/* Where two pairs of DLLs part in one call. */
#ifndef RETROPOSE_REPLAY_LIFT_LIFT_PARTING_H
#define RETROPOSE_REPLAY_LIFT_LIFT_PARTING_H

#include "replay/compare/parting.h"
#include "replay/lift/lift_paths.h"

/* Runs one input in both pairs, and says where they part. Two results with the same bits are taken
 * as the same, whatever they were computed from. */
RpStatus LiftParting_Find(LiftPair *const pairs[LIFT_SIDES], const LiftInput *input,
                          Parting *parting, RpError *error);

#endif
