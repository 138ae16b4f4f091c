/* Feeds RsLi's methods bytes of any kind: the first byte is the method, the next two are the key.
 * Unpacking writes as many bytes as asked for or refuses; what is packed unpacks to itself. */
#include "fuzz.h"
#include "retropose/rsli.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PACKED = 1 << 16 };

static uint8_t work[RP_RSLI_WORK_BYTES];

/* Input and output are in blocks of their own, so that access beyond their ends is noticed. */
static void Unpack(uint32_t method, uint32_t key, const uint8_t *packed, size_t packed_size,
                   size_t size) {
    HEAP uint8_t *input = malloc(packed_size + 1), *output = malloc(size + 1);
    RpRsLiNotes notes;
    if (!input || !output)
        abort();
    memcpy(input + 1, packed, packed_size);
    if (RpRsLi_Unpack(method, key, input + 1, packed_size, output + 1, size, work, &notes, NULL) ==
        RP_OK) {
        if (notes.consumed > packed_size || size > RpRsLiMethod_MostUnpacked(method, packed_size))
            abort();
    }
}

static void PackAndUnpack(uint32_t method, uint32_t key, const uint8_t *bytes, size_t size) {
    OWNED(RpBuffer) packed = {0};
    RpRsLiNotes notes;
    HEAP uint8_t *output = malloc(size + 1);
    if (!output || RpRsLi_Pack(method, key, bytes, size, &packed, NULL) ||
        RpRsLi_Unpack(method, key, packed.bytes, packed.size, output, size, work, &notes, NULL) ||
        memcmp(output, bytes, size) != 0 || notes.consumed != packed.size ||
        notes.unwritten_window > 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    if (size < 3 || size > MOST_PACKED)
        return 0;
    uint32_t method = (bytes[0] & 0x0FU) << 5, key = bytes[1] | (uint32_t)bytes[2] << 8;
    const uint8_t *rest = bytes + 3;
    size_t left = size - 3;
    uint64_t most = RpRsLiMethod_MostUnpacked(method, left);
    Unpack(method, key, rest, left, left);
    Unpack(method, key, rest, left, most < MOST_PACKED ? (size_t)most + 1 : MOST_PACKED);
    Unpack(method, key, rest, left, bytes[0] >> 4);
    if (RpRsLiMethod_Name(method))
        PackAndUnpack(method, key, rest, left);
    return 0;
}
