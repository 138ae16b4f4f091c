/* What the libraries refer to where their caller brings no allocator; ours do. */
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
