/* Hypotheses: the points of the original's arithmetic that public sources leave open. Each has a
 * name and a list of alternatives (docs/reference/arithmetic.md).
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
/* A buffer of this size holds whatever RpHypotheses_Format writes. */
#define RP_HYPOTHESES_TEXT 1024

/* choice[i] is the index of the chosen alternative of hypothesis i, and 0 is the default. The order
 * of the hypotheses may change between versions but their names stay, so files store the text of
 * RpHypotheses_Format. */
typedef struct RpHypotheses {
    uint8_t choice[RP_HYPOTHESIS_MAX];
} RpHypotheses;

/* Return the name and the alternatives of a hypothesis by its index, or null past the last.
 * Alternatives are separated by '|', and the first is the default. */
const char *RpHypotheses_Name(int index);
const char *RpHypotheses_Choices(int index);

/* Sets the defaults and then the choices in `text`, such as "key-order=wxyz,slerp-sine=quotient".
 * An empty or null text gives the defaults. RP_INVALID names the unknown hypothesis or choice, and
 * lists either the choices that exist or the hypotheses that begin with the same letter. */
RpStatus RpHypotheses_Parse(RpHypotheses *hypotheses, const char *text, RpError *error);

/* Writes the choices that are not the default, in the format that RpHypotheses_Parse reads. Returns
 * the length that the whole text needs. */
int RpHypotheses_Format(const RpHypotheses *hypotheses, char *buffer, size_t size);

RP_API_END

#endif
