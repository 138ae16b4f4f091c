/* Errors: every library call that can fail returns an RpStatus and fills the caller's RpError.
 *
 * An RpError says what went wrong, where, what was expected and what was found. Passing a null
 * RpError is allowed everywhere: only the status is returned then. Nothing is printed.
 */
#ifndef RETROPOSE_ERROR_H
#define RETROPOSE_ERROR_H

#include "api.h"

#include <stdint.h>

RP_API_BEGIN

typedef enum RpStatus {
    RP_OK = 0,
    RP_TRUNCATED,   /* the input ends early; what precedes the end is valid          */
    RP_CORRUPT,     /* the input contradicts itself or its checksum                  */
    RP_UNSUPPORTED, /* well-formed, but not something this version handles           */
    RP_INVALID,     /* an argument is outside its documented range                   */
    RP_NOT_FOUND,   /* a named thing does not exist                                  */
    RP_IO,          /* the operating system refused; `found` holds its words         */
    RP_NO_MEMORY,   /* a buffer handed in is too small, or allocation failed         */
    RP_CRASHED      /* a provider crashed, hung or ended its process                 */
} RpStatus;

#define RP_NOWHERE UINT64_MAX

typedef struct RpError {
    RpStatus status;
    uint64_t offset;    /* byte offset in the input, or RP_NOWHERE                  */
    char what[160];     /* the thing and the failure, one sentence without a stop   */
    char where[160];    /* file, stream, node, call: as far as known, else empty    */
    char expected[256]; /* what a valid input has there, else empty                */
    char found[160];    /* what this input has there, else empty                    */
} RpError;

/* One word for a status, for machine-readable reports: "ok", "truncated", ... */
const char *RpStatus_Name(RpStatus status);

/* Fills `error` (may be null) and returns `status`; the texts are copied and cut to fit. */
RpStatus RpError_Set(RpError *error, RpStatus status, uint64_t offset, const char *what,
                     const char *where, const char *expected, const char *found);

/* Writes "what, at WHERE (byte N): expected E, found F" and returns the length it would need. Where
 * `found` holds the operating system's words (RP_IO; RP_NOT_FOUND without `expected`), it stands
 * without "found". */
int RpError_Format(const RpError *error, char *buffer, unsigned long size);

RP_API_END

#endif
