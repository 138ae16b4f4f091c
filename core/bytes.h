/* Reads little-endian numbers at any alignment, as they lie in files. */
#ifndef RETROPOSE_CORE_BYTES_H
#define RETROPOSE_CORE_BYTES_H

#include <stdint.h>

static inline uint16_t Bytes_U16(const uint8_t *at) {
    return (uint16_t)(at[0] | at[1] << 8);
}

static inline uint32_t Bytes_U32(const uint8_t *at) {
    return (uint32_t)Bytes_U16(at) | (uint32_t)Bytes_U16(at + 2) << 16;
}

/* The two that store take the low bits of `value`. */
static inline void Bytes_PutU16(uint8_t *at, uint32_t value) {
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
}

static inline void Bytes_PutU32(uint8_t *at, uint32_t value) {
    Bytes_PutU16(at, value);
    Bytes_PutU16(at + 2, value >> 16);
}

#endif
