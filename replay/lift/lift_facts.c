#include "replay/lift/lift_facts.h"

#include "machine/lifting/expression_value.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_INTERVALS = 12, MOST_NAN_DEPTH = 6, MOST_SAME = 64 };

#define EXPONENT32 0x7F800000u

typedef enum FactKind {
    FACT_FLOAT,   /* comparing left with right has one of the outcomes */
    FACT_ORDER,   /* so has comparing integers, with and without sign */
    FACT_INTEGER, /* left is in one of the intervals */
    FACT_SAME,    /* left has the bits of right */
    FACT_PARTS,   /* left and right, of 80 bits, agree in some bytes */
    FACT_NUMBER,  /* left is not a NaN */
    FACT_NAN,
} FactKind;

typedef struct Fact {
    FactKind kind;
    const Expression *left, *right;
    uint8_t outcomes, signed_outcomes;
    uint16_t bytes; /* of FACT_PARTS: which */
    uint32_t interval_count;
    LiftInterval intervals[MOST_INTERVALS];
} Fact;

struct LiftFacts {
    LiftRules *rules;
    ExpressionGraph *graph;
    Fact *facts; /* the newest of a kind about the same expressions is what holds */
    uint32_t count, capacity;
    bool failed;
};

LiftFacts *LiftFacts_Create(LiftRules *rules) {
    LiftFacts *facts = calloc(1, sizeof *facts);
    if (facts) {
        facts->rules = rules;
        facts->graph = LiftRules_Graph(rules);
    }
    return facts;
}

void LiftFacts_Destroy(LiftFacts *facts) {
    if (facts)
        free(facts->facts);
    free(facts);
}

bool LiftFacts_HasFailed(const LiftFacts *facts) {
    return facts->failed;
}

uint32_t LiftFacts_Mark(const LiftFacts *facts) {
    return facts->count;
}

void LiftFacts_Undo(LiftFacts *facts, uint32_t mark) {
    facts->count = mark;
}

static void Push(LiftFacts *facts, const Fact *fact) {
    if (facts->count == facts->capacity) {
        const uint32_t capacity = facts->capacity * 2 + 64;
        Fact *all = realloc(facts->facts, capacity * sizeof *all);
        if (!all) {
            facts->failed = true;
            return;
        }
        facts->facts = all;
        facts->capacity = capacity;
    }
    facts->facts[facts->count++] = *fact;
}

static const Fact *Newest(const LiftFacts *facts, FactKind kind, const Expression *left,
                          const Expression *right) {
    for (uint32_t i = facts->count; i-- > 0;) {
        const Fact *fact = &facts->facts[i];
        if (fact->kind == kind && fact->left == left && fact->right == right)
            return fact;
    }
    return NULL;
}

/* ---- integers -------------------------------------------------------------------------------- */

/* The outcomes of comparing two integers, which are in the order of OrderTest. */
static uint32_t PossibleOrder(const LiftFacts *facts, const Expression *left,
                              const Expression *right, bool is_signed) {
    const Fact *fact = Newest(facts, FACT_ORDER, left, right);
    if (!fact)
        return COMPARE_LESS | COMPARE_EQUAL | COMPARE_GREATER;
    return is_signed ? fact->signed_outcomes : fact->outcomes;
}

/* What the facts say of 32 bits: whether they are a normal binary32, or one that is 0, denormal,
 * infinite or a NaN. */
typedef enum Normality { NORMALITY_OPEN, NORMALITY_NORMAL, NORMALITY_OTHER } Normality;

static Normality NormalityOf(LiftFacts *facts, const Expression *bits) {
    /* As compilers ask: for the exponent alone, or for all bits but the sign, times two. */
    static const uint64_t least[] = {1, 0x01000000}, most[] = {EXPONENT32 - 1, 0xFEFFFFFF};
    ExpressionGraph *graph = facts->graph;
    if (bits->operation == EXPRESSION_CONSTANT)
        return (bits->value & EXPONENT32) != 0 && (bits->value & EXPONENT32) != EXPONENT32
                   ? NORMALITY_NORMAL
                   : NORMALITY_OTHER;
    const Expression *asked[] = {
        Expression_Make(graph, EXPRESSION_AND, 0, 0, bits,
                        Expression_Constant(graph, 32, EXPONENT32)),
        Expression_Make(graph, EXPRESSION_MUL, 0, 0, bits, Expression_Constant(graph, 32, 2))};
    for (int i = 0; i < 2; i++) {
        const Fact *fact = Newest(facts, FACT_INTEGER, asked[i], NULL);
        if (fact && fact->intervals[0].low >= least[i] &&
            fact->intervals[fact->interval_count - 1].high <= most[i])
            return NORMALITY_NORMAL;
        bool is_outside = fact != NULL;
        for (uint32_t k = 0; fact && k < fact->interval_count; k++)
            is_outside &= fact->intervals[k].low > most[i] || fact->intervals[k].high < least[i];
        if (is_outside)
            return NORMALITY_OTHER;
    }
    return NORMALITY_OPEN;
}

