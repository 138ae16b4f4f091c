/* Conversions of texts in models and in glTF: between Windows-1251 and UTF-8, to and from base64,
 * and numbers behind a word. */
#ifndef RETROPOSE_CORE_TEXT_ENCODING_H
#define RETROPOSE_CORE_TEXT_ENCODING_H

#include "retropose/memory.h"

/* Converts up to `length` bytes of Windows-1251 into a terminated UTF-8 text. Every byte becomes a
 * different character (0x98, which the code page leaves out, becomes U+0098), so that nothing is
 * lost. `text` has 3 * length + 1 bytes. */
void Text1251_ToUtf8(const char *bytes, size_t length, char *text);
/* Does the same for people to read: control characters, and 0x98, which has no letter, become \xNN.
 * `text` has `size` bytes. The whole result takes up to 4 * length + 1 bytes; characters that do
 * not fit are left out. */
void Text1251_Show(const char *bytes, size_t length, char *text, size_t size);
/* Converts back into at most `size` bytes, without a terminator. Characters outside the code page
 * become '?'. Returns the number of bytes. *exact becomes false when something was replaced or
 * cut. */
size_t Text1251_FromUtf8(const char *text, char *bytes, size_t size, bool *exact);
/* Makes the capital letters of a UTF-8 text that Windows-1251 has small ones, in place. File
 * systems that do not tell the two apart take names for the same that are equal then. */
void Text1251_Fold(char *text);

/* Both append their result. The encoded text has no NUL. The result is false for text that is not
 * base64, or when the buffer fails. */
bool Base64_Encode(const uint8_t *bytes, size_t size, RpBuffer *text);
bool Base64_Decode(const char *text, size_t length, RpBuffer *bytes);

/* Removes `word` and the number after it from the front of *text. The result is false, and nothing
 * is removed, when they are not there or when the number is above `limit`. `base` is 10 or 16. */
bool Text_TakeNumber(const char **text, const char *word, uint32_t base, uint32_t limit,
                     uint32_t *number);

#endif
