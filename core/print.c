/* Appends formatted text to a buffer. This is not a part of memory.c, because Ngi32.dll uses that
 * and has no C library. */
#include "retropose/memory.h"

#include <stdarg.h>
#include <stdio.h>

bool RpBuffer_Print(RpBuffer *buffer, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    /* vsnprintf also writes a NUL, and the room for it is given back afterwards. */
    char *text = length >= 0 ? (char *)RpBuffer_Extend(buffer, (size_t)length + 1) : NULL;
    if (text) {
        vsnprintf(text, (size_t)length + 1, format, again);
        buffer->size--;
    } else {
        buffer->failed = true;
    }
    va_end(again);
    return !buffer->failed;
}
