#include "replay/compare/range.h"

#include "ngi32/sse.h"
#include "ngi32/x87.h"

#include <string.h>

/* ---- numbers of 128 bits ----------------------------------------------------------------------
 * The sum of two numbers of 64 bits, by x87 steps that round to 64 bits and to nearest. */

typedef struct Wide {
    long double high, low;
} Wide;

#define X87_EXACT 0x037Fu /* 64 bits, round to nearest, all exceptions masked */

static uint16_t EnterExact(void) {
    uint16_t word, exact = X87_EXACT;
    __asm__ volatile("fnstcw %0\n\tfldcw %1" : "=m"(word) : "m"(exact));
    return word;
}

static void LeaveExact(uint16_t word) {
    __asm__ volatile("fldcw %0" : : "m"(word));
}

static Wide TwoSum(long double a, long double b) {
    long double sum = X87_Add(a, b), of_b = X87_Sub(sum, a);
    long double rest_a = X87_Sub(a, X87_Sub(sum, of_b)), rest_b = X87_Sub(b, of_b);
    return (Wide){sum, X87_Add(rest_a, rest_b)};
}

/* Returns the upper 32 bits of a number, rounded. */
static long double UpperHalf(long double a) {
    long double scaled = X87_Mul(a, 0x1.00000001p32L);
    return X87_Sub(scaled, X87_Sub(scaled, a));
}

static Wide TwoProduct(long double a, long double b) {
    long double product = X87_Mul(a, b);
    long double a1 = UpperHalf(a), a2 = X87_Sub(a, a1), b1 = UpperHalf(b), b2 = X87_Sub(b, b1);
    long double rest = X87_Sub(X87_Mul(a1, b1), product);
    rest = X87_Add(X87_Add(rest, X87_Mul(a1, b2)), X87_Mul(a2, b1));
    return (Wide){product, X87_Add(rest, X87_Mul(a2, b2))};
}

static Wide Wide_Add(Wide a, Wide b) {
    Wide sum = TwoSum(a.high, b.high), rest = TwoSum(a.low, b.low);
    sum = TwoSum(sum.high, X87_Add(sum.low, rest.high));
    return TwoSum(sum.high, X87_Add(sum.low, rest.low));
}

static Wide Wide_Neg(Wide a) {
    return (Wide){X87_Neg(a.high), X87_Neg(a.low)};
}

static Wide Wide_Mul(Wide a, Wide b) {
    Wide product = TwoProduct(a.high, b.high);
    long double cross = X87_Add(X87_Mul(a.high, b.low), X87_Mul(a.low, b.high));
    return TwoSum(product.high, X87_Add(product.low, cross));
}

static Wide Wide_DivBy(Wide a, long double divisor) {
    long double quotient = X87_Div(a.high, divisor);
    Wide rest = Wide_Add(a, Wide_Neg(TwoProduct(quotient, divisor)));
    return TwoSum(quotient, X87_Div(rest.high, divisor));
}

/* ---- sine, cosine and arc tangent -------------------------------------------------------------
 */

/* pi is high + low. The processors' own pi ends with the 66th bit. */
static const Wide pi_of_66_bits = {0xC.90FDAA22168C234p-2L, 0x3p-64L};
static const Wide pi_of_128_bits = {0xC.90FDAA22168C234p-2L, 0x3.13198A2E03707344p-64L};

#define TAYLOR_TERMS      17      /* for arguments up to 0.8 and 128 bits */
#define WHOLE_QUARTERS    0x1p32L /* quarters of a turn that one step of the reduction removes */
#define X87_LARGEST_ANGLE 0x1p63L /* from here on fsin and fcos return their argument unchanged */

/* Computes 1 - square / (2 * 3) * (1 - square / (4 * 5) * ...), beginning with `first` *
 * (`first` + 1). */
static Wide Series(Wide square, int first) {
    const Wide one = {1.0L, 0.0L};
    Wide sum = one;
    for (int i = TAYLOR_TERMS - 1; i >= 0; i--) {
        int factor = (first + 2 * i) * (first + 2 * i + 1);
        sum = Wide_Add(one, Wide_Neg(Wide_DivBy(Wide_Mul(square, sum), (long double)factor)));
    }
    return sum;
}

