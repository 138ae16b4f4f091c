/* Asks a long run to stop, so that what it has compared so far can still be reported. After that,
 * the reader of traces refuses to read on, and the wait for a host process ends that process. The
 * callers of both get an error, and ask Stop_Asked for the reason. */
#ifndef RETROPOSE_CORE_STOP_H
#define RETROPOSE_CORE_STOP_H

#include <stdbool.h>

/* May be called from a signal handler or another thread. `signal` is the number of the signal. The
 * result is false when a stop has been asked for before. */
bool Stop_Ask(int signal);
/* Returns the signal's number, or 0 when no stop was asked for. */
int Stop_Asked(void);

#endif
