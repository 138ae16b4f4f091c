#include "core/digest.h"

#include "core/bytes.h"
#include "core/hex.h"

#include <string.h>

enum { BLOCK = 64, LENGTH_AT = 56 };

static const uint32_t round_constants[64] = {
    0x428A2F98, 0x71374491, 0xB5C0FBCF, 0xE9B5DBA5, 0x3956C25B, 0x59F111F1, 0x923F82A4, 0xAB1C5ED5,
    0xD807AA98, 0x12835B01, 0x243185BE, 0x550C7DC3, 0x72BE5D74, 0x80DEB1FE, 0x9BDC06A7, 0xC19BF174,
    0xE49B69C1, 0xEFBE4786, 0x0FC19DC6, 0x240CA1CC, 0x2DE92C6F, 0x4A7484AA, 0x5CB0A9DC, 0x76F988DA,
    0x983E5152, 0xA831C66D, 0xB00327C8, 0xBF597FC7, 0xC6E00BF3, 0xD5A79147, 0x06CA6351, 0x14292967,
    0x27B70A85, 0x2E1B2138, 0x4D2C6DFC, 0x53380D13, 0x650A7354, 0x766A0ABB, 0x81C2C92E, 0x92722C85,
    0xA2BFE8A1, 0xA81A664B, 0xC24B8B70, 0xC76C51A3, 0xD192E819, 0xD6990624, 0xF40E3585, 0x106AA070,
    0x19A4C116, 0x1E376C08, 0x2748774C, 0x34B0BCB5, 0x391C0CB3, 0x4ED8AA4A, 0x5B9CCA4F, 0x682E6FF3,
    0x748F82EE, 0x78A5636F, 0x84C87814, 0x8CC70208, 0x90BEFFFA, 0xA4506CEB, 0xBEF9A3F7, 0xC67178F2};

static const uint32_t initial_state[8] = {0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A,
                                          0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19};

static uint32_t RotateRight(uint32_t word, int bits) {
    return word >> bits | word << (32 - bits);
}

/* The variables have the names of the standard. */
static void Compress(uint32_t state[8], const uint8_t block[BLOCK]) {
    uint32_t words[64];
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];

    for (int i = 0; i < 16; i++)
        words[i] = Bytes_BigU32(block + (ptrdiff_t)4 * i);
    for (int i = 16; i < 64; i++) {
        uint32_t early = words[i - 15], late = words[i - 2];
        words[i] = words[i - 16] + (RotateRight(early, 7) ^ RotateRight(early, 18) ^ early >> 3) +
                   words[i - 7] + (RotateRight(late, 17) ^ RotateRight(late, 19) ^ late >> 10);
    }

    for (int i = 0; i < 64; i++) {
        const uint32_t sum1 = RotateRight(e, 6) ^ RotateRight(e, 11) ^ RotateRight(e, 25);
        const uint32_t first = h + sum1 + ((e & f) ^ (~e & g)) + round_constants[i] + words[i];
        const uint32_t sum0 = RotateRight(a, 2) ^ RotateRight(a, 13) ^ RotateRight(a, 22);
        const uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
        h = g;
        g = f;
        f = e;
        e = d + first;
        d = c;
        c = b;
        b = a;
        a = first + sum0 + majority;
    }
    const uint32_t added[8] = {a, b, c, d, e, f, g, h};
    for (int i = 0; i < 8; i++)
        state[i] += added[i];
}

void Digest_Begin(Digest *digest) {
    memcpy(digest->state, initial_state, sizeof digest->state);
    digest->size = 0;
}

void Digest_Add(Digest *digest, const void *bytes, size_t size) {
    const uint8_t *from = bytes;
    while (size > 0) {
        size_t filled = (size_t)(digest->size % BLOCK);
        size_t part = BLOCK - filled < size ? BLOCK - filled : size;
        const uint8_t *block = from;
        if (part < BLOCK) { /* a whole block is compressed where it lies */
            memcpy(digest->block + filled, from, part);
            block = digest->block;
        }
        digest->size += part;
        from += part;
        size -= part;
        if (filled + part == BLOCK)
            Compress(digest->state, block);
    }
}

void Digest_End(Digest *digest, char hex[DIGEST_HEX_BYTES]) {
    uint8_t bytes[32];
    static const uint8_t padding[BLOCK] = {0x80};
    uint64_t bits = digest->size * 8;
    uint8_t length[8];
    size_t filled = (size_t)(digest->size % BLOCK);
    Digest_Add(digest, padding, (filled < LENGTH_AT ? LENGTH_AT : BLOCK + LENGTH_AT) - filled);
    Bytes_PutBigU32(length, (uint32_t)(bits >> 32));
    Bytes_PutBigU32(length + 4, (uint32_t)bits);
    Digest_Add(digest, length, sizeof length);

    for (int i = 0; i < 8; i++)
        Bytes_PutBigU32(bytes + (ptrdiff_t)4 * i, digest->state[i]);
    Hex_Write(bytes, sizeof bytes, hex);
    hex[64] = 0;
}

void Digest_OfBytes(const void *bytes, size_t size, char hex[DIGEST_HEX_BYTES]) {
    Digest digest;
    Digest_Begin(&digest);
    Digest_Add(&digest, bytes, size);
    Digest_End(&digest, hex);
}
