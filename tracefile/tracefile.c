/* Reads and writes the text in a trace's header. */
#include "tracefile/tracefile.h"

#include <stddef.h>
#include <string.h>

void TraceHeader_Init(TraceHeader *header) {
    memset(header, 0, sizeof *header);
    header->major = TRACE_VERSION_MAJOR;
    header->minor = TRACE_VERSION_MINOR;
}

/* Returns the line that begins with this key, or null. */
static char *FindLine(const TraceHeader *header, const char *key) {
    size_t length = strlen(key);
    for (const char *line = header->text; *line;) {
        if (strncmp(line, key, length) == 0 && line[length] == '=')
            return (char *)(uintptr_t)line;
        const char *end = strchr(line, '\n');
        if (!end)
            break;
        line = end + 1;
    }
    return NULL;
}

RpStatus TraceHeader_Set(TraceHeader *header, const char *key, const char *value, RpError *error) {
    size_t key_length = strlen(key), value_length = strlen(value);
    if (key_length == 0 || strpbrk(key, "=\n") || strchr(value, '\n'))
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "malformed header line", key,
                           "a key without =, a value without a line end", value);
    char *old = FindLine(header, key);
    char *rest = old ? strchr(old, '\n') : NULL;
    size_t old_length = old ? (size_t)(rest ? rest + 1 - old : (ptrdiff_t)strlen(old)) : 0;
    size_t length = strlen(header->text), line = key_length + 1 + value_length + 1;
    if (length - old_length + line >= TRACE_HEADER_MAX)
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "the trace header is full", key,
                           "at most 8191 bytes", "");
    char *at = old ? old : header->text + length;
    memmove(at + line, at + old_length, length - old_length - (size_t)(at - header->text) + 1);
    memcpy(at, key, key_length);
    at[key_length] = '=';
    memcpy(at + key_length + 1, value, value_length);
    at[line - 1] = '\n';
    return RP_OK;
}

bool TraceHeader_Get(const TraceHeader *header, const char *key, char *value, size_t size) {
    const char *line = FindLine(header, key);
    if (size > 0)
        value[0] = 0;
    if (!line)
        return false;
    const char *start = line + strlen(key) + 1;
    size_t length = strcspn(start, "\n");
    if (size > 0) {
        size_t copied = length < size ? length : size - 1;
        memcpy(value, start, copied);
        value[copied] = 0;
    }
    return true;
}
