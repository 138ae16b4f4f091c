/* Errors: every library call that can fail returns an RpStatus and fills the caller's RpError.
 *
 * An RpError says what went wrong, where, what was expected and what was found. Passing a null
 * RpError is allowed everywhere: only the status is returned then. Nothing is printed.
 *
 * The comment of each function names the statuses that it returns besides RP_OK, and what they
 * stand for. Any function that allocates may return RP_NO_MEMORY in addition; this is named only
 * where it is the one error or stands for something else.
 */
#ifndef RETROPOSE_ERROR_H
#define RETROPOSE_ERROR_H

#include "api.h"

#include <stddef.h>
#include <stdint.h>

RP_API_BEGIN

typedef enum RpStatus {
    RP_OK = 0,
    RP_TRUNCATED,   /* the input ends early; what precedes the end is valid */
    RP_CORRUPT,     /* the input contradicts itself or its checksum */
    RP_UNSUPPORTED, /* the input is well-formed, but this version does not handle it */
    RP_INVALID,     /* an argument is outside its documented range */
    RP_NOT_FOUND,   /* a named thing does not exist */
    RP_IO,          /* the operating system refused; `found` holds its message */
    RP_NO_MEMORY,   /* a buffer handed in is too small, or allocation failed */
    /* a provider (a process that runs the functions under test) crashed, hung or exited */
    RP_CRASHED
} RpStatus;

/* Stands for an offset where no place in the input is meant. */
#define RP_NOWHERE UINT64_MAX

typedef struct RpError {
    RpStatus status;
    uint64_t offset;    /* byte offset in the input, or RP_NOWHERE */
    char what[160];     /* what failed and how: one sentence without a full stop */
    char where[160];    /* the file, stream, node or call as far as known, else empty */
    char expected[256]; /* what a valid input has there, else empty */
    char found[160];    /* what this input has there, else empty */
} RpError;

/* Returns a status as one word for machine-readable reports, such as "ok" or "truncated". */
const char *RpStatus_Name(RpStatus status);

/* Fills `error`, which may be null, and returns `status`, whichever it is, such as RP_INVALID. The
 * texts are copied, and cut where they are too long. */
RpStatus RpError_Set(RpError *error, RpStatus status, uint64_t offset, const char *what,
                     const char *where, const char *expected, const char *found);

/* Writes "WHAT, at WHERE (byte N): expected E, found F" and returns the length that the whole text
 * needs. Where `found` holds the operating system's message (RP_IO, or RP_NOT_FOUND without
 * `expected`), the word "found" is left out. */
int RpError_Format(const RpError *error, char *buffer, size_t size);

RP_API_END

#endif
