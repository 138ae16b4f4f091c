/* The log of our DLLs. It is off by default; the environment variable RETROPOSE_LOG names its
 * file, to which both DLLs append. The debugger always gets it. Any thread may write. */
#ifndef RETROPOSE_DLL_BASE_LOG_H
#define RETROPOSE_DLL_BASE_LOG_H

#include <stdbool.h>
#include <stddef.h>

/* `module_name` stands in front of every line. */
void Log_Open(const char *module_name);
/* Does the same, unless the environment names a file. */
void Log_OpenFile(const wchar_t *path);
void Log_Close(void);

/* Writes one line, cut after LOG_LINE_BYTES. It knows %s (for null it writes "null"), %u, %d, %x
 * (eight digits) and %%. */
enum { LOG_LINE_BYTES = 1024 };
void Log_Write(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Returns true the first time. Every message has a `seen` of its own, which begins with 0. */
static inline bool Log_IsFirst(long *seen) {
    return __atomic_exchange_n(seen, 1, __ATOMIC_RELAXED) == 0;
}

/* Returns an environment variable as UTF-8, or null where it is unset, empty or too long for the
 * buffer. */
const char *Log_Environment(const char *name, char *buffer, size_t size);

#endif
