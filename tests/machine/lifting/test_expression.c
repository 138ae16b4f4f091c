/* Tests the graph of expressions: that there is one of each, and that integers have one form. */
#include "machine/lifting/expression_value.h"

#include "core/random.h"
#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

static ExpressionGraph *graph;
static uint32_t in;

static int SetUp(void **state) {
    (void)state;
    graph = ExpressionGraph_Create();
    in = ExpressionGraph_Name(graph, "in");
    return graph == NULL;
}

static int TearDown(void **state) {
    (void)state;
    ExpressionGraph_Destroy(graph);
    return 0;
}

static const Expression *Input(uint32_t offset, uint32_t bits) {
    return Expression_Input(graph, in, offset, bits);
}

static const Expression *Number(uint64_t value) {
    return Expression_Constant(graph, 32, value);
}

static const Expression *Make(ExpressionOperation operation, const Expression *a,
                              const Expression *b) {
    return Expression_Make(graph, operation, 0x007F, 0, a, b);
}

static void IsText(const Expression *expression, const char *expected) {
    RpBuffer text;
    const ExpressionPrinter printer = {.graph = graph, .usual_control = 0x007F};
    RpBuffer_Init(&text, NULL);
    Expression_Print(&printer, expression, &text);
    assert_true(RpBuffer_AppendU16(&text, 0));
    assert_string_equal((const char *)text.bytes, expected);
    RpBuffer_Free(&text);
}

static bool Bytes(void *context, uint32_t region, uint32_t offset, uint8_t *to, uint32_t size) {
    (void)region;
    memcpy(to, (const uint8_t *)context + offset, size);
    return true;
}

TEST_WITH(TheSameExpressionIsTheSamePointer, SetUp, TearDown) {
    const Expression *x = Make(EXPRESSION_X87_LOAD32, Input(0, 32), NULL);
    const Expression *y = Make(EXPRESSION_X87_LOAD32, Input(4, 32), NULL);
    const Expression *sum = Make(EXPRESSION_X87_ADD, x, y);
    assert_ptr_equal(sum, Make(EXPRESSION_X87_ADD, x, y));
    assert_ptr_not_equal(sum, Make(EXPRESSION_X87_ADD, y, x));
    assert_ptr_not_equal(sum, Expression_Make(graph, EXPRESSION_X87_ADD, 0x037F, 0, x, y));
    /* The masks of exceptions are not part of how it rounds. */
    assert_ptr_equal(sum, Expression_Make(graph, EXPRESSION_X87_ADD, 0x0040, 0, x, y));
    assert_ptr_equal(sum, ExpressionGraph_At(graph, sum->id));
    assert_int_equal(ExpressionGraph_Name(graph, "in"), in);
    /* The table grows. */
    for (uint32_t i = 0; i < 20000; i++)
        (void)Make(EXPRESSION_X87_ADD, x, Make(EXPRESSION_X87_LOAD32, Input(8 + 4 * i, 32), NULL));
    assert_ptr_equal(sum, Make(EXPRESSION_X87_ADD, x, y));
    assert_false(ExpressionGraph_HasFailed(graph));
}

/* Of a chain of a hundred sums, the text has the operands that fit, and dots for the others. */
TEST_WITH(ATextIsNoLongerThanWasAskedFor, SetUp, TearDown) {
    const Expression *x = Make(EXPRESSION_X87_LOAD32, Input(0, 32), NULL), *sum = x;
    ExpressionPrinter printer = {.graph = graph, .usual_control = 0x007F};
    size_t sizes[2];
    for (int i = 0; i < 100; i++)
        sum = Make(EXPRESSION_X87_ADD, x, sum);
    for (int i = 0; i < 2; i++) {
        RpBuffer text;
        RpBuffer_Init(&text, NULL);
        printer.most_bytes = i == 0 ? 0 : 60;
        Expression_Print(&printer, sum, &text);
        sizes[i] = text.size;
        assert_true(RpBuffer_AppendU16(&text, 0));
        assert_int_equal(strstr((const char *)text.bytes, "...") != NULL, i == 1);
        RpBuffer_Free(&text);
    }
    assert_true(sizes[0] > 900 && sizes[1] < 100);
}

