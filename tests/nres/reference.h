/* The reference for comparisons: it gives the library's answers by the slowest and plainest means
 * and shares no source with it. */
#ifndef RETROPOSE_TESTS_NRES_REFERENCE_H
#define RETROPOSE_TESTS_NRES_REFERENCE_H

#include "image.h"

/* Returns the first entry of the name by looking at each, or -1 if there is none. */
int32_t Reference_Find(const TestImage *image, const char *name);
/* Judges the rules N06 to N18, by marking each byte of the data region with its owner. *is_strict
 * says that N06 to N14 hold, *is_canonical that N15 to N18 hold. */
void Reference_Judge(const TestImage *image, bool *is_strict, bool *is_canonical);
/* Returns the canonical image of the same members, or an image without bytes if a payload does not
 * lie inside. */
TestImage Reference_Canonical(const TestImage *image);

#endif
