/* Compares the integer arithmetic of scenarios with the processor's. */
#include "replay/scenario/values.h"
#include "tests/test.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static uint32_t Bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float Value(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

TEST(StreamsDependOnNameSeedAndIndex) {
    Random same = Random_Start("slots", 1, 5), again = Random_Start("slots", 1, 5);
    assert_true(same.state == again.state);
    assert_true(same.state != Random_Start("edges", 1, 5).state);
    assert_true(same.state != Random_Start("slots", 2, 5).state);
    assert_true(same.state != Random_Start("slots", 1, 6).state);
}

TEST(RangesAreReachedAndKept) {
    Random random = Random_Start("ranges", 0, 0);
    uint32_t seen = 0;
    int32_t low = INT32_MAX, high = INT32_MIN;
    for (int i = 0; i < 1000; i++) {
        int32_t value = Random_Between(&random, -3, 4);
        assert_in_range(value + 3, 0, 7);
        seen |= 1u << (value + 3);
        value = Random_Between(&random, -(1 << 30), 1 << 30);
        low = value < low ? value : low;
        high = value > high ? value : high;
    }
    assert_int_equal(seen, 0xFF);
    assert_true(low < -(1 << 29) && low >= -(1 << 30) && high > 1 << 29 && high <= 1 << 30);
}

TEST(RatiosAreRoundedAsDivision) {
    Random random = Random_Start("ratios", 0, 0);
    for (int i = 0; i < 200000; i++) {
        int32_t a = Random_Between(&random, -(1 << 24), 1 << 24);
        int32_t b = Random_Between(&random, 1, 1 << (1 + i % 24));
        volatile float numerator = (float)a, denominator = (float)b;
        volatile float quotient = numerator / denominator;
        assert_int_equal(Float_FromRatio(a, b, 0) & ~(a == 0 ? FLOAT_SIGN : 0), Bits(quotient));
    }
}

/* Divides bit by bit, without any of the short cuts. */
static uint32_t SlowRatio(uint64_t numerator, uint64_t divisor, int exponent) {
    uint64_t quotient = numerator / divisor, rest = numerator % divisor;
    while (quotient >> 26 == 0 && (rest || quotient) && exponent > -200) {
        rest <<= 1;
        quotient = quotient << 1 | (rest >= divisor);
        if (rest >= divisor)
            rest -= divisor;
        exponent--;
    }
    /* One additional bit, below all bits that a rounding looks at, says whether anything is
     * left. */
    return Float_FromInteger((int64_t)(quotient << 1 | (rest != 0)), exponent - 1);
}

TEST(RatiosOfAnySizeAreRoundedOnce) {
    Random random = Random_Start("wide ratios", 0, 0);
    for (int i = 0; i < 400000; i++) {
        const uint64_t a = Random_Next(&random) >> (2 + Random_Below(&random, 62));
        const uint64_t b = (Random_Next(&random) >> (2 + Random_Below(&random, 62))) | 1;
        const int exponent = Random_Between(&random, -230, 120);
        assert_int_equal(Float_FromRatio((int64_t)a, (int64_t)b, exponent),
                         SlowRatio(a, b, exponent));
    }
}

TEST(IntegersAreRoundedAsConversion) {
    Random random = Random_Start("integers", 0, 0);
    for (int i = 0; i < 200000; i++) {
        int64_t value = (int64_t)Random_Next(&random) >> (2 + i % 60);
        volatile float converted = (float)value;
        assert_int_equal(Float_FromInteger(value, 0), Bits(converted));
        /* The value is scaled into the denormals. A double holds 53 bits and the scale, so only one
         * rounding is left. */
        int64_t small = value >> 11;
        volatile float scaled = (float)ldexp((double)small, -180 + i % 60);
        assert_int_equal(Float_FromInteger(small, -180 + i % 60), Bits(scaled));
    }
    assert_int_equal(Float_FromInteger(1, 128), FLOAT_INFINITY);
    assert_int_equal(Float_FromInteger(-0x1FFFFFF, 103), FLOAT_SIGN | FLOAT_INFINITY);
    assert_int_equal(Float_FromInteger(0xFFFFFF, 104), 0x7F7FFFFF);
    assert_int_equal(Float_FromInteger(1, -149), 1);
    assert_int_equal(Float_FromInteger(1, -150), 0);
    assert_int_equal(Float_FromInteger(3, -151), 1);
}

