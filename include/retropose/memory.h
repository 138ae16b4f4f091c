/* Memory that the library allocates: every allocation goes through an allocator, mostly into
 * buffers that grow.
 *
 * A null `const RpAllocator *` means the C library's heap everywhere. An allocator may refuse; the
 * call that asked for memory then returns RP_NO_MEMORY and leaves its arguments as they were.
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
    /* Behaves like realloc: a null `block` allocates. A `size` of 0 frees the block and returns
     * null. */
    void *(*resize)(void *context, void *block, size_t size);
    void *context;
} RpAllocator;

/* Resizes a block as RpAllocator's `resize` does. Returns null for a refusal, and for a size of
 * 0. */
void *RpMemory_Resize(const RpAllocator *allocator, void *block, size_t size);
/* Frees a block, which may be null. */
void RpMemory_Free(const RpAllocator *allocator, void *block);
/* Fills `error` with RP_NO_MEMORY and `what`, which may be null, and returns RP_NO_MEMORY. */
RpStatus RpMemory_Refused(RpError *error, const char *what);

/* Bytes that grow at their end. After a refused allocation `failed` is set and stays set, and
 * everything appended since is lost. A writer therefore needs to check only once, at its end. */
typedef struct RpBuffer {
    uint8_t *bytes;
    size_t size, capacity;
    const RpAllocator *allocator;
    bool failed;
} RpBuffer;

/* Makes an empty buffer. A null allocator is the C library's heap. */
void RpBuffer_Init(RpBuffer *buffer, const RpAllocator *allocator);
/* Frees the bytes, and leaves the buffer empty with its allocator. */
void RpBuffer_Free(RpBuffer *buffer);
/* Appends `size` zero bytes and returns them to be filled in; null when `failed` is set or `size`
 * is 0. */
uint8_t *RpBuffer_Extend(RpBuffer *buffer, size_t size);
/* Appends a copy of `size` bytes. Returns false where the buffer has failed, here and below. */
bool RpBuffer_Append(RpBuffer *buffer, const void *bytes, size_t size);
/* Appends a number of 16 bits, the low byte first. */
bool RpBuffer_AppendU16(RpBuffer *buffer, uint16_t value);
/* Appends a number of 32 bits, the low byte first. */
bool RpBuffer_AppendU32(RpBuffer *buffer, uint32_t value);
/* Appends zero bytes up to the next multiple of `alignment`, a power of two. */
bool RpBuffer_Align(RpBuffer *buffer, size_t alignment);
/* Appends a text without its NUL. */
bool RpBuffer_AppendText(RpBuffer *buffer, const char *text);
/* Appends text formatted as printf does. */
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
