/* Writes bytes of host code one after the other. The caller must have made sure that there is
 * room. */
#ifndef RETROPOSE_MACHINE_TRANSLATOR_EMIT_H
#define RETROPOSE_MACHINE_TRANSLATOR_EMIT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct Emit {
    uint8_t *at;
} Emit;

static inline void Emit_Bytes(Emit *emit, const void *bytes, size_t size) {
    memcpy(emit->at, bytes, size);
    emit->at += size;
}

static inline void Emit_Byte(Emit *emit, unsigned byte) {
    *emit->at++ = (uint8_t)byte;
}

static inline void Emit_Dword(Emit *emit, uint32_t dword) {
    Emit_Bytes(emit, &dword, sizeof dword);
}

/* Emits the bytes that are the arguments. */
#define EMIT(emit, ...)                                                                            \
    Emit_Bytes(emit, (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

/* Completes an instruction with a 32-bit distance to a known place. */
static inline void Emit_Distance(Emit *emit, const uint8_t *to) {
    Emit_Dword(emit, (uint32_t)(int32_t)(to - (emit->at + 4)));
}

#endif
