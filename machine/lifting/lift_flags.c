/* Flags, and the conditions that they become. */
#include "machine/lifting/lift_state.h"

#include "machine/interpreter/flags.h"
#include "machine/interpreter/operands.h"

enum {
    ORDERED = COMPARE_LESS | COMPARE_EQUAL | COMPARE_GREATER,
    MOST_VISITED = 10000 /* parts of an expression that are looked at */
};

void Lift_SetFlags(Lifter *lifter, LiftFlagKind kind, const Expression *a, const Expression *b,
                   ExpressionValue a_value, ExpressionValue b_value) {
    const LiftFlags flags = {.kind = kind, .a = a, .b = b, .a_value = a_value, .b_value = b_value};
    lifter->flags = lifter->carry = flags;
}

void Lift_Compared(Lifter *lifter, const Expression *comparison, ExpressionValue left,
                   ExpressionValue right) {
    for (uint32_t i = 0; i < lifter->compared.count; i++)
        if (lifter->compared.at[i].comparison == comparison)
            return;
    const LiftCompared compared = {comparison, left, right};
    LIFT_ADD(lifter, lifter->compared, compared);
}

/* ---- noting ---------------------------------------------------------------------------------- */

/* `left` is how many expressions may still be looked at: a graph has far more ways through it than
 * expressions. */
static bool HasOnlyFixed(const Lifter *lifter, const Expression *expression, uint32_t *left) {
    if (!Expression_HasAddress(lifter->graph, expression))
        return true;
    if ((*left)-- == 0) {
        *left = 0;
        return false;
    }
    if (expression->operation == EXPRESSION_ADDRESS) {
        for (uint32_t i = 0; i < lifter->regions.count; i++)
            if (lifter->regions.at[i].region.name == expression->region)
                return lifter->regions.at[i].region.fixed;
        return false;
    }
    for (uint32_t i = 0; i < expression->count; i++)
        if (!HasOnlyFixed(lifter, expression->operands[i], left))
            return false;
    return true;
}

bool Lift_HasOnlyFixedAddresses(const Lifter *lifter, const Expression *expression) {
    uint32_t left = MOST_VISITED;
    return HasOnlyFixed(lifter, expression, &left);
}

/* Whether a comparison without inputs has the same outcome wherever the regions are: they differ by
 * a constant, or an address is compared with a number that is too small to be one. The address may
 * be a negative number, if it is taken as one with a sign. */
static bool IsCertain(Lifter *lifter, LiftOrder order, const Expression *left,
                      const Expression *right) {
    if (!Expression_HasAddress(lifter->graph, left) && !Expression_HasAddress(lifter->graph, right))
        return true;
    if (Lift_HasOnlyFixedAddresses(lifter, left) && Lift_HasOnlyFixedAddresses(lifter, right))
        return true;
    if (left->bits != 32)
        return false;
    if (Expression_IsConstant(Expression_Subtract(lifter->graph, left, right)))
        return true;
    const Expression *other = left->operation == EXPRESSION_ADDRESS ? right : left;
    return order != LIFT_SIGNED &&
           (left->operation == EXPRESSION_ADDRESS || right->operation == EXPRESSION_ADDRESS) &&
           Expression_IsConstant(other) && other->value < MACHINE_LOWEST;
}

