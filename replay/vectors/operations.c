/* Makes pc24.json: what single operations of the x87 give when its control word says 24 bits. */
#include "replay/vectors/vectors.h"

#include "ngi32/processor/scope.h"
#include "ngi32/processor/x87.h"
#include "replay/scenario/values.h"
#include "replay/vectors/vector_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SEED = 2001, CHAINS = 512, STEPS = 16, DOUBLES = 512 };

typedef enum Operation { ADD, SUBTRACT, MULTIPLY, DIVIDE, ROOT, OPERATIONS } Operation;

/* These settings are in force for the operations alone, because drawing numbers and writing them as
 * text needs another precision. */
static const RpArithmetic games;

static const char *const names[OPERATIONS] = {"fadd", "fsub", "fmul", "fdiv", "fsqrt"};

static X87 Apply(Operation operation, X87 value, const float *operand) {
    switch (operation) {
    case ADD:
        return X87_Add(value, X87_Load(operand));
    case SUBTRACT:
        return X87_Sub(value, X87_Load(operand));
    case MULTIPLY:
        return X87_Mul(value, X87_Load(operand));
    case DIVIDE:
        return X87_Div(value, X87_Load(operand));
    default:
        return X87_Sqrt(X87_Abs(value));
    }
}

/* Draws an operand. In most chains operands are of moderate size. In every fourth chain they carry
 * the value far outside of the range of binary32 and back, which shows what is kept on the stack
 * and what in memory. */
static float DrawOperand(Random *random, bool far_away, Operation operation) {
    const int range = far_away && operation >= MULTIPLY ? 100 : 4;
    const int exponent = Random_Between(random, -range, range) - 24;
    int32_t mantissa = Random_Between(random, 1 << 23, (1 << 24) - 1);
    if (Random_OneIn(random, 2))
        mantissa = -mantissa;
    uint32_t bits = Float_FromInteger(mantissa, exponent);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

RpStatus Vectors_OfOperations(RpBuffer *json, RpError *error) {
    VectorText text = VectorText_Begin(json, "pc24");
    VectorText_Section(&text, "chains");
    for (uint32_t i = 0; i < CHAINS; i++) {
        Random random = Random_Start("vectors chain", SEED, i);
        float operands[STEPS + 1], after[STEPS];
        char operations[STEPS * 6 + 1] = "";
        size_t length = 0;
        operands[0] = DrawOperand(&random, false, ADD);
        const ArithmeticScope scope = Arithmetic_Enter(&games);
        X87 value = X87_Load(&operands[0]);
        for (uint32_t step = 0; step < STEPS; step++) {
            const Operation operation = (Operation)Random_Below(&random, OPERATIONS);
            operands[step + 1] = DrawOperand(&random, i % 4 == 3, operation);
            value = Apply(operation, value, &operands[step + 1]);
            X87_Store(value, &after[step]);
            length += (size_t)snprintf(operations + length, sizeof operations - length, "%s%s",
                                       step ? " " : "", names[operation]);
        }
        Arithmetic_Leave(scope);
        VectorText_Case(&text);
        VectorText_Floats(&text, "start", operands, 1);
        VectorText_Word(&text, "operations", operations);
        VectorText_Floats(&text, "operands", operands + 1, STEPS);
        VectorText_Floats(&text, "after", after, STEPS);
        VectorText_EndCase(&text);
    }
    VectorText_EndSection(&text);
    VectorText_Section(&text, "doubles");
    for (uint32_t i = 0; i < DOUBLES; i++) {
        Random random = Random_Start("vectors double", SEED, i);

        /* The double is near the middle of two neighbours of binary32, normal or denormal. There it
         * shows if a load rounds, or if a store rounds twice. */
        const uint32_t exponent = Random_OneIn(&random, 3)
                                      ? 1023 - 149 + Random_Below(&random, 26)
                                      : 1023 - 120 + Random_Below(&random, 240);
        const int64_t near_half = (int64_t)Random_Below(&random, 5) - 2;
        const uint64_t kept = Random_Below(&random, 1 << 23);
        /* A denormal keeps one bit less for each step below the least normal exponent. */
        const uint32_t lost = exponent < 1023 - 126 ? 1023 - 126 - exponent : 0;
        const uint32_t unit = 29 + lost > 52 ? 52 : 29 + lost;
        uint64_t fraction = (kept << 29 >> unit << unit) + (UINT64_C(1) << (unit - 1));
        fraction += (uint64_t)near_half;
        const uint64_t bits = (uint64_t)Random_Below(&random, 2) << 63 | (uint64_t)exponent << 52 |
                              (fraction & ((UINT64_C(1) << 52) - 1));

        char word[20];
        double value;
        float stored[2];
        memcpy(&value, &bits, sizeof value);
        const float zero = 0;
        const ArithmeticScope scope = Arithmetic_Enter(&games);
        const X87 loaded = X87_LoadF64(&value);
        X87_Store(loaded, &stored[0]);
        X87_Store(X87_Add(loaded, X87_Load(&zero)), &stored[1]);
        Arithmetic_Leave(scope);
        snprintf(word, sizeof word, "%016" PRIx64, bits);
        VectorText_Case(&text);
        VectorText_Word(&text, "double", word);
        VectorText_Floats(&text, "stored", &stored[0], 1);
        VectorText_Floats(&text, "added", &stored[1], 1);
        VectorText_EndCase(&text);
    }
    VectorText_EndSection(&text);
    return VectorText_End(&text, error);
}