TEST_WITH(SumsAreLinearForms, SetUp, TearDown) {
    const Expression *a = Input(0, 32), *b = Input(4, 32);
    const Expression *left = Make(EXPRESSION_ADD, Make(EXPRESSION_MUL, a, Number(3)), b);
    const Expression *right =
        Make(EXPRESSION_ADD, Make(EXPRESSION_ADD, b, Make(EXPRESSION_SHL, a, Number(2))),
             Expression_Subtract(graph, Number(0), a));
    assert_ptr_equal(left, right);
    assert_ptr_equal(Expression_Subtract(graph, left, right), Number(0));
    IsText(Make(EXPRESSION_ADD, left, Number(0xFFFFFFFF)), "((in[0] * 3) + in[4]) + 0xFFFFFFFF");
    assert_ptr_equal(Make(EXPRESSION_XOR, a, Number(0xFFFFFFFF)),
                     Expression_Subtract(graph, Number(0xFFFFFFFF), a));
}

TEST_WITH(AddressesKeepTheirRegion, SetUp, TearDown) {
    const Expression *address = Expression_Address(graph, in, 8), *i = Input(0, 32), *rest;
    assert_ptr_equal(Make(EXPRESSION_ADD, address, Number(4)), Expression_Address(graph, in, 12));
    assert_ptr_equal(Expression_Subtract(graph, address, Expression_Address(graph, in, 2)),
                     Number(6));
    const Expression *element = Make(EXPRESSION_ADD, address, Make(EXPRESSION_MUL, i, Number(16)));
    assert_ptr_equal(Expression_Base(graph, element, &rest), Expression_Address(graph, in, 0));
    IsText(rest, "(in[0] * 0x10) + 8");
    assert_ptr_equal(Expression_Load(graph, in, Number(20), 32), Input(20, 32));
    assert_null(Expression_Base(graph, i, &rest));
    assert_null(Expression_Base(graph, Make(EXPRESSION_ADD, element, address), &rest));
}

TEST_WITH(PartsOfPartsAreParts, SetUp, TearDown) {
    const Expression *wide = Input(0, 64), *sum = Make(EXPRESSION_ADD, Input(0, 32), Input(4, 32));
    assert_ptr_equal(Expression_Extract(graph, wide, 32, 16), Input(4, 16));
    assert_ptr_equal(Expression_Concat(graph, Input(0, 32), Input(4, 32)), wide);
    const Expression *low = Expression_Extract(graph, sum, 0, 8);
    const Expression *high = Expression_Extract(graph, sum, 8, 24);
    assert_ptr_not_equal(low, high);
    const Expression *load =
        Make(EXPRESSION_X87_TO_F32,
             Expression_Constant80(graph, (ExpressionValue){0x8000000000000001u, 0x3FFF}), NULL);
    const Expression *bytes = Expression_Extract(graph, load, 0, 8);
    for (uint32_t i = 1; i < 4; i++)
        bytes = Expression_Concat(graph, bytes, Expression_Extract(graph, load, 8 * i, 8));
    assert_ptr_equal(bytes, load);
    assert_ptr_equal(Make(EXPRESSION_AND, Input(0, 32), Number(0xFF)),
                     Expression_Extend(graph, EXPRESSION_ZERO_EXTEND, Input(0, 8), 32));
    assert_ptr_equal(Make(EXPRESSION_SHR, Input(0, 32), Number(16)),
                     Expression_Extend(graph, EXPRESSION_ZERO_EXTEND, Input(2, 16), 32));
}

TEST_WITH(NumbersOf80BitsHaveParts, SetUp, TearDown) {
    const Expression *one =
        Expression_Constant80(graph, (ExpressionValue){0x8123456789ABCDEFu, 0x3FFE});
    assert_ptr_equal(Expression_Extract(graph, one, 64, 16),
                     Expression_Constant(graph, 16, 0x3FFE));
    assert_ptr_equal(Expression_Extract(graph, one, 72, 8), Expression_Constant(graph, 8, 0x3F));
    assert_ptr_equal(Expression_Extract(graph, one, 56, 16),
                     Expression_Constant(graph, 16, 0xFE81));
    assert_ptr_equal(Expression_Extract(graph, one, 0, 64),
                     Expression_Constant(graph, 64, 0x8123456789ABCDEFu));
    /* A constant has no 72 bits, but parts of 80 bits may have, in any order of joining them. */
    const Expression *long_part = Expression_Extract(graph, one, 0, 72);
    const Expression *high = Expression_Extract(graph, one, 8, 72);
    const Expression *byte = Expression_Input(graph, in, 0, 8);
    ExpressionEvaluator *evaluator = ExpressionEvaluator_Create(graph);
    uint8_t inputs[16] = {0x42};
    const ExpressionInputs all = {.bytes = Bytes, .context = inputs};
    ExpressionValue value;
    ExpressionEvaluator_Begin(evaluator, &all);
    assert_true(ExpressionEvaluator_Value(evaluator, long_part, &value));
    assert_int_equal(value.low, 0x8123456789ABCDEFu);
    assert_int_equal(value.head, 0xFE);
    assert_true(
        ExpressionEvaluator_Value(evaluator, Expression_Concat(graph, long_part, byte), &value));
    assert_int_equal(value.low, 0x8123456789ABCDEFu);
    assert_int_equal(value.head, 0x42FE);
    assert_true(ExpressionEvaluator_Value(evaluator, Expression_Concat(graph, byte, high), &value));
    assert_int_equal(value.low, 0x8123456789ABCD42u);
    assert_int_equal(value.head, 0x3FFE);
    ExpressionEvaluator_Destroy(evaluator);
}

