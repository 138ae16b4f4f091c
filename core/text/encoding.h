/* Texts of models and of glTF: Windows-1251 and UTF-8, base64, small formats. */
#ifndef RETROPOSE_CORE_TEXT_ENCODING_H
#define RETROPOSE_CORE_TEXT_ENCODING_H

#include "retropose/memory.h"

/* Windows-1251, up to `length` bytes, into a terminated UTF-8 text; every byte has its own
 * character (0x98, which the code page leaves out, is U+0098), so that nothing is lost. `text` has
 * 3 * length + 1 bytes. */
void Text1251_ToUtf8(const char *bytes, size_t length, char *text);
/* Back: at most `size` bytes, not terminated; characters outside the code page become '?'. Returns
 * the number of bytes; *exact is false when something was replaced or cut. */
size_t Text1251_FromUtf8(const char *text, char *bytes, size_t size, bool *exact);

/* Both append; the encoded text has no NUL. False for text that is not base64 or when the buffer
 * fails. */
bool Base64_Encode(const uint8_t *bytes, size_t size, RpBuffer *text);
bool Base64_Decode(const char *text, size_t length, RpBuffer *bytes);

/* Takes `word` and the number after it off the front of *text; false, and nothing taken, when they
 * are not there or the number is above `limit`. base: 10 or 16. */
bool Text_TakeNumber(const char **text, const char *word, uint32_t base, uint32_t limit,
                     uint32_t *number);

uint32_t Gltf_Crc(const uint8_t *bytes, size_t size);

#endif
