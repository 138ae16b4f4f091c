#include "replay/lift/lift_names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct LiftNames {
    LiftInputContext
        inputs; /* the first member: a printer has one context for both of its functions */
    const ExpressionGraph *graph;
    uint32_t *uses;    /* by id: in how many places an expression is */
    uint32_t *numbers; /* by id: 1 + its number, or 0 */
    const Expression **named;
    char (*texts)[12];
    uint32_t count, most;
    uint16_t control;
};

static void CountUses(LiftNames *names, const Expression *expression) {
    if (names->uses[expression->id]++ > 0)
        return;
    if (expression->id > names->most)
        names->most = expression->id;
    for (uint32_t i = 0; i < expression->count; i++)
        CountUses(names, expression->operands[i]);
}

/* Returns whether an expression is an input or a constant, or what is loaded of one: it is as short
 * as a name. */
static bool IsPlain(const Expression *expression) {
    switch (expression->operation) {
    case EXPRESSION_X87_LOAD32:
    case EXPRESSION_X87_LOAD64:
    case EXPRESSION_X87_OPERAND32:
    case EXPRESSION_X87_OPERAND64:
    case EXPRESSION_X87_NEG:
    case EXPRESSION_EXTRACT:
    case EXPRESSION_ZERO_EXTEND:
    case EXPRESSION_SIGN_EXTEND:
    case EXPRESSION_OUTPUT:
        return IsPlain(expression->operands[0]);
    case EXPRESSION_CALL:
        return false;
    default:
        return expression->count == 0;
    }
}

LiftNames *LiftNames_Create(const LiftPaths *paths, int side, uint32_t found) {
    const LiftFound *of = &paths->found[side][found];
    const uint32_t count = ExpressionGraph_Count(paths->graph);
    LiftNames *names = calloc(1, sizeof *names);
    if (!names)
        return NULL;
    names->graph = paths->graph;
    names->inputs = (LiftInputContext){&of->input, paths->graph};
    names->control = LiftPair_Setup(paths->pairs[side])->control;
    names->uses = calloc(count + 1u, sizeof *names->uses);
    names->numbers = calloc(count + 1u, sizeof *names->numbers);
    if (names->uses && names->numbers) {
        for (uint32_t i = 0; i < of->path->condition_count; i++) {
            CountUses(names, of->path->conditions[i].left);
            CountUses(names, of->path->conditions[i].right);
        }
        for (uint32_t i = 0; i < of->path->output_count; i++)
            if (LiftOutput_IsSeen(paths->signature, &of->path->outputs[i]))
                CountUses(names, of->path->outputs[i].value);
    }

    /* Operands have lower ids than what is made of them. */
    uint32_t named = 0;
    for (uint32_t id = 0; names->uses && id <= names->most; id++)
        named += names->uses[id] > 1 && !IsPlain(ExpressionGraph_At(paths->graph, id));
    names->named = calloc(named + 1u, sizeof *names->named);
    names->texts = calloc(named + 1u, sizeof *names->texts);
    if (!names->uses || !names->numbers || !names->named || !names->texts) {
        LiftNames_Destroy(names);
        return NULL;
    }
    for (uint32_t id = 0; id <= names->most; id++) {
        const Expression *expression = ExpressionGraph_At(paths->graph, id);
        if (names->uses[id] <= 1 || IsPlain(expression))
            continue;
        names->named[names->count] = expression;
        snprintf(names->texts[names->count], sizeof *names->texts, "v%" PRIu32, names->count + 1);
        names->numbers[id] = ++names->count;
    }
    return names;
}

void LiftNames_Destroy(LiftNames *names) {
    if (!names)
        return;
    free(names->uses);
    free(names->numbers);
    free(names->named);
    free(names->texts);
    free(names);
}

uint32_t LiftNames_Count(const LiftNames *names) {
    return names->count;
}

const Expression *LiftNames_At(const LiftNames *names, uint32_t number) {
    return names->named[number];
}

const char *LiftNames_Of(const LiftNames *names, const Expression *expression) {
    const uint32_t number = expression->id <= names->most ? names->numbers[expression->id] : 0;
    return number ? names->texts[number - 1] : NULL;
}

static const char *Given(void *context, const Expression *expression) {
    return LiftNames_Of(context, expression);
}

ExpressionPrinter LiftNames_Printer(LiftNames *names) {
    return (ExpressionPrinter){.graph = names->graph,
                               .name = LiftInput_NameOf,
                               .given = Given,
                               .context = names,
                               .usual_control = names->control};
}

LiftInputContext *LiftNames_Inputs(LiftNames *names) {
    return &names->inputs;
}
