/* Progress on stderr: on a terminal that can redraw lines (not TERM=dumb) a bar with calls per
 * second and the time left, elsewhere a line now and then, and nothing with -q. */
#ifndef RETROPOSE_CLI_PROGRESS_H
#define RETROPOSE_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Progress {
    bool silent, terminal, drawn;
    double start, last;
    const char *unit; /* what is counted; "calls" unless it is set after the start */
} Progress;

void Progress_Start(Progress *progress, bool silent);
/* A total of 0 means that it is unknown. */
void Progress_Update(void *progress, uint64_t calls, uint64_t total);
/* Clears the bar. */
void Progress_End(Progress *progress);
/* Returns the seconds since the start. */
double Progress_Seconds(const Progress *progress);

#endif
