/* Tests the scenario `hard`: each call has a result next to the middle between two numbers of 24
 * bits. The results are computed here in binary64, with their steps rounded to binary32. */
#include "core/bytes.h"
#include "ngi32/exact/sine_cosine.h"
#include "ngi32/exact/slerp.h"
#include "replay/scenario/calls.h"
#include "replay/scenario/scenario.h"
#include "tests/test.h"

#include <math.h>
#include <string.h>

enum { CALLS = 8000 };

static double Number(const uint8_t *inputs, uint32_t index) {
    const uint32_t bits = Bytes_U32(inputs + 4 * (size_t)index);
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* Rounds as a step under the game's control word does. */
static double Rounded(double value) {
    volatile float stored = (float)value;
    return stored;
}

/* Returns the distance from the nearest middle, in units of the last of 24 bits. */
static double FromMiddle(double value) {
    int exponent;
    const double units = ldexp(frexp(fabs(value), &exponent), 24);
    return fabs(units - floor(units) - 0.5);
}

static double Smaller(double a, double b) {
    return a < b ? a : b;
}

/* Returns the least distance of all products of two numbers of the call. */
static double NearestProduct(const TraceCall *call) {
    double nearest = 1;
    for (uint32_t i = 0; 4 * i < call->input_size; i++)
        for (uint32_t k = 0; k < i; k++)
            nearest =
                Smaller(nearest, FromMiddle(Number(call->inputs, i) * Number(call->inputs, k)));
    return nearest;
}

static double Length(const uint8_t *inputs) {
    double square = 0;
    for (uint32_t i = 0; i < 3; i++)
        square = Rounded(square + Rounded(Number(inputs, i) * Number(inputs, i)));
    return sqrt(square);
}

/* Computes with the first column of the matrix, which is 1, y, 0. */
static double FirstOfFrame(const uint8_t *inputs) {
    const double y = Number(inputs, 4);
    return Number(inputs, 16) / Rounded(1 + Rounded(y * y));
}

static double NearestOfAngle(double angle) {
    return Smaller(FromMiddle(sin(angle)), FromMiddle(cos(angle)));
}

static double NearestOfInterpolation(const uint8_t *inputs) {
    double dot = 0;
    for (uint32_t i = 0; i < 4; i++)
        dot += Number(inputs, i) * Number(inputs, 4 + i);
    const double c = fabs(dot), t = Number(inputs, 8);
    const double root = Rounded(sqrt(Rounded(Rounded(1 + c) * Rounded(1 - c))));
    const double theta = atan2(root, c), inverse = 1 / sin(theta), phi = Rounded(t * theta);
    const double w1 = sin(phi) * Rounded(inverse), w0 = cos(phi) - Rounded(Rounded(w1) * c);
    return Smaller(Smaller(FromMiddle(t * theta), FromMiddle(inverse)),
                   Smaller(FromMiddle(w1), FromMiddle(w0)));
}

/* Returns whether the exact core gives the results for the angle, or those for a time that is a
 * power of two, which rounds theta and 1/sin(theta) as 1 does. Other times are near a middle, but
 * not so near. */
static bool IsServed(const TraceCall *call) {
    float numbers[9], result[4];
    int exponent;
    memcpy(numbers, call->inputs, call->input_size);
    if (call->input_size == sizeof *numbers)
        return Exact_RoundedSineCosine(numbers, &result[0], &result[1]);
    return frexp(numbers[8], &exponent) == 0.5 &&
           Exact_Slerp(EXACT_SEQUENTIAL, numbers, numbers + 4, &numbers[8], result);
}

static double Nearest(const TraceCall *call, uint64_t kind) {
    const char *key = call->function->key;
    if (kind == 0)
        return NearestProduct(call);
    if (strcmp(key, "ngi32.slot45") == 0)
        return FromMiddle(Number(call->inputs, 9) / -Number(call->inputs, 3));
    if (strcmp(key, "ngi32.slot26") == 0)
        return FromMiddle(FirstOfFrame(call->inputs));
    if (strcmp(key, "ngi32.slot11") == 0)
        return FromMiddle(sqrt(Number(call->inputs, 0)));
    if (strcmp(key, "ngi32.slot38") == 0)
        return FromMiddle(Length(call->inputs));
    if (strcmp(key, "ngi32.ngiGetSinCos") == 0)
        return NearestOfAngle(Number(call->inputs, 0));
    return NearestOfInterpolation(call->inputs);
}

/* Binary64 is exact to 2^-29 of a unit, and the listed arguments lie within 2^-20. */
TEST(EachCallLiesBesideAMiddle) {
    static const double limits[4] = {0x1p-20, 0x1p-20, 0x1p-16, 0x1p-20};
    uint32_t compared[4] = {0};
    TraceReader *reader;
    const ScenarioOptions options = {.seed = 1, .count = CALLS, .force_cpu = -1};
    assert_int_equal(Scenario_Open(Scenario_Find("hard"), &options, &reader, NULL), RP_OK);
    for (;;) {
        TraceCall call;
        bool found;
        assert_int_equal(TraceReader_Next(reader, &call, &found, NULL), RP_OK);
        if (!found)
            break;
        const uint64_t kind = call.sequence % 4;
        const bool has_one_number = kind == 0 && call.input_size < 8;
        if (call.signature->refers || has_one_number)
            continue;
        compared[kind]++;
        if (Nearest(&call, kind) > limits[kind])
            print_error("%llu %s: %g\n", (unsigned long long)call.sequence, call.function->key,
                        Nearest(&call, kind));
        assert_true(Nearest(&call, kind) <= limits[kind]);
        if (kind == 3)
            assert_false(IsServed(&call));
    }
    TraceReader_Close(reader);
    for (int kind = 0; kind < 4; kind++)
        assert_true(compared[kind] > CALLS / 5);
}
