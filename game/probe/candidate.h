/* Lists the ways to call a function of whose parameters only the meaning is known: each convention
 * with each order of the arguments. Two ways that put the same arguments into the same places count
 * as one; fastcall and thiscall, for example, both put a single pointer into ECX. */
#ifndef RETROPOSE_GAME_PROBE_CANDIDATE_H
#define RETROPOSE_GAME_PROBE_CANDIDATE_H

#include "exports/overlay/overlay.h"
#include "game/probe/static.h"
#include "tracefile/signature.h"

/* Where a candidate puts the arguments: the index of the parameter in each place, or -1. */
typedef struct ProbeLayout {
    int8_t ecx, edx;
    int8_t stack[SIGNATURE_MAX_PARAMS];
    uint8_t stack_count;
    bool callee_pops; /* the callee pops arguments, and there are some */
} ProbeLayout;

ProbeLayout ProbeLayout_Of(const Signature *signature, const OverlayCall *call);
bool ProbeLayout_Equal(const ProbeLayout *a, const ProbeLayout *b);

/* Returns whether the code could have been written for the candidate; true where the code does
 * not tell. */
bool ProbeCandidate_Fits(const Signature *signature, const OverlayCall *call,
                         const ProbeStatic *facts);

/* All orders are tried for functions with up to this number of parameters. */
#define PROBE_MAX_ORDERED 5

typedef struct ProbeCandidates {
    /* the table's own conventions and order come first, where they are possible */
    OverlayCall *calls;
    uint32_t count;
    uint32_t possible; /* how many there were before `facts` excluded any */
} ProbeCandidates;

/* Makes the list of candidates that the facts allow, or of all if `facts` is null. `usual` is
 * preferred to ways that put the arguments into the same places. */
RpStatus ProbeCandidates_Make(const Signature *signature, const OverlayCall *usual,
                              const ProbeStatic *facts, ProbeCandidates *candidates,
                              RpError *error);
void ProbeCandidates_Free(ProbeCandidates *candidates);

/* Writes "fastcall(q0, q1, t, result)". */
int ProbeCandidate_Describe(const Signature *signature, const OverlayCall *call, char *buffer,
                            size_t size);

#endif