bool Lift_Decide(Lifter *lifter, LiftDecision decision, LiftOrder order, const Expression *left,
                 const Expression *right, uint32_t outcomes, ExpressionValue left_value,
                 ExpressionValue right_value) {
    if (lifter->in_cut)
        return true;
    const uint32_t all = order == LIFT_X87 || order == LIFT_SSE ? COMPARE_ANY : ORDERED;
    if ((outcomes & all) == all)
        return true;
    if (!Expression_IsModelled(lifter->graph, left) || !Expression_IsModelled(lifter->graph, right))
        return Lift_Refuse(lifter, "it depends on what is not modelled");

    /* What the interpreter did has to be among the outcomes. */
    const uint32_t unused = 64 - left->bits;
    uint32_t outcome = COMPARE_EQUAL;
    if (order == LIFT_X87 || order == LIFT_SSE)
        outcome = ExpressionValue_Compare(left->bits, left_value, right_value);
    else if (left_value.low != right_value.low && order == LIFT_SIGNED)
        outcome = (int64_t)(left_value.low << unused) < (int64_t)(right_value.low << unused)
                      ? COMPARE_LESS
                      : COMPARE_GREATER;
    else if (left_value.low != right_value.low)
        outcome = left_value.low < right_value.low ? COMPARE_LESS : COMPARE_GREATER;
    if (!(outcome & outcomes))
        return Lift_Refuse(lifter, "the model of its flags is not what the interpreter did");
    if (Expression_IsFixed(lifter->graph, left) && Expression_IsFixed(lifter->graph, right) &&
        IsCertain(lifter, order, left, right))
        return true;
    for (uint32_t i = 0; i < lifter->conditions.count; i++) {
        const LiftCondition *before = &lifter->conditions.at[i];
        if (before->left == left && before->right == right && before->order == order &&
            before->outcomes == outcomes)
            return true; /* it is known to hold */
    }
    const LiftCondition condition = {.step = lifter->steps.count - 1,
                                     .decision = decision,
                                     .order = order,
                                     .left = left,
                                     .right = right,
                                     .outcomes = (uint8_t)(outcomes & all),
                                     .outcome = (uint8_t)outcome,
                                     .left_value = left_value,
                                     .right_value = right_value};
    LIFT_ADD(lifter, lifter->conditions, condition);
    return !lifter->failed;
}

bool Lift_Pin(Lifter *lifter, const Expression *expression, uint64_t number) {
    const ExpressionValue value = {number & Lift_Mask(expression->bits), 0};
    return Lift_Decide(lifter, LIFT_PIN, LIFT_UNSIGNED, expression,
                       Expression_Constant(lifter->graph, expression->bits, number), COMPARE_EQUAL,
                       value, value);
}

/* ---- flags of floating-point comparisons ----------------------------------------------------- */

/* The flags that FCOMI, COMISS, or FNSTSW with SAHF make of an outcome. */
static uint32_t FlagsOfOutcome(uint32_t outcome) {
    return (outcome & (COMPARE_LESS | COMPARE_UNORDERED) ? MACHINE_CF : 0) |
           (outcome & COMPARE_UNORDERED ? MACHINE_PF : 0) |
           (outcome & (COMPARE_EQUAL | COMPARE_UNORDERED) ? MACHINE_ZF : 0);
}

/* The one comparison that an expression depends on, and the STATUS of it. */
typedef struct Found {
    const Expression *comparison, *status;
    bool several;
    uint32_t visited;
} Found;

static void FindComparison(ExpressionGraph *graph, const Expression *expression, Found *found) {
    /* A STATUS, whose other bits are not modelled, may be that of an EXAMINE. */
    if (!Expression_HasComparison(graph, expression) && Expression_IsModelled(graph, expression))
        return;
    if (found->visited == MOST_VISITED)
        return;
    found->visited++;
    if (expression->operation == EXPRESSION_COMPARE_X87 ||
        expression->operation == EXPRESSION_COMPARE_SSE) {
        found->several = found->several || (found->comparison && found->comparison != expression);
        found->comparison = expression;
        return;
    }
    if (expression->operation == EXPRESSION_STATUS) {
        found->several = found->several || (found->status && found->status != expression);
        found->status = expression;
    }
    for (uint32_t i = 0; i < expression->count; i++)
        FindComparison(graph, expression->operands[i], found);
}

/* Evaluates the flags for one outcome of the comparison that they depend on, and for some contents
 * of the bits of the status word that are not modelled. */
