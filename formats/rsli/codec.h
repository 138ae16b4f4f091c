/* The decoders of RsLi's methods, and what they share. Ngi32.dll links them, so they do not use a C
 * library. */
#ifndef RETROPOSE_FORMATS_RSLI_CODEC_H
#define RETROPOSE_FORMATS_RSLI_CODEC_H

#include "retropose/rsli.h"

/* LZSS and LZHUF look back into a ring of this size, which consists of spaces at first. The ring is
 * not stored. Byte p of the output would be in the ring at (start + p) mod RING_BYTES. So a
 * position in the ring is a distance back from the next byte, and everything before the first byte
 * is a space. */
enum {
    RING_BYTES = 4096,
    RING_FILL = 0x20,
    LZSS_LEAST = 3,
    LZSS_MOST = 18,
    LZSS_START = RING_BYTES - LZSS_MOST, /* 0xFEE */
    LZHUF_LEAST = 3,
    LZHUF_MOST = 60
};

/* Packed bytes. With a key, they are decrypted piece by piece. */
typedef struct RsLiInput {
    const uint8_t *at, *end; /* can be read now */
    const uint8_t *locked;   /* still to be decrypted */
    size_t locked_size;
    uint8_t *chunk; /* RSLI_CHUNK_BYTES */
    RpRsLiCipher cipher;
} RsLiInput;

enum { RSLI_CHUNK_BYTES = 16384 };

RsLiInput RsLiInput_Plain(const uint8_t *packed, size_t size);
RsLiInput RsLiInput_Keyed(const uint8_t *packed, size_t size, uint32_t key, uint8_t *chunk);
/* Decrypts more bytes. Bytes that were not read yet are kept. */
void RsLiInput_Refill(RsLiInput *input);
static inline size_t RsLiInput_Readable(const RsLiInput *input) {
    return (size_t)(input->end - input->at);
}
static inline size_t RsLiInput_Left(const RsLiInput *input) {
    return RsLiInput_Readable(input) + input->locked_size;
}

/* Copies a match of the ring to output[done ...]; `distance` is 1 to RING_BYTES. */
static inline void RsLi_CopyMatch(uint8_t *output, size_t done, size_t distance, size_t length) {
    for (size_t i = done; i < done + length; i++)
        output[i] = i >= distance ? output[i - distance] : RING_FILL;
}

/* The result is false when the input ends too early. */
bool Lzss_Decode(RsLiInput *input, uint8_t *output, size_t size, uint64_t *unwritten);
/* `work` of LzHuf_WorkBytes(), aligned for pointers. */
size_t LzHuf_WorkBytes(void);
bool LzHuf_Decode(RsLiInput *input, uint8_t *output, size_t size, void *work);
RpStatus Inflate_Decode(const uint8_t *packed, size_t packed_size, uint8_t *output, size_t size,
                        void *work, uint64_t *consumed, RpError *error);

#endif