/* The bits of a number that FLD loads: as they are in memory, and as they are after being loaded
 * and stored on the way. For all but NaNs both are the same. */
typedef struct LoadedBits {
    const Expression *bits[2];
} LoadedBits;

static LoadedBits BitsOf(LiftFacts *facts, const Expression *load) {
    const Expression *stored =
        Expression_Make(facts->graph, EXPRESSION_X87_TO_F32, 0, 0, load, NULL);
    return (LoadedBits){{load->operands[0], stored}};
}

static Normality NormalityOfLoad(LiftFacts *facts, const Expression *load) {
    const LoadedBits loaded = BitsOf(facts, load);
    const Normality normality = NormalityOf(facts, loaded.bits[0]);
    return normality ? normality : NormalityOf(facts, loaded.bits[1]);
}

/* ---- NaNs ------------------------------------------------------------------------------------ */

/* Whether a NaN as any operand makes the result a NaN. */
static bool SpreadsNan(const Expression *e) {
    switch (e->operation) {
    case EXPRESSION_X87_LOAD32:
        return e->operands[0]->operation == EXPRESSION_X87_TO_F32 ||
               (e->operands[0]->operation >= EXPRESSION_SSE_ADD &&
                e->operands[0]->operation <= EXPRESSION_SSE_SQRT);
    case EXPRESSION_X87_LOAD64:
        return e->operands[0]->operation == EXPRESSION_X87_TO_F64;
    case EXPRESSION_X87_TO_F32:
    case EXPRESSION_X87_TO_F64:
    case EXPRESSION_X87_ROUND:
    case EXPRESSION_X87_SIN:
    case EXPRESSION_X87_COS:
    case EXPRESSION_X87_PATAN:
        return true;
    default:
        return (e->operation >= EXPRESSION_X87_ADD && e->operation <= EXPRESSION_X87_ABS) ||
               (e->operation >= EXPRESSION_SSE_ADD && e->operation <= EXPRESSION_SSE_SQRT);
    }
}

static bool IsNumber(LiftFacts *facts, const Expression *e) {
    if (Newest(facts, FACT_NUMBER, e, NULL) || !Expression_MayBeNan(e))
        return true;
    switch (e->operation) {
    case EXPRESSION_X87_NEG:
    case EXPRESSION_X87_ABS:
    case EXPRESSION_X87_TO_F32:
        return IsNumber(facts, e->operands[0]);
    case EXPRESSION_X87_LOAD32:
        return e->operands[0]->operation == EXPRESSION_X87_TO_F32
                   ? IsNumber(facts, e->operands[0]->operands[0])
                   : NormalityOfLoad(facts, e) == NORMALITY_NORMAL;
    default:
        return false;
    }
}

static bool IsNan(const LiftFacts *facts, const Expression *e, int depth) {
    if (Newest(facts, FACT_NAN, e, NULL))
        return true;
    if (depth == 0 || !SpreadsNan(e))
        return false;
    for (uint32_t i = 0; i < e->count; i++) {
        if (IsNan(facts, e->operands[i], depth - 1))
            return true;
    }
    return false;
}

/* If a result is not a NaN, its operands are none either. */
static void AddNumber(LiftFacts *facts, const Expression *e) {
    if (Newest(facts, FACT_NUMBER, e, NULL))
        return;
    Push(facts, &(Fact){.kind = FACT_NUMBER, .left = e});
    const bool is_memory = e->operation == EXPRESSION_X87_OPERAND32;
    if (is_memory)
        AddNumber(facts, LiftRules_Normal(facts->rules,
                                          Expression_Make(facts->graph, EXPRESSION_X87_LOAD32, 0, 0,
                                                          e->operands[0], NULL)));
    for (uint32_t i = 0; SpreadsNan(e) && i < e->count; i++)
        AddNumber(facts, e->operands[i]);
}

/* ---- floating-point numbers ------------------------------------------------------------------ */

