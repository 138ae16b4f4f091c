#include "replay/lift/lift_rules.h"

#include "machine/lifting/expression_value.h"

#include <stdlib.h>
#include <string.h>

#define SIGN32      0x80000000u
#define SIGN80      0x8000u
#define INTEGER_BIT 0x8000000000000000u
#define QUIET_BIT   0x4000000000000000u
/* Fields of control words (expression.h). */
#define X87_PRECISION  0x0300u
#define X87_ROUNDING   0x0C00u
#define SSE_ROUNDING   0x6000u
#define SSE_DENORMALS  0x8040u
#define SSE_TO_X87(rc) (((rc)&SSE_ROUNDING) >> 3)

enum {
    MOST_LOADED = 32,
    FEW_OPERANDS = 16,
    /* Expressions that are looked at to judge one. A graph has far more ways through it than
     * expressions; past this number the answer is the one that claims nothing. */
    MOST_VISITED = 10000
};

struct LiftRules {
    ExpressionGraph *graph;
    uint32_t laws;
    const Expression **normal; /* by id; null: not known yet */
    uint32_t capacity;
    struct {
        uint32_t function, input;
    } loaded[MOST_LOADED];
    uint32_t loaded_count;
};

const char *LiftLaw_Except(LiftLaw law) {
    switch (law) {
    case LIFT_LAW_MEMORY:
        return "a signalling NaN in memory";
    case LIFT_LAW_NEGATED_SUM:
        return "NaNs";
    case LIFT_LAW_NEGATED_PRODUCT:
        return "NaNs, and rounding that is not to nearest";
    case LIFT_LAW_SWAPPED:
        return "the sign of a zero, NaNs, and rounding that is not to nearest";
    case LIFT_LAW_ZERO:
        return "the sign of a zero";
    case LIFT_LAW_NANS:
        return "the payload of two NaNs";
    case LIFT_LAW_SSE:
        return "NaNs, numbers that are not normal in binary32, and rounding that is not to nearest";
    }
    return "";
}

LiftRules *LiftRules_Create(ExpressionGraph *graph, uint32_t laws) {
    LiftRules *rules = calloc(1, sizeof *rules);
    if (rules) {
        rules->graph = graph;
        rules->laws = laws;
    }
    return rules;
}

void LiftRules_Destroy(LiftRules *rules) {
    if (rules)
        free(rules->normal);
    free(rules);
}

ExpressionGraph *LiftRules_Graph(LiftRules *rules) {
    return rules->graph;
}

void LiftRules_CallLoads(LiftRules *rules, uint32_t function, uint32_t input) {
    if (rules->loaded_count < MOST_LOADED) {
        rules->loaded[rules->loaded_count].function = function;
        rules->loaded[rules->loaded_count++].input = input;
    }
}

/* ---- numbers --------------------------------------------------------------------------------- */

