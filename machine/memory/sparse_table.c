#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "machine/memory/sparse_table.h"

/* LeakSanitizer does not look into memory from mmap. It would report what a table points to as
 * lost. */
#if defined(__SANITIZE_ADDRESS__)
#define IS_WATCHED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_WATCHED 1
#endif
#endif

#if defined(__linux__) && !defined(IS_WATCHED)

#include <sys/mman.h>

/* calloc would do until the first table is freed. After that, glibc keeps that much memory at hand,
 * and clears it each time. */
void *Table_Reserve(size_t bytes) {
    void *table = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return table == MAP_FAILED ? NULL : table;
}

void Table_Release(void *table, size_t bytes) {
    if (table)
        munmap(table, bytes);
}

#else

#include <stdlib.h>

void *Table_Reserve(size_t bytes) {
    return calloc(1, bytes);
}

void Table_Release(void *table, size_t bytes) {
    (void)bytes;
    free(table);
}

#endif
