/* Tests what verdicts are given on paths that are made by hand: which paths cannot be compared, and
 * which laws make two of them the same. */
#include "replay/lift/lift_same.h"

#include "tests/test.h"

#include <stdio.h>
#include <string.h>

enum { MOST_PATHS = 4, MOST_CONDITIONS = 4, MOST_OUTPUTS = 4 };

static ExpressionGraph *graph;
static uint32_t in, out;
static const Expression *zero;
static const LiftStep step; /* which made nothing */
static Signature signature;

/* Of both sides, as many as `paths` counts. */
static LiftPath made[LIFT_SIDES][MOST_PATHS];
static LiftFound found[LIFT_SIDES][MOST_PATHS];
static LiftCondition conditions[LIFT_SIDES][MOST_PATHS][MOST_CONDITIONS];
static LiftOutput outputs[LIFT_SIDES][MOST_PATHS][MOST_OUTPUTS];
static LiftPaths paths;
static LiftSame same;

AROUND(BeforeEach) {
    graph = ExpressionGraph_Create();
    assert_non_null(graph);
    in = ExpressionGraph_Name(graph, "in");
    out = ExpressionGraph_Name(graph, "out");
    zero = Expression_Constant80(graph, (ExpressionValue){0, 0});
    signature = (Signature){.returns = SIGNATURE_I32};
    paths = (LiftPaths){.signature = &signature, .graph = graph};
    for (int side = 0; side < LIFT_SIDES; side++)
        paths.found[side] = found[side];
    same = (LiftSame){0};
}

AROUND(AfterEach) {
    assert_false(ExpressionGraph_HasFailed(graph));
    LiftSame_Free(&same);
    ExpressionGraph_Destroy(graph);
}

static const Expression *Op(ExpressionOperation operation, const Expression *a,
                            const Expression *b) {
    return Expression_Make(graph, operation, 0, 0, a, b);
}

static const Expression *Load(uint32_t number) {
    return Op(EXPRESSION_X87_LOAD32, Expression_Input(graph, in, 4 * number, 32), NULL);
}

static const Expression *Stored(const Expression *number) {
    return Op(EXPRESSION_X87_TO_F32, number, NULL);
}

static const Expression *Difference(uint32_t a, uint32_t b) {
    return Op(EXPRESSION_X87_SUB, Load(a), Load(b));
}

static const Expression *NegatedSum(uint32_t a, uint32_t b) {
    return Op(EXPRESSION_X87_ADD, Load(a), Op(EXPRESSION_X87_NEG, Load(b), NULL));
}

/* Adds a path that asks nothing and leaves nothing. */
static LiftPath *Path(int side) {
    const uint32_t number = paths.found_count[side]++;
    LiftPath *path = &made[side][number];
    *path = (LiftPath){.conditions = conditions[side][number],
                       .outputs = outputs[side][number],
                       .steps = &step,
                       .step_count = 1,
                       .preserves = true};
    found[side][number] = (LiftFound){.path = path, .inputs = 1};
    return path;
}

static void Ask(LiftPath *path, const Expression *left, uint32_t outcomes) {
    LiftCondition *all = (LiftCondition *)(uintptr_t)path->conditions;
    all[path->condition_count++] = (LiftCondition){
        .order = LIFT_X87, .left = left, .right = zero, .outcomes = (uint8_t)outcomes};
}

static void Leave(LiftPath *path, LiftPlace place, const Expression *value) {
    LiftOutput *all = (LiftOutput *)(uintptr_t)path->outputs;
    const uint32_t count = path->output_count++;
    all[count] = (LiftOutput){.place = place, .value = value};
    if (place == LIFT_MEMORY) {
        all[count].region = out;
        all[count].offset = 4 * count;
    }
}

/* Adds a path to each side, both of which leave a number in memory. */
static void LeaveOnBoth(const Expression *original, const Expression *replacement) {
    Leave(Path(LIFT_ORIGINAL), LIFT_MEMORY, Stored(original));
    Leave(Path(LIFT_REPLACEMENT), LIFT_MEMORY, Stored(replacement));
}

/* No input is searched, because none can be run. */
static void Compare(void) {
    const LiftSameOptions options = {.most_paths = MOST_PATHS};
    RpError error;
    assert_int_equal(LiftSame_Compare(&paths, &options, &same, &error), RP_OK);
}

static void CannotBeCompared(const char *reason) {
    Compare();
    assert_int_equal(same.verdict, LIFT_CANNOT_SAY);
    assert_string_equal(same.reason, reason);
    assert_int_equal(same.laws, 0);
}

/* ---- what cannot be compared ----------------------------------------------------------------- */

TEST(WhatIsNotModelledIsNotTheSame) {
    /* One expression, which may be another number on each side. */
    const Expression *lost = Expression_Unmodelled(graph, "a register after a call", 32);
    const Expression *sum = Op(EXPRESSION_ADD, lost, Expression_Constant(graph, 32, 1));
    for (int side = 0; side < LIFT_SIDES; side++)
        Leave(Path(side), LIFT_EAX, sum);
    CannotBeCompared("what the original's path 1 returns depends on what is not modelled");
    /* Whoever calls a function that returns nothing does not look. */
    signature.returns = SIGNATURE_VOID;
    Compare();
    assert_int_equal(same.verdict, LIFT_SAME_ALWAYS);
    assert_int_equal(same.pairs, 1);
}

