/* Tests which conditions exclude each other, and what a walk over the tree of conditions finds. */
#include "replay/lift/lift_tree.h"

#include "tests/test.h"

#include <string.h>

#define ONE32      0x3F800000u
#define EXPONENT32 0x7F800000u

static ExpressionGraph *graph;
static LiftRules *rules;
static LiftFacts *facts;
static uint32_t region;
static const Expression *zero;

AROUND(BeforeEach) {
    graph = ExpressionGraph_Create();
    region = ExpressionGraph_Name(graph, "v");
    rules = LiftRules_Create(graph, 0);
    facts = LiftFacts_Create(rules);
    assert_non_null(facts);
    zero = Expression_Constant80(graph, (ExpressionValue){0, 0});
}

AROUND(AfterEach) {
    assert_false(LiftFacts_HasFailed(facts));
    LiftFacts_Destroy(facts);
    LiftRules_Destroy(rules);
    ExpressionGraph_Destroy(graph);
}

static const Expression *Word(uint32_t number) {
    return Expression_Input(graph, region, 4 * number, 32);
}

static const Expression *Op(ExpressionOperation operation, const Expression *a,
                            const Expression *b) {
    return Expression_Make(graph, operation, 0, 0, a, b);
}

static const Expression *Load(uint32_t number) {
    return Op(EXPRESSION_X87_LOAD32, Word(number), NULL);
}

static const Expression *Float(uint32_t bits) {
    return Op(EXPRESSION_X87_LOAD32, Expression_Constant(graph, 32, bits), NULL);
}

static LiftCondition Condition(LiftOrder order, const Expression *left, const Expression *right,
                               uint32_t outcomes) {
    return (LiftCondition){
        .order = order, .left = left, .right = right, .outcomes = (uint8_t)outcomes};
}

static bool Add(LiftOrder order, const Expression *left, const Expression *right,
                uint32_t outcomes) {
    const LiftCondition condition = Condition(order, left, right, outcomes);
    const LiftTest test = LiftRules_Test(rules, &condition);
    return LiftFacts_Add(facts, &test);
}

static bool AddFloats(const Expression *left, uint32_t outcomes, const Expression *right) {
    return Add(LIFT_X87, left, right, outcomes);
}

static bool AddIntegers(const Expression *left, uint32_t outcomes, uint32_t right) {
    return Add(LIFT_UNSIGNED, left, Expression_Constant(graph, left->bits, right), outcomes);
}

/* ---- facts ----------------------------------------------------------------------------------- */

TEST(ANumberIsOnOneSideOfAnother) {
    const uint32_t mark = LiftFacts_Mark(facts);
    assert_true(AddFloats(Load(0), COMPARE_LESS, Load(1)));
    assert_false(AddFloats(Load(1), COMPARE_LESS, Load(0)));
    LiftFacts_Undo(facts, mark);
    assert_true(AddFloats(Load(1), COMPARE_LESS | COMPARE_EQUAL, Load(0)));
    assert_true(AddFloats(Load(0), COMPARE_LESS | COMPARE_EQUAL, Load(1)));
    assert_false(AddFloats(Load(0), COMPARE_UNORDERED | COMPARE_LESS, Load(1)));
}

TEST(WhatIsBelowOneConstantIsBelowALargerOne) {
    assert_true(AddFloats(Load(0), COMPARE_LESS | COMPARE_EQUAL, zero));
    assert_true(AddFloats(Load(0), COMPARE_LESS, Float(ONE32)));
    assert_false(AddFloats(Load(0), COMPARE_GREATER, Float(ONE32)));
    LiftFacts_Undo(facts, 0);
    assert_true(AddFloats(Load(0), COMPARE_GREATER, Float(ONE32)));
    assert_false(AddFloats(Load(0), COMPARE_EQUAL, zero));
}

