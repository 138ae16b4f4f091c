/* The checksum in corrections: CRC-32, as zlib and PNG files use it. */
#ifndef RETROPOSE_FORMATS_GLTF_ROUNDTRIP_CHECKSUM_H
#define RETROPOSE_FORMATS_GLTF_ROUNDTRIP_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

uint32_t Checksum_OfBytes(const uint8_t *bytes, size_t size);

#endif