static long double NearestWhole(long double x) {
    __asm__ volatile("frndint" : "+t"(x));
    return x;
}

/* Computes angle - quarters * (pi / 2). */
static Wide LessQuarters(Wide angle, long double quarters, Wide pi) {
    const Wide quarter = {X87_Mul(pi.high, 0.5L), X87_Mul(pi.low, 0.5L)};
    angle = Wide_Add(angle, Wide_Neg(TwoProduct(quarters, quarter.high)));
    return Wide_Add(angle, Wide_Neg(TwoProduct(quarters, quarter.low)));
}

/* Reduces an angle to at most pi / 4 and returns the removed quarters of a turn, modulo 4. */
static int Reduce(Wide *angle, Wide pi) {
    long double quarter = X87_Mul(pi.high, 0.5L);
    long double quarters = X87_Div(angle->high, quarter);
    if (X87_Less(WHOLE_QUARTERS, X87_Abs(quarters))) { /* WHOLE_QUARTERS is a multiple of 4 */
        quarters = X87_Mul(NearestWhole(X87_Div(quarters, WHOLE_QUARTERS)), WHOLE_QUARTERS);
        *angle = LessQuarters(*angle, quarters, pi);
    }
    quarters = NearestWhole(X87_Div(angle->high, quarter));
    *angle = LessQuarters(*angle, quarters, pi);
    return (int)((uint64_t)X87_StoreI64(quarters) & 3);
}

/* Computes sin(angle + turn * pi / 2). */
static Wide SineOf(long double angle, int turn, Wide pi) {
    Wide rest = {angle, 0.0L};
    int quarters = (Reduce(&rest, pi) + turn) & 3;
    Wide square = Wide_Mul(rest, rest);
    Wide sine = quarters & 1 ? Series(square, 1) : Wide_Mul(rest, Series(square, 2));
    return quarters & 2 ? Wide_Neg(sine) : sine;
}

/* Takes one step of Newton's method from the processor's own answer, whose error it squares. */
static Wide ArcTangentOf(long double y, long double x) {
    const Wide wide_y = {y, 0.0L}, wide_x = {x, 0.0L};
    long double angle = X87_Patan(y, x);
    Wide sine = SineOf(angle, 0, pi_of_128_bits), cosine = SineOf(angle, 1, pi_of_128_bits);
    Wide across = Wide_Add(Wide_Mul(wide_y, cosine), Wide_Neg(Wide_Mul(wide_x, sine)));
    Wide along = Wide_Add(Wide_Mul(wide_x, cosine), Wide_Mul(wide_y, sine));
    return TwoSum(angle, X87_Div(across.high, along.high));
}

/* ---- the numbers around a true value ----------------------------------------------------------
 */

typedef struct Bits {
    uint64_t significand;
    uint16_t exponent; /* with the sign as the highest bit */
} Bits;

/* Returns the neighbour of a number other than 0, away from 0 or towards it. */
static long double Neighbour(long double x, bool farther) {
    Bits bits = {0, 0};
    memcpy(&bits.significand, &x, 8);
    memcpy(&bits.exponent, (const uint8_t *)&x + 8, 2);
    if (farther && ++bits.significand == 0) {
        bits.significand = UINT64_C(1) << 63;
        bits.exponent++;
    } else if (!farther && --bits.significand < UINT64_C(1) << 63) {
        bits.significand = UINT64_MAX;
        bits.exponent--;
    }
    memcpy(&x, &bits.significand, 8);
    memcpy((uint8_t *)&x + 8, &bits.exponent, 2);
    return x;
}

/* Returns the last number of 64 bits within `allowed` of the true value, away from 0 or towards
 * it. */
static long double Farthest(Wide truth, bool farther, long double allowed) {
    long double number = truth.high;
    for (;;) {
        long double next = Neighbour(number, farther);
        long double error = X87_Sub(X87_Sub(next, truth.high), truth.low);
        if (!X87_LessOrEqual(X87_Abs(error), allowed))
            return number;
        number = next;
    }
}

