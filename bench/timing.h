/* The clock of all benches. */
#ifndef RETROPOSE_BENCH_TIMING_H
#define RETROPOSE_BENCH_TIMING_H

#include <stdint.h>

int64_t Bench_Nanoseconds(void);
/* The time of this process, in which the work of others does not count, except that they use the
 * caches, too. */
int64_t Bench_ProcessNanoseconds(void);

#endif
