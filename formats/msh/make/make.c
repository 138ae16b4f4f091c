#include "formats/msh/make/make.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

void *Make_Array(const RpAllocator *allocator, size_t count, size_t element_bytes) {
    if (count == 0 || count > SIZE_MAX / 2 / element_bytes)
        return NULL;
    void *array = RpMemory_Resize(allocator, NULL, count * element_bytes);
    if (array)
        memset(array, 0, count * element_bytes);
    return array;
}

RpStatus Make_Refuse(RpError *error, RpStatus status, const char *what, const char *thing,
                     uint64_t index, const char *expected, const char *found, ...) {
    char where[64], text[160];
    snprintf(where, sizeof where, "%s %" PRIu64, thing, index);
    va_list arguments;
    va_start(arguments, found);
    vsnprintf(text, sizeof text, found, arguments);
    va_end(arguments);
    return RpError_Set(error, status, RP_NOWHERE, what, where, expected, text);
}

void Make_AppendLabel(RpBuffer *buffer, const char *label) {
    size_t length = label ? strlen(label) : 0;
    RpBuffer_AppendU32(buffer, (uint32_t)length);
    if (length > 0)
        RpBuffer_Append(buffer, label, length + 1);
}
