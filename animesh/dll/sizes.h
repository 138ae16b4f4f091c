/* The sizes of a reader's streams, which the 0xA4 bytes of the original have no room for.
 *
 * A small table beside the readers, filled by LoadReader. A reader that something else filled is
 * not in it; nor is one whose streams have been changed since: its functions then read as the
 * original's do, without bounds. Old entries give way to new ones. Any thread may call. */
#ifndef RETROPOSE_ANIMESH_DLL_SIZES_H
#define RETROPOSE_ANIMESH_DLL_SIZES_H

#include "animesh/layout.h"

#include <stdbool.h>

typedef struct StreamSizes {
    uint32_t nodes, keys, frame_map, strings;
} StreamSizes;

void StreamSizes_Open(void);
void StreamSizes_Close(void);

void StreamSizes_Remember(const Reader *reader, const StreamSizes *sizes);
/* False, and zeros, for a reader that is not in the table. */
bool StreamSizes_Find(const Reader *reader, StreamSizes *sizes);

#endif
