#include "replay/lift/lift_same.h"

#include "exports/call_graph.h"
#include "replay/lift/lift_foreign.h"
#include "replay/lift/lift_tree.h"
#include "replay/lift/lift_witness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_DIFFERENT = 4096,
    MOST_OPEN = 1024,
    MOST_TRIED = 2048,       /* open sides that inputs are searched for */
    MOST_REACHED_ROUNDS = 4, /* of a loop */
    MOST_NEW_ROUNDS = 24     /* of comparing anew after paths were found */
};

const char *LiftVerdict_Text(LiftVerdict verdict) {
    switch (verdict) {
    case LIFT_SAME_ALWAYS:
        return "same expression for every input";
    case LIFT_SAME_ON_PATHS:
        return "same expression on all paths that were seen";
    case LIFT_DIFFERS:
        return "differs";
    case LIFT_CANNOT_SAY:
        return "cannot say";
    }
    return "";
}

LiftSameOptions LiftSameOptions_Default(void) {
    return (LiftSameOptions){
        .most_searched = 4000, .most_reached = 12000, .most_in_all = 150000, .most_paths = 256};
}

void LiftSame_Free(LiftSame *same) {
    free(same->open);
    if (same->has_difference && same->difference.has_witness)
        LiftInput_Free(&same->difference.witness);
    *same = (LiftSame){0};
}

static RpStatus NoMemory(RpError *error) {
    return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory to compare paths", "", "", "");
}

/* ---- comparing all pairs --------------------------------------------------------------------- */

typedef struct Different {
    uint32_t found[LIFT_SIDES];
} Different;

/* One comparison of both trees, under one set of laws. */
typedef struct Comparison {
    LiftPaths *paths;
    LiftRules *rules;
    LiftFacts *facts;
    LiftTree trees[LIFT_SIDES];
    uint32_t path; /* of the original, whose leaf the walk is at */
    LiftSame *same;
    bool *is_visited[LIFT_SIDES];
    int side;             /* whose tree is walked */
    bool counts_open;     /* whether open sides are put into `same` */
    Different *different; /* up to MOST_DIFFERENT of them */
    uint32_t different_count, pairs;
    bool is_tree;
    bool failed;
} Comparison;

static const LiftPath *PathOf(const Comparison *comparison, int side, uint32_t number) {
    return comparison->trees[side].paths[number].path;
}

/* Returns what a path leaves at the place of an output of the other path. Null: it leaves nothing
 * there, which only happens outside of memory. */
static const Expression *ValueAt(ExpressionGraph *graph, const LiftPath *path,
                                 const LiftOutput *place) {
    const LiftOutput *output = LiftPath_OutputAt(path, place);
    if (output)
        return output->value;
    return place->place == LIFT_MEMORY ? Expression_Input(graph, place->region, place->offset, 32)
                                       : NULL;
}

static bool IsSameValue(Comparison *comparison, const Expression *a, const Expression *b) {
    if (!a || !b)
        return a == b;
    a = LiftRules_Normal(comparison->rules, a);
    b = LiftRules_Normal(comparison->rules, b);
    if (a == b)
        return true;
    return LiftFacts_Replace(comparison->facts, a) == LiftFacts_Replace(comparison->facts, b);
}

/* Returns the first output of `from`, in the order of execution, that a caller looks at and that
 * the other path does not leave in the same way. */
static const LiftOutput *DifferentOutput(Comparison *comparison, const LiftPath *from,
                                         const LiftPath *to) {
    const LiftOutput *first = NULL;
    for (uint32_t i = 0; i < from->output_count; i++) {
        const LiftOutput *output = &from->outputs[i];
        if (!LiftOutput_IsSeen(comparison->paths->signature, output) ||
            (first && first->step <= output->step))
            continue;
        if (!IsSameValue(comparison, output->value, ValueAt(comparison->paths->graph, to, output)))
            first = output;
    }
    return first;
}

static bool HasSameResult(Comparison *comparison, const LiftPath *a, const LiftPath *b) {
    if (a->end != b->end)
        return false;
    const LiftPath *const sides[LIFT_SIDES] = {a, b};
    return LiftPaths_PopAlike(comparison->paths, sides) && a->x87_depth == b->x87_depth &&
           a->control == b->control && a->mxcsr == b->mxcsr && a->preserves && b->preserves &&
           !DifferentOutput(comparison, a, b) && !DifferentOutput(comparison, b, a);
}