TEST_WITH(NumbersAtTheEndsOfTheirFormatAreEvaluated, SetUp, TearDown) {
    static const struct {
        ExpressionOperation operation;
        ExpressionValue from, to;
    } rows[] = {
        /* Far beyond binary64, up to the largest finite number. */
        {EXPRESSION_X87_TO_F64, {0x8000000000000000u, 0x3FFF + 1024}, {0x7FF0000000000000u, 0}},
        {EXPRESSION_X87_TO_F64, {0x8000000000000000u, 0x3FFF + 3074}, {0x7FF0000000000000u, 0}},
        {EXPRESSION_X87_TO_F64, {0xFFFFFFFFFFFFFFFFu, 0xFFFE}, {0xFFF0000000000000u, 0}},
        /* Signalling NaNs become quiet. */
        {EXPRESSION_X87_ROUND, {0xA000000000000000u, 0x7FFF}, {0xE000000000000000u, 0x7FFF}},
        {EXPRESSION_X87_EXPONENT, {0xA000000000000000u, 0x7FFF}, {0xE000000000000000u, 0x7FFF}},
        {EXPRESSION_X87_MANTISSA, {0xA000000000000000u, 0xFFFF}, {0xE000000000000000u, 0xFFFF}},
    };
    ExpressionEvaluator *evaluator = ExpressionEvaluator_Create(graph);
    const ExpressionInputs none = {0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ExpressionValue value;
        ExpressionEvaluator_Begin(evaluator, &none);
        assert_true(ExpressionEvaluator_Value(
            evaluator,
            Expression_Make(graph, rows[i].operation, 0x007F, 0,
                            Expression_Constant80(graph, rows[i].from), NULL),
            &value));
        assert_int_equal(value.low, rows[i].to.low);
        assert_int_equal(value.head, rows[i].to.head);
    }
    ExpressionEvaluator_Destroy(evaluator);
}

TEST_WITH(LongSumsAreTakenAsTheyCome, SetUp, TearDown) {
    enum { TERMS = 20000 };
    const Expression *sum = Input(0, 32);
    for (uint32_t i = 1; i < TERMS; i++)
        sum = Make(EXPRESSION_ADD, sum, Input(4 * i, 32));
    const uint32_t count = ExpressionGraph_Count(graph);
    const Expression *part = Expression_Extract(graph, sum, 0, 8);
    assert_int_equal(part->operation, EXPRESSION_EXTRACT);
    assert_int_equal(ExpressionGraph_Count(graph), count + 1);
}

/* There are more than 2^64 ways through each of these expressions, so this ends only if none of
 * them is gone more than once. */
