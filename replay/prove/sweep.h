/* Compares a kernel with the x87 for many arguments and adds up what it finds. */
#ifndef RETROPOSE_REPLAY_PROVE_SWEEP_H
#define RETROPOSE_REPLAY_PROVE_SWEEP_H

#include "replay/prove/kernel.h"
#include "retropose/memory.h"

/* Both numbers as bits of binary32. */
typedef struct ProveEntry {
    uint32_t argument, core, x87;
} ProveEntry;

/* What was found of one part. */
typedef struct ProveFindings {
    double largest; /* error */
    uint32_t largest_at;
    /* Arguments for which the core does not vouch for its rounding, and those for which it does so
     * and yet differs from the x87. The counts are complete; of the lists, ordered by argument,
     * each block of arguments keeps PROVE_KEPT at most. */
    uint64_t undecided_count, different_count;
    RpBuffer undecided, different; /* of ProveEntry */
} ProveFindings;

typedef struct ProveTally {
    uint64_t arguments;
    ProveFindings parts[PROVE_PARTS];
} ProveTally;

enum { PROVE_BLOCK = 1 << 16, PROVE_KEPT = 64 };

void ProveTally_Init(ProveTally *tally);
void ProveTally_Free(ProveTally *tally);
/* Adds what another tally found for other arguments. Returns false where memory is refused. */
bool ProveTally_Add(ProveTally *tally, const ProveTally *other);
/* Returns whether no error was above its bound and no result different. */
bool ProveTally_IsProof(const ProveTally *tally, const ProveKernel *kernel);

/* Evaluates every `step`th of `count` arguments, from an index on. It sets the control
 * word for the time being. Returns false where memory is refused. */
bool Sweep_Block(const ProveKernel *kernel, uint64_t first, uint64_t count, uint64_t step,
                 ProveTally *tally);
/* Evaluates every `step`th argument of all. */
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
