/* The benches, each of which measures the operations of one subject. The programs of bench/ print
 * all of them as a table; `retropose bench` prints those that its user asks for. */
#ifndef RETROPOSE_CLI_BENCH_MEASURE_BENCHES_H
#define RETROPOSE_CLI_BENCH_MEASURE_BENCHES_H

#include "cli/bench/measure/bench_table.h"

#include <stddef.h>

typedef struct Bench {
    const char *name;
    const char *number_is;    /* what the program's argument means; null: it takes none */
    long number, least, most; /* the default, and what is allowed */
    /* Measures the operations that the table wants, in the bench's own order. `given` says whether
     * the command line has an argument. Returns false, after a message on stderr, if something is
     * missing. */
    bool (*run)(BenchTable *table, long number, bool given);
} Bench;

/* Writes the widths of vectors that this processor has: "sse2, avx2". */
void Bench_Widths(char *text, size_t size);

extern const Bench bench_builds; /* slots and poses of one node, by each build */
extern const Bench bench_many;   /* many interpolations, and whole skeletons, by each width */
extern const Bench bench_mesh;   /* poses and queries of mesh objects */
extern const Bench bench_nres;   /* opening archives */
extern const Bench bench_msh;    /* reading models */

#endif
