#include "progress.h"

#include <stdio.h>

#ifdef _WIN32
#include <io.h>
#include <windows.h>
#define isatty _isatty
#define fileno _fileno
#else
#include <time.h>
#include <unistd.h>
#endif

#define BAR_CELLS       24
#define TERMINAL_PERIOD 0.1
#define LINE_PERIOD     15.0

static double Now(void) {
#ifdef _WIN32
    return (double)GetTickCount64() / 1e3;
#else
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
#endif
}

void Progress_Start(Progress *progress, bool silent) {
    *progress =
        (Progress){.silent = silent, .terminal = isatty(fileno(stderr)) != 0, .unit = "calls"};
    progress->start = progress->last = Now();
}

double Progress_Seconds(const Progress *progress) {
    return Now() - progress->start;
}

static void PrintNumbers(const char *unit, uint64_t calls, uint64_t total, double seconds) {
    double rate = seconds > 0 ? (double)calls / seconds : 0;
    fprintf(stderr, "%llu", (unsigned long long)calls);
    if (total > 0)
        fprintf(stderr, " of %llu", (unsigned long long)total);
    fprintf(stderr, " %s, %.0f/s", unit, rate);
    if (total > calls && rate > 0) {
        unsigned long left = (unsigned long)((double)(total - calls) / rate + 0.5);
        fprintf(stderr, ", %lu:%02lu left", left / 60, left % 60);
    }
}

static void DrawBar(uint64_t calls, uint64_t total) {
    unsigned filled = total ? (unsigned)((double)calls / (double)total * BAR_CELLS) : 0;
    fputc('[', stderr);
    for (unsigned i = 0; i < BAR_CELLS; i++)
        fputc(i < filled ? '#' : '.', stderr);
    fputs("] ", stderr);
}

void Progress_Update(void *context, uint64_t calls, uint64_t total) {
    Progress *progress = context;
    double now = Now();
    if (progress->silent ||
        now - progress->last < (progress->terminal ? TERMINAL_PERIOD : LINE_PERIOD))
        return;
    progress->last = now;
    if (progress->terminal) {
        fputs("\r\033[K", stderr);
        DrawBar(calls, total);
    }
    PrintNumbers(progress->unit, calls, total, now - progress->start);
    if (!progress->terminal)
        fputc('\n', stderr);
    fflush(stderr);
    progress->drawn = true;
}

void Progress_End(Progress *progress) {
    if (progress->drawn && progress->terminal)
        fputs("\r\033[K", stderr);
    progress->drawn = false;
}