TEST(StepsAreNeighbours) {
    Random random = Random_Start("steps", 0, 0);
    for (int i = 0; i < 100000; i++) {
        uint32_t bits = i < 100 ? special_values[(uint32_t)i % special_value_count]
                                : (uint32_t)Random_Next(&random);
        if (Float_IsNaN(bits)) {
            assert_int_equal(Float_Step(bits, 1), bits);
            continue;
        }
        if (Value(bits) == 0) /* the C library has one zero, we have two */
            continue;
        assert_int_equal(Float_Step(bits, 1), Bits(nextafterf(Value(bits), INFINITY)));
        assert_int_equal(Float_Step(bits, -1), Bits(nextafterf(Value(bits), -INFINITY)));
    }
    assert_int_equal(Float_Step(0, -1), FLOAT_SIGN);
    assert_int_equal(Float_Step(FLOAT_SIGN, 1), 0);
    assert_int_equal(Float_Step(0, 1), 1);
}

TEST(ComparisonsAreIeee) {
    for (uint32_t i = 0; i < special_value_count; i++)
        for (uint32_t k = 0; k < special_value_count; k++) {
            uint32_t a = special_values[i], b = special_values[k];
            assert_int_equal(Float_Less(a, b), Value(a) < Value(b));
            assert_int_equal(Float_Equal(a, b), Value(a) == Value(b));
        }
}

TEST(SquareRootsAreFloored) {
    Random random = Random_Start("roots", 0, 0);
    for (int i = 0; i < 100000; i++) {
        uint64_t square = Random_Next(&random) >> i % 64;
        uint64_t root = Integer_SquareRoot(square);
        assert_true(root * root <= square);
        assert_true(root == UINT32_MAX || (root + 1) * (root + 1) > square);
    }
}

static double LengthSquared(const int32_t quaternion[4]) {
    double sum = 0;
    for (int i = 0; i < 4; i++)
        sum += (double)quaternion[i] * quaternion[i] / 0x1p60;
    return sum;
}

TEST(UnitQuaternionsHaveUnitLength) {
    Random random = Random_Start("units", 0, 0);
    for (int i = 0; i < 10000; i++) {
        int32_t from[4], to[4];
        Quaternion_Unit(&random, from);
        assert_true(fabs(LengthSquared(from) - 1) < 1e-4); /* a root of 16 fractional bits */
        int32_t sine = Quaternion_Sine(&random);
        Quaternion_Turned(from, (uint32_t)i % 3, sine, to);
        double dot = 0, s = sine / 0x1p30;
        for (int k = 0; k < 4; k++)
            dot += (double)from[k] * to[k] / 0x1p60;
        assert_true(fabs(LengthSquared(to) - LengthSquared(from)) < 1e-7);
        assert_true(fabs(dot - sqrt(1 - s * s) * LengthSquared(from)) < 1e-7);
    }
}

/* The table contains every class that the edge cases have to cover, and no value twice. */
TEST(SpecialValuesAreOfEveryClass) {
    uint32_t zeros = 0, denormals = 0, infinities = 0, quiet = 0, signalling = 0, negative = 0;
    for (uint32_t i = 0; i < special_value_count; i++) {
        uint32_t bits = special_values[i], magnitude = bits & ~FLOAT_SIGN;
        for (uint32_t k = 0; k < i; k++)
            assert_int_not_equal(bits, special_values[k]);
        zeros += magnitude == 0;
        denormals += magnitude > 0 && magnitude < FLOAT_MIN;
        infinities += magnitude == FLOAT_INFINITY;
        quiet += Float_IsNaN(bits) && (bits & 0x00400000);
        signalling += Float_IsNaN(bits) && !(bits & 0x00400000);
        negative += bits >> 31;
    }
    assert_int_equal(zeros, 2);
    assert_int_equal(denormals, 4);
    assert_int_equal(infinities, 2);
    assert_true(quiet >= 4 && signalling >= 4 && negative >= 15);
    static const float named[] = {1,       0x1.000002p0f, 0x1.fffffep-1f, 0x1p31f,   0x1p32f,
                                  0x1p63f, -0x1p63f,      0x1p-126f,      -0x1p-126f};
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        uint32_t k = 0;
        while (k < special_value_count && special_values[k] != Bits(named[i]))
            k++;
        assert_true(k < special_value_count);
    }
}
