#include "replay/compare/tally_inputs.h"

#include "core/bytes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Ranges of magnitudes begin here and end where the next one begins. 1 is a range of its own, since
 * functions often do something else there, and so are zero and infinity. */
static const struct {
    float from;
    const char *low, *high; /* null: the range has one name */
} magnitudes[] = {{0, "0", NULL},
                  {0x1p-149f, "denormal", NULL},
                  {0x1p-126f, "2^-126", "1e-6"},
                  {1e-6f, "1e-6", "0.001"},
                  {1e-3f, "0.001", "0.1"},
                  {0.1f, "0.1", "0.5"},
                  {0.5f, "0.5", "1"},
                  {1, "1", NULL},
                  {0x1.000002p0f, "1", "2"},
                  {2, "2", "10"},
                  {10, "10", "1000"},
                  {1000, "1000", "1e6"},
                  {1e6f, "1e6", "2^31"},
                  {0x1p31f, "2^31", "inf"},
                  {INFINITY, "inf", NULL}};

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

uint32_t TallyInputs_Range(double value) {
    const double magnitude = fabs(value);
    uint32_t at = MAGNITUDES - 1;
    if (isnan(value))
        return TALLY_RANGES - 1;
    while (magnitude < (double)magnitudes[at].from)
        at--;
    return signbit(value) ? MAGNITUDES - 1 - at : MAGNITUDES + at;
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

static double Read(SignatureType type, const uint8_t *bytes) {
    const uint32_t bits = Bytes_U32(bytes);
    float real;
    if (type == SIGNATURE_U32)
        return bits;
    if (type == SIGNATURE_I32)
        return (int32_t)bits;
    memcpy(&real, &bits, sizeof real);
    return (double)real;
}

/* A NaN counts as the greatest. */
static double Greatest(SignatureType type, const uint8_t *bytes, uint32_t count) {
    double greatest = 0;
    for (uint32_t i = 0; i < count; i++) {
        const double value = fabs(Read(type, bytes + 4 * (size_t)i));
        if (isnan(value))
            return value;
        greatest = value > greatest ? value : greatest;
    }
    return greatest;
}

void TallyInputs_Add(TallyInputs *tally, const Signature *signature, const uint8_t *inputs,
                     uint32_t input_size) {
    SignatureMap map;
    int params[TALLY_INPUTS];
    const uint32_t count = TallyInputs_Params(signature, params);
    if (count == 0 || !Signature_Map(signature, inputs, input_size, &map))
        return;
    for (uint32_t i = 0; i < count; i++) {
        const int param = params[i];
        const uint32_t values = map.input_bytes[param] / 4;
        const uint8_t *bytes = inputs + map.input_offset[param];
        const SignatureType type = signature->params[param].type;
        if (values > 0)
            tally->calls[i][TallyInputs_Range(values == 1 ? Read(type, bytes)
                                                          : Greatest(type, bytes, values))]++;
    }
}

void TallyInputs_Merge(TallyInputs *tally, const TallyInputs *other) {
    for (uint32_t i = 0; i < TALLY_INPUTS; i++)
        for (uint32_t range = 0; range < TALLY_RANGES; range++)
            tally->calls[i][range] += other->calls[i][range];
}
