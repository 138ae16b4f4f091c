/* The instructions rcpss and rsqrtss of Intel's and of AMD's processors, in integers, on the bits
 * of binary32. The manuals promise only that the error is at most 1.5 * 2^-12 of the true value,
 * and each maker keeps that promise with other numbers (docs/reference/x87.md, "Estimates").
 *
 * They need no x86 processor. `tests/ngi32/processor/measure_estimates` compares them with the
 * instructions of the processor that it runs on, over all 2^32 inputs, and makes the tables of
 * estimates_amd.h.
 */
#ifndef RETROPOSE_NGI32_PROCESSOR_ESTIMATES_H
#define RETROPOSE_NGI32_PROCESSOR_ESTIMATES_H

#include "retropose/arithmetic.h"

/* These give the bits of rcpss and rsqrtss for the bits of a number. RP_ESTIMATES_OF_THIS asks for
 * the processor's own instructions, for which these functions give Intel's results. */
uint32_t Estimates_Reciprocal(RpEstimates maker, uint32_t bits);
uint32_t Estimates_ReciprocalSquareRoot(RpEstimates maker, uint32_t bits);

#endif
