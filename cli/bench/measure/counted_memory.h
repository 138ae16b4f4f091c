/* Memory that counts what it hands out and can refuse it, for tests, fuzz targets and benches. */
#ifndef RETROPOSE_CLI_BENCH_MEASURE_COUNTED_MEMORY_H
#define RETROPOSE_CLI_BENCH_MEASURE_COUNTED_MEMORY_H

#include "retropose/memory.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Counts requests. With all fields zero, it grants every request. */
typedef struct CountedMemory {
    size_t bytes, blocks; /* in use at present */
    size_t peak;          /* the most bytes that were in use at once */
    size_t calls;         /* requests for memory until now, refused ones included */
    size_t refuse_from;   /* the number of the first request to refuse, counted from 0 */
    size_t refuse;        /* how many are refused from there on; SIZE_MAX: all */
} CountedMemory;

/* Stands in front of each block, as long as the strictest alignment. */
typedef struct CountedHead {
    uint64_t size, guard;
} CountedHead;

#define COUNTED_GUARD 0x5AFE0B10C4A11D00u

/* A block that is resized always moves. That is the case that needs most memory, and it shows when
 * somebody still uses a pointer to the old place. */
static inline void *CountedMemory_Resize(void *context, void *block, size_t size) {
    CountedMemory *memory = context;
    CountedHead *head = block ? (CountedHead *)block - 1 : NULL, *resized = NULL;
    if (head && head->guard != COUNTED_GUARD)
        abort(); /* something wrote in front of the block, or it is not one of these */
    const size_t before = head ? (size_t)head->size : 0;
    if (size != 0) {
        const size_t call = memory->calls++;
        if (call >= memory->refuse_from && call - memory->refuse_from < memory->refuse)
            return NULL;
        if (size > SIZE_MAX - sizeof *resized || !(resized = malloc(sizeof *resized + size)))
            return NULL;
        *resized = (CountedHead){.size = size, .guard = COUNTED_GUARD};
        if (head)
            memcpy(resized + 1, block, before < size ? before : size);
        memory->blocks++;
        memory->bytes += size;
        if (memory->bytes > memory->peak)
            memory->peak = memory->bytes;
    }
    if (head) {
        memory->blocks--;
        memory->bytes -= before;
        head->guard = 0;
        free(head);
    }
    return resized ? resized + 1 : NULL;
}

static inline RpAllocator CountedMemory_Allocator(CountedMemory *memory) {
    return (RpAllocator){.resize = CountedMemory_Resize, .context = memory};
}

#endif
