/* Hypotheses: readings that public sources leave open, by name (docs/reference/arithmetic.md).
 *
 * A null `const RpHypotheses *` means the defaults everywhere in this library.
 */
#ifndef RETROPOSE_HYPOTHESES_H
#define RETROPOSE_HYPOTHESES_H

#include "api.h"
#include "error.h"

#include <stddef.h>
#include <stdint.h>

RP_API_BEGIN

#define RP_HYPOTHESIS_MAX 64
/* Room for what Format writes, whatever is chosen. */
#define RP_HYPOTHESES_TEXT 1024

/* choice[i] is the index of the chosen alternative of hypothesis i; 0 is the default. The order of
 * the table may change between versions, names stay: what is kept in files is text (Format). */
typedef struct RpHypotheses {
    uint8_t choice[RP_HYPOTHESIS_MAX];
} RpHypotheses;

/* Names in table order; null past the last. Alternatives are '|'-separated, the default first. */
const char *RpHypotheses_Name(int index);
const char *RpHypotheses_Choices(int index);

/* Parses "key-order=wxyz,slerp-sine=quotient" over the defaults; "" and null are the defaults.
 * RP_INVALID names the unknown hypothesis or choice, and lists the choices there are, or the
 * hypotheses that begin with the same letter. */
RpStatus RpHypotheses_Parse(RpHypotheses *hypotheses, const char *text, RpError *error);

/* Writes the choices that are not the default, in the format of Parse; returns the length needed.
 */
int RpHypotheses_Format(const RpHypotheses *hypotheses, char *buffer, size_t size);

RP_API_END

#endif
