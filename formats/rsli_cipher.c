/* The cipher of RsLi tables and XOR payloads (facts/formats.md B.2). */
#include "retropose/rsli.h"

RpRsLiCipher RpRsLiCipher_Start(uint32_t key) {
    return (RpRsLiCipher){.low = (uint8_t)key, .high = (uint8_t)(key >> 8)};
}

void RpRsLiCipher_Apply(RpRsLiCipher *cipher, const uint8_t *input, size_t size, uint8_t *output) {
    uint32_t low = cipher->low, high = cipher->high;
    for (size_t i = 0; i < size; i++) {
        low = high ^ (low << 1 & 0xFF);
        output[i] = (uint8_t)(input[i] ^ low);
        high = low ^ high >> 1;
    }
    *cipher = (RpRsLiCipher){.low = (uint8_t)low, .high = (uint8_t)high};
}
