/* Defines how a function stands in a comparison, in the words and in the order of all reports. */
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
} Standing; /* in the order in which a reader must see them */

Standing Standing_Of(const CompareCounts *counts);
/* Returns "CRASHED", "DIFFERENT", "not compared" and so on. */
const char *Standing_Name(Standing standing);

/* One of the numbers of CompareCounts, as a column of a table. */
typedef struct StandingColumn {
    const char *title;
    const char *member; /* its name in the JSON report */
    size_t count;       /* its offset in CompareCounts */
    bool always;        /* shown even if it is 0 in every row */
    /* reports of earlier versions lack it, which means that none were counted */
    bool added;
} StandingColumn;
enum { STANDING_COLUMNS = 9 };
extern const StandingColumn standing_columns[STANDING_COLUMNS];
/* Returns where CompareCounts has the column's number. */
uint64_t *StandingColumn_Count(const StandingColumn *column, CompareCounts *counts);
uint64_t StandingColumn_Number(const StandingColumn *column, const CompareCounts *counts);
/* Returns whether a table whose rows add up to these totals shows the column. */
bool StandingColumn_IsShown(const StandingColumn *column, const CompareTotals *totals);

/* Returns the index of the next differing function after `index` that `function` calls, itself or
 * through others (exports/call_graph.h), and that calls no differing function. It is a cause to
 * look at first. The search begins with SIZE_MAX and ends when it returns SIZE_MAX. */
size_t Standing_NextCause(const Comparison *comparison, const AbiFunction *function, size_t index);

#endif
