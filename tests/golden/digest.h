/* Computes FNV-1a of everything that is added, in the order of adding. `hash` begins as
 * HASH_FNV64_BEGIN. */
#ifndef RETROPOSE_TESTS_GOLDEN_DIGEST_H
#define RETROPOSE_TESTS_GOLDEN_DIGEST_H

#include "core/hash.h"

#include <stddef.h>
#include <stdint.h>

typedef struct Digest {
    uint64_t calls, hash;
} Digest;

static inline void Digest_Add(Digest *digest, const void *bytes, size_t size) {
    digest->hash = Hash_Fnv64(digest->hash, bytes, size);
}

#endif
