/* A lifted path: what one call of a function did, as expressions. Lifter_Run makes it. A path is
 * the same for all inputs that fulfil its conditions. */
#ifndef RETROPOSE_MACHINE_LIFTING_PATH_H
#define RETROPOSE_MACHINE_LIFTING_PATH_H

#include "machine/lifting/expression.h"

/* How the two sides of a condition are compared. */
typedef enum LiftOrder {
    LIFT_X87,      /* numbers of 80 bits */
    LIFT_SSE,      /* binary32 or binary64, by `left->bits` */
    LIFT_SIGNED,   /* integers of `left->bits` bits */
    LIFT_UNSIGNED, /* never COMPARE_UNORDERED, nor is LIFT_SIGNED */
} LiftOrder;

typedef enum LiftDecision {
    LIFT_BRANCH, /* a conditional jump; DIV and IDIV, which may fault */
    LIFT_SELECT, /* SETcc, CMOVcc, FCMOVcc, SBB, ADC and the like */
    /* An address, a count or a jump's target had to be the number that it was: left = right, which
     * is a constant. The lifter has no expression for other numbers. */
    LIFT_PIN
} LiftDecision;

/* What had to hold for the run to go on as it did. Conditions without an input are left out. */
typedef struct LiftCondition {
    uint32_t step; /* index of the instruction that decided */
    LiftDecision decision;
    LiftOrder order;
    const Expression *left, *right; /* of the same number of bits */
    /* The outcomes of comparing left with right with which the run goes on in the same way: a set
     * of COMPARE_..., neither empty nor all that `order` has. */
    uint8_t outcomes;
    uint8_t outcome; /* the one that the run had */
    ExpressionValue left_value, right_value;
} LiftCondition;

/* One instruction, in the order of execution. */
typedef struct LiftStep {
    uint32_t address;
    uint8_t bytes[15], size;
    uint8_t depth; /* 0 in the function itself, 1 in one that it calls, ... */
    uint8_t made_count;
    /* What it made that is more than a copy: up to 8 expressions, in LiftPath.made from here on.
     * Operations, and constants and inputs that were read from memory. A repeated string
     * instruction has one step. */
    uint32_t first_made;
    uint32_t memory; /* address of the operand in memory; 0: none */
} LiftStep;

typedef enum LiftPlace {
    LIFT_MEMORY, /* `region` and `offset`: always a whole dword of a region */
    LIFT_EAX,
    LIFT_EDX,
    LIFT_ST0, /* 80 bits; only if the x87 stack is deeper than before the call */
} LiftPlace;

/* An output. EAX and EDX are always among them, whether the caller looks at them or not. */
typedef struct LiftOutput {
    LiftPlace place;
    uint32_t region, offset; /* of LIFT_MEMORY; offset is a multiple of 4 */
    /* LIFT_MEMORY: which of the four bytes were stored; `value` has the others as they were. */
    uint8_t stored;
    uint32_t step;           /* the last instruction that stored a byte of it; else the last one */
    const Expression *value; /* 32 bits, or 80 */
    ExpressionValue number;  /* what the run really had there */
} LiftOutput;

/* Bytes of a region, in order and not adjoining. */
typedef struct LiftRange {
    uint32_t region, offset, size;
} LiftRange;

typedef enum LiftEnd {
    LIFT_RETURNED,
    LIFT_FAULTED, /* the guest's exception; `reason` says which, and where */
    LIFT_TIMED_OUT,
    LIFT_REFUSED /* `reason` says which instruction, where, and what of it is not modelled */
} LiftEnd;

typedef struct LiftPath {
    LiftEnd end;
    char reason[256]; /* empty if the function returned */

    const LiftCondition *conditions; /* in the order of execution */
    uint32_t condition_count;
    const LiftOutput *outputs; /* memory by region and offset, then EAX, EDX, ST0 */
    uint32_t output_count;
    const LiftStep *steps;
    uint32_t step_count;
    const Expression *const *made;

    const LiftRange *reads; /* of what the regions had before the call */
    uint32_t read_count;
    const LiftRange *writes; /* also of the scratch regions */
    uint32_t write_count;

    uint32_t popped;         /* bytes of arguments that the function took off the stack */
    int32_t x87_depth;       /* numbers more on the x87 stack than before the call */
    bool preserves;          /* EBX, ESI, EDI, EBP and the direction flag are as they were */
    uint16_t control, mxcsr; /* the x87's control word, and MXCSR without its flags, at the end */
} LiftPath;

/* Returns what a path leaves at the place of an output of another path, or null. */
const LiftOutput *LiftPath_OutputAt(const LiftPath *path, const LiftOutput *place);
/* Null is allowed. */
void LiftPath_Free(LiftPath *path);
/* Writes an instruction as "fmul st0, dword ptr [eax+4]". */
void LiftStep_Text(const LiftStep *step, char *text, size_t size);

#endif
