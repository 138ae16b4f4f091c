/* The libraries allocate with these functions if their caller brings no allocator, and the callers
 * in this DLL bring none. */
#include <stdlib.h>
#include <windows.h>

void *realloc(void *block, size_t size) {
    return block ? HeapReAlloc(GetProcessHeap(), 0, block, size)
                 : HeapAlloc(GetProcessHeap(), 0, size);
}

void free(void *block) {
    if (block)
        HeapFree(GetProcessHeap(), 0, block);
}
