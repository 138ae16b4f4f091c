#include "replay/compare/range.h"

#include "ngi32/processor/sse.h"
#include "ngi32/processor/state.h"

#include <string.h>

/* ---- numbers of 128 bits ----------------------------------------------------------------------
 * The sum of two numbers of 64 bits, by x87 steps that round to 64 bits and to nearest. */

typedef struct Wide {
    X87 high, low;
} Wide;

#define X87_EXACT 0x037Fu /* 64 bits, round to nearest, all exceptions masked */

static uint16_t EnterExact(void) {
    const uint16_t word = State_ControlWord();
    State_SetControlWord(X87_EXACT);
    return word;
}

static X87 Number(double number) {
    return X87_LoadF64(&number);
}

/* Makes a number of the x87 from its bits. Such a number is ten bytes, in software as well. */
static X87 OfBits(uint64_t significand, uint16_t head) {
    X87 number = Number(0);
    memcpy(&number, &significand, 8);
    memcpy((uint8_t *)&number + 8, &head, 2);
    return number;
}

static Wide TwoSum(X87 a, X87 b) {
    X87 sum = X87_Add(a, b), of_b = X87_Sub(sum, a);
    X87 rest_a = X87_Sub(a, X87_Sub(sum, of_b)), rest_b = X87_Sub(b, of_b);
    return (Wide){sum, X87_Add(rest_a, rest_b)};
}

/* Returns the upper 32 bits of a number, rounded. */
static X87 UpperHalf(X87 a) {
    X87 scaled = X87_Mul(a, Number(0x1.00000001p32));
    return X87_Sub(scaled, X87_Sub(scaled, a));
}

static Wide TwoProduct(X87 a, X87 b) {
    X87 product = X87_Mul(a, b);
    X87 a1 = UpperHalf(a), a2 = X87_Sub(a, a1), b1 = UpperHalf(b), b2 = X87_Sub(b, b1);
    X87 rest = X87_Sub(X87_Mul(a1, b1), product);
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
    X87 cross = X87_Add(X87_Mul(a.high, b.low), X87_Mul(a.low, b.high));
    return TwoSum(product.high, X87_Add(product.low, cross));
}

static Wide Wide_DivBy(Wide a, X87 divisor) {
    X87 quotient = X87_Div(a.high, divisor);
    Wide rest = Wide_Add(a, Wide_Neg(TwoProduct(quotient, divisor)));
    return TwoSum(quotient, X87_Div(rest.high, divisor));
}

/* ---- sine, cosine and arc tangent -------------------------------------------------------------
 */

/* pi is high + low. The processors' own pi ends with the 66th bit. */
static Wide PiOf66Bits(void) {
    return (Wide){OfBits(0xC90FDAA22168C234, 0x4000), Number(0x3p-64)};
}

static Wide PiOf128Bits(void) {
    return (Wide){OfBits(0xC90FDAA22168C234, 0x4000), OfBits(0xC4C6628B80DC1CD1, 0x3FC0)};
}

#define TAYLOR_TERMS      17     /* enough for arguments up to 0.8 and 128 bits */
#define WHOLE_QUARTERS    0x1p32 /* quarters of a turn that one step of the reduction removes */
#define X87_LARGEST_ANGLE 0x1p63 /* from here on fsin and fcos return their argument unchanged */

/* Computes 1 - square / (2 * 3) * (1 - square / (4 * 5) * ...), beginning with `first` *
 * (`first` + 1). */
static Wide Series(Wide square, int first) {
    const Wide one = {Number(1), Number(0)};
    Wide sum = one;
    for (int i = TAYLOR_TERMS - 1; i >= 0; i--) {
        int factor = (first + 2 * i) * (first + 2 * i + 1);
        sum = Wide_Add(one, Wide_Neg(Wide_DivBy(Wide_Mul(square, sum), Number(factor))));
    }
    return sum;
}

/* Rounds to a whole number by adding 2^63, because a sum of that size has no bits behind the point.
 * A negative number that becomes 0 keeps its sign, as it does with frndint. */
static X87 NearestWhole(X87 x) {
    const X87 large = Number(0x1p63);
    if (X87_Less(x, Number(0)))
        return X87_Neg(X87_Sub(X87_Add(X87_Neg(x), large), large));
    return X87_Sub(X87_Add(x, large), large);
}

