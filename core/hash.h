/* FNV-1a, the hash of G. Fowler, L. C. Noll and K.-P. Vo ("The FNV Non-Cryptographic Hash
 * Algorithm", draft-eastlake-fnv of the IETF). It tells apart what differs by accident. Whoever
 * wants to can make two texts that have the same hash; where that matters, core/digest.h has
 * SHA-256.
 *
 * A hash is a running value: each call takes what the last one returned, so that pieces of a text
 * give the hash of the whole. No function here uses a C library, nor floating point. */
#ifndef RETROPOSE_CORE_HASH_H
#define RETROPOSE_CORE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* The value to begin with, which the authors call the offset basis. */
#define HASH_FNV64_BEGIN UINT64_C(0xCBF29CE484222325)

/* One step of FNV-1a for 32 and for 64 bits. The published hash takes a byte in each step. A caller
 * that gives whole words gets another number, which serves as well for comparing its own results
 * with each other. */
static inline uint32_t Hash_Fnv32Step(uint32_t hash, uint32_t value) {
    return (hash ^ value) * UINT32_C(0x01000193);
}

static inline uint64_t Hash_Fnv64Step(uint64_t hash, uint64_t value) {
    return (hash ^ value) * UINT64_C(0x100000001B3);
}

/* Returns FNV-1a of 64 bits of what `hash` stands for, followed by these bytes. */
static inline uint64_t Hash_Fnv64(uint64_t hash, const void *bytes, size_t size) {
    const uint8_t *at = (const uint8_t *)bytes;
    for (size_t i = 0; i < size; i++)
        hash = Hash_Fnv64Step(hash, at[i]);
    return hash;
}

#endif
