/* Tests the interpreter's 3DNow!. No processor of today has it, so the expected values are those of
 * AMD's manuals, and what these promise about all values. */
#include "tests/bits.h"
#include "tests/machine/interpreter/native.h"
#include "tests/test.h"

#include <math.h>
#include <string.h>

static const MachineProfile athlon = {.name = "athlon",
                                      .features = MACHINE_HAS_MMX | MACHINE_HAS_CMOV |
                                                  MACHINE_HAS_3DNOW | MACHINE_HAS_3DNOW2};
static const MachineProfile k6 = {.name = "k6-2", .features = MACHINE_HAS_MMX | MACHINE_HAS_3DNOW};
static const MachineProfile pentium = {.name = "pentium-mmx", .features = MACHINE_HAS_MMX};

typedef struct Pair {
    uint32_t low, high;
} Pair;

/* Executes 0F 0F C1 `code`: MM0 and MM1 are the operands. */
static Pair Run(uint8_t code, Pair a, Pair b) {
    NativeState state = {.vectors = {.control = 0x037F, .mxcsr = 0x1F80}};
    MachineFault fault;
    const uint8_t bytes[] = {0x0F, 0x0F, 0xC1, code};
    memcpy(state.vectors.st[0], &a, sizeof a);
    memcpy(state.vectors.st[1], &b, sizeof b);
    assert_true(Native_Choose(bytes, sizeof bytes, false));
    assert_true(Native_Interpret(&state, 0, &athlon, &fault));
    assert_int_equal(state.vectors.tags, 0xFF);
    assert_int_equal(state.vectors.st[0][8] & state.vectors.st[0][9], 0xFF);
    memcpy(&a, state.vectors.st[0], sizeof a);
    return a;
}

static uint32_t Low(uint8_t code, uint32_t a, uint32_t b) {
    const Pair result = Run(code, (Pair){a, b}, (Pair){b, a});
    return result.low;
}

enum {
    PI2FW = 0x0C,
    PI2FD = 0x0D,
    PF2IW = 0x1C,
    PF2ID = 0x1D,
    PFNACC = 0x8A,
    PFPNACC = 0x8E,
    PFCMPGE = 0x90,
    PFMIN = 0x94,
    PFRCP = 0x96,
    PFRSQRT = 0x97,
    PFSUB = 0x9A,
    PFADD = 0x9E,
    PFCMPGT = 0xA0,
    PFMAX = 0xA4,
    PFRCPIT1 = 0xA6,
    PFRSQIT1 = 0xA7,
    PFSUBR = 0xAA,
    PFACC = 0xAE,
    PFCMPEQ = 0xB0,
    PFMUL = 0xB4,
    PFRCPIT2 = 0xB6,
    PMULHRW = 0xB7,
    PSWAPD = 0xBB,
    PAVGUSB = 0xBF
};

TEST(ValuesOfTheManuals) {
    static const struct {
        uint8_t code;
        uint32_t a, b, result;
    } cases[] = {
        {PFADD, 0x3F800000, 0x40000000, 0x40400000},
        {PFADD, 0x80000000, 0x80000000, 0x80000000}, /* the sign is that of both */
        {PFADD, 0x80000000, 0x00000000, 0x00000000},
        {PFADD, 0x7F7FFFFF, 0x7F7FFFFF, 0x7F7FFFFF}, /* saturates */
        {PFADD, 0xFF7FFFFF, 0xFF7FFFFF, 0xFF7FFFFF},
        {PFADD, 0x00000001, 0x3F800000, 0x3F800000}, /* a denormal is 0 */
        {PFSUB, 0x3F800000, 0x3F800000, 0x00000000},
        {PFSUB, 0x00800001, 0x00800000, 0x00000000}, /* no denormal comes out */
        {PFSUB, 0x00800000, 0x00800001, 0x80000000},
        {PFSUBR, 0x3F800000, 0x40400000, 0x40000000},
        {PFMUL, 0x00800000, 0x3F000000, 0x00000000},
        {PFMUL, 0x80800000, 0x3F000000, 0x80000000},
        {PFMUL, 0x7F000000, 0xC0000000, 0xFF7FFFFF},
        {PFMUL, 0x3F800001, 0x3F800001, 0x3F800002}, /* rounds to nearest */
        {PFMAX, 0xBF800000, 0x80000000, 0x00000000}, /* a zero is +0 */
        {PFMAX, 0x3F800000, 0xC0000000, 0x3F800000},
        {PFMIN, 0x3F800000, 0x80000000, 0x00000000},
        {PFMIN, 0x3F800000, 0xC0000000, 0xC0000000},
        {PFCMPEQ, 0x80000000, 0x00000000, 0xFFFFFFFF},
        {PFCMPGE, 0x80000000, 0x00000000, 0xFFFFFFFF},
        {PFCMPGT, 0x80000000, 0x00000000, 0x00000000},
        {PFCMPGT, 0x40000000, 0x3F800000, 0xFFFFFFFF},
        {PFCMPGE, 0xC0000000, 0x3F800000, 0x00000000},
        {PF2ID, 0, 0x3FFFFFFF, 0x00000001}, /* cut off */
        {PF2ID, 0, 0xBFFFFFFF, 0xFFFFFFFF},
        {PF2ID, 0, 0x4F000000, 0x7FFFFFFF}, /* saturates */
        {PF2ID, 0, 0xCF000001, 0x80000000},
        {PF2IW, 0, 0x47000000, 0x00007FFF},
        {PF2IW, 0, 0xC7000100, 0xFFFF8000},
        {PF2IW, 0, 0xC0200000, 0xFFFFFFFE},
        {PI2FD, 0, 0x7FFFFFFF, 0x4EFFFFFF}, /* cut off */
        {PI2FD, 0, 0xFFFFFFFF, 0xBF800000},
        {PI2FD, 0, 0x80000000, 0xCF000000},
        {PI2FW, 0, 0x1234FFFF, 0xBF800000},
        {PMULHRW, 0x7FFF8000, 0x7FFF8000, 0x3FFF4000},
        {PAVGUSB, 0x000102FF, 0x01010300, 0x01010380},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint32_t result = Low(cases[i].code, cases[i].a, cases[i].b);
        if (result != cases[i].result)
            fail_msg("%02X of %08X and %08X: %08X, not %08X", cases[i].code, cases[i].a, cases[i].b,
                     result, cases[i].result);
    }
}