static bool Evaluate(Lifter *lifter, const LiftFlags *flags, const Found *found, uint32_t outcome,
                     uint32_t noise, uint32_t *eflags) {
    const uint32_t status_bits = 0x4500; /* C0, C2 and C3 */
    const ExpressionInputs none = {0};
    ExpressionValue a, b = {0, 0};
    ExpressionEvaluator_Begin(lifter->evaluator, &none);
    ExpressionEvaluator_Set(lifter->evaluator, found->comparison, (ExpressionValue){outcome, 0});
    if (found->status) {
        ExpressionValue status;
        if (!ExpressionEvaluator_Value(lifter->evaluator, found->status, &status))
            return false;
        status.low = (status.low & status_bits) | (noise & 0xFFFF & ~status_bits);
        ExpressionEvaluator_Set(lifter->evaluator, found->status, status);
    }
    if (!ExpressionEvaluator_Value(lifter->evaluator, flags->a, &a) ||
        (flags->b && !ExpressionEvaluator_Value(lifter->evaluator, flags->b, &b)))
        return false;
    const uint32_t mask = (uint32_t)Lift_Mask(flags->a->bits), sign = (mask >> 1) + 1;
    const uint32_t left = (uint32_t)a.low, right = (uint32_t)b.low;
    if (flags->kind == FLAGS_BYTE)
        *eflags = left & 0xFF;
    else if (flags->kind == FLAGS_BIT)
        *eflags = left & 1 ? MACHINE_CF : 0;
    else if (flags->kind == FLAGS_DIFFERENCE)
        *eflags = Flags_Difference(left, right, (left - right) & mask, sign);
    else if (flags->kind == FLAGS_SUM)
        *eflags = Flags_Sum(left, right, (left + right) & mask, sign);
    else
        *eflags = Flags_Result(left, sign);
    return true;
}

/* Finds the outcomes of the comparison on which the flags depend, perhaps by way of the status word
 * and of integer operations, with which the condition goes as it does. */
static bool FindOutcomes(Lifter *lifter, uint32_t code, const LiftFlags *flags, bool holds,
                         LiftFoundOutcomes *result) {
    Found found = {0};
    *result = (LiftFoundOutcomes){
        .kind = flags->kind, .a = flags->a, .b = flags->b, .code = code, .holds = holds};
    if (flags->kind == FLAGS_COMPARISON) {
        result->comparison = flags->a;
        for (uint32_t outcome = 1; outcome < COMPARE_ANY; outcome *= 2)
            if (Operation_Holds(code, FlagsOfOutcome(outcome)) == holds)
                result->outcomes |= outcome;
        return true;
    }
    FindComparison(lifter->graph, flags->a, &found);
    if (flags->b)
        FindComparison(lifter->graph, flags->b, &found);
    if (found.visited == MOST_VISITED)
        return Lift_Refuse(lifter, "what it depends on is too large");
    if (found.several)
        return Lift_Refuse(lifter, "it depends on two comparisons");
    result->comparison = found.comparison;
    for (uint32_t outcome = 1; outcome < COMPARE_ANY; outcome *= 2)
        /* All bits that are not modelled clear, all set, and each of them set or clear alone. */
        for (uint32_t i = 0; i < (found.status ? 34u : 1u); i++) {
            const uint32_t bit = i < 2 ? 0 : 1u << (i - 2) % 16;
            const uint32_t noise = i == 0 ? 0 : i == 1 ? 0xFFFF : i < 18 ? bit : ~bit;
            uint32_t eflags;
            if (!Evaluate(lifter, flags, &found, outcome, noise, &eflags))
                return Lift_Refuse(lifter, "it depends on more than one comparison");
            const bool same = Operation_Holds(code, eflags) == holds;
            if (i > 0 && same != ((result->outcomes & outcome) != 0))
                return Lift_Refuse(lifter, "it depends on bits of the status word that are not "
                                           "modelled");
            result->outcomes |= same ? outcome : 0;
        }
    return true;
}

