/* Code of this project's own DLLs that no call is meant to reach, by name: functions and sources of
 * our DLLs, and labels of the stand-in. What is not reached of it is not counted, and a report says
 * so, with the reason. Nothing is excluded of an original. */
#ifndef RETROPOSE_REPLAY_COVERAGE_EXCLUSION_H
#define RETROPOSE_REPLAY_COVERAGE_EXCLUSION_H

#include <stdint.h>

enum { COVERAGE_MOST_PLACES = 12 };

typedef struct CoverageExclusion {
    const char *name, *reason;
    /* Names of functions and labels, and of sources, which end with ".c". Of a function that is
     * named, nothing may be left for another reason, under whatever readings. */
    const char *places[COVERAGE_MOST_PLACES];
} CoverageExclusion;

extern const CoverageExclusion coverage_exclusions[];
extern const uint32_t coverage_exclusion_count;

/* Returns the number of the row, counted from 1 on, that names a function or its source; 0: there
 * is none. */
uint32_t CoverageExclusion_Of(const char *function, const char *source);

#endif
