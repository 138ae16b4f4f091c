/* Compares the x87 in software with the processor's, instruction by instruction. Arithmetic, loads,
 * stores and comparisons must agree in every bit. fsin, fcos and fpatan may differ in the last bit,
 * because processors do not round them correctly; ngi32_processor_soft_trig shows that the software
 * does. */
#include "ngi32/processor/soft_x87.h"
#include "ngi32/processor/x87.h"
#include "tests/ngi32/floats.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdio.h>

enum { CASES = 2000000, TRIG_CASES = 100000 };
enum { ROUNDINGS = 4, PRECISIONS = 3 };

static const uint16_t precisions[PRECISIONS] = {0x007F, 0x027F, 0x037F};

static uint16_t Word(int precision, int rounding) {
    return (uint16_t)(precisions[precision] | rounding << 10);
}

/* ---- both numbers ---------------------------------------------------------------------------- */

typedef struct Both {
    SoftX87 soft;
    long double hard;
} Both;

static SoftX87 BitsOf(long double number) {
    SoftX87 bits;
    memcpy(&bits.significand, &number, 8);
    memcpy(&bits.head, (const char *)&number + 8, 2);
    return bits;
}

static Both BothOf(uint16_t head, uint64_t significand) {
    Both both = {.soft = {significand, head}, .hard = 0};
    memcpy(&both.hard, &significand, 8);
    memcpy((char *)&both.hard + 8, &head, 2);
    return both;
}

static bool AreSame(SoftX87 a, SoftX87 b) {
    return a.significand == b.significand && a.head == b.head;
}

/* Draws significands with all bits, with few bits, and with long runs of equal bits. */
static uint64_t DrawSignificand(Random *random) {
    const uint64_t any = Random_Next64(random);
    const int shift = (int)Random_Below(random, 64);
    switch (Random_Below(random, 8)) {
    case 0:
        return any & ~(uint64_t)0 << 40;
    case 1:
        return any & ~(uint64_t)0 << 11;
    case 2: /* halves of the unit at 24 bits, and numbers near them */
        return (any & ~(uint64_t)0 << 39) + Random_Below(random, 3) - 1;
    case 3: /* the same for 53 bits */
        return (any & ~(uint64_t)0 << 10) + Random_Below(random, 3) - 1;
    case 4:
        return ~(uint64_t)0 << shift;
    case 5:
        return (uint64_t)1 << shift;
    case 6:
        return ~(uint64_t)0 >> shift;
    default:
        return any;
    }
}

static const uint64_t integer_bit = 0x8000000000000000u, quiet_bits = 0xC000000000000000u;

/* Draws a number that can be on the stack: no pseudo-numbers, and no signalling NaN, which a load
 * makes quiet. */
static Both DrawNumber(Random *random) {
    const uint16_t sign = Random_Next(random) & 1 ? 0x8000 : 0;
    uint64_t significand = DrawSignificand(random) | integer_bit;
    int exponent;
    switch (Random_Below(random, 16)) {
    case 0:
        return BothOf(sign, 0);
    case 1:
        return BothOf((uint16_t)(sign | 0x7FFF), integer_bit);
    case 2:
        return BothOf((uint16_t)(sign | 0x7FFF), significand | quiet_bits);
    case 3: /* a denormal number of the 80-bit format */
        return BothOf(sign, (significand & ~integer_bit) >> Random_Below(random, 63));
    case 4: /* the smallest normal numbers, and the largest */
        exponent = Random_Next(random) & 1 ? 1 + (int)Random_Below(random, 80)
                                           : 0x7FFE - (int)Random_Below(random, 80);
        break;
    case 5: /* half of all exponents, so that products leave the range */
        exponent = 1 + (int)Random_Below(random, 0x7FFE);
        break;
    case 6: /* around binary32's limits */
        exponent = (Random_Next(random) & 1 ? 16383 - 126 : 16383 + 127) -
                   (int)Random_Below(random, 32) + 4;
        break;
    case 7: /* integers of 64 bits */
        exponent = 16383 + (int)Random_Below(random, 68) - 2;
        break;
    default:
        exponent = 16383 + (int)Random_Below(random, 9) - 4;
    }
    return BothOf((uint16_t)(sign | exponent), significand);
}

