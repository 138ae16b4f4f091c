/* Looks for the paths of a function, in one pair or in two: runs it on inputs until nothing new
 * comes up. LiftSame_Reach searches inputs for the sides of branches that none of them took. */
#ifndef RETROPOSE_REPLAY_LIFT_LIFT_PATHS_H
#define RETROPOSE_REPLAY_LIFT_LIFT_PATHS_H

#include "replay/lift/lift_function.h"

/* A path, and the first input that took it. */
typedef struct LiftFound {
    LiftPath *path;
    LiftInput input;
    uint32_t inputs; /* how many inputs took it */
    uint64_t key;    /* a hash of its conditions and outputs */
} LiftFound;

/* Two paths that one input took, one on each side. */
typedef struct LiftMeeting {
    uint32_t found[LIFT_SIDES]; /* which paths */
    LiftInput input;            /* the first input */
    uint32_t inputs;            /* how many inputs took the two */
    /* Whether the two calls left different bits for any of the inputs, which `differing` is. Two
     * paths with the same expressions never do, unless an instruction was interpreted wrongly. */
    bool differs;
    LiftInput differing;
} LiftMeeting;

typedef struct LiftBudget {
    uint32_t most_inputs;  /* made inputs */
    uint32_t patience;     /* made inputs without a new path; then it ends */
    uint32_t most_paths;   /* of one side; then it ends */
    uint64_t instructions; /* of one run */
} LiftBudget;
LiftBudget LiftBudget_Default(void);

typedef struct LiftPaths {
    const AbiFunction *function;
    const Signature *signature;
    ExpressionGraph *graph;
    LiftPair *pairs[LIFT_SIDES]; /* the second one is null where one pair alone is lifted */
    LiftFound *found[LIFT_SIDES];
    uint32_t found_count[LIFT_SIDES];
    LiftMeeting *meetings;
    uint32_t meeting_count;
    uint64_t instructions; /* the most of one run */
    uint64_t runs;         /* inputs that were run */
} LiftPaths;

/* Returns RP_UNSUPPORTED if no input of the function can be made, and RP_NOT_FOUND if a pair does
 * not have it. LiftPaths_Free frees the result, also after an error. */
RpStatus LiftPaths_Find(LiftPair *const pairs[LIFT_SIDES], LiftInputs *inputs,
                        const AbiFunction *function, const LiftBudget *budget, LiftPaths *paths,
                        RpError *error);
/* Runs one more input. `found` gets the number of the path on each side; a new path is added. */
RpStatus LiftPaths_Try(LiftPaths *paths, const LiftInput *input, uint32_t found[LIFT_SIDES],
                       RpError *error);
/* Returns whether two paths with the same end, one of each side, take as many bytes off the stack.
 * They need not where they did not return, or where the two functions are called in different ways.
 */
bool LiftPaths_PopAlike(const LiftPaths *paths, const LiftPath *const sides[LIFT_SIDES]);
void LiftPaths_Free(LiftPaths *paths);

#endif
