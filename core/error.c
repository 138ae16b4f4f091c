#include "retropose/error.h"
#include "core/text.h"

const char *RpStatus_Name(RpStatus status) {
    static const char *const names[] = {"ok",          "truncated", "corrupt",
                                        "unsupported", "invalid",   "not found",
                                        "io",          "no memory", "crashed"};
    return (unsigned)status < sizeof names / sizeof *names ? names[status] : "unknown";
}

static void CopyText(char *to, size_t size, const char *from) {
    Text text = Text_Begin(to, size);
    if (from)
        Text_Append(&text, from);
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

int RpError_Format(const RpError *error, char *buffer, size_t size) {
    Text text = Text_Begin(buffer, size);
    Text_Append(&text, error->what);

    if (error->where[0]) {
        Text_Append(&text, ", at ");
        Text_Append(&text, error->where);
    }
    if (error->offset != RP_NOWHERE) {
        Text_Append(&text, " (byte ");
        Text_AppendDecimal(&text, error->offset);
        Text_Append(&text, ")");
    }

    const char *separator = ":";
    if (error->expected[0]) {
        Text_Append(&text, ": expected ");
        Text_Append(&text, error->expected);
        separator = ",";
    }
    if (error->found[0]) {
        Text_Append(&text, separator);
        /* What was found may be the operating system's message, also the one that there is no such
         * file. */
        Text_Append(&text, (!error->expected[0] &&
                            (error->status == RP_IO || error->status == RP_NOT_FOUND))
                               ? " "
                               : " found ");
        Text_Append(&text, error->found);
    }
    return (int)text.length;
}
