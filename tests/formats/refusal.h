/* An allocator for tests of refused memory: it refuses a chosen call and counts its blocks. */
#ifndef RETROPOSE_TESTS_FORMATS_REFUSAL_H
#define RETROPOSE_TESTS_FORMATS_REFUSAL_H

#include "retropose/memory.h"

#include <stdlib.h>

typedef struct Refusal {
    int left;       /* number of calls that succeed before one is refused */
    bool once;      /* refuses only one call, not all that follow */
    int live;       /* number of blocks that are in use */
    size_t largest; /* size of any call, granted or not */
} Refusal;

static inline void *Refusal_Resize(void *context, void *block, size_t size) {
    Refusal *refusal = context;
    if (size == 0) {
        refusal->live -= block != NULL;
        free(block);
        return NULL;
    }
    refusal->largest = size > refusal->largest ? size : refusal->largest;
    const bool granted = refusal->left > 0 || (refusal->once && refusal->left < 0);
    refusal->left -= refusal->left > 0 || (refusal->once && refusal->left == 0);
    if (!granted)
        return NULL;
    refusal->live += block == NULL;
    return realloc(block, size);
}

static inline RpAllocator Refusal_Allocator(Refusal *refusal) {
    return (RpAllocator){.resize = Refusal_Resize, .context = refusal};
}

#endif