/* Computes angle - quarters * (pi / 2). */
static Wide LessQuarters(Wide angle, X87 quarters, Wide pi) {
    const Wide quarter = {X87_Mul(pi.high, Number(0.5)), X87_Mul(pi.low, Number(0.5))};
    angle = Wide_Add(angle, Wide_Neg(TwoProduct(quarters, quarter.high)));
    return Wide_Add(angle, Wide_Neg(TwoProduct(quarters, quarter.low)));
}

/* Reduces an angle to at most pi / 4 and returns the removed quarters of a turn, modulo 4. */
static int Reduce(Wide *angle, Wide pi) {
    X87 quarter = X87_Mul(pi.high, Number(0.5));
    X87 quarters = X87_Div(angle->high, quarter);
    if (X87_Less(Number(WHOLE_QUARTERS),
                 X87_Abs(quarters))) { /* WHOLE_QUARTERS is a multiple of 4 */
        quarters = X87_Mul(NearestWhole(X87_Div(quarters, Number(WHOLE_QUARTERS))),
                           Number(WHOLE_QUARTERS));
        *angle = LessQuarters(*angle, quarters, pi);
    }
    quarters = NearestWhole(X87_Div(angle->high, quarter));
    *angle = LessQuarters(*angle, quarters, pi);
    return (int)((uint64_t)X87_StoreI64(quarters) & 3);
}

/* Computes sin(angle + turn * pi / 2). */
static Wide SineOf(X87 angle, int turn, Wide pi) {
    Wide rest = {angle, Number(0)};
    int quarters = (Reduce(&rest, pi) + turn) & 3;
    Wide square = Wide_Mul(rest, rest);
    Wide sine = quarters & 1 ? Series(square, 1) : Wide_Mul(rest, Series(square, 2));
    return quarters & 2 ? Wide_Neg(sine) : sine;
}