TEST(HalvesOfBothOperands) {
    const Pair a = {Bits(5), Bits(3)}, b = {Bits(11), Bits(4)};
    static const struct {
        uint8_t code;
        float low, high;
    } cases[] = {{PFACC, 8, 15}, {PFNACC, 2, 7}, {PFPNACC, 2, 15}, {PSWAPD, 4, 11}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const Pair result = Run(cases[i].code, a, b);
        assert_int_equal(result.low, Bits(cases[i].low));
        assert_int_equal(result.high, Bits(cases[i].high));
    }
}

/* Where no operand and no result is special, the four operations are those of binary32. */
TEST(OrdinaryNumbersAreComputedAsBinary32) {
    for (unsigned i = 0; i < 100000; i++) {
        const uint32_t a = 0x30000000u + (uint32_t)Native_Random() % 0x20000000u +
                           ((uint32_t)Native_Random() & 0x80000000u),
                       b = 0x30000000u + (uint32_t)Native_Random() % 0x20000000u;
        const float x = FromBits(a), y = FromBits(b);
        const volatile float sum = x + y, difference = x - y, product = x * y;
        assert_int_equal(Low(PFADD, a, b), Bits(sum));
        assert_int_equal(Low(PFSUB, a, b), Bits(difference));
        assert_int_equal(Low(PFMUL, a, b), Bits(product));
        assert_int_equal(Low(PFCMPGT, a, b), x > y ? 0xFFFFFFFFu : 0);
    }
}

static double RelativeError(uint32_t found, double expected) {
    return fabs((double)FromBits(found) / expected - 1);
}

TEST(EstimatesAndTheirStepsAreAsNearAsTheManualPromises) {
    double estimate = 0, root_estimate = 0, reciprocal = 0, root = 0;
    for (unsigned i = 0; i < 100000; i++) {
        const uint32_t b = 0x10000000u + (uint32_t)Native_Random() % 0x60000000u;
        const double x = (double)FromBits(b);

        const uint32_t first = Low(PFRCP, 0, b);
        const uint32_t step = Low(PFRCPIT1, b, first), whole = Low(PFRCPIT2, step, first);
        estimate = fmax(estimate, RelativeError(first, 1 / x));
        reciprocal = fmax(reciprocal, RelativeError(whole, 1 / x));
        assert_int_equal(Low(PFRCP, 0, b | 0x80000000u), first | 0x80000000u);

        const uint32_t guess = Low(PFRSQRT, 0, b), square = Low(PFMUL, guess, guess);
        const uint32_t half = Low(PFRSQIT1, b, square), result = Low(PFRCPIT2, half, guess);
        root_estimate = fmax(root_estimate, RelativeError(guess, 1 / sqrt(x)));
        root = fmax(root, RelativeError(result, 1 / sqrt(x)));
        assert_int_equal(Low(PFRSQRT, 0, b | 0x80000000u), guess | 0x80000000u);
    }
    print_message("errors: 2^%.2f and 2^%.2f, after the steps 2^%.2f and 2^%.2f\n", log2(estimate),
                  log2(root_estimate), log2(reciprocal), log2(root));
    assert_true(estimate <= ldexp(1, -14) && root_estimate <= ldexp(1, -15));
    assert_true(reciprocal <= ldexp(1, -23) && root <= ldexp(1, -23));
    assert_int_equal(Low(PFRCP, 0, 0), 0x7F7FFFFF);
    assert_int_equal(Low(PFRCP, 0, 0x80000000), 0xFF7FFFFF);
    assert_int_equal(Low(PFRSQRT, 0, 0), 0x7F7FFFFF);
}

static bool Interpret(NativeState *state, const uint8_t *bytes, size_t size,
                      const MachineProfile *profile, MachineFault *fault) {
    assert_true(Native_Choose(bytes, size, false));
    return Native_Interpret(state, 0, profile, fault);
}

TEST(ProcessorsHaveWhatTheirProfileSays) {
    static const uint8_t pfadd[] = {0x0F, 0x0F, 0xC1, 0x9E}, pswapd[] = {0x0F, 0x0F, 0xC1, 0xBB},
                         femms[] = {0x0F, 0x0E}, prefetchw[] = {0x0F, 0x0D, 0x0A};
    NativeState guest;
    MachineFault fault;
    Native_RandomX87(&guest, true);
    assert_false(Interpret(&guest, pfadd, sizeof pfadd, &pentium, &fault));
    assert_int_equal(fault.code, MACHINE_ILLEGAL);
    assert_true(Interpret(&guest, pfadd, sizeof pfadd, &k6, &fault));
    assert_false(Interpret(&guest, pswapd, sizeof pswapd, &k6, &fault));
    assert_true(Interpret(&guest, pswapd, sizeof pswapd, &athlon, &fault));
    assert_true(Interpret(&guest, prefetchw, sizeof prefetchw, &k6, &fault));
    assert_true(Interpret(&guest, femms, sizeof femms, &k6, &fault));
    assert_int_equal(guest.vectors.tags, 0);
}

AROUND_ALL(Native_Begin, Native_End)
