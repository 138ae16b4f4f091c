/* Raw Deflate at zlib's best level, with the memory of the output's allocator. */
#include "formats/rsli/parse.h"

#include <zlib.h>

static voidpf Allocate(voidpf context, uInt items, uInt size) {
    if (size > 0 && items > SIZE_MAX / size)
        return Z_NULL;
    return RpMemory_Resize(((const RpBuffer *)context)->allocator, NULL, (size_t)items * size);
}

static void Free(voidpf context, voidpf block) {
    RpMemory_Free(((const RpBuffer *)context)->allocator, block);
}

RpStatus Deflate_Encode(const uint8_t *input, size_t size, RpBuffer *packed, RpError *error) {
    z_stream stream = {.next_in = (z_const Bytef *)(uintptr_t)input,
                       .avail_in = (uInt)size,
                       .zalloc = Allocate,
                       .zfree = Free,
                       .opaque = packed};
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, MAX_MEM_LEVEL,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return RpMemory_Refused(error, "zlib");
    size_t before = packed->size;
    uLong bound = deflateBound(&stream, (uLong)size);
    stream.next_out = RpBuffer_Extend(packed, bound);
    stream.avail_out = (uInt)bound;
    int result = stream.next_out ? deflate(&stream, Z_FINISH) : Z_MEM_ERROR;
    deflateEnd(&stream);
    packed->size = result == Z_STREAM_END ? before + stream.total_out : before;
    return result == Z_STREAM_END ? RP_OK : RpMemory_Refused(error, "packed data");
}