/* The flags depend on a floating-point comparison. */
static bool DecideComparison(Lifter *lifter, LiftDecision decision, uint32_t code,
                             const LiftFlags *flags, bool holds) {
    LiftFoundOutcomes *found = &lifter->found[flags->a->id % LIFT_FOUND_SIZE];
    if (found->a != flags->a || found->b != flags->b || found->kind != flags->kind ||
        found->code != code || found->holds != holds) {
        LiftFoundOutcomes result;
        if (!FindOutcomes(lifter, code, flags, holds, &result))
            return false;
        *found = result;
    }
    for (uint32_t i = 0; i < lifter->compared.count; i++) {
        const LiftCompared *compared = &lifter->compared.at[i];
        const Expression *comparison = compared->comparison;
        /* The conditions of a path (path.h) compare denormals as the numbers that they are. */
        if (comparison == found->comparison && comparison->control != 0)
            return Lift_Refuse(lifter, "it compares with denormals as zeros");
        if (comparison == found->comparison)
            return Lift_Decide(lifter, decision,
                               comparison->operation == EXPRESSION_COMPARE_X87 ? LIFT_X87
                                                                               : LIFT_SSE,
                               comparison->operands[0], comparison->operands[1], found->outcomes,
                               compared->left, compared->right);
    }
    return Lift_Refuse(lifter, "it depends on a comparison of another call");
}

/* ---- flags of integers ----------------------------------------------------------------------- */

/* A condition on integers: left and right, and the outcomes with which it holds. */
typedef struct Integers {
    LiftOrder order;
    const Expression *left, *right;
    ExpressionValue left_value, right_value;
    uint32_t outcomes;
} Integers;

static Integers WithZero(Lifter *lifter, LiftOrder order, const Expression *left, uint64_t value,
                         uint32_t outcomes) {
    return (Integers){order,
                      left,
                      Expression_Constant(lifter->graph, left->bits, 0),
                      {value & Lift_Mask(left->bits), 0},
                      {0, 0},
                      outcomes};
}

static bool Chosen(Lifter *lifter, uint32_t code, Integers *integers) {
    const LiftFlags *carry = &lifter->carry, *flags = &lifter->flags;
    ExpressionGraph *graph = lifter->graph;
    const bool sole = carry->kind == flags->kind && carry->a == flags->a && carry->b == flags->b;
    const bool needs_carry = code >> 1 == 1 || code >> 1 == 3;
    const LiftFlags *of = code >> 1 == 1 ? carry : flags;
    if (needs_carry && code >> 1 == 3 && !sole)
        return false;
    *integers = (Integers){LIFT_UNSIGNED, of->a, of->b, of->a_value, of->b_value, COMPARE_LESS};
    if (of->kind == FLAGS_BIT) {
        *integers = WithZero(lifter, LIFT_UNSIGNED, of->a, of->a_value.low, COMPARE_GREATER);
        return needs_carry && code >> 1 == 1;
    }
    if (of->kind == FLAGS_DIFFERENCE) {
        switch (code >> 1) {
        case 1:
            return true;
        case 2:
            integers->outcomes = COMPARE_EQUAL;
            return true;
        case 3:
            integers->outcomes = COMPARE_LESS | COMPARE_EQUAL;
            return true;
        case 4:
            *integers = WithZero(lifter, LIFT_SIGNED, Expression_Subtract(graph, of->a, of->b),
                                 of->a_value.low - of->b_value.low, COMPARE_LESS);
            return true;
        case 6:
        case 7:
            integers->order = LIFT_SIGNED;
            if (code >> 1 == 7)
                integers->outcomes |= COMPARE_EQUAL;
            return true;
        default: /* overflow and parity */
            return false;
        }
    }
    if (of->kind == FLAGS_SUM) {
        const uint64_t sum = of->a_value.low + of->b_value.low;
        const Expression *whole = Expression_Make(graph, EXPRESSION_ADD, 0, 0, of->a, of->b);
        const uint64_t least = (uint64_t)1 << (of->a->bits - 1);
        switch (code >> 1) {
        case 1: /* a sum that has carried is less than each of its terms */
            integers->right = of->a;
            integers->right_value = of->a_value;
            integers->left = whole;
            integers->left_value.low = sum & Lift_Mask(of->a->bits);
            return true;
        case 2:
            *integers = WithZero(lifter, LIFT_UNSIGNED, whole, sum, COMPARE_EQUAL);
            return true;
        case 4:
            *integers = WithZero(lifter, LIFT_SIGNED, whole, sum, COMPARE_LESS);
            return true;
        case 6:
        case 7: /* a + b overflows as a - (-b) does, if -b exists */
            if (!Expression_IsConstant(of->b) || of->b->value == least)
                return false;
            integers->order = LIFT_SIGNED;
            integers->right = Expression_Constant(graph, of->a->bits, 0 - of->b->value);
            integers->right_value = Expression_ValueOf(integers->right);
            if (code >> 1 == 7)
                integers->outcomes |= COMPARE_EQUAL;
            return true;
        default:
            return false;
        }
    }
    if (of->kind == FLAGS_RESULT && (code >> 1 == 2 || code >> 1 == 4)) {
        *integers = code >> 1 == 2
                        ? WithZero(lifter, LIFT_UNSIGNED, of->a, of->a_value.low, COMPARE_EQUAL)
                        : WithZero(lifter, LIFT_SIGNED, of->a, of->a_value.low, COMPARE_LESS);
        return true;
    }
    return false;
}