static Range Around(Wide truth, bool directed) {
    long double zero = 0.0L;
    if (!X87_Less(zero, X87_Abs(truth.high)))
        return (Range){truth.high, truth.high};
    /* the truth is nearer to 0 than `high` */
    bool less = X87_Less(X87_Mul(truth.high, truth.low), zero);
    long double unit = X87_Abs(X87_Sub(Neighbour(truth.high, !less), truth.high));
    long double allowed = directed ? X87_Mul(unit, 1.5L) : unit;
    long double outer = Farthest(truth, true, allowed), inner = Farthest(truth, false, allowed);
    return X87_Less(truth.high, zero) ? (Range){outer, inner} : (Range){inner, outer};
}

/* ---- ranges -----------------------------------------------------------------------------------
 */

Range Range_Of(float number) {
    long double value = X87_Load(&number);
    return (Range){value, value};
}

bool Range_IsValid(Range range) {
    return X87_LessOrEqual(range.low, range.high);
}

/* Returns the next greater number. */
static long double Next(long double x) {
    return Neighbour(x, X87_Less(0.0L, x));
}

uint32_t Range_Count(Range range, uint32_t most) {
    uint32_t count = 1;
    for (long double x = range.low; count < most && X87_Less(x, range.high); x = Next(x))
        count++;
    return count;
}

Range Range_At(Range range, uint32_t index) {
    long double x = range.low;
    while (index-- > 0)
        x = Next(x);
    return (Range){x, x};
}

static long double Lesser(long double a, long double b) {
    return X87_Less(b, a) ? b : a;
}

static long double Greater(long double a, long double b) {
    return X87_Less(a, b) ? b : a;
}

static Range Nothing(void) {
    static const uint32_t nan = 0x7FC00000;
    float number;
    memcpy(&number, &nan, sizeof number);
    return Range_Of(number);
}

Range Range_Hull(Range a, Range b) {
    if (!Range_IsValid(a) || !Range_IsValid(b))
        return Nothing();
    return (Range){Lesser(a.low, b.low), Greater(a.high, b.high)};
}

Range Range_Neg(Range a) {
    return (Range){X87_Neg(a.high), X87_Neg(a.low)};
}

enum { STEP_ADD, STEP_SUB, STEP_MUL };

SSE_BUILD static long double SseStep(int step, long double a, long double b) {
    float x, y, result;
    X87_Store(a, &x);
    X87_Store(b, &y);
    Sse left = Sse_Load(&x), right = Sse_Load(&y);
    Sse_Store(step == STEP_ADD   ? Sse_Add(left, right)
              : step == STEP_SUB ? Sse_Sub(left, right)
                                 : Sse_Mul(left, right),
              &result);
    return X87_Load(&result);
}

static long double Step(RangeBuild build, int step, long double a, long double b) {
    if (build == RANGE_SSE)
        return SseStep(step, a, b);
    return step == STEP_ADD ? X87_Add(a, b) : step == STEP_SUB ? X87_Sub(a, b) : X87_Mul(a, b);
}

Range Range_Add(RangeBuild build, Range a, Range b) {
    return (Range){Step(build, STEP_ADD, a.low, b.low), Step(build, STEP_ADD, a.high, b.high)};
}

Range Range_Sub(RangeBuild build, Range a, Range b) {
    return (Range){Step(build, STEP_SUB, a.low, b.high), Step(build, STEP_SUB, a.high, b.low)};
}

/* Takes the least and the greatest of the results at the corners, for a step that is monotone in
 * each operand. */
static Range OfCorners(const long double corners[4]) {
    Range range = {corners[0], corners[0]};
    for (int i = 0; i < 4; i++)
        range = Range_Hull(range, (Range){corners[i], corners[i]});
    return range;
}

