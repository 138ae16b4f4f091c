#include "dll/observe/number.h"

#include "core/bytes.h"

#include <stdbool.h>
#include <string.h>

enum {
    DIGITS = 11600, /* 2^-16445 times a mantissa has 11,514 digits after the leading zeros */
    STEP = 10,      /* the product of 5^10 and a digit is below 2^32 */
    FLOAT_DIGITS = 9,
    EXTENDED_DIGITS = 21,
    FLOAT_BIAS = 127 + 23,
    EXTENDED_BIAS = 16383 + 63
};

typedef struct Big { /* a decimal number, least significant digit first; zeros lie above it */
    uint8_t digits[DIGITS];
    uint32_t count;
} Big;

static uint32_t CountZeros(const Big *big) {
    uint32_t zeros = 0;
    while (big->digits[zeros] == 0)
        zeros++;
    return zeros;
}

/* Rounds to the first `wanted` digits, to nearest, ties to even. The other digits become 0. 999
 * becomes 1000, which has one digit more. */
static void Round(Big *big, uint32_t wanted) {
    if (big->count <= wanted)
        return;
    uint32_t cut = big->count - wanted;
    uint8_t next = big->digits[cut - 1];
    bool tie = next == 5 && CountZeros(big) == cut - 1;
    memset(big->digits, 0, cut);
    if (next < 5 || (tie && big->digits[cut] % 2 == 0))
        return;
    for (; big->digits[cut] == 9; cut++)
        big->digits[cut] = 0;
    big->digits[cut]++;
    if (cut == big->count)
        big->count++;
}

/* Writes some digits, counted from the first one of the number. Before and after its digits, a
 * number has zeros. */
static void AppendDigits(Text *text, const Big *big, int from, int to) {
    int count = (int)big->count;
    for (int i = from; i < to; i++)
        Text_AppendChar(text, (char)('0' + (i < 0 || i >= count ? 0 : big->digits[count - 1 - i])));
}

/* Writes mantissa * 2^exponent. */
static void AppendNumber(Text *text, uint64_t mantissa, int exponent, int precision) {
    static Big big;
    if (mantissa == 0) {
        Text_AppendChar(text, '0');
        return;
    }
    memset(&big, 0, sizeof big);
    for (; mantissa; mantissa /= 10)
        big.digits[big.count++] = (uint8_t)(mantissa % 10);
    int shift = exponent < 0 ? exponent : 0; /* 2^-k is 5^k * 10^-k */
    uint32_t base = exponent < 0 ? 5 : 2, power = (uint32_t)(exponent < 0 ? -exponent : exponent);
    for (uint32_t part; power > 0; power -= part) {
        uint32_t factor = 1, carry = 0;
        for (part = 0; part < power && part < STEP; part++)
            factor *= base;
        for (uint32_t i = 0; i < big.count; i++) {
            carry += big.digits[i] * factor;
            big.digits[i] = (uint8_t)(carry % 10);
            carry /= 10;
        }
        for (; carry && big.count < DIGITS - 1; carry /= 10)
            big.digits[big.count++] = (uint8_t)(carry % 10);
    }
    Round(&big, (uint32_t)precision);

    /* The number is written as %g does: without trailing zeros, and with an exponent if that is
     * large or small. */
    const int first = (int)big.count - 1 + shift;
    bool scientific = first < -4 || first >= precision;
    int used = (int)(big.count - CountZeros(&big));
    int last = scientific ? 0 : first; /* the digit before the point */
    AppendDigits(text, &big, last < 0 ? last : 0, last + 1);
    if (used > last + 1)
        Text_AppendChar(text, '.');
    AppendDigits(text, &big, last + 1, used);
    if (scientific) {
        uint32_t size = (uint32_t)(first < 0 ? -first : first);
        Text_Append(text, first < 0 ? "e-" : "e+");
        if (size < 10)
            Text_AppendChar(text, '0');
        Text_AppendDecimal(text, size);
    }
}

static void AppendSpecial(Text *text, bool infinite) {
    Text_Append(text, infinite ? "inf" : "nan");
}

void Number_AppendFloat(Text *text, uint32_t bits) {
    uint32_t exponent = bits >> 23 & 0xFF, mantissa = bits & 0x7FFFFF;
    if (bits >> 31)
        Text_AppendChar(text, '-');
    if (exponent == 0xFF) {
        AppendSpecial(text, mantissa == 0);
        return;
    }
    if (exponent > 0)
        mantissa |= 0x800000;
    AppendNumber(text, mantissa, (int)(exponent ? exponent : 1) - FLOAT_BIAS, FLOAT_DIGITS);
}

void Number_AppendExtended(Text *text, const uint8_t bytes[10]) {
    uint64_t mantissa = (uint64_t)Bytes_U32(bytes + 4) << 32 | Bytes_U32(bytes);
    uint32_t word = Bytes_U16(bytes + 8), exponent = word & 0x7FFF;
    if (word >> 15)
        Text_AppendChar(text, '-');
    if (exponent == 0x7FFF) {
        AppendSpecial(text, mantissa << 1 == 0);
        return;
    }
    AppendNumber(text, mantissa, (int)(exponent ? exponent : 1) - EXTENDED_BIAS, EXTENDED_DIGITS);
}

static bool IsNan(uint32_t bits) {
    return (bits & 0x7FFFFFFF) > 0x7F800000;
}

/* Returns an integer for the number, such that integers are in the same order as the numbers. */
static int64_t Ordinal(uint32_t bits) {
    int64_t size = bits & 0x7FFFFFFF;
    return bits >> 31 ? -size : size;
}

uint32_t Number_Ulps(uint32_t a, uint32_t b) {
    if (IsNan(a) || IsNan(b))
        return UINT32_MAX;
    int64_t distance = Ordinal(a) - Ordinal(b);
    return (uint32_t)(distance < 0 ? -distance : distance);
}