bool Lift_DecideFlags(Lifter *lifter, LiftDecision decision, uint32_t code, bool *holds) {
    static const char *const names[8] = {"O", "B", "Z", "BE", "S", "P", "L", "LE"};
    *holds = Operation_Holds(code, lifter->context.registers.eflags);
    if (lifter->in_cut)
        return true;
    const bool needs_carry = code >> 1 == 1 || code >> 1 == 3;
    const bool needs_others = code >> 1 != 1;
    const LiftFlags *first = needs_carry ? &lifter->carry : &lifter->flags;
    if (first->kind == FLAGS_CONSTANT && (!needs_others || lifter->flags.kind == FLAGS_CONSTANT))
        return true;

    /* Whether a shift, ADC or SBB overflows does not follow from the result, and SAHF leaves OF as
     * it was. */
    const bool needs_overflow = code >> 1 == 0 || code >> 1 >= 6;
    if (needs_overflow && (first->kind == FLAGS_RESULT || first->kind == FLAGS_BYTE))
        return Lift_Refuse(lifter, "the flags of condition %s are not modelled", names[code >> 1]);

    /* FLAGS_BYTE and flags of expressions that contain a comparison of floating-point numbers. */
    const bool is_float = first->kind == FLAGS_COMPARISON ||
                          (first->a && Expression_HasComparison(lifter->graph, first->a)) ||
                          (first->b && Expression_HasComparison(lifter->graph, first->b));
    if (is_float) {
        if (needs_carry && needs_others &&
            (lifter->flags.kind != first->kind || lifter->flags.a != first->a ||
             lifter->flags.b != first->b))
            return Lift_Refuse(lifter, "the flags that %s reads come from two instructions",
                               names[code >> 1]);
        return DecideComparison(lifter, decision, code, first, *holds);
    }
    /* Without inputs there is nothing to decide. */
    if (first->kind != FLAGS_NOT_MODELLED && first->a &&
        Expression_IsFixed(lifter->graph, first->a) &&
        !Expression_HasAddress(lifter->graph, first->a) &&
        (!first->b || (Expression_IsFixed(lifter->graph, first->b) &&
                       !Expression_HasAddress(lifter->graph, first->b))) &&
        (!needs_carry || !needs_others ||
         (lifter->flags.a == first->a && lifter->flags.b == first->b)))
        return true;

    Integers integers;
    if (!Chosen(lifter, code & ~1u, &integers))
        return Lift_Refuse(lifter, "the flags of condition %s are not modelled", names[code >> 1]);
    const bool taken = *holds != (code & 1); /* whether the condition without "not" holds */
    return Lift_Decide(lifter, decision, integers.order, integers.left, integers.right,
                       taken ? integers.outcomes : ORDERED & ~integers.outcomes,
                       integers.left_value, integers.right_value);
}
