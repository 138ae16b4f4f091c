#include "tracefile/value.h"

#include "ngi32/processor/soft_x87.h"
#include "tracefile/format.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- x87 extended ---------------------------------------------------------------------------- */

typedef struct Extended {
    bool negative;
    uint16_t exponent;
    uint64_t significand;
} Extended;

static Extended DecodeExtended(const uint8_t *bytes) {
    uint16_t top = Bytes_U16(bytes + 8);
    return (Extended){top >> 15 != 0, top & 0x7FFF, Trace_Get64(bytes)};
}

static bool IsNan80(Extended x) {
    return x.exponent == 0x7FFF && x.significand << 1 != 0;
}

/* Returns whether the exponent is set and the integer bit is not: pseudo-NaNs, pseudo-infinities
 * and unnormals. */
static bool IsInvalid80(Extended x) {
    return x.exponent != 0 && !(x.significand >> 63);
}

/* ---- distances ------------------------------------------------------------------------------- */

static int64_t Ordered32(uint32_t bits) {
    int64_t magnitude = bits & 0x7FFFFFFFu;
    return bits >> 31 ? -magnitude : magnitude;
}

static bool IsNan32(uint32_t bits) {
    return (bits & 0x7FFFFFFFu) > 0x7F800000u;
}

int64_t Value_Ulps32(uint32_t a, uint32_t b) {
    if (IsNan32(a) || IsNan32(b))
        return VALUE_NO_DISTANCE;
    return Ordered32(b) - Ordered32(a);
}

/* The place of a value in the order of all values: exponent * 2^63 + fraction, with the sign of the
 * value. It is kept in two parts of the same sign, high * 2^32 + low. A pseudo-denormal (exponent 0
 * with the integer bit) has the same place as the equal value with exponent 1. */
typedef struct Place {
    int64_t high, low;
} Place;

static Place Place80(Extended x) {
    int64_t exponent = x.exponent == 0 && x.significand >> 63 ? 1 : x.exponent;
    uint64_t fraction = x.significand & INT64_MAX;
    Place place = {(exponent << 31) + (int64_t)(fraction >> 32), (int64_t)(fraction & UINT32_MAX)};
    return x.negative ? (Place){-place.high, -place.low} : place;
}

int64_t Value_Ulps80(const uint8_t *a, const uint8_t *b) {
    Extended x = DecodeExtended(a), y = DecodeExtended(b);
    if (IsNan80(x) || IsNan80(y) || IsInvalid80(x) || IsInvalid80(y))
        return VALUE_NO_DISTANCE;
    Place from = Place80(x), to = Place80(y);
    int64_t high = to.high - from.high, low = to.low - from.low;
    if (high > INT32_MAX - 2 || high < -(INT32_MAX - 2))
        return VALUE_NO_DISTANCE;
    return high * ((int64_t)1 << 32) + low;
}

int64_t Value_Ulps(SignatureType type, uint32_t size, const uint8_t *a, const uint8_t *b) {
    if (type == SIGNATURE_F32 && size == 4)
        return Value_Ulps32(Bytes_U32(a), Bytes_U32(b));
    if (type == SIGNATURE_F32 && size == 12)
        return Value_Ulps80(a, b);
    return VALUE_NO_DISTANCE;
}

/* ---- texts ----------------------------------------------------------------------------------- */

static int JoinText(char *text, size_t size, const char *value) {
    return snprintf(text, size, "%s", value);
}

int Value_Hex(SignatureType type, uint32_t size, const uint8_t *bytes, char *text,
              size_t text_size) {
    if (type == SIGNATURE_CSTR)
        return JoinText(text, text_size, "");
    if (type == SIGNATURE_REF)
        return snprintf(text, text_size, "%08x:%08x", Bytes_U32(bytes), Bytes_U32(bytes + 4));
    if (size == 12)
        return snprintf(text, text_size, "%04x%08x%08x", Bytes_U16(bytes + 8), Bytes_U32(bytes + 4),
                        Bytes_U32(bytes));
    if (size == 1)
        return snprintf(text, text_size, "%02x", bytes[0]);
    return snprintf(text, text_size, "%08x", Bytes_U32(bytes));
}

long double Value_Number80(const uint8_t *bytes) {
    return SoftX87_ToLongDouble((SoftX87){Trace_Get64(bytes), Bytes_U16(bytes + 8)});
}

static int ReferenceText(uint32_t id, uint32_t offset, char *text, size_t size) {
    if (id == TRACE_NO_MEMORY)
        return JoinText(text, size, "null");
    if (id == TRACE_FOREIGN_MEMORY)
        return JoinText(text, size, "foreign");
    return snprintf(text, size, offset ? "memory %u + %u" : "memory %u", id, offset);
}

/* Writes a float as text. For a NaN it does not print the number, because loading a signalling NaN
 * would make it quiet; its payload is in the hexadecimal text. */
