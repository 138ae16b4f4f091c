/* The ways to call a function whose parameters are known by meaning: conventions times orders of
 * its arguments, each way once. Two that put the same things into the same places are one: a single
 * pointer is in ECX for fastcall and thiscall alike. */
#ifndef RETROPOSE_LIVE_PROBE_CANDIDATE_H
#define RETROPOSE_LIVE_PROBE_CANDIDATE_H

#include "exports/overlay/overlay.h"
#include "live/probe/static.h"
#include "replay/trace/signature.h"

/* What a candidate does to the machine: parameters by index, -1 for none. */
typedef struct ProbeLayout {
    int8_t ecx, edx;
    int8_t stack[SIGNATURE_MAX_PARAMS];
    uint8_t stack_count;
    bool callee_pops; /* something, that is */
} ProbeLayout;

ProbeLayout ProbeLayout_Of(const Signature *signature, const OverlayCall *call);
bool ProbeLayout_Equal(const ProbeLayout *a, const ProbeLayout *b);

/* Whether the code could have been written for it. True where the code says nothing. */
bool ProbeCandidate_Fits(const Signature *signature, const OverlayCall *call,
                         const ProbeStatic *facts);

/* At most so many parameters are tried in all orders. */
#define PROBE_MAX_ORDERED 5

typedef struct ProbeCandidates {
    OverlayCall *calls; /* the table's own conventions and order first, as far as they are in */
    uint32_t count;
    uint32_t possible; /* before `facts` ruled any out */
} ProbeCandidates;

/* `facts` may be null: all ways. `usual` is the way to prefer among equal ones. */
RpStatus ProbeCandidates_Make(const Signature *signature, const OverlayCall *usual,
                              const ProbeStatic *facts, ProbeCandidates *candidates,
                              RpError *error);
void ProbeCandidates_Free(ProbeCandidates *candidates);

/* "fastcall(q0, q1, t, result)" */
int ProbeCandidate_Describe(const Signature *signature, const OverlayCall *call, char *buffer,
                            size_t size);

#endif
