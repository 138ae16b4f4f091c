#include "replay/lift/lift_tree.h"

#include <stdlib.h>

bool LiftTree_Make(LiftTree *tree, LiftRules *rules, const LiftPath *const *paths, uint32_t count) {
    *tree = (LiftTree){.rules = rules, .count = count};
    tree->paths = calloc(count + 1u, sizeof *tree->paths);
    if (!tree->paths)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        LiftTreePath *path = &tree->paths[i];
        path->path = paths[i];
        path->tests = calloc(paths[i]->condition_count + 1u, sizeof *path->tests);
        if (!path->tests)
            return false;
        for (uint32_t j = 0; j < paths[i]->condition_count; j++)
            path->tests[j] = LiftRules_Test(rules, &paths[i]->conditions[j]);
    }
    return true;
}

void LiftTree_Free(LiftTree *tree) {
    for (uint32_t i = 0; tree->paths && i < tree->count; i++)
        free(tree->paths[i].tests);
    free(tree->paths);
    *tree = (LiftTree){0};
}

typedef struct Walk {
    const LiftTree *tree;
    LiftFacts *facts;
    const LiftTreeVisitor *visitor;
    bool is_tree;
} Walk;

/* `paths` are those that agree in the outcomes of all conditions before this one. */
static void WalkFrom(Walk *walk, uint32_t *paths, uint32_t count, uint32_t condition) {
    const LiftTreePath *all = walk->tree->paths;
    uint32_t more = 0; /* paths that go on; they are moved to the front */
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t path = paths[i];
        if (all[path].path->condition_count == condition) {
            walk->visitor->leaf(walk->visitor->context, path);
            continue;
        }
        paths[i] = paths[more];
        paths[more++] = path;
    }
    if (more == 0)
        return;
    /* A path that returned here answered all that the function asks. One that was given up may have
     * had the same question before it. */
    for (uint32_t i = more; i < count; i++)
        walk->is_tree &= all[paths[i]].path->end != LIFT_RETURNED;
    if (!walk->is_tree)
        return;

    const LiftPath *example = all[paths[0]].path;
    for (uint32_t i = 1; i < more; i++) {
        /* Both must ask the same; a pin asks which number the left side is. */
        const LiftCondition *a = &example->conditions[condition];
        const LiftCondition *b = &all[paths[i]].path->conditions[condition];
        const bool are_pins = a->decision == LIFT_PIN && b->decision == LIFT_PIN;
        if (!(a->left == b->left && a->order == b->order && (a->right == b->right || are_pins))) {
            walk->is_tree = false;
            return;
        }
    }
    /* Each side of the branch that some path takes; then what is left, all those excluded. */
    const uint32_t mark = LiftFacts_Mark(walk->facts);
    const uint32_t first = paths[0];
    LiftTest *sides = calloc(more, sizeof *sides);
    uint32_t side_count = 0;
    if (!sides) {
        walk->is_tree = false;
        return;
    }
    for (uint32_t begin = 0; begin < more;) {
        const LiftTest side = all[paths[begin]].tests[condition];
        uint32_t end = begin + 1;
        for (uint32_t i = end; i < more; i++) {
            const uint32_t path = paths[i];
            if (LiftTest_IsSame(&all[path].tests[condition], &side)) {
                paths[i] = paths[end];
                paths[end++] = path;
            }
        }
        if (LiftFacts_Add(walk->facts, &side))
            WalkFrom(walk, paths + begin, end - begin, condition + 1);
        LiftFacts_Undo(walk->facts, mark);
        sides[side_count++] = side;
        begin = end;
    }
    bool is_possible = true;
    for (uint32_t i = 0; i < side_count && is_possible; i++) {
        const LiftTest other = LiftTest_Not(&sides[i]);
        is_possible = LiftFacts_Add(walk->facts, &other);
    }
    if (is_possible)
        walk->visitor->open(walk->visitor->context, first, condition);
    LiftFacts_Undo(walk->facts, mark);
    free(sides);
}

bool LiftTree_Walk(const LiftTree *tree, LiftFacts *facts, const LiftTreeVisitor *visitor) {
    Walk walk = {tree, facts, visitor, true};
    uint32_t *paths = calloc(tree->count + 1u, sizeof *paths);
    if (!paths)
        return false;
    for (uint32_t i = 0; i < tree->count; i++)
        paths[i] = i;
    WalkFrom(&walk, paths, tree->count, 0);
    free(paths);
    return walk.is_tree;
}
