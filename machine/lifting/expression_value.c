#include "machine/lifting/expression_value.h"

#include "ngi32/processor/estimates.h"
#include "ngi32/processor/soft_sse.h"
#include "ngi32/processor/soft_x87.h"

#include <stdlib.h>
#include <string.h>

enum { KNOWN = 1, UNKNOWN = 2 };

struct ExpressionEvaluator {
    const ExpressionGraph *graph;
    ExpressionInputs inputs;
    ExpressionValue *values; /* by id */
    uint32_t *states;        /* by id: 4 * generation + KNOWN or UNKNOWN */
    uint32_t capacity, generation;
    const Expression **stack;
    size_t stack_size, stack_capacity;
};

ExpressionEvaluator *ExpressionEvaluator_Create(const ExpressionGraph *graph) {
    ExpressionEvaluator *evaluator = calloc(1, sizeof *evaluator);
    if (evaluator) {
        evaluator->graph = graph;
        evaluator->generation = 1;
    }
    return evaluator;
}

void ExpressionEvaluator_Destroy(ExpressionEvaluator *evaluator) {
    if (!evaluator)
        return;
    free(evaluator->values);
    free(evaluator->states);
    free(evaluator->stack);
    free(evaluator);
}

void ExpressionEvaluator_Begin(ExpressionEvaluator *evaluator, const ExpressionInputs *inputs) {
    evaluator->inputs = *inputs;
    if (++evaluator->generation < UINT32_MAX / 4)
        return;
    if (evaluator->states)
        memset(evaluator->states, 0, evaluator->capacity * sizeof *evaluator->states);
    evaluator->generation = 1;
}

/* Makes room for all expressions that the graph has by now. */
static bool Fit(ExpressionEvaluator *evaluator) {
    const uint32_t count = ExpressionGraph_Count(evaluator->graph);
    if (count <= evaluator->capacity)
        return true;
    const uint32_t capacity = count + count / 2;
    ExpressionValue *values = realloc(evaluator->values, capacity * sizeof *values);
    if (!values)
        return false;
    evaluator->values = values;
    uint32_t *states = realloc(evaluator->states, capacity * sizeof *states);
    if (!states)
        return false;
    memset(states + evaluator->capacity, 0, (capacity - evaluator->capacity) * sizeof *states);
    evaluator->states = states;
    evaluator->capacity = capacity;
    return true;
}

static uint32_t StateOf(const ExpressionEvaluator *evaluator, const Expression *expression) {
    const uint32_t state = evaluator->states[expression->id];
    return state / 4 == evaluator->generation ? state % 4 : 0;
}

static void Keep(ExpressionEvaluator *evaluator, const Expression *expression, uint32_t state,
                 ExpressionValue value) {
    evaluator->values[expression->id] = value;
    evaluator->states[expression->id] = 4 * evaluator->generation + state;
}

void ExpressionEvaluator_Set(ExpressionEvaluator *evaluator, const Expression *expression,
                             ExpressionValue value) {
    if (Fit(evaluator))
        Keep(evaluator, expression, KNOWN, value);
}

/* ---- integers -------------------------------------------------------------------------------- */

static uint64_t Mask(uint32_t bits) {
    return bits >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << bits) - 1;
}

static int64_t Signed(uint64_t value, uint32_t bits) {
    const uint32_t unused = 64 - bits;
    return (int64_t)(value << unused) >> unused;
}

static uint64_t Integer(const Expression *expression, uint64_t a, uint64_t b) {
    const uint32_t bits = expression->bits;
    const int64_t x = Signed(a, bits), y = Signed(b, bits);
    switch (expression->operation) {
    case EXPRESSION_ADD:
        return a + b;
    case EXPRESSION_MUL:
        return a * b;
    case EXPRESSION_AND:
        return a & b;
    case EXPRESSION_OR:
        return a | b;
    case EXPRESSION_XOR:
        return a ^ b;
    case EXPRESSION_SHL:
        return b < bits ? a << b : 0;
    case EXPRESSION_SHR:
        return b < bits ? a >> b : 0;
    case EXPRESSION_SAR:
        return (uint64_t)(x >> (b < bits ? b : bits - 1));
    case EXPRESSION_UDIV:
        return b ? a / b : 0;
    case EXPRESSION_UREM:
        return b ? a % b : 0;
    case EXPRESSION_SDIV:
        return y == 0 ? 0 : y == -1 ? 0 - (uint64_t)x : (uint64_t)(x / y);
    default:
        return y == 0 || y == -1 ? 0 : (uint64_t)(x % y);
    }
}