TEST(WhatIsComparedIsNoNanAndNeitherAreItsOperands) {
    const Expression *sum = Op(EXPRESSION_X87_ADD, Load(0), Load(1));
    const Expression *product = Op(EXPRESSION_X87_MUL, sum, Load(2));
    assert_true(AddFloats(product, COMPARE_LESS, zero));
    assert_false(AddFloats(sum, COMPARE_UNORDERED, zero));
    LiftFacts_Undo(facts, 0);
    assert_true(AddFloats(product, COMPARE_LESS, zero));
    assert_false(AddFloats(Load(1), COMPARE_UNORDERED, Load(2)));
    assert_true(AddFloats(Load(3), COMPARE_UNORDERED, zero));
    /* A NaN spreads into results. */
    const Expression *of = Op(EXPRESSION_X87_SUB, Load(3), Load(1));
    assert_false(AddFloats(of, COMPARE_LESS | COMPARE_EQUAL | COMPARE_GREATER, zero));
    /* The sum of two numbers may be one: infinity less infinity. */
    LiftFacts_Undo(facts, 0);
    assert_true(AddFloats(Load(0), COMPARE_LESS, Load(1)));
    assert_true(AddFloats(sum, COMPARE_UNORDERED, zero));
}

TEST(ForNormalNumbersEqualBitsAreEqualValues) {
    const Expression *exponents[2];
    for (uint32_t i = 0; i < 2; i++)
        exponents[i] = Op(EXPRESSION_AND, Word(i), Expression_Constant(graph, 32, EXPONENT32));
    /* As a compiler asks: 0 < exponent < all ones, with one comparison. */
    for (uint32_t i = 0; i < 2; i++) {
        const Expression *less =
            Expression_Subtract(graph, exponents[i], Expression_Constant(graph, 32, 0x00800000));
        assert_true(AddIntegers(less, COMPARE_LESS, 0x7F000000));
    }
    const uint32_t mark = LiftFacts_Mark(facts);
    assert_true(Add(LIFT_UNSIGNED, Word(0), Word(1), COMPARE_EQUAL));
    assert_false(AddFloats(Load(0), COMPARE_LESS | COMPARE_GREATER, Load(1)));
    LiftFacts_Undo(facts, mark);
    assert_true(Add(LIFT_UNSIGNED, Word(0), Word(1), COMPARE_LESS | COMPARE_GREATER));
    assert_false(AddFloats(Load(0), COMPARE_EQUAL, Load(1)));
    LiftFacts_Undo(facts, mark);
    assert_false(AddFloats(Load(0), COMPARE_UNORDERED, Load(1)));
    LiftFacts_Undo(facts, mark);
    assert_true(AddFloats(Load(1), COMPARE_EQUAL, Load(0)));
    assert_false(Add(LIFT_UNSIGNED, Word(0), Word(1), COMPARE_LESS | COMPARE_GREATER));
    /* But 0 is equal to -0, and they have other bits. */
    LiftFacts_Undo(facts, 0);
    assert_true(AddFloats(Load(1), COMPARE_EQUAL, Load(0)));
    assert_true(Add(LIFT_UNSIGNED, Word(0), Word(1), COMPARE_LESS | COMPARE_GREATER));
}

TEST(ANormalNumberIsNotEqualToOneThatIsNot) {
    /* As another compiler asks: all bits but the sign, times two, less the least normal number. The
     * first number was loaded and stored on its way. */
    const Expression *stored = Op(EXPRESSION_X87_TO_F32, Load(0), NULL);
    const Expression *bits[] = {stored, Word(1)};
    for (uint32_t i = 0; i < 2; i++) {
        const Expression *twice = Op(EXPRESSION_MUL, bits[i], Expression_Constant(graph, 32, 2));
        const Expression *less =
            Op(EXPRESSION_ADD, twice, Expression_Constant(graph, 32, 0x01000000));
        assert_true(
            AddIntegers(less, i == 0 ? COMPARE_GREATER : COMPARE_LESS | COMPARE_EQUAL, 0x01FFFFFF));
    }
    const uint32_t mark = LiftFacts_Mark(facts);
    assert_false(AddFloats(Load(0), COMPARE_EQUAL, Load(1)));
    LiftFacts_Undo(facts, mark);
    assert_true(AddFloats(Load(0), COMPARE_UNORDERED, Load(1)));
    assert_false(AddFloats(Load(1), COMPARE_LESS, zero)); /* the second one is the NaN */
}

