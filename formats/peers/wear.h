/* A model's .wea member: text of sections, each a count and as many pairs of a number and a name.
 * The first section has no keyword and names materials; LIGHTMAPS names lightmaps. */
#ifndef RETROPOSE_FORMATS_PEERS_WEAR_H
#define RETROPOSE_FORMATS_PEERS_WEAR_H

#include "retropose/memory.h"

#include <stddef.h>

/* Appends {"materials": [...], "lightmaps": [...]}. A null text has none of either. */
void Wear_Put(RpBuffer *json, const char *text, size_t size, const RpAllocator *allocator);

#endif
