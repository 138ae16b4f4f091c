/* Limits to how much an input may grow while it is read.
 *
 * Entries of an archive may name the same bytes, members of a manifest may name the same file, and
 * packed bytes may stand for a thousand times as many. A small file can therefore ask for more
 * memory, time and disk than there is. Code that copies or unpacks everything calls these functions
 * first.
 */
#ifndef RETROPOSE_CORE_BOUNDS_H
#define RETROPOSE_CORE_BOUNDS_H

#include "retropose/error.h"

enum {
    BOUNDS_COPIES = 16,  /* limit for bytes that are named several times */
    BOUNDS_UNPACKED = 64 /* limit for packed bytes */
};

/* Returns the most that `input` bytes may become: `times` as many, but no less than `times` MiB. */
uint64_t Bounds_Most(uint64_t input, uint32_t times);
/* Returns RP_UNSUPPORTED when `size` is more than Bounds_Most allows. */
RpStatus Bounds_Check(uint64_t size, uint64_t input, uint32_t times, const char *what,
                      RpError *error);

#endif
