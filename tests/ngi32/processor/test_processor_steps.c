/* Tests each step of ngi32/processor/x87.h and ngi32/processor/sse.h against bits that follow from
 * the definition of its instruction. */
#include "ngi32/processor/sse.h"
#include "ngi32/processor/x87.h"
#include "tests/ngi32/floats.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdlib.h>

enum { NEAREST = 0x0000, DOWN = 0x0400, UP = 0x0800, ZERO = 0x0C00 };
enum { PRECISION_24 = 0x007F, PRECISION_53 = 0x027F, PRECISION_64 = 0x037F };

static Rounding saved;

static int Save(void **state) {
    (void)state;
    saved = Rounding_Get();
    return 0;
}

static int Restore(void **state) {
    (void)state;
    Rounding_Set(saved);
    return 0;
}

static void SetControlWord(int word) {
    Rounding_Set((Rounding){.control_word = (uint16_t)word, .mxcsr = 0x1F80});
}

static long double Load(uint32_t bits) {
    float value;
    Float_Put(&value, bits);
    return X87_Load(&value);
}

static uint32_t Stored(long double value) {
    float stored;
    X87_Store(value, &stored);
    return Float_Bits(&stored);
}

/* Compares the two parts of the 80-bit format: sign and exponent, and significand. */
static void CheckBits(long double value, uint16_t sign_exponent, uint64_t significand) {
    uint64_t low;
    uint16_t high;
    memcpy(&low, &value, sizeof low);
    memcpy(&high, (const char *)&value + sizeof low, sizeof high);
    assert_int_equal(high, sign_exponent);
    assert_int_equal(low, significand);
}

#define ONE       0x3F800000u
#define MINUS_ONE 0xBF800000u
#define QUIET     0x7FC00000u
#define INFINITE  0x7F800000u

/* ---- x87 ------------------------------------------------------------------------------------- */

TEST(ArithmeticRoundsToThePrecisionOfTheControlWord) {
    long double one = Load(ONE), three = Load(0x40400000);
    SetControlWord(PRECISION_24);
    CheckBits(X87_Div(one, three), 0x3FFD, 0xAAAAAB0000000000);
    SetControlWord(PRECISION_53);
    CheckBits(X87_Div(one, three), 0x3FFD, 0xAAAAAAAAAAAAA800);
    SetControlWord(PRECISION_64);
    CheckBits(X87_Div(one, three), 0x3FFD, 0xAAAAAAAAAAAAAAAB);
}

TEST(ArithmeticRoundsInTheDirectionOfTheControlWord) {
    long double one = Load(ONE), tiny = Load(0x00000001), half_ulp = Load(0x33800000); /* 2^-24 */
    SetControlWord(PRECISION_24 | NEAREST);
    CheckBits(X87_Add(one, half_ulp), 0x3FFF, 0x8000000000000000); /* a tie: to even */
    CheckBits(X87_Sub(one, tiny), 0x3FFF, 0x8000000000000000);
    SetControlWord(PRECISION_24 | UP);
    CheckBits(X87_Add(one, tiny), 0x3FFF, 0x8000010000000000);
    SetControlWord(PRECISION_24 | DOWN);
    CheckBits(X87_Sub(one, tiny), 0x3FFE, 0xFFFFFF0000000000);
    CheckBits(X87_Add(X87_Neg(one), X87_Neg(tiny)), 0xBFFF, 0x8000010000000000);
    SetControlWord(PRECISION_24 | ZERO);
    CheckBits(X87_Add(X87_Neg(one), X87_Neg(tiny)), 0xBFFF, 0x8000000000000000);
}

TEST(OperandsKeepTheirSides) {
    SetControlWord(PRECISION_64);
    long double two = Load(0x40000000), eight = Load(0x41000000);
    assert_true(X87_Sub(eight, two) == 6 && X87_Sub(two, eight) == -6);
    assert_true(X87_Div(eight, two) == 4 && X87_Div(two, eight) == 0.25L);
    assert_true(X87_Add(eight, two) == 10 && X87_Mul(eight, two) == 16);
    assert_true(X87_Sqrt(X87_Mul(eight, two)) == 4);
    assert_true(X87_Neg(two) == -2 && X87_Abs(X87_Neg(two)) == 2 && X87_Abs(two) == 2);
    /* Both operands are in the same register here. */
    assert_true(X87_Sub(two, two) == 0 && X87_Div(two, two) == 1 && X87_Mul(two, two) == 4);
}