static ExpressionValue Extract(ExpressionValue value, uint32_t lowest) {
    if (lowest == 0)
        return value;
    if (lowest >= 64)
        return (ExpressionValue){(uint64_t)value.head >> (lowest - 64), 0};
    return (ExpressionValue){value.low >> lowest | (uint64_t)value.head << (64 - lowest),
                             (uint16_t)(value.head >> (lowest < 16 ? lowest : 16))};
}

/* ---- the x87 --------------------------------------------------------------------------------- */

static SoftX87 Number(ExpressionValue value) {
    return (SoftX87){value.low, value.head};
}

static ExpressionValue Value(SoftX87 number) {
    return (ExpressionValue){number.significand, number.head};
}

static SoftX87 Load(uint64_t bits, uint32_t size) {
    if (size == 32) {
        const uint32_t low = (uint32_t)bits;
        float number;
        memcpy(&number, &low, sizeof number);
        return SoftX87_Load(&number);
    }
    double number;
    memcpy(&number, &bits, sizeof number);
    return SoftX87_LoadF64(&number);
}

static bool IsSignalling(uint64_t bits, uint32_t size) {
    if (size == 32)
        return (bits & 0x7FC00000) == 0x7F800000 && (bits & 0x003FFFFF) != 0;
    return (bits & 0x7FF8000000000000u) == 0x7FF0000000000000u && (bits & 0x0007FFFFFFFFFFFFu) != 0;
}

/* Rounds to binary64 as FST does. */
static uint64_t ToBinary64(SoftX87 x) {
    enum { BIAS = 1023, BITS = 53, SPECIAL = 0x7FF, TO_ZERO = 3 };
    const uint64_t sign = SoftX87_IsNegative(x) ? 0x8000000000000000u : 0;
    const uint64_t infinite = (uint64_t)SPECIAL << 52;
    if (SoftX87_IsNan(x))
        return sign | infinite | 0x0008000000000000u |
               ((x.significand >> 11) & 0x000FFFFFFFFFFFFFu);
    if (SoftX87_IsInfinite(x))
        return sign | infinite;
    if (SoftX87_IsZero(x))
        return sign;
    const SoftX87Parts parts = SoftX87_Parts(x);
    int32_t field = parts.exponent + BIAS;
    /* A number below the least normal one keeps fewer bits. The number is rounded as an integer of
     * units of its last place; what is dropped is compared with half of such a unit. */
    int32_t dropped = 64 - BITS;
    if (field < 1) {
        dropped += 1 - field;
        field = 0;
    }
    uint64_t kept = dropped < 64 ? parts.significand >> dropped : 0;
    int half = -1; /* what is dropped, compared with half of a unit */
    bool exact = false;
    if (dropped <= 64) {
        const uint64_t tail =
            dropped < 64 ? parts.significand << (64 - dropped) : parts.significand;
        exact = tail == 0;
        half = (tail > 0x8000000000000000u) - (tail < 0x8000000000000000u);
    }
    const uint32_t rounding = soft_x87_control_word >> 10 & 3;
    bool up = rounding == 0 ? half > 0 || (half == 0 && kept & 1)
                            : rounding != TO_ZERO && (rounding == 1) == parts.negative;
    kept += !exact && up;
    /* The leading bit adds one to the exponent, also where rounding has carried into it. */
    const uint64_t bits =
        field >= SPECIAL ? infinite : ((uint64_t)(field ? field - 1 : 0) << 52) + kept;
    if (bits < infinite)
        return sign | bits;
    const bool inward = rounding == TO_ZERO || (rounding != 0 && (rounding == 1) != parts.negative);
    return sign | (inward ? infinite - 1 : infinite);
}

/* What an instruction with one operand makes of a NaN. It may be a signalling one only after a load
 * of 80 bits. */
static SoftX87 Quiet(SoftX87 nan) {
    return (SoftX87){nan.significand | 0x4000000000000000u, nan.head};
}

