/* The synthetic file of facts/lego-ani.md E.4, built by the API, and the local sample file. */
#ifndef RETROPOSE_TESTS_ISLE_SYNTHETIC_H
#define RETROPOSE_TESTS_ISLE_SYNTHETIC_H

#include "retropose/ani.h"

enum { SYNTHETIC_BYTES = 1069 };
extern const char synthetic_sha256[]; /* hex */

void Synthetic_Build(RpAni *ani, const RpAllocator *allocator);
void Synthetic_Write(RpBuffer *image);
/* False, with a notice, where the file is not there. */
bool Sample_Load(RpBuffer *image);

#endif
