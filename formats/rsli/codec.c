/* Unpacking an RsLi payload by its method (facts/formats.md B.4). */
#include "formats/rsli/codec.h"

#include "core/text.h"

#include <string.h>

/* Returns the method without the bit of the cipher. */
static uint32_t Plain(uint32_t flags) {
    return flags & RP_RSLI_METHOD_MASK & ~(uint32_t)RP_RSLI_XOR;
}

static const struct {
    uint32_t method;
    const char *name;
} methods[] = {
    {RP_RSLI_STORED, "stored"},   {RP_RSLI_XOR, "xor"},
    {RP_RSLI_LZSS, "lzss"},       {RP_RSLI_XOR_LZSS, "xor+lzss"},
    {RP_RSLI_HUFFMAN, "huffman"}, {RP_RSLI_XOR_HUFFMAN, "xor+huffman"},
    {RP_RSLI_DEFLATE, "deflate"},
};

enum { METHODS = sizeof methods / sizeof *methods };

const char *RpRsLiMethod_Name(uint32_t flags) {
    for (size_t i = 0; i < METHODS; i++)
        if (methods[i].method == (flags & RP_RSLI_METHOD_MASK))
            return methods[i].name;
    return NULL;
}

int32_t RpRsLiMethod_Parse(const char *name) {
    const size_t length = strlen(name);
    for (size_t i = 0; i < METHODS; i++)
        if (strlen(methods[i].name) == length && memcmp(methods[i].name, name, length) == 0)
            return (int32_t)methods[i].method;
    return -1;
}

bool RpRsLiMethod_HasKey(uint32_t flags) {
    return (flags & RP_RSLI_XOR) != 0 && RpRsLiMethod_Name(flags) != NULL;
}

uint64_t RpRsLiMethod_MostUnpacked(uint32_t flags, uint64_t packed_size) {
    switch (Plain(flags)) {
    case RP_RSLI_STORED:
        return packed_size;
    case RP_RSLI_LZSS: /* eight matches of two bytes for a control byte */
        return (packed_size * 8 + 16) / 17 * LZSS_MOST;
    case RP_RSLI_HUFFMAN: /* a match has at least 1 bit of length and 9 of position */
        return packed_size * 8 / 10 * LZHUF_MOST + LZHUF_MOST;
    case RP_RSLI_DEFLATE: /* 258 bytes for two bits */
        return packed_size * 4 * 258;
    default:
        return 0;
    }
}

/* ---- methods --------------------------------------------------------------------------------- */

RpStatus RpRsLi_Unpack(uint32_t method, uint32_t key, const void *packed, size_t packed_size,
                       void *output, size_t size, void *work, RpRsLiNotes *notes, RpError *error) {
    static const uint8_t nothing[1];
    RpRsLiNotes unread_notes;
    const uint8_t *bytes = packed ? packed : nothing;
    bool whole = false;
    notes = notes ? notes : &unread_notes;
    *notes = (RpRsLiNotes){0};
    method &= RP_RSLI_METHOD_MASK;
    if (!RpRsLiMethod_Name(method))
        return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE, "unknown packing method", "", "", "");
    if (method == RP_RSLI_DEFLATE)
        return Inflate_Decode(bytes, packed_size, output, size, work, &notes->consumed, error);
    if (Plain(method) == RP_RSLI_STORED) {
        /* Stored and XOR payloads have as many packed bytes as unpacked ones (facts/formats.md
         * B.4). */
        size_t copied = packed_size < size ? packed_size : size;
        RpRsLiCipher cipher = RpRsLiCipher_Start(key);
        if (method == RP_RSLI_XOR)
            RpRsLiCipher_Apply(&cipher, bytes, copied, output);
        else if (copied > 0)
            memcpy(output, bytes, copied);
        whole = copied == size;
        notes->consumed = whole ? size : packed_size;
    } else {
        /* The chunk for an input with a key lies behind the memory of the decoder. */
        RsLiInput input =
            method & RP_RSLI_XOR
                ? RsLiInput_Keyed(bytes, packed_size, key,
                                  (uint8_t *)work + RP_RSLI_WORK_BYTES - RSLI_CHUNK_BYTES)
                : RsLiInput_Plain(bytes, packed_size);
        whole = Plain(method) == RP_RSLI_LZSS
                    ? Lzss_Decode(&input, output, size, &notes->unwritten_window)
                    : LzHuf_Decode(&input, output, size, work);
        notes->consumed = packed_size - RsLiInput_Left(&input);
    }
    if (whole)
        return RP_OK;

    char expected[64];
    Text text = Text_Begin(expected, sizeof expected);
    Text_Append(&text, "packed data of ");
    Text_AppendDecimal(&text, size);
    Text_Append(&text, " bytes");
    return RpError_Set(error, RP_CORRUPT, packed_size, "the packed data ends early", "", expected,
                       "");
}
