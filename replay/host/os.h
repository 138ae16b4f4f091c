/* What the program retropose-host asks of the system that it runs on. Defined in os_windows.c and
 * os_posix.c. */
#ifndef RETROPOSE_REPLAY_HOST_OS_H
#define RETROPOSE_REPLAY_HOST_OS_H

#include "replay/host/guest.h"
#include "tracefile/tracefile.h"

#define OS_TRACE_NAME "the input trace" /* the trace's name in messages */

/* Opens the trace of the calls to make. */
RpStatus Os_OpenTrace(const HostChar *path, TraceReader **reader, RpError *error);
/* Maps a whole file for reading. Returns null with the error filled. */
const uint8_t *Os_MapFile(const HostChar *path, size_t *size, RpError *error);
/* Maps a file that this process shares with another one. *size is its size in bytes; then a missing
 * file is made. If *size is 0, the file keeps the size that it has, which *size becomes. Returns
 * null with the error filled. */
void *Os_Share(const HostChar *path, size_t *size, bool writes, RpError *error);
/* Writes the name in the form in which the other parts of the project take it. */
RpStatus Os_Name(const HostChar *path, char *name, size_t size, RpError *error);
/* Ends this process at once, without the clean-up of the DLLs, which may hang after a crash inside
 * them. */
_Noreturn void Os_EndProcess(int code);

#endif
