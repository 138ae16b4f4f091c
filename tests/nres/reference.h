/* What the library is compared with: the same answers by the slowest and plainest means, sharing no
 * source with it. */
#ifndef RETROPOSE_TESTS_NRES_REFERENCE_H
#define RETROPOSE_TESTS_NRES_REFERENCE_H

#include "image.h"

/* First entry of the name by looking at each, -1 without one. */
int32_t Reference_Find(const TestImage *image, const char *name);
/* The rules N06 to N18, each byte of the data region marked by its owner: whether any of N06 to N14
 * is broken (*is_strict), and any of N15 to N18 (*is_canonical). */
void Reference_Judge(const TestImage *image, bool *is_strict, bool *is_canonical);
/* Canonical image of the same members, or an image of no bytes when a payload is not inside. */
TestImage Reference_Canonical(const TestImage *image);

#endif