TEST_WITH(PartsOfWhatIsSharedAreMadeOnce, SetUp, TearDown) {
    enum { DEPTH = 64 };
    uint8_t bytes[8] = {0x12, 0x34, 0x56, 0x78, 0x9A, 0xBC, 0xDE, 0xF1};
    const ExpressionInputs inputs = {.bytes = Bytes, .context = bytes};
    ExpressionEvaluator *evaluator = ExpressionEvaluator_Create(graph);
    const Expression *gray = Input(0, 32), *hash = Input(0, 32);
    uint32_t gray_value = 0x78563412, hash_value = 0x78563412;
    for (uint32_t i = 0; i < DEPTH; i++) {
        gray = Make(EXPRESSION_XOR, gray,
                    Make(EXPRESSION_SHR, gray, Expression_Constant(graph, 8, 1)));
        gray_value ^= gray_value >> 1;
        hash = Make(EXPRESSION_MUL, hash, Make(EXPRESSION_OR, hash, Input(4, 32)));
        hash_value *= hash_value | 0xF1DEBC9A;
    }
    const Expression *middle = Expression_Extract(graph, gray, 8, 16);
    const Expression *low = Expression_Extract(graph, hash, 0, 16);
    assert_ptr_equal(Expression_Extract(graph, gray, 8, 16), middle);
    ExpressionValue value;
    ExpressionEvaluator_Begin(evaluator, &inputs);
    assert_true(ExpressionEvaluator_Value(evaluator, middle, &value));
    assert_int_equal(value.low, gray_value >> 8 & 0xFFFF);
    assert_true(ExpressionEvaluator_Value(evaluator, low, &value));
    assert_int_equal(value.low, hash_value & 0xFFFF);
    ExpressionEvaluator_Destroy(evaluator);
}

TEST_WITH(OperandsCanBeReplaced, SetUp, TearDown) {
    const Expression *a = Input(0, 32), *b = Input(4, 32);
    const Expression *of = Make(EXPRESSION_ADD, a, Number(4));
    const Expression *operands[2] = {b, Number(4)};
    assert_ptr_equal(Expression_WithOperands(graph, of, operands),
                     Make(EXPRESSION_ADD, b, Number(4)));
    const Expression *const inputs[2] = {a, b};
    const Expression *call = Expression_Call(graph, in, inputs, 2);
    const Expression *output = Expression_Output(graph, call, 3, 32);
    assert_ptr_equal(Expression_WithOperands(graph, output, &call), output);
    const Expression *less = Expression_Mask(graph, 1, 0, a, b);
    const Expression *const swapped[2] = {b, a};
    assert_ptr_equal(Expression_WithOperands(graph, less, swapped),
                     Expression_Mask(graph, 1, 0, b, a));
}

TEST_WITH(WhatMayBeANanIsKnown, SetUp, TearDown) {
    const Expression *x = Make(EXPRESSION_X87_LOAD32, Input(0, 32), NULL);
    const Expression *memory = Make(EXPRESSION_X87_OPERAND32, Input(0, 32), NULL);
    const Expression *one = Make(EXPRESSION_X87_LOAD32, Number(0x3F800000), NULL);
    const Expression *integer = Make(EXPRESSION_X87_FROM_INTEGER, Input(0, 32), NULL);
    assert_true(Expression_MayBeNan(x));
    assert_false(Expression_MayBeNan(one));
    assert_false(Expression_MayBeNan(integer));
    assert_true(Expression_MayBeNan(Make(EXPRESSION_X87_ADD, one, integer)));
    assert_true(Expression_MayBeSignalling(Input(0, 32)));
    assert_false(Expression_MayBeSignalling(x));
    assert_true(Expression_MayBeSignalling(memory));
    assert_false(Expression_MayBeSignalling(Make(EXPRESSION_X87_ADD, x, memory)));
    assert_true(Expression_MayBeSignalling(Number(0x7F800001)));
    assert_false(Expression_MayBeSignalling(Number(0x7FC00001)));
}

TEST_WITH(FormulasShowEveryOrderAndRounding, SetUp, TearDown) {
    const Expression *x = Make(EXPRESSION_X87_LOAD32, Input(0, 32), NULL);
    const Expression *y = Make(EXPRESSION_X87_LOAD32, Input(4, 32), NULL);
    const Expression *product = Make(EXPRESSION_X87_MUL, x, y);
    const Expression *sum = Expression_Make(graph, EXPRESSION_X87_ADD, 0x0E7F, 0, product,
                                            Make(EXPRESSION_X87_NEG, product, NULL));
    IsText(sum, "(in[0] * in[4]) +53,zero -(in[0] * in[4])");
    IsText(Expression_Make(graph, EXPRESSION_X87_TO_F32, 0x047F, 0, sum, NULL),
           "f32down((in[0] * in[4]) +53,zero -(in[0] * in[4]))");
    IsText(Make(EXPRESSION_X87_SUB, Make(EXPRESSION_X87_LOAD32, Number(0x3727C5AC), NULL), x),
           "1e-05 - in[0]");
    IsText(Expression_Constant80(graph, (ExpressionValue){0xC90FDAA22168C235u, 0x4000}),
           "f80:4000C90FDAA22168C235");
    IsText(Make(EXPRESSION_COMPARE_X87, x, Expression_Constant80(graph, (ExpressionValue){0, 0})),
           "compare(in[0], 0)");
}

