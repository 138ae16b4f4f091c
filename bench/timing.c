#include "bench/timing.h"

#include <stdlib.h>
#include <time.h>

int64_t Bench_Nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int Order(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

int64_t Bench_Median(int64_t *times, int count) {
    qsort(times, (size_t)count, sizeof *times, Order);
    return times[count / 2];
}
