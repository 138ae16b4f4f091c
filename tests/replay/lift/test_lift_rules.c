/* Tests the rules by which expressions are compared: what they make equal, what they must not, and
 * that a normal form has the bits of the expression for every input that is tried. */
#include "replay/lift/lift_rules.h"

#include "machine/lifting/expression_value.h"
#include "replay/scenario/values.h"
#include "tests/test.h"

#include <string.h>

#define NEAREST_24 0x0000
#define ONE32      0x3F800000u
#define SIGN32     0x80000000u
#define EXPONENT32 0x7F800000u

static ExpressionGraph *graph;
static LiftRules *rules;
static uint32_t region;

AROUND(BeforeEach) {
    graph = ExpressionGraph_Create();
    assert_non_null(graph);
    region = ExpressionGraph_Name(graph, "v");
    rules = LiftRules_Create(graph, 0);
    assert_non_null(rules);
}

AROUND(AfterEach) {
    assert_false(ExpressionGraph_HasFailed(graph));
    LiftRules_Destroy(rules);
    ExpressionGraph_Destroy(graph);
}

static const Expression *Word(uint32_t number) {
    return Expression_Input(graph, region, 4 * number, 32);
}

static const Expression *Op(ExpressionOperation operation, const Expression *a,
                            const Expression *b) {
    return Expression_Make(graph, operation, NEAREST_24, 0, a, b);
}

static const Expression *Load(uint32_t number) {
    return Op(EXPRESSION_X87_LOAD32, Word(number), NULL);
}

static const Expression *Constant(uint32_t value) {
    return Expression_Constant(graph, 32, value);
}

static bool AreSame(const Expression *a, const Expression *b) {
    return LiftRules_Normal(rules, a) == LiftRules_Normal(rules, b);
}

static bool AreSameBut(uint32_t laws, const Expression *a, const Expression *b) {
    LiftRules *others = LiftRules_Create(graph, laws);
    const bool same = LiftRules_Normal(others, a) == LiftRules_Normal(others, b);
    LiftRules_Destroy(others);
    return same;
}

/* ---- what is the same ------------------------------------------------------------------------ */

TEST(SumsAndProductsOfTheX87Commute) {
    const Expression *a = Load(0), *b = Load(1), *c = Load(2);
    assert_true(AreSame(Op(EXPRESSION_X87_ADD, a, b), Op(EXPRESSION_X87_ADD, b, a)));
    assert_true(AreSame(Op(EXPRESSION_X87_MUL, a, b), Op(EXPRESSION_X87_MUL, b, a)));
    assert_false(AreSame(Op(EXPRESSION_X87_SUB, a, b), Op(EXPRESSION_X87_SUB, b, a)));
    assert_false(AreSame(Op(EXPRESSION_X87_ADD, Op(EXPRESSION_X87_ADD, a, b), c),
                         Op(EXPRESSION_X87_ADD, a, Op(EXPRESSION_X87_ADD, b, c))));
}

TEST(SumsOfSseCommuteIfOneOperandIsNoNan) {
    const Expression *a = Word(0), *b = Word(1), *one = Constant(ONE32);
    assert_false(AreSame(Op(EXPRESSION_SSE_ADD, a, b), Op(EXPRESSION_SSE_ADD, b, a)));
    assert_true(AreSame(Op(EXPRESSION_SSE_ADD, a, one), Op(EXPRESSION_SSE_ADD, one, a)));
    assert_true(
        AreSameBut(LIFT_LAW_NANS, Op(EXPRESSION_SSE_ADD, a, b), Op(EXPRESSION_SSE_ADD, b, a)));
}

