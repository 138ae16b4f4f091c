/* Bytes and words as hexadecimal digits, without the C library, which Ngi32.dll does not have. */
#ifndef RETROPOSE_CORE_HEX_H
#define RETROPOSE_CORE_HEX_H

#include "core/bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns 0 to 15 for a digit, with letters in either case, and -1 for any other character. */
static inline int Hex_Digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Reads `size` bytes from twice as many digits. Returns false when one of them is not a digit,
 * which may be the end of the text; the bytes before it have then been written. */
static inline bool Hex_Read(const char *digits, uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        const int high = Hex_Digit(digits[2 * i]);
        const int low = high < 0 ? -1 : Hex_Digit(digits[2 * i + 1]);
        if (low < 0)
            return false;
        bytes[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

/* Writes twice `size` digits in lower case, without a NUL. */
static inline void Hex_Write(const uint8_t *bytes, size_t size, char *digits) {
    for (size_t i = 0; i < size; i++) {
        digits[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
        digits[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
    }
}

/* Returns whether the text is a SHA-256 as Digest_End writes it: 64 digits in lower case and a
 * NUL. */
static inline bool Hex_IsSha256(const char *text) {
    for (size_t i = 0; i < 64; i++)
        if (Hex_Digit(text[i]) < 0 || (text[i] >= 'A' && text[i] <= 'F'))
            return false;
    return !text[64];
}

/* Reads "0x" and exactly eight digits, which is how reports and dumps write the bits of a float. */
static inline bool Hex_ReadWord(const char *text, uint32_t *word) {
    uint8_t bytes[4];
    if (text[0] != '0' || text[1] != 'x' || !Hex_Read(text + 2, bytes, sizeof bytes) || text[10])
        return false;
    *word = Bytes_BigU32(bytes);
    return true;
}

#endif
