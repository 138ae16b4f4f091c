#include "retropose/memory.h"

#include "core/bytes.h"
#include "core/callers.h"

#include <stdlib.h>
#include <string.h>

void *RpMemory_Resize(const RpAllocator *allocator, void *block, size_t size) {
    if (allocator) {
        const bool changed = Callers_Enter();
        void *resized = allocator->resize(allocator->context, block, size);
        Callers_Leave(changed);
        return resized;
    }
    if (size > 0)
        return realloc(block, size);
    free(block);
    return NULL;
}

void RpMemory_Free(const RpAllocator *allocator, void *block) {
    if (block)
        RpMemory_Resize(allocator, block, 0);
}

RpStatus RpMemory_Refused(RpError *error, const char *what) {
    return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "out of memory", what ? what : "", "", "");
}

void RpBuffer_Init(RpBuffer *buffer, const RpAllocator *allocator) {
    *buffer = (RpBuffer){.allocator = allocator};
}

void RpBuffer_Free(RpBuffer *buffer) {
    RpMemory_Free(buffer->allocator, buffer->bytes);
    RpBuffer_Init(buffer, buffer->allocator);
}

uint8_t *RpBuffer_Extend(RpBuffer *buffer, size_t size) {
    if (size > SIZE_MAX / 4 - buffer->size)
        buffer->failed = true;
    if (!buffer->failed && buffer->size + size > buffer->capacity) {
        const size_t needed = buffer->size + size;
        const size_t capacity = needed > 256 ? needed + needed / 2 : 256;
        uint8_t *bytes = RpMemory_Resize(buffer->allocator, buffer->bytes, capacity);
        if (bytes) {
            buffer->bytes = bytes;
            buffer->capacity = capacity;
        } else {
            buffer->failed = true;
        }
    }
    if (buffer->failed || size == 0)
        return NULL;
    uint8_t *added = buffer->bytes + buffer->size;
    memset(added, 0, size);
    buffer->size += size;
    return added;
}

bool RpBuffer_Append(RpBuffer *buffer, const void *bytes, size_t size) {
    uint8_t *added = RpBuffer_Extend(buffer, size);
    if (added)
        memcpy(added, bytes, size);
    return !buffer->failed;
}

bool RpBuffer_AppendU16(RpBuffer *buffer, uint16_t value) {
    uint8_t bytes[2];
    Bytes_PutU16(bytes, value);
    return RpBuffer_Append(buffer, bytes, sizeof bytes);
}

bool RpBuffer_AppendU32(RpBuffer *buffer, uint32_t value) {
    uint8_t bytes[4];
    Bytes_PutU32(bytes, value);
    return RpBuffer_Append(buffer, bytes, sizeof bytes);
}

bool RpBuffer_Align(RpBuffer *buffer, size_t alignment) {
    size_t padding = (alignment - buffer->size % alignment) % alignment;
    RpBuffer_Extend(buffer, padding);
    return !buffer->failed;
}

bool RpBuffer_AppendText(RpBuffer *buffer, const char *text) {
    return RpBuffer_Append(buffer, text, strlen(text));
}