TEST(AConstantIsTheSameHoweverItIsLoaded) {
    const ExpressionValue one = {0x8000000000000000u, 0x3FFF},
                          denormal = {1ull << 63, 0x3FFF - 149};
    const Expression *word = Expression_Constant(graph, 16, 1);
    assert_true(AreSame(Op(EXPRESSION_X87_LOAD32, Constant(ONE32), NULL),
                        Expression_Constant80(graph, one)));
    assert_true(AreSame(
        Op(EXPRESSION_X87_LOAD64, Expression_Constant(graph, 64, 0x3FF0000000000000u), NULL),
        Expression_Constant80(graph, one)));
    assert_true(
        AreSame(Op(EXPRESSION_X87_FROM_INTEGER, word, NULL), Expression_Constant80(graph, one)));
    assert_true(AreSame(Op(EXPRESSION_X87_LOAD32, Constant(1), NULL),
                        Expression_Constant80(graph, denormal)));
    /* Half of the smallest binary32 is none. */
    const Expression *half =
        Op(EXPRESSION_X87_TO_F32,
           Expression_Constant80(graph, (ExpressionValue){1ull << 63 | 1, 0x3FFF - 150}), NULL);
    assert_ptr_equal(LiftRules_Normal(rules, half), half);
}

TEST(StoringWhatWasLoadedAndLoadingItAgainChangesNothing) {
    const Expression *loaded = Load(0), *minus = Op(EXPRESSION_X87_NEG, loaded, NULL);
    const Expression *sum = Op(EXPRESSION_X87_ADD, loaded, Load(1));
    const Expression *stored = Op(EXPRESSION_X87_TO_F32, loaded, NULL);
    assert_true(AreSame(Op(EXPRESSION_X87_LOAD32, stored, NULL), loaded));
    stored = Op(EXPRESSION_X87_TO_F32, minus, NULL);
    assert_true(AreSame(Op(EXPRESSION_X87_LOAD32, stored, NULL), minus));
    assert_true(AreSame(Op(EXPRESSION_X87_NEG, minus, NULL), loaded));
    /* A sum of 24 bits may be out of binary32's range. */
    stored = Op(EXPRESSION_X87_TO_F32, sum, NULL);
    const Expression *again = Op(EXPRESSION_X87_LOAD32, stored, NULL);
    assert_false(AreSame(again, sum));
    assert_true(AreSame(Op(EXPRESSION_X87_TO_F32, again, NULL), stored));
}

TEST(CopyingThroughTheStackIsNotTheSameBecauseOfSignallingNans) {
    const Expression *stored = Op(EXPRESSION_X87_TO_F32, Load(0), NULL);
    assert_false(AreSame(stored, Word(0)));
    /* But arithmetic cannot tell. */
    assert_true(
        AreSame(Op(EXPRESSION_SSE_MUL, stored, Word(1)), Op(EXPRESSION_SSE_MUL, Word(0), Word(1))));
    assert_true(
        AreSame(Op(EXPRESSION_SSE_MIN, stored, Word(1)), Op(EXPRESSION_SSE_MIN, Word(0), Word(1))));
    assert_false(
        AreSame(Op(EXPRESSION_SSE_MIN, Word(1), stored), Op(EXPRESSION_SSE_MIN, Word(1), Word(0))));
}

TEST(AnOperandFromMemoryIsALoadedOneUnlessBothAreNans) {
    const Expression *memory = Op(EXPRESSION_X87_OPERAND32, Word(1), NULL);
    const Expression *one = Op(EXPRESSION_X87_LOAD32, Constant(ONE32), NULL);
    assert_false(
        AreSame(Op(EXPRESSION_X87_MUL, Load(0), memory), Op(EXPRESSION_X87_MUL, Load(0), Load(1))));
    assert_true(AreSameBut(LIFT_LAW_MEMORY, Op(EXPRESSION_X87_MUL, Load(0), memory),
                           Op(EXPRESSION_X87_MUL, Load(0), Load(1))));
    assert_true(AreSame(Op(EXPRESSION_X87_MUL, one, memory), Op(EXPRESSION_X87_MUL, one, Load(1))));
    assert_true(
        AreSame(Op(EXPRESSION_X87_MUL, Load(1), memory), Op(EXPRESSION_X87_MUL, Load(1), Load(1))));
}