/* Notes a side of a branch that nothing excludes. */
static void NoteOpen(void *context, uint32_t number, uint32_t which) {
    Comparison *comparison = context;
    LiftSame *same = comparison->same;
    const int side = comparison->side;
    const LiftPath *path = PathOf(comparison, side, number);
    const LiftCondition *condition = &path->conditions[which];
    if (!comparison->counts_open)
        return;
    same->complete[side] = false;
    for (uint32_t i = 0; i < same->open_count; i++) {
        if (same->open[i].condition == condition)
            return;
    }
    if (same->open_count == MOST_OPEN)
        return;
    LiftOpen *open = realloc(same->open, (same->open_count + 1) * sizeof *open);
    if (!open) {
        comparison->failed = true;
        return;
    }
    same->open = open;
    open += same->open_count++;
    *open = (LiftOpen){.side = (uint32_t)side,
                       .found = number,
                       .condition = condition,
                       .pinned = condition->decision == LIFT_PIN};
    for (uint32_t i = 0; i < which; i++)
        open->rounds +=
            path->steps[path->conditions[i].step].address == path->steps[condition->step].address;
}

static void VisitPair(void *context, uint32_t number) {
    Comparison *comparison = context;
    const LiftPath *original = PathOf(comparison, LIFT_ORIGINAL, comparison->path);
    const LiftPath *replacement = PathOf(comparison, LIFT_REPLACEMENT, number);
    comparison->pairs++;
    /* What a path does after it was given up is not known; CannotBeCompared says so. */
    const bool is_known = original->end != LIFT_REFUSED && original->end != LIFT_TIMED_OUT &&
                          replacement->end != LIFT_REFUSED && replacement->end != LIFT_TIMED_OUT;
    if (!is_known || HasSameResult(comparison, original, replacement))
        return;
    if (comparison->different_count < MOST_DIFFERENT)
        comparison->different[comparison->different_count] =
            (Different){{comparison->path, number}};
    comparison->different_count++;
}

static void VisitOriginal(void *context, uint32_t number) {
    Comparison *comparison = context;
    const LiftTreeVisitor visitor = {VisitPair, NoteOpen, comparison};
    comparison->path = number;
    comparison->side = LIFT_REPLACEMENT;
    comparison->is_tree &=
        LiftTree_Walk(&comparison->trees[LIFT_REPLACEMENT], comparison->facts, &visitor);
    comparison->side = LIFT_ORIGINAL;
}

static void Visit(void *context, uint32_t number) {
    Comparison *comparison = context;
    comparison->is_visited[comparison->side][number] = true;
}

static void Comparison_End(Comparison *comparison) {
    for (int side = 0; side < LIFT_SIDES; side++) {
        LiftTree_Free(&comparison->trees[side]);
        free(comparison->is_visited[side]);
    }
    LiftFacts_Destroy(comparison->facts);
    LiftRules_Destroy(comparison->rules);
    free(comparison->different);
    *comparison = (Comparison){0};
}

/* Functions that are cut out of others and that load each of their inputs as a binary32, or compute
 * with it by SSE, and do nothing else with it: a NaN that became quiet on its way to them is the
 * same to them. A test lifts those of the stand-in and of the replacement, and looks. Nobody has
 * looked at another pair's, which might copy a NaN, so there it is a law with an exception. */
static void NameLoadingCalls(const Comparison *comparison, uint32_t laws) {
    static const struct {
        const char *name;
        uint32_t inputs;
    } calls[] = {{"RpQuaternion_Interpolate", 9}, {"RpQuaternion_ToMatrix", 4}};
    for (int side = 0; side < LIFT_SIDES; side++) {
        if (!comparison->paths->pairs[side])
            continue;
        const Provider *provider = LiftPair_Provider(comparison->paths->pairs[side]);
        const bool is_ours = !provider->modified && (provider->kind == PROVIDER_STANDIN ||
                                                     provider->kind == PROVIDER_REPLACEMENT);
        if (!is_ours && !(laws & LIFT_LAW_MEMORY))
            return;
    }
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        const uint32_t name = ExpressionGraph_Name(comparison->paths->graph, calls[i].name);
        for (uint32_t input = 0; input < calls[i].inputs; input++)
            LiftRules_CallLoads(comparison->rules, name, input);
    }
}