static uint64_t MaskOf(uint32_t bits) {
    return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

/* Widens a number of `exponent_bits` and `fraction_bits` to the 80 bits that FLD makes of it. */
static ExpressionValue Widened(uint64_t bits, uint32_t exponent_bits, uint32_t fraction_bits) {
    const uint32_t most = (1u << exponent_bits) - 1, bias = most >> 1;
    const uint32_t exponent = (uint32_t)(bits >> fraction_bits) & most;
    const uint16_t sign = (bits >> (exponent_bits + fraction_bits)) & 1 ? SIGN80 : 0;
    uint64_t significand = bits << (63 - fraction_bits) & ~INTEGER_BIT;
    if (exponent == most) {
        if (significand != 0)
            significand |= QUIET_BIT;
        return (ExpressionValue){INTEGER_BIT | significand, (uint16_t)(sign | 0x7FFF)};
    }
    if (exponent == 0 && significand == 0)
        return (ExpressionValue){0, sign};
    uint32_t head = exponent + 0x3FFF - bias;
    if (exponent == 0) { /* a denormal, which is a normal number in 80 bits */
        for (head += 1; !(significand & INTEGER_BIT); head--)
            significand <<= 1;
        return (ExpressionValue){significand, (uint16_t)(sign | head)};
    }
    return (ExpressionValue){INTEGER_BIT | significand, (uint16_t)(sign | head)};
}

static ExpressionValue Widened32(uint64_t bits) {
    return Widened(bits, 8, 23);
}

static ExpressionValue WidenedInteger(uint64_t value, uint32_t bits) {
    const bool negative = value >> (bits - 1) & 1;
    uint64_t magnitude = (negative ? 0 - value : value) & MaskOf(bits);
    uint32_t head = 0x3FFF + 63;
    if (magnitude == 0)
        return (ExpressionValue){0, 0};
    for (; !(magnitude & INTEGER_BIT); head--)
        magnitude <<= 1;
    return (ExpressionValue){magnitude, (uint16_t)((negative ? SIGN80 : 0) | head)};
}

/* Gives the binary32 that FLD widens to these 80 bits, if there is one. */
static bool Narrowed(ExpressionValue value, uint32_t *bits) {
    const uint32_t sign = value.head & SIGN80 ? SIGN32 : 0;
    const int32_t exponent = (value.head & 0x7FFF) - 0x3FFF + 127;
    uint32_t fraction = (uint32_t)(value.low >> 40) & 0x7FFFFF;
    if (value.head & 0x7FFF && exponent < 1 && exponent > -23) /* a denormal */
        *bits = sign | (uint32_t)(value.low >> (41 - exponent));
    else if ((value.head & 0x7FFF) == 0x7FFF)
        *bits = sign | 0x7F800000u | fraction;
    else if (exponent >= 1 && exponent < 255)
        *bits = sign | (uint32_t)exponent << 23 | fraction;
    else
        *bits = sign;
    const ExpressionValue again = Widened32(*bits);
    return again.low == value.low && again.head == value.head;
}

static bool IsSignalling32(uint64_t bits) {
    return (bits & 0x7F800000u) == 0x7F800000u && (bits & 0x7FFFFFu) && !(bits & 0x400000u);
}

static bool IsSignalling64(uint64_t bits) {
    const uint64_t infinite = 0x7FF0000000000000u, fraction = bits & 0xFFFFFFFFFFFFFu;
    return (bits & infinite) == infinite && fraction && !(fraction >> 51);
}

/* Whether the value is a binary32 that FLD has loaded, or its negation or absolute value: storing
 * it to binary32 and loading it again changes nothing. A number that was rounded to 24 bits does
 * not count, because its exponent may be out of binary32's range. */
static bool IsLoaded32(const Expression *e) {
    uint32_t bits;
    switch (e->operation) {
    case EXPRESSION_X87_LOAD32:
        return true;
    case EXPRESSION_X87_NEG:
    case EXPRESSION_X87_ABS:
        return IsLoaded32(e->operands[0]);
    case EXPRESSION_X87_FROM_INTEGER:
        return e->operands[0]->bits <= 16;
    case EXPRESSION_CONSTANT:
        return e->bits == 80 && Narrowed(Expression_ValueOf(e), &bits) && !IsSignalling32(bits);
    default:
        return false;
    }
}

/* Whether a number has no more bits than `control` rounds to, so that adding a zero rounds nothing
 * away. */
static bool IsAsNarrow(const Expression *e, uint32_t control) {
    while (e->operation == EXPRESSION_X87_NEG || e->operation == EXPRESSION_X87_ABS)
        e = e->operands[0];
    return IsLoaded32(e) ||
           (e->operation >= EXPRESSION_X87_ADD && e->operation <= EXPRESSION_X87_SQRT &&
            (e->control & X87_PRECISION) <= (control & X87_PRECISION));
}

/* ---- rewriting one expression whose operands are normal forms -------------------------------- */

static const Expression *Rewritten(LiftRules *rules, const Expression *e);

/* Where the normal form of an expression is kept; null when memory is short. */
static const Expression **Known(LiftRules *rules, const Expression *e) {
    if (e->id >= rules->capacity) {
        const uint32_t count = ExpressionGraph_Count(rules->graph);
        const uint32_t capacity = count + count / 2 + 64;
        const Expression **normal = realloc(rules->normal, capacity * sizeof *normal);
        if (!normal)
            return NULL;
        memset(normal + rules->capacity, 0, (capacity - rules->capacity) * sizeof *normal);
        rules->normal = normal;
        rules->capacity = capacity;
    }
    return &rules->normal[e->id];
}

/* The operands are normal forms, so what is kept for the whole is its normal form. */
static const Expression *Made(LiftRules *rules, ExpressionOperation operation, uint32_t control,
                              const Expression *a, const Expression *b) {
    const Expression *made = Expression_Make(rules->graph, operation, control, 0, a, b);
    const Expression **known = Known(rules, made);
    if (known && *known)
        return *known;
    const Expression *normal = Rewritten(rules, made);
    if ((known = Known(rules, made)) != NULL)
        *known = normal;
    return normal;
}

static const Expression *Negated(LiftRules *rules, const Expression *e) {
    return Made(rules, EXPRESSION_X87_NEG, 0, e, NULL);
}

static bool IsNegated(const Expression *e) {
    return e->operation == EXPRESSION_X87_NEG;
}

static bool IsZero80(const Expression *e) {
    return e->operation == EXPRESSION_CONSTANT && e->bits == 80 && e->value == 0 &&
           (e->head & 0x7FFF) == 0;
}

/* The operand with the lower id comes first. Ids of a graph never change, so this is one order. */
static const Expression *Ordered(LiftRules *rules, const Expression *e) {
    const Expression *a = e->operands[0], *b = e->operands[1];
    if (a->id <= b->id)
        return e;
    return Expression_Make(rules->graph, e->operation, e->control, 0, b, a);
}

/* Whether an operand from memory is the same as a loaded one. They differ only where both operands
 * are NaNs, and not if the other one is the same number, loaded: of it and the signalling one, the
 * quiet one is the result. */
static bool IsAsLoaded(const Expression *operand, const Expression *other) {
    if (operand->operation != EXPRESSION_X87_OPERAND32)
        return false;
    const bool is_square =
        other->operation == EXPRESSION_X87_LOAD32 && other->operands[0] == operand->operands[0];
    return is_square || !Expression_MayBeNan(other);
}

/* x87: + - * / */
static const Expression *RewrittenArithmetic(LiftRules *rules, const Expression *e) {
    const Expression *a = e->operands[0], *b = e->operands[1];
    const uint32_t laws = rules->laws, control = e->control;

    const bool a_mem = IsAsLoaded(a, b), b_mem = IsAsLoaded(b, a);
    if (a_mem || b_mem) {
        if (a_mem)
            a = Made(rules, EXPRESSION_X87_LOAD32, 0, a->operands[0], NULL);
        if (b_mem)
            b = Made(rules, EXPRESSION_X87_LOAD32, 0, b->operands[0], NULL);
        return Made(rules, e->operation, control, a, b);
    }

    const bool is_sum = e->operation == EXPRESSION_X87_ADD || e->operation == EXPRESSION_X87_SUB;
    if (is_sum && laws & LIFT_LAW_ZERO && IsZero80(b) && IsAsNarrow(a, control))
        return a;
    if (e->operation == EXPRESSION_X87_ADD && laws & LIFT_LAW_ZERO && IsZero80(a) &&
        IsAsNarrow(b, control))
        return b;
    if (e->operation == EXPRESSION_X87_SUB && laws & LIFT_LAW_NEGATED_SUM)
        return Made(rules, EXPRESSION_X87_ADD, control, a, Negated(rules, b));
    if (e->operation == EXPRESSION_X87_SUB && laws & LIFT_LAW_SWAPPED && a->id > b->id)
        return Negated(rules, Made(rules, EXPRESSION_X87_SUB, control, b, a));
    if (e->operation == EXPRESSION_X87_ADD && laws & LIFT_LAW_SWAPPED &&
        !(laws & LIFT_LAW_NEGATED_SUM) && IsNegated(a) && IsNegated(b))
        return Negated(rules,
                       Made(rules, EXPRESSION_X87_ADD, control, a->operands[0], b->operands[0]));
    if (!is_sum && laws & (LIFT_LAW_NEGATED_PRODUCT | LIFT_LAW_SWAPPED) &&
        (IsNegated(a) || IsNegated(b))) {
        const Expression *product =
            Made(rules, e->operation, control, IsNegated(a) ? a->operands[0] : a,
                 IsNegated(b) ? b->operands[0] : b);
        return IsNegated(a) != IsNegated(b) ? Negated(rules, product) : product;
    }
    if (e->operation == EXPRESSION_X87_ADD || e->operation == EXPRESSION_X87_MUL)
        return Ordered(rules, e);
    return e;
}

static const Expression *RewrittenLoad(LiftRules *rules, const Expression *e) {
    const Expression *of = e->operands[0];
    const bool is32 = e->operation == EXPRESSION_X87_LOAD32;
    if (of->operation == EXPRESSION_CONSTANT) {
        return Expression_Constant80(rules->graph,
                                     is32 ? Widened32(of->value) : Widened(of->value, 11, 52));
    }
    if (of->operation == (is32 ? EXPRESSION_X87_TO_F32 : EXPRESSION_X87_TO_F64)) {
        const Expression *stored = of->operands[0];
        if (IsLoaded32(stored))
            return stored;
        const bool has_24_bits = stored->operation >= EXPRESSION_X87_ADD &&
                                 stored->operation <= EXPRESSION_X87_SQRT &&
                                 (stored->control & X87_PRECISION) == 0;
        if (is32 && rules->laws & LIFT_LAW_SSE && has_24_bits)
            return stored;
    }
    /* Loading makes a NaN quiet, and neither that nor the widening looks at the sign. */
    if (is32 && of->count == 2 && of->operands[1]->operation == EXPRESSION_CONSTANT) {
        const Expression *loaded;
        if (of->operation == EXPRESSION_XOR && of->operands[1]->value == SIGN32) {
            loaded = Made(rules, EXPRESSION_X87_LOAD32, 0, of->operands[0], NULL);
            return Negated(rules, loaded);
        }
        if (of->operation == EXPRESSION_AND && of->operands[1]->value == ~SIGN32) {
            loaded = Made(rules, EXPRESSION_X87_LOAD32, 0, of->operands[0], NULL);
            return Made(rules, EXPRESSION_X87_ABS, 0, loaded, NULL);
        }
    }
    return e;
}

static const Expression *RewrittenStore32(LiftRules *rules, const Expression *e) {
    const Expression *stored = e->operands[0];
    uint32_t bits;
    if (stored->operation == EXPRESSION_CONSTANT && Narrowed(Expression_ValueOf(stored), &bits))
        return Expression_Constant(rules->graph, 32, bits);
    const bool changes_sign =
        stored->operation == EXPRESSION_X87_NEG || stored->operation == EXPRESSION_X87_ABS;
    const Expression *loaded = changes_sign ? stored->operands[0] : stored;
    /* A signalling NaN would have become a quiet one on its way through the stack. */
    if (loaded->operation != EXPRESSION_X87_LOAD32 ||
        Expression_MayBeSignalling(loaded->operands[0]))
        return e;
    if (!changes_sign)
        return loaded->operands[0];
    const bool negates = stored->operation == EXPRESSION_X87_NEG;
    return Expression_Make(rules->graph, negates ? EXPRESSION_XOR : EXPRESSION_AND, 0, 0,
                           loaded->operands[0],
                           Expression_Constant(rules->graph, 32, negates ? SIGN32 : ~SIGN32));
}

/* A binary32 before it became quiet by being loaded and stored again. To whatever makes NaNs quiet
 * itself, both are the same. */
static const Expression *BeforeQuiet(const Expression *e) {
    if (e->operation == EXPRESSION_X87_TO_F32 && e->operands[0]->operation == EXPRESSION_X87_LOAD32)
        return e->operands[0]->operands[0];
    return e;
}

static const Expression *RewrittenSse(LiftRules *rules, const Expression *e) {
    const Expression *a = BeforeQuiet(e->operands[0]);
    const Expression *b = e->count > 1 ? e->operands[1] : NULL;
    const bool gives_second = e->operation == EXPRESSION_SSE_MIN ||
                              e->operation == EXPRESSION_SSE_MAX; /* as it is, if it is a NaN */
    if (b && !gives_second)
        b = BeforeQuiet(b);
    if (a != e->operands[0] || (b && b != e->operands[1])) {
        const Expression *operands[2] = {a, b};
        return Rewritten(rules, Expression_WithOperands(rules->graph, e, operands));
    }
    const bool x87_has_it =
        e->operation >= EXPRESSION_SSE_ADD && e->operation <= EXPRESSION_SSE_SQRT;
    if (rules->laws & LIFT_LAW_SSE && x87_has_it && e->bits == 32 &&
        !(e->control & SSE_DENORMALS)) {
        static const ExpressionOperation of_x87[] = {EXPRESSION_X87_ADD, EXPRESSION_X87_SUB,
                                                     EXPRESSION_X87_MUL, EXPRESSION_X87_DIV,
                                                     EXPRESSION_X87_SQRT};
        const uint32_t control = SSE_TO_X87(e->control);
        a = Made(rules, EXPRESSION_X87_LOAD32, 0, a, NULL);
        b = b ? Made(rules, EXPRESSION_X87_LOAD32, 0, b, NULL) : NULL;
        const Expression *result =
            Made(rules, of_x87[e->operation - EXPRESSION_SSE_ADD], control, a, b);
        return Made(rules, EXPRESSION_X87_TO_F32, control, result, NULL);
    }
    const bool commutes = e->operation == EXPRESSION_SSE_ADD || e->operation == EXPRESSION_SSE_MUL;
    if (commutes &&
        (rules->laws & LIFT_LAW_NANS || !Expression_MayBeNan(a) || !Expression_MayBeNan(b)))
        return Ordered(rules, e);
    return e;
}

static const Expression *RewrittenCall(LiftRules *rules, const Expression *e) {
    const Expression **operands = calloc(e->count + 1u, sizeof *operands);
    if (!operands)
        return e;
    for (uint32_t i = 0; i < e->count; i++)
        operands[i] = e->operands[i];
    for (uint32_t i = 0; i < rules->loaded_count; i++) {
        const uint32_t input = rules->loaded[i].input;
        if (rules->loaded[i].function == e->region && input < e->count)
            operands[input] = BeforeQuiet(operands[input]);
    }
    e = Expression_WithOperands(rules->graph, e, operands);
    free(operands);
    return e;
}

static const Expression *Rewritten(LiftRules *rules, const Expression *e) {
    const Expression *a = e->count > 0 ? e->operands[0] : NULL;
    switch (e->operation) {
    case EXPRESSION_X87_LOAD32:
    case EXPRESSION_X87_LOAD64:
        return RewrittenLoad(rules, e);
    case EXPRESSION_X87_OPERAND32:
    case EXPRESSION_X87_OPERAND64: {
        const bool is32 = e->operation == EXPRESSION_X87_OPERAND32;
        if (Expression_MayBeSignalling(a) && !(rules->laws & LIFT_LAW_MEMORY))
            return e;
        if (a->operation == EXPRESSION_CONSTANT &&
            (is32 ? IsSignalling32(a->value) : IsSignalling64(a->value)))
            return e;
        return Made(rules, is32 ? EXPRESSION_X87_LOAD32 : EXPRESSION_X87_LOAD64, 0, a, NULL);
    }
    case EXPRESSION_X87_FROM_INTEGER:
        if (a->operation != EXPRESSION_CONSTANT)
            return e;
        return Expression_Constant80(rules->graph, WidenedInteger(a->value, a->bits));
    case EXPRESSION_X87_ADD:
    case EXPRESSION_X87_SUB:
    case EXPRESSION_X87_MUL:
    case EXPRESSION_X87_DIV:
        return RewrittenArithmetic(rules, e);
    case EXPRESSION_X87_NEG:
        if (IsNegated(a))
            return a->operands[0];
        if (a->operation == EXPRESSION_CONSTANT)
            return Expression_Constant80(rules->graph,
                                         (ExpressionValue){a->value, (uint16_t)(a->head ^ SIGN80)});
        /* A sum that is 0 may get the other sign, which is an exception of the second law alone. */
        if (a->operation == EXPRESSION_X87_ADD && rules->laws & LIFT_LAW_NEGATED_SUM &&
            rules->laws & LIFT_LAW_SWAPPED)
            return Made(rules, EXPRESSION_X87_ADD, a->control, Negated(rules, a->operands[0]),
                        Negated(rules, a->operands[1]));
        return e;
    case EXPRESSION_X87_ABS:
        if (IsNegated(a) || a->operation == EXPRESSION_X87_ABS)
            return Made(rules, EXPRESSION_X87_ABS, 0, a->operands[0], NULL);
        if (a->operation == EXPRESSION_CONSTANT)
            return Expression_Constant80(
                rules->graph, (ExpressionValue){a->value, (uint16_t)(a->head & ~SIGN80)});
        return e;
    case EXPRESSION_X87_TO_F32:
        return RewrittenStore32(rules, e);
    case EXPRESSION_X87_TO_F64:
        if (a->operation == EXPRESSION_X87_LOAD64 && !Expression_MayBeSignalling(a->operands[0]))
            return a->operands[0];
        return e;
    case EXPRESSION_SSE_ADD:
    case EXPRESSION_SSE_SUB:
    case EXPRESSION_SSE_MUL:
    case EXPRESSION_SSE_DIV:
    case EXPRESSION_SSE_SQRT:
    case EXPRESSION_SSE_MIN:
    case EXPRESSION_SSE_MAX:
    case EXPRESSION_SSE_RCP:
    case EXPRESSION_SSE_RSQRT:
    case EXPRESSION_SSE_MASK:
        return RewrittenSse(rules, e);
    case EXPRESSION_CALL:
        return RewrittenCall(rules, e);
    default:
        return e;
    }
}

/* ---- whole expressions ----------------------------------------------------------------------- */

/* Makes the same expression with the given function applied to its operands. */
typedef const Expression *(*OfOperand)(void *context, const Expression *operand);

static const Expression *WithEach(ExpressionGraph *graph, const Expression *e, OfOperand function,
                                  void *context) {
    const Expression *few[FEW_OPERANDS], **operands = few;
    if (e->count > FEW_OPERANDS) {
        operands = calloc(e->count, sizeof *operands);
        if (!operands)
            return e;
    }
    bool changed = false;
    for (uint32_t i = 0; i < e->count; i++) {
        operands[i] = function(context, e->operands[i]);
        changed |= operands[i] != e->operands[i];
    }
    if (changed)
        e = Expression_WithOperands(graph, e, operands);
    if (operands != few)
        free(operands);
    return e;
}

static const Expression *NormalOperand(void *context, const Expression *operand) {
    return LiftRules_Normal(context, operand);
}

const Expression *LiftRules_Normal(LiftRules *rules, const Expression *expression) {
    const Expression **known = Known(rules, expression);
    if (known && *known)
        return *known;
    const Expression *normal =
        Rewritten(rules, WithEach(rules->graph, expression, NormalOperand, rules));
    if ((known = Known(rules, expression)) != NULL)
        *known = normal;
    if ((known = Known(rules, normal)) != NULL)
        *known = normal;
    return normal;
}

typedef struct Replacing {
    LiftRules *rules;
    const Expression *const *from, *const *to;
    uint32_t count;
    const Expression **done; /* by id, of the expressions that there were when it began */
} Replacing;

static const Expression *Replaced(void *context, const Expression *e) {
    Replacing *replacing = context;
    if (replacing->done[e->id])
        return replacing->done[e->id];
    const Expression *result = WithEach(replacing->rules->graph, e, Replaced, replacing);
    if (result != e)
        result = LiftRules_Normal(replacing->rules, result);
    for (uint32_t i = 0; i < replacing->count; i++) {
        if (replacing->from[i] == result) {
            result = replacing->to[i];
            break;
        }
    }
    replacing->done[e->id] = result;
    return result;
}

const Expression *LiftRules_Replace(LiftRules *rules, const Expression *expression,
                                    const Expression *const *from, const Expression *const *to,
                                    uint32_t count) {
    Replacing replacing = {rules, from, to, count, NULL};
    /* What replaces something may contain what is replaced as well, but not without end. */
    enum { MOST_ROUNDS = 40 };
    for (int round = 0; round < MOST_ROUNDS; round++) {
        replacing.done = calloc(ExpressionGraph_Count(rules->graph), sizeof *replacing.done);
        if (!replacing.done)
            return expression;
        const Expression *result = Replaced(&replacing, expression);
        free(replacing.done);
        if (result == expression)
            break;
        expression = result;
    }
    return expression;
}

/* ---- conditions ------------------------------------------------------------------------------ */

static uint8_t Flipped(uint32_t outcomes) {
    const uint32_t stay = outcomes & (COMPARE_EQUAL | COMPARE_UNORDERED);
    return (uint8_t)(stay | (outcomes & COMPARE_LESS ? COMPARE_GREATER : 0) |
                     (outcomes & COMPARE_GREATER ? COMPARE_LESS : 0));
}

static bool IsNeverNan(const Expression *e) {
    switch (e->operation) {
    case EXPRESSION_X87_NEG:
    case EXPRESSION_X87_ABS:
        return IsNeverNan(e->operands[0]);
    default:
        return !Expression_MayBeNan(e);
    }
}

/* Whether a number, of 80 bits or of 32, is at least 0, or -0, or a NaN. `left` is how many
 * expressions may still be looked at. */
static bool IsNeverNegative(const Expression *e, uint32_t *left) {
    if (*left == 0)
        return false;
    --*left;
    const Expression *a = e->count > 0 ? e->operands[0] : NULL;
    switch (e->operation) {
    case EXPRESSION_X87_SQRT:
    case EXPRESSION_SSE_SQRT:
    case EXPRESSION_X87_ABS:
        return true;
    case EXPRESSION_X87_MUL:
    case EXPRESSION_SSE_MUL:
        return a == e->operands[1] ||
               (IsNeverNegative(a, left) && IsNeverNegative(e->operands[1], left));
    case EXPRESSION_X87_ADD:
    case EXPRESSION_SSE_ADD:
        return IsNeverNegative(a, left) && IsNeverNegative(e->operands[1], left);
    case EXPRESSION_X87_LOAD32:
    case EXPRESSION_X87_TO_F32:
        return IsNeverNegative(a, left);
    case EXPRESSION_X87_FROM_INTEGER:
        return a->operation == EXPRESSION_ZERO_EXTEND;
    case EXPRESSION_CONSTANT:
        return e->bits == 80 && (!(e->head & SIGN80) || IsZero80(e));
    default:
        return false;
    }
}

uint32_t LiftRules_Possible(const Expression *left, const Expression *right) {
    uint32_t possible = COMPARE_ANY, unvisited = MOST_VISITED;
    if (left == right)
        possible = COMPARE_EQUAL | COMPARE_UNORDERED;
    if (IsNeverNan(left) && IsNeverNan(right))
        possible &= ~(uint32_t)COMPARE_UNORDERED;
    if (left->operation == EXPRESSION_CONSTANT && right->operation == EXPRESSION_CONSTANT &&
        left->bits == right->bits)
        return ExpressionValue_Compare(left->bits, Expression_ValueOf(left),
                                       Expression_ValueOf(right));
    if (right->operation == EXPRESSION_CONSTANT && right->bits == 80 &&
        IsNeverNegative(left, &unvisited)) {
        const ExpressionValue value = Expression_ValueOf(right);
        const bool is_nan = (value.head & 0x7FFF) == 0x7FFF && value.low << 1 != 0;
        if (!is_nan && IsZero80(right))
            possible &= ~(uint32_t)COMPARE_LESS;
        else if (!is_nan && right->head & SIGN80)
            possible &= COMPARE_GREATER | COMPARE_UNORDERED;
    }
    return possible;
}

static uint64_t Most(const Expression *integer, uint32_t *left) {
    const uint64_t mask = MaskOf(integer->bits);
    const Expression *a = integer->count > 0 ? integer->operands[0] : NULL;
    const Expression *b = integer->count > 1 ? integer->operands[1] : NULL;
    uint64_t most, other;
    if (*left == 0)
        return mask;
    --*left;
    switch (integer->operation) {
    case EXPRESSION_CONSTANT:
        return integer->value;
    case EXPRESSION_ZERO_EXTEND:
        return Most(a, left);
    case EXPRESSION_AND:
        most = Most(a, left);
        other = Most(b, left);
        return other < most ? other : most;
    case EXPRESSION_SHR:
        most = Most(a, left);
        return b->operation == EXPRESSION_CONSTANT && b->value < 64 ? most >> b->value : most;
    case EXPRESSION_UREM:
        return b->operation == EXPRESSION_CONSTANT && b->value > 0 ? b->value - 1 : mask;
    case EXPRESSION_EXTRACT:
        most = integer->value == 0 && a->bits <= 64 ? Most(a, left) : mask;
        return most < mask ? most : mask;
    default:
        return mask;
    }
}

uint64_t LiftRules_Most(const Expression *integer) {
    uint32_t left = MOST_VISITED;
    return Most(integer, &left);
}

static LiftTest Constantly(bool holds) {
    return (LiftTest){.kind = holds ? LIFT_TEST_ALWAYS : LIFT_TEST_NEVER};
}

/* Takes out what neither order nor the outcome depends on. */
static LiftTest FloatTest(LiftRules *rules, const Expression *left, const Expression *right,
                          uint32_t outcomes) {
    const Expression **sides[2] = {&left, &right};
    for (int i = 0; i < 2; i++) {
        const Expression *e = *sides[i];
        /* A comparison does not tell a signalling NaN from a quiet one. */
        if (e->bits == 32)
            *sides[i] = Made(rules, EXPRESSION_X87_LOAD32, 0, BeforeQuiet(e), NULL);
        else if (e->bits == 64)
            *sides[i] = Made(rules, EXPRESSION_X87_LOAD64, 0, e, NULL);
        else if (e->operation == EXPRESSION_X87_OPERAND32)
            *sides[i] = Made(rules, EXPRESSION_X87_LOAD32, 0, e->operands[0], NULL);
        else if (e->operation == EXPRESSION_X87_OPERAND64)
            *sides[i] = Made(rules, EXPRESSION_X87_LOAD64, 0, e->operands[0], NULL);
    }
    const bool constant[2] = {Expression_IsConstant(left), Expression_IsConstant(right)};
    if ((IsNegated(left) || constant[0]) && (IsNegated(right) || constant[1]) &&
        (IsNegated(left) || IsNegated(right))) {
        left = Negated(rules, left);
        right = Negated(rules, right);
        outcomes = Flipped(outcomes);
    }
    if (constant[0] || (!constant[1] && left->id > right->id)) {
        const Expression *other = left;
        left = right;
        right = other;
        outcomes = Flipped(outcomes);
    }
    if (IsZero80(right)) /* -0 compares as 0 */
        right = Expression_Constant80(rules->graph, (ExpressionValue){0, 0});

    const uint32_t possible = LiftRules_Possible(left, right);
    if ((possible & outcomes) == 0)
        return Constantly(false);
    if ((possible & ~outcomes) == 0)
        return Constantly(true);
    return (LiftTest){
        .kind = LIFT_TEST_FLOAT, .left = left, .right = right, .outcomes = (uint8_t)outcomes};
}

/* Returns a linear form without its constant, which *constant gets. */
static const Expression *WithoutConstant(LiftRules *rules, const Expression *e,
                                         uint64_t *constant) {
    *constant = 0;
    if (e->operation == EXPRESSION_CONSTANT) {
        *constant = e->value;
        return Expression_Constant(rules->graph, e->bits, 0);
    }
    if (e->operation != EXPRESSION_ADD || e->operands[1]->operation != EXPRESSION_CONSTANT)
        return e;
    *constant = e->operands[1]->value;
    return e->operands[0];
}

/* Whether an expression depends on nothing but where the regions are, as far as looking at `left`
 * expressions tells. */
static bool DependsOnlyOnPlaces(const Expression *e, uint32_t *left) {
    if (*left == 0)
        return false;
    --*left;
    if (e->operation == EXPRESSION_INPUT || e->operation == EXPRESSION_LOAD ||
        e->operation == EXPRESSION_UNMODELLED || e->operation == EXPRESSION_OUTPUT ||
        e->operation == EXPRESSION_CALL)
        return false;
    for (uint32_t i = 0; i < e->count; i++) {
        if (!DependsOnlyOnPlaces(e->operands[i], left))
            return false;
    }
    return true;
}

static bool IsOfPlaces(const Expression *e) {
    uint32_t left = MOST_VISITED;
    return DependsOnlyOnPlaces(e, &left);
}

/* Whether a sum is the address of a region and so little more that it is not 0: user space ends at
 * 2 GB. The constant of the sum may be in the address instead of in `offset`. */
static bool IsNoNull(const Expression *sum, uint64_t offset) {
    const uint64_t least = UINT64_C(1) << 31;
    uint64_t most = offset;
    uint32_t addresses = 0;
    for (const Expression *rest = sum; rest;) {
        const bool is_sum = rest->operation == EXPRESSION_ADD;
        const Expression *term = is_sum ? rest->operands[1] : rest;
        rest = is_sum ? rest->operands[0] : NULL;
        if (term->operation == EXPRESSION_ADDRESS) {
            addresses++;
            if (term->value >= least || most + term->value >= least)
                return false;
            most += term->value;
            continue;
        }
        const bool has_factor = term->operation == EXPRESSION_MUL &&
                                term->operands[1]->operation == EXPRESSION_CONSTANT;
        const uint64_t factor = has_factor ? term->operands[1]->value : 1;
        const uint64_t of = LiftRules_Most(has_factor ? term->operands[0] : term);
        if (factor >= least || of >= least || factor * of >= least || most >= least)
            return false;
        most += factor * of;
    }
    return addresses == 1 && most < least;
}

static LiftTest OrderTest(const Expression *left, const Expression *right, bool is_signed,
                          uint32_t outcomes) {
    while (left->operation == EXPRESSION_ZERO_EXTEND &&
           right->operation == EXPRESSION_ZERO_EXTEND &&
           left->operands[0]->bits == right->operands[0]->bits) {
        left = left->operands[0];
        right = right->operands[0];
        is_signed = false;
    }
    if (left->id > right->id) {
        const Expression *other = left;
        left = right;
        right = other;
        outcomes = Flipped(outcomes);
    }
    if (left == right)
        return Constantly((outcomes & COMPARE_EQUAL) != 0);
    const bool is_equality = !(outcomes & COMPARE_LESS) == !(outcomes & COMPARE_GREATER);
    return (LiftTest){.kind = LIFT_TEST_ORDER,
                      .left = left,
                      .right = right,
                      .is_signed = is_signed && !is_equality,
                      .outcomes = (uint8_t)outcomes};
}

/* `first` to `last`, both included, around the end of the range if first is above last. */
static LiftTest IntegerTest(const Expression *term, uint64_t first, uint64_t last) {
    const uint64_t mask = MaskOf(term->bits);
    LiftTest test = {.kind = LIFT_TEST_INTEGER, .left = term};
    if (((last + 1) & mask) == first)
        return Constantly(true);
    if (first <= last) {
        test.intervals[test.interval_count++] = (LiftInterval){first, last};
    } else {
        test.intervals[test.interval_count++] = (LiftInterval){0, last};
        test.intervals[test.interval_count++] = (LiftInterval){first, mask};
    }
    /* What the value cannot be anyway is left out, and what it is widened from is asked instead. */
    while (term->operation == EXPRESSION_ZERO_EXTEND)
        term = term->operands[0];
    test.left = term;
    const uint64_t most = LiftRules_Most(term);
    uint32_t count = 0;
    for (uint32_t i = 0; i < test.interval_count; i++) {
        LiftInterval interval = test.intervals[i];
        if (interval.low > most)
            continue;
        if (interval.high > most)
            interval.high = most;
        test.intervals[count++] = interval;
    }
    test.interval_count = count;
    if (count == 0)
        return Constantly(false);
    const bool is_all = test.intervals[0].low == 0 && test.intervals[0].high == most;
    return is_all ? Constantly(true) : test;
}

/* The values x for which x is less than a constant, or greater, are one stretch, which may go
 * around the end of the range. */
static LiftTest WithConstant(LiftRules *rules, const Expression *left, uint64_t constant,
                             bool is_signed, uint32_t outcomes) {
    const uint64_t mask = MaskOf(left->bits);
    const uint64_t least = is_signed ? (mask >> 1) + 1 : 0; /* the least number of the order */
    const uint64_t most = (least - 1) & mask;
    uint64_t offset, first, last;
    const Expression *term = WithoutConstant(rules, left, &offset);
    switch (outcomes) {
    case COMPARE_LESS:
        if (constant == least)
            return Constantly(false);
        first = least;
        last = (constant - 1) & mask;
        break;
    case COMPARE_GREATER:
        if (constant == most)
            return Constantly(false);
        first = (constant + 1) & mask;
        last = most;
        break;
    case COMPARE_LESS | COMPARE_EQUAL:
        first = least;
        last = constant;
        break;
    case COMPARE_GREATER | COMPARE_EQUAL:
        first = constant;
        last = most;
        break;
    default:
        return Constantly(outcomes != 0);
    }
    if (((last + 1) & mask) == first)
        return Constantly(true);
    first = (first - offset) & mask;
    last = (last - offset) & mask;
    return IntegerTest(term, first, last);
}

bool LiftCondition_IsOfPlaces(const LiftCondition *condition) {
    return IsOfPlaces(condition->left) && IsOfPlaces(condition->right);
}

LiftTest LiftRules_Test(LiftRules *rules, const LiftCondition *condition) {
    const Expression *left = LiftRules_Normal(rules, condition->left);
    const Expression *right = LiftRules_Normal(rules, condition->right);
    uint32_t outcomes = condition->outcomes;
    if (condition->order == LIFT_X87 || condition->order == LIFT_SSE)
        return FloatTest(rules, left, right, outcomes);

    /* Where the parameters are is not an input. */
    const bool is_of_places = left->bits == 32 && IsOfPlaces(left) && IsOfPlaces(right);
    if (is_of_places && !(Expression_IsConstant(left) && Expression_IsConstant(right)))
        return (LiftTest){.kind = LIFT_TEST_ALWAYS, .is_of_places = true};

    const bool is_signed = condition->order == LIFT_SIGNED;
    outcomes &= COMPARE_LESS | COMPARE_EQUAL | COMPARE_GREATER;
    if (Expression_IsConstant(left) && !Expression_IsConstant(right)) {
        const Expression *other = left;
        left = right;
        right = other;
        outcomes = Flipped(outcomes);
    }
    const bool is_equality =
        outcomes == COMPARE_EQUAL || outcomes == (COMPARE_LESS | COMPARE_GREATER);
    if (!is_equality && Expression_IsConstant(right))
        return WithConstant(rules, left, right->value, is_signed, outcomes);
    if (!is_equality)
        return OrderTest(left, right, is_signed, outcomes);

    /* left = right is left - right = 0, a linear form. */
    uint64_t offset;
    const Expression *difference = Expression_Subtract(rules->graph, left, right);
    const uint64_t mask = MaskOf(difference->bits);
    const Expression *terms = WithoutConstant(rules, difference, &offset);
    if (Expression_IsConstant(terms))
        return Constantly((offset == 0) == (outcomes == COMPARE_EQUAL));
    if (IsNoNull(terms, offset))
        return (LiftTest){.kind = outcomes == COMPARE_EQUAL ? LIFT_TEST_NEVER : LIFT_TEST_ALWAYS,
                          .is_of_places = true};

    /* The form is split into the terms whose factor counts as positive, and the negated others. */
    const Expression *zero = Expression_Constant(rules->graph, terms->bits, 0);
    const Expression *positive = NULL, *negative = NULL;
    for (const Expression *rest = terms; rest;) {
        const bool is_sum = rest->operation == EXPRESSION_ADD;
        const Expression *term = is_sum ? rest->operands[1] : rest;
        rest = is_sum ? rest->operands[0] : NULL;
        const bool is_negative = term->operation == EXPRESSION_MUL &&
                                 term->operands[1]->operation == EXPRESSION_CONSTANT &&
                                 term->operands[1]->value >> (terms->bits - 1) & 1;
        const Expression **sum = is_negative ? &negative : &positive;
        if (is_negative)
            term = Expression_Subtract(rules->graph, zero, term);
        *sum = *sum ? Expression_Make(rules->graph, EXPRESSION_ADD, 0, 0, *sum, term) : term;
    }
    if (positive && negative && offset == 0)
        return OrderTest(positive, negative, false, outcomes);
    if (terms->operation == EXPRESSION_XOR && offset == 0 &&
        !Expression_IsConstant(terms->operands[1]))
        return OrderTest(terms->operands[0], terms->operands[1], false, outcomes);
    /* Of a form and its negation, the one with the lower id stands for both. */
    uint64_t value = (0 - offset) & mask;
    const Expression *other = Expression_Subtract(rules->graph, zero, terms);
    if (other->id < terms->id) {
        terms = other;
        value = (0 - value) & mask;
    }
    if (outcomes == COMPARE_EQUAL)
        return IntegerTest(terms, value, value);
    return IntegerTest(terms, (value + 1) & mask, (value - 1) & mask);
}

bool LiftRules_AskTheSame(LiftRules *rules, const LiftCondition *a, const LiftCondition *b) {
    const LiftTest one = LiftRules_Test(rules, a), other = LiftRules_Test(rules, b);
    return one.kind == other.kind && one.left == other.left && one.right == other.right;
}

LiftTest LiftTest_Not(const LiftTest *test) {
    LiftTest result = *test;
    switch (test->kind) {
    case LIFT_TEST_FLOAT:
        result.outcomes = (uint8_t)(~test->outcomes & COMPARE_ANY);
        return result;
    case LIFT_TEST_ORDER:
        result.outcomes =
            (uint8_t)(~test->outcomes & (COMPARE_LESS | COMPARE_EQUAL | COMPARE_GREATER));
        return result;
    case LIFT_TEST_ALWAYS:
    case LIFT_TEST_NEVER:
        return Constantly(test->kind == LIFT_TEST_NEVER);
    case LIFT_TEST_INTEGER:
        break;
    }
    const uint64_t most = LiftRules_Most(test->left);
    LiftInterval gaps[3];
    uint32_t count = 0;
    uint64_t next = 0;
    bool is_over = false; /* an interval reached the end */
    for (uint32_t i = 0; i < test->interval_count; i++) {
        const LiftInterval interval = test->intervals[i];
        if (interval.low > next)
            gaps[count++] = (LiftInterval){next, interval.low - 1};
        is_over = interval.high >= most;
        next = interval.high + 1;
    }
    if (!is_over)
        gaps[count++] = (LiftInterval){next, most};
    if (count == 0)
        return Constantly(false);
    /* Two intervals of a test leave a gap at an end only where one of them is at the other. */
    result.interval_count = count > 2 ? 2 : count;
    memcpy(result.intervals, gaps, result.interval_count * sizeof gaps[0]);
    return result;
}

bool LiftTest_IsSame(const LiftTest *a, const LiftTest *b) {
    if (a->kind != b->kind || a->left != b->left || a->right != b->right)
        return false;
    if (a->kind == LIFT_TEST_FLOAT)
        return a->outcomes == b->outcomes;
    if (a->kind == LIFT_TEST_ORDER)
        return a->outcomes == b->outcomes && a->is_signed == b->is_signed;
    return a->kind != LIFT_TEST_INTEGER ||
           (a->interval_count == b->interval_count &&
            memcmp(a->intervals, b->intervals, a->interval_count * sizeof a->intervals[0]) == 0);
}
