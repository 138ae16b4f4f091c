/* Writes values as texts for people: their bits in hexadecimal, decimal, hexadecimal float, and
 * class. Also computes distances in units in the last place (ulps). */
#ifndef RETROPOSE_TRACEFILE_VALUE_H
#define RETROPOSE_TRACEFILE_VALUE_H

#include "tracefile/signature.h"

#define VALUE_NO_DISTANCE INT64_MIN

/* Returns b - a, exactly, in units in the last place. +0 and -0 are 0 apart. If one is a NaN,
 * returns VALUE_NO_DISTANCE. */
int64_t Value_Ulps32(uint32_t a, uint32_t b);
/* Does the same for ten bytes of x87 extended. VALUE_NO_DISTANCE also stands for invalid encodings,
 * and for distances of more than 63 bits. */
int64_t Value_Ulps80(const uint8_t *a, const uint8_t *b);
/* Chooses one of these by the type and size of an element: f32 of 4 or 12 bytes. For any other it
 * returns VALUE_NO_DISTANCE. */
int64_t Value_Ulps(SignatureType type, uint32_t size, const uint8_t *a, const uint8_t *b);

/* Returns the number in ten bytes of x87 extended, exactly. */
long double Value_Number80(const uint8_t *bytes);

/* Writes "3f800000", "3fff8000000000000000" (most significant digits first), "0000002a". */
int Value_Hex(SignatureType type, uint32_t size, const uint8_t *bytes, char *text,
              size_t text_size);
/* Writes "1", "-42", "memory 3 + 16", "null", "\"text\"". Floats are %.9g, those of 80 bits
 * %.21Lg. */
int Value_Decimal(SignatureType type, uint32_t size, const uint8_t *bytes, char *text,
                  size_t text_size);
/* Writes "0x1.8p+1", or nothing if the value is not a float. */
int Value_HexFloat(SignatureType type, uint32_t size, const uint8_t *bytes, char *text,
                   size_t text_size);
/* Returns "NaN, quiet", "-0", "subnormal", "infinity", or an empty text for an ordinary value. */
const char *Value_Class(SignatureType type, uint32_t size, const uint8_t *bytes);

#endif