static RpStatus Comparison_Begin(Comparison *comparison, LiftPaths *paths, uint32_t laws,
                                 LiftSame *same, RpError *error) {
    *comparison = (Comparison){.paths = paths, .same = same, .is_tree = true};
    comparison->rules = LiftRules_Create(paths->graph, laws);
    comparison->facts = comparison->rules ? LiftFacts_Create(comparison->rules) : NULL;
    comparison->different = calloc(MOST_DIFFERENT, sizeof *comparison->different);
    if (!comparison->facts || !comparison->different)
        return NoMemory(error);
    NameLoadingCalls(comparison, laws);

    /* The memory of a list has room for a few elements, so its length is limited in all runs. The
     * verdict holds for lengths up to that. */
    ExpressionGraph *graph = paths->graph;
    const LiftInput *input = &paths->found[0][0].input;
    same->limits[0] = '\0';
    for (uint32_t i = 0; i < input->part_count; i++) {
        const LiftPart *part = &input->parts[i];
        if (part->most == 0 || part->address != 0 || part->size != sizeof(uint32_t))
            continue;
        const LiftTest limit = {
            .kind = LIFT_TEST_INTEGER,
            .left = Expression_Input(graph, ExpressionGraph_Name(graph, part->name), 0, 32),
            .intervals = {{0, part->most}},
            .interval_count = 1};
        LiftFacts_Add(comparison->facts, &limit);
        const size_t used = strlen(same->limits);
        snprintf(same->limits + used, sizeof same->limits - used, "%s%s 0 to %u", used ? ", " : "",
                 part->name, (unsigned)part->most);
    }

    for (int side = 0; side < LIFT_SIDES; side++) {
        const uint32_t count = paths->found_count[side];
        const LiftPath **all = calloc(count + 1u, sizeof *all);
        comparison->is_visited[side] = calloc(count + 1u, sizeof(bool));
        if (!all || !comparison->is_visited[side]) {
            free(all);
            return NoMemory(error);
        }
        for (uint32_t i = 0; i < count; i++)
            all[i] = paths->found[side][i].path;
        const bool is_made = LiftTree_Make(&comparison->trees[side], comparison->rules, all, count);
        free(all);
        if (!is_made)
            return NoMemory(error);
    }
    return RP_OK;
}

/* Whether some condition depends on where parameters are. */
static bool DependsOnPlaces(const Comparison *comparison) {
    for (int side = 0; side < LIFT_SIDES; side++) {
        for (uint32_t i = 0; i < comparison->trees[side].count; i++) {
            const LiftTreePath *path = &comparison->trees[side].paths[i];
            for (uint32_t k = 0; k < path->path->condition_count; k++) {
                if (path->tests[k].is_of_places)
                    return true;
            }
        }
    }
    return false;
}

/* Whether a function that writes to memory has more than one pointer to it. */
static bool HasSeveralPointers(const LiftPaths *paths) {
    const LiftInput *input = &paths->found[LIFT_ORIGINAL][0].input;
    uint32_t pointers = 0;
    for (uint32_t i = 0; i < input->part_count; i++)
        pointers += input->parts[i].address != 0;
    for (int side = 0; side < LIFT_SIDES && pointers > 1; side++) {
        for (uint32_t i = 0; i < paths->found_count[side]; i++) {
            const LiftPath *path = paths->found[side][i].path;
            if (path->output_count > 0 && path->outputs[0].place == LIFT_MEMORY)
                return true;
        }
    }
    return false;
}

static void NameCallsIn(const LiftPaths *paths, const Expression *e, bool *seen, LiftSame *same) {
    if (seen[e->id])
        return;
    seen[e->id] = true;
    if (e->operation == EXPRESSION_CALL) {
        /* The verdict names the slots that the call may be of. Slots that are one routine have one
         * name in the graph. */
        const char *body = ExpressionGraph_NameOf(paths->graph, e->region);
        for (size_t i = 0; i < abi_function_count; i++) {
            const AbiFunction *slot = &abi_functions[i];
            if (slot->kind != ABI_SLOT || strcmp(slot->body, body) != 0 ||
                strstr(same->calls, slot->name) || !Abi_Reaches(paths->function, slot))
                continue;
            const size_t used = strlen(same->calls);
            snprintf(same->calls + used, sizeof same->calls - used, "%s%s", used ? ", " : "",
                     slot->name);
        }
    }
    for (uint32_t i = 0; i < e->count; i++)
        NameCallsIn(paths, e->operands[i], seen, same);
}

/* Compares all pairs of paths under a set of laws. */
static RpStatus CompareUnder(Comparison *comparison, LiftPaths *paths, uint32_t laws,
                             LiftSame *same, RpError *error) {
    const RpStatus status = Comparison_Begin(comparison, paths, laws, same, error);
    if (status)
        return status;

    /* Each tree is walked alone, which has to come to every path, because a run took it. Where the
     * original's is complete, each side of the replacement's that is open is open at one of its
     * leaves, and looked for there, because more is known there. */
    for (int side = 0; side < LIFT_SIDES; side++) {
        const LiftTreeVisitor alone = {Visit, NoteOpen, comparison};
        comparison->side = side;
        comparison->counts_open = side == LIFT_ORIGINAL || !same->complete[0];
        comparison->is_tree &= LiftTree_Walk(&comparison->trees[side], comparison->facts, &alone);
    }

    /* Then both are walked together. */
    const LiftTreeVisitor together = {VisitOriginal, NoteOpen, comparison};
    comparison->counts_open = same->complete[LIFT_ORIGINAL];
    comparison->side = LIFT_ORIGINAL;
    comparison->is_tree &=
        LiftTree_Walk(&comparison->trees[LIFT_ORIGINAL], comparison->facts, &together);
    if (comparison->failed || LiftFacts_HasFailed(comparison->facts) ||
        ExpressionGraph_HasFailed(paths->graph))
        return NoMemory(error);
    return RP_OK;
}