/* Takes one step of Newton's method from the processor's own answer, whose error it squares. */
static Wide ArcTangentOf(X87 y, X87 x) {
    const Wide wide_y = {y, Number(0)}, wide_x = {x, Number(0)};
    X87 angle = X87_Patan(y, x);
    Wide sine = SineOf(angle, 0, PiOf128Bits()), cosine = SineOf(angle, 1, PiOf128Bits());
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
static X87 Neighbour(X87 x, bool farther) {
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
    return OfBits(bits.significand, bits.exponent);
}

/* Returns the last number of 64 bits within `allowed` of the true value, away from 0 or towards
 * it. */
static X87 Farthest(Wide truth, bool farther, X87 allowed) {
    X87 number = truth.high;
    for (;;) {
        X87 next = Neighbour(number, farther);
        X87 error = X87_Sub(X87_Sub(next, truth.high), truth.low);
        if (!X87_LessOrEqual(X87_Abs(error), allowed))
            return number;
        number = next;
    }
}

static Range Around(Wide truth, bool directed) {
    X87 zero = Number(0);
    if (!X87_Less(zero, X87_Abs(truth.high)))
        return (Range){truth.high, truth.high};
    /* the truth is nearer to 0 than `high` */
    bool less = X87_Less(X87_Mul(truth.high, truth.low), zero);
    X87 unit = X87_Abs(X87_Sub(Neighbour(truth.high, !less), truth.high));
    X87 allowed = directed ? X87_Mul(unit, Number(1.5)) : unit;
    X87 outer = Farthest(truth, true, allowed), inner = Farthest(truth, false, allowed);
    return X87_Less(truth.high, zero) ? (Range){outer, inner} : (Range){inner, outer};
}

/* ---- ranges -----------------------------------------------------------------------------------
 */

Range Range_Of(float number) {
    X87 value = X87_Load(&number);
    return (Range){value, value};
}

bool Range_IsValid(Range range) {
    return X87_LessOrEqual(range.low, range.high);
}

/* Returns the next greater number. */
static X87 Next(X87 x) {
    return Neighbour(x, X87_Less(Number(0), x));
}

uint32_t Range_Count(Range range, uint32_t most) {
    uint32_t count = 1;
    for (X87 x = range.low; count < most && X87_Less(x, range.high); x = Next(x))
        count++;
    return count;
}

Range Range_At(Range range, uint32_t index) {
    X87 x = range.low;
    while (index-- > 0)
        x = Next(x);
    return (Range){x, x};
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
    return (Range){X87_Less(b.low, a.low) ? b.low : a.low,
                   X87_Less(a.high, b.high) ? b.high : a.high};
}

Range Range_Neg(Range a) {
    return (Range){X87_Neg(a.high), X87_Neg(a.low)};
}

enum { STEP_ADD, STEP_SUB, STEP_MUL };

SSE_BUILD static X87 SseStep(int step, X87 a, X87 b) {
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

static X87 Step(RangeBuild build, int step, X87 a, X87 b) {
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
static Range OfCorners(const X87 corners[4]) {
    Range range = {corners[0], corners[0]};
    for (int i = 0; i < 4; i++)
        range = Range_Hull(range, (Range){corners[i], corners[i]});
    return range;
}

Range Range_Mul(RangeBuild build, Range a, Range b) {
    const X87 corners[4] = {
        Step(build, STEP_MUL, a.low, b.low), Step(build, STEP_MUL, a.low, b.high),
        Step(build, STEP_MUL, a.high, b.low), Step(build, STEP_MUL, a.high, b.high)};
    return OfCorners(corners);
}

Range Range_Div(Range a, Range b) {
    X87 zero = Number(0);
    if (!X87_Less(zero, b.low) && !X87_Less(b.high, zero))
        return Nothing();
    const X87 corners[4] = {X87_Div(a.low, b.low), X87_Div(a.low, b.high), X87_Div(a.high, b.low),
                            X87_Div(a.high, b.high)};
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
static Range SineOfEnd(bool directed, X87 angle, int turn) {
    if (turn == 0 && X87_Equal(angle, Number(0)))
        return (Range){angle, angle};
    return Around(SineOf(angle, turn, PiOf66Bits()), directed);
}

static Range SineOrCosine(bool directed, Range angle, int turn) {
    X87 low = angle.low, high = angle.high, large = Number(X87_LARGEST_ANGLE);
    if (!Range_IsValid(angle))
        return angle;
    bool low_is_large = X87_LessOrEqual(large, X87_Abs(low));
    bool high_is_large = X87_LessOrEqual(large, X87_Abs(high));
    if (low_is_large && high_is_large &&
        X87_LessOrEqual(Number(0), low) == X87_LessOrEqual(Number(0), high))
        return angle;
    if (low_is_large || high_is_large)
        return Nothing();

    /* sin(angle + turn * pi / 2) of the range, from its ends and the extreme values between them */
    uint16_t word = EnterExact();
    Wide place = {angle.low, Number(0)};
    X87 right_angle = X87_Mul(PiOf66Bits().high, Number(0.5));
    int quarter = Reduce(&place, PiOf66Bits()) + turn;
    Range sine =
        Range_Hull(SineOfEnd(directed, angle.low, turn), SineOfEnd(directed, angle.high, turn));
    /* `reach` is counted from the beginning of the quarter of a turn in which the range begins. */
    X87 reach = X87_Add(place.high, X87_Sub(angle.high, angle.low));
    if (X87_Less(place.high, Number(0))) {
        reach = X87_Add(reach, right_angle);
        quarter--;
    }
    for (int i = 1; i <= 4 && X87_LessOrEqual(X87_Mul(Number(i), right_angle), reach); i++) {
        X87 extreme = Number((quarter + i) & 2 ? -1 : 1);
        if ((quarter + i) & 1)
            sine = Range_Hull(sine, (Range){extreme, extreme});
    }
    State_SetControlWord(word);
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
    X87 zero = Number(0);
    if (!Range_IsValid(y) || !Range_IsValid(x) || X87_Less(y.low, zero) || X87_Less(x.low, zero) ||
        !(X87_Less(zero, y.low) || X87_Less(zero, x.low)))
        return Nothing();
    uint16_t word = EnterExact();
    Range low = Around(ArcTangentOf(y.low, x.high), directed);
    Range high = Around(ArcTangentOf(y.high, x.low), directed);
    State_SetControlWord(word);
    return (Range){low.low, high.high};
}
