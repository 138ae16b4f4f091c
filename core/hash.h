/* FNV-1a, the hash of G. Fowler, L. C. Noll and K.-P. Vo ("The FNV Non-Cryptographic Hash
 * Algorithm", draft-eastlake-fnv of the IETF). It tells apart what differs by accident. It does not
 * protect against intent: two texts with the same hash are easy to make. Where that matters,
 * core/digest.h has SHA-256.
 *
 * A hash is a running value: each call takes what the last one returned, so that hashing a text
 * piece by piece gives the hash of the whole text. No function here uses a C library or floating
 * point. */
#ifndef RETROPOSE_CORE_HASH_H
#define RETROPOSE_CORE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* The value to begin with; the authors call it the offset basis. */
#define HASH_FNV64_BEGIN UINT64_C(0xCBF29CE484222325)

/* One step of FNV-1a, for 32 and for 64 bits. The published hash takes one byte in each step. A
 * caller that passes whole words gets another number, which serves as well as long as the caller
 * compares it only with its own. */
static inline uint32_t Hash_Fnv32Step(uint32_t hash, uint32_t value) {
    return (hash ^ value) * UINT32_C(0x01000193);
}

static inline uint64_t Hash_Fnv64Step(uint64_t hash, uint64_t value) {
    return (hash ^ value) * UINT64_C(0x100000001B3);
}

/* Continues a 64-bit hash with these bytes. */
static inline uint64_t Hash_Fnv64(uint64_t hash, const void *bytes, size_t size) {
    const uint8_t *at = (const uint8_t *)bytes;
    for (size_t i = 0; i < size; i++)
        hash = Hash_Fnv64Step(hash, at[i]);
    return hash;
}

#endif
