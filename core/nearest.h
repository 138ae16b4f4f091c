/* Finds the known name that is nearest to a mistyped one, for messages that ask "did you mean
 * ...?". */
#ifndef RETROPOSE_CORE_NEAREST_H
#define RETROPOSE_CORE_NEAREST_H

#include <stddef.h>

/* Returns how many insertions, deletions, substitutions and swaps of neighbours turn `a` into `b`,
 * ignoring case. Names longer than 63 characters are cut. */
unsigned Nearest_Distance(const char *a, const char *b);

/* Offer every candidate. `best` is then the nearest one, or null when none is near enough to be
 * meant. A candidate that begins with what was typed is as near as one with a single wrong
 * character. */
typedef struct Nearest {
    const char *typed;
    const char *best;
    unsigned distance;
} Nearest;

void Nearest_Init(Nearest *nearest, const char *typed);
void Nearest_Offer(Nearest *nearest, const char *candidate);

#endif
