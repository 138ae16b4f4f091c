/* Known differences: a file that says which differences are expected, and why. One a line:
 *
 *     selection | path glob | reason
 *
 * The separator is a bar or a tab; # starts a comment line. A difference is known when a line's
 * selection has its call and the path glob matches what differs ("matrix[2][*]", "return"). A line
 * whose calls were compared without a difference fails the run, so the file cannot rot. */
#ifndef RETROPOSE_REPLAY_COMPARE_KNOWN_H
#define RETROPOSE_REPLAY_COMPARE_KNOWN_H

#include "tracefile/select.h"

#include <stddef.h>

typedef struct KnownDifference {
    Selection *selection;
    char selection_text[256];
    char path[64];
    char reason[256];
    unsigned line;
} KnownDifference;

typedef struct KnownDifferences {
    KnownDifference *entries;
    size_t count;
} KnownDifferences;

/* Reads a file of known differences. Returns RP_INVALID or RP_NOT_FOUND, with the line in the
 * error's `where`. */
RpStatus KnownDifferences_Load(const char *path, KnownDifferences **known, RpError *error);
void KnownDifferences_Free(KnownDifferences *known);

#endif
