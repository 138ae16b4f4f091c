/* Values as people read them: bits in hex, decimal, hexadecimal float, class; distances in ulps. */
#ifndef RETROPOSE_REPLAY_TRACE_VALUE_H
#define RETROPOSE_REPLAY_TRACE_VALUE_H

#include "replay/trace/signature.h"

#define VALUE_NO_DISTANCE INT64_MIN

/* Exact b - a in units of the last place; +0 and -0 are 0 apart. VALUE_NO_DISTANCE for a NaN. */
int64_t Value_Ulps32(uint32_t a, uint32_t b);
/* The same for ten bytes of x87 extended; VALUE_NO_DISTANCE also for invalid encodings and where
 * the distance leaves 63 bits. */
int64_t Value_Ulps80(const uint8_t *a, const uint8_t *b);
/* By the type and size of an element: 4-byte or 12-byte f32; else VALUE_NO_DISTANCE. */
int64_t Value_Ulps(SignatureType type, uint32_t size, const uint8_t *a, const uint8_t *b);

/* "3f800000", "3fff8000000000000000" (most significant first), "0000002a". */
int Value_Hex(SignatureType type, uint32_t size, const uint8_t *bytes, char *text,
              size_t text_size);
/* "1", "-42", "memory 3 + 16", "null", "\"text\"". Floats as %.9g, 80-bit ones as %.21Lg. */
int Value_Decimal(SignatureType type, uint32_t size, const uint8_t *bytes, char *text,
                  size_t text_size);
/* "0x1.8p+1"; empty for what is no float. */
int Value_HexFloat(SignatureType type, uint32_t size, const uint8_t *bytes, char *text,
                   size_t text_size);
/* "NaN, quiet", "-0", "subnormal", "infinity"; empty for an ordinary value. */
const char *Value_Class(SignatureType type, uint32_t size, const uint8_t *bytes);

#endif
