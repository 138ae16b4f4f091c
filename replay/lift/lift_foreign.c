#include "replay/lift/lift_foreign.h"

#include <stdlib.h>

/* Notes, by id, of which normal forms a normal form is made. */
static void MarkParts(const Expression *normal, bool *marks) {
    if (marks[normal->id])
        return;
    marks[normal->id] = true;
    for (uint32_t i = 0; i < normal->count; i++)
        MarkParts(normal->operands[i], marks);
}

/* The same for all that a path's conditions and outputs are made of. Without marks, makes the
 * normal forms alone. */
static void MarkPath(LiftRules *rules, const Signature *signature, const LiftPath *path,
                     bool *marks) {
    const uint32_t sides = 2 * path->condition_count;
    for (uint32_t i = 0; i < sides + path->output_count; i++) {
        const LiftCondition *condition = i < sides ? &path->conditions[i / 2] : NULL;
        const LiftOutput *output = condition ? NULL : &path->outputs[i - sides];
        if (output && !LiftOutput_IsSeen(signature, output))
            continue;
        const Expression *normal = LiftRules_Normal(rules, output  ? output->value
                                                           : i % 2 ? condition->right
                                                                   : condition->left);
        if (marks)
            MarkParts(normal, marks);
    }
}

uint32_t LiftForeign_List(LiftRules *rules, const Signature *signature, const LiftPath *path,
                          const LiftPath *const *others, uint32_t other_count, LiftForeign *list,
                          uint32_t most) {
    /* Every normal form is made before the marks, because it may be a new expression. */
    for (uint32_t i = 0; i < other_count; i++)
        MarkPath(rules, signature, others[i], NULL);
    MarkPath(rules, signature, path, NULL);
    for (uint32_t i = 0; i < path->step_count; i++)
        for (uint32_t k = 0; k < path->steps[i].made_count; k++)
            LiftRules_Normal(rules, path->made[path->steps[i].first_made + k]);
    const uint32_t count = ExpressionGraph_Count(LiftRules_Graph(rules));
    bool *own = calloc(count, sizeof *own), *foreign = calloc(count, sizeof *foreign);
    uint32_t found = 0;
    if (own && foreign) {
        for (uint32_t i = 0; i < other_count; i++)
            MarkPath(rules, signature, others[i], foreign);
        MarkPath(rules, signature, path, own);
    }
    for (uint32_t i = 0; own && foreign && i < path->step_count; i++)
        for (uint32_t k = 0; k < path->steps[i].made_count && found < most; k++) {
            const Expression *made = path->made[path->steps[i].first_made + k];
            const uint32_t id = LiftRules_Normal(rules, made)->id;
            if (own[id] && !foreign[id])
                list[found++] = (LiftForeign){i, made};
        }
    free(own);
    free(foreign);
    return found;
}
