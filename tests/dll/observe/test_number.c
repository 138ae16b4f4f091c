/* Compares numbers as text, made without a floating-point instruction, with printf. */
#include "core/random.h"
#include "dll/observe/fingerprint.h"
#include "dll/observe/number.h"
#include "tests/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t random_state = 20261121;

static uint32_t Random(void) {
    return Random_Lcg64Word(&random_state);
}

static void CheckFloat(uint32_t bits) {
    char own[64], theirs[64];
    float number;
    memcpy(&number, &bits, sizeof number);
    if (isnan(number))
        snprintf(theirs, sizeof theirs, "%snan", bits >> 31 ? "-" : "");
    else
        snprintf(theirs, sizeof theirs, "%.9g", (double)number);
    Text text = Text_Begin(own, sizeof own);
    Number_AppendFloat(&text, bits);
    assert_string_equal(own, theirs);
}

static void CheckExtended(uint64_t mantissa, uint16_t exponent) {
    char own[64], theirs[64];
    uint8_t bytes[16] = {0};
    long double number = 0;
    memcpy(bytes, &mantissa, 8);
    memcpy(bytes + 8, &exponent, 2);
    memcpy(&number, bytes, 10);
    snprintf(theirs, sizeof theirs, "%.21Lg", number);
    Text text = Text_Begin(own, sizeof own);
    Number_AppendExtended(&text, bytes);
    assert_string_equal(own, theirs);
}

TEST(FloatsArePrintedAsPrintfDoes) {
    static const uint32_t edges[] = {0,          0x80000000, 1,          0x80000001, 0x007FFFFF,
                                     0x00800000, 0x7F7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000,
                                     0x3F800000, 0x3DCCCCCD, 0x4B800000, 0x501502F9, 0x38D1B717};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
        CheckFloat(edges[i]);
    for (int i = 0; i < 50000; i++)
        CheckFloat(Random());
}

TEST(ExtendedNumbersArePrintedAsPrintfDoes) {
    CheckExtended(0, 0);
    CheckExtended(0x8000000000000000u, 0x3FFF);
    CheckExtended(0xFFFFFFFFFFFFFFFFu, 0x7FFE);
    CheckExtended(1, 0);
    CheckExtended(0x8000000000000000u, 0x7FFF);
    for (int i = 0; i < 300; i++)
        CheckExtended((uint64_t)Random() << 32 | Random() | 1ull << 63,
                      (uint16_t)(1 + Random() % 0x7FFE));
    for (int i = 0; i < 20000; i++)
        CheckExtended((uint64_t)Random() << 32 | Random() | 1ull << 63,
                      (uint16_t)(0x3FFF - 100 + Random() % 200));
}

TEST(UlpsCountTheNumbersBetween) {
    assert_int_equal(Number_Ulps(0x3F800000, 0x3F800001), 1);
    assert_int_equal(Number_Ulps(0x80000000, 0), 0);
    assert_int_equal(Number_Ulps(0x80000001, 1), 2);
    assert_int_equal(Number_Ulps(0x7FC00000, 1), UINT32_MAX);
}

static int CompareHashes(const void *a, const void *b) {
    return memcmp(a, b, sizeof(Fingerprint));
}

/* The records differ in one bit, or are zeros of different lengths. */
TEST(HashesOfNearContentsDiffer) {
    enum { BYTES = 304, COUNT = BYTES * 8 + BYTES };
    static Fingerprint hashes[COUNT + 1];
    uint8_t record[BYTES] = {0};
    size_t count = 0;
    for (int bit = 0; bit < BYTES * 8; bit++) {
        record[bit / 8] ^= (uint8_t)(1 << bit % 8);
        Fingerprint hash = Fingerprint_Start(BYTES);
        Fingerprint_Add(&hash, record, BYTES);
        hashes[count++] = Fingerprint_End(hash);
        record[bit / 8] = 0;
    }
    for (size_t size = 0; size < BYTES; size++) {
        Fingerprint hash = Fingerprint_Start(0);
        Fingerprint_Add(&hash, record, size);
        hashes[count++] = Fingerprint_End(hash);
    }
    qsort(hashes, count, sizeof *hashes, CompareHashes);
    for (size_t i = 1; i < count; i++)
        assert_false(Fingerprint_Equal(&hashes[i - 1], &hashes[i]));
}
