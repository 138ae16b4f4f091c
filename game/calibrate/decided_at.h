/* Names the instructions by which an original decides its readings. A function that a reading
 * reaches is lifted, and its formulas are compared with ours under the readings that were found,
 * which are the same, and then with another alternative of that one reading. The first step of the
 * original that ours no longer takes says which alternative the original follows. */
#ifndef RETROPOSE_GAME_CALIBRATE_DECIDED_AT_H
#define RETROPOSE_GAME_CALIBRATE_DECIDED_AT_H

#include "game/calibrate/calibration.h"
#include "replay/lift/lift_function.h"

/* Fills in `instruction` of each reading that was decided and that reaches a function which can be
 * lifted; that of all others stays empty. `progress` may be null. */
RpStatus
DecidedAt_Find(const LiftFiles *original, const LiftFiles *replacement, Calibration *calibration,
               void (*progress)(void *context, const char *stage, uint64_t done, uint64_t total),
               void *context, RpError *error);

#endif