TEST(ValuesKeepTheRangeOfTheX87) {
    SetControlWord(PRECISION_24);
    long double greatest = Load(0x7F7FFFFF), least = Load(0x00000001);
    CheckBits(X87_Mul(greatest, greatest), 0x40FE, 0xFFFFFE0000000000);
    CheckBits(X87_Mul(least, least), 0x3ED5, 0x8000000000000000);
    assert_int_equal(Stored(X87_Mul(greatest, greatest)), INFINITE);
    assert_int_equal(Stored(X87_Mul(least, least)), 0);
}

TEST(StoringRoundsToBinary32) {
    SetControlWord(PRECISION_64);
    long double third = X87_Div(Load(ONE), Load(0x40400000));
    assert_int_equal(Stored(third), 0x3EAAAAAB);
    SetControlWord(PRECISION_64 | DOWN);
    assert_int_equal(Stored(third), 0x3EAAAAAA);
    SetControlWord(PRECISION_64 | UP);
    assert_int_equal(Stored(X87_Neg(third)), 0xBEAAAAAA);
}

TEST(LoadingIsExactAndMakesNaNsQuiet) {
    SetControlWord(PRECISION_24);
    CheckBits(Load(0x00000001), 0x3F6A, 0x8000000000000000);
    assert_int_equal(Stored(Load(0x7F800001)), 0x7FC00001);
    assert_int_equal(Stored(Load(0xFFA54321)), 0xFFE54321);
    int16_t integer = -32768;
    assert_true(X87_LoadI16(&integer) == -32768);
    double wide = 0x1.0000000000001p-1000;
    CheckBits(X87_LoadF64(&wide), 0x3C17, 0x8000000000000800);
}

