/* Reads raw Deflate with zlib, whose memory is a part of the caller's work memory. */
#include "formats/rsli/codec.h"

#include <zlib.h>

typedef struct Arena {
    uint8_t *memory;
    size_t used;
} Arena;

enum { ARENA_ALIGNMENT = 16 };

static voidpf Allocate(voidpf context, uInt items, uInt size) {
    Arena *arena = context;
    size_t left = RP_RSLI_WORK_BYTES - arena->used;
    if (size > 0 && items > left / size)
        return Z_NULL;
    voidpf block = arena->memory + arena->used;
    size_t needed = (size_t)items * size + ARENA_ALIGNMENT - 1;
    needed -= needed % ARENA_ALIGNMENT;
    arena->used += needed < left ? needed : left;
    return block;
}

static void Keep(voidpf context, voidpf block) {
    (void)context, (void)block;
}

RpStatus Inflate_Decode(const uint8_t *packed, size_t packed_size, uint8_t *output, size_t size,
                        void *work, uint64_t *consumed, RpError *error) {
    uint8_t nothing;
    Arena arena = {work, 0};
    z_stream stream = {.next_in = (z_const Bytef *)(uintptr_t)packed,
                       .avail_in = packed_size < UINT32_MAX ? (uInt)packed_size : UINT32_MAX,
                       .next_out = size > 0 ? output : &nothing,
                       .avail_out = (uInt)size,
                       .zalloc = Allocate,
                       .zfree = Keep,
                       .opaque = &arena};
    if (size > UINT32_MAX)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "more than 4 GiB to unpack", "", "", "");
    int result = inflateInit2(&stream, -MAX_WBITS);
    if (result == Z_OK) { /* all at once, so that zlib needs no window of its own */
        result = inflate(&stream, Z_FINISH);
        inflateEnd(&stream);
    }
    *consumed = stream.total_in;
    if (result != Z_STREAM_END) {
        if (result == Z_MEM_ERROR)
            return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE,
                               "work memory does not hold zlib's state", "", "", "");

        /* A zlib stream (RFC 1950) begins with the method 8, and its first two bytes are a multiple
         * of 31. */
        if (result == Z_DATA_ERROR)
            return RpError_Set(error, RP_CORRUPT, stream.total_in, "not a raw Deflate stream", "",
                               stream.msg ? stream.msg : "",
                               (packed_size >= 2 && (packed[0] & 0x0F) == 8 &&
                                (packed[0] << 8 | packed[1]) % 31 == 0)
                                   ? "a zlib wrapper?"
                                   : "");
        if (stream.avail_in == 0)
            return RpError_Set(error, RP_CORRUPT, packed_size, "the packed data ends early", "",
                               "the end of a Deflate stream", "");
        return RpError_Set(error, RP_CORRUPT, stream.total_in,
                           "the packed data unpacks to more bytes than declared", "", "", "");
    }
    if (stream.total_out != size)
        return RpError_Set(error, RP_CORRUPT, stream.total_in,
                           "the packed data unpacks to fewer bytes than declared", "", "", "");
    return RP_OK;
}