static void Fail(const char *what, int word, Both a, Both b, SoftX87 soft, SoftX87 hard) {
    fail_msg("%s under %04X of %04X:%016llX and %04X:%016llX: software %04X:%016llX, processor "
             "%04X:%016llX",
             what, (unsigned)word, a.soft.head, (unsigned long long)a.soft.significand, b.soft.head,
             (unsigned long long)b.soft.significand, soft.head,
             (unsigned long long)soft.significand, hard.head, (unsigned long long)hard.significand);
}

static Rounding saved;

static int Save(void **state) {
    (void)state;
    saved = Rounding_Get();
    return 0;
}

static int Restore(void **state) {
    (void)state;
    Rounding_Set(saved);
    soft_x87_control_word = 0x037F;
    return 0;
}

static void SetWord(uint16_t word) {
    Rounding_Set((Rounding){.control_word = word, .mxcsr = 0x1F80});
    soft_x87_control_word = word;
}

/* ---- arithmetic ------------------------------------------------------------------------------ */

typedef struct Operation {
    const char *name;
    SoftX87 (*soft)(SoftX87 a, SoftX87 b);
    long double (*hard)(long double a, long double b);
} Operation;

static SoftX87 SoftRoot(SoftX87 a, SoftX87 b) {
    (void)b;
    return SoftX87_Sqrt(a);
}

static long double HardRoot(long double a, long double b) {
    (void)b;
    return X87_Sqrt(a);
}

static const Operation operations[] = {
    {"fadd", SoftX87_Add, X87_Add}, {"fsub", SoftX87_Sub, X87_Sub}, {"fmul", SoftX87_Mul, X87_Mul},
    {"fdiv", SoftX87_Div, X87_Div}, {"fsqrt", SoftRoot, HardRoot},
};

static void Compare(const Operation *operation, uint16_t word, Both a, Both b) {
    const SoftX87 soft = operation->soft(a.soft, b.soft);
    const SoftX87 hard = BitsOf(operation->hard(a.hard, b.hard));
    if (!AreSame(soft, hard))
        Fail(operation->name, word, a, b, soft, hard);
}

TEST(ArithmeticGivesTheBitsOfTheInstructions) {
    Random random = {1};
    for (int i = 0; i < CASES; i++) {
        const uint16_t word = Word(i % PRECISIONS, i / PRECISIONS % ROUNDINGS);
        SetWord(word);
        const Both a = DrawNumber(&random);
        Both b = DrawNumber(&random);
        const int exponent = a.soft.head & 0x7FFF;
        if (i % 7 == 0 && exponent != 0 && exponent != 0x7FFF) /* sums that cancel */
            b = BothOf((uint16_t)(a.soft.head ^ 0x8000), b.soft.significand | integer_bit);
        if (i % 7 == 1)
            b = a;
        for (size_t k = 0; k < sizeof operations / sizeof *operations; k++)
            Compare(&operations[k], word, a, b);
    }
}

/* Of the numbers on the stack, one in 16 is a NaN. Of those in memory, one in four is, and half of
 * these are signalling. */
TEST(ProductsTakeANumberFromMemory) {
    Random random = {7};
    for (int i = 0; i < CASES; i++) {
        const uint16_t word = Word(i % PRECISIONS, i / PRECISIONS % ROUNDINGS);
        SetWord(word);
        const Both a = DrawNumber(&random);
        float b;
        Float_Put(&b, (uint32_t)Random_Next(&random) | (i % 4 ? 0 : 0x7F800000u));
        const SoftX87 soft = SoftX87_MulMemory(a.soft, &b);
        const SoftX87 hard = BitsOf(X87_MulMemory(a.hard, &b));
        if (!AreSame(soft, hard))
            Fail("fmul m32", word, a, (Both){{Float_Bits(&b), 0}, 0}, soft, hard);
    }
}

