/* Finds out whether an image has the canonical layout. */
#ifndef RETROPOSE_FORMATS_NRES_CANONICAL_H
#define RETROPOSE_FORMATS_NRES_CANONICAL_H

#include "retropose/nres.h"

/* Tells whether reading the image and writing it canonically would give the same bytes, without
 * writing it. Fails only for want of memory. */
RpStatus NRes_IsCanonical(const RpNRes *image, const RpAllocator *allocator, bool *canonical);

#endif