/* ---- where two paths differ ------------------------------------------------------------------ */

/* Returns the last step before `end` that made an expression; else the first one after it. */
static uint32_t StepThatMade(const LiftPath *path, const Expression *e, uint32_t end) {
    uint32_t found = LIFT_NO_STEP;
    for (uint32_t i = 0; i < path->step_count; i++) {
        const LiftStep *step = &path->steps[i];
        for (uint32_t k = 0; k < step->made_count; k++) {
            if (path->made[step->first_made + k] == e && (i <= end || found == LIFT_NO_STEP))
                found = i;
        }
    }
    return found;
}

/* Goes from two different expressions to the first operands that differ while the operations are
 * the same, and so to the first step that does. */
static void Descend(Comparison *comparison, const LiftPath *const paths[LIFT_SIDES],
                    const Expression *a, const Expression *b, const uint32_t ends[LIFT_SIDES],
                    LiftDifference *difference) {
    uint32_t steps[LIFT_SIDES] = {ends[0], ends[1]};
    for (;;) {
        const uint32_t made[LIFT_SIDES] = {StepThatMade(paths[0], a, steps[0]),
                                           StepThatMade(paths[1], b, steps[1])};
        for (int side = 0; side < LIFT_SIDES; side++) {
            if (made[side] != LIFT_NO_STEP)
                steps[side] = made[side];
        }
        difference->values[0] = a;
        difference->values[1] = b;
        if (a->operation != b->operation || a->count != b->count || a->count == 0 ||
            a->control != b->control || a->region != b->region || a->value != b->value ||
            a->bits != b->bits)
            break;
        /* Operands that can be exchanged are laid against each other so that one pair agrees. */
        const Expression *const *left = a->operands;
        const Expression *right[2] = {b->operands[0], b->count > 1 ? b->operands[1] : NULL};
        const bool commutes = a->operation == EXPRESSION_X87_ADD ||
                              a->operation == EXPRESSION_X87_MUL ||
                              a->operation == EXPRESSION_ADD || a->operation == EXPRESSION_MUL;
        if (commutes && !IsSameValue(comparison, left[0], right[0]) &&
            !IsSameValue(comparison, left[1], right[1]) &&
            (IsSameValue(comparison, left[0], right[1]) ||
             IsSameValue(comparison, left[1], right[0]))) {
            right[0] = b->operands[1];
            right[1] = b->operands[0];
        }
        /* Operands the other way round are a difference of this operation, not of the operands. */
        if (a->count == 2 && IsSameValue(comparison, left[0], right[1]) &&
            IsSameValue(comparison, left[1], right[0]))
            break;
        uint32_t next = a->count;
        uint32_t next_step = LIFT_NO_STEP;
        for (uint32_t i = 0; i < a->count; i++) {
            const Expression *other = i < 2 ? right[i] : b->operands[i];
            if (IsSameValue(comparison, left[i], other))
                continue;
            const uint32_t step = StepThatMade(paths[0], left[i], steps[0]);
            if (next == a->count || step < next_step) {
                next = i;
                next_step = step;
            }
        }
        if (next == a->count)
            break;
        b = next < 2 ? right[next] : b->operands[next];
        a = left[next];
    }
    difference->steps[0] = steps[0];
    difference->steps[1] = steps[1];
}

/* Returns the condition of a path that asks the same as one of the other side, or asks for one of
 * the same numbers. */
static const LiftCondition *Counterpart(Comparison *comparison, const LiftPath *path,
                                        const LiftCondition *condition) {
    const LiftTest asked = LiftRules_Test(comparison->rules, condition);
    const LiftCondition *alike = NULL;
    for (uint32_t i = 0; i < path->condition_count; i++) {
        const LiftTest test = LiftRules_Test(comparison->rules, &path->conditions[i]);
        if (test.kind != asked.kind || !test.left)
            continue;
        const bool left = test.left == asked.left, right = test.right == asked.right;
        if (left && right)
            return &path->conditions[i];
        if ((left || (right && test.right)) && !alike)
            alike = &path->conditions[i];
    }
    return alike;
}

