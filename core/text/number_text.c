#include "core/text/number_text.h"

#include "core/bytes.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* ---- integers -------------------------------------------------------------------------------- */

/* These return the four or eight digits of a number below 10^4 or 10^8, one in each byte, with the
 * first digit in the lowest byte. The number is cut into halves of four digits, then quarters of
 * two, then digits. All parts of one size are computed at once. A quotient by 100 or 10 is computed
 * as a product with its reciprocal, which is exact for numbers that small. */
static inline uint32_t FourDigits(uint32_t value) {
    const uint32_t hundreds = value * 10486 >> 20;
    const uint32_t twos = hundreds | (value - hundreds * 100) << 16;
    const uint32_t tens = twos * 103 >> 10 & 0x000F000F;
    return tens | (twos - tens * 10) << 8;
}

static inline uint64_t EightDigits(uint32_t value) {
    const uint64_t fours = value / 10000 | (uint64_t)(value % 10000) << 32;
    const uint64_t hundreds = fours * 10486 >> 20 & UINT64_C(0x0000007F0000007F);
    const uint64_t twos = hundreds | (fours - hundreds * 100) << 16;
    const uint64_t tens = twos * 103 >> 10 & UINT64_C(0x000F000F000F000F);
    return tens | (twos - tens * 10) << 8;
}

/* Writes the digits that EightDigits() returns, beginning with the lowest byte. */
static inline void PutDigits(uint64_t digits, char *text) {
    Bytes_PutU64((uint8_t *)text, digits | UINT64_C(0x3030303030303030));
}

/* These write a number below 10^4 or 10^8 into room for four or eight digits, and return how many
 * digits it has. Zeros before the first digit are left out; they are zero bits, which can be
 * counted. The last digit is never left out. */
static inline size_t WriteShort(uint32_t value, char *text) {
    const uint32_t digits = FourDigits(value);
    const int zeros = __builtin_ctz(digits | UINT32_C(1) << 24) & ~7;
    Bytes_PutU32((uint8_t *)text, (digits | UINT32_C(0x30303030)) >> zeros);
    return 4 - (size_t)zeros / 8;
}

static inline size_t WriteLong(uint32_t value, char *text) {
    const uint64_t digits = EightDigits(value);
    const int zeros = __builtin_ctzll(digits | UINT64_C(1) << 56) & ~7;
    PutDigits(digits >> zeros, text);
    return 8 - (size_t)zeros / 8;
}

enum { FOUR_DIGITS = 10000, EIGHT_DIGITS = 100000000 };

static size_t WriteAny(uint64_t value, char *text) {
    if (value < EIGHT_DIGITS)
        return WriteLong((uint32_t)value, text);
    const size_t length = WriteAny(value / EIGHT_DIGITS, text);
    PutDigits(EightDigits((uint32_t)(value % EIGHT_DIGITS)), text + length);
    return length + 8;
}

size_t NumberText_Integer(int64_t value, char *text) {
    const uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    const size_t sign = value < 0;
    text[0] = '-';
    size_t length = sign;
    if (size < FOUR_DIGITS)
        length += WriteShort((uint32_t)size, text + sign);
    else
        length += WriteAny(size, text + sign);
    text[length] = 0;
    return length;
}

/* ---- floats ---------------------------------------------------------------------------------- */

enum {
    DIGITS = 9,
    LEAST_POINT = -5, /* exponents from here to DIGITS are not written as "e-05" */
    MOST_FIVES = 17   /* 2^24 x 5^17 has 64 bits */
};

#define LEAST_DIGITS UINT64_C(100000000) /* the least number with nine digits */

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

/* Rounds mantissa x 2^exponent to nine digits, ties to even. The mantissa has 24 bits. The product
 * with a power of ten is exact: its fives are multiplied, and its twos are a shift, whose lost bits
 * decide how to round. Returns false when 64 bits cannot hold the product, which is so below about
 * 10^-9 and from 10^9 on. */
