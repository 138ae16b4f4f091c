/* Findings: what a checker has to say about a file, one rule at a time.
 *
 * Every checker of the library (of archives and of models) reports to a sink that the caller hands
 * in, and stores nothing itself. The id of a finding's rule is stable across versions; the pages
 * nres.md, rsli.md, msh.md and gltf.md of docs/formats/ list the rules.
 */
#ifndef RETROPOSE_FINDING_H
#define RETROPOSE_FINDING_H

#include "api.h"
#include "error.h"

#include <stdbool.h>
#include <stdint.h>

RP_API_BEGIN

/* How a reader treats an input that breaks rules. */
typedef enum RpReadMode {
    /* the first broken rule of severity RP_SEVERITY_ERROR ends the reading with an error that names
     * it */
    RP_STRICT,
    RP_TOLERANT /* only what is locally damaged is dropped; nothing is ever read out of bounds */
} RpReadMode;

typedef enum RpSeverity {
    RP_SEVERITY_ERROR,     /* "E": the game would misread the file or crash */
    RP_SEVERITY_WARNING,   /* "W": suspicious, but the game copes */
    RP_SEVERITY_CANONICAL, /* "C": legal, but not how the game's own files are written */
    RP_SEVERITY_INFO,      /* "I": worth knowing */
    RP_SEVERITY_COUNT
} RpSeverity;

/* Returns "error", "warning", "canonical" or "info". */
const char *RpSeverity_Name(RpSeverity severity);

#define RP_NO_INDEX (-1)

typedef struct RpFinding {
    const char *rule; /* id of the rule, such as "N07", "R03" or "M21" (static text) */
    RpSeverity severity;
    uint64_t offset; /* byte offset in the checked image, or RP_NOWHERE */
    int32_t entry;   /* index of the directory entry, or RP_NO_INDEX */
    int32_t stream;  /* type of a model's stream, or RP_NO_INDEX */
    int32_t node;    /* index of a model's node, or RP_NO_INDEX */
    /* index of the key, slot, batch or other element of the stream, or RP_NO_INDEX */
    int32_t element;
    char what[160];     /* one sentence without a full stop */
    char expected[128]; /* what a valid file has there, or empty */
    char found[128];    /* what this file has there, or empty */
} RpFinding;

/* The caller's function that receives findings one after another. */
typedef struct RpFindingSink {
    void (*take)(void *context, const RpFinding *finding);
    void *context;
} RpFindingSink;

/* Returns a finding that says nothing yet: no offset, no indices, empty texts. */
RpFinding RpFinding_New(const char *rule, RpSeverity severity);
/* Hands a finding to a sink. A null sink is allowed and ignores it. */
void RpFindingSink_Report(const RpFindingSink *sink, const RpFinding *finding);

/* A sink that counts the findings which pass through it and hands them on to `next`, which may be
 * null. */
typedef struct RpFindingCounter {
    uint64_t count[RP_SEVERITY_COUNT];
    RpFinding first_error; /* its `rule` is null while no error was seen */
    const RpFindingSink *next;
} RpFindingCounter;

/* Returns a sink that counts into `counter`, which must outlive it. */
RpFindingSink RpFindingCounter_Sink(RpFindingCounter *counter);
/* Returns RP_OK, or RP_CORRUPT made of the first finding of severity error, with the rule's id in
 * `what`. */
RpStatus RpFindingCounter_Verdict(const RpFindingCounter *counter, RpError *error);

RP_API_END

#endif
