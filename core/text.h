/* Builds a text in a buffer of fixed size without the C library, which Ngi32.dll does not have.
 *
 * A text that does not fit is cut, while `length` counts on as snprintf does. The buffer always
 * holds a terminated string.
 */
#ifndef RETROPOSE_CORE_TEXT_H
#define RETROPOSE_CORE_TEXT_H

#include <stddef.h>
#include <stdint.h>

typedef struct Text {
    char *buffer; /* may be null when size is 0 */
    size_t size;
    size_t length;
} Text;

static inline void Text_AppendChar(Text *text, char c) {
    if (text->length + 1 < text->size) {
        text->buffer[text->length] = c;
        text->buffer[text->length + 1] = 0;
    }
    text->length++;
}

/* Returns the ending of the word for what is counted: "1 call", "2 calls". */
static inline const char *Text_Plural(uint64_t count) {
    return count == 1 ? "" : "s";
}

static inline Text Text_Begin(char *buffer, size_t size) {
    if (size > 0)
        buffer[0] = 0;
    return (Text){.buffer = buffer, .size = size, .length = 0};
}

/* Appends at most `length` characters of the string. */
static inline void Text_AppendPart(Text *text, const char *string, size_t length) {
    for (size_t i = 0; i < length && string[i]; i++)
        Text_AppendChar(text, string[i]);
}

static inline void Text_Append(Text *text, const char *string) {
    Text_AppendPart(text, string, SIZE_MAX);
}

static inline void Text_AppendDecimal(Text *text, uint64_t number) {
    char digits[20];
    int count = 0;
    do {
        digits[count++] = (char)('0' + (int)(number % 10));
        number /= 10;
    } while (number);
    while (count > 0)
        Text_AppendChar(text, digits[--count]);
}

/* Appends the lowest `digits` hexadecimal digits, in capitals. */
static inline void Text_AppendHex(Text *text, uint64_t number, int digits) {
    for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4)
        Text_AppendChar(text, "0123456789ABCDEF"[number >> shift & 0xF]);
}

#endif
