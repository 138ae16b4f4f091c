/* The LZSS decoder (facts/formats.md B.5). */
#include "formats/rsli/codec.h"

#include <string.h>

enum {
    GROUP_BYTES = 17,                  /* a control byte and eight matches */
    GROUP_OUTPUT = 8 * LZSS_MOST + 24, /* also holds what the last copy writes too much */
    UNFILLED = LZSS_MOST /* ring bytes from LZSS_START on, which the game does not fill */
};

/* Returns the distance of a match. Its two bytes contain a position in the ring; the next output
 * byte would go to LZSS_START + done. */
static inline size_t Distance(const uint8_t *match, size_t done) {
    size_t position = match[0] | (size_t)(match[1] & 0xF0) << 4;
    size_t distance = (LZSS_START + done - position) % RING_BYTES;
    return distance ? distance : RING_BYTES;
}

static inline size_t Length(const uint8_t *match) {
    return (size_t)(match[1] & 0x0F) + LZSS_LEAST;
}

/* Copies up to 24 bytes in one go, which may write past `length`. */
static inline void CopyFast(uint8_t *to, size_t distance, size_t length) {
    const uint8_t *from = to - distance;
    if (distance < 8) {
        for (size_t i = 0; i < length; i++)
            to[i] = from[i];
        return;
    }
    memcpy(to, from, 8);
    memcpy(to + 8, from + 8, 8);
    if (length > 16)
        memcpy(to + 16, from + 16, 8);
}

/* Returns how many bytes of a match, the oldest ones, are in the part of the ring to which the game
 * has not written. */
static uint64_t Unwritten(size_t done, size_t distance, size_t length) {
    size_t before = distance > done ? distance - done : 0; /* before output byte 0 */
    size_t filled = RING_BYTES - UNFILLED;
    size_t unwritten = before > filled ? before - filled : 0;
    return unwritten < length ? unwritten : length;
}

/* Decodes a control byte and its eight items. There must be room for them in the input and in the
 * output. */
static const uint8_t *DecodeGroup(const uint8_t *at, uint8_t *output, size_t *progress,
                                  uint64_t *unwritten) {
    size_t done = *progress;
    uint32_t control = *at++;
    if (control == 0xFF) { /* bytes that do not repeat have many such groups */
        memcpy(output + done, at, 8);
        *progress = done + 8;
        return at + 8;
    }
    for (int item = 0; item < 8; item++, control >>= 1) {
        if (control & 1) {
            output[done++] = *at++;
            continue;
        }
        size_t distance = Distance(at, done), length = Length(at);
        if (distance <= done) {
            CopyFast(output + done, distance, length);
        } else {
            *unwritten += Unwritten(done, distance, length);
            RsLi_CopyMatch(output, done, distance, length);
        }
        done += length;
        at += 2;
    }
    *progress = done;
    return at;
}

bool Lzss_Decode(RsLiInput *input, uint8_t *output, size_t size, uint64_t *unwritten) {
    size_t done = 0;
    while (done < size) {
        if (RsLiInput_Readable(input) < GROUP_BYTES)
            RsLiInput_Refill(input);
        if (size - done >= GROUP_OUTPUT && RsLiInput_Readable(input) >= GROUP_BYTES) {
            input->at = DecodeGroup(input->at, output, &done, unwritten);
            continue;
        }

        /* Near an end, a control byte and its items are decoded within all bounds. */
        if (RsLiInput_Readable(input) == 0)
            return false;
        uint32_t control = *input->at++;
        for (int item = 0; item < 8 && done < size; item++, control >>= 1) {
            const bool literal = control & 1;
            const size_t needed = literal ? 1 : 2;
            if (RsLiInput_Readable(input) < needed) {
                input->at = input->end;
                return false;
            }
            if (literal) {
                output[done++] = *input->at;
            } else {
                size_t distance = Distance(input->at, done), length = Length(input->at);
                if (length > size - done)
                    length = size - done;
                *unwritten += Unwritten(done, distance, length);
                RsLi_CopyMatch(output, done, distance, length);
                done += length;
            }
            input->at += needed;
        }
    }
    return true;
}