TEST(SignsChangeEvenOfNans) {
    Random random = {2};
    for (int i = 0; i < CASES / 8; i++) {
        const Both a = DrawNumber(&random);
        assert_true(AreSame(SoftX87_Neg(a.soft), BitsOf(X87_Neg(a.hard))));
        assert_true(AreSame(SoftX87_Abs(a.soft), BitsOf(X87_Abs(a.hard))));
    }
}

TEST(ComparisonsAgree) {
    Random random = {3};
    for (int i = 0; i < CASES; i++) {
        const Both a = DrawNumber(&random), b = i % 4 ? DrawNumber(&random) : a;
        if (SoftX87_Less(a.soft, b.soft) != X87_Less(a.hard, b.hard) ||
            SoftX87_LessOrEqual(a.soft, b.soft) != X87_LessOrEqual(a.hard, b.hard))
            Fail("fcomi", 0, a, b, a.soft, b.soft);
    }
}

/* ---- memory ---------------------------------------------------------------------------------- */

TEST(LoadsAreExactAndMakeNansQuiet) {
    Random random = {4};
    for (int i = 0; i < CASES; i++) {
        SetWord(Word(i % PRECISIONS, 0));
        const uint64_t bits = i % 3 ? Random_Next64(&random)
                                    : (Random_Next64(&random) & ~0x7FF0000000000000u) |
                                          (i % 2 ? 0x7FF0000000000000u : 0);
        double wide;
        float number;
        memcpy(&wide, &bits, sizeof wide);
        Float_Put(&number, i % 3 ? (uint32_t)bits
                                 : (uint32_t)(bits & 0x807FFFFF) | (i % 2 ? 0x7F800000u : 0));
        const int16_t word = (int16_t)bits;
        const int32_t dword = (int32_t)bits;
        assert_true(AreSame(SoftX87_Load(&number), BitsOf(X87_Load(&number))));
        assert_true(AreSame(SoftX87_LoadF64(&wide), BitsOf(X87_LoadF64(&wide))));
        assert_true(AreSame(SoftX87_LoadI16(&word), BitsOf(X87_LoadI16(&word))));
        assert_true(AreSame(SoftX87_LoadI32(&dword), BitsOf(X87_LoadI32(&dword))));
    }
}

TEST(StoresRoundAsTheControlWordSays) {
    Random random = {5};
    for (int i = 0; i < CASES; i++) {
        const uint16_t word = Word(i % PRECISIONS, i / PRECISIONS % ROUNDINGS);
        SetWord(word);
        const Both a = DrawNumber(&random);
        float soft, hard;
        SoftX87_Store(a.soft, &soft);
        X87_Store(a.hard, &hard);
        const int64_t soft_integer = SoftX87_StoreI64(a.soft), integer = X87_StoreI64(a.hard);
        if (Float_Bits(&soft) != Float_Bits(&hard) || soft_integer != integer)
            Fail("fstp or fistp", word, a, a, (SoftX87){Float_Bits(&soft), 0},
                 (SoftX87){Float_Bits(&hard), 0});
        const long double same = SoftX87_ToLongDouble(a.soft);
        assert_true(AreSame(BitsOf(same), a.soft));
    }
}

/* ---- transcendental functions ---------------------------------------------------------------- */

/* Returns how many numbers of 64 bits two results are apart, or -1 if they are of different kinds.
 */
static int64_t Apart(SoftX87 a, SoftX87 b) {
    if (AreSame(a, b))
        return 0;
    if ((a.head ^ b.head) >> 15 || (a.head & 0x7FFF) == 0x7FFF || (b.head & 0x7FFF) == 0x7FFF)
        return -1;
    const int64_t exponents = (int64_t)a.head - b.head;
    if (exponents < -1 || exponents > 1)
        return -1;
    const uint64_t ups = a.significand << 1, downs = b.significand << 1;
    const int64_t difference = (int64_t)(ups - downs);
    return (difference < 0 ? -difference : difference) / 2;
}

/* Judges a result. Under rounding to nearest, makers promise an error of less than one unit, and
 * the software's is at most half of one. Other roundings may add one to both. */
