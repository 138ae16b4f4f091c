#include "sha256.h"

#include <gcrypt.h>
#include <stdint.h>

void Sha256_Hex(const void *bytes, size_t size, char hex[SHA256_HEX_SIZE]) {
    static const char digits[] = "0123456789abcdef";
    uint8_t digest[32];
    gcry_check_version(NULL); /* the library's own initialisation; any number of times */
    gcry_md_hash_buffer(GCRY_MD_SHA256, digest, bytes, size);
    for (size_t i = 0; i < sizeof digest; i++) {
        hex[2 * i] = digits[digest[i] >> 4];
        hex[2 * i + 1] = digits[digest[i] & 15];
    }
    hex[SHA256_HEX_SIZE - 1] = 0;
}
