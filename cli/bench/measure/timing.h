/* The clock of all benches. */
#ifndef RETROPOSE_CLI_BENCH_MEASURE_TIMING_H
#define RETROPOSE_CLI_BENCH_MEASURE_TIMING_H

#include <stdint.h>

int64_t Bench_Nanoseconds(void);
/* The time of this process, in which the work of others does not count, except that they use the
 * caches, too. On Windows it is the other clock. */
int64_t Bench_ProcessNanoseconds(void);
/* Does the work once for warming up, and then writes the nanoseconds of each repetition. */
void Bench_Time(void (*work)(void), int repetitions, double *times);

#endif
