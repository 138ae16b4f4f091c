/* The log of our DLLs: off by default, in the file that the environment variable RETROPOSE_LOG
 * names (appended to, so that both DLLs share it), and always to the debugger. Any thread may
 * write. */
#ifndef RETROPOSE_LIVE_DLL_BASE_LOG_H
#define RETROPOSE_LIVE_DLL_BASE_LOG_H

#include <stdbool.h>
#include <stddef.h>

/* `module_name` stands before every line. */
void Log_Open(const char *module_name);
/* The same, unless the environment names a file. */
void Log_OpenFile(const wchar_t *path);
void Log_Close(void);

/* One line, cut after LOG_LINE_BYTES. Knows %s (null is written as such), %u, %d, %x (eight digits)
 * and %%. */
enum { LOG_LINE_BYTES = 1024 };
void Log_Write(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* True the first time; `seen` is the message's own, zero at the start. */
static inline bool Log_IsFirst(long *seen) {
    return __atomic_exchange_n(seen, 1, __ATOMIC_RELAXED) == 0;
}

/* An environment variable, or null when it is unset, empty or does not fit. */
const char *Log_Environment(const char *name, char *buffer, unsigned long size);

#endif
