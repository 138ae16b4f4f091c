/* Lifted functions as text: the paths with their conditions and formulas, and verdicts. */
#ifndef RETROPOSE_REPLAY_LIFT_LIFT_TEXT_H
#define RETROPOSE_REPLAY_LIFT_LIFT_TEXT_H

#include "replay/lift/lift_same.h"

/* Appends all paths of one side. `with_instructions` adds what each instruction made. */
RpStatus LiftText_Paths(const LiftPaths *paths, int side, bool with_instructions, RpBuffer *text,
                        RpError *error);
/* Appends a verdict: a line, and below it what is open or different. `with_open` lists all open
 * sides of branches, not only the first ones. */
RpStatus LiftText_Same(const LiftPaths *paths, const LiftSame *same, bool with_open, RpBuffer *text,
                       RpError *error);

/* Appends the comparison that a condition is, such as "1 - v2 > 9.9999997e-06", by the printer. */
void LiftText_Condition(const ExpressionPrinter *printer, const LiftCondition *condition,
                        RpBuffer *text);
/* Appends where an output is: "result.w", "eax" or "st0". `context` is LiftInput_NameOf's. */
void LiftText_Place(LiftInputContext *context, const LiftOutput *output, RpBuffer *text);

#endif
