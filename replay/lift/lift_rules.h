/* Rules: brings expressions into a form in which two that always have the same bits are one.
 *
 * Every rule holds for all bits of all operands under every control word, unless it is a law that
 * the caller asks for (LiftLaw). docs/reference/lifting.md lists the rules, each with why it is
 * exact. */
#ifndef RETROPOSE_REPLAY_LIFT_LIFT_RULES_H
#define RETROPOSE_REPLAY_LIFT_LIFT_RULES_H

#include "machine/lifting/path.h"

/* Laws that do not hold for every input. Two expressions that only one of these makes equal are
 * the same but for the inputs that its name says (LiftLaw_Except). A set of laws is a sum. */
typedef enum LiftLaw {
    /* An operand from memory is loaded first, and numbers on the stack are never signalling. */
    LIFT_LAW_MEMORY = 1 << 0,
    /* a - b = a + (-b). */
    LIFT_LAW_NEGATED_SUM = 1 << 1,
    /* -(a * b) = (-a) * b, and the same for quotients. */
    LIFT_LAW_NEGATED_PRODUCT = 1 << 2,
    /* a - b = -(b - a), and -(a + b) = (-a) + (-b). */
    LIFT_LAW_SWAPPED = 1 << 3,
    /* a + 0 = a, if a has no more bits than the sum rounds to. */
    LIFT_LAW_ZERO = 1 << 4,
    /* SSE's + and * commute with two NaNs, too. */
    LIFT_LAW_NANS = 1 << 5,
    /* An operation of SSE is one of the x87 at 24 bits, rounded to binary32. */
    LIFT_LAW_SSE = 1 << 6,
} LiftLaw;
enum { LIFT_LAW_COUNT = 7 };

/* Returns the inputs for which a law may not hold: "a signalling NaN in memory". */
const char *LiftLaw_Except(LiftLaw law);

typedef struct LiftRules LiftRules;

/* `laws` is a set of LiftLaw; 0: exact rules alone. Returns null when memory is short. */
LiftRules *LiftRules_Create(ExpressionGraph *graph, uint32_t laws);
void LiftRules_Destroy(LiftRules *rules);
ExpressionGraph *LiftRules_Graph(LiftRules *rules);
/* Says that a function that was cut out does nothing to one of its inputs but load it as a
 * binary32, so that it is the same to it whether a signalling NaN became quiet on the way. */
void LiftRules_CallLoads(LiftRules *rules, uint32_t function, uint32_t input);

/* Returns the normal form. It is an expression of the graph, never null. */
const Expression *LiftRules_Normal(LiftRules *rules, const Expression *expression);
/* Returns the normal form of what an expression becomes where each of `from` is replaced by that of
 * `to`. All `from` have to be normal forms, and the expression as well. */
const Expression *LiftRules_Replace(LiftRules *rules, const Expression *expression,
                                    const Expression *const *from, const Expression *const *to,
                                    uint32_t count);

/* ---- conditions ------------------------------------------------------------------------------ */

/* Numbers from `low` to `high`, both included. */
typedef struct LiftInterval {
    uint64_t low, high;
} LiftInterval;

typedef enum LiftTestKind {
    LIFT_TEST_FLOAT,   /* `left` and `right`, numbers of 80 bits or of 64 (SSE), are compared */
    LIFT_TEST_ORDER,   /* integers of the same number of bits are compared */
    LIFT_TEST_INTEGER, /* `left`, an integer, is in one of the intervals; `right` is null */
    LIFT_TEST_ALWAYS,  /* the condition holds for every input */
    LIFT_TEST_NEVER,
} LiftTestKind;

/* A condition in normal form. Conditions about the same two numbers have the same `left` and
 * `right` here, whichever instructions they were made of and whichever way round they compare. */
typedef struct LiftTest {
    LiftTestKind kind;
    const Expression *left, *right;
    bool is_signed;            /* of LIFT_TEST_ORDER; false if the outcomes have both < and > */
    uint8_t outcomes;          /* of FLOAT and ORDER: those with which the condition holds */
    LiftInterval intervals[2]; /* of INTEGER: the values with which it holds, ascending */
    uint32_t interval_count;   /* 1 or 2 */
    /* Of ALWAYS: the condition depends on where the parameters are and on nothing else, so it holds
     * as long as they are apart, and aligned, as they were in the runs. */
    bool is_of_places;
} LiftTest;

/* Whether a condition depends on nothing but where the regions are. */
bool LiftCondition_IsOfPlaces(const LiftCondition *condition);
LiftTest LiftRules_Test(LiftRules *rules, const LiftCondition *condition);
/* Whether two conditions compare the same numbers, for whichever outcomes. */
bool LiftRules_AskTheSame(LiftRules *rules, const LiftCondition *a, const LiftCondition *b);
/* The test that holds where the other one does not. */
LiftTest LiftTest_Not(const LiftTest *test);
/* Whether both hold for the same inputs, as far as their forms tell. */
bool LiftTest_IsSame(const LiftTest *a, const LiftTest *b);

/* Bits of an integer, judged by its operation: the largest value that it may have. */
uint64_t LiftRules_Most(const Expression *integer);
/* The outcomes that comparing two normal forms may have at all, judged by their operations: a root
 * is never less than 0, a number from an integer is never a NaN. */
uint32_t LiftRules_Possible(const Expression *left, const Expression *right);

#endif
