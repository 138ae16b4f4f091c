/* How a function stands in a comparison, in the words and in the order of all reports. */
#ifndef RETROPOSE_REPLAY_COMPARE_STANDING_H
#define RETROPOSE_REPLAY_COMPARE_STANDING_H

#include "replay/compare/compare.h"

typedef enum Standing {
    STANDING_CRASHED,
    STANDING_DIFFERENT,
    STANDING_PARTLY_COMPARED,
    STANDING_NOT_COMPARED,
    STANDING_KNOWN_DIFFERENCES,
    STANDING_AS_PROCESSORS_MAY,
    STANDING_EQUAL,
    STANDING_COUNT
} Standing; /* what a reader must see first comes first */

Standing Standing_Of(const CompareCounts *counts);
/* Returns "CRASHED", "DIFFERENT", "not compared" and so on. */
const char *Standing_Name(Standing standing);

/* A number of CompareCounts, as a column of a table. */
typedef struct StandingColumn {
    const char *title;
    const char *member; /* of the JSON report */
    size_t count;       /* where CompareCounts has its number */
    bool always;        /* shown even if it is 0 in every row */
    bool added;         /* reports of earlier versions do not have it: none were counted */
} StandingColumn;
enum { STANDING_COLUMNS = 9 };
extern const StandingColumn standing_columns[STANDING_COLUMNS];
/* Returns where CompareCounts has the column's number. */
uint64_t *StandingColumn_Count(const StandingColumn *column, CompareCounts *counts);
uint64_t StandingColumn_Number(const StandingColumn *column, const CompareCounts *counts);
/* Returns whether a table has the column, whose rows add up to these totals. */
bool StandingColumn_IsShown(const StandingColumn *column, const CompareTotals *totals);

/* Returns the index of the next differing function behind `index` that `function` calls, itself or
 * through others (exports/calls.h), and that calls no differing one: a cause to look at first.
 * Begins with SIZE_MAX, and ends with it. */
size_t Standing_NextCause(const Comparison *comparison, const AbiFunction *function, size_t index);

#endif