TEST(LawsThatAreNotExactAreAppliedOnlyWhenAskedFor) {
    const Expression *a = Load(0), *b = Load(1);
    const Expression *minus_a = Op(EXPRESSION_X87_NEG, a, NULL);
    const Expression *minus_b = Op(EXPRESSION_X87_NEG, b, NULL);
    const Expression *zero = Expression_Constant80(graph, (ExpressionValue){0, 0});
    const struct {
        LiftLaw law;
        const Expression *left, *right;
    } laws[] = {
        {LIFT_LAW_NEGATED_SUM, Op(EXPRESSION_X87_SUB, a, b), Op(EXPRESSION_X87_ADD, a, minus_b)},
        {LIFT_LAW_NEGATED_PRODUCT, Op(EXPRESSION_X87_NEG, Op(EXPRESSION_X87_MUL, a, b), NULL),
         Op(EXPRESSION_X87_MUL, minus_a, b)},
        {LIFT_LAW_SWAPPED, Op(EXPRESSION_X87_SUB, a, b),
         Op(EXPRESSION_X87_NEG, Op(EXPRESSION_X87_SUB, b, a), NULL)},
        {LIFT_LAW_ZERO, Op(EXPRESSION_X87_ADD, a, zero), a},
        {LIFT_LAW_SSE, Op(EXPRESSION_SSE_ADD, Word(0), Word(1)),
         Op(EXPRESSION_X87_TO_F32, Op(EXPRESSION_X87_ADD, a, b), NULL)},
    };
    for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++) {
        assert_false(AreSame(laws[i].left, laws[i].right));
        assert_true(AreSameBut(laws[i].law, laws[i].left, laws[i].right));
        assert_true(LiftLaw_Except(laws[i].law)[0] != '\0');
    }
}

TEST(ANegatedSumIsTheSumOfNegatedOnesButForTheSignOfAZero) {
    /* -(1 + -1) is -0, and -1 + 1 is 0. */
    const Expression *a = Load(0), *b = Load(1);
    const Expression *minus_a = Op(EXPRESSION_X87_NEG, a, NULL);
    const Expression *minus_b = Op(EXPRESSION_X87_NEG, b, NULL);
    const Expression *negated = Op(EXPRESSION_X87_NEG, Op(EXPRESSION_X87_ADD, a, b), NULL);
    const Expression *sum = Op(EXPRESSION_X87_ADD, minus_a, minus_b);
    assert_false(AreSameBut(LIFT_LAW_NEGATED_SUM, negated, sum));
    assert_true(AreSameBut(LIFT_LAW_SWAPPED, negated, sum));
    assert_true(AreSameBut(LIFT_LAW_NEGATED_SUM | LIFT_LAW_SWAPPED, negated, sum));
    assert_non_null(strstr(LiftLaw_Except(LIFT_LAW_SWAPPED), "the sign of a zero"));
}

TEST(AddingAZeroRoundsWhatHasMoreBits) {
    const Expression *zero = Expression_Constant80(graph, (ExpressionValue){0, 0});
    const Expression *integer = Op(EXPRESSION_X87_FROM_INTEGER, Word(0), NULL); /* 01000001 */
    const Expression *narrow =
        Op(EXPRESSION_X87_NEG, Op(EXPRESSION_X87_ADD, Load(0), Load(1)), NULL);
    const Expression *wide =
        Expression_Make(graph, EXPRESSION_X87_ADD, 0x0300, 0, Load(0), Load(1));
    assert_false(AreSameBut(LIFT_LAW_ZERO, Op(EXPRESSION_X87_ADD, integer, zero), integer));
    assert_false(AreSameBut(LIFT_LAW_ZERO, Op(EXPRESSION_X87_SUB, integer, zero), integer));
    assert_false(AreSameBut(LIFT_LAW_ZERO, Op(EXPRESSION_X87_ADD, zero, wide), wide));
    assert_true(AreSameBut(LIFT_LAW_ZERO, Op(EXPRESSION_X87_ADD, zero, narrow), narrow));
    assert_true(AreSameBut(
        LIFT_LAW_ZERO, Expression_Make(graph, EXPRESSION_X87_SUB, 0x0300, 0, wide, zero), wide));
}