static void DescribeConditions(Comparison *comparison, const LiftPath *const paths[LIFT_SIDES],
                               LiftDifference *difference) {
    const LiftCondition **conditions = difference->conditions;
    difference->kind = LIFT_DIFFERENT_CONDITION;
    /* Of two that ask the same, the outcomes differ. Else the first step that only one side has is
     * told, if there is one. */
    const bool ask_the_same = conditions[0] && conditions[1] &&
                              LiftRules_AskTheSame(comparison->rules, conditions[0], conditions[1]);
    bool is_foreign[LIFT_SIDES] = {false, false};
    for (int side = 0; side < LIFT_SIDES && !ask_the_same; side++) {
        /* In the order of execution, the first step of the path that made a part of its result
         * which no path of the other side has. */
        const uint32_t count = comparison->trees[1 - side].count;
        const LiftPath **others = calloc(count + 1u, sizeof *others);
        LiftForeign first;
        for (uint32_t i = 0; others && i < count; i++)
            others[i] = PathOf(comparison, 1 - side, i);
        is_foreign[side] =
            others && LiftForeign_List(comparison->rules, comparison->paths->signature, paths[side],
                                       others, count, &first, 1) > 0;
        free(others);
        if (is_foreign[side]) {
            difference->steps[side] = first.step;
            difference->values[side] = first.value;
        }
    }
    if (!ask_the_same && !is_foreign[0] && !is_foreign[1]) {
        for (int side = LIFT_SIDES - 1; side >= 0; side--) {
            const LiftCondition *alike =
                conditions[side] ? Counterpart(comparison, paths[1 - side], conditions[side])
                                 : NULL;
            if (alike && LiftRules_AskTheSame(comparison->rules, conditions[side], alike))
                conditions[1 - side] = alike;
        }
    }
    for (int side = 0; side < LIFT_SIDES; side++) {
        if (!is_foreign[side] && conditions[side])
            difference->steps[side] = conditions[side]->step;
    }
}

static void Describe(Comparison *comparison, const uint32_t found[LIFT_SIDES],
                     LiftDifference *difference) {
    const LiftPath *paths[LIFT_SIDES];
    memset(difference, 0, sizeof *difference);
    for (int side = 0; side < LIFT_SIDES; side++) {
        paths[side] = PathOf(comparison, side, found[side]);
        difference->found[side] = found[side];
        difference->steps[side] = LIFT_NO_STEP;
    }
    for (int side = 0; side < LIFT_SIDES; side++) {
        /* If some path of a side has the result of the other side's path, the calls took the wrong
         * side of a branch: at the condition at which that path parts from this one, or of several,
         * at the last one. */
        const LiftCondition *last = NULL;
        for (uint32_t i = 0; i < comparison->trees[side].count; i++) {
            const LiftPath *right = PathOf(comparison, side, i);
            if (right == paths[side] || !HasSameResult(comparison, right, paths[1 - side]))
                continue;
            const LiftPath *path = paths[side];
            const LiftCondition *parting = NULL;
            for (uint32_t k = 0;
                 !parting && k < path->condition_count && k < right->condition_count; k++) {
                if (path->conditions[k].outcomes != right->conditions[k].outcomes)
                    parting = &path->conditions[k];
            }
            if (parting && (!last || parting > last))
                last = parting;
        }
        difference->conditions[side] = last;
    }
    if (difference->conditions[0] || difference->conditions[1]) {
        for (int side = 0; side < LIFT_SIDES; side++) {
            if (!difference->conditions[side])
                difference->conditions[side] =
                    Counterpart(comparison, paths[side], difference->conditions[1 - side]);
        }
        DescribeConditions(comparison, paths, difference);
        return;
    }
    if (paths[0]->end != paths[1]->end) {
        difference->kind = LIFT_DIFFERENT_END;
        return;
    }
    const LiftOutput *output = DifferentOutput(comparison, paths[0], paths[1]);
    int side = LIFT_ORIGINAL;
    if (!output) {
        output = DifferentOutput(comparison, paths[1], paths[0]);
        side = LIFT_REPLACEMENT;
    }
    if (!output) {
        difference->kind = LIFT_DIFFERENT_CONVENTION;
        return;
    }
    difference->kind = LIFT_DIFFERENT_OUTPUT;
    difference->outputs[side] = output;
    difference->outputs[1 - side] = LiftPath_OutputAt(paths[1 - side], output);
    uint32_t steps[LIFT_SIDES];
    const Expression *values[LIFT_SIDES];
    for (int i = 0; i < LIFT_SIDES; i++) {
        const LiftOutput *of = difference->outputs[i];
        steps[i] = of ? of->step : paths[i]->step_count;
        values[i] = ValueAt(comparison->paths->graph, paths[i], output);
    }
    if (values[0] && values[1])
        Descend(comparison, paths, values[0], values[1], steps, difference);
}

