/* How a function is called, found by calling it: candidates are tried in the host process on
 * distinct inputs, and the one that reproduces the known formula under some reading is it.
 *
 * Machine code only says in which order candidates are tried, and which are tried at all before the
 * others: where none of those fits, all are tried.
 */
#ifndef RETROPOSE_LIVE_PROBE_DYNAMIC_H
#define RETROPOSE_LIVE_PROBE_DYNAMIC_H

#include "exports/overlay/overlay.h"
#include "live/probe/cases.h"
#include "live/probe/static.h"

typedef enum ProbeVerdict {
    PROBE_NOT_TRIED, /* static only, no formula is known, or it changes an object */
    PROBE_FOUND,
    PROBE_NONE_FITS,
    PROBE_AMBIGUOUS,    /* several reproduce it, and they are not one call */
    PROBE_NOT_CALLABLE, /* this pair has no such function that may be called */
    PROBE_BROKEN        /* it hangs, ends the process or breaks the host */
} ProbeVerdict;

typedef struct ProbeFinding {
    ProbeVerdict verdict;
    OverlayCall call;     /* PROBE_FOUND */
    uint32_t asked;       /* cases put to it; a sixteenth may be on some reading's edge */
    uint32_t cases;       /* that `call` reproduced */
    uint32_t exact;       /* ... to the bit, under the best reading */
    char reading[64];     /* that one; empty: the defaults */
    bool interchangeable; /* other orders of parameters of one kind reproduce it, too */
    uint32_t possible, fitting, tried, survivors; /* candidates */
    uint32_t crashed, timed_out, exited;          /* calls */
    char words[320];                              /* one sentence on what was found, for people */
} ProbeFinding;

typedef struct ProbeTrials {
    const Provider *provider; /* the pair under test */
    const ProviderOptions *options;
    ProbeReference reference;
    int force_cpu;      /* -1: as this processor decides */
    const char *prefix; /* of the files that the work needs */
    uint64_t seed;
    const Overlay *base; /* its `module` lines; null: none */
    uint32_t rva;        /* of an internal function that is not where the tables have it; else 0 */
    const ProbeCases *cases; /* of the function; null: made anew for each search */
    bool only_fitting;       /* candidates that the machine code rules out are not tried at all */
} ProbeTrials;

/* An error is one of the surroundings: no memory, no host. Whatever the pair does is a verdict. */
RpStatus ProbeDynamic_Find(const ProbeTrials *trials, const AbiFunction *function,
                           const ProbeStatic *facts, ProbeFinding *finding, RpError *error);

/* Whether calls made as `call` says reproduce the formula, without any other candidate. */
RpStatus ProbeDynamic_Check(const ProbeTrials *trials, const AbiFunction *function,
                            const OverlayCall *call, ProbeFinding *finding, RpError *error);

const char *ProbeVerdict_Name(ProbeVerdict verdict);

#endif
