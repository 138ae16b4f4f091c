#include "core/text/number_text.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* ---- integers -------------------------------------------------------------------------------- */

static size_t CountDigits(uint64_t value) {
    size_t count = 1;
    for (; value >= 10000; value /= 10000)
        count += 4;
    return count + (value >= 10) + (value >= 100) + (value >= 1000);
}

/* Writes the lowest `count` digits. */
static void WriteDigits(uint64_t value, size_t count, char *text) {
    while (count > 0) {
        text[--count] = (char)('0' + value % 10);
        value /= 10;
    }
}

size_t NumberText_Integer(int64_t value, char *text) {
    const uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    const size_t sign = value < 0, count = CountDigits(size);
    text[0] = '-';
    WriteDigits(size, count, text + sign);
    text[sign + count] = 0;
    return sign + count;
}

/* ---- floats ---------------------------------------------------------------------------------- */

enum {
    DIGITS = 9,
    LEAST_POINT = -5, /* exponents from here to DIGITS are written with a point alone */
    MOST_FIVES = 17   /* 2^24 x 5^17 has 64 bits */
};

#define LEAST_DIGITS UINT64_C(100000000) /* of nine digits */

static const uint64_t fives[MOST_FIVES + 1] = {UINT64_C(1),
                                               UINT64_C(5),
                                               UINT64_C(25),
                                               UINT64_C(125),
                                               UINT64_C(625),
                                               UINT64_C(3125),
                                               UINT64_C(15625),
                                               UINT64_C(78125),
                                               UINT64_C(390625),
                                               UINT64_C(1953125),
                                               UINT64_C(9765625),
                                               UINT64_C(48828125),
                                               UINT64_C(244140625),
                                               UINT64_C(1220703125),
                                               UINT64_C(6103515625),
                                               UINT64_C(30517578125),
                                               UINT64_C(152587890625),
                                               UINT64_C(762939453125)};

/* Nine digits and where the point stands: digits x 10^(exponent - 8). */
typedef struct Decimal {
    uint32_t digits;
    int exponent;
} Decimal;

/* Rounds mantissa x 2^exponent to nine digits, ties to even; the mantissa has 24 bits. The product
 * by a power of ten is exact: its fives are multiplied, and its twos are a shift, whose lost bits
 * decide. Returns false where 64 bits do not hold the product: below about 10^-9 and from 10^9 on.
 */
static bool Round(uint32_t mantissa, int exponent, Decimal *decimal) {
    /* 1233 / 4096 is the logarithm of 2. This is the power of ten of the number's first digit, or
     * one more. */
    int power = ((exponent + 24) * 1233) >> 12;
    for (int scale = DIGITS - 1 - power; scale >= 0 && scale <= MOST_FIVES; scale++, power--) {
        const uint64_t product = mantissa * fives[scale], half = UINT64_C(1) << 63;
        const int shift = -(exponent + scale);
        uint64_t digits = shift > 0 ? product >> shift : product << -shift;
        const uint64_t lost = shift > 0 ? product << (64 - shift) : 0;
        if (digits < LEAST_DIGITS)
            continue;
        digits += lost > half || (lost == half && (digits & 1));
        /* That makes no tenth digit: no float here is that close below a power of ten. */
        *decimal = (Decimal){.digits = (uint32_t)digits, .exponent = power};
        return true;
    }
    return false;
}

/* Writes `count` digits with the point behind the first `whole` of them. */
static size_t WriteWithPoint(uint32_t digits, size_t count, size_t whole, char *text) {
    if (count <= whole) { /* what stands before the point may end in zeros */
        for (; count < whole; count++)
            digits *= 10;
        WriteDigits(digits, count, text);
        return count;
    }
    WriteDigits(digits, count, text + 1);
    for (size_t i = 0; i < whole; i++)
        text[i] = text[i + 1];
    text[whole] = '.';
    return count + 1;
}

static size_t WriteDecimal(const Decimal *decimal, char *text) {
    uint32_t digits = decimal->digits;
    size_t count = DIGITS;
    const int exponent = decimal->exponent;
    for (; digits % 10 == 0; digits /= 10)
        count--;
    if (exponent >= 0)
        return WriteWithPoint(digits, count, (size_t)exponent + 1, text);
    if (exponent > LEAST_POINT) {
        const size_t zeros = (size_t)(1 - exponent); /* "0." and those behind it */
        memcpy(text, "0.000", 5);
        WriteDigits(digits, count, text + zeros);
        return zeros + count;
    }
    size_t length = WriteWithPoint(digits, count, 1, text);
    memcpy(text + length, "e-", 2);
    WriteDigits((uint64_t)-exponent, 2, text + length + 2);
    return length + 4;
}

/* Leaves the rounding to the C library. */
static size_t PrintFloat(uint32_t bits, char *text) {
    float value;
    memcpy(&value, &bits, sizeof value);
    const int length = snprintf(text, NUMBER_TEXT_BYTES, "%.9g", (double)value);
    char *comma = strchr(text, ',');
    if (comma)
        *comma = '.';
    return (size_t)length;
}

/* Whether the number is whole and below 2^24, as most numbers of a model are, and 0 above all. */
static bool IsSmallWhole(uint32_t mantissa, int exponent, uint32_t *whole) {
    if (exponent > 0 || exponent < -23 || mantissa & ((UINT32_C(1) << -exponent) - 1))
        return false;
    *whole = mantissa >> -exponent;
    return true;
}

size_t NumberText_Float(uint32_t bits, char *text) {
    const uint32_t mantissa = (bits & 0x7FFFFF) | 0x800000, sign = bits >> 31;
    const int exponent = (int)(bits >> 23 & 0xFF) - 150; /* of the mantissa's last bit */
    uint32_t whole = 0;
    Decimal decimal;
    if (bits == 0 || IsSmallWhole(mantissa, exponent, &whole))
        return NumberText_Integer(sign ? -(int64_t)whole : (int64_t)whole, text);
    /* Numbers below 2^-126 and -0 are among those that Round() refuses. */
    if (!Round(mantissa, exponent, &decimal))
        return PrintFloat(bits, text);
    text[0] = '-';
    const size_t length = sign + WriteDecimal(&decimal, text + sign);
    text[length] = 0;
    return length;
}
