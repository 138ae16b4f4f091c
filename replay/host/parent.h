/* Talks to the process that started this one. That process is at the other end of two pipes, the
 * standard input and output that this process was started with. Foreign code writes to standard
 * output and reads standard input as it likes, so these pipes are taken out of its reach first. */
#ifndef RETROPOSE_REPLAY_HOST_PARENT_H
#define RETROPOSE_REPLAY_HOST_PARENT_H

#include "replay/host/guest.h"
#include "replay/provider/batch.h"

#include <stdbool.h>

/* Has to be called before any foreign code is in this process. It keeps the two pipes under other
 * handles. From then on standard input is empty and standard output goes to where standard error
 * goes, for the system and for the C runtime.
 *
 * With `watched`, a thread reads the input from now on. It ends this process when the input ends,
 * which happens when the other process is gone, whatever the other threads are doing. */
RpStatus Parent_Open(bool watched, RpError *error);

/* Has to be called after each call. It says on standard error why the machine could not go on with
 * the call. If the call ended the pair's process, it ends this process, as happens under Windows,
 * where both are one. */
void Parent_Follow(const TraceCall *call, const InvokeFrame *frame);

/* Waits for the next order; Parent_Open must have been called with `watched`. Returns false at the
 * end of the input; the process then has one second to end well. */
bool Parent_Next(BatchOrder *order);
/* Says that an order was carried out. */
bool Parent_Answer(const BatchOrder *order);

#endif
