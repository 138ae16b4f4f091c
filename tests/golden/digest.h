/* Computes FNV-1a of everything that is added, in the order of adding. `hash` begins as
 * HASH_FNV64_BEGIN. */
#ifndef RETROPOSE_TESTS_GOLDEN_DIGEST_H
#define RETROPOSE_TESTS_GOLDEN_DIGEST_H

#include "core/hash.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct Digest {
    uint64_t calls, hash;
} Digest;

static inline void Digest_Add(Digest *digest, const void *bytes, size_t size) {
    digest->hash = Hash_Fnv64(digest->hash, bytes, size);
}

/* Prints a line (digests.c). Where the digest is of one build or class, its name stands before that
 * of the function. */
static inline void Digest_Print(const char *section, const char *build, const char *function,
                                const char *dependence, const Digest *digest) {
    printf("%s %s%s%s %s %" PRIu64 " %016" PRIx64 "\n", section, build ? build : "",
           build ? "." : "", function, dependence, digest->calls, digest->hash);
}

#endif
