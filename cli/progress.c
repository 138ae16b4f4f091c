#include "cli/progress.h"

#include "cli/screen.h"

#include <stdio.h>

#ifdef _WIN32
#include <windows.h>
#else
#include <time.h>
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
    *progress = (Progress){.silent = silent, .terminal = Screen_CanRedraw(stderr), .unit = "calls"};
    progress->start = progress->last = Now();
}

double Progress_Seconds(const Progress *progress) {
    return Now() - progress->start;
}

void Progress_Update(void *context, uint64_t calls, uint64_t total) {
    Progress *progress = context;
    double now = Now();
    char text[160];
    if (progress->silent ||
        now - progress->last < (progress->terminal ? TERMINAL_PERIOD : LINE_PERIOD))
        return;
    progress->last = now;
    const double seconds = now - progress->start;
    const double rate = seconds > 0 ? (double)calls / seconds : 0;
    char of[32] = "", left[48] = "";
    if (total > 0)
        snprintf(of, sizeof of, " of %llu", (unsigned long long)total);
    if (total > calls && rate > 0) {
        const unsigned long rest = (unsigned long)((double)(total - calls) / rate + 0.5);
        snprintf(left, sizeof left, ", %lu:%02lu left", rest / 60, rest % 60);
    }
    const int length = snprintf(text, sizeof text, "%llu%s %s, %.0f/s%s", (unsigned long long)calls,
                                of, progress->unit, rate, left);
    if (progress->terminal) {
        /* The line is cut before the last column, because a terminal may wrap there, and a wrapped
         * line cannot be wiped. */
        const unsigned room = Screen_Columns(stderr, 80) - 1;
        fputs("\r\033[K", stderr);
        /* A bar is drawn where the line has room for one. */
        if (room >= (unsigned)length + BAR_CELLS + 3) {
            const unsigned filled =
                total ? (unsigned)((double)calls / (double)total * BAR_CELLS) : 0;
            fputc('[', stderr);
            for (unsigned i = 0; i < BAR_CELLS; i++)
                fputc(i < filled ? '#' : '.', stderr);
            fputs("] ", stderr);
        }
        fprintf(stderr, "%.*s", (int)room, text);
    } else {
        fprintf(stderr, "%s\n", text);
    }
    fflush(stderr);
    progress->drawn = true;
}

void Progress_End(Progress *progress) {
    if (progress->drawn && progress->terminal)
        fputs("\r\033[K", stderr);
    progress->drawn = false;
}