uint32_t LiftFacts_Possible(LiftFacts *facts, const Expression *left, const Expression *right) {
    uint32_t possible = LiftRules_Possible(left, right);
    const Fact *known = Newest(facts, FACT_FLOAT, left, right);
    if (known)
        possible &= known->outcomes;
    if (Expression_IsConstant(right)) {
        for (uint32_t i = 0; i < facts->count; i++) {
            const Fact *fact = &facts->facts[i];
            if (fact->kind != FACT_FLOAT || fact->left != left || fact->right == right ||
                !Expression_IsConstant(fact->right))
                continue;
            /* What a fact about `left` and one constant says of `left` and another one. */
            const uint32_t way = ExpressionValue_Compare(80, Expression_ValueOf(fact->right),
                                                         Expression_ValueOf(right));
            const uint32_t unordered = fact->outcomes & COMPARE_UNORDERED;
            if (way == COMPARE_LESS && !(fact->outcomes & COMPARE_GREATER))
                possible &= COMPARE_LESS | unordered; /* left <= fact->right < right */
            else if (way == COMPARE_GREATER && !(fact->outcomes & COMPARE_LESS))
                possible &= COMPARE_GREATER | unordered;
        }
    }
    if (possible & COMPARE_UNORDERED && IsNumber(facts, left) && IsNumber(facts, right))
        possible &= ~(uint32_t)COMPARE_UNORDERED;
    if (possible & ~(uint32_t)COMPARE_UNORDERED &&
        (IsNan(facts, left, MOST_NAN_DEPTH) || IsNan(facts, right, MOST_NAN_DEPTH)))
        possible &= COMPARE_UNORDERED;

    /* Two normal numbers are equal exactly if their bits are. */
    if (left->operation == EXPRESSION_X87_LOAD32 && right->operation == EXPRESSION_X87_LOAD32) {
        const LoadedBits a = BitsOf(facts, left), b = BitsOf(facts, right);
        bool have_other_bits = false;
        for (int i = 0; i < 4; i++) {
            const Expression *x = a.bits[i & 1], *y = b.bits[i >> 1];
            const bool ordered = x->id < y->id;
            const uint32_t bits = PossibleOrder(facts, ordered ? x : y, ordered ? y : x, false);
            have_other_bits |= !(bits & COMPARE_EQUAL);
            if (bits == COMPARE_EQUAL)
                possible &= COMPARE_EQUAL | COMPARE_UNORDERED;
        }
        const Normality of_left = NormalityOfLoad(facts, left);
        const Normality of_right = NormalityOfLoad(facts, right);
        if ((have_other_bits && of_left == NORMALITY_NORMAL && of_right == NORMALITY_NORMAL) ||
            (of_left && of_right && of_left != of_right))
            possible &= ~(uint32_t)COMPARE_EQUAL;
    }
    return possible;
}

/* A new fact may leave an older one without a possible outcome. */
static bool IsConsistent(LiftFacts *facts) {
    for (uint32_t i = 0; i < facts->count; i++) {
        const Fact fact = facts->facts[i];
        if (fact.kind == FACT_FLOAT && LiftFacts_Possible(facts, fact.left, fact.right) == 0)
            return false;
    }
    return true;
}

static bool AddFloat(LiftFacts *facts, const LiftTest *test) {
    const uint32_t outcomes = LiftFacts_Possible(facts, test->left, test->right) & test->outcomes;
    if (outcomes == 0)
        return false;
    Push(facts, &(Fact){.kind = FACT_FLOAT,
                        .left = test->left,
                        .right = test->right,
                        .outcomes = (uint8_t)outcomes});
    if (!(outcomes & COMPARE_UNORDERED)) {
        AddNumber(facts, test->left);
        AddNumber(facts, test->right);
    } else if (outcomes == COMPARE_UNORDERED) {
        if (IsNumber(facts, test->right))
            Push(facts, &(Fact){.kind = FACT_NAN, .left = test->left});
        else if (IsNumber(facts, test->left))
            Push(facts, &(Fact){.kind = FACT_NAN, .left = test->right});
    }
    return true;
}

/* ---- adding ---------------------------------------------------------------------------------- */

static void AddSame(LiftFacts *facts, const Expression *from, const Expression *to) {
    Push(facts, &(Fact){.kind = FACT_SAME, .left = from, .right = to});
}

