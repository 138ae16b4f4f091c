/* The functions of one argument that can be compared with the x87 for every argument
 * (docs/proof/overview.md). */
#ifndef RETROPOSE_REPLAY_PROVE_KERNEL_H
#define RETROPOSE_REPLAY_PROVE_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

enum { PROVE_PARTS = 2, PROVE_RANGES = 2, PROVE_CONTROL_WORD = 0x007F };

/* One result of a kernel for one argument. */
typedef struct ProveSample {
    double found; /* by the core, in binary64 */
    double error; /* how far that is from the x87's result, in units */
    float core;   /* rounded to 24 bits by the core ... */
    float x87;    /* ... and by the x87 */
    bool decided; /* the core vouches for its rounding */
} ProveSample;

typedef struct ProvePart {
    const char *name; /* null: the kernel has fewer parts */
    /* What a unit is: one in the last place of binary64 of the result, unless this says 2^-53. */
    bool absolute;
    double bound;   /* the largest error that ngi32/exact/proofs allows, in units */
    double allowed; /* the error that the test of rounding allows, in units; 0: it has none */
} ProvePart;

/* Arguments whose bits are from `first` to `last`. */
typedef struct ProveRange {
    uint32_t first, last;
} ProveRange;

typedef struct ProveKernel {
    const char *name, *description;
    ProvePart parts[PROVE_PARTS];
    ProveRange ranges[PROVE_RANGES]; /* an unused one is from 1 to 0 */
    /* Computes all parts. To be called under PROVE_CONTROL_WORD. */
    void (*evaluate)(uint32_t argument, ProveSample samples[PROVE_PARTS]);
} ProveKernel;

extern const ProveKernel prove_kernels[];
extern const unsigned prove_kernel_count;

/* Returns null where no kernel has the name. */
const ProveKernel *ProveKernel_Find(const char *name);
uint64_t ProveKernel_Arguments(const ProveKernel *kernel);
/* Returns the argument of an index below ProveKernel_Arguments. */
uint32_t ProveKernel_Argument(const ProveKernel *kernel, uint64_t index);
/* Returns whether the kernel has the argument. */
bool ProveKernel_Has(const ProveKernel *kernel, uint32_t argument);

#endif
