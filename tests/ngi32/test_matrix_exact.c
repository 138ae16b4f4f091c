/* Tests that the matrices of quaternions and the products of matrices have the same bits in the
 * generic build through the steps of SSE and through those of the x87. The x87's bits come from the
 * same call under an MXCSR that rounds toward zero: the core refuses it under such an MXCSR, and
 * the generic build's own steps do not obey MXCSR. */
#include "ngi32/exact/force.h"
#include "tests/of_thread.h"

#include "retropose/fastproc.h"
#include "tests/ngi32/floats.h"
#include "tests/test.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { CALLS = 300000, GAMES_WORD = 0x007F, MXCSR = 0x1F80, MXCSR_TOWARD_ZERO = 0x7F80 };

static const Rounding core_rounding = {GAMES_WORD, MXCSR};
static const Rounding x87_rounding = {GAMES_WORD, MXCSR_TOWARD_ZERO};

typedef void (*Function)(const RpReadings *readings, const float *numbers, float result[16]);

static void ToMatrix(const RpReadings *readings, const float *numbers, float result[16]) {
    RpQuaternion_ToMatrix(OF_THREAD_WITH(RP_BUILD_GENERIC, readings), numbers, result);
}

static void ToMirroredMatrix(const RpReadings *readings, const float *numbers, float result[16]) {
    RpQuaternion_ToMirroredMatrix(OF_THREAD_WITH(RP_BUILD_GENERIC, readings), numbers, result);
}

static void Product34(const RpReadings *readings, const float *numbers, float result[16]) {
    RpMatrix_Product34(OF_THREAD_WITH(RP_BUILD_GENERIC, readings), numbers, numbers + 16, result);
}

static void Product(const RpReadings *readings, const float *numbers, float result[16]) {
    RpMatrix_Product(OF_THREAD_WITH(RP_BUILD_GENERIC, readings), numbers, numbers + 16, result);
}

static void PoseProduct(const RpReadings *readings, const float *numbers, float result[16]) {
    RpMatrix_PoseProduct(OF_THREAD_WITH(RP_BUILD_GENERIC, readings), numbers, numbers + 16, result);
}

static const struct {
    Function function;
    const char *readings[4];
} cases[] = {
    {ToMatrix, {"", "quat-diagonal=chain", "quat-diagonal=reverse", ""}},
    {ToMirroredMatrix, {"", "quat-diagonal=chain", "mirror-sign=swap", "mirror-shape=3x3"}},
    {Product34,
     {"", "matrix34-sum=reverse", "matrix34-sum=outer", "matrix34-sum=translation-first"}},
    {Product, {"", "matrix-sum=pairs", "matrix-sum=reverse", ""}},
    {PoseProduct, {"", "matrix-sum=pairs", "matrix-sum=reverse", ""}},
};

static void Compare(Function function, const RpReadings *readings, const float *numbers) {
    const Rounding before = Rounding_Get();
    float found[16] = {0}, expected[16] = {0};
    Rounding_Set(core_rounding);
    function(readings, numbers, found);
    Rounding_Set(x87_rounding);
    function(readings, numbers, expected);
    Rounding_Set(before);
    assert_memory_equal(found, expected, sizeof found);
}

/* Puts numbers of similar sizes, so that sums cancel; now and then small whole numbers, numbers at
 * the ends of what the core takes, or numbers of any class. */
static void Fill(Random *random, float numbers[32]) {
    const uint32_t kind = Random_Below(random, 8);
    for (int i = 0; i < 32; i++) {
        const double number = (double)(int32_t)Random_Next(random) * 0x1p-31;
        numbers[i] = (float)number;
        if (kind == 0)
            numbers[i] = (float)((int)Random_Below(random, 5) - 2);
        else if (kind == 1)
            numbers[i] = ldexpf(number < 0 ? -1 : 1, (int)Random_Below(random, 3) * 40 - 40);
        else if (kind == 2)
            numbers[i] = (float)ldexp(number, (int)Random_Below(random, 80) - 40);
        else if (kind == 3 && Random_Below(random, 8) == 0)
            Float_Put(&numbers[i], special_bits[Random_Below(random, SPECIAL_COUNT)]);
    }
}

TEST(CoreAndX87Agree) {
    Random random = {.state = 3};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int r = 0; r < 4; r++) {
            RpReadings readings;
            assert_int_equal(
                RpReadings_Parse(&readings, RP_READS_RUNTIME, cases[c].readings[r], NULL), RP_OK);
            for (int i = 0; i < (r == 0 ? CALLS : CALLS / 10); i++) {
                float numbers[32];
                Fill(&random, numbers);
                Compare(cases[c].function, &readings, numbers);
            }
        }
}

TEST(EveryNumberHasToBeInRange) {
    const Rounding before = Rounding_Get();
    float a[16], b[16];
    Rounding_Set(core_rounding);
    for (int i = 0; i < 32; i++) {
        for (int k = 0; k < 16; k++)
            a[k] = b[k] = k % 3 ? 1.5f : 0;
        assert_true(Exact_Serves(OF_THREAD(RP_BUILD_GENERIC), a, 16, b, 16));
        (i < 16 ? a : b)[i % 16] = i % 2 ? 0x1p41f : 0x1p-41f;
        assert_false(Exact_Serves(OF_THREAD(RP_BUILD_GENERIC), a, 16, b, 16));
        assert_int_equal(Exact_Serves(OF_THREAD(RP_BUILD_GENERIC), a, 16, NULL, 0), i >= 16);
    }
    Rounding_Set(x87_rounding);
    assert_false(Exact_Serves(OF_THREAD(RP_BUILD_GENERIC), a, 16, NULL, 0));
    Rounding_Set(before);
}
