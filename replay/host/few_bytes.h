/* Copies, fills and compares a few bytes. The C runtime that Wine brings does each of these byte by
 * byte, which took more than a third of the time of a replay. Everything here takes 16 bytes at a
 * time with SSE2 (CMakeLists.txt), which every system with Wine or Windows has today. On other
 * processors the host does not run in Wine, and its C library is as fast. */
#ifndef RETROPOSE_REPLAY_HOST_FEW_BYTES_H
#define RETROPOSE_REPLAY_HOST_FEW_BYTES_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __SSE2__

#include <emmintrin.h>

static inline __m128i HostBytes_Load(const void *at) {
    return _mm_loadu_si128(at);
}

static inline void HostBytes_Copy(void *to, const void *from, uint32_t bytes) {
    uint8_t *t = to;
    const uint8_t *f = from;
    uint32_t i = 0;
    for (; i + 16 <= bytes; i += 16)
        _mm_storeu_si128((void *)(t + i), HostBytes_Load(f + i));
    for (; i + 4 <= bytes; i += 4)
        *(uint32_t *)(void *)(t + i) = *(const uint32_t *)(const void *)(f + i);
    for (; i < bytes; i++)
        t[i] = f[i];
}

static inline void HostBytes_Fill(void *to, uint8_t byte, uint32_t bytes) {
    const __m128i all = _mm_set1_epi8((char)byte);
    uint8_t *t = to;
    uint32_t i = 0;
    for (; i + 16 <= bytes; i += 16)
        _mm_storeu_si128((void *)(t + i), all);
    for (; i + 4 <= bytes; i += 4)
        *(uint32_t *)(void *)(t + i) = byte * 0x01010101u;
    for (; i < bytes; i++)
        t[i] = byte;
}

static inline bool HostBytes_Equal(const void *a, const void *b, uint32_t bytes) {
    const uint8_t *x = a, *y = b;
    __m128i same = _mm_set1_epi8(-1);
    uint32_t i = 0, differ = 0;
    for (; i + 16 <= bytes; i += 16)
        same = _mm_and_si128(same, _mm_cmpeq_epi8(HostBytes_Load(x + i), HostBytes_Load(y + i)));
    for (; i + 4 <= bytes; i += 4)
        differ |=
            *(const uint32_t *)(const void *)(x + i) ^ *(const uint32_t *)(const void *)(y + i);
    for (; i < bytes; i++)
        differ |= x[i] ^ y[i];
    return !differ && _mm_movemask_epi8(same) == 0xFFFF;
}

/* Returns whether all bytes have this value. */
static inline bool HostBytes_Are(const void *at, uint8_t byte, uint32_t bytes) {
    const __m128i all = _mm_set1_epi8((char)byte);
    const uint8_t *x = at;
    __m128i same = _mm_set1_epi8(-1);
    uint32_t i = 0, differ = 0;
    for (; i + 16 <= bytes; i += 16)
        same = _mm_and_si128(same, _mm_cmpeq_epi8(HostBytes_Load(x + i), all));
    for (; i + 4 <= bytes; i += 4)
        differ |= *(const uint32_t *)(const void *)(x + i) ^ byte * 0x01010101u;
    for (; i < bytes; i++)
        differ |= x[i] ^ (uint32_t)byte;
    return !differ && _mm_movemask_epi8(same) == 0xFFFF;
}

#else

#include <string.h>

static inline void HostBytes_Copy(void *to, const void *from, uint32_t bytes) {
    memcpy(to, from, bytes);
}

static inline void HostBytes_Fill(void *to, uint8_t byte, uint32_t bytes) {
    memset(to, byte, bytes);
}

static inline bool HostBytes_Equal(const void *a, const void *b, uint32_t bytes) {
    return memcmp(a, b, bytes) == 0;
}

/* Returns whether all bytes have this value. */
static inline bool HostBytes_Are(const void *at, uint8_t byte, uint32_t bytes) {
    const uint8_t *x = at;
    return bytes == 0 || (x[0] == byte && memcmp(x, x + 1, bytes - 1) == 0);
}

#endif

#endif
