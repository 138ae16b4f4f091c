/* The proof by many calls: slerps, samples, blends, skeletons, objects and queries, computed by the
 * exact core in every width that the processor has and by the x87's steps, and compared bit for bit
 * (docs/reference/exact.md, "A thousand million calls").
 *
 * Inputs are drawn in blocks. A block's inputs follow from its number alone, so a run can be cut
 * into shards, each of which takes every Nth block.
 *
 * The core refuses under an MXCSR that rounds toward zero, which no step of the generic and the
 * FXCH build obeys: calls under such an MXCSR are what those builds are compared with. The SSE
 * build has steps that do obey it. The core also refuses under an MXCSR that does not mask every
 * exception. So that build is compared with calls under the same MXCSR, but for the mask of
 * divisions by zero: nothing in a pose divides by SSE's steps. A query does, so the SSE build is
 * not asked any.
 *
 * Half of the calls of the core take the thread's control word and MXCSR, as the game's code does;
 * the others ask for a control word by value, in a thread that has whatever it has. */
#ifndef RETROPOSE_REPLAY_COMPOSED_COMPOSED_H
#define RETROPOSE_REPLAY_COMPOSED_COMPOSED_H

#include "replay/composed/report.h"
#include "retropose/error.h"

typedef struct ComposedOptions {
    uint64_t seed;
    uint64_t calls;         /* at least so many in all shards together */
    uint32_t shard, shards; /* shard 1 to `shards` */
} ComposedOptions;

/* Runs a shard. RP_INVALID: there is no such shard; RP_NO_MEMORY. The thread's control word and
 * MXCSR are left as they were. */
RpStatus Composed_Run(const ComposedOptions *options, ComposedReport *report, RpError *error);

#endif
