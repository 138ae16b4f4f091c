/* SHA-256 (FIPS 180-4) without a library: an original is looked at while the system's loader waits
 * for us, and the system's own provider would have to be loaded then, by a path out of the
 * registry. Windows of the game's time has none at all. */
#ifndef RETROPOSE_CORE_DIGEST_H
#define RETROPOSE_CORE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#define DIGEST_HEX_BYTES 65

typedef struct Digest {
    uint32_t state[8];
    uint64_t size;
    uint8_t block[64]; /* size % 64 bytes of it are filled */
} Digest;

void Digest_Begin(Digest *digest);
void Digest_Add(Digest *digest, const void *bytes, size_t size);
/* 64 lower-case digits and a NUL. */
void Digest_End(Digest *digest, char hex[DIGEST_HEX_BYTES]);
/* The three in one, for bytes that are all in memory. */
void Digest_OfBytes(const void *bytes, size_t size, char hex[DIGEST_HEX_BYTES]);

#endif
