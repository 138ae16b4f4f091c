/* Builds the synthetic file of facts/lego-ani.md E.4 through the API, and loads the sample file of
 * this machine, if it has one. */
#ifndef RETROPOSE_TESTS_SIBLINGS_ISLE_SYNTHETIC_H
#define RETROPOSE_TESTS_SIBLINGS_ISLE_SYNTHETIC_H

#include "retropose/ani.h"

enum { SYNTHETIC_BYTES = 1069, SYNTHETIC_NODES = 15 };
extern const char synthetic_sha256[]; /* the file's SHA-256 in hexadecimal digits */

void Synthetic_Make(RpAni *ani, const RpAllocator *allocator);
void Synthetic_Write(RpBuffer *image);
/* Returns false, with a notice, if the file is not there. */
bool Sample_Load(RpBuffer *image);

#endif
