/* SHA-256 of bytes in memory, as 64 hexadecimal digits. */
#ifndef RETROPOSE_REPLAY_SHA256_H
#define RETROPOSE_REPLAY_SHA256_H

#include <stddef.h>

#define SHA256_HEX_SIZE 65

void Sha256_Hex(const void *bytes, size_t size, char hex[SHA256_HEX_SIZE]);

#endif