TEST(IntegersAreInWhatAllConditionsLeave) {
    const Expression *x = Word(0), *y = Word(1);
    assert_true(AddIntegers(x, COMPARE_LESS, 10));
    assert_true(AddIntegers(x, COMPARE_GREATER | COMPARE_EQUAL, 9));
    assert_false(AddIntegers(x, COMPARE_LESS | COMPARE_GREATER, 9));
    LiftFacts_Undo(facts, 0);
    assert_true(AddIntegers(x, COMPARE_LESS, 10));
    assert_false(AddIntegers(Expression_Subtract(graph, x, Expression_Constant(graph, 32, 1)),
                             COMPARE_EQUAL, 10));
    LiftFacts_Undo(facts, 0);
    assert_true(Add(LIFT_SIGNED, x, y, COMPARE_LESS));
    assert_false(Add(LIFT_UNSIGNED, x, y, COMPARE_EQUAL));
    assert_true(Add(LIFT_UNSIGNED, x, y, COMPARE_GREATER));
}

TEST(TwoThatAreNothingTogetherAreNothing) {
    const Expression *either = Op(EXPRESSION_OR, Op(EXPRESSION_XOR, Word(0), Word(1)), Word(2));
    assert_true(AddIntegers(either, COMPARE_EQUAL, 0));
    assert_false(AddIntegers(Word(2), COMPARE_EQUAL, 5));
    LiftFacts_Undo(facts, 0);
    assert_true(AddIntegers(either, COMPARE_EQUAL, 0));
    assert_false(Add(LIFT_UNSIGNED, Word(0), Word(1), COMPARE_LESS | COMPARE_GREATER));
}

TEST(ANumberWhosePartsAreEqualIsPutIn) {
    const Expression *s = LiftRules_Normal(rules, Load(0));
    const Expression *square = LiftRules_Normal(rules, Op(EXPRESSION_X87_MUL, s, s));
    const Expression *fourth = LiftRules_Normal(rules, Op(EXPRESSION_X87_MUL, square, square));
    static const uint32_t parts[][2] = {{0, 32}, {32, 32}, {64, 16}};
    for (uint32_t i = 0; i < 3; i++) {
        assert_ptr_not_equal(LiftFacts_Replace(facts, fourth), s);
        assert_true(Add(LIFT_UNSIGNED, Expression_Extract(graph, square, parts[i][0], parts[i][1]),
                        Expression_Extract(graph, s, parts[i][0], parts[i][1]), COMPARE_EQUAL));
    }
    assert_ptr_equal(LiftFacts_Replace(facts, fourth), s);
    LiftFacts_Undo(facts, 0);
    assert_ptr_equal(LiftFacts_Replace(facts, fourth), fourth);
}

/* ---- trees ----------------------------------------------------------------------------------- */

enum { MOST_PATHS = 8, MOST_CONDITIONS = 4 };

static LiftCondition conditions[MOST_PATHS][MOST_CONDITIONS];
static LiftPath paths[MOST_PATHS];
static uint32_t path_count;

static void Path(LiftCondition first, LiftCondition second, uint32_t count) {
    LiftCondition *of = conditions[path_count];
    of[0] = first;
    of[1] = second;
    paths[path_count++] = (LiftPath){.conditions = of, .condition_count = count};
}

typedef struct Met {
    uint32_t leaves, opens, open_path, open_condition;
} Met;

static void MeetLeaf(void *context, uint32_t path) {
    (void)path;
    ((Met *)context)->leaves++;
}

static void MeetOpen(void *context, uint32_t path, uint32_t condition) {
    Met *met = context;
    met->opens++;
    met->open_path = path;
    met->open_condition = condition;
}

static bool Walk(Met *met) {
    const LiftPath *all[MOST_PATHS];
    LiftTree tree;
    const LiftTreeVisitor visitor = {MeetLeaf, MeetOpen, met};
    for (uint32_t i = 0; i < path_count; i++)
        all[i] = &paths[i];
    *met = (Met){0};
    assert_true(LiftTree_Make(&tree, rules, all, path_count));
    const uint32_t mark = LiftFacts_Mark(facts);
    const bool is_tree = LiftTree_Walk(&tree, facts, &visitor);
    assert_int_equal(LiftFacts_Mark(facts), mark);
    LiftTree_Free(&tree);
    return is_tree;
}

