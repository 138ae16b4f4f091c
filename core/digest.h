/* SHA-256 (FIPS 180-4) without a library. Our DLLs compute it over an original DLL while the
 * system's loader waits for them. The system's own provider would have to be loaded at that moment,
 * by a path from the registry, and Windows versions of the game's time have none at all. */
#ifndef RETROPOSE_CORE_DIGEST_H
#define RETROPOSE_CORE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#define DIGEST_HEX_BYTES 65

typedef struct Digest {
    uint32_t state[8];
    uint64_t size;
    uint8_t block[64]; /* the first size % 64 bytes are filled */
} Digest;

void Digest_Begin(Digest *digest);
void Digest_Add(Digest *digest, const void *bytes, size_t size);
/* Writes 64 lower-case digits and a NUL. */
void Digest_End(Digest *digest, char hex[DIGEST_HEX_BYTES]);
/* Digest_Begin, Digest_Add and Digest_End in one call, for bytes that are all in memory. */
void Digest_OfBytes(const void *bytes, size_t size, char hex[DIGEST_HEX_BYTES]);

#endif
