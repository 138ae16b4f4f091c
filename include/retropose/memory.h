/* Memory that the library allocates: all of it through an allocator, in growable buffers.
 *
 * A null `const RpAllocator *` means the C library's heap everywhere. An allocator may refuse; the
 * call that asked then returns RP_NO_MEMORY and leaves its arguments as they were.
 */
#ifndef RETROPOSE_MEMORY_H
#define RETROPOSE_MEMORY_H

#include "api.h"
#include "error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

RP_API_BEGIN

typedef struct RpAllocator {
    /* As realloc: a null `block` allocates. `size` 0 frees and returns null. */
    void *(*resize)(void *context, void *block, size_t size);
    void *context;
} RpAllocator;

void *RpMemory_Resize(const RpAllocator *allocator, void *block, size_t size);
void RpMemory_Free(const RpAllocator *allocator, void *block);
/* Sets RP_NO_MEMORY with `what` (may be null) and returns it. */
RpStatus RpMemory_Refused(RpError *error, const char *what);

/* Bytes that grow at their end. After a refused allocation `failed` is set and stays set, and
 * everything appended since is lost: a writer checks once, at its end. */
typedef struct RpBuffer {
    uint8_t *bytes;
    size_t size, capacity;
    const RpAllocator *allocator;
    bool failed;
} RpBuffer;

void RpBuffer_Init(RpBuffer *buffer, const RpAllocator *allocator);
void RpBuffer_Free(RpBuffer *buffer);
/* `size` zero bytes at the end, to be filled in; null when `failed` or size is 0. */
uint8_t *RpBuffer_Extend(RpBuffer *buffer, size_t size);
bool RpBuffer_Append(RpBuffer *buffer, const void *bytes, size_t size);
bool RpBuffer_AppendU16(RpBuffer *buffer, uint16_t value);
bool RpBuffer_AppendU32(RpBuffer *buffer, uint32_t value);
/* Zero bytes up to the next multiple of `alignment`, a power of two. */
bool RpBuffer_Align(RpBuffer *buffer, size_t alignment);
/* Text, without its NUL. */
bool RpBuffer_AppendText(RpBuffer *buffer, const char *text);
bool RpBuffer_Print(RpBuffer *buffer, const char *format, ...)
#ifdef __GNUC__
#ifdef __MINGW32__
    __attribute__((format(gnu_printf, 2, 3)))
#else
    __attribute__((format(printf, 2, 3)))
#endif
#endif
    ;

RP_API_END

#endif