TEST(AFunctionThatOnlyLoadsItsInputCannotTellAQuietedOne) {
    const uint32_t function = ExpressionGraph_Name(graph, "callee");
    const Expression *stored = Op(EXPRESSION_X87_TO_F32, Load(0), NULL), *word = Word(0);
    const Expression *a = Expression_Call(graph, function, &stored, 1);
    const Expression *b = Expression_Call(graph, function, &word, 1);
    assert_false(AreSame(a, b));
    LiftRules *others = LiftRules_Create(graph, 0);
    LiftRules_CallLoads(others, function, 0);
    assert_ptr_equal(LiftRules_Normal(others, a), LiftRules_Normal(others, b));
    LiftRules_Destroy(others);
}

TEST(WhatIsKnownToBeEqualIsPutIn) {
    /* s * s = s makes ((s * s) * (s * s)) one s. */
    const Expression *s = LiftRules_Normal(rules, Load(0));
    const Expression *square = LiftRules_Normal(rules, Op(EXPRESSION_X87_MUL, s, s));
    const Expression *fourth = LiftRules_Normal(rules, Op(EXPRESSION_X87_MUL, square, square));
    assert_ptr_equal(LiftRules_Replace(rules, fourth, &square, &s, 1), s);
    assert_ptr_equal(LiftRules_Replace(rules, s, &square, &s, 1), s);
}

/* ---- conditions ------------------------------------------------------------------------------ */

static LiftTest TestOf(LiftOrder order, const Expression *left, const Expression *right,
                       uint32_t outcomes) {
    const LiftCondition condition = {
        .order = order, .left = left, .right = right, .outcomes = (uint8_t)outcomes};
    return LiftRules_Test(rules, &condition);
}

static bool AskTheSame(LiftTest a, LiftTest b) {
    return LiftTest_IsSame(&a, &b);
}

TEST(AComparisonIsTheSameWhicheverWayRoundItAsks) {
    const Expression *a = Load(0), *b = Load(1);
    assert_true(AskTheSame(TestOf(LIFT_X87, a, b, COMPARE_LESS | COMPARE_UNORDERED),
                           TestOf(LIFT_X87, b, a, COMPARE_GREATER | COMPARE_UNORDERED)));
    assert_true(AskTheSame(TestOf(LIFT_SSE, Word(0), Word(1), COMPARE_EQUAL),
                           TestOf(LIFT_X87, b, a, COMPARE_EQUAL)));
    assert_false(AskTheSame(TestOf(LIFT_X87, a, b, COMPARE_LESS),
                            TestOf(LIFT_X87, a, b, COMPARE_LESS | COMPARE_EQUAL)));
    assert_true(AskTheSame(
        TestOf(LIFT_X87, a, Op(EXPRESSION_X87_LOAD32, Constant(SIGN32), NULL), COMPARE_LESS),
        TestOf(LIFT_X87, a, Op(EXPRESSION_X87_LOAD32, Constant(0), NULL), COMPARE_LESS)));
    const Expression *minus = Op(EXPRESSION_X87_NEG, a, NULL);
    const Expression *one = Op(EXPRESSION_X87_LOAD32, Constant(ONE32), NULL);
    const Expression *less = Op(EXPRESSION_X87_LOAD32, Constant(ONE32 | SIGN32), NULL);
    assert_true(AskTheSame(TestOf(LIFT_X87, minus, one, COMPARE_LESS),
                           TestOf(LIFT_X87, a, less, COMPARE_GREATER)));
}

TEST(WhatCannotBeIsKnown) {
    const Expression *a = Load(0);
    const Expression *zero = Expression_Constant80(graph, (ExpressionValue){0, 0});
    const Expression *root = Op(EXPRESSION_X87_SQRT, a, NULL);
    assert_int_equal(TestOf(LIFT_X87, root, zero, COMPARE_LESS).kind, LIFT_TEST_NEVER);
    assert_int_equal(TestOf(LIFT_X87, zero, root, COMPARE_GREATER).kind, LIFT_TEST_NEVER);
    assert_int_equal(
        TestOf(LIFT_X87, Op(EXPRESSION_X87_MUL, a, a), zero, COMPARE_ANY & ~COMPARE_LESS).kind,
        LIFT_TEST_ALWAYS);
    assert_int_equal(TestOf(LIFT_X87, a, zero, COMPARE_LESS).kind, LIFT_TEST_FLOAT);
    const Expression *word =
        Op(EXPRESSION_X87_FROM_INTEGER, Expression_Input(graph, region, 0, 16), NULL);
    assert_int_equal(TestOf(LIFT_X87, word, zero, COMPARE_UNORDERED).kind, LIFT_TEST_NEVER);
}

