#include "functions.h"

#include <string.h>

/* These functions stand for arithmetic. All that matters is which bits depend on which. */

static uint32_t *Words(uint32_t address) {
    return (uint32_t *)(uintptr_t)address;
}

void Sum(const uint32_t *arguments, LiveResult *result) {
    const uint32_t *in = Words(arguments[0]);
    uint32_t *out = Words(arguments[1]);
    (void)result;
    for (uint32_t i = 0; i < 16; i++)
        out[i] = in[i % 4] + i;
}

void SumWrong(const uint32_t *arguments, LiveResult *result) {
    Sum(arguments, result);
    Words(arguments[1])[9] += 1;
}

void SumCrash(const uint32_t *arguments, LiveResult *result) {
    (void)arguments, (void)result;
    static volatile uintptr_t nowhere = 16;
    *(volatile uint32_t *)nowhere = 1;
}

void SumSloppy(const uint32_t *arguments, LiveResult *result) {
    Sum(arguments, result);
    Words(arguments[1])[16] = 7;
}

void Product(const uint32_t *arguments, LiveResult *result) {
    const uint32_t *a = Words(arguments[0]), *b = Words(arguments[1]);
    uint32_t *out = Words(arguments[2]);
    (void)result;
    for (uint32_t i = 0; i < 16; i++) {
        uint32_t sum = 0;
        for (uint32_t k = 0; k < 4; k++)
            sum += a[i / 4 * 4 + k] * b[k * 4 + i % 4];
        out[i] = sum;
    }
}

void ProductInPlace(const uint32_t *arguments, LiveResult *result) {
    uint32_t copy[16];
    const uint32_t *a = Words(arguments[0]), *b = Words(arguments[1]);
    (void)result;
    for (uint32_t i = 0; i < 16; i++) {
        copy[i] = 0;
        for (uint32_t k = 0; k < 4; k++)
            copy[i] += a[i / 4 * 4 + k] * b[k * 4 + i % 4];
    }
    memcpy(Words(arguments[2]), copy, sizeof copy);
}

void Hit(const uint32_t *arguments, LiveResult *result) {
    const uint32_t *start = Words(arguments[0]);
    result->eax = start[0] & 1;
    if (result->eax)
        memcpy(Words(arguments[3]), start, 12);
}

void Length(const uint32_t *arguments, LiveResult *result) {
    uint32_t *vector = Words(arguments[0]);
    for (uint32_t i = 0; i < 3; i++)
        vector[i] ^= 0x80000000u;
    memset(result->st0, 0, sizeof result->st0);
    memcpy(result->st0, vector, 8);
    result->st0[9] = 0x40;
}

void LengthWrong(const uint32_t *arguments, LiveResult *result) {
    Length(arguments, result);
    result->st0[0] ^= 1;
}

static uint32_t Field(uint32_t record, uint32_t offset) {
    uint32_t word;
    memcpy(&word, (const uint8_t *)(uintptr_t)record + offset, sizeof word);
    return word;
}

void FindSlot(const uint32_t *arguments, LiveResult *result) {
    uint32_t reader = Field(arguments[0], 0x12C);
    result->eax = reader ? Field(reader, 8) + 68 * (arguments[1] & 1) : 0;
}

/* The image of an archive object is at +8. */
void LoadReader(const uint32_t *arguments, LiveResult *result) {
    uint32_t base = Field(arguments[1], 8);
    (void)result;
    Words(arguments[0])[0] = base + 16;
    Words(arguments[0])[0x18 / 4] = 0;
    Words(arguments[0])[0x9C / 4] = 20;
}

void HitWrong(const uint32_t *arguments, LiveResult *result) {
    Hit(arguments, result);
    result->eax ^= 3;
    result->control_out = 0x037F;
    result->mxcsr_out = 0x9F80;
}

void SampleNode(const uint32_t *arguments, LiveResult *result) {
    uint32_t reader = Field(arguments[0], 0x12C), keys = Field(reader, 0x18);
    (void)result;
    for (uint32_t i = 0; i < 4; i++)
        Words(arguments[2])[i] = Field(keys, 4 * i) + arguments[1];
    for (uint32_t i = 0; i < 3; i++)
        Words(arguments[3])[i] = Field(arguments[0], 0x20 + 4 * i);
}
