/* Lifted functions as JSON, for programs. docs/use/lift.md describes the members. */
#ifndef RETROPOSE_REPLAY_LIFT_LIFT_JSON_H
#define RETROPOSE_REPLAY_LIFT_LIFT_JSON_H

#include "replay/lift/lift_same.h"

/* Appends one object with all paths of one side. With `calls`, that many inputs are run once more,
 * and each is given with what the machine left, so that somebody else's evaluation of the formulas
 * can be compared with it. They are the first inputs that LiftInputs_Make makes. */
RpStatus LiftJson_Paths(LiftPaths *paths, int side, LiftInputs *inputs, uint32_t calls,
                        RpBuffer *json, RpError *error);
/* Appends one object with a verdict. `with_formulas` adds the lines of LiftText_Paths for the
 * original. */
RpStatus LiftJson_Same(const LiftPaths *paths, const LiftSame *same, bool with_formulas,
                       RpBuffer *json, RpError *error);
/* Appends the members "processor", "builds", "control_word", "mxcsr", "readings" of a setup, each
 * with a comma behind it. */
void LiftJson_Setup(const LiftSetup *setup, RpBuffer *json);

#endif