#define ANY_BUT(outcome) (COMPARE_ANY & ~(uint32_t)(outcome))

TEST(ATreeIsCompleteIfEverySideHasAPath) {
    Met met;
    const LiftCondition less = Condition(LIFT_X87, Load(0), zero, COMPARE_LESS);
    const LiftCondition not_less = Condition(LIFT_X87, Load(0), zero, ANY_BUT(COMPARE_LESS));
    const LiftCondition other = Condition(LIFT_X87, Load(1), zero, COMPARE_EQUAL);
    const LiftCondition no_other = Condition(LIFT_X87, Load(1), zero, ANY_BUT(COMPARE_EQUAL));
    path_count = 0;
    Path(less, other, 2);
    Path(not_less, other, 1);
    assert_true(Walk(&met));
    assert_int_equal(met.leaves, 2);
    assert_int_equal(met.opens, 1);
    assert_int_equal(met.open_path, 0);
    assert_int_equal(met.open_condition, 1);
    Path(less, no_other, 2);
    assert_true(Walk(&met));
    assert_int_equal(met.leaves, 3);
    assert_int_equal(met.opens, 0);
    /* Facts exclude what contradicts them. */
    assert_true(AddFloats(Load(0), COMPARE_GREATER, zero));
    assert_true(Walk(&met));
    assert_int_equal(met.leaves, 1);
    assert_int_equal(met.opens, 0);
}

TEST(AnImpossibleSideIsNotOpen) {
    Met met;
    const Expression *root = Op(EXPRESSION_X87_SQRT, Load(0), NULL);
    path_count = 0;
    Path(Condition(LIFT_X87, root, zero, ANY_BUT(COMPARE_LESS)),
         Condition(LIFT_X87, root, zero, COMPARE_GREATER), 2);
    Path(Condition(LIFT_X87, root, zero, ANY_BUT(COMPARE_LESS)),
         Condition(LIFT_X87, root, zero, COMPARE_LESS | COMPARE_EQUAL | COMPARE_UNORDERED), 2);
    assert_true(Walk(&met));
    assert_int_equal(met.leaves, 2);
    assert_int_equal(met.opens, 0);
}

TEST(APinnedNumberLeavesTheOthersOpen) {
    Met met;
    path_count = 0;
    for (uint32_t value = 0; value < 3; value++) {
        LiftCondition pin =
            Condition(LIFT_UNSIGNED, Word(0), Expression_Constant(graph, 32, value), COMPARE_EQUAL);
        pin.decision = LIFT_PIN;
        Path(pin, (LiftCondition){0}, 1);
    }
    assert_true(AddIntegers(Word(0), COMPARE_LESS, 4));
    assert_true(Walk(&met));
    assert_int_equal(met.leaves, 3);
    assert_int_equal(met.opens, 1);
    LiftFacts_Undo(facts, 0);
    assert_true(AddIntegers(Word(0), COMPARE_LESS, 3));
    assert_true(Walk(&met));
    assert_int_equal(met.leaves, 3);
    assert_int_equal(met.opens, 0);
}

TEST(PathsThatAskDifferentThingsAfterTheSameOutcomesAreNoTree) {
    Met met;
    path_count = 0;
    Path(Condition(LIFT_X87, Load(0), zero, COMPARE_LESS), (LiftCondition){0}, 1);
    Path(Condition(LIFT_X87, Load(1), zero, COMPARE_LESS), (LiftCondition){0}, 1);
    assert_false(Walk(&met));
}

TEST(APathThatReturnedWhereAnotherAsksMoreIsNoTree) {
    Met met;
    const LiftCondition less = Condition(LIFT_X87, Load(0), zero, COMPARE_LESS);
    const LiftCondition other = Condition(LIFT_X87, Load(1), zero, COMPARE_EQUAL);
    path_count = 0;
    Path(less, other, 1);
    Path(less, other, 2);
    assert_false(Walk(&met));
    /* It may have been given up before the question. */
    paths[0].end = LIFT_REFUSED;
    assert_true(Walk(&met));
    assert_int_equal(met.leaves, 2);
}
