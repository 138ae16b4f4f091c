#include "live/dll/observe/number.h"

#include <stdbool.h>
#include <string.h>

enum {
    BASE = 1000000000,
    BASE_DIGITS = 9,
    WORDS = 1400,   /* 2^-16445 times a mantissa has 11,514 digits after the leading zeros */
    FIVE_STEP = 13, /* 5^13 is the greatest power of 5 below 2^32 */
    TWO_STEP = 29,
    MOST_DIGITS = 21,
    EXTENDED_BIAS = 16383 + 63,
    FLOAT_BIAS = 127 + 23
};

typedef struct Big { /* least significant word first */
    uint32_t words[WORDS];
    uint32_t count;
} Big;

static void Multiply(Big *big, uint32_t factor) {
    uint64_t carry = 0;
    for (uint32_t i = 0; i < big->count; i++) {
        carry += (uint64_t)big->words[i] * factor;
        big->words[i] = (uint32_t)(carry % BASE);
        carry /= BASE;
    }
    for (; carry && big->count < WORDS; carry /= BASE)
        big->words[big->count++] = (uint32_t)(carry % BASE);
}

static void MultiplyPower(Big *big, uint32_t base, uint32_t step, uint32_t exponent) {
    for (uint32_t part; exponent > 0; exponent -= part) {
        uint32_t factor = 1;
        part = exponent < step ? exponent : step;
        for (uint32_t i = 0; i < part; i++)
            factor *= base;
        Multiply(big, factor);
    }
}

static uint32_t DigitAt(const Big *big, uint32_t index) {
    uint32_t word = big->words[index / BASE_DIGITS];
    for (uint32_t i = index % BASE_DIGITS; i > 0; i--)
        word /= 10;
    return word % 10;
}

static uint32_t CountDigits(const Big *big) {
    uint32_t count = big->count * BASE_DIGITS;
    while (count > 1 && DigitAt(big, count - 1) == 0)
        count--;
    return count;
}

static bool IsZeroBelow(const Big *big, uint32_t index) {
    for (uint32_t i = 0; i < index; i++)
        if (DigitAt(big, i) != 0)
            return false;
    return true;
}

/* Rounds to the first `wanted` digits, to nearest, ties to even. Returns whether the number
 * became one digit longer: 999 becomes 1000, and is written as 100. */
static bool RoundDigits(const Big *big, uint32_t total, uint32_t wanted, uint8_t *digits) {
    for (uint32_t i = 0; i < wanted; i++)
        digits[i] = i < total ? (uint8_t)DigitAt(big, total - 1 - i) : 0;
    if (total <= wanted)
        return false;
    uint32_t next = DigitAt(big, total - 1 - wanted);
    bool exact = IsZeroBelow(big, total - 1 - wanted);
    if (next < 5 || (next == 5 && exact && digits[wanted - 1] % 2 == 0))
        return false;
    for (uint32_t i = wanted; i > 0; i--) {
        if (digits[i - 1] < 9) {
            digits[i - 1]++;
            return false;
        }
        digits[i - 1] = 0;
    }
    digits[0] = 1;
    return true;
}

static void AppendDigits(Text *text, const uint8_t *digits, int from, int to) {
    for (int i = from; i < to; i++)
        Text_AppendChar(text, (char)('0' + digits[i]));
}

static void AppendExponent(Text *text, int exponent) {
    uint32_t size = (uint32_t)(exponent < 0 ? -exponent : exponent);
    Text_Append(text, exponent < 0 ? "e-" : "e+");
    if (size < 10)
        Text_AppendChar(text, '0');
    Text_AppendDecimal(text, size);
}

/* Writes as %g does: digits without trailing zeros, and an exponent where it is large or small. */
static void AppendGeneral(Text *text, const uint8_t *digits, int precision, int exponent) {
    int used = precision;
    while (used > 1 && digits[used - 1] == 0)
        used--;
    if (exponent < -4 || exponent >= precision) {
        AppendDigits(text, digits, 0, 1);
        if (used > 1)
            Text_AppendChar(text, '.');
        AppendDigits(text, digits, 1, used);
        AppendExponent(text, exponent);
        return;
    }
    if (exponent < 0) {
        Text_Append(text, "0.");
        for (int i = exponent + 1; i < 0; i++)
            Text_AppendChar(text, '0');
        AppendDigits(text, digits, 0, used);
        return;
    }
    int whole = exponent + 1;
    AppendDigits(text, digits, 0, whole < used ? whole : used);
    for (int i = used; i < whole; i++)
        Text_AppendChar(text, '0');
    if (used > whole) {
        Text_AppendChar(text, '.');
        AppendDigits(text, digits, whole, used);
    }
}

/* Writes mantissa * 2^exponent. */
static void AppendNumber(Text *text, Big *big, uint64_t mantissa, int exponent, int precision) {
    uint8_t digits[MOST_DIGITS];
    if (mantissa == 0) {
        Text_AppendChar(text, '0');
        return;
    }
    big->count = 0;
    for (; mantissa; mantissa /= BASE)
        big->words[big->count++] = (uint32_t)(mantissa % BASE);
    int shift = 0; /* the decimal point moves, because 2^-k is 5^k * 10^-k */
    if (exponent >= 0) {
        MultiplyPower(big, 2, TWO_STEP, (uint32_t)exponent);
    } else {
        MultiplyPower(big, 5, FIVE_STEP, (uint32_t)-exponent);
        shift = exponent;
    }
    uint32_t total = CountDigits(big);
    bool more = RoundDigits(big, total, (uint32_t)precision, digits);
    AppendGeneral(text, digits, precision, (int)total - 1 + shift + more);
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
    static Big big;
    if (exponent > 0)
        mantissa |= 0x800000;
    AppendNumber(text, &big, mantissa, (int)(exponent ? exponent : 1) - FLOAT_BIAS, 9);
}

void Number_AppendExtended(Text *text, const uint8_t bytes[10]) {
    static Big big;
    uint64_t mantissa = 0;
    for (int i = 7; i >= 0; i--)
        mantissa = mantissa << 8 | bytes[i];
    uint32_t word = (uint32_t)(bytes[8] | bytes[9] << 8), exponent = word & 0x7FFF;
    if (word >> 15)
        Text_AppendChar(text, '-');
    if (exponent == 0x7FFF) {
        AppendSpecial(text, mantissa << 1 == 0);
        return;
    }
    AppendNumber(text, &big, mantissa, (int)(exponent ? exponent : 1) - EXTENDED_BIAS, 21);
}

static bool IsNan(uint32_t bits) {
    return (bits & 0x7FFFFFFF) > 0x7F800000;
}

/* Returns whole numbers in the order of the binary32 numbers. */
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
