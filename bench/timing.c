#include "bench/timing.h"

#include <time.h>

static int64_t Read(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t Bench_Nanoseconds(void) {
    return Read(CLOCK_MONOTONIC);
}

int64_t Bench_ProcessNanoseconds(void) {
    return Read(CLOCK_PROCESS_CPUTIME_ID);
}
