/* Reads and stores numbers at any alignment. They are little-endian, as they lie in files, or
 * big-endian where comparing the bytes in order must give the same result as comparing the
 * numbers. */
#ifndef RETROPOSE_CORE_BYTES_H
#define RETROPOSE_CORE_BYTES_H

#include <stdint.h>

static inline uint16_t Bytes_U16(const uint8_t *at) {
    return (uint16_t)(at[0] | at[1] << 8);
}

static inline uint32_t Bytes_U32(const uint8_t *at) {
    return (uint32_t)Bytes_U16(at) | (uint32_t)Bytes_U16(at + 2) << 16;
}

/* The functions that store take the low bits of `value`. Compilers make one store of each. */
static inline void Bytes_PutU16(uint8_t *at, uint32_t value) {
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
}

static inline void Bytes_PutU32(uint8_t *at, uint32_t value) {
    Bytes_PutU16(at, value);
    Bytes_PutU16(at + 2, value >> 16);
}

static inline void Bytes_PutU64(uint8_t *at, uint64_t value) {
    Bytes_PutU32(at, (uint32_t)value);
    Bytes_PutU32(at + 4, (uint32_t)(value >> 32));
}

/* The first byte is the most significant one. Compilers make one load of it. */
static inline uint32_t Bytes_BigU32(const uint8_t *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static inline uint64_t Bytes_BigU64(const uint8_t *at) {
    return (uint64_t)Bytes_BigU32(at) << 32 | Bytes_BigU32(at + 4);
}

static inline void Bytes_PutBigU32(uint8_t *at, uint32_t value) {
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> (24 - 8 * i));
}

#endif