TEST(OfAPathThatEndsEarlyNobodyKnows) {
    static const LiftEnd ends[] = {LIFT_REFUSED, LIFT_TIMED_OUT, LIFT_FAULTED};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        paths.found_count[LIFT_ORIGINAL] = paths.found_count[LIFT_REPLACEMENT] = 0;
        for (int side = 0; side < LIFT_SIDES; side++) {
            Ask(Path(side), Load(0), COMPARE_LESS);
            Ask(Path(side), Load(0), COMPARE_ANY & ~COMPARE_LESS);
        }
        made[LIFT_REPLACEMENT][1].end = ends[i];
        snprintf(made[LIFT_REPLACEMENT][1].reason, sizeof made[0][0].reason, "it calls the system");
        CannotBeCompared("the replacement's path 2 ends early: it calls the system");
        /* That one returned and the other faulted is a difference; what was given up is none. */
        assert_int_equal(same.different, ends[i] == LIFT_FAULTED);
        LiftSame_Free(&same);
    }
}

TEST(ConditionsThatARunTookAndThatContradictEachOtherAreAFault) {
    for (int side = 0; side < LIFT_SIDES; side++) {
        LiftPath *path = Path(side);
        Ask(path, Load(0), COMPARE_LESS);
        if (side == LIFT_REPLACEMENT)
            Ask(path, Load(0), COMPARE_GREATER);
    }
    CannotBeCompared("the conditions of the replacement's path 1, which a run took, contradict "
                     "each other");
}

TEST(RunsThatAskDifferentThingsAfterTheSameOutcomesAreNoFunctionOfTheInput) {
    for (int side = 0; side < LIFT_SIDES; side++) {
        Ask(Path(side), Load(0), COMPARE_LESS);
        Ask(Path(side), Load(1), COMPARE_LESS);
    }
    CannotBeCompared("after the same outcomes, two runs asked different things: the function "
                     "depends on something that is not an input");
}

/* ---- laws ------------------------------------------------------------------------------------ */

TEST(WhatIsTheSameNeedsNoLaw) {
    LeaveOnBoth(Op(EXPRESSION_X87_ADD, Load(0), Load(1)), Op(EXPRESSION_X87_ADD, Load(1), Load(0)));
    Compare();
    assert_int_equal(same.verdict, LIFT_SAME_ALWAYS);
    assert_int_equal(same.laws, 0);
}

TEST(TheFewestLawsAreFound) {
    const Expression *product = Op(EXPRESSION_X87_MUL, Load(2), Load(3));
    const Expression *minus = Op(EXPRESSION_X87_NEG, Load(2), NULL);
    LeaveOnBoth(Difference(0, 1), NegatedSum(0, 1));
    Compare();
    assert_int_equal(same.verdict, LIFT_SAME_ALWAYS);
    assert_int_equal(same.laws, LIFT_LAW_NEGATED_SUM);
    LiftSame_Free(&same);

    /* One law for each of two outputs, and for each of three. */
    Leave(&made[0][0], LIFT_MEMORY, Stored(Op(EXPRESSION_X87_NEG, product, NULL)));
    Leave(&made[1][0], LIFT_MEMORY, Stored(Op(EXPRESSION_X87_MUL, minus, Load(3))));
    Compare();
    assert_int_equal(same.verdict, LIFT_SAME_ALWAYS);
    assert_int_equal(same.laws, LIFT_LAW_NEGATED_SUM | LIFT_LAW_NEGATED_PRODUCT);
    LiftSame_Free(&same);

    const Expression *memory =
        Op(EXPRESSION_X87_OPERAND32, Expression_Input(graph, in, 16, 32), NULL);
    Leave(&made[0][0], LIFT_MEMORY, Stored(Op(EXPRESSION_X87_MUL, Load(5), memory)));
    Leave(&made[1][0], LIFT_MEMORY, Stored(Op(EXPRESSION_X87_MUL, Load(5), Load(4))));
    Compare();
    assert_int_equal(same.verdict, LIFT_SAME_ALWAYS);
    assert_int_equal(same.laws, LIFT_LAW_NEGATED_SUM | LIFT_LAW_NEGATED_PRODUCT | LIFT_LAW_MEMORY);
}

TEST(WhatNoLawMakesTheSameIsUndecidedWithoutAnInputThatShowsIt) {
    LeaveOnBoth(Op(EXPRESSION_X87_ADD, Load(0), Load(1)), Op(EXPRESSION_X87_MUL, Load(0), Load(1)));
    CannotBeCompared("conditions of paths with different results overlap, and no input was found "
                     "that fulfils them and shows a difference");
    assert_int_equal(same.difference.kind, LIFT_DIFFERENT_OUTPUT);
}

/* A law that does not hold for all inputs may deny a path that a run took. Nothing of that path is
 * compared under it, which is no reason to call the path the same. */
TEST(ALawUnderWhichAPathIsImpossibleProvesNothing) {
    for (int side = 0; side < LIFT_SIDES; side++) {
        LiftPath *path = Path(side);
        Ask(path, Difference(0, 1), COMPARE_LESS);
        Ask(path, NegatedSum(0, 1), COMPARE_UNORDERED | COMPARE_GREATER);
        Leave(path, LIFT_MEMORY, Stored(side == LIFT_ORIGINAL ? Load(2) : Load(3)));
        path = Path(side);
        Ask(path, Difference(0, 1), COMPARE_ANY & ~COMPARE_LESS);
    }
    CannotBeCompared("conditions of paths with different results overlap, and no input was found "
                     "that fulfils them and shows a difference");
    assert_int_equal(same.different, 1);
}
