#include "machine/interpreter/cache.h"

#include "machine/memory/machine_memory.h"
#include "machine/memory/sparse_table.h"

#include <stdlib.h>

#define BUCKETS    0x10000u
#define OPERATIONS 0x8000u

bool Cache_Init(Cache *cache) {
    cache->code = Table_Reserve(MACHINE_PAGE_COUNT * sizeof *cache->code);
    cache->on_page = Table_Reserve(MACHINE_PAGE_COUNT * sizeof *cache->on_page);
    cache->buckets = Table_Reserve(BUCKETS * sizeof *cache->buckets);
    cache->operations = Table_Reserve(OPERATIONS * sizeof *cache->operations);
    return cache->code && cache->on_page && cache->buckets && cache->operations;
}

void Cache_Free(Cache *cache) {
    for (uint32_t i = 0; i < cache->used; i++)
        free(cache->operations[i].decoded);
    Table_Release(cache->operations, OPERATIONS * sizeof *cache->operations);
    Table_Release(cache->buckets, BUCKETS * sizeof *cache->buckets);
    Table_Release(cache->on_page, MACHINE_PAGE_COUNT * sizeof *cache->on_page);
    Table_Release(cache->code, MACHINE_PAGE_COUNT * sizeof *cache->code);
}

Operation *Cache_Take(Cache *cache) {
    if (!cache->unused && cache->used == OPERATIONS)
        Cache_ForgetAll(cache);
    Operation *operation = cache->unused;
    if (operation)
        cache->unused = operation->on_page;
    else
        operation = &cache->operations[cache->used++];
    return operation;
}

void Cache_Return(Cache *cache, Operation *operation) {
    operation->on_page = cache->unused;
    cache->unused = operation;
}

void Cache_Keep(Cache *cache, Operation *operation) {
    uint32_t page = operation->address / MACHINE_PAGE, tail = (operation->end - 1) / MACHINE_PAGE;
    uint32_t bucket = Cache_Bucket(operation->address);
    operation->live = true;
    operation->on_page = cache->on_page[page];
    cache->on_page[page] = operation;
    operation->in_bucket = cache->buckets[bucket];
    cache->buckets[bucket] = operation;
    cache->code[page] |= CODE_HERE;
    if (tail != page)
        cache->code[tail] |= CODE_TAIL;
}

/* Forgets the instructions that begin on a page. */
static void DropPage(Cache *cache, uint32_t page) {
    for (Operation *drop = cache->on_page[page], *next; drop; drop = next) {
        next = drop->on_page;
        Operation **link = &cache->buckets[Cache_Bucket(drop->address)];
        while (*link != drop)
            link = &(*link)->in_bucket;
        *link = drop->in_bucket;
        drop->live = false;
        drop->following = NULL;
        Cache_Return(cache, drop);
    }
    cache->on_page[page] = NULL;
    cache->code[page] &= (uint8_t)~CODE_HERE;
}

/* Returns whether an instruction that begins on a page has a byte in a range. */
static bool Overlaps(const Cache *cache, uint32_t page, uint32_t address, uint32_t size) {
    const Operation *at = cache->on_page[page];
    while (at && at->address - address >= size && address - at->address >= at->end - at->address)
        at = at->on_page;
    return at;
}

void Cache_Forget(Cache *cache, uint32_t address, uint32_t size) {
    if (size == 0)
        return;
    /* Only pages with an instruction that overlaps are dropped, because data may be on the same
     * pages and may be written often. */
    uint32_t last = (uint32_t)(((uint64_t)address + size - 1) / MACHINE_PAGE);
    for (uint32_t i = address / MACHINE_PAGE; i <= last; i++) {
        uint32_t page = i % MACHINE_PAGE_COUNT, before = (page - 1) % MACHINE_PAGE_COUNT;
        uint8_t *code = &cache->code[page];
        if ((*code & CODE_TAIL) && Overlaps(cache, before, address, size)) {
            DropPage(cache, before);
            *code &= (uint8_t)~CODE_TAIL;
        }
        if ((*code & CODE_HERE) && Overlaps(cache, page, address, size))
            DropPage(cache, page);
    }
}

void Cache_ForgetAll(Cache *cache) {
    for (uint32_t i = 0; i < cache->used; i++) {
        Operation *operation = &cache->operations[i];
        if (operation->live)
            Cache_Forget(cache, operation->address, operation->end - operation->address);
    }
}