static SoftX87 Whole(SoftX87 x) {
    if (SoftX87_IsNan(x))
        return Quiet(x);
    if (SoftX87_IsInfinite(x) || SoftX87_IsZero(x) || SoftX87_Parts(x).exponent >= 63)
        return x;
    const int64_t integer = SoftX87_StoreI64(x);
    if (integer == 0)
        return SoftX87_Zero(SoftX87_IsNegative(x));
    if (integer == INT64_MIN) /* 2^63 does not fit, and -2^63 has this exponent, too */
        return SoftX87_IsNegative(x) ? (SoftX87){0x8000000000000000u, 0xC03E}
                                     : (SoftX87){0x8000000000000000u, 0x403E};
    const bool negative = integer < 0;
    const uint64_t magnitude = negative ? 0 - (uint64_t)integer : (uint64_t)integer;
    const int shift = __builtin_clzll(magnitude);
    return (SoftX87){magnitude << shift,
                     (uint16_t)((negative ? 0x8000 : 0) | (63 - shift + SOFT_X87_BIAS))};
}

static uint64_t ToInteger(SoftX87 x, uint32_t bits) {
    const uint64_t least = (uint64_t)1 << (bits - 1);
    const int64_t integer = SoftX87_StoreI64(x);
    if (bits < 64 && (integer < -(int64_t)least || integer >= (int64_t)least))
        return least;
    return (uint64_t)integer & Mask(bits);
}

static SoftX87 FromInteger(uint64_t value, uint32_t bits) {
    const int64_t integer = Signed(value, bits);
    if (integer == 0)
        return SoftX87_Zero(false);
    const bool negative = integer < 0;
    const uint64_t magnitude = negative ? 0 - (uint64_t)integer : (uint64_t)integer;
    const int shift = __builtin_clzll(magnitude);
    return (SoftX87){magnitude << shift,
                     (uint16_t)((negative ? 0x8000 : 0) | (63 - shift + SOFT_X87_BIAS))};
}

/* The two results of FXTRACT. */
static SoftX87 Exponent(SoftX87 x) {
    const SoftX87 infinite = {0x8000000000000000u, 0x7FFF};
    if (SoftX87_IsNan(x))
        return Quiet(x);
    if (SoftX87_IsInfinite(x))
        return infinite;
    if (SoftX87_IsZero(x))
        return SoftX87_Neg(infinite);
    return FromInteger((uint64_t)(int64_t)SoftX87_Parts(x).exponent, 64);
}

static SoftX87 Mantissa(SoftX87 x) {
    if (SoftX87_IsNan(x))
        return Quiet(x);
    if (SoftX87_IsInfinite(x) || SoftX87_IsZero(x))
        return x;
    return (SoftX87){SoftX87_Parts(x).significand, (uint16_t)((x.head & 0x8000) | SOFT_X87_BIAS)};
}

/* Two operands. One that comes from memory may be a signalling NaN: then the other one is the
 * result, if that is a quiet NaN. Comparisons and everything else take it as if it were loaded. */
static SoftX87 Arithmetic(const Expression *expression, ExpressionValue first,
                          ExpressionValue second, const bool signalling[2]) {
    const SoftX87 a = Number(first), b = Number(second);
    if (signalling[0] != signalling[1] && SoftX87_IsNan(a) && SoftX87_IsNan(b))
        return signalling[0] ? b : a;
    switch (expression->operation) {
    case EXPRESSION_X87_ADD:
        return SoftX87_Add(a, b);
    case EXPRESSION_X87_SUB:
        return SoftX87_Sub(a, b);
    case EXPRESSION_X87_MUL:
        return SoftX87_Mul(a, b);
    default:
        return SoftX87_Div(a, b);
    }
}

static uint32_t CompareX87(SoftX87 a, SoftX87 b) {
    if (SoftX87_Less(a, b))
        return COMPARE_LESS;
    if (SoftX87_Less(b, a))
        return COMPARE_GREATER;
    return SoftX87_LessOrEqual(a, b) ? COMPARE_EQUAL : COMPARE_UNORDERED;
}

/* Returns C0, C1, C2 and C3 of FXAM, as bits 0, 1, 2 and 6. */
static uint64_t Examine(SoftX87 x) {
    enum { C0 = 1, C1 = 2, C2 = 4, C3 = 64 };
    const uint64_t sign = SoftX87_IsNegative(x) ? C1 : 0;
    const uint32_t field = x.head & 0x7FFF;
    if (SoftX87_IsNan(x))
        return sign | C0;
    if (SoftX87_IsInfinite(x))
        return sign | C0 | C2;
    if (field == 0)
        return sign | C3 | (x.significand ? C2 : 0);
    return sign | C2;
}

