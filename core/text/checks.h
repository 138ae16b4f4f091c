/* What a program finds out when it looks at many things one after the other, for `retropose
 * doctor`. Each of them is a row, which is reported at once, and the problems are counted. */
#ifndef RETROPOSE_CORE_TEXT_CHECKS_H
#define RETROPOSE_CORE_TEXT_CHECKS_H

#include "core/text/visible.h"

typedef enum CheckLevel {
    CHECK_FINE,
    CHECK_NOTE,   /* worth knowing, perhaps worth changing */
    CHECK_PROBLEM /* something does not work as it is meant to */
} CheckLevel;

typedef struct CheckRow {
    CheckLevel level;
    const char *name; /* "settings", "AniMesh.dll", "processor" and so on */
    const char *found;
    const char *names;  /* names that the row is about, separated by blanks; may be empty */
    const char *advice; /* what to do; may be empty */
} CheckRow;

typedef struct Checks {
    void (*row)(void *context, const CheckRow *row); /* called for every row, in order */
    void *context;
    unsigned problems; /* among the rows so far */
} Checks;

void Checks_Add(Checks *checks, const CheckRow *row);
/* Adds a row without names. What was found is a text of up to 2 KB. The advice is left out when all
 * is fine. */
void Checks_Tell(Checks *checks, CheckLevel level, const char *name, const char *advice,
                 const char *format, ...) __attribute__((format(VISIBLE_PRINTF, 5, 6)));

#endif
