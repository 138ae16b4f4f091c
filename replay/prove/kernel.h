/* Lists the functions of one argument that can be compared with the x87 for every argument
 * (docs/proof/overview.md). */
#ifndef RETROPOSE_REPLAY_PROVE_KERNEL_H
#define RETROPOSE_REPLAY_PROVE_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

enum { PROVE_PARTS = 2, PROVE_RANGES = 2, PROVE_CONTROL_WORD = 0x007F };

/* One result of a kernel for one argument. */
typedef struct ProveSample {
    double found; /* the result of the core, in binary64 */
    double error; /* how far that is from the x87's result, in units */
    float core;   /* the result rounded to 24 bits by the core */
    float x87;    /* the result rounded to 24 bits by the x87 */
    bool decided; /* the core guarantees its rounding */
} ProveSample;

typedef struct ProvePart {
    const char *name; /* null if the kernel has fewer parts */
    /* The unit of the errors is 2^-53 if this is set, and otherwise one in the last place of the
     * result in binary64. */
    bool absolute;
    double bound; /* the largest error that ngi32/exact/proofs allows, in units */
    /* the error that the test of rounding allows, in units; 0 if there is no such test */
    double allowed;
} ProvePart;

/* The arguments with bits from `first` to `last`. */
typedef struct ProveRange {
    uint32_t first, last;
} ProveRange;

typedef struct ProveKernel {
    const char *name, *description;
    ProvePart parts[PROVE_PARTS];
    ProveRange ranges[PROVE_RANGES]; /* an unused range goes from 1 to 0 */
    /* Computes all parts. It has to be called under PROVE_CONTROL_WORD. */
    void (*evaluate)(uint32_t argument, ProveSample samples[PROVE_PARTS]);
} ProveKernel;

extern const ProveKernel prove_kernels[];
extern const unsigned prove_kernel_count;

/* Returns a kernel by its name, or null if there is none. */
const ProveKernel *ProveKernel_Find(const char *name);
uint64_t ProveKernel_Arguments(const ProveKernel *kernel);
/* Returns the argument of an index below ProveKernel_Arguments. */
uint32_t ProveKernel_Argument(const ProveKernel *kernel, uint64_t index);
/* Returns whether the kernel has the argument. */
bool ProveKernel_Has(const ProveKernel *kernel, uint32_t argument);

#endif