/* ---- the verdict ----------------------------------------------------------------------------- */

/* Finds a path, which a run took, that no walk came to: its conditions contradict each other. */
static bool FindContradictory(const Comparison *comparison, int *side, uint32_t *found) {
    for (*side = 0; *side < LIFT_SIDES; ++*side) {
        for (*found = 0; *found < comparison->paths->found_count[*side]; ++*found) {
            if (!comparison->is_visited[*side][*found])
                return true;
        }
    }
    return false;
}

/* Says whether all pairs of paths have the same results under a set of laws. */
static RpStatus IsSameUnder(LiftPaths *paths, uint32_t laws, bool *is_same, RpError *error) {
    Comparison comparison;
    LiftSame under = {.complete = {true, true}}; /* what is open is known already */
    int side;
    uint32_t found;
    const RpStatus status = CompareUnder(&comparison, paths, laws, &under, error);
    *is_same = !status && comparison.is_tree && comparison.different_count == 0 &&
               !FindContradictory(&comparison, &side, &found);
    LiftSame_Free(&under);
    Comparison_End(&comparison);
    return status;
}

/* Finds the fewest laws with which all pairs of paths have the same results; 0 if there are none.
 * Of more than two, finds some of which each is needed. */
static RpStatus FindLaws(LiftPaths *paths, uint32_t *laws, RpError *error) {
    const uint32_t all = (1u << LIFT_LAW_COUNT) - 1;
    bool is_same = false;
    RpStatus status = RP_OK;
    for (int count = 1; count <= 2; count++) {
        for (uint32_t set = 1; !status && !is_same && set < all; set++) {
            if (__builtin_popcount(set) != count)
                continue;
            status = IsSameUnder(paths, set, &is_same, error);
            *laws = set;
        }
    }
    if (status || is_same)
        return status;
    status = IsSameUnder(paths, all, &is_same, error);
    *laws = is_same ? all : 0;
    if (!is_same)
        return status;
    /* The last ones have the most exceptions. */
    for (uint32_t law = 1u << (LIFT_LAW_COUNT - 1); !status && law > 0; law >>= 1) {
        status = IsSameUnder(paths, *laws & ~law, &is_same, error);
        if (is_same)
            *laws &= ~law;
    }
    return status;
}

static void Say(LiftSame *same, LiftVerdict verdict, const char *reason) {
    same->verdict = verdict;
    snprintf(same->reason, sizeof same->reason, "%s", reason);
}

/* Describes the pair of paths that shows most: one that an input with different bits took, and of
 * those the one that differs first. */
static RpStatus Choose(Comparison *comparison, const LiftSameOptions *options, RpError *error) {
    enum { MOST_DESCRIBED = 200 };
    LiftPaths *paths = comparison->paths;
    LiftSame *same = comparison->same;
    LiftDifference *best = &same->difference;
    const uint32_t described =
        comparison->different_count < MOST_DESCRIBED ? comparison->different_count : MOST_DESCRIBED;
    const LiftMeeting *witness = NULL;
    for (uint32_t i = 0; i < described; i++) {
        const uint32_t *found = comparison->different[i].found;
        const LiftMeeting *meeting = LiftWitness_Meeting(paths, found);
        const bool shows = meeting && meeting->differs;
        if (witness && !shows)
            continue;
        LiftDifference next;
        Describe(comparison, found, &next);
        if (same->has_difference && !(shows && !witness) &&
            next.steps[LIFT_ORIGINAL] >= best->steps[LIFT_ORIGINAL])
            continue;
        *best = next;
        same->has_difference = true;
        if (shows)
            witness = meeting;
    }
    RpStatus status = RP_OK;
    if (witness) {
        status = LiftInput_Copy(&witness->differing, &best->witness, error);
        best->has_witness = !status;
        return status;
    }
    /* No input took any of them by chance. The one that differs first is searched longest. */
    for (uint32_t i = 0; !status && !best->has_witness && i <= described; i++) {
        uint32_t found[LIFT_SIDES];
        memcpy(found, i == 0 ? best->found : comparison->different[i - 1].found, sizeof found);
        const uint32_t most = i == 0 ? options->most_searched / 2
                                     : options->most_searched / 2 / (described ? described : 1);
        LiftInput input;
        bool is_found;
        status = LiftWitness_Search(paths, found, most, &same->searched, &input, &is_found, error);
        if (status || !is_found)
            continue;
        if (i > 0)
            Describe(comparison, found, best);
        best->witness = input;
        best->has_witness = true;
    }
    return status;
}

