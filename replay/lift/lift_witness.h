/* Witnesses: searches an input that takes two given paths, one in each pair of DLLs, and with which
 * the two calls leave different bits; or one that takes a side of a branch that no run took. */
#ifndef RETROPOSE_REPLAY_LIFT_LIFT_WITNESS_H
#define RETROPOSE_REPLAY_LIFT_LIFT_WITNESS_H

#include "replay/lift/lift_paths.h"

/* Evaluates the conditions of both paths for at most `most` inputs, and runs those that fulfil all
 * of them and give different outputs. What is run is added to `paths`. If an input is found, fills
 * `witness`, which the caller frees. `searched` grows by the number of inputs that were tried. */
RpStatus LiftWitness_Search(LiftPaths *paths, const uint32_t found[LIFT_SIDES], uint32_t most,
                            uint64_t *searched, LiftInput *witness, bool *is_found, RpError *error);
/* Searches an input that comes to a condition of a path as that path does, and takes the other side
 * there. If one is found, runs it, which adds a path to `paths`. */
RpStatus LiftWitness_Reach(LiftPaths *paths, uint32_t side, uint32_t number, uint32_t condition,
                           uint32_t most, uint64_t *searched, bool *is_found, RpError *error);
/* Returns the meeting of two paths, or null. */
const LiftMeeting *LiftWitness_Meeting(const LiftPaths *paths, const uint32_t found[LIFT_SIDES]);

#endif
