/* Writes bytes of host code one behind the other. Whoever emits has made sure of the room. */
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

/* The instruction bytes that are the arguments. */
#define EMIT(emit, ...)                                                                            \
    Emit_Bytes(emit, (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

/* Ends an instruction with a distance of 32 bits to a place that is known. */
static inline void Emit_Distance(Emit *emit, const uint8_t *to) {
    Emit_Dword(emit, (uint32_t)(int32_t)(to - (emit->at + 4)));
}

#endif
