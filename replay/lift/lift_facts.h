/* Facts: what is known of an input that fulfils some conditions, and whether one more condition
 * contradicts it. Two conditions that contradict each other belong to no input together.
 *
 * A contradiction that is found is one. One that is not found is possible: the facts know orders
 * and intervals, how a NaN spreads, and what the bits of normal numbers say of their values, but
 * they do not compute. */
#ifndef RETROPOSE_REPLAY_LIFT_LIFT_FACTS_H
#define RETROPOSE_REPLAY_LIFT_LIFT_FACTS_H

#include "replay/lift/lift_rules.h"

typedef struct LiftFacts LiftFacts;

/* Returns null when memory is short. `rules` has to live longer. */
LiftFacts *LiftFacts_Create(LiftRules *rules);
void LiftFacts_Destroy(LiftFacts *facts);
/* Whether memory was short at any time. What was answered since means nothing. */
bool LiftFacts_HasFailed(const LiftFacts *facts);

/* Adds a condition. Returns false if it contradicts the facts; the caller then takes it back. */
bool LiftFacts_Add(LiftFacts *facts, const LiftTest *test);
/* Everything that was added since LiftFacts_Mark returned `mark` is taken back. */
uint32_t LiftFacts_Mark(const LiftFacts *facts);
void LiftFacts_Undo(LiftFacts *facts, uint32_t mark);

/* Returns the outcomes that comparing two numbers of 80 bits, in normal form, may have. */
uint32_t LiftFacts_Possible(LiftFacts *facts, const Expression *left, const Expression *right);
/* Returns a normal form, with what the facts say to be equal, bit for bit, put in. */
const Expression *LiftFacts_Replace(LiftFacts *facts, const Expression *expression);

#endif
