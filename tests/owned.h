/* Variables that free themselves. */
#ifndef RETROPOSE_TESTS_OWNED_H
#define RETROPOSE_TESTS_OWNED_H

#include <stdlib.h>
#include <string.h>

/* Declares a variable that Type_Free() frees where its block ends. A test that fails leaves it. */
#define OWNED(Type) __attribute__((cleanup(Type##_Free))) Type

/* Begins the declaration of a pointer whose block free() frees there. */
#define HEAP __attribute__((cleanup(FreeAt)))

static inline void FreeAt(void *pointer) {
    void *block;
    memcpy(&block, pointer, sizeof block);
    free(block);
}

#endif
