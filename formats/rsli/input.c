/* The packed bytes of a payload, decrypted piece by piece. */
#include "formats/rsli/codec.h"

#include <string.h>

RsLiInput RsLiInput_Plain(const uint8_t *packed, size_t size) {
    return (RsLiInput){.at = packed, .end = packed + size};
}

RsLiInput RsLiInput_Keyed(const uint8_t *packed, size_t size, uint32_t key, uint8_t *chunk) {
    RsLiInput input = {.at = chunk,
                       .end = chunk,
                       .locked = packed,
                       .locked_size = size,
                       .chunk = chunk,
                       .cipher = RpRsLiCipher_Start(key)};
    RsLiInput_Refill(&input);
    return input;
}

void RsLiInput_Refill(RsLiInput *input) {
    if (input->locked_size == 0)
        return;
    size_t unread = RsLiInput_Readable(input);
    size_t added = RSLI_CHUNK_BYTES - unread;
    if (added > input->locked_size)
        added = input->locked_size;
    memmove(input->chunk, input->at, unread);
    RpRsLiCipher_Apply(&input->cipher, input->locked, added, input->chunk + unread);
    input->locked += added;
    input->locked_size -= added;
    input->at = input->chunk;
    input->end = input->chunk + unread + added;
}
