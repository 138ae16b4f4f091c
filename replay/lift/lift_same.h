/* Whether a function computes the same in two pairs of DLLs: compares the expressions of all pairs
 * of paths that an input may take together, and judges by the conditions on both sides whether
 * these are all inputs. */
#ifndef RETROPOSE_REPLAY_LIFT_LIFT_SAME_H
#define RETROPOSE_REPLAY_LIFT_LIFT_SAME_H

#include "replay/lift/lift_paths.h"
#include "replay/lift/lift_rules.h"

typedef enum LiftVerdict {
    LIFT_SAME_ALWAYS,   /* the same expression for every input */
    LIFT_SAME_ON_PATHS, /* the same on all paths that were seen; `open` says what was not */
    LIFT_DIFFERS,       /* `difference` says where, and its witness shows it */
    LIFT_CANNOT_SAY,    /* `reason` says why not */
} LiftVerdict;

/* A side of a branch that no run took and that nothing excludes. */
typedef struct LiftOpen {
    uint32_t side, found;           /* a path of LiftPaths that comes to the branch */
    const LiftCondition *condition; /* of that path, which took the other side */
    /* How often the instruction decided before on that path. Above 0 it is the end of a loop that
     * was not run for as many rounds. */
    uint32_t rounds;
    bool pinned; /* the lifter has no expression for other values (LIFT_PIN) */
} LiftOpen;

typedef enum LiftDifferenceKind {
    LIFT_DIFFERENT_CONDITION,  /* conditions[]; one is null if the other side asks nothing alike */
    LIFT_DIFFERENT_OUTPUT,     /* outputs[]; one is null if the other side leaves it as it was */
    LIFT_DIFFERENT_CONVENTION, /* bytes popped, the x87's depth, control words, what is to be kept
                                */
    LIFT_DIFFERENT_END,        /* one returned, the other did not */
    LIFT_DIFFERENT_BITS,       /* the expressions are the same, and the calls left other bits */
} LiftDifferenceKind;

/* Two paths that one input may take together, with different results. */
typedef struct LiftDifference {
    uint32_t found[LIFT_SIDES];
    LiftDifferenceKind kind;
    const LiftCondition *conditions[LIFT_SIDES];
    const LiftOutput *outputs[LIFT_SIDES];
    /* The first expressions, from the inputs on, that differ; and the steps of the two paths that
     * made them. A step is LIFT_NO_STEP where none did. */
    const Expression *values[LIFT_SIDES];
    uint32_t steps[LIFT_SIDES];
    /* An input with which the two calls really left different bits. */
    bool has_witness;
    LiftInput witness;
} LiftDifference;
#define LIFT_NO_STEP UINT32_MAX

typedef struct LiftSame {
    LiftVerdict verdict;
    uint32_t laws;  /* LiftLaw: "the same, but for"; 0 where it is the same without exception */
    uint32_t pairs; /* pairs of paths that were compared */
    /* Whether the verdict holds for parameters that lie apart: the function writes to memory, and
     * has more than one pointer. In all runs each parameter has its own memory. */
    bool is_apart;
    /* Whether it holds for parameters that are aligned as they were in the runs: some condition
     * depends on where they are. It then depends on whether they overlap, too. */
    bool has_places;
    /* The slots that stand in the expressions as calls by name, which are taken to be the same on
     * both sides: "QuaternionToMatrix, InterpolateQuaternions"; empty if there are none. */
    char calls[160];
    /* What lists are no longer than in all runs: "count 0 to 4"; empty if there is none. */
    char limits[80];
    bool complete[LIFT_SIDES]; /* whether the conditions of a side leave no side of a branch open */
    LiftOpen *open;
    uint32_t open_count;
    bool has_difference; /* with LIFT_DIFFERS, and mostly with LIFT_CANNOT_SAY */
    LiftDifference difference;
    uint32_t different; /* pairs of paths with different results */
    uint64_t searched;  /* inputs that were tried to find a witness */
    char reason[200];
} LiftSame;

typedef struct LiftSameOptions {
    uint32_t most_searched; /* inputs that are tried to find a witness */
    uint32_t most_reached;  /* and to take one open side of a branch; 0: no search */
    uint64_t most_in_all;   /* for all open sides; then the rest stays open */
    uint32_t most_paths;    /* of one side, with which no more open sides are searched */
} LiftSameOptions;

LiftSameOptions LiftSameOptions_Default(void);

/* Searches inputs for the sides of branches that no run took, in the paths of one pair or of two,
 * and adds to `paths` what they take. */
RpStatus LiftSame_Reach(LiftPaths *paths, const LiftSameOptions *options, RpError *error);
/* Adds to `paths` what the searches come across. LiftSame_Free frees the result, also
 * after an error. */
RpStatus LiftSame_Compare(LiftPaths *paths, const LiftSameOptions *options, LiftSame *same,
                          RpError *error);
void LiftSame_Free(LiftSame *same);
/* "same expression for every input", "differs", ... */
const char *LiftVerdict_Text(LiftVerdict verdict);

#endif
