/* The log of our DLLs. It is off by default. The environment variable RETROPOSE_LOG names its file,
 * to which both DLLs append. A debugger always gets the lines. Any thread may write. */
#ifndef RETROPOSE_DLL_BASE_LOG_H
#define RETROPOSE_DLL_BASE_LOG_H

#include <stdbool.h>
#include <stddef.h>

/* `module_name` is written at the beginning of every line. */
void Log_Open(const char *module_name);
/* Does the same with this file, unless the environment names another one. */
void Log_OpenFile(const wchar_t *path);
void Log_Close(void);

/* Writes one line, which is cut after LOG_LINE_BYTES. The format knows %s (for null it writes
 * "null"), %u, %d, %x (eight digits) and %%. */
enum { LOG_LINE_BYTES = 1024 };
void Log_Write(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Returns true the first time that it is called with this `seen`, which must begin as 0. Every
 * message has a `seen` of its own. */
static inline bool Log_IsFirst(long *seen) {
    return __atomic_exchange_n(seen, 1, __ATOMIC_RELAXED) == 0;
}

/* Returns an environment variable as UTF-8, or null when it is unset, empty or too long for the
 * buffer. */
const char *Log_Environment(const char *name, char *buffer, size_t size);

#endif
