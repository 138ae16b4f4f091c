#include "replay/lift/lift_parting.h"

#include "replay/lift/lift_foreign.h"
#include "replay/lift/lift_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FOREIGN = 512 };

/* ---- one call -------------------------------------------------------------------------------- */

/* Both paths of one call, and what their expressions are worth in it. */
typedef struct Call {
    const LiftPaths *paths;
    const LiftPath *sides[LIFT_SIDES];
    LiftInputContext inputs;
    ExpressionEvaluator *evaluator;
    Parting *parting;
} Call;

/* Writes bits as digits: those of 80 bits with the exponent first, as `retropose show` does. */
static void PutBits(const Expression *expression, ExpressionValue value, char *text, size_t size) {
    const int digits = expression->bits > 64 ? 16 : (expression->bits + 3) / 4;
    if (expression->bits > 64)
        snprintf(text, size, "%04" PRIX16 "%016" PRIX64, value.head, value.low);
    else
        snprintf(text, size, "%0*" PRIX64, digits, value.low);
}

static void PutOperands(const Call *call, const Expression *const *operands, uint32_t count,
                        char *text, size_t size) {
    size_t used = 0;
    for (uint32_t i = 0; i < count && used < size; i++) {
        char bits[32] = "?";
        ExpressionValue value;
        if (ExpressionEvaluator_Value(call->evaluator, operands[i], &value))
            PutBits(operands[i], value, bits, sizeof bits);
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", bits);
    }
}

/* Says where a step is and what it computes. */
static void PutStep(const Call *call, int side, uint32_t number, const Expression *value) {
    PartingSide *to = &call->parting->sides[side];
    LiftPair *pair = call->paths->pairs[side];
    const LiftStep *step = &call->sides[side]->steps[number];
    const ExpressionPrinter printer = {.graph = call->paths->graph,
                                       .name = LiftInput_NameOf,
                                       .most_bytes = sizeof to->formula / 2,
                                       .context = (void *)(uintptr_t)&call->inputs,
                                       .usual_control = LiftPair_Setup(pair)->control};
    ExpressionValue bits;
    RpBuffer formula;
    RpBuffer_Init(&formula, NULL);
    LiftPair_Locate(pair, step->address, to->where, sizeof to->where);
    LiftStep_Text(step, to->instruction, sizeof to->instruction);
    Expression_Print(&printer, value, &formula);
    snprintf(to->formula, sizeof to->formula, "%.*s", (int)formula.size,
             (const char *)formula.bytes);
    RpBuffer_Free(&formula);

    static const char *const directions[4] = {"to nearest", "down", "up", "to zero"};
    static const char *const precisions[4] = {"24 bits", "?", "53 bits", "64 bits"};
    const bool is_sse =
        value->operation >= EXPRESSION_SSE_ADD && value->operation <= EXPRESSION_SSE_CONVERT;
    const bool is_precise =
        value->operation >= EXPRESSION_X87_ADD && value->operation <= EXPRESSION_X87_SQRT;
    char whole[16];
    snprintf(whole, sizeof whole, "%u bits", (unsigned)value->bits);
    if (Expression_IsRounded(value))
        snprintf(to->rounding, sizeof to->rounding, "%s, %s",
                 is_precise ? precisions[value->control >> 8 & 3] : whole,
                 directions[(is_sse ? value->control >> 13 : value->control >> 10) & 3]);
    PutOperands(call, value->operands, value->count, to->operands, sizeof to->operands);
    if (ExpressionEvaluator_Value(call->evaluator, value, &bits))
        PutBits(value, bits, to->value, sizeof to->value);
}

