/* Finds out how a function is called by calling it in a machine of this process. The candidates are
 * tried on distinctive inputs. The candidate that reproduces the known formula under some reading
 * is the answer.
 *
 * The machine code only decides which candidates are tried first, and in which order. If none of
 * these fits, all are tried. */
#ifndef RETROPOSE_GAME_PROBE_DYNAMIC_H
#define RETROPOSE_GAME_PROBE_DYNAMIC_H

#include "exports/overlay/overlay.h"
#include "game/probe/cases.h"
#include "game/probe/static.h"

typedef enum ProbeVerdict {
    PROBE_NOT_TRIED, /* on request, without a known formula, or because it changes an object */
    PROBE_FOUND,
    PROBE_NONE_FITS,
    PROBE_AMBIGUOUS,    /* several candidates, which are different calls, reproduce it */
    PROBE_NOT_CALLABLE, /* this pair has no such function that may be called */
    PROBE_BROKEN        /* it hangs, ends the process or breaks the host */
} ProbeVerdict;

typedef struct ProbeFinding {
    ProbeVerdict verdict;
    OverlayCall call; /* if the verdict is PROBE_FOUND */
    /* How many cases were tried. Up to a sixteenth of them may lie on an edge of some reading. */
    uint32_t asked;
    uint32_t cases;       /* how many of them `call` reproduced */
    uint32_t exact;       /* how many to the last bit, under the best reading */
    char reading[64];     /* the best reading; empty: the defaults */
    bool interchangeable; /* other orders of parameters of one kind reproduce it, too */
    uint32_t possible, fitting, tried, survivors; /* numbers of candidates */
    uint32_t crashed, timed_out, exited;          /* numbers of calls */
    char words[320];                              /* what was found, in one sentence for people */
} ProbeFinding;

typedef struct ProbeTrials {
    const HostOptions *pair;      /* the one that is examined */
    const HostOptions *reference; /* our DLLs; null: there are none */
    int force_cpu;                /* -1: as this processor decides */
    uint64_t seed;
    const Overlay *base; /* for its `module` lines; null: none */
    uint32_t rva;        /* an internal function that is not where the tables say; otherwise 0 */
    const ProbeCases *cases; /* cases of the function in question */
    bool only_fitting;       /* do not try candidates that the machine code excludes */
} ProbeTrials;

/* An error means that the surroundings failed: memory. Whatever the pair does leads to
 * a verdict. */
RpStatus ProbeDynamic_Find(const ProbeTrials *trials, const ProbeStatic *facts,
                           ProbeFinding *finding, RpError *error);

/* Checks whether calls made in the way of `call` reproduce the formula. No other candidate is
 * tried. */
RpStatus ProbeDynamic_Check(const ProbeTrials *trials, const OverlayCall *call,
                            ProbeFinding *finding, RpError *error);

const char *ProbeVerdict_Name(ProbeVerdict verdict);

#endif
