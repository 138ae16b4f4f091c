/* The clock of all benches. */
#ifndef RETROPOSE_CLI_BENCH_MEASURE_TIMING_H
#define RETROPOSE_CLI_BENCH_MEASURE_TIMING_H

#include <stdint.h>

int64_t Bench_Nanoseconds(void);
/* Returns the processor time of this process, which does not include the work of other processes,
 * except that these also use the caches. On Windows it is the same as Bench_Nanoseconds. */
int64_t Bench_ProcessNanoseconds(void);
/* Does the work once for warming up, and then writes the nanoseconds of each repetition. */
void Bench_Time(void (*work)(void), int repetitions, double *times);

#endif
