/* Appends formatted text to a buffer. This is not a part of memory.c, because Ngi32.dll uses that
 * and has no C library. */
#include "core/numerals.h"
#include "retropose/memory.h"

#include <stdarg.h>
#include <stdio.h>

bool RpBuffer_Print(RpBuffer *buffer, const char *format, ...) {
    va_list arguments, again;
    CallersNumerals callers;
    Numerals_Enter(&callers);
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    Numerals_Leave(&callers); /* the allocator is the caller's */
    /* vsnprintf also writes a NUL, and the room for it is given back afterwards. */
    char *text = length >= 0 ? (char *)RpBuffer_Extend(buffer, (size_t)length + 1) : NULL;
    if (text) {
        Numerals_Enter(&callers);
        vsnprintf(text, (size_t)length + 1, format, again);
        Numerals_Leave(&callers);
        buffer->size--;
    } else {
        buffer->failed = true;
    }
    va_end(again);
    return !buffer->failed;
}
