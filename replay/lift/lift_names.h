/* Names for the values of a path that its formulas have more than once: v1, v2, ... */
#ifndef RETROPOSE_REPLAY_LIFT_LIFT_NAMES_H
#define RETROPOSE_REPLAY_LIFT_LIFT_NAMES_H

#include "replay/lift/lift_paths.h"

typedef struct LiftNames LiftNames;

/* Looks at the conditions of a path, and at those of its outputs that a caller looks at. Returns
 * null when memory is short. */
LiftNames *LiftNames_Create(const LiftPaths *paths, int side, uint32_t found);
void LiftNames_Destroy(LiftNames *names);
/* Returns how many values have a name. */
uint32_t LiftNames_Count(const LiftNames *names);
/* Returns the value with this number, from 0 on. Those that it is made of have lower numbers. */
const Expression *LiftNames_At(const LiftNames *names, uint32_t number);
/* Returns the name of a value, or null. */
const char *LiftNames_Of(const LiftNames *names, const Expression *expression);
/* Returns a printer that uses these names and those of inputs. */
ExpressionPrinter LiftNames_Printer(LiftNames *names);
/* Returns the context of the inputs' names. */
LiftInputContext *LiftNames_Inputs(LiftNames *names);

#endif