TEST(IntegersAreComparedInOneForm) {
    const Expression *x = Word(0), *y = Word(1);
    const Expression *less = Expression_Subtract(graph, x, Constant(1));
    const LiftTest is_zero = TestOf(LIFT_UNSIGNED, x, Constant(0), COMPARE_EQUAL);
    assert_true(AskTheSame(TestOf(LIFT_UNSIGNED, x, Constant(1), COMPARE_LESS), is_zero));
    assert_true(
        AskTheSame(TestOf(LIFT_UNSIGNED, less, Constant(0xFFFFFFFF), COMPARE_EQUAL), is_zero));
    assert_true(AskTheSame(
        TestOf(LIFT_UNSIGNED, Expression_Subtract(graph, x, y), Constant(0), COMPARE_EQUAL),
        TestOf(LIFT_UNSIGNED, y, x, COMPARE_EQUAL)));
    const Expression *low = Expression_Input(graph, region, 0, 16);
    const Expression *wide = Expression_Extend(graph, EXPRESSION_ZERO_EXTEND, low, 32);
    assert_true(AskTheSame(
        TestOf(LIFT_UNSIGNED, wide, Constant(0xFFFF), COMPARE_EQUAL),
        TestOf(LIFT_UNSIGNED, low, Expression_Constant(graph, 16, 0xFFFF), COMPARE_EQUAL)));
    assert_int_equal(TestOf(LIFT_UNSIGNED, wide, Constant(0x10000), COMPARE_LESS).kind,
                     LIFT_TEST_ALWAYS);
    assert_int_equal(TestOf(LIFT_SIGNED, x, Constant(0x80000000), COMPARE_LESS).kind,
                     LIFT_TEST_NEVER);
}

TEST(WhereParametersAreIsNoInput) {
    const Expression *address = Expression_Address(graph, region, 24);
    const Expression *low = Op(EXPRESSION_AND, address, Constant(3));
    const LiftTest aligned = TestOf(LIFT_UNSIGNED, low, Constant(0), COMPARE_EQUAL);
    assert_int_equal(aligned.kind, LIFT_TEST_ALWAYS);
    assert_true(aligned.is_of_places);
    /* A table's entry is not at 0, whichever it is, unless its number can lead anywhere. */
    const Expression *number = Expression_Extend(graph, EXPRESSION_ZERO_EXTEND,
                                                 Expression_Input(graph, region, 0, 16), 32);
    const Expression *entry = Op(EXPRESSION_ADD, address, Op(EXPRESSION_MUL, number, Constant(24)));
    const LiftTest test = TestOf(LIFT_UNSIGNED, entry, Constant(0), COMPARE_EQUAL);
    assert_int_equal(test.kind, LIFT_TEST_NEVER);
    assert_true(test.is_of_places);
    /* What it is compared with counts, too: where v is at 3E900000, it may be at 3E900005. */
    entry = Op(EXPRESSION_ADD, Expression_Address(graph, region, 0), number);
    assert_int_equal(TestOf(LIFT_UNSIGNED, entry, Constant(0x3E900005), COMPARE_EQUAL).kind,
                     LIFT_TEST_INTEGER);
    assert_int_equal(TestOf(LIFT_UNSIGNED, Constant(0x3E900005), entry, COMPARE_EQUAL).kind,
                     LIFT_TEST_INTEGER);
    entry = Op(EXPRESSION_ADD, address, Word(0));
    assert_int_equal(TestOf(LIFT_UNSIGNED, entry, Constant(0), COMPARE_EQUAL).kind,
                     LIFT_TEST_INTEGER);
}

