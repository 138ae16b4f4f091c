/* Complaints that show what was found: a part of a text (settings, profiles, overlays, readings),
 * or a number. */
#ifndef RETROPOSE_CORE_COMPLAINT_H
#define RETROPOSE_CORE_COMPLAINT_H

#include "core/span.h"
#include "core/text.h"
#include "retropose/error.h"

/* Does the same as RpError_Set, and gives a part of the text as what was found. */
static inline RpStatus Complaint_Set(RpError *error, RpStatus status, uint64_t offset,
                                     const char *what, const char *where, const char *expected,
                                     Span found) {
    char copy[sizeof error->found];
    Text text = Text_Begin(copy, sizeof copy);
    Text_AppendPart(&text, found.start, found.length);
    return RpError_Set(error, status, offset, what, where, expected, copy);
}

/* Does the same as RpError_Set, and gives a number as what was found. The offset is the only
 * place. */
static inline RpStatus Complaint_SetNumber(RpError *error, RpStatus status, uint64_t offset,
                                           const char *what, const char *expected, uint64_t found) {
    char number[24];
    Text text = Text_Begin(number, sizeof number);
    Text_AppendDecimal(&text, found);
    return RpError_Set(error, status, offset, what, "", expected, number);
}

/* Makes a line, as "line 12", the place of an error, and returns `status`. */
static inline RpStatus Complaint_AtLine(RpError *error, RpStatus status, unsigned line) {
    if (status && error) {
        Text where = Text_Begin(error->where, sizeof error->where);
        Text_Append(&where, "line ");
        Text_AppendDecimal(&where, line);
    }
    return status;
}

#endif