static void Judge(const char *name, uint16_t word, Both a, Both b, SoftX87 soft, SoftX87 hard,
                  int *differ) {
    const int64_t apart = Apart(soft, hard), allowed = word >> 10 & 3 ? 3 : 1;
    if (apart < 0 || apart > allowed)
        Fail(name, word, a, b, soft, hard);
    *differ += apart != 0;
}

enum { SINE, COSINE, ANGLE, JUDGED };

static void JudgeAll(uint16_t word, Both y, Both x, int differ[JUDGED]) {
    SetWord(word);
    Judge("fsin", word, x, x, SoftX87_Sin(x.soft), BitsOf(X87_Sin(x.hard)), &differ[SINE]);
    Judge("fcos", word, x, x, SoftX87_Cos(x.soft), BitsOf(X87_Cos(x.hard)), &differ[COSINE]);
    Judge("fpatan", word, y, x, SoftX87_Patan(y.soft, x.soft), BitsOf(X87_Patan(y.hard, x.hard)),
          &differ[ANGLE]);
}

/* Draws angles of all sizes below 2^63. */
static Both DrawAngle(Random *random) {
    static const int tops[4] = {16382, 16383 + 1, 16383 + 62, 16383 - 40};
    const uint16_t sign = Random_Next(random) & 1 ? 0x8000 : 0;
    const int top = tops[Random_Below(random, 4)];
    return BothOf((uint16_t)(sign | (top - (int)Random_Below(random, top > 16384 ? 64 : 8))),
                  DrawSignificand(random) | integer_bit);
}

TEST(SinesAndArcTangentsAreWithinAUnitOfTheProcessor) {
    Random random = {6};
    int differ[JUDGED] = {0};
    for (int i = 0; i < TRIG_CASES; i++) {
        const uint16_t word = Word(2, i % 4 == 0 ? i / 4 % ROUNDINGS : 0);
        const bool any = i % 8 == 1;
        const Both x = any ? DrawNumber(&random) : DrawAngle(&random);
        const Both y = any ? DrawNumber(&random) : DrawAngle(&random);
        JudgeAll(word, y, x, differ);
    }
    print_message("of %d, processor: fsin %d, fcos %d, fpatan %d\n", TRIG_CASES, differ[SINE],
                  differ[COSINE], differ[ANGLE]);
}

/* Tests zeros, infinities, NaNs, denormal numbers and angles of 2^63 and more. */
TEST(SpecialOperandsOfTheTranscendentalFunctions) {
    static const struct {
        uint16_t head;
        uint64_t significand;
    } kinds[] = {{0, 0},
                 {0x3FFF, 0x8000000000000000u},
                 {0x7FFF, 0x8000000000000000u},
                 {0x7FFF, 0xC000000000000000u},
                 {0x7FFF, 0xC000000000000001u},
                 {0x403D, 0xFFFFFFFFFFFFFFFFu},
                 {0x403E, 0x8000000000000000u},
                 {0x7FFE, 0xFFFFFFFFFFFFFFFFu},
                 {0x3FFE, 0xC90FDAA22168C235u}, /* pi/4, and its neighbour */
                 {0x3FFE, 0xC90FDAA22168C234u},
                 {0x3FFF, 0xC90FDAA22168C235u}};
    enum { KINDS = sizeof kinds / sizeof *kinds, SIGNS = 4 };
    int differ[JUDGED] = {0};
    for (int i = 0; i < KINDS * KINDS * SIGNS * ROUNDINGS; i++) {
        const int k = i / SIGNS % KINDS, l = i / SIGNS / KINDS % KINDS;
        const uint16_t word = Word(2, i / SIGNS / KINDS / KINDS);
        const Both x = BothOf((uint16_t)(kinds[k].head | (i & 1) << 15), kinds[k].significand);
        const Both y = BothOf((uint16_t)(kinds[l].head | (i & 2) << 14), kinds[l].significand);
        JudgeAll(word, y, x, differ);
    }
    print_message("of %d, processor: %d\n", 3 * KINDS * KINDS * SIGNS * ROUNDINGS,
                  differ[SINE] + differ[COSINE] + differ[ANGLE]);
}

AROUND_ALL(Save, Restore)
