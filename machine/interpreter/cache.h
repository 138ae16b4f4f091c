/* The instructions that the interpreter has decoded. They are found by their address, or, when they
 * have to be forgotten, by their page. */
#ifndef RETROPOSE_MACHINE_INTERPRETER_CACHE_H
#define RETROPOSE_MACHINE_INTERPRETER_CACHE_H

#include "machine/interpreter/operation.h"

#define CODE_HERE 1u /* decoded instructions begin on the page */
#define CODE_TAIL 2u /* an instruction that begins on the page before ends on this page */

typedef struct Cache {
    uint8_t *code;       /* CODE_... bits of each page */
    Operation **on_page; /* for each page, the first of the instructions that begin on it */
    Operation **buckets; /* lists of instructions, by a hash of the address */
    Operation *operations, *unused;
    uint32_t used; /* how many of `operations` have been handed out at least once */
} Cache;

/* Fills a zeroed cache. Returns false when there is no memory; Cache_Free must then be called,
 * too. */
bool Cache_Init(Cache *cache);
void Cache_Free(Cache *cache);

/* Hands out room for an operation. Its `decoded` may be that of a forgotten one, to be used again.
 * If there is no room left, all operations are forgotten first. */
Operation *Cache_Take(Cache *cache);
/* Cache_Keep makes a filled operation findable. Cache_Return gives unused room back. */
void Cache_Keep(Cache *cache, Operation *operation);
void Cache_Return(Cache *cache, Operation *operation);
/* Forgets the instructions at these addresses. An operation stays readable until its room is handed
 * out again, because it may be running. */
void Cache_Forget(Cache *cache, uint32_t address, uint32_t size);
void Cache_ForgetAll(Cache *cache);

/* The hash puts neighbours, and also addresses that are a power of two apart, into different
 * buckets. */
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