static int FloatText(SignatureType type, uint32_t size, const uint8_t *bytes, bool hexadecimal,
                     char *text, size_t text_size) {
    const char *class = Value_Class(type, size, bytes);
    bool negative = (size == 4 ? bytes[3] : bytes[9]) >> 7 != 0;
    if (strncmp(class, "NaN", 3) == 0)
        return JoinText(text, text_size, negative ? "-nan" : "nan");
    if (strcmp(class, "invalid encoding") == 0)
        return JoinText(text, text_size, "invalid");
    if (size == 4) {
        const uint32_t bits = Bytes_U32(bytes);
        float value;
        memcpy(&value, &bits, sizeof value);
        return snprintf(text, text_size, hexadecimal ? "%a" : "%.9g", (double)value);
    }
    if (hexadecimal && strcmp(class, "infinity") != 0) {
        /* A finite number is written as C libraries for x86 do: the digit before the point has the
         * four upper bits of the significand. Libraries for other machines cannot do it, because
         * their `long double` has another format. */
        Extended x = DecodeExtended(bytes);
        int length = 15; /* digits behind the point */
        const uint64_t fraction = x.significand & (UINT64_MAX >> 4);
        while (length > 0 && (fraction >> 4 * (15 - length) & 15) == 0)
            length--;
        const char *const sign = x.negative ? "-" : "";
        const int exponent = x.significand == 0 ? 0 : (x.exponent ? x.exponent : 1) - 16383 - 3;
        const unsigned first = (unsigned)(x.significand >> 60);
        if (length == 0)
            return snprintf(text, text_size, "%s0x%xp%+d", sign, first, exponent);
        return snprintf(text, text_size, "%s0x%x.%0*" PRIx64 "p%+d", sign, first, length,
                        fraction >> 4 * (15 - length), exponent);
    }
    return snprintf(text, text_size, "%.21Lg", Value_Number80(bytes));
}

static void Append(char *text, size_t size, size_t *length, const char *piece) {
    if (*length < size)
        snprintf(text + *length, size - *length, "%s", piece);
    *length += strlen(piece);
}

int Value_Decimal(SignatureType type, uint32_t size, const uint8_t *bytes, char *text,
                  size_t text_size) {
    switch (type) {
    case SIGNATURE_F32:
        return FloatText(type, size, bytes, false, text, text_size);
    case SIGNATURE_I32:
        return snprintf(text, text_size, "%d", (int)Bytes_U32(bytes));
    case SIGNATURE_U8:
        return snprintf(text, text_size, "%u", bytes[0]);
    case SIGNATURE_REF:
        return ReferenceText(Bytes_U32(bytes), Bytes_U32(bytes + 4), text, text_size);
    case SIGNATURE_NRES:
        return ReferenceText(Bytes_U32(bytes), 0, text, text_size);
    case SIGNATURE_CSTR: {
        /* Printable characters, and every other byte as \xNN, without the NUL at the end. */
        size_t length = 0;
        char piece[8];
        Append(text, text_size, &length, "\"");
        for (uint32_t i = 0; i + 1 < size; i++) {
            bool plain = bytes[i] >= 0x20 && bytes[i] < 0x7F && bytes[i] != '"' && bytes[i] != '\\';
            snprintf(piece, sizeof piece, plain ? "%c" : "\\x%02x", bytes[i]);
            Append(text, text_size, &length, piece);
        }
        Append(text, text_size, &length, "\"");
        return (int)length;
    }
    case SIGNATURE_ANY:
        return JoinText(text, text_size, "any");
    case SIGNATURE_SLOT: {
        const uint32_t slot = Bytes_U32(bytes);
        if (slot == SIGNATURE_SLOT_NULL)
            return JoinText(text, text_size, "null");
        if (slot == SIGNATURE_SLOT_OTHER)
            return JoinText(text, text_size, "no entry");
        return snprintf(text, text_size, "entry %u", slot);
    }
    default:
        return snprintf(text, text_size, "%u", Bytes_U32(bytes));
    }
}

int Value_HexFloat(SignatureType type, uint32_t size, const uint8_t *bytes, char *text,
                   size_t text_size) {
    if (type != SIGNATURE_F32)
        return JoinText(text, text_size, "");
    return FloatText(type, size, bytes, true, text, text_size);
}

const char *Value_Class(SignatureType type, uint32_t size, const uint8_t *bytes) {
    if (type != SIGNATURE_F32)
        return "";
    if (size != 4) {
        const Extended x = DecodeExtended(bytes);
        if (IsInvalid80(x))
            return "invalid encoding";
        if (IsNan80(x))
            return x.significand >> 62 & 1 ? "NaN, quiet" : "NaN, signalling";
        if (x.exponent == 0x7FFF)
            return "infinity";
        if (x.exponent == 0 && x.significand == 0)
            return x.negative ? "-0" : "";
        return x.exponent == 0 ? "subnormal" : "";
    }
    const uint32_t bits = Bytes_U32(bytes);
    uint32_t magnitude = bits & 0x7FFFFFFFu;
    if (magnitude > 0x7F800000u)
        return magnitude & 0x00400000u ? "NaN, quiet" : "NaN, signalling";
    if (magnitude == 0x7F800000u)
        return "infinity";
    if (magnitude == 0)
        return bits ? "-0" : "";
    return magnitude < 0x00800000u ? "subnormal" : "";
}
