/* Visits the payloads of an archive in the order in which they lie in the image, without allocating
 * memory.
 *
 * In archives that the game wrote, this is the order of the directory. For other archives, the
 * caller's memory holds the order. Without such memory, payloads are visited in batches, each of
 * which takes a pass over the directory (n^2 / 192 steps). */
#ifndef RETROPOSE_FORMATS_NRES_SWEEP_H
#define RETROPOSE_FORMATS_NRES_SWEEP_H

#include "retropose/nres.h"

typedef struct NResRange {
    uint32_t entry;
    uint32_t start;
    uint64_t end;
} NResRange;

enum { NRES_SWEEP_BATCH = 192 }; /* so that a stack frame needs no stack probe */

typedef struct NResSweep {
    const RpNRes *archive;
    const uint32_t *order; /* null: directory order, or batches */
    uint32_t next;         /* in the order, or in the batch */
    bool in_batches;
    uint32_t batch_count;
    uint64_t batch[NRES_SWEEP_BATCH]; /* start << 32 | entry */
} NResSweep;

/* Begins a sweep. `work` has room for twice as many numbers as the archive has entries, and is in
 * use while the sweep goes on; it may be null. */
void NResSweep_Begin(NResSweep *sweep, const RpNRes *archive, uint32_t *work);
/* Returns the next payload, ordered by start and then by entry. Payloads that are empty or not
 * inside of the data region are passed over. Returns false behind the last one. */
bool NResSweep_Next(NResSweep *sweep, NResRange *range);

#endif