/* Whether two calls left different bits although their paths have the same expressions. */
static const LiftMeeting *Contradiction(const Comparison *comparison) {
    const LiftPaths *paths = comparison->paths;
    for (uint32_t i = 0; i < paths->meeting_count; i++) {
        const LiftMeeting *meeting = &paths->meetings[i];
        bool is_known = comparison->different_count > MOST_DIFFERENT;
        for (uint32_t k = 0; !is_known && k < comparison->different_count; k++)
            is_known =
                memcmp(comparison->different[k].found, meeting->found, sizeof meeting->found) == 0;
        if (meeting->differs && !is_known)
            return meeting;
    }
    return NULL;
}

/* Says what the paths themselves do not allow to be compared; returns whether there is something.
 */
static bool CannotBeCompared(Comparison *comparison) {
    LiftSame *same = comparison->same;
    const LiftPaths *paths = comparison->paths;
    static const char *const names[LIFT_SIDES] = {"original", "replacement"};
    for (int side = 0; side < LIFT_SIDES; side++) {
        for (uint32_t i = 0; i < paths->found_count[side]; i++) {
            const LiftPath *path = paths->found[side][i].path;
            if (path->end == LIFT_RETURNED)
                continue;
            same->verdict = LIFT_CANNOT_SAY;
            snprintf(same->reason, sizeof same->reason, "the %s's path %u ends early: %.120s",
                     names[side], i + 1, path->reason);
            return true;
        }
        for (uint32_t i = 0; i < paths->found_count[side]; i++) {
            const LiftPath *path = paths->found[side][i].path;
            for (uint32_t k = 0; k < path->output_count; k++) {
                const LiftOutput *output = &path->outputs[k];
                if (!LiftOutput_IsSeen(paths->signature, output) || !output->value ||
                    Expression_IsModelled(paths->graph, output->value))
                    continue;
                same->verdict = LIFT_CANNOT_SAY;
                snprintf(same->reason, sizeof same->reason,
                         "what the %s's path %u returns depends on what is not modelled",
                         names[side], i + 1);
                return true;
            }
        }
    }
    if (!comparison->is_tree) {
        Say(same, LIFT_CANNOT_SAY,
            "after the same outcomes, two runs asked different things: the function depends on "
            "something that is not an input");
        return true;
    }
    int side;
    uint32_t found;
    if (FindContradictory(comparison, &side, &found)) {
        same->verdict = LIFT_CANNOT_SAY;
        snprintf(same->reason, sizeof same->reason,
                 "the conditions of the %s's path %u, which a run took, contradict each other",
                 names[side], found + 1);
        return true;
    }
    return false;
}

/* Compares all pairs of paths under the exact rules, and finds out what is open. */
static RpStatus CompareAll(Comparison *comparison, LiftPaths *paths, LiftSame *same,
                           RpError *error) {
    same->complete[0] = same->complete[1] = true;
    same->open_count = 0;
    RpStatus status = CompareUnder(comparison, paths, 0, same, error);
    if (status)
        return status;
    same->pairs = comparison->pairs;
    same->has_places = DependsOnPlaces(comparison);
    same->is_apart = same->has_places || HasSeveralPointers(paths);
    same->different = comparison->different_count;

    /* The slots whose calls stand in what the paths of both sides ask and leave are named. */
    bool *seen = calloc(ExpressionGraph_Count(paths->graph), sizeof *seen);
    if (!seen)
        return NoMemory(error);
    same->calls[0] = '\0';
    for (int side = 0; side < LIFT_SIDES; side++) {
        for (uint32_t i = 0; i < paths->found_count[side]; i++) {
            const LiftPath *path = paths->found[side][i].path;
            for (uint32_t k = 0; k < path->condition_count; k++) {
                NameCallsIn(paths, path->conditions[k].left, seen, same);
                NameCallsIn(paths, path->conditions[k].right, seen, same);
            }
            for (uint32_t k = 0; k < path->output_count; k++) {
                if (LiftOutput_IsSeen(paths->signature, &path->outputs[k]))
                    NameCallsIn(paths, path->outputs[k].value, seen, same);
            }
        }
    }
    free(seen);
    return RP_OK;
}

/* Compares all pairs, searches inputs for the open sides of branches that were not searched before,
 * and begins anew until nothing more is found. */
