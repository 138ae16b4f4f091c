/* Reads little-endian numbers at any alignment, as they lie in the streams of a model. */
#ifndef RETROPOSE_CORE_BYTES_H
#define RETROPOSE_CORE_BYTES_H

#include <stdint.h>

static inline uint16_t Bytes_U16(const uint8_t *at) {
    return (uint16_t)(at[0] | at[1] << 8);
}

static inline uint32_t Bytes_U32(const uint8_t *at) {
    return (uint32_t)Bytes_U16(at) | (uint32_t)Bytes_U16(at + 2) << 16;
}

#endif
