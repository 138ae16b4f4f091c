#include "game/probe/probe_search.h"

#include "core/text.h"
#include "game/probe/candidate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_STARTS 16384u
#define MAX_CALLED 96u /* how many functions are called in the search for one */

struct ProbeSearch {
    uint32_t count;
    ProbeStatic *functions;
};

RpStatus ProbeSearch_Open(const PeFile *file, ProbeSearch **search, RpError *error) {
    uint32_t *starts = calloc(MAX_STARTS, sizeof *starts);
    ProbeSearch *made = calloc(1, sizeof *made);
    uint32_t count = starts ? ProbeStatic_FindStarts(file, starts, MAX_STARTS) : 0;
    if (made)
        made->functions = calloc(count + 1, sizeof *made->functions);
    RpStatus status = starts && made && made->functions
                          ? RP_OK
                          : RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE,
                                        "no memory for the functions of a module", "", "", "");
    for (uint32_t i = 0; !status && i < count; i++) {
        ProbeStatic *facts = &made->functions[made->count];
        status = ProbeStatic_Analyse(file, starts[i], facts, error);
        if (status == RP_NOT_FOUND)
            status = RP_OK;
        else
            made->count += facts->whole && facts->pops_known;
    }
    free(starts);
    if (status) {
        ProbeSearch_Close(made);
        made = NULL;
    }
    *search = made;
    return status;
}

void ProbeSearch_Close(ProbeSearch *search) {
    if (search)
        free(search->functions);
    free(search);
}

/* ---- which functions could be it ------------------------------------------------------------- */

static uint32_t PlacesWith(const ProbeStatic *facts, uint8_t use) {
    uint32_t count = 0;
    for (int i = 0; i < PROBE_PLACES; i++)
        count += (facts->uses[i] & use) != 0;
    return count;
}

static bool CouldBe(const Signature *signature, const OverlayCall *usual,
                    const ProbeStatic *facts) {
    ProbeCandidates candidates;
    bool returns_fit = signature->returns == SIGNATURE_F32 ? facts->returns_float != PROBE_NO
                                                           : facts->returns_float != PROBE_YES;
    if (facts->calls_imports || !returns_fit)
        return false;

    /* What it takes and what it writes must fit. A function that calls others may leave the work to
     * them. */
    uint32_t outputs = 0, inputs = 0;
    for (int i = 0; i < signature->param_count; i++) {
        SignatureDirection direction = signature->params[i].direction;
        outputs += direction == SIGNATURE_OUT || direction == SIGNATURE_INOUT;
        inputs += direction == SIGNATURE_IN || direction == SIGNATURE_INOUT;
    }
    uint32_t written = PlacesWith(facts, PROBE_POINTER_WRITTEN);
    uint32_t passed = PlacesWith(facts, PROBE_PASSED);
    uint32_t read = PlacesWith(facts, PROBE_POINTER_READ);
    uint32_t used = PlacesWith(facts, 0xFF);
    if (used > (uint32_t)signature->param_count || written > outputs ||
        written + passed < outputs || read + passed < inputs ||
        2 * used < (uint32_t)signature->param_count)
        return false;

    if (signature->param_count == 0 && !(facts->loads_control && facts->calls == 0))
        return false; /* nothing else tells such functions apart */
    if (ProbeCandidates_Make(signature, usual, facts, &candidates, NULL))
        return false;
    bool fits = candidates.count > 0;
    ProbeCandidates_Free(&candidates);
    return fits;
}

/* ---- calling them ---------------------------------------------------------------------------- */

/* A jump and the function to which it leads count as one function. Callers use the jump. */
static bool IsSameFunction(ProbeStatic *known, const ProbeStatic *other, uint32_t *rva,
                           uint32_t found) {
    if (found != 1)
        return false;
    if (other->thunk_of == known->rva) {
        *known = *other;
        *rva = other->rva;
        return true;
    }
    return known->thunk_of == other->rva;
}

RpStatus ProbeSearch_Find(const ProbeSearch *search, const ProbeTrials *trials,
                          const AbiFunction *function, uint32_t *rva, ProbeStatic *facts,
                          ProbeFinding *finding, RpError *error) {
    Signature signature;
    OverlayCall usual;
    memset(finding, 0, sizeof *finding);
    RpStatus status = Signature_Parse(function, &signature, error);
    if (!status)
        status = Overlay_CallOf(NULL, function, &usual, error);
    if (status)
        return status;

    /* Every function that could be it is called. */
    ProbeTrials here = *trials;
    uint32_t called = 0, found = 0;
    here.only_fitting = true;
    for (uint32_t i = 0; i < search->count && called < MAX_CALLED; i++) {
        ProbeFinding one;
        if (!CouldBe(&signature, &usual, &search->functions[i]))
            continue;
        called++;
        here.rva = search->functions[i].rva;
        status = ProbeDynamic_Find(&here, &search->functions[i], &one, error);
        if (status)
            return status;
        if (one.verdict != PROBE_FOUND || IsSameFunction(facts, &search->functions[i], rva, found))
            continue;
        if (found++ == 0) {
            *finding = one;
            *facts = search->functions[i];
            *rva = here.rva;
        }
    }
    if (found == 1)
        return RP_OK;
    finding->verdict = found ? PROBE_AMBIGUOUS : PROBE_NONE_FITS;
    finding->tried = called;
    if (found)
        snprintf(finding->words, sizeof finding->words,
                 "%u of the %u functions that could be it reproduce the formula", found, called);
    else
        snprintf(finding->words, sizeof finding->words,
                 "not found: of %u function%s that could be it none reproduces the formula", called,
                 Text_Plural(called));
    return RP_OK;
}