/* Takes what both sides compute, in whichever way, out of both lists. */
static void DropEqualBits(const Call *call, LiftForeign *lists[LIFT_SIDES],
                          uint32_t counts[LIFT_SIDES]) {
    for (uint32_t i = 0; i < counts[0];) {
        const Expression *a = lists[0][i].value;
        ExpressionValue of_a, of_b;
        uint32_t k = counts[1];
        if (ExpressionEvaluator_Value(call->evaluator, a, &of_a))
            for (k = 0; k < counts[1]; k++) {
                const Expression *b = lists[1][k].value;
                if (a->bits == b->bits && ExpressionEvaluator_Value(call->evaluator, b, &of_b) &&
                    of_a.low == of_b.low && of_a.head == of_b.head)
                    break;
            }
        if (k == counts[1]) {
            i++;
            continue;
        }
        memmove(&lists[0][i], &lists[0][i + 1], (--counts[0] - i) * sizeof *lists[0]);
        memmove(&lists[1][k], &lists[1][k + 1], (--counts[1] - k) * sizeof *lists[1]);
    }
}

/* Finds the first steps whose results differ, or the branches before them at which both sides
 * compare the same and go on for other outcomes. Returns whether there are any. */
static RpStatus FindSteps(const Call *call, bool *is_found, RpError *error) {
    LiftRules *rules = LiftRules_Create(call->paths->graph, 0);
    LiftForeign *lists[LIFT_SIDES] = {malloc(MOST_FOREIGN * sizeof *lists[0]),
                                      malloc(MOST_FOREIGN * sizeof *lists[1])};
    uint32_t counts[LIFT_SIDES] = {0, 0};
    const LiftCondition *branches[LIFT_SIDES] = {NULL, NULL};
    *is_found = false;
    RpStatus status = rules && lists[0] && lists[1]
                          ? RP_OK
                          : RpMemory_Refused(error, "no memory for the steps of a call");
    for (int side = 0; !status && side < LIFT_SIDES; side++) {
        const LiftPath *path = call->sides[side], *other = call->sides[1 - side];
        counts[side] = LiftForeign_List(rules, call->paths->signature, path, &other, 1, lists[side],
                                        MOST_FOREIGN);

        /* A branch is the first condition of a path that the other path does not have. */
        for (uint32_t i = 0; !branches[side] && i < path->condition_count; i++) {
            const LiftTest test = LiftRules_Test(rules, &path->conditions[i]);
            bool is_there = test.kind == LIFT_TEST_ALWAYS;
            for (uint32_t k = 0; !is_there && k < other->condition_count; k++) {
                const LiftTest asked = LiftRules_Test(rules, &other->conditions[k]);
                is_there = LiftTest_IsSame(&test, &asked);
            }
            if (!is_there)
                branches[side] = &path->conditions[i];
        }
    }
    bool is_branch = false;
    if (!status) {
        DropEqualBits(call, lists, counts);
        is_branch =
            branches[0] && branches[1] && LiftRules_AskTheSame(rules, branches[0], branches[1]);
    }
    for (int side = 0; side < LIFT_SIDES; side++)
        is_branch &=
            counts[side] == 0 || (branches[side] && branches[side]->step < lists[side][0].step);
    call->parting->is_branch = is_branch;
    for (int side = 0; side < LIFT_SIDES; side++) {
        if (is_branch) {
            const LiftCondition *condition = branches[side];
            PutStep(call, side, condition->step, condition->left);
            PartingSide *to = &call->parting->sides[side];
            const ExpressionPrinter printer = {
                .graph = call->paths->graph,
                .name = LiftInput_NameOf,
                .most_bytes = sizeof to->formula / 2,
                .context = (void *)(uintptr_t)&call->inputs,
                .usual_control = LiftPair_Setup(call->paths->pairs[side])->control};
            /* In the order in which the formula has them: a constant comes last. */
            const bool is_turned = Expression_IsFixed(call->paths->graph, condition->left) &&
                                   !Expression_IsFixed(call->paths->graph, condition->right);
            const Expression *const both[] = {is_turned ? condition->right : condition->left,
                                              is_turned ? condition->left : condition->right};
            RpBuffer formula;
            RpBuffer_Init(&formula, NULL);
            LiftText_Condition(&printer, condition, &formula);
            snprintf(to->formula, sizeof to->formula, "%.*s", (int)formula.size,
                     (const char *)formula.bytes);
            RpBuffer_Free(&formula);
            to->rounding[0] = to->value[0] = to->operands[0] = '\0';
            PutOperands(call, both, 2, to->operands, sizeof to->operands);
        } else if (counts[side] > 0) {
            PutStep(call, side, lists[side][0].step, lists[side][0].value);
        }
        *is_found |= is_branch || counts[side] > 0;
    }
    free(lists[0]);
    free(lists[1]);
    LiftRules_Destroy(rules);
    return status;
}

