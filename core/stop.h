/* Asking a long run to stop where it is, so that what was compared so far can still be reported.
 * The one reader of traces then refuses to read on, and a host process that is waited for is ended;
 * whoever called either gets an error, and asks here why. */
#ifndef RETROPOSE_CORE_STOP_H
#define RETROPOSE_CORE_STOP_H

#include <stdbool.h>

/* From a signal handler or another thread. `signal` is the number of the signal that asked. False
 * when somebody has asked before. */
bool Stop_Ask(int signal);
/* The signal's number; 0: nobody has asked. */
int Stop_Asked(void);

#endif
