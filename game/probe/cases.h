/* Inputs on which a function's formula gives distinct results, and these results: calls of a
 * scenario, run by the library of this process under every reading that changes them.
 *
 * A formula identifies a call by large differences; readings and builds differ in last bits. So
 * only cases are kept for which no build's rounding matters, and agreement means within 2^-9 of
 * the largest number of an output. Which reading fits is found by calibration. */
#ifndef RETROPOSE_GAME_PROBE_CASES_H
#define RETROPOSE_GAME_PROBE_CASES_H

#include "replay/provider/provider.h"

#define PROBE_CASES        48u /* usually, for each function */
#define PROBE_MAX_CASES    256u
#define PROBE_MAX_READINGS 64u

/* What a call left. */
typedef struct ProbeOutcome {
    const uint8_t *bytes;
    uint32_t size;
    uint16_t control;
} ProbeOutcome;

typedef struct ProbeCases {
    const Signature *signature;
    char path[1100]; /* the trace with the inputs */
    TraceReader *reader;
    uint32_t count;
    TraceCall calls[PROBE_MAX_CASES]; /* the inputs, with their own bytes */
    uint32_t reading_count;
    char readings[PROBE_MAX_READINGS][64]; /* as hypotheses; "": the defaults */
    ProbeOutcome expected[PROBE_MAX_READINGS][PROBE_MAX_CASES]; /* with their own bytes */
} ProbeCases;

/* Returns whether there is a formula to compare the function with. */
bool ProbeCases_Known(const AbiFunction *function);

/* What runs the formula of functions that are only in our DLLs and not in the library: a
 * replacement pair, and how to run it. */
typedef struct ProbeReference {
    const Provider *provider; /* null: there is none */
    const ProviderOptions *options;
} ProbeReference;

/* Makes up to `wanted` cases, in files whose names begin with `prefix`; ProbeCases_Free removes
 * these. Returns RP_NOT_FOUND where no case tells anything. Null may be freed. */
RpStatus ProbeCases_Make(const Signature *signature, uint64_t seed, uint32_t wanted,
                         const ProbeReference *reference, const char *prefix, ProbeCases **cases,
                         RpError *error);
void ProbeCases_Free(ProbeCases *cases);

/* Returns whether a call that was made with the inputs of case `index` did what the formula does
 * under the reading. *exact says whether it did so to the bit. */
bool ProbeCases_Agrees(const ProbeCases *cases, uint32_t reading, uint32_t index,
                       const TraceCall *call, bool *exact);

#endif