TEST(AGraphWithMoreWaysThanAnybodyCanGoIsJudgedAtOnce) {
    enum { DEPTH = 60 };
    const Expression *bits = Word(0), *place = Expression_Address(graph, region, 0);
    const Expression *root = Op(EXPRESSION_X87_SQRT, Load(0), NULL), *sum = root;
    for (int i = 0; i < DEPTH; i++) {
        bits = Op(EXPRESSION_AND, Op(EXPRESSION_AND, bits, Word(1)),
                  Op(EXPRESSION_AND, bits, Word(2)));
        place = Op(EXPRESSION_MUL, place, place);
        sum = Op(EXPRESSION_X87_ADD, sum, sum);
    }
    /* Not everything is looked at, so the answers claim nothing. */
    const Expression *zero = Expression_Constant80(graph, (ExpressionValue){0, 0});
    const LiftCondition condition = {
        .order = LIFT_UNSIGNED, .left = place, .right = Constant(0), .outcomes = COMPARE_EQUAL};
    assert_int_equal(LiftRules_Possible(sum, zero), COMPARE_ANY);
    assert_int_equal(LiftRules_Possible(root, zero), COMPARE_ANY & ~COMPARE_LESS);
    assert_int_equal(LiftRules_Most(bits), UINT32_MAX);
    assert_false(LiftCondition_IsOfPlaces(&condition));
}

/* ---- for every input that is tried ----------------------------------------------------------- */

enum { WORDS = 4, INPUTS = 24 };
static uint32_t words[WORDS];

static bool GiveBytes(void *context, uint32_t of, uint32_t offset, uint8_t *to, uint32_t size) {
    (void)context;
    (void)of;
    memcpy(to, (const uint8_t *)words + offset, size);
    return true;
}

static void DrawWords(Random *random) {
    for (int i = 0; i < WORDS; i++) {
        const uint32_t one_of = Random_Below(random, 5);
        words[i] = one_of == 0   ? 0x7F800001 + Random_Below(random, 3) /* signalling NaNs */
                   : one_of == 1 ? 0xFFC00000 + Random_Below(random, 3)
                   : one_of == 2 && i > 0 ? words[i - 1] ^ (Random_OneIn(random, 2) ? SIGN32 : 0)
                   : one_of == 3          ? Value_Special(random)
                                          : Value_Random(random, Value_Magnitude(random));
    }
}

/* Draws a number of 80 bits, or of 32. */
static const Expression *Draw80(Random *random, int depth);

static const Expression *Draw32(Random *random, int depth) {
    static const ExpressionOperation two[] = {EXPRESSION_SSE_ADD, EXPRESSION_SSE_SUB,
                                              EXPRESSION_SSE_MUL, EXPRESSION_SSE_DIV,
                                              EXPRESSION_SSE_MIN, EXPRESSION_SSE_MAX};
    static const uint32_t constants[] = {0,          SIGN32,     ONE32, 0xBF800000,
                                         0x7F800000, 0x7FC00000, 1,     0x7F800001};
    switch (depth == 0 ? Random_Below(random, 2) : Random_Below(random, 7)) {
    case 0:
        return Constant(constants[Random_Below(random, 8)]);
    case 1:
    case 2:
        return Word(Random_Below(random, WORDS));
    case 3: {
        const Expression *a = Draw32(random, depth - 1), *b = Draw32(random, depth - 1);
        return Op(two[Random_Below(random, 6)], a, b);
    }
    case 4:
        return Op(EXPRESSION_XOR, Draw32(random, depth - 1), Constant(SIGN32));
    case 5:
        return Op(EXPRESSION_AND, Draw32(random, depth - 1), Constant(~SIGN32));
    default:
        break;
    }
    const uint32_t control = Random_Below(random, 4) << 10;
    return Expression_Make(graph, EXPRESSION_X87_TO_F32, control, 0, Draw80(random, depth - 1),
                           NULL);
}

