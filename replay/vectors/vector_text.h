/* Writes the pieces of JSON that all vectors have. */
#ifndef RETROPOSE_REPLAY_VECTORS_VECTOR_TEXT_H
#define RETROPOSE_REPLAY_VECTORS_VECTOR_TEXT_H

#include "retropose/memory.h"

#include <stdint.h>

typedef struct VectorText {
    RpBuffer *json;
    /* whether something comes before in the list or case, so that a comma is needed */
    bool in_list, in_case;
} VectorText;

/* Begins a file with what it is, and under which circumstances its results hold. */
VectorText VectorText_Begin(RpBuffer *json, const char *file);
RpStatus VectorText_End(VectorText *text, RpError *error);

/* Begins and ends a list of cases, each of which is an object in one line. */
void VectorText_Section(VectorText *text, const char *name);
void VectorText_EndSection(VectorText *text);
void VectorText_Case(VectorText *text);
void VectorText_EndCase(VectorText *text);

/* These write members of a case. Floats are eight hexadecimal digits each, with spaces between
 * them, and again as decimals in a member whose name ends with _decimal. */
void VectorText_Floats(VectorText *text, const char *name, const float *values, uint32_t count);
void VectorText_Number(VectorText *text, const char *name, int64_t value);
void VectorText_Word(VectorText *text, const char *name, const char *value);
void VectorText_Integers(VectorText *text, const char *name, const int32_t *values, uint32_t count);

#endif
