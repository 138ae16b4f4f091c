/* A hash of 128 bits that stands for the content of a memory. Equal contents have equal hashes. Two
 * contents will not share one by chance, but somebody who tries can make two that do.
 *
 * There are four lanes of 32 bits, because i686 multiplies these. Each step is a permutation of
 * the state, so no word of the input is lost. */
#ifndef RETROPOSE_DLL_OBSERVE_FINGERPRINT_H
#define RETROPOSE_DLL_OBSERVE_FINGERPRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct Fingerprint {
    uint32_t lanes[4];
} Fingerprint;

static inline uint32_t Fingerprint_Rotate(uint32_t word, int bits) {
    return word << bits | word >> (32 - bits);
}

static inline Fingerprint Fingerprint_Start(uint32_t seed) {
    return (Fingerprint){{seed ^ 0x243F6A88u, 0x85A308D3u, 0x13198A2Eu, 0x03707344u}};
}

static inline void Fingerprint_AddWord(Fingerprint *hash, uint32_t word) {
    uint32_t *lanes = hash->lanes, first = lanes[0] ^ word * 0x9E3779B1u;
    first = Fingerprint_Rotate(first, 15) * 0x85EBCA77u + lanes[1];
    lanes[0] = lanes[1];
    lanes[1] = lanes[2] ^ Fingerprint_Rotate(first, 7);
    lanes[2] = lanes[3] + first;
    lanes[3] = first;
}

static inline void Fingerprint_Add(Fingerprint *hash, const void *bytes, size_t size) {
    const uint8_t *next = bytes;
    uint32_t word;
    for (; size >= sizeof word; size -= sizeof word, next += sizeof word) {
        memcpy(&word, next, sizeof word);
        Fingerprint_AddWord(hash, word);
    }
    word = 0;
    for (size_t i = 0; i < size; i++)
        word |= (uint32_t)next[i] << 8 * i;
    Fingerprint_AddWord(hash, word);
    Fingerprint_AddWord(hash, (uint32_t)size);
}

/* Lets every bit of the state reach every bit of the result. */
static inline Fingerprint Fingerprint_End(Fingerprint hash) {
    for (uint32_t i = 0; i < 8; i++)
        Fingerprint_AddWord(&hash, i);
    return hash;
}

static inline bool Fingerprint_Equal(const Fingerprint *a, const Fingerprint *b) {
    return ((a->lanes[0] ^ b->lanes[0]) | (a->lanes[1] ^ b->lanes[1]) |
            (a->lanes[2] ^ b->lanes[2]) | (a->lanes[3] ^ b->lanes[3])) == 0;
}

#endif