static const Expression *Draw80(Random *random, int depth) {
    static const uint32_t precisions[] = {0x0000, 0x0200, 0x0300};
    const uint32_t precision = precisions[Random_Below(random, 3)];
    const uint32_t control = precision | Random_Below(random, 4) << 10;
    const Expression *a, *b;
    bool either;
    switch (depth == 0 ? 0 : Random_Below(random, 8)) {
    case 0:
    case 1:
        return Op(EXPRESSION_X87_LOAD32, Draw32(random, depth == 0 ? 0 : depth - 1), NULL);
    case 2:
        either = Random_OneIn(random, 2);
        return Op(either ? EXPRESSION_X87_NEG : EXPRESSION_X87_ABS, Draw80(random, depth - 1),
                  NULL);
    case 3:
        return Expression_Make(graph, EXPRESSION_X87_SQRT, control, 0, Draw80(random, depth - 1),
                               NULL);
    case 4:
        a = Expression_Input(graph, region, 4 * Random_Below(random, WORDS), 16);
        return Op(EXPRESSION_X87_FROM_INTEGER, a, NULL);
    default:
        break;
    }
    a = Draw80(random, depth - 1);
    either = Random_OneIn(random, 3);
    b = either ? Op(EXPRESSION_X87_OPERAND32, Draw32(random, depth - 1), NULL)
               : Draw80(random, depth - 1);
    const uint32_t operation = EXPRESSION_X87_ADD + Random_Below(random, 4);
    either = Random_OneIn(random, 2);
    return Expression_Make(graph, (ExpressionOperation)operation, control, 0, either ? a : b,
                           either ? b : a);
}

static void BeginWords(ExpressionEvaluator *evaluator) {
    const ExpressionInputs inputs = {.bytes = GiveBytes, .estimates = RP_ESTIMATES_AMD};
    ExpressionEvaluator_Begin(evaluator, &inputs);
}

TEST(ANormalFormHasTheBitsOfTheExpression) {
    enum { EXPRESSIONS = 4000, DEPTH = 5 };
    Random random = Random_Start("rules", 1, 0);
    ExpressionEvaluator *evaluator = ExpressionEvaluator_Create(graph);
    uint32_t changed = 0;
    for (int i = 0; i < EXPRESSIONS; i++) {
        const Expression *drawn =
            Random_OneIn(&random, 3) ? Draw32(&random, DEPTH) : Draw80(&random, DEPTH);
        const Expression *normal = LiftRules_Normal(rules, drawn);
        changed += normal != drawn;
        assert_ptr_equal(LiftRules_Normal(rules, normal), normal);
        for (int k = 0; k < INPUTS; k++) {
            ExpressionValue before, after;
            DrawWords(&random);
            BeginWords(evaluator);
            assert_true(ExpressionEvaluator_Value(evaluator, drawn, &before));
            assert_true(ExpressionEvaluator_Value(evaluator, normal, &after));
            if (before.low != after.low || before.head != after.head)
                fail_msg("expression %d of %08X %08X %08X %08X: %04X %016llX, then %04X %016llX", i,
                         words[0], words[1], words[2], words[3], before.head,
                         (unsigned long long)before.low, after.head, (unsigned long long)after.low);
        }
    }
    assert_true(changed > EXPRESSIONS / 4);
    ExpressionEvaluator_Destroy(evaluator);
}

static const Expression *DrawInteger(Random *random, int depth) {
    const Expression *a, *b;
    switch (depth == 0 ? 0 : Random_Below(random, 8)) {
    case 0:
    case 1:
        return Word(Random_Below(random, 2));
    case 2:
        a = Expression_Input(graph, region, 8, Random_OneIn(random, 2) ? 8 : 16);
        return Expression_Extend(graph, EXPRESSION_ZERO_EXTEND, a, 32);
    case 3:
        return Op(EXPRESSION_AND, DrawInteger(random, depth - 1), Constant(EXPONENT32));
    case 4:
        return Op(EXPRESSION_SHR, DrawInteger(random, depth - 1),
                  Expression_Constant(graph, 8, 23));
    case 5:
        a = DrawInteger(random, depth - 1);
        return Op(EXPRESSION_XOR, a, DrawInteger(random, depth - 1));
    default:
        a = DrawInteger(random, depth - 1);
        b = Random_OneIn(random, 2) ? DrawInteger(random, depth - 1)
                                    : Constant(Random_Below(random, 5) - 2);
        return Random_OneIn(random, 2) ? Op(EXPRESSION_ADD, a, b)
                                       : Expression_Subtract(graph, a, b);
    }
}

