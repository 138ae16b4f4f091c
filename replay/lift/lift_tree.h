/* The tree that the conditions of a function's paths make: each path is a way from the root to a
 * leaf, and where two paths part, one condition decides. */
#ifndef RETROPOSE_REPLAY_LIFT_LIFT_TREE_H
#define RETROPOSE_REPLAY_LIFT_LIFT_TREE_H

#include "replay/lift/lift_facts.h"

/* A path's conditions in normal form, in the order of execution. */
typedef struct LiftTreePath {
    const LiftPath *path;
    LiftTest *tests; /* as many as the path has conditions */
} LiftTreePath;

typedef struct LiftTree {
    LiftTreePath *paths;
    uint32_t count;
    LiftRules *rules;
} LiftTree;

/* `paths` are all of one function, and have to live longer. Returns false when memory is short;
 * LiftTree_Free is called in any case. */
bool LiftTree_Make(LiftTree *tree, LiftRules *rules, const LiftPath *const *paths, uint32_t count);
void LiftTree_Free(LiftTree *tree);

/* Who is told of what a walk meets. */
typedef struct LiftTreeVisitor {
    /* The facts do not contradict the conditions of this path, and contain them. */
    void (*leaf)(void *context, uint32_t path);
    /* Nor do they contradict the other side of this condition of the path, which no path takes. */
    void (*open)(void *context, uint32_t path, uint32_t condition);
    void *context;
} LiftTreeVisitor;

/* Visits what does not contradict the facts, which are the same afterwards. Returns false where the
 * paths are not a tree: after the same outcomes two of them ask different things, which a function
 * of its inputs alone does not do. */
bool LiftTree_Walk(const LiftTree *tree, LiftFacts *facts, const LiftTreeVisitor *visitor);

#endif
