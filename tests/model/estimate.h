/* The instructions rcpss and rsqrtss of Intel's processors in closed form, in integers: a table of
 * midpoints, rounded to the nearest multiple of 2^-13. */
#ifndef RETROPOSE_TESTS_MODEL_ESTIMATE_H
#define RETROPOSE_TESTS_MODEL_ESTIMATE_H

#include <stdint.h>

uint32_t Estimate_Reciprocal(uint32_t bits);
uint32_t Estimate_ReciprocalSquareRoot(uint32_t bits);

#endif