/* ---- the form of integers keeps their values ------------------------------------------------- */

/* Makes an expression of random operations, and its value beside it, without the graph. */
static const Expression *Random(uint64_t *random, const uint8_t *bytes, uint32_t depth,
                                uint32_t *value) {
    if (depth == 0) {
        const uint32_t offset = Random_SplitMixBelow(random, 28);
        if (Random_SplitMixBelow(random, 3) == 0) {
            static const uint32_t numbers[] = {0,      1,      4,          0xFF,
                                               0xFFFF, 0x4500, 0xFFFFFFFF, 0x80000000};
            *value = numbers[Random_SplitMixBelow(random, 8)];
            return Number(*value);
        }
        memcpy(value, bytes + offset, 4);
        return Input(offset, 32);
    }
    uint32_t x, y;
    const Expression *a = Random(random, bytes, depth - 1, &x);
    const Expression *b = Random(random, bytes, depth - 1, &y);
    const uint32_t count = Random_SplitMixBelow(random, 32);
    switch (Random_SplitMixBelow(random, 12)) {
    case 0:
        *value = x + y;
        return Make(EXPRESSION_ADD, a, b);
    case 1:
        *value = x - y;
        return Expression_Subtract(graph, a, b);
    case 2:
        *value = x * y;
        return Make(EXPRESSION_MUL, a, b);
    case 3:
        *value = x & y;
        return Make(EXPRESSION_AND, a, b);
    case 4:
        *value = x | y;
        return Make(EXPRESSION_OR, a, b);
    case 5:
        *value = x ^ y;
        return Make(EXPRESSION_XOR, a, b);
    case 6:
        *value = x << count;
        return Make(EXPRESSION_SHL, a, Expression_Constant(graph, 8, count));
    case 7:
        *value = x >> count;
        return Make(EXPRESSION_SHR, a, Expression_Constant(graph, 8, count));
    case 8:
        *value = (uint32_t)((int32_t)x >> count);
        return Make(EXPRESSION_SAR, a, Expression_Constant(graph, 8, count));
    case 9: /* the high half of a product */
        *value = (uint32_t)((uint64_t)((int64_t)(int32_t)x * (int32_t)y) >> 32);
        return Expression_Extract(graph,
                                  Make(EXPRESSION_MUL,
                                       Expression_Extend(graph, EXPRESSION_SIGN_EXTEND, a, 64),
                                       Expression_Extend(graph, EXPRESSION_SIGN_EXTEND, b, 64)),
                                  32, 32);
    case 10: /* a rotation by bytes and bits */
        *value = count == 0 ? x : x << count | x >> (32 - count);
        return count == 0
                   ? a
                   : Expression_Concat(graph, Expression_Extract(graph, a, 32 - count, count),
                                       Expression_Extract(graph, a, 0, 32 - count));
    default: /* a byte in another place */
        *value = (x & 0xFFFF00FF) | (y & 0xFF) << 8;
        return Expression_Concat(graph,
                                 Expression_Concat(graph, Expression_Extract(graph, a, 0, 8),
                                                   Expression_Extract(graph, b, 0, 8)),
                                 Expression_Extract(graph, a, 16, 16));
    }
}

TEST_WITH(TheFormOfIntegersKeepsTheirValues, SetUp, TearDown) {
    ExpressionEvaluator *evaluator = ExpressionEvaluator_Create(graph);
    uint64_t random = 42;
    for (uint32_t i = 0; i < 20000; i++) {
        uint8_t bytes[32];
        for (uint32_t k = 0; k < sizeof bytes; k++)
            bytes[k] = (uint8_t)Random_SplitMix(&random);
        uint32_t expected;
        const Expression *made =
            Random(&random, bytes, 1 + Random_SplitMixBelow(&random, 4), &expected);
        const ExpressionInputs inputs = {.bytes = Bytes, .context = bytes};
        ExpressionValue value;
        ExpressionEvaluator_Begin(evaluator, &inputs);
        assert_true(ExpressionEvaluator_Value(evaluator, made, &value));
        assert_int_equal(value.low, expected);
    }
    ExpressionEvaluator_Destroy(evaluator);
}
