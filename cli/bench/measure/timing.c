#include "cli/bench/measure/timing.h"

#ifdef _WIN32
#include <windows.h>

/* On Windows the clock of a process advances in steps of 15 ms. So both functions read the wall
 * clock. */
int64_t Bench_Nanoseconds(void) {
    LARGE_INTEGER now, second;
    QueryPerformanceCounter(&now);
    QueryPerformanceFrequency(&second);
    return now.QuadPart / second.QuadPart * 1000000000 +
           now.QuadPart % second.QuadPart * 1000000000 / second.QuadPart;
}

int64_t Bench_ProcessNanoseconds(void) {
    return Bench_Nanoseconds();
}
#else
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
#endif

void Bench_Time(void (*work)(void), int repetitions, double *times) {
    work();
    for (int i = 0; i < repetitions; i++) {
        const int64_t start = Bench_Nanoseconds();
        work();
        times[i] = (double)(Bench_Nanoseconds() - start);
    }
}
