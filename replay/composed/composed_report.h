/* Counts what was compared, by kind of call and by what computed it. */
#ifndef RETROPOSE_REPLAY_COMPOSED_COMPOSED_REPORT_H
#define RETROPOSE_REPLAY_COMPOSED_COMPOSED_REPORT_H

#include "retropose/memory.h"

#include <stdint.h>

typedef enum ComposedKind {
    COMPOSED_SLERP,    /* slots 17 and 22 */
    COMPOSED_SAMPLE,   /* a node at one time */
    COMPOSED_BLEND,    /* a node between two times */
    COMPOSED_SKELETON, /* a node's local and model matrix, posed with the whole skeleton */
    COMPOSED_CLIP,     /* the same with a prepared clip */
    COMPOSED_OBJECT,   /* a piece's three matrices, posed with the whole object */
    COMPOSED_QUERY,    /* a segment, walk, push or point against an object */
    COMPOSED_KIND_COUNT
} ComposedKind;

/* What computes a call. After COMPOSED_MANY come the widths of Exact_Widths, narrowest first. */
enum { COMPOSED_ONE, COMPOSED_MANY, COMPOSED_FIRST_WIDTH, COMPOSED_PATH_COUNT = 10 };

typedef struct ComposedTally {
    uint64_t calls; /* the number of calls compared with the x87 */
    /* How much the core is known to have computed in these calls: interpolations of rotations,
     * or in queries choices of faces. */
    uint64_t by_core;
    uint64_t different; /* the number of differences, of which even one is too many */
} ComposedTally;

typedef struct ComposedReport {
    /* the number of calls, each counted once however many paths computed it */
    uint64_t calls;
    /* what the core computed in references, where it must compute nothing */
    uint64_t reference_by_core;
    ComposedTally tallies[COMPOSED_KIND_COUNT][COMPOSED_PATH_COUNT];
    char first[4000]; /* the first difference, with all operands, or "" */
} ComposedReport;

uint64_t Composed_Differences(const ComposedReport *report);
/* Appends a table: kind, path, calls, by_core, different. */
void Composed_Print(const ComposedReport *report, RpBuffer *text);

const char *ComposedKind_Name(ComposedKind kind);
/* Returns the name of a path, or null if this processor does not have it. */
const char *ComposedPath_Name(int path);

#endif
