/* Numbers as printf writes them, many times as fast, and with a point in every locale. */
#ifndef RETROPOSE_CORE_TEXT_NUMBER_TEXT_H
#define RETROPOSE_CORE_TEXT_NUMBER_TEXT_H

#include <stddef.h>
#include <stdint.h>

enum { NUMBER_TEXT_BYTES = 24 }; /* room for any of these numbers, and a NUL */

/* Writes a number as "%" PRId64 does. Both return the length, and use more of the room. */
size_t NumberText_Integer(int64_t value, char *text);
/* Writes the finite float that has these bits as "%.9g" does: rounded to nine digits, which suffice
 * to read the same float back, ties to even. */
size_t NumberText_Float(uint32_t bits, char *text);

#endif
