/* The instructions that the interpreter has decoded, found by address, and by page where they have
 * to be forgotten. */
#ifndef RETROPOSE_MACHINE_INTERPRETER_CACHE_H
#define RETROPOSE_MACHINE_INTERPRETER_CACHE_H

#include "machine/interpreter/operation.h"

#define CODE_HERE 1u /* the page has decoded instructions */
#define CODE_TAIL 2u /* the page has the end of one that begins on the page before */

typedef struct Cache {
    uint8_t *code;       /* for each page CODE_... */
    Operation **on_page; /* for each page the instructions that begin there */
    Operation **buckets; /* by a hash of the address */
    Operation *operations, *unused;
    uint32_t used; /* of `operations`, that were handed out at least once */
} Cache;

/* Fills a zeroed cache. False: there is no memory, and Cache_Free has to take back what there is.
 */
bool Cache_Init(Cache *cache);
void Cache_Free(Cache *cache);

/* Hands out the place of an operation, whose `decoded` may be used again. Where none is left, all
 * are forgotten first. */
Operation *Cache_Take(Cache *cache);
/* Makes a filled operation findable, or gives its place back. */
void Cache_Keep(Cache *cache, Operation *operation);
void Cache_Return(Cache *cache, Operation *operation);
/* Forgets what was decoded at these addresses. What it was stays readable until its place is taken
 * again, for it may be running. */
void Cache_Forget(Cache *cache, uint32_t address, uint32_t size);
void Cache_ForgetAll(Cache *cache);

/* Neighbours must not share a bucket with what lies a power of two behind them. */
static inline uint32_t Cache_Bucket(uint32_t address) {
    return address * 2654435761u >> 16;
}

/* Returns the operation at an address, or null. */
static inline Operation *Cache_Find(const Cache *cache, uint32_t address) {
    Operation *operation = cache->buckets[Cache_Bucket(address)];
    while (operation && operation->address != address)
        operation = operation->in_bucket;
    return operation;
}

#endif
