/* Tests that numbers become the text that printf makes of them. */
#include "core/random.h"
#include "core/text/number_text.h"
#include "tests/test.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static uint64_t seed = 5;

static uint32_t Draw(void) {
    return Random_Lcg64Word(&seed);
}

static void ExpectInteger(int64_t value) {
    char expected[NUMBER_TEXT_BYTES], text[NUMBER_TEXT_BYTES];
    const int length = snprintf(expected, sizeof expected, "%" PRId64, value);
    assert_int_equal(NumberText_Integer(value, text), length);
    assert_string_equal(text, expected);
}

static void ExpectFloat(uint32_t bits) {
    char expected[NUMBER_TEXT_BYTES], text[NUMBER_TEXT_BYTES];
    float value;
    memcpy(&value, &bits, sizeof value);
    const int length = snprintf(expected, sizeof expected, "%.9g", (double)value);
    const size_t found = NumberText_Float(bits, text);
    if (found != (size_t)length || strcmp(text, expected) != 0)
        fail_msg("0x%08" PRIX32 " is %s, not %s", bits, expected, text);
}

TEST(IntegersOfAllLengths) {
    ExpectInteger(0);
    ExpectInteger(INT64_MIN);
    ExpectInteger(INT64_MAX);
    for (int64_t power = 1; power <= INT64_MAX / 10; power *= 10)
        for (int64_t by = -2; by <= 2; by++) {
            ExpectInteger(power + by);
            ExpectInteger(-(power + by));
        }
    for (int i = 0; i < 20000; i++)
        ExpectInteger((int64_t)(((uint64_t)Draw() << 32 | Draw()) >> i % 64));
}

/* Mantissas that end in many zeros give exact halves of the ninth digit and whole numbers; the ones
 * beside them are just above and below. */
TEST(FloatsOfAllExponents) {
    for (uint32_t upper = 0; upper < 0x200; upper++) {
        const uint32_t start = upper << 23;
        if ((upper & 0xFF) == 0xFF)
            continue;
        for (uint32_t i = 0; i < 1000; i++) {
            const uint32_t random = Draw() & 0x7FFFFF, ended = random >> i % 23 << i % 23;
            ExpectFloat(start | random);
            ExpectFloat(start | ended);
            ExpectFloat(start + ended + 1);
            ExpectFloat((start | ended) - (ended > 0));
        }
    }
}

/* The nine digits of a number just below a power of ten may round up to it. */
TEST(FloatsAroundPowersOfTen) {
    for (double power = 1e-37; power < 1e38; power *= 10) {
        const float value = (float)power;
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        for (uint32_t by = 0; by < 64; by++)
            ExpectFloat(bits - 32 + by);
    }
}