static bool AddOrder(LiftFacts *facts, const LiftTest *test) {
    const Expression *left = test->left, *right = test->right;
    uint32_t outcomes = PossibleOrder(facts, left, right, false);
    uint32_t signed_outcomes = PossibleOrder(facts, left, right, true);
    if (test->is_signed)
        signed_outcomes &= test->outcomes;
    else
        outcomes &= test->outcomes;
    const uint32_t is_equality =
        !(test->outcomes & COMPARE_LESS) == !(test->outcomes & COMPARE_GREATER);
    if (is_equality)
        signed_outcomes &= test->outcomes;
    /* "Equal" is the same with and without sign. */
    const uint32_t equal = outcomes & signed_outcomes & COMPARE_EQUAL;
    outcomes = (outcomes & ~(uint32_t)COMPARE_EQUAL) | equal;
    signed_outcomes = (signed_outcomes & ~(uint32_t)COMPARE_EQUAL) | equal;
    if (outcomes == 0 || signed_outcomes == 0)
        return false;
    Push(facts, &(Fact){.kind = FACT_ORDER,
                        .left = left,
                        .right = right,
                        .outcomes = (uint8_t)outcomes,
                        .signed_outcomes = (uint8_t)signed_outcomes});
    if (outcomes == COMPARE_EQUAL || signed_outcomes == COMPARE_EQUAL) {
        AddSame(facts, right, left);

        /* A number of 80 bits is compared in parts; if all are equal, the numbers are. */
        enum { ALL_BYTES = 0x3FF };
        const bool are_parts =
            left->operation == EXPRESSION_EXTRACT && right->operation == EXPRESSION_EXTRACT &&
            left->operands[0]->bits == 80 && right->operands[0]->bits == 80 &&
            left->value == right->value && left->value % 8 == 0 && left->bits % 8 == 0;
        if (!are_parts)
            return true;
        const Expression *later = left->operands[0], *earlier = right->operands[0];
        if (later->id < earlier->id) { /* what was computed later is replaced */
            later = right->operands[0];
            earlier = left->operands[0];
        }
        const Fact *known = Newest(facts, FACT_PARTS, later, earlier);
        const uint32_t bytes =
            ((1u << left->bits / 8) - 1) << left->value / 8 | (known ? known->bytes : 0);
        Push(
            facts,
            &(Fact){.kind = FACT_PARTS, .left = later, .right = earlier, .bytes = (uint16_t)bytes});
        if (bytes == ALL_BYTES)
            AddSame(facts, later, earlier);
    }
    return true;
}

static bool AddInteger(LiftFacts *facts, const LiftTest *test) {
    const LiftInterval all = {0, LiftRules_Most(test->left)};
    const Fact *known = Newest(facts, FACT_INTEGER, test->left, NULL);
    const LiftInterval *old = known ? known->intervals : &all;
    const uint32_t old_count = known ? known->interval_count : 1;
    Fact fact = {.kind = FACT_INTEGER, .left = test->left};
    for (uint32_t i = 0; i < old_count; i++) {
        for (uint32_t j = 0; j < test->interval_count; j++) {
            LiftInterval both = old[i];
            if (test->intervals[j].low > both.low)
                both.low = test->intervals[j].low;
            if (test->intervals[j].high < both.high)
                both.high = test->intervals[j].high;
            if (both.low > both.high)
                continue;
            if (fact.interval_count == MOST_INTERVALS) /* too many: the last one takes the rest */
                fact.intervals[MOST_INTERVALS - 1].high = both.high;
            else
                fact.intervals[fact.interval_count++] = both;
        }
    }
    if (fact.interval_count == 0)
        return false;
    Push(facts, &fact);
    if (fact.interval_count > 1 || fact.intervals[0].low != fact.intervals[0].high)
        return true;

    const uint64_t value = fact.intervals[0].low;
    const Expression *zero = Expression_Constant(facts->graph, test->left->bits, 0);
    AddSame(facts, test->left, Expression_Constant(facts->graph, test->left->bits, value));
    if (test->left->operation != EXPRESSION_OR || value != 0)
        return true;
    /* a | b is 0 if both are. */
    for (uint32_t i = 0; i < 2; i++) {
        const LiftCondition is_zero = {.order = LIFT_UNSIGNED,
                                       .left = test->left->operands[i],
                                       .right = zero,
                                       .outcomes = COMPARE_EQUAL};
        const LiftTest part = LiftRules_Test(facts->rules, &is_zero);
        if (!LiftFacts_Add(facts, &part))
            return false;
    }
    return true;
}

bool LiftFacts_Add(LiftFacts *facts, const LiftTest *test) {
    switch (test->kind) {
    case LIFT_TEST_ALWAYS:
        return true;
    case LIFT_TEST_NEVER:
        return false;
    case LIFT_TEST_FLOAT:
        return AddFloat(facts, test) && IsConsistent(facts);
    case LIFT_TEST_ORDER:
        return AddOrder(facts, test) && IsConsistent(facts);
    case LIFT_TEST_INTEGER:
        return AddInteger(facts, test) && IsConsistent(facts);
    }
    return true;
}

const Expression *LiftFacts_Replace(LiftFacts *facts, const Expression *expression) {
    const Expression *from[MOST_SAME], *to[MOST_SAME];
    uint32_t count = 0;
    for (uint32_t i = 0; i < facts->count && count < MOST_SAME; i++) {
        if (facts->facts[i].kind == FACT_SAME) {
            from[count] = facts->facts[i].left;
            to[count++] = facts->facts[i].right;
        }
    }
    return count > 0 ? LiftRules_Replace(facts->rules, expression, from, to, count) : expression;
}
