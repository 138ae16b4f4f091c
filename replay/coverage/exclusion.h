/* Code of this project's own DLLs that no call is meant to reach, by name: functions and sources of
 * our DLLs, and labels of the stand-in. What is not reached of it is not counted, and a report says
 * so, with the reason. Nothing is excluded of an original. */
#ifndef RETROPOSE_REPLAY_COVERAGE_EXCLUSION_H
#define RETROPOSE_REPLAY_COVERAGE_EXCLUSION_H

#include <stdint.h>

typedef struct CoverageExclusion {
    const char *name, *reason;
    const char *places[4]; /* names of functions and labels, and of sources, which end with ".c" */
} CoverageExclusion;

extern const CoverageExclusion coverage_exclusions[];
extern const uint32_t coverage_exclusion_count;

/* Returns the number of the row, counted from 1 on, that names a function or its source; 0: there
 * is none. */
uint32_t CoverageExclusion_Of(const char *function, const char *source);

#endif