TEST(StoringAnIntegerRoundsAndRefuses) {
    static const struct {
        int word;
        uint32_t bits;
        int64_t integer;
    } cases[] = {
        {NEAREST, 0x3F000000, 0},           /* 0.5: to even */
        {NEAREST, 0x3FC00000, 2},           /* 1.5 */
        {NEAREST, 0xBF000000, 0},           /* -0.5 */
        {DOWN, 0xBF000000, -1},             /* -0.5 */
        {UP, 0x3F000000, 1},                /* 0.5 */
        {ZERO, 0xBFC00000, -1},             /* -1.5 */
        {NEAREST, 0x4F800002, 0x100000400}, /* 2^32 + 2^10 */
        {NEAREST, 0x5F000000, INT64_MIN},   /* 2^63 */
        {NEAREST, 0xDF000000, INT64_MIN},   /* -2^63, which 64 bits hold */
        {NEAREST, INFINITE, INT64_MIN},
        {NEAREST, QUIET, INT64_MIN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SetControlWord(PRECISION_24 | cases[i].word);
        assert_int_equal(X87_StoreI64(Load(cases[i].bits)), cases[i].integer);
    }
}

TEST(TranscendentalResultsIgnoreThePrecision) {
    long double one = Load(ONE), minus_one = Load(MINUS_ONE);
    SetControlWord(PRECISION_64);
    long double sine = X87_Sin(one), cosine = X87_Cos(one), angle = X87_Patan(one, minus_one);
    SetControlWord(PRECISION_24);
    assert_true(X87_Sin(one) == sine && X87_Cos(one) == cosine);
    assert_true(X87_Patan(one, minus_one) == angle);
    /* The result is 3/4 pi, the angle of the point (-1, 1), not that of the quotient -1. */
    assert_int_equal(Stored(angle), 0x4016CBE4);
    assert_int_equal(Stored(X87_Patan(minus_one, one)), 0xBF490FDB);
    assert_int_equal(Stored(sine), 0x3F576AA4);
    assert_int_equal(Stored(cosine), 0x3F0A5140);
}

TEST(AnglesOutOfRangeComeBackUnchanged) {
    long double beyond = Load(0x5F000000); /* 2^63 */
    assert_true(X87_Sin(beyond) == beyond && X87_Cos(beyond) == beyond);
    long double within = Load(0x5EFFFFFF);
    assert_true(X87_Abs(X87_Sin(within)) <= 1 && X87_Abs(X87_Cos(within)) <= 1);
}

typedef struct Comparison {
    uint32_t a, b;
    bool less, less_or_equal, equal;
} Comparison;

static const Comparison comparisons[] = {
    {ONE, 0x40000000, true, true, false},
    {0x40000000, ONE, false, false, false},
    {ONE, ONE, false, true, true},
    {0x00000000, 0x80000000, false, true, true},
    {0x80000001, 0x00000000, true, true, false},
    {0xFF800000, 0xFF7FFFFF, true, true, false},
    {QUIET, ONE, false, false, false},
    {ONE, QUIET, false, false, false},
    {QUIET, QUIET, false, false, false},
    {0x7F800001, ONE, false, false, false},
};
enum { COMPARISON_COUNT = sizeof comparisons / sizeof *comparisons };

TEST(ComparisonsAreFalseWithANaN) {
    for (int i = 0; i < COMPARISON_COUNT; i++) {
        long double a = Load(comparisons[i].a), b = Load(comparisons[i].b);
        assert_int_equal(X87_Less(a, b), comparisons[i].less);
        assert_int_equal(X87_LessOrEqual(a, b), comparisons[i].less_or_equal);
        assert_int_equal(X87_Equal(a, b), comparisons[i].equal);
    }
}

/* ---- SSE ------------------------------------------------------------------------------------- */

/* Executes one step on bits. Not every step uses the second operand. */
typedef void (*SseStep)(const float *a, const float *b, float *out);

#define SSE_STEP_OF_TWO(step)                                                                      \
    SSE_BUILD static void Run##step(const float *a, const float *b, float *out) {                  \
        Sse_Store(Sse_##step(Sse_Load(a), Sse_Load(b)), out);                                      \
    }
#define SSE_STEP_OF_ONE(step)                                                                      \
    SSE_BUILD static void Run##step(const float *a, const float *b, float *out) {                  \
        (void)b;                                                                                   \
        Sse_Store(Sse_##step(Sse_Load(a)), out);                                                   \
    }
SSE_STEP_OF_TWO(Add)
SSE_STEP_OF_TWO(Sub)
SSE_STEP_OF_TWO(Mul)
SSE_STEP_OF_TWO(Div)
SSE_STEP_OF_TWO(Max)
SSE_STEP_OF_ONE(Sqrt)
SSE_STEP_OF_ONE(Neg)
SSE_STEP_OF_ONE(Rcp)
SSE_STEP_OF_ONE(Rsqrt)

SSE_BUILD static void RunCopy(const float *a, const float *b, float *out) {
    (void)b;
    Sse_Store(Sse_Load(a), out);
}

static uint32_t SseBits(SseStep step, uint32_t a_bits, uint32_t b_bits) {
    float a, b, out;
    Float_Put(&a, a_bits);
    Float_Put(&b, b_bits);
    step(&a, &b, &out);
    return Float_Bits(&out);
}

TEST(SseStepsGiveTheBitsOfTheirInstructions) {
    static const struct {
        SseStep step;
        uint32_t a, b, result;
    } cases[] = {
        {RunSub, 0x41000000, 0x40000000, 0x40C00000}, /* 8 - 2 */
        {RunDiv, 0x41000000, 0x40000000, 0x40800000}, /* 8 / 2 */
        {RunDiv, ONE, 0x40400000, 0x3EAAAAAB},        /* 1 / 3 */
        {RunAdd, ONE, 0x33800000, ONE},               /* a tie */
        {RunMul, 0x7F7FFFFF, 0x40000000, INFINITE},
        {RunMul, 0x00800000, 0x3F000000, 0x00400000}, /* a denormal */
        {RunSqrt, 0x41800000, 0, 0x40800000},
        {RunSqrt, MINUS_ONE, 0, 0xFFC00000},
        {RunAdd, 0x7FC00011, 0x7FC00022, 0x7FC00011}, /* the left NaN */
        {RunMul, 0x7FC00022, 0x7FC00011, 0x7FC00022},
        {RunMul, 0x7F800011, ONE, 0x7FC00011}, /* quiet */
        {RunMax, ONE, 0x40000000, 0x40000000},
        {RunMax, 0x40000000, ONE, 0x40000000},
        /* of two zeros, the result is the right one */
        {RunMax, 0x00000000, 0x80000000, 0x80000000},
        {RunMax, 0x80000000, 0x00000000, 0x00000000},
        {RunMax, 0x7FC00011, ONE, ONE}, /* if either is a NaN, the result is the right one, too */
        {RunMax, ONE, 0x7F800011, 0x7F800011},
        {RunNeg, ONE, 0, MINUS_ONE},
        {RunNeg, 0x7F800001, 0, 0xFF800001}, /* it stays a signalling NaN */
        {RunCopy, 0x7F800001, 0, 0x7F800001},
        {RunRcp, 0x80000000, 0, 0xFF800000},
        {RunRsqrt, 0, 0, INFINITE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(SseBits(cases[i].step, cases[i].a, cases[i].b), cases[i].result);
}

/* The manuals promise a relative error of at most 1.5 * 2^-12. */
TEST(EstimatesAreWithinTheirBound) {
    for (uint32_t bits = 0x3F800000; bits < 0x40800000; bits += 0x1234) {
        float x, reciprocal, root;
        Float_Put(&x, bits);
        Float_Put(&reciprocal, SseBits(RunRcp, bits, 0));
        Float_Put(&root, SseBits(RunRsqrt, bits, 0));
        double error = (double)reciprocal * x - 1, root_error = (double)root * root * x - 1;
        assert_true(error < 0x1.8p-12 && error > -0x1.8p-12);
        assert_true(root_error < 0x1.9p-11 && root_error > -0x1.9p-11);
    }
}

TEST(SseStepsHeedMxcsr) {
    enum { FLUSH = 0x8000, DENORMALS_ARE_ZERO = 0x0040, ROUND_UP = 0x4000 };
    Rounding_Set((Rounding){.control_word = PRECISION_24, .mxcsr = 0x1F80 | FLUSH});
    assert_int_equal(SseBits(RunMul, 0x00800000, 0x3F000000), 0);
    Rounding_Set((Rounding){.control_word = PRECISION_24, .mxcsr = 0x1F80 | DENORMALS_ARE_ZERO});
    assert_int_equal(SseBits(RunAdd, 0x00000001, 0x00000000), 0);
    Rounding_Set((Rounding){.control_word = PRECISION_24, .mxcsr = 0x1F80 | ROUND_UP});
    assert_int_equal(SseBits(RunAdd, ONE, 0x00000001), 0x3F800001);
}

SSE_BUILD static void Compare(const float *a, const float *b, bool results[3]) {
    results[0] = Sse_Less(Sse_Load(a), Sse_Load(b));
    results[1] = Sse_LessOrEqual(Sse_Load(a), Sse_Load(b));
    results[2] = Sse_Equal(Sse_Load(a), Sse_Load(b));
}

TEST(SseComparisonsAreFalseWithANaN) {
    for (int i = 0; i < COMPARISON_COUNT; i++) {
        float a, b;
        bool results[3];
        Float_Put(&a, comparisons[i].a);
        Float_Put(&b, comparisons[i].b);
        Compare(&a, &b, results);
        assert_int_equal(results[0], comparisons[i].less);
        assert_int_equal(results[1], comparisons[i].less_or_equal);
        assert_int_equal(results[2], comparisons[i].equal);
    }
}

/* Computes out = (broadcast a[1]) * b + a. */
SSE_BUILD static void RunPacked(const float *a, const float *b, float *out) {
    Sse scaled = Sse_Mul4(Sse_Broadcast(Sse_Load(a + 1)), Sse_Load4(b));
    Sse_Store4(Sse_Add4(scaled, Sse_Load4(a)), out);
}

TEST(PackedStepsWorkAtAnyAlignment) {
    float memory[14] = {0, 1, 2, 3, 4, 0, 10, 20, 30, 40};
    RunPacked(memory + 1, memory + 6, memory + 10);
    const float expected[4] = {21, 42, 63, 84};
    assert_memory_equal(memory + 10, expected, sizeof expected);
}

AROUND_ALL(Save, Restore)
