#include "formats/gltf/roundtrip/checksum.h"

#include <zlib.h>

uint32_t Checksum_OfBytes(const uint8_t *bytes, size_t size) {
    uLong crc = crc32(0, Z_NULL, 0);
    while (size > 0) {
        uInt part = size > 0x40000000 ? 0x40000000 : (uInt)size;
        crc = crc32(crc, bytes, part);
        bytes += part;
        size -= part;
    }
    return (uint32_t)crc;
}
