/* Findings: what a checker has to say about a file, one rule at a time.
 *
 * Every checker of the library (archives, models) reports to a sink that the caller hands in, and
 * keeps nothing. A finding's rule id is stable across versions; docs/formats/nres.md,
 * rsli.md, msh.md and gltf.md list them.
 */
#ifndef RETROPOSE_FINDING_H
#define RETROPOSE_FINDING_H

#include "api.h"
#include "error.h"

#include <stdbool.h>
#include <stdint.h>

RP_API_BEGIN

/* How readers take broken rules. */
typedef enum RpReadMode {
    RP_STRICT,  /* any broken rule of severity RP_SEVERITY_ERROR is an error with its rule id     */
    RP_TOLERANT /* only what is locally damaged is dropped; nothing is ever read out of bounds    */
} RpReadMode;

typedef enum RpSeverity {
    RP_SEVERITY_ERROR,     /* E: the game would misread or crash                               */
    RP_SEVERITY_WARNING,   /* W: suspicious; the game copes                                    */
    RP_SEVERITY_CANONICAL, /* C: legal, but not how the game's own files are written           */
    RP_SEVERITY_INFO,      /* I: worth knowing                                                 */
    RP_SEVERITY_COUNT
} RpSeverity;

/* "error", "warning", "canonical", "info". */
const char *RpSeverity_Name(RpSeverity severity);

#define RP_NO_INDEX (-1)

typedef struct RpFinding {
    const char *rule; /* "N07", "R03", "M21": static text                                        */
    RpSeverity severity;
    uint64_t offset;    /* byte offset in the checked image, or RP_NOWHERE                      */
    int32_t entry;      /* directory entry, or RP_NO_INDEX                                      */
    int32_t stream;     /* type of a model's stream, or RP_NO_INDEX                             */
    int32_t node;       /* node of a model, or RP_NO_INDEX                                      */
    int32_t element;    /* element of the stream (key, slot, batch, ...), or RP_NO_INDEX        */
    char what[160];     /* one sentence without a stop                                          */
    char expected[128]; /* else empty                                                           */
    char found[128];    /* else empty                                                           */
} RpFinding;

typedef struct RpFindingSink {
    void (*take)(void *context, const RpFinding *finding);
    void *context;
} RpFindingSink;

/* A finding of nothing yet: no offset, no indices, empty texts. */
RpFinding RpFinding_New(const char *rule, RpSeverity severity);
/* Does nothing with a null sink. */
void RpFindingSink_Report(const RpFindingSink *sink, const RpFinding *finding);

/* Counts what passes and hands it on to `next` (may be null). */
typedef struct RpFindingCounter {
    uint64_t count[RP_SEVERITY_COUNT];
    RpFinding first_error; /* rule is null while there is none */
    const RpFindingSink *next;
} RpFindingCounter;

RpFindingSink RpFindingCounter_Sink(RpFindingCounter *counter);
/* RP_OK, or RP_CORRUPT made of the first finding of severity error, the rule id in `what`. */
RpStatus RpFindingCounter_Verdict(const RpFindingCounter *counter, RpError *error);

RP_API_END

#endif
