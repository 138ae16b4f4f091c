/* FNV-1a of everything that is added, in that order. */
#ifndef RETROPOSE_TESTS_GOLDEN_DIGEST_H
#define RETROPOSE_TESTS_GOLDEN_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#define FNV_START 0xCBF29CE484222325u

typedef struct Digest {
    uint64_t calls, hash;
} Digest;

static inline void Digest_Add(Digest *digest, const void *bytes, size_t size) {
    const uint8_t *byte = bytes;
    for (size_t i = 0; i < size; i++)
        digest->hash = (digest->hash ^ byte[i]) * 0x100000001B3u;
}

#endif