static bool Round(uint32_t mantissa, int exponent, Decimal *decimal) {
    /* Estimates the power of ten of the number's first digit; for one number in forty the estimate
     * is one too large. It counts the logarithm to base 2 in parts of 512. That of the mantissa is
     * estimated as the mantissa's fraction plus 48; the true value is the fraction plus at most
     * 44.1. 19729 / 65536 is the logarithm of 2 to base 10. */
    const int fraction = (int)((mantissa - (UINT32_C(1) << 23)) >> 14);
    int power = (((exponent + 23) * 512 + fraction + 48) * 19729) >> 25;
    for (int scale = DIGITS - 1 - power; scale >= 0 && scale <= MOST_FIVES; scale++, power--) {
        const uint64_t product = mantissa * fives[scale], half = UINT64_C(1) << 63;
        const int shift = -(exponent + scale);
        uint64_t digits = shift > 0 ? product >> shift : product << -shift;
        const uint64_t lost = shift > 0 ? product << (64 - shift) : 0;
        if (digits < LEAST_DIGITS)
            continue;
        digits += lost > half || (lost == half && (digits & 1));
        /* Rounding up cannot make a tenth digit, because no float here is that close below a power
         * of ten. */
        *decimal = (Decimal){.digits = (uint32_t)digits, .exponent = power};
        return true;
    }
    return false;
}

/* The nine digits of a Decimal, and how many there are without the zeros at the end. */
typedef struct Digits {
    char first;
    uint64_t others; /* in the form that EightDigits() returns */
    size_t count;
} Digits;

static Digits DigitsOf(uint32_t digits) {
    const uint64_t others = EightDigits(digits % EIGHT_DIGITS);
    return (Digits){.first = (char)('0' + digits / EIGHT_DIGITS),
                    .others = others,
                    .count = others ? 9 - (size_t)__builtin_clzll(others) / 8 : 1};
}

/* Writes the digits, with the point after the first `whole` of them. */
static size_t WriteWithPoint(const Digits *digits, size_t whole, char *text) {
    text[0] = digits->first;
    PutDigits(digits->others, text + 1);
    if (digits->count <= whole) /* the integer part may end in zeros */
        return whole;
    text[whole] = '.';
    PutDigits(digits->others >> 8 * (whole - 1), text + whole + 1);
    return digits->count + 1;
}

static size_t WriteDecimal(const Decimal *decimal, char *text) {
    const Digits digits = DigitsOf(decimal->digits);
    const int exponent = decimal->exponent;
    if (exponent >= 0)
        return WriteWithPoint(&digits, (size_t)exponent + 1, text);
    if (exponent > LEAST_POINT) {
        const size_t zeros = (size_t)(1 - exponent); /* the 0 before the point and those after it */
        memcpy(text, "0.000", 5);
        text[zeros] = digits.first;
        PutDigits(digits.others, text + zeros + 1);
        return zeros + digits.count;
    }
    const size_t length = WriteWithPoint(&digits, 1, text);
    text[length] = 'e';
    text[length + 1] = '-';
    text[length + 2] = (char)('0' + -exponent / 10);
    text[length + 3] = (char)('0' + -exponent % 10);
    return length + 4;
}

/* Lets the C library do the rounding. */
static size_t PrintFloat(uint32_t bits, char *text) {
    float value;
    memcpy(&value, &bits, sizeof value);
    const int length = snprintf(text, NUMBER_TEXT_BYTES, "%.9g", (double)value);
    char *comma = strchr(text, ',');
    if (comma)
        *comma = '.';
    return (size_t)length;
}

/* Returns whether the number is whole and below 2^24. Most numbers of a model are, above all 0. */
static bool IsSmallWhole(uint32_t mantissa, int exponent, uint32_t *whole) {
    if (exponent > 0 || exponent < -23 || mantissa & ((UINT32_C(1) << -exponent) - 1))
        return false;
    *whole = mantissa >> -exponent;
    return true;
}

size_t NumberText_Float(uint32_t bits, char *text) {
    const uint32_t mantissa = (bits & 0x7FFFFF) | 0x800000, sign = bits >> 31;
    const int exponent = (int)(bits >> 23 & 0xFF) - 150; /* exponent of the mantissa's last bit */
    uint32_t whole = 0;
    Decimal decimal;
    if (bits == 0 || IsSmallWhole(mantissa, exponent, &whole))
        return NumberText_Integer(sign ? -(int64_t)whole : (int64_t)whole, text);
    /* Numbers below 2^-126, and -0, are among those that Round() refuses. */
    if (!Round(mantissa, exponent, &decimal))
        return PrintFloat(bits, text);
    text[0] = '-';
    const size_t length = sign + WriteDecimal(&decimal, text + sign);
    text[length] = 0;
    return length;
}
