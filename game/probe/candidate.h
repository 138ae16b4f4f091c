/* The ways to call a function whose parameters are known by meaning: each convention with each
 * order of its arguments, every distinct way once. Two ways that put the same things into the
 * same places are one: a single pointer is in ECX for fastcall and for thiscall. */
#ifndef RETROPOSE_GAME_PROBE_CANDIDATE_H
#define RETROPOSE_GAME_PROBE_CANDIDATE_H

#include "exports/overlay/overlay.h"
#include "game/probe/static.h"
#include "tracefile/signature.h"

/* What a candidate means for the machine: the index of the parameter in each place, -1 for none. */
typedef struct ProbeLayout {
    int8_t ecx, edx;
    int8_t stack[SIGNATURE_MAX_PARAMS];
    uint8_t stack_count;
    bool callee_pops; /* and pops something at all */
} ProbeLayout;

ProbeLayout ProbeLayout_Of(const Signature *signature, const OverlayCall *call);
bool ProbeLayout_Equal(const ProbeLayout *a, const ProbeLayout *b);

/* Returns whether the code could have been written for the candidate; true where the code does
 * not tell. */
bool ProbeCandidate_Fits(const Signature *signature, const OverlayCall *call,
                         const ProbeStatic *facts);

/* Up to this number of parameters, all orders are tried. */
#define PROBE_MAX_ORDERED 5

typedef struct ProbeCandidates {
    /* the table's own conventions and order come first, where they are possible */
    OverlayCall *calls;
    uint32_t count;
    uint32_t possible; /* how many there were before `facts` excluded any */
} ProbeCandidates;

/* `facts` may be null for all ways. `usual` is the way to prefer among equal ones. */
RpStatus ProbeCandidates_Make(const Signature *signature, const OverlayCall *usual,
                              const ProbeStatic *facts, ProbeCandidates *candidates,
                              RpError *error);
void ProbeCandidates_Free(ProbeCandidates *candidates);

/* Writes "fastcall(q0, q1, t, result)". */
int ProbeCandidate_Describe(const Signature *signature, const OverlayCall *call, char *buffer,
                            size_t size);

#endif
