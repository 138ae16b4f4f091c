/* The proof by many calls: slerps, samples, blends, skeletons, objects and queries are computed by
 * the exact core, in every width that the processor has, and by the x87's steps, and compared bit
 * for bit (docs/reference/exact.md, "A thousand million calls").
 *
 * Inputs are drawn in blocks. A block's inputs follow from its number alone, so a run can be cut
 * into shards, each of which takes every Nth block.
 *
 * The reference is the same call under an MXCSR that the core refuses, so that the x87's steps
 * compute it. For the generic and the FXCH build this is an MXCSR that rounds toward zero, which no
 * step of these builds obeys. The SSE build has steps that do obey it. The core also refuses under
 * an MXCSR that does not mask every exception, so the reference of the SSE build has the same MXCSR
 * without the mask of divisions by zero: nothing in a pose divides by SSE's steps. A query does
 * divide, so the SSE build is not asked any queries.
 *
 * Half of the calls of the core take the thread's control word and MXCSR, as the game's code does.
 * The others ask for a control word by value, in a thread whose own may be any. */
#ifndef RETROPOSE_REPLAY_COMPOSED_COMPOSED_H
#define RETROPOSE_REPLAY_COMPOSED_COMPOSED_H

#include "replay/composed/composed_report.h"
#include "retropose/error.h"

typedef struct ComposedOptions {
    uint64_t seed;
    uint64_t calls;         /* the least number of calls in all shards together */
    uint32_t shard, shards; /* shard 1 to `shards`, and the number of shards */
} ComposedOptions;

/* Runs a shard. Returns RP_INVALID where there is no such shard, and RP_NO_MEMORY where memory is
 * short. The thread's control word and MXCSR are left as they were. */
RpStatus Composed_Run(const ComposedOptions *options, ComposedReport *report, RpError *error);

#endif
