#include "core/text/encoding.h"

#include "core/hex.h"

#include <stdio.h>
#include <string.h>

/* The characters of bytes 0x80 to 0xBF of Windows-1251. Bytes 0xC0 to 0xFF are U+0410 to U+044F. */
static const uint16_t upper[64] = {
    0x0402, 0x0403, 0x201A, 0x0453, 0x201E, 0x2026, 0x2020, 0x2021, 0x20AC, 0x2030, 0x0409,
    0x2039, 0x040A, 0x040C, 0x040B, 0x040F, 0x0452, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x0098, 0x2122, 0x0459, 0x203A, 0x045A, 0x045C, 0x045B, 0x045F, 0x00A0,
    0x040E, 0x045E, 0x0408, 0x00A4, 0x0490, 0x00A6, 0x00A7, 0x0401, 0x00A9, 0x0404, 0x00AB,
    0x00AC, 0x00AD, 0x00AE, 0x0407, 0x00B0, 0x00B1, 0x0406, 0x0456, 0x0491, 0x00B5, 0x00B6,
    0x00B7, 0x0451, 0x2116, 0x0454, 0x00BB, 0x0458, 0x0405, 0x0455, 0x0457};

void Text1251_ToUtf8(const char *bytes, size_t length, char *text) {
    for (size_t i = 0; i < length; i++) {
        const uint8_t byte = (uint8_t)bytes[i];
        uint32_t code = byte < 0x80   ? byte
                        : byte < 0xC0 ? upper[byte - 0x80]
                                      : 0x0410u + (byte - 0xC0u);
        if (code < 0x80) {
            *text++ = (char)code;
        } else if (code < 0x800) {
            *text++ = (char)(0xC0 | code >> 6);
            *text++ = (char)(0x80 | (code & 0x3F));
        } else {
            *text++ = (char)(0xE0 | code >> 12);
            *text++ = (char)(0x80 | (code >> 6 & 0x3F));
            *text++ = (char)(0x80 | (code & 0x3F));
        }
    }
    *text = 0;
}

void Text1251_Show(const char *bytes, size_t length, char *text, size_t size) {
    for (size_t i = 0; i < length; i++) {
        const unsigned char byte = (unsigned char)bytes[i];
        char one[8];
        if (byte < 0x20 || byte == 0x7F || byte == 0x98)
            snprintf(one, sizeof one, "\\x%02X", byte);
        else
            Text1251_ToUtf8(bytes + i, 1, one);
        const size_t used = strlen(one);
        if (used >= size)
            break;
        memcpy(text, one, used);
        text += used;
        size -= used;
    }
    *text = 0;
}

size_t Text1251_FromUtf8(const char *text, char *bytes, size_t size, bool *exact) {
    size_t count = 0;
    *exact = true;
    while (*text && count < size) {
        /* The next character. A byte that is not a part of UTF-8 counts as a character of its
         * own. */
        const uint8_t *at = (const uint8_t *)text;
        const size_t whole = at[0] < 0xC0 ? 1 : at[0] < 0xE0 ? 2 : at[0] < 0xF0 ? 3 : 4;
        uint32_t code = whole == 1 ? at[0] : at[0] & (0x3Fu >> (whole - 1));
        size_t length = 1;
        for (; length < whole && (at[length] & 0xC0) == 0x80; length++)
            code = code << 6 | (at[length] & 0x3Fu);
        if (length < whole)
            code = at[0];
        text += length;

        /* The byte of Windows-1251 for it. */
        uint8_t byte = '?', high = 0;
        while (high < 64 && upper[high] != code)
            high++;
        if (code < 0x80)
            byte = (uint8_t)code;
        else if (code >= 0x0410 && code <= 0x044F)
            byte = (uint8_t)(code - 0x0410 + 0xC0);
        else if (high < 64)
            byte = (uint8_t)(high + 0x80);
        else
            *exact = false;
        bytes[count++] = (char)byte;
    }
    *exact &= *text == 0;
    return count;
}

void Text1251_Fold(char *text) {
    for (uint8_t *at = (uint8_t *)text; *at; at++) {
        const bool is_pair = at[0] >= 0xC0 && at[0] < 0xE0 && (at[1] & 0xC0) == 0x80;
        uint32_t code = is_pair ? (at[0] & 0x1Fu) << 6 | (at[1] & 0x3Fu) : at[0];
        if (code >= 'A' && code <= 'Z')
            code += 'a' - 'A';
        else if (code >= 0x0400 && code < 0x0410)
            code += 0x50;
        else if (code >= 0x0410 && code < 0x0430)
            code += 0x20;
        else if (code == 0x0490)
            code++;
        if (!is_pair) {
            *at = (uint8_t)code;
        } else {
            *at++ = (uint8_t)(0xC0 | code >> 6);
            *at = (uint8_t)(0x80 | (code & 0x3F));
        }
    }
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* Returns the value of a digit, or a number above every base for any other character. */
static uint32_t NumberDigit(char digit) {
    return (uint32_t)Hex_Digit(digit);
}

bool Text_TakeNumber(const char **text, const char *word, uint32_t base, uint32_t limit,
                     uint32_t *number) {
    size_t length = strlen(word);
    if (strncmp(*text, word, length) != 0)
        return false;
    const char *at = *text + length;
    uint64_t value = 0;
    if (NumberDigit(*at) >= base)
        return false;
    for (; NumberDigit(*at) < base; at++) {
        value = value * base + NumberDigit(*at);
        if (value > limit)
            return false;
    }
    *number = (uint32_t)value;
    *text = at;
    return true;
}

/* ---- base64 ---------------------------------------------------------------------------------- */

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

bool Base64_Encode(const uint8_t *bytes, size_t size, RpBuffer *text) {
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        uint32_t group = (uint32_t)bytes[i] << 16;
        group |= left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0;
        group |= left > 2 ? bytes[i + 2] : 0;
        const char four[4] = {digits[group >> 18], digits[group >> 12 & 63],
                              left > 1 ? digits[group >> 6 & 63] : '=',
                              left > 2 ? digits[group & 63] : '='};
        RpBuffer_Append(text, four, sizeof four);
    }
    return !text->failed;
}

/* Returns 0 to 63, or 64 for any character that is no base64 digit. */
static uint32_t DigitValue(char digit) {
    if (digit >= 'A' && digit <= 'Z')
        return (uint32_t)(digit - 'A');
    if (digit >= 'a' && digit <= 'z')
        return (uint32_t)(digit - 'a') + 26;
    if (digit >= '0' && digit <= '9')
        return (uint32_t)(digit - '0') + 52;
    return digit == '+' ? 62 : digit == '/' ? 63 : 64;
}

bool Base64_Decode(const char *text, size_t length, RpBuffer *bytes) {
    while (length > 0 && text[length - 1] == '=')
        length--;
    uint32_t group = 0, bits = 0;
    for (size_t i = 0; i < length; i++) {
        uint32_t value = DigitValue(text[i]);
        if (value > 63)
            return false;
        group = group << 6 | value;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            const uint8_t byte = (uint8_t)(group >> bits);
            RpBuffer_Append(bytes, &byte, 1);
        }
    }
    return length % 4 != 1 && !bytes->failed;
}
