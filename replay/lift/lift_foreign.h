/* The steps of a path that compute a part of its result which other paths do not compute. */
#ifndef RETROPOSE_REPLAY_LIFT_LIFT_FOREIGN_H
#define RETROPOSE_REPLAY_LIFT_LIFT_FOREIGN_H

#include "replay/lift/lift_function.h"
#include "replay/lift/lift_rules.h"

/* A step, and an expression that it made. */
typedef struct LiftForeign {
    uint32_t step;
    const Expression *value;
} LiftForeign;

/* Lists, in the order of execution, what a path made that is a part of its conditions, or of an
 * output that a caller looks at, and whose normal form is a part of those of no other path. Returns
 * how many there are, at most `most`; none if memory is short. */
uint32_t LiftForeign_List(LiftRules *rules, const Signature *signature, const LiftPath *path,
                          const LiftPath *const *others, uint32_t other_count, LiftForeign *list,
                          uint32_t most);

#endif
