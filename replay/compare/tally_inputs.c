#include "replay/compare/tally_inputs.h"

#include "core/bytes.h"

#include <stdio.h>
#include <string.h>

#define INFINITE 0x7F800000u /* larger magnitudes are NaNs */
#define SIGN     0x80000000u

/* Ranges of magnitudes begin here and end where the next one begins; the bits of floats without a
 * sign are in the order of their values. 1 is a range of its own, since functions often do
 * something else there, and so are zero and infinity. */
static const struct {
    uint32_t from;
    const char *low, *high; /* null where the range has only one name */
} magnitudes[] = {
    {0x00000000, "0", NULL},       {0x00000001, "denormal", NULL}, {0x00800000, "2^-126", "1e-6"},
    {0x358637BD, "1e-6", "0.001"}, {0x3A83126F, "0.001", "0.1"},   {0x3DCCCCCD, "0.1", "0.5"},
    {0x3F000000, "0.5", "1"},      {0x3F800000, "1", NULL},        {0x3F800001, "1", "2"},
    {0x40000000, "2", "10"},       {0x41200000, "10", "1000"},     {0x447A0000, "1000", "1e6"},
    {0x49742400, "1e6", "2^31"},   {0x4F000000, "2^31", "inf"},    {INFINITE, "inf", NULL}};

enum { MAGNITUDES = sizeof magnitudes / sizeof *magnitudes };
_Static_assert(TALLY_RANGES == 2 * MAGNITUDES + 1, "both signs of each magnitude, and NaN");

static bool IsNumber(const SignatureParam *param) {
    return param->direction != SIGNATURE_OUT &&
           (param->type == SIGNATURE_F32 || param->type == SIGNATURE_I32 ||
            param->type == SIGNATURE_U32);
}

uint32_t TallyInputs_Params(const Signature *signature, int params[TALLY_INPUTS]) {
    uint32_t count = 0;
    for (int i = 0; i < signature->param_count && count < TALLY_INPUTS; i++)
        if (IsNumber(&signature->params[i]))
            params[count++] = i;
    return count;
}

static uint32_t RangeOf(uint32_t bits) {
    const uint32_t magnitude = bits & ~SIGN;
    uint32_t at = 0;
    if (magnitude > INFINITE)
        return TALLY_RANGES - 1;
    /* search for the last range that begins at the magnitude or below */
    for (uint32_t step = 8; step > 0; step /= 2)
        if (at + step < MAGNITUDES && magnitudes[at + step].from <= magnitude)
            at += step;
    return bits & SIGN ? MAGNITUDES - 1 - at : MAGNITUDES + at;
}

uint32_t TallyInputs_Range(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return RangeOf(bits);
}

void TallyInputs_Name(uint32_t range, char *text, size_t size) {
    const bool negative = range < MAGNITUDES;
    const char *sign = negative ? "-" : "";
    const uint32_t at = negative ? MAGNITUDES - 1 - range : range - MAGNITUDES;
    if (at == MAGNITUDES) {
        snprintf(text, size, "NaN");
        return;
    }
    const char *low = magnitudes[at].low, *high = magnitudes[at].high;
    if (high)
        snprintf(text, size, "%s%s to %s%s", sign, negative ? high : low, sign,
                 negative ? low : high);
    else
        snprintf(text, size, "%s%s", sign, low);
}

/* Returns the bits of a number as a float. A number that a float cannot hold exactly is cut, since
 * rounding might move it into the next range. */
static uint32_t Bits(SignatureType type, const uint8_t *bytes) {
    const uint32_t value = Bytes_U32(bytes);
    const bool negative = type == SIGNATURE_I32 && value & SIGN;
    uint32_t magnitude = negative ? 0 - value : value, bits;
    if (type == SIGNATURE_F32)
        return value;
    if (magnitude >> 24)
        magnitude &= ~0xFFu;
    const float real = (float)magnitude;
    memcpy(&bits, &real, sizeof bits);
    return negative ? bits | SIGN : bits;
}

void TallyInputs_Add(TallyInputs *tally, const Signature *signature, const uint8_t *inputs,
                     uint32_t input_size) {
    const bool fixed = signature->fixed && input_size == signature->fixed_inputs;
    SignatureMap map;
    uint32_t counted = 0, offset = 0;
    if (!fixed && !Signature_Map(signature, inputs, input_size, &map))
        return;
    for (int i = 0; i < signature->param_count && counted < TALLY_INPUTS; i++) {
        const SignatureParam *param = &signature->params[i];
        if (param->direction == SIGNATURE_OUT)
            continue;
        const uint32_t bytes = fixed ? param->count * param->element_bytes : map.input_bytes[i];
        if (IsNumber(param) && bytes > 0) {
            /* The greatest magnitude of several numbers counts; NaN is the greatest of all. */
            const uint8_t *numbers = inputs + offset;
            const uint32_t count = bytes / 4;
            uint32_t greatest = count == 1 ? Bits(param->type, numbers) : 0;
            for (uint32_t k = 0; k < count && count > 1; k++) {
                const uint32_t magnitude = Bits(param->type, numbers + 4 * (size_t)k) & ~SIGN;
                greatest = magnitude > greatest ? magnitude : greatest;
            }
            tally->calls[counted][RangeOf(greatest)]++;
        }
        counted += IsNumber(param);
        offset += bytes;
    }
}

void TallyInputs_Merge(TallyInputs *tally, const TallyInputs *other) {
    for (uint32_t i = 0; i < TALLY_INPUTS; i++)
        for (uint32_t range = 0; range < TALLY_RANGES; range++)
            tally->calls[i][range] += other->calls[i][range];
}
