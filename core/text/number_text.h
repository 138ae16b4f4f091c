/* Writes numbers as printf does, but many times as fast, and with a decimal point in every
 * locale. */
#ifndef RETROPOSE_CORE_TEXT_NUMBER_TEXT_H
#define RETROPOSE_CORE_TEXT_NUMBER_TEXT_H

#include <stddef.h>
#include <stdint.h>

enum { NUMBER_TEXT_BYTES = 24 }; /* room for any of these numbers, and a NUL */

/* Writes a number as "%" PRId64 does. Both functions return the length, and may write more of the
 * room than that. */
size_t NumberText_Integer(int64_t value, char *text);
/* Writes the finite float that has these bits as "%.9g" does. It is rounded to nine digits, ties to
 * even, which suffice to read the same float back. */
size_t NumberText_Float(uint32_t bits, char *text);

#endif
