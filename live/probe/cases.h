/* Inputs that a function's formula tells apart, and what it makes of them: calls of a scenario, run
 * by the library of this process under every reading that changes their result.
 *
 * A formula identifies a call by large differences; readings and builds differ in last bits. So a
 * case is kept only where no build's rounding matters, and agreement is within 2^-9 of the largest
 * number of an output. Which reading fits is calibrate's business.
 */
#ifndef RETROPOSE_LIVE_PROBE_CASES_H
#define RETROPOSE_LIVE_PROBE_CASES_H

#include "replay/provider/provider.h"

#define PROBE_CASES        48u /* of a function, usually */
#define PROBE_MAX_CASES    256u
#define PROBE_MAX_READINGS 64u

typedef struct ProbeCases {
    const Signature *signature;
    char path[1100]; /* the trace that the inputs are from */
    TraceReader *reader;
    uint32_t count;
    TraceCall calls[PROBE_MAX_CASES]; /* inputs; owned bytes */
    uint32_t reading_count;
    char readings[PROBE_MAX_READINGS][64]; /* hypotheses; "": the defaults */
    uint8_t *expected[PROBE_MAX_READINGS][PROBE_MAX_CASES];
    uint32_t expected_size[PROBE_MAX_READINGS][PROBE_MAX_CASES];
    uint16_t control[PROBE_MAX_READINGS][PROBE_MAX_CASES];
} ProbeCases;

/* Whether there is a formula to compare the function with. */
bool ProbeCases_Known(const AbiFunction *function);

/* Who plays the formula where the library of this process has it in our DLLs only: a replacement
 * pair and how to run it. */
typedef struct ProbeReference {
    const Provider *provider; /* null: there is none */
    const ProviderOptions *options;
} ProbeReference;

/* Up to `wanted` cases, in files whose names begin with `prefix`; they go with ProbeCases_Free.
 * RP_NOT_FOUND when the formula gives no case that tells anything. Null is fine to free. */
RpStatus ProbeCases_Make(const Signature *signature, uint64_t seed, uint32_t wanted,
                         const ProbeReference *reference, const char *prefix, ProbeCases **cases,
                         RpError *error);
void ProbeCases_Free(ProbeCases *cases);

/* Whether a call that was made with the inputs of case `index` did what the formula does under the
 * reading. *exact: to the bit. */
bool ProbeCases_Agrees(const ProbeCases *cases, uint32_t reading, uint32_t index,
                       const TraceCall *call, bool *exact);

#endif