/* Finds the first output that the two sides leave in other ways. */
static bool FindOutputs(const Call *call) {
    for (int side = 0; side < LIFT_SIDES; side++)
        for (uint32_t i = 0; i < call->sides[side]->output_count; i++) {
            const LiftOutput *output = &call->sides[side]->outputs[i];
            const LiftPath *other = call->sides[1 - side];
            const LiftOutput *there = NULL;
            for (uint32_t k = 0; !there && k < other->output_count; k++)
                if (other->outputs[k].place == output->place &&
                    other->outputs[k].region == output->region &&
                    other->outputs[k].offset == output->offset)
                    there = &other->outputs[k];
            if (!LiftOutput_IsSeen(call->paths->signature, output) ||
                (there && there->number.low == output->number.low &&
                 there->number.head == output->number.head))
                continue;
            PutStep(call, side, output->step, output->value);
            if (there)
                PutStep(call, 1 - side, there->step, there->value);
            return true;
        }
    return false;
}

/* Says why the two paths cannot be held against each other; returns whether there is something. */
static bool CannotSay(const Call *call) {
    static const char *const names[LIFT_SIDES] = {"a", "b"};
    Parting *parting = call->parting;
    for (int side = 0; side < LIFT_SIDES; side++)
        if (call->sides[side]->end == LIFT_REFUSED || call->sides[side]->end == LIFT_TIMED_OUT) {
            snprintf(parting->why_not, sizeof parting->why_not, "%s cannot be followed: %.200s",
                     names[side], call->sides[side]->reason);
            return true;
        }
    if (call->paths->meetings[0].differs)
        return false;
    snprintf(parting->why_not, sizeof parting->why_not,
             "both leave the same bits in the machine's interpreter, on processor %s",
             parting->processor);
    return true;
}

RpStatus LiftParting_Find(LiftPair *const pairs[LIFT_SIDES], const LiftInput *input,
                          Parting *parting, RpError *error) {
    uint32_t found[LIFT_SIDES];
    LiftPaths paths = {.function = input->function,
                       .signature = input->signature,
                       .graph = LiftPair_Graph(pairs[0]),
                       .pairs = {pairs[0], pairs[1]},
                       .instructions = LiftBudget_Default().instructions};
    *parting = (Parting){.is_branch = false};
    snprintf(parting->processor, sizeof parting->processor, "%s",
             LiftPair_Setup(pairs[0])->processor);
    for (int side = 0; side < LIFT_SIDES; side++)
        LiftPair_Call(pairs[side], input);
    RpStatus status = LiftPaths_Try(&paths, input, found, error);
    Call call = {.paths = &paths, .inputs = {input, paths.graph}, .parting = parting};
    call.evaluator = status ? NULL : ExpressionEvaluator_Create(paths.graph);
    if (!status && !call.evaluator)
        status = RpMemory_Refused(error, "no memory for the steps of a call");
    if (!status) {
        const ExpressionInputs inputs = LiftInput_ForEvaluator(&call.inputs);
        ExpressionEvaluator_Begin(call.evaluator, &inputs);
        for (int side = 0; side < LIFT_SIDES; side++)
            call.sides[side] = paths.found[side][found[side]].path;
    }
    if (!status && !CannotSay(&call)) {
        bool is_found = false;
        status = FindSteps(&call, &is_found, error);
        if (!status && !is_found && !FindOutputs(&call))
            snprintf(parting->why_not, sizeof parting->why_not,
                     "the results are the same, and the two differ in how they return: a takes "
                     "%" PRIu32 " bytes off the stack, b %" PRIu32,
                     call.sides[0]->popped, call.sides[1]->popped);
    }
    ExpressionEvaluator_Destroy(call.evaluator);
    LiftPaths_Free(&paths);
    return status;
}