/* Whether a test holds, judged by the values of its two sides. */
static bool Holds(ExpressionEvaluator *evaluator, const LiftTest *test) {
    ExpressionValue left = {0}, right = {0};
    if (test->kind == LIFT_TEST_ALWAYS || test->kind == LIFT_TEST_NEVER)
        return test->kind == LIFT_TEST_ALWAYS;
    assert_true(ExpressionEvaluator_Value(evaluator, test->left, &left));
    if (test->right)
        assert_true(ExpressionEvaluator_Value(evaluator, test->right, &right));
    if (test->kind == LIFT_TEST_FLOAT)
        return test->outcomes & ExpressionValue_Compare(test->left->bits, left, right);
    if (test->kind == LIFT_TEST_ORDER) {
        const uint64_t sign = test->is_signed ? 1ull << (test->left->bits - 1) : 0;
        const uint64_t a = left.low ^ sign, b = right.low ^ sign;
        return test->outcomes & (a < b ? COMPARE_LESS : a > b ? COMPARE_GREATER : COMPARE_EQUAL);
    }
    for (uint32_t i = 0; i < test->interval_count; i++) {
        if (test->intervals[i].low <= left.low && left.low <= test->intervals[i].high)
            return true;
    }
    return false;
}

TEST(ATestHoldsExactlyWhereItsConditionDoes) {
    enum { CONDITIONS = 6000 };
    Random random = Random_Start("tests", 1, 0);
    ExpressionEvaluator *evaluator = ExpressionEvaluator_Create(graph);
    uint32_t kinds[LIFT_TEST_NEVER + 1] = {0};
    for (int i = 0; i < CONDITIONS; i++) {
        LiftTest condition = {0};
        LiftCondition asked = {0};
        if (Random_OneIn(&random, 2)) {
            asked.order = Random_OneIn(&random, 2) ? LIFT_X87 : LIFT_SSE;
            const bool wide = asked.order == LIFT_X87;
            asked.left = wide ? Draw80(&random, 3) : Draw32(&random, 3);
            asked.right = wide ? Draw80(&random, 2) : Draw32(&random, 2);
            asked.outcomes = (uint8_t)(1 + Random_Below(&random, 14));
            condition.kind = LIFT_TEST_FLOAT;
        } else {
            asked.order = Random_OneIn(&random, 2) ? LIFT_SIGNED : LIFT_UNSIGNED;
            asked.left = DrawInteger(&random, 3);
            asked.right = Random_OneIn(&random, 2)
                              ? DrawInteger(&random, 2)
                              : Constant(Random_OneIn(&random, 2) ? Random_Below(&random, 4) - 2
                                                                  : EXPONENT32);
            asked.outcomes = (uint8_t)(1 + Random_Below(&random, 6));
            condition.kind = LIFT_TEST_ORDER;
        }
        condition.left = asked.left;
        condition.right = asked.right;
        condition.outcomes = asked.outcomes;
        condition.is_signed = asked.order == LIFT_SIGNED;
        const LiftTest test = LiftRules_Test(rules, &asked), other = LiftTest_Not(&test);
        kinds[test.kind]++;
        for (int k = 0; k < INPUTS; k++) {
            DrawWords(&random);
            if (Random_OneIn(&random, 3))
                words[Random_Below(&random, 3)] = Random_Below(&random, 4) - 1;
            BeginWords(evaluator);
            const bool holds = Holds(evaluator, &condition);
            if (Holds(evaluator, &test) != holds || Holds(evaluator, &other) == holds)
                fail_msg("condition %d, of kind %d, of %08X %08X %08X %08X", i, (int)test.kind,
                         words[0], words[1], words[2], words[3]);
        }
    }
    for (int kind = 0; kind <= LIFT_TEST_NEVER; kind++)
        assert_true(kinds[kind] > 20);
    ExpressionEvaluator_Destroy(evaluator);
}