static RpStatus CompareAndReach(Comparison *comparison, LiftPaths *paths,
                                const LiftSameOptions *options, LiftSame *same, RpError *error) {
    const LiftCondition **tried = calloc(MOST_TRIED, sizeof *tried);
    uint32_t tried_count = 0;
    bool is_new = true;
    RpStatus status = tried ? RP_OK : NoMemory(error);
    for (uint32_t round = 0; !status && is_new; round++) {
        Comparison_End(comparison);
        status = CompareAll(comparison, paths, same, error);
        is_new = false;
        if (!status && same->different == 0 && round < MOST_NEW_ROUNDS) {
            for (uint32_t i = 0; !status && i < same->open_count; i++) {
                const LiftOpen *open = &same->open[i];
                bool is_done = open->pinned || open->rounds >= MOST_REACHED_ROUNDS ||
                               tried_count == MOST_TRIED ||
                               same->searched >= options->most_in_all ||
                               paths->found_count[open->side] >= options->most_paths;
                for (uint32_t k = 0; k < tried_count && !is_done; k++)
                    is_done = tried[k] == open->condition;
                if (is_done)
                    continue;
                tried[tried_count++] = open->condition;
                const LiftPath *path = paths->found[open->side][open->found].path;
                bool is_found;
                status = LiftWitness_Reach(
                    paths, open->side, open->found, (uint32_t)(open->condition - path->conditions),
                    options->most_reached, &same->searched, &is_found, error);
                is_new |= is_found;
            }
        }
    }
    free(tried);
    return status;
}

RpStatus LiftSame_Reach(LiftPaths *paths, const LiftSameOptions *options, RpError *error) {
    Comparison comparison = {0};
    LiftSame same = {0};
    const RpStatus status = paths->found_count[0] == 0
                                ? RP_OK
                                : CompareAndReach(&comparison, paths, options, &same, error);
    Comparison_End(&comparison);
    LiftSame_Free(&same);
    return status;
}

RpStatus LiftSame_Compare(LiftPaths *paths, const LiftSameOptions *options, LiftSame *same,
                          RpError *error) {
    *same = (LiftSame){0};
    if (paths->found_count[0] == 0 || paths->found_count[1] == 0) {
        Say(same, LIFT_CANNOT_SAY, "no run");
        return RP_OK;
    }
    Comparison comparison = {0};
    RpStatus status = CompareAndReach(&comparison, paths, options, same, error);

    /* Of several open sides that ask the same, the first one stays. */
    uint32_t kept = 0;
    for (uint32_t i = 0; i < same->open_count; i++) {
        const LiftCondition *condition = same->open[i].condition;
        bool is_known = false;
        for (uint32_t k = 0; k < kept && !is_known; k++) {
            const LiftCondition *known = same->open[k].condition;
            is_known = same->open[k].side == same->open[i].side && known->left == condition->left &&
                       known->right == condition->right && known->outcomes == condition->outcomes;
        }
        if (!is_known)
            same->open[kept++] = same->open[i];
    }
    same->open_count = kept;

    if (status) {
        Comparison_End(&comparison);
        return status;
    }

    const bool cannot = CannotBeCompared(&comparison);
    const LiftMeeting *contradiction = Contradiction(&comparison);
    if (comparison.different_count > 0) {
        if (!cannot)
            status = FindLaws(paths, &same->laws, error);
        if (!status)
            status = Choose(&comparison, options, error);
        if (status) {
            Comparison_End(&comparison);
            return status;
        }
    } else if (contradiction) {
        same->has_difference = true;
        same->difference =
            (LiftDifference){.found = {contradiction->found[0], contradiction->found[1]},
                             .kind = LIFT_DIFFERENT_BITS,
                             .steps = {LIFT_NO_STEP, LIFT_NO_STEP}};
        status = LiftInput_Copy(&contradiction->differing, &same->difference.witness, error);
        same->difference.has_witness = !status;
    }

    if (same->has_difference && same->difference.kind == LIFT_DIFFERENT_BITS) {
        if (!cannot)
            Say(same, LIFT_CANNOT_SAY,
                same->calls[0] ? "the expressions are the same, but a call left different bits: an "
                                 "instruction was interpreted wrongly, or a function that was cut "
                                 "out differs"
                               : "the expressions are the same, but a call left different bits: an "
                                 "instruction was interpreted wrongly");
    } else if (same->has_difference && same->difference.has_witness && same->laws == 0)
        Say(same, LIFT_DIFFERS, "");
    else if (!cannot && comparison.different_count > 0 && same->laws == 0)
        Say(same, LIFT_CANNOT_SAY,
            "conditions of paths with different results overlap, and no input was found that "
            "fulfils them and shows a difference");
    else if (!cannot)
        Say(same, same->complete[0] && same->complete[1] ? LIFT_SAME_ALWAYS : LIFT_SAME_ON_PATHS,
            "");
    Comparison_End(&comparison);
    return status;
}
