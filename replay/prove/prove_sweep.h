/* Compares a kernel with the x87 for many arguments and adds up what it finds. */
#ifndef RETROPOSE_REPLAY_PROVE_PROVE_SWEEP_H
#define RETROPOSE_REPLAY_PROVE_PROVE_SWEEP_H

#include "replay/prove/kernel.h"
#include "retropose/memory.h"

/* The results of both sides as bits of binary32. */
typedef struct ProveEntry {
    uint32_t argument, core, x87;
} ProveEntry;

/* What was found about one part. */
typedef struct ProveFindings {
    double largest; /* the largest error */
    uint32_t largest_at;
    /* Counts the arguments for which the core does not guarantee its rounding (`undecided`), and
     * those for which it does and yet differs from the x87 (`different`). The counts are complete.
     * The lists are ordered by argument, and each block of arguments keeps PROVE_KEPT entries at
     * most. */
    uint64_t undecided_count, different_count;
    RpBuffer undecided, different; /* lists of ProveEntry */
} ProveFindings;

typedef struct ProveTally {
    uint64_t arguments;
    ProveFindings parts[PROVE_PARTS];
} ProveTally;

enum { PROVE_BLOCK = 1 << 16, PROVE_KEPT = 64 };

void ProveTally_Init(ProveTally *tally);
void ProveTally_Free(ProveTally *tally);
/* Adds what another tally found for other arguments. Returns false where memory is short. */
bool ProveTally_Add(ProveTally *tally, const ProveTally *other);
/* Returns whether no error is above its bound and no result is different. */
bool ProveTally_IsProof(const ProveTally *tally, const ProveKernel *kernel);

/* Evaluates every `step`th of `count` arguments, beginning with an index. It sets the control word
 * while it runs. Returns false where memory is short. */
bool Sweep_Block(const ProveKernel *kernel, uint64_t first, uint64_t count, uint64_t step,
                 ProveTally *tally);
/* Evaluates every `step`th of all arguments. */
bool Sweep_Sample(const ProveKernel *kernel, uint64_t step, ProveTally *tally);

typedef struct SweepOptions {
    const ProveKernel *kernel;
    uint32_t shard, of; /* the shard from 1 to `of` */
    unsigned jobs;
    /* May be null. It is called by one thread at a time. */
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *context;
} SweepOptions;

/* Returns how many arguments are in the first `shard` of `of` shards. Shards are cut between
 * blocks, so that what a block keeps does not depend on their number. */
uint64_t Sweep_Edge(const ProveKernel *kernel, uint32_t shard, uint32_t of);
/* Evaluates all arguments of one shard. The result does not depend on the number of jobs. Fails
 * with RP_UNSUPPORTED where the processor has no SSE2. */
RpStatus Sweep_Run(const SweepOptions *options, ProveTally *tally, RpError *error);

#endif
