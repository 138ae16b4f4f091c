/* The process that started this one. It is at the other end of two pipes, the standard input and
 * output that this process was started with. Foreign code writes into standard output and reads
 * standard input as it likes, so these pipes are taken out of its reach first. */
#ifndef RETROPOSE_REPLAY_HOST_PARENT_H
#define RETROPOSE_REPLAY_HOST_PARENT_H

#include "replay/host/guest.h"
#include "replay/provider/batch.h"

#include <stdbool.h>

/* To be called before any foreign code is in this process. Keeps the two pipes under other handles.
 * From then on standard input is empty and standard output goes where standard error does, for the
 * system and for the C runtime.
 *
 * With `watched`, a thread reads the input from now on and ends this process where the input ends,
 * as it does when the other process is gone, whatever its other threads are doing. */
RpStatus Parent_Open(bool watched, RpError *error);

/* To be called after each call: says on standard error why the machine could not go on with it, and
 * ends this process where the call ended the pair's, as it does under Windows, where both are one.
 */
void Parent_Follow(const TraceCall *call, const InvokeFrame *frame);

/* Waits for the next order; Parent_Open must have been told to watch. False at the end of the
 * input; then a second is left to end well. */
bool Parent_Next(BatchOrder *order);
/* Says that an order was carried out. */
bool Parent_Answer(const BatchOrder *order);

#endif
