/* Packing an RsLi payload by its method (facts/formats.md B.4). */
#include "formats/rsli/parse.h"

/* Positions in the encoders and sizes of entries have 32 bits. */
#define MOST_INPUT (UINT32_MAX - 65536U)

RpStatus RpRsLi_Pack(uint32_t method, uint32_t key, const void *input, size_t size,
                     RpBuffer *packed, RpError *error) {
    static const uint8_t nothing[1];
    size_t before = packed->size;
    method &= RP_RSLI_METHOD_MASK;
    if (!RpRsLiMethod_Name(method))
        return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE, "unknown packing method", "", "", "");
    if (size > MOST_INPUT)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "too many bytes to pack", "",
                           "less than 4 GiB", "");
    if (packed->failed)
        return RpMemory_Refused(error, "packed data");
    const uint8_t *bytes = input ? input : nothing;
    RpStatus status = RP_OK;
    bool fits = true;
    switch (method & ~(uint32_t)RP_RSLI_XOR) {
    case RP_RSLI_STORED:
        fits = RpBuffer_Append(packed, bytes, size);
        break;
    case RP_RSLI_LZSS:
        fits = Lzss_Encode(bytes, size, packed);
        break;
    case RP_RSLI_HUFFMAN:
        fits = LzHuf_Encode(bytes, size, packed);
        break;
    default:
        status = Deflate_Encode(bytes, size, packed, error);
        break;
    }
    if (!fits)
        status = RpMemory_Refused(error, "packed data");
    if (status) {
        packed->size = before;
        return status;
    }
    RpRsLiCipher cipher = RpRsLiCipher_Start(key);
    if (RpRsLiMethod_HasKey(method) && packed->size > before)
        RpRsLiCipher_Apply(&cipher, packed->bytes + before, packed->size - before,
                           packed->bytes + before);
    return RP_OK;
}
