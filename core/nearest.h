/* The nearest of several names to a mistyped one, for "did you mean". */
#ifndef RETROPOSE_CORE_NEAREST_H
#define RETROPOSE_CORE_NEAREST_H

#include <stddef.h>

/* Insertions, deletions, substitutions and swaps of neighbours that turn a into b, ignoring case;
 * names longer than 63 characters are cut. */
unsigned Nearest_Distance(const char *a, const char *b);

/* Feed every candidate; `best` is the nearest that is near enough to be meant, or null. */
typedef struct Nearest {
    const char *typed;
    const char *best;
    unsigned distance;
} Nearest;

void Nearest_Init(Nearest *nearest, const char *typed);
void Nearest_Offer(Nearest *nearest, const char *candidate);

#endif
