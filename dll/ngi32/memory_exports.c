/* The memory exports: a heap that belongs to the DLL (facts/ngi32.md D.1). */
#include "dll/ngi32/module.h"

#include <stdlib.h>

static HANDLE heap;

BOOL Memory_Open(void) {
    heap = HeapCreate(0, 0, 0);
    return heap != NULL;
}

void Memory_Close(void) {
    HeapDestroy(heap);
}

void *Memory_Allocate(size_t size) {
    return HeapAlloc(heap, 0, size);
}

void *Memory_Shrink(void *block, size_t size) {
    /* If this is refused, the block remains longer than necessary. */
    HeapReAlloc(heap, HEAP_REALLOC_IN_PLACE_ONLY, block, size);
    return block;
}

void Memory_Free(void *block) {
    if (block)
        HeapFree(heap, 0, block);
}

/* zlib and RpMemory refer to malloc and free, for callers without an allocator. All our calls bring
 * one, but the linker still needs the symbols. */
void *malloc(size_t size) {
    return Memory_Allocate(size);
}

void *realloc(void *block, size_t size) {
    return block ? HeapReAlloc(heap, 0, block, size) : Memory_Allocate(size);
}

void free(void *block) {
    Memory_Free(block);
}

ABI_PROTO_ngi32_ngiAlloc(ngiAlloc) {
    void *block = Memory_Allocate(size);
    if (!block) {
        char message[FATAL_MESSAGE_BYTES];
        Fatal_Describe(FATAL_OUT_OF_MEMORY, message);
        Errors_End(message);
    }
    return (uintptr_t)block;
}

ABI_PROTO_ngi32_ngiFree(ngiFree) {
    if (!IsBadWritePtr((void *)block, sizeof(uint32_t)))
        Memory_Free((void *)block);
}

ABI_PROTO_ngi32_ngiGetMemSize(ngiGetMemSize) {
    return HeapSize(heap, 0, (const void *)block);
}
