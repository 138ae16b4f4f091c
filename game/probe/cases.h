/* Inputs on which a function's formula gives distinctive results, together with these results. The
 * inputs are calls of a scenario. The library of this process runs them under every reading that
 * changes a result.
 *
 * A function is recognised by large differences; readings and builds differ only in the last bits.
 * So only those cases are kept for which the rounding of a build does not matter, and results agree
 * if they differ by at most 2^-9 of the largest number of the output. Calibration, not probing,
 * finds out which reading an original follows. */
#ifndef RETROPOSE_GAME_PROBE_CASES_H
#define RETROPOSE_GAME_PROBE_CASES_H

#include "replay/host/host.h"

#define PROBE_CASES        48u /* usually, for each function */
#define PROBE_MAX_CASES    256u
#define PROBE_MAX_READINGS 64u

/* What a call left behind. */
typedef struct ProbeOutcome {
    const uint8_t *bytes;
    uint32_t size;
    uint16_t control;
} ProbeOutcome;

typedef struct ProbeCases {
    const Signature *signature;
    RpBuffer trace;      /* with the inputs */
    TraceReader *reader; /* of the trace */
    uint32_t count;
    TraceCall calls[PROBE_MAX_CASES]; /* have their own copies of the inputs */
    uint32_t reading_count;
    char readings[PROBE_MAX_READINGS][64];                      /* as readings; "": the defaults */
    ProbeOutcome expected[PROBE_MAX_READINGS][PROBE_MAX_CASES]; /* with their own bytes */
} ProbeCases;

/* Returns whether a formula is known with which the function can be compared. */
bool ProbeCases_Known(const AbiFunction *function);

/* Makes up to `wanted` cases. The reference is a replacement pair, or null: it computes the
 * formulas of functions that only our DLLs have, and the library of this process does not. Returns
 * RP_NOT_FOUND if there is no case that identifies the function. */
RpStatus ProbeCases_Make(const Signature *signature, uint64_t seed, uint32_t wanted,
                         const HostOptions *reference, ProbeCases **cases, RpError *error);
void ProbeCases_Free(ProbeCases *cases); /* null is allowed */

/* Returns whether a call with the inputs of case `index` gave the results of the formula under the
 * reading. *exact says whether all bits are equal. */
bool ProbeCases_Agrees(const ProbeCases *cases, uint32_t reading, uint32_t index,
                       const TraceCall *call, bool *exact);

#endif