Range Range_Mul(RangeBuild build, Range a, Range b) {
    const long double corners[4] = {
        Step(build, STEP_MUL, a.low, b.low), Step(build, STEP_MUL, a.low, b.high),
        Step(build, STEP_MUL, a.high, b.low), Step(build, STEP_MUL, a.high, b.high)};
    return OfCorners(corners);
}

Range Range_Div(Range a, Range b) {
    long double zero = 0.0L;
    if (!X87_Less(zero, b.low) && !X87_Less(b.high, zero))
        return Nothing();
    const long double corners[4] = {X87_Div(a.low, b.low), X87_Div(a.low, b.high),
                                    X87_Div(a.high, b.low), X87_Div(a.high, b.high)};
    return OfCorners(corners);
}

Range Range_Sqrt(Range a) {
    return (Range){X87_Sqrt(a.low), X87_Sqrt(a.high)};
}

Range Range_Store(Range a) {
    float low, high;
    X87_Store(a.low, &low);
    X87_Store(a.high, &high);
    return (Range){X87_Load(&low), X87_Load(&high)};
}

/* Computes sin(angle + turn * pi / 2) of one angle. A sine of 0 has the sign of the zero. */
static Range SineOfEnd(bool directed, long double angle, int turn) {
    if (turn == 0 && X87_Equal(angle, 0.0L))
        return (Range){angle, angle};
    return Around(SineOf(angle, turn, pi_of_66_bits), directed);
}

/* Computes sin(angle + turn * pi / 2) of a range, from its ends and the extreme values between
 * them. */
static Range SineOfRange(bool directed, Range angle, int turn) {
    Wide place = {angle.low, 0.0L};
    long double right_angle = X87_Mul(pi_of_66_bits.high, 0.5L);
    int quarter = Reduce(&place, pi_of_66_bits) + turn;
    Range sine =
        Range_Hull(SineOfEnd(directed, angle.low, turn), SineOfEnd(directed, angle.high, turn));
    /* Counted from where the quarter of a turn begins in which the range begins. */
    long double reach = X87_Add(place.high, X87_Sub(angle.high, angle.low));
    if (X87_Less(place.high, 0.0L)) {
        reach = X87_Add(reach, right_angle);
        quarter--;
    }
    for (int i = 1; i <= 4 && X87_LessOrEqual(X87_Mul((long double)i, right_angle), reach); i++) {
        long double extreme = (quarter + i) & 2 ? -1.0L : 1.0L;
        if ((quarter + i) & 1)
            sine = Range_Hull(sine, (Range){extreme, extreme});
    }
    return sine;
}

static Range SineOrCosine(bool directed, Range angle, int turn) {
    long double low = angle.low, high = angle.high, large = X87_LARGEST_ANGLE;
    if (!Range_IsValid(angle))
        return angle;
    bool low_is_large = X87_LessOrEqual(large, X87_Abs(low));
    bool high_is_large = X87_LessOrEqual(large, X87_Abs(high));
    if (low_is_large && high_is_large && X87_LessOrEqual(0.0L, low) == X87_LessOrEqual(0.0L, high))
        return angle;
    if (low_is_large || high_is_large)
        return Nothing();
    uint16_t word = EnterExact();
    Range sine = SineOfRange(directed, angle, turn);
    LeaveExact(word);
    return sine;
}

Range Range_Sine(bool directed, Range angle) {
    return SineOrCosine(directed, angle, 0);
}

Range Range_Cosine(bool directed, Range angle) {
    return SineOrCosine(directed, angle, 1);
}

/* The arc tangent rises with y and falls with x. */
Range Range_ArcTangent(bool directed, Range y, Range x) {
    long double zero = 0.0L;
    if (!Range_IsValid(y) || !Range_IsValid(x) || X87_Less(y.low, zero) || X87_Less(x.low, zero) ||
        !(X87_Less(zero, y.low) || X87_Less(zero, x.low)))
        return Nothing();
    uint16_t word = EnterExact();
    Range low = Around(ArcTangentOf(y.low, x.high), directed);
    Range high = Around(ArcTangentOf(y.high, x.low), directed);
    LeaveExact(word);
    return (Range){low.low, high.high};
}
