#include "game/probe/candidate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONVENTIONS 4

/* ---- layouts --------------------------------------------------------------------------------- */

static bool IsFloat(const SignatureParam *param) {
    return param->direction == SIGNATURE_VALUE && param->type == SIGNATURE_F32;
}

/* Places arguments as replay/host/execute.c does. */
ProbeLayout ProbeLayout_Of(const Signature *signature, const OverlayCall *call) {
    ProbeLayout layout = {.ecx = -1, .edx = -1};
    int registers = call->convention == ABI_FASTCALL ? 2 : call->convention == ABI_THISCALL ? 1 : 0;
    for (int i = 0; i < call->param_count; i++) {
        int8_t param = (int8_t)call->order[i];
        if (registers == 0 || IsFloat(&signature->params[param]))
            layout.stack[layout.stack_count++] = param;
        else if (layout.ecx < 0)
            layout.ecx = param;
        else
            layout.edx = param;
        registers -= registers > 0 && !IsFloat(&signature->params[param]);
    }
    layout.callee_pops = call->convention != ABI_CDECL && layout.stack_count > 0;
    return layout;
}

bool ProbeLayout_Equal(const ProbeLayout *a, const ProbeLayout *b) {
    return a->ecx == b->ecx && a->edx == b->edx && a->stack_count == b->stack_count &&
           a->callee_pops == b->callee_pops && memcmp(a->stack, b->stack, a->stack_count) == 0;
}

/* ---- what the code says ---------------------------------------------------------------------- */

/* Returns whether a parameter can be in a place with which the code does these things. */
static bool PlaceFits(const SignatureParam *param, uint8_t uses) {
    bool pointer = param->direction != SIGNATURE_VALUE || param->type == SIGNATURE_REF ||
                   param->type == SIGNATURE_NRES || param->type == SIGNATURE_ANY;
    if ((uses & (PROBE_POINTER_READ | PROBE_POINTER_WRITTEN)) && !pointer)
        return false;
    if ((uses & PROBE_POINTER_WRITTEN) &&
        (param->direction == SIGNATURE_IN || param->direction == SIGNATURE_VALUE))
        return param->type == SIGNATURE_ANY;
    return !((uses & PROBE_FLOAT) && pointer);
}

static bool RegisterFits(const Signature *signature, int8_t param, uint8_t uses) {
    return uses == 0 || (param >= 0 && PlaceFits(&signature->params[param], uses));
}

bool ProbeCandidate_Fits(const Signature *signature, const OverlayCall *call,
                         const ProbeStatic *facts) {
    ProbeLayout layout = ProbeLayout_Of(signature, call);
    if (!RegisterFits(signature, layout.ecx, facts->uses[PROBE_ECX]) ||
        !RegisterFits(signature, layout.edx, facts->uses[PROBE_EDX]))
        return false;
    for (uint32_t i = 0; i + PROBE_STACK < PROBE_PLACES; i++) {
        uint8_t uses = facts->uses[PROBE_STACK + i];
        if (uses &&
            (i >= layout.stack_count || !PlaceFits(&signature->params[layout.stack[i]], uses)))
            return false;
    }
    return !facts->pops_known || facts->pops == (layout.callee_pops ? 4u * layout.stack_count : 0);
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* Adds a call, unless another candidate has the same layout. */
static void Add(const Signature *signature, ProbeCandidates *candidates, const OverlayCall *call) {
    ProbeLayout layout = ProbeLayout_Of(signature, call);
    for (uint32_t i = 0; i < candidates->count; i++) {
        ProbeLayout known = ProbeLayout_Of(signature, &candidates->calls[i]);
        if (ProbeLayout_Equal(&layout, &known))
            return;
    }
    candidates->calls[candidates->count++] = *call;
}

/* Changes `order` to the next permutation in lexicographic order. Returns false after the last
 * one. */
static bool NextOrder(uint8_t *order, int count) {
    int i = count - 2;
    while (i >= 0 && order[i] > order[i + 1])
        i--;
    if (i < 0)
        return false;
    int k = count - 1;
    while (order[k] < order[i])
        k--;
    uint8_t swapped = order[i];
    order[i] = order[k];
    order[k] = swapped;
    for (int left = i + 1, right = count - 1; left < right; left++, right--) {
        swapped = order[left];
        order[left] = order[right];
        order[right] = swapped;
    }
    return true;
}

RpStatus ProbeCandidates_Make(const Signature *signature, const OverlayCall *usual,
                              const ProbeStatic *facts, ProbeCandidates *candidates,
                              RpError *error) {
    uint32_t orders = 1;
    for (int i = 2; i <= signature->param_count && signature->param_count <= PROBE_MAX_ORDERED; i++)
        orders *= (uint32_t)i;
    uint32_t most = orders * CONVENTIONS + 1;

    *candidates = (ProbeCandidates){.calls = calloc(most, sizeof *candidates->calls)};
    if (!candidates->calls)
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for candidates",
                           signature->function->key, "", "");

    OverlayCall call = *usual;
    int params = signature->param_count;
    Add(signature, candidates, usual);
    for (int i = 0; i < params; i++)
        call.order[i] = (uint8_t)i;
    do {
        for (int convention = 0; convention < CONVENTIONS; convention++) {
            call.convention = (AbiConvention)convention;
            Add(signature, candidates, &call);
        }
    } while (params <= PROBE_MAX_ORDERED && NextOrder(call.order, params));

    candidates->possible = candidates->count;
    if (facts) {
        uint32_t kept = 0;
        for (uint32_t i = 0; i < candidates->count; i++)
            if (ProbeCandidate_Fits(signature, &candidates->calls[i], facts))
                candidates->calls[kept++] = candidates->calls[i];
        candidates->count = kept;
    }

    return RP_OK;
}

void ProbeCandidates_Free(ProbeCandidates *candidates) {
    free(candidates->calls);
    *candidates = (ProbeCandidates){0};
}

int ProbeCandidate_Describe(const Signature *signature, const OverlayCall *call, char *buffer,
                            size_t size) {
    char text[400];
    size_t used = (size_t)snprintf(text, sizeof text, "%s(", AbiConvention_Name(call->convention));
    for (int i = 0; i < call->param_count && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i ? ", " : "",
                                 signature->params[call->order[i]].name);
    return snprintf(buffer, size, "%s)", text);
}
