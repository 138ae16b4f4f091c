/* How much an input may grow when it is read.
 *
 * Entries of an archive may name the same bytes, members of a manifest the same file, and packed
 * bytes may stand for a thousand times as many. A small file can so ask for more memory, time and
 * disk than there is. What copies or unpacks everything asks here first.
 */
#ifndef RETROPOSE_CORE_BOUNDS_H
#define RETROPOSE_CORE_BOUNDS_H

#include "retropose/error.h"

enum {
    BOUNDS_COPIES = 16,  /* of bytes that are named several times */
    BOUNDS_UNPACKED = 64 /* of packed bytes */
};

/* So many times the input, and so many MiB for an input of less than one MiB. */
uint64_t Bounds_Most(uint64_t input, uint32_t times);
/* RP_UNSUPPORTED when `size` is more than that. */
RpStatus Bounds_Check(uint64_t size, uint64_t input, uint32_t times, const char *what,
                      RpError *error);

#endif
