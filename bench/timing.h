/* The clock and the median of all benches. */
#ifndef RETROPOSE_BENCH_TIMING_H
#define RETROPOSE_BENCH_TIMING_H

#include <stdint.h>

int64_t Bench_Nanoseconds(void);
/* Sorts the times. */
int64_t Bench_Median(int64_t *times, int count);

#endif