/* ---- SSE ------------------------------------------------------------------------------------- */

static double Double(uint64_t bits) {
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static uint64_t DoubleBits(double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static bool IsNan(uint64_t bits, uint32_t size) {
    return size == 32 ? SoftSse_IsNan((uint32_t)bits)
                      : (bits & 0x7FFFFFFFFFFFFFFFu) > 0x7FF0000000000000u;
}

/* Orders the bits of binary32 or binary64, without floating point. */
static uint32_t CompareSse(uint32_t size, uint64_t a, uint64_t b) {
    if (IsNan(a, size) || IsNan(b, size))
        return COMPARE_UNORDERED;
    const uint64_t sign = (uint64_t)1 << (size - 1);
    const int64_t x = a & sign ? -(int64_t)(a & (sign - 1)) : (int64_t)a;
    const int64_t y = b & sign ? -(int64_t)(b & (sign - 1)) : (int64_t)b;
    return x < y ? COMPARE_LESS : x > y ? COMPARE_GREATER : COMPARE_EQUAL;
}

static uint64_t Sse(const Expression *expression, uint64_t a, uint64_t b) {
    const ExpressionOperation operation = (ExpressionOperation)expression->operation;
    const uint32_t left = (uint32_t)a, right = (uint32_t)b;
    switch (operation) {
    case EXPRESSION_SSE_MIN:
        return CompareSse(expression->bits, a, b) == COMPARE_LESS ? a : b;
    case EXPRESSION_SSE_MAX:
        return CompareSse(expression->bits, a, b) == COMPARE_GREATER ? a : b;
    case EXPRESSION_SSE_SQRT: {
        /* The x87's root of 24 or 53 bits is that of SSE, because no root is too small for its
         * format. */
        soft_x87_control_word = expression->bits == 32 ? 0x007F : 0x027F;
        const SoftX87 root = SoftX87_Sqrt(Load(a, expression->bits));
        float stored;
        if (expression->bits == 64)
            return ToBinary64(root);
        SoftX87_Store(root, &stored);
        return SoftSse_Bits(stored);
    }
    default:
        break;
    }
    if (expression->bits == 64) {
        const double x = Double(a), y = Double(b);
        double result;
        switch (operation) {
        case EXPRESSION_SSE_ADD:
            result = x + y;
            break;
        case EXPRESSION_SSE_SUB:
            result = x - y;
            break;
        case EXPRESSION_SSE_MUL:
            result = x * y;
            break;
        default:
            result = x / y;
            break;
        }
        const uint64_t bits = DoubleBits(result), quiet = 0x0008000000000000u;
        if (!IsNan(bits, 64))
            return bits;
        return IsNan(a, 64) ? a | quiet : IsNan(b, 64) ? b | quiet : 0xFFF8000000000000u;
    }
    switch (operation) {
    case EXPRESSION_SSE_ADD:
        return SoftSse_Add(left, right);
    case EXPRESSION_SSE_SUB:
        return SoftSse_Sub(left, right);
    case EXPRESSION_SSE_MUL:
        return SoftSse_Mul(left, right);
    default:
        return SoftSse_Div(left, right);
    }
}

/* CMPPS: equal, less, less or equal, unordered, and their opposites. */
static uint64_t SseMask(const Expression *expression, uint64_t a, uint64_t b) {
    static const uint32_t sets[4] = {COMPARE_EQUAL, COMPARE_LESS, COMPARE_LESS | COMPARE_EQUAL,
                                     COMPARE_UNORDERED};
    const bool holds = (CompareSse(expression->bits, a, b) & sets[expression->value & 3]) != 0;
    return holds != (expression->value >> 2 & 1) ? Mask(expression->bits) : 0;
}

/* Converts between binary32 and binary64. A NaN keeps its leading bits and becomes quiet. */
static uint64_t Convert(uint32_t to, uint64_t a) {
    if (to == 64) {
        if (!IsNan(a, 32))
            return DoubleBits((double)SoftSse_Number((uint32_t)a));
        return (a >> 31 & 1) << 63 | 0x7FF8000000000000u | (a & 0x003FFFFF) << 29;
    }
    if (!IsNan(a, 64))
        return SoftSse_Bits((float)Double(a));
    return a >> 63 << 31 | 0x7FC00000 | (a >> 29 & 0x003FFFFF);
}

/* Rounds to an integer of 32 bits by way of the x87's rules, which are the same. */
static uint64_t SseToInteger(uint64_t a, uint32_t size, bool truncates) {
    soft_x87_control_word = truncates ? 0x0F7F : 0x037F;
    return ToInteger(Load(a, size), 32);
}

/* ---- evaluation ------------------------------------------------------------------------------ */

/* Gives the value of an expression whose operands have the values `x` and `y`. Returns false if it
 * has none. */
static bool Operate(const ExpressionEvaluator *evaluator, const Expression *expression,
                    ExpressionValue x, ExpressionValue y, ExpressionValue *value) {
    const ExpressionOperation operation = (ExpressionOperation)expression->operation;
    const Expression *first = expression->count > 0 ? expression->operands[0] : NULL;
    const Expression *second = expression->count > 1 ? expression->operands[1] : NULL;
    const uint32_t bits = expression->bits;
    *value = (ExpressionValue){0, 0};

    if (operation >= EXPRESSION_ADD && operation <= EXPRESSION_SREM) {
        value->low = Integer(expression, x.low, y.low) & Mask(bits);
        return true;
    }
    if (operation >= EXPRESSION_X87_LOAD32 && operation <= EXPRESSION_X87_TO_INTEGER) {
        const SoftX87 a = Number(x), b = Number(y);
        soft_x87_control_word = (uint16_t)(expression->control | 0x7F);
        switch (operation) {
        case EXPRESSION_X87_LOAD32:
        case EXPRESSION_X87_LOAD64:
        case EXPRESSION_X87_OPERAND32:
        case EXPRESSION_X87_OPERAND64:
            *value = Value(Load(x.low, first->bits));
            return true;
        case EXPRESSION_X87_FROM_INTEGER:
            *value = Value(FromInteger(x.low, first->bits));
            return true;
        case EXPRESSION_X87_ADD:
        case EXPRESSION_X87_SUB:
        case EXPRESSION_X87_MUL:
        case EXPRESSION_X87_DIV: {
            bool signalling[2];
            for (int i = 0; i < 2; i++) {
                const Expression *operand = expression->operands[i];
                const bool from_memory = operand->operation == EXPRESSION_X87_OPERAND32 ||
                                         operand->operation == EXPRESSION_X87_OPERAND64;
                const Expression *memory = from_memory ? operand->operands[0] : NULL;
                signalling[i] =
                    memory && IsSignalling(evaluator->values[memory->id].low, memory->bits);
            }
            *value = Value(Arithmetic(expression, x, y, signalling));
            return true;
        }
        case EXPRESSION_X87_SQRT:
            *value = Value(SoftX87_Sqrt(a));
            return true;
        case EXPRESSION_X87_NEG:
            *value = Value(SoftX87_Neg(a));
            return true;
        case EXPRESSION_X87_ABS:
            *value = Value(SoftX87_Abs(a));
            return true;
        case EXPRESSION_X87_ROUND:
            *value = Value(Whole(a));
            return true;
        case EXPRESSION_X87_SIN:
            *value = Value(SoftX87_Sin(a));
            return true;
        case EXPRESSION_X87_COS:
            *value = Value(SoftX87_Cos(a));
            return true;
        case EXPRESSION_X87_PATAN:
            *value = Value(SoftX87_Patan(a, b));
            return true;
        case EXPRESSION_X87_EXPONENT:
        case EXPRESSION_X87_MANTISSA:
            *value = operation == EXPRESSION_X87_EXPONENT ? Value(Exponent(a)) : Value(Mantissa(a));
            return true;
        case EXPRESSION_X87_TO_F32: {
            float stored;
            SoftX87_Store(a, &stored);
            value->low = SoftSse_Bits(stored);
            /* A signalling NaN of 80 bits, which only a load of 80 bits gives, becomes quiet. */
            if (SoftX87_IsNan(a))
                value->low |= SOFT_SSE_QUIET;
            return true;
        }
        case EXPRESSION_X87_TO_F64:
            value->low = ToBinary64(a);
            return true;
        case EXPRESSION_X87_TO_INTEGER:
            value->low = ToInteger(a, bits);
            return true;
        default: /* F2XM1, FYL2X, FYL2XP1, FSCALE, FPREM, FPREM1 */
            return false;
        }
    }
    if (operation >= EXPRESSION_SSE_ADD && operation <= EXPRESSION_SSE_CONVERT) {
        /* C rounds to the nearest and knows denormals. */
        if (expression->control != 0)
            return false;
        switch (operation) {
        case EXPRESSION_SSE_RCP:
        case EXPRESSION_SSE_RSQRT: {
            const RpEstimates maker = evaluator->inputs.estimates;
            if (maker == RP_ESTIMATES_OF_THIS)
                return false;
            value->low = operation == EXPRESSION_SSE_RCP
                             ? Estimates_Reciprocal(maker, (uint32_t)x.low)
                             : Estimates_ReciprocalSquareRoot(maker, (uint32_t)x.low);
            return true;
        }
        case EXPRESSION_SSE_MASK:
            value->low = SseMask(expression, x.low, y.low);
            return true;
        case EXPRESSION_SSE_FROM_INTEGER:
            value->low = bits == 32 ? SoftSse_Bits((float)(int32_t)x.low)
                                    : DoubleBits((double)(int32_t)x.low);
            return true;
        case EXPRESSION_SSE_TO_INTEGER:
        case EXPRESSION_SSE_TRUNCATE:
            value->low = SseToInteger(x.low, first->bits, operation == EXPRESSION_SSE_TRUNCATE);
            return true;
        case EXPRESSION_SSE_CONVERT:
            value->low = Convert(bits, x.low);
            return true;
        default:
            value->low = Sse(expression, x.low, y.low);
            return true;
        }
    }
    switch (operation) {
    case EXPRESSION_EXTRACT:
        *value = Extract(x, (uint32_t)expression->value);
        value->low &= Mask(bits);
        value->head &= (uint16_t)(bits > 64 ? Mask(bits - 64) : 0);
        return true;
    case EXPRESSION_CONCAT:
        if (first->bits >= 64) {
            value->low = x.low;
            value->head = (uint16_t)(x.head | y.low << (first->bits - 64));
        } else {
            value->low = x.low | y.low << first->bits;
            if (bits > 64)
                value->head =
                    (uint16_t)(y.low >> (64 - first->bits) | (uint64_t)y.head << first->bits);
        }
        return true;
    case EXPRESSION_ZERO_EXTEND:
        value->low = x.low;
        return true;
    case EXPRESSION_SIGN_EXTEND:
        value->low = (uint64_t)Signed(x.low, first->bits) & Mask(bits);
        return true;
    case EXPRESSION_COMPARE_X87:
        value->low = CompareX87(Number(x), Number(y));
        return true;
    case EXPRESSION_COMPARE_SSE:
        if (expression->control != 0)
            return false;
        value->low = CompareSse(second->bits, x.low, y.low);
        return true;
    case EXPRESSION_STATUS: {
        enum { C0 = 0x0100, C2 = 0x0400, C3 = 0x4000 };
        if (first->operation == EXPRESSION_EXAMINE)
            value->low = x.low << 8;
        else
            value->low = (x.low & (COMPARE_LESS | COMPARE_UNORDERED) ? C0 : 0u) |
                         (x.low & COMPARE_UNORDERED ? C2 : 0u) |
                         (x.low & (COMPARE_EQUAL | COMPARE_UNORDERED) ? C3 : 0u);
        return true;
    }
    case EXPRESSION_EXAMINE:
        value->low = Examine(Number(x));
        return true;
    default:
        return false;
    }
}

/* Gives the value of a leaf, or of a load or an output whose operands have values. */
static bool Fetch(const ExpressionEvaluator *evaluator, const Expression *expression,
                  ExpressionValue *value) {
    const ExpressionInputs *inputs = &evaluator->inputs;
    *value = (ExpressionValue){0, 0};
    switch (expression->operation) {
    case EXPRESSION_CONSTANT:
        *value = Expression_ValueOf(expression);
        return true;
    case EXPRESSION_ADDRESS: {
        uint32_t address;
        if (!inputs->address || !inputs->address(inputs->context, expression->region, &address))
            return false;
        value->low = (uint32_t)(address + expression->value);
        return true;
    }
    case EXPRESSION_INPUT:
    case EXPRESSION_LOAD: {
        uint8_t bytes[10] = {0};
        const uint64_t offset = expression->operation == EXPRESSION_INPUT
                                    ? expression->value
                                    : evaluator->values[expression->operands[0]->id].low;
        if (!inputs->bytes || !inputs->bytes(inputs->context, expression->region, (uint32_t)offset,
                                             bytes, expression->bits / 8))
            return false;
        for (uint32_t i = 0; i < 8; i++)
            value->low |= (uint64_t)bytes[i] << 8 * i;
        value->head = (uint16_t)(bytes[8] | bytes[9] << 8);
        return true;
    }
    case EXPRESSION_OUTPUT: {
        const Expression *call = expression->operands[0];
        if (!inputs->output)
            return false;
        ExpressionValue *values = malloc((call->count + 1u) * sizeof *values);
        if (!values)
            return false;
        bool known = true;
        for (uint32_t i = 0; i < call->count; i++) {
            values[i] = evaluator->values[call->operands[i]->id];
            known = known && StateOf(evaluator, call->operands[i]) == KNOWN;
        }
        known = known && inputs->output(inputs->context, expression, values, value);
        free(values);
        return known;
    }
    default:
        return false;
    }
}

static bool Push(ExpressionEvaluator *evaluator, const Expression *expression) {
    if (evaluator->stack_size == evaluator->stack_capacity) {
        const size_t capacity = evaluator->stack_capacity ? 2 * evaluator->stack_capacity : 256;
        const Expression **grown = realloc(evaluator->stack, capacity * sizeof *grown);
        if (!grown)
            return false;
        evaluator->stack = grown;
        evaluator->stack_capacity = capacity;
    }
    evaluator->stack[evaluator->stack_size++] = expression;
    return true;
}

bool ExpressionEvaluator_Value(ExpressionEvaluator *evaluator, const Expression *expression,
                               ExpressionValue *value) {
    *value = (ExpressionValue){0, 0};
    if (!Fit(evaluator))
        return false;
    /* An expression stays on the stack until all of its operands have been evaluated. */
    const uint16_t outer = soft_x87_control_word;
    evaluator->stack_size = 0;
    bool fits = Push(evaluator, expression);
    while (fits && evaluator->stack_size > 0) {
        const Expression *top = evaluator->stack[evaluator->stack_size - 1];
        const size_t before = evaluator->stack_size;
        if (StateOf(evaluator, top) == 0)
            for (uint32_t i = 0; i < top->count && fits; i++)
                if (StateOf(evaluator, top->operands[i]) == 0)
                    fits = Push(evaluator, top->operands[i]);
        if (evaluator->stack_size > before)
            continue;
        evaluator->stack_size--;
        if (StateOf(evaluator, top) != 0)
            continue;

        const Expression *const *operands = top->operands;
        ExpressionValue found = {0, 0};
        bool known = true;
        for (uint32_t i = 0; i < top->count; i++)
            known = known && StateOf(evaluator, operands[i]) == KNOWN;
        switch (top->operation) {
        case EXPRESSION_CALL: /* it has no value; its outputs look at its operands */
            break;
        case EXPRESSION_CONSTANT:
        case EXPRESSION_ADDRESS:
        case EXPRESSION_INPUT:
        case EXPRESSION_LOAD:
        case EXPRESSION_OUTPUT:
            known = known && Fetch(evaluator, top, &found);
            break;
        default:
            known = known && top->count > 0 &&
                    Operate(evaluator, top, evaluator->values[operands[0]->id],
                            top->count > 1 ? evaluator->values[operands[1]->id]
                                           : (ExpressionValue){0, 0},
                            &found);
            break;
        }
        Keep(evaluator, top, known ? KNOWN : UNKNOWN, found);
    }
    soft_x87_control_word = outer;
    if (!fits || StateOf(evaluator, expression) != KNOWN)
        return false;
    *value = evaluator->values[expression->id];
    return true;
}

uint32_t ExpressionValue_Compare(uint32_t bits, ExpressionValue a, ExpressionValue b) {
    return bits == 80 ? CompareX87(Number(a), Number(b)) : CompareSse(bits, a.low, b.low);
}
