#include "retropose/error.h"

#include <stdio.h>
#include <string.h>

const char *RpStatus_Name(RpStatus status) {
    static const char *const names[] = {"ok",          "truncated", "corrupt",
                                        "unsupported", "invalid",   "not found",
                                        "io",          "no memory", "crashed"};
    return (unsigned)status < sizeof names / sizeof *names ? names[status] : "unknown";
}

static void CopyText(char *to, size_t size, const char *from) {
    if (!from)
        from = "";
    size_t length = strlen(from);
    if (length >= size)
        length = size - 1;
    memcpy(to, from, length);
    to[length] = 0;
}

RpStatus RpError_Set(RpError *error, RpStatus status, uint64_t offset, const char *what,
                     const char *where, const char *expected, const char *found) {
    if (error) {
        error->status = status;
        error->offset = offset;
        CopyText(error->what, sizeof error->what, what);
        CopyText(error->where, sizeof error->where, where);
        CopyText(error->expected, sizeof error->expected, expected);
        CopyText(error->found, sizeof error->found, found);
    }
    return status;
}

int RpError_Format(const RpError *error, char *buffer, unsigned long size) {
    char byte[32] = "";
    if (error->offset != RP_NOWHERE)
        snprintf(byte, sizeof byte, " (byte %llu)", (unsigned long long)error->offset);
    return snprintf(buffer, size, "%s%s%s%s%s%s%s%s%s", error->what, error->where[0] ? ", at " : "",
                    error->where, byte, error->expected[0] || error->found[0] ? ":" : "",
                    error->expected[0] ? " expected " : "", error->expected,
                    error->found[0] ? (error->expected[0] ? ", found " : " found ") : "",
                    error->found);
}
