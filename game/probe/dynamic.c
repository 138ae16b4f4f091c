#include "game/probe/dynamic.h"

#include "game/probe/candidate.h"
#include "replay/host/host_runner.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_CASES  3u          /* for all candidates */
#define NEXT_CASES   PROBE_CASES /* for those that are left */
#define LAST_CASES   240u        /* cases if several are left even then */
#define MOST_ENDINGS 6u          /* how many calls of one run may end the process */
#define LAST_SEED    0x9E3779B9u

const char *ProbeVerdict_Name(ProbeVerdict verdict) {
    static const char *const names[] = {"not-tried", "found",        "none-fits",
                                        "ambiguous", "not-callable", "broken"};
    return names[verdict];
}

/* One run of every candidate with the first cases. */
typedef struct Trial {
    const ProbeTrials *trials;
    const Signature *signature;
    ProbeFinding *finding;
    const ProbeCases *cases;
    uint32_t case_count;
    const OverlayCall *calls;
    uint32_t call_count;
    uint16_t *agreeing; /* for each candidate and reading: cases that agree */
    uint16_t *exact;
    bool *violating;  /* for each candidate: it violated its convention */
    bool unsupported; /* the pair does not have the function */
    char broken[200]; /* why the pair could not be loaded again after a call */
} Trial;

static RpStatus NoMemory(RpError *error) {
    return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for candidates", "", "", "");
}

/* ---- trace and overlay of a run -------------------------------------------------------------- */

static RpStatus WriteTrace(const Trial *trial, RpBuffer *bytes, RpError *error) {
    TraceHeader header;
    TraceWriter *writer;
    char force_cpu[16];
    TraceHeader_Init(&header);
    snprintf(force_cpu, sizeof force_cpu, "%d", trial->trials->force_cpu);
    RpStatus status = TraceHeader_Set(&header, "producer", "retropose probe", error);
    if (!status && trial->trials->force_cpu >= 0)
        status = TraceHeader_Set(&header, "force-cpu", force_cpu, error);
    if (!status)
        status = TraceWriter_CreateBuffer(bytes, &header, &writer, error);
    if (status)
        return status;

    /* The memories of the cases. The reader knows all of them after the last call. */
    TraceReader *reader = trial->cases->reader;
    TraceCall read;
    bool found = true;
    TraceReader_Rewind(reader);
    while (!status && found)
        status = TraceReader_Next(reader, &read, &found, error);
    for (uint32_t i = 0; !status && i < TraceReader_MemoryCount(reader); i++)
        status = TraceWriter_Memory(writer, TraceReader_MemoryAt(reader, i), error);

    /* Every case, once for each candidate. */
    for (uint32_t i = 0; !status && i < trial->call_count * trial->case_count; i++) {
        TraceCall call = trial->cases->calls[i % trial->case_count];
        call.sequence = i;
        call.outcome = TRACE_NOT_RUN;
        call.violations = 0;
        call.outputs = NULL;
        call.output_size = 0;
        call.control_out = call.control_in;
        call.mxcsr_out = call.mxcsr_in;
        status = TraceWriter_Call(writer, &call, error);
    }

    if (!status)
        return TraceWriter_Close(writer, error);
    TraceWriter_Abandon(writer);
    return status;
}

/* ---- judging a run --------------------------------------------------------------------------- */

/* Has the pair execute the calls of a trial, and judges each. If the pair cannot be loaded again
 * after a call, that call has shown something about the pair. */
static RpStatus JudgeCalls(Trial *trial, TraceReader *calls, const RpBuffer *overlay,
                           RpError *error) {
    HostOptions pair = *trial->trials->pair;
    pair.overlay = (const char *)overlay->bytes;
    pair.overlay_size = overlay->size;
    HostRunner *runner = calloc(1, sizeof *runner);
    if (!runner)
        return NoMemory(error);
    *runner = (HostRunner){.options = &pair, .calls.reader = calls, .most_endings = MOST_ENDINGS};
    RpStatus status = HostRunner_Open(runner, error);
    for (bool found = true; !status && found;) {
        TraceCall call;
        status = HostRunner_Next(runner, &call, &found, error);
        if (status || !found)
            continue;
        uint32_t candidate = (uint32_t)(call.sequence / trial->case_count);
        uint32_t index = (uint32_t)(call.sequence % trial->case_count);
        trial->finding->crashed += call.outcome == TRACE_CRASHED;
        trial->finding->timed_out += call.outcome == TRACE_TIMED_OUT;
        trial->finding->exited += call.outcome == TRACE_EXITED;
        trial->unsupported |= call.outcome == TRACE_UNSUPPORTED;
        trial->violating[candidate] |= call.violations != 0;
        for (uint32_t reading = 0; reading < trial->cases->reading_count; reading++) {
            bool exact;
            uint32_t at = candidate * PROBE_MAX_READINGS + reading;
            if (ProbeCases_Agrees(trial->cases, reading, index, &call, &exact)) {
                trial->agreeing[at]++;
                trial->exact[at] = (uint16_t)(trial->exact[at] + exact);
            }
        }
    }
    HostRunner_Close(runner);
    free(runner);
    return status;
}

static RpStatus RunTrial(Trial *trial, RpError *error) {
    RpError own = {0};
    RpBuffer trace, overlay;
    TraceReader *calls = NULL;
    RpBuffer_Init(&trace, NULL);
    RpBuffer_Init(&overlay, NULL);
    size_t cells = (size_t)(trial->call_count + 1) * PROBE_MAX_READINGS;
    trial->agreeing = calloc(cells, sizeof *trial->agreeing);
    trial->exact = calloc(cells, sizeof *trial->exact);
    trial->violating = calloc(trial->call_count + 1, sizeof *trial->violating);
    RpStatus status = trial->agreeing && trial->exact && trial->violating ? RP_OK : NoMemory(&own);
    if (!status)
        status = WriteTrace(trial, &trace, &own);

    /* The overlay says which candidate each range of calls tries. */
    Overlay lines;
    Overlay_Init(&lines, NULL);
    if (trial->trials->base)
        memcpy(lines.modules, trial->trials->base->modules, sizeof lines.modules);
    for (uint32_t i = 0; !status && i < trial->call_count; i++) {
        uint64_t first = (uint64_t)i * trial->case_count;
        OverlayFunction *line = Overlay_AddRanged(&lines, trial->signature->function, first,
                                                  first + trial->case_count - 1);
        if (!line) {
            status = NoMemory(&own);
            break;
        }
        line->rva = trial->trials->rva;
        line->has_call = true;
        line->convention = trial->calls[i].convention;
        line->param_count = trial->calls[i].param_count;
        memcpy(line->order, trial->calls[i].order, sizeof line->order);
        line->evidence = OVERLAY_STATIC;
    }
    if (!status)
        status = Overlay_Format(&lines, &overlay, &own);
    Overlay_Free(&lines);

    if (!status)
        status = TraceReader_OpenBuffer(trace.bytes, trace.size, "the calls", &calls, &own);
    if (!status)
        status = JudgeCalls(trial, calls, &overlay, &own);
    if (status == RP_CRASHED) {
        snprintf(trial->broken, sizeof trial->broken, "%s", own.what);
        status = RP_OK;
    }
    TraceReader_Close(calls);
    RpBuffer_Free(&trace);
    RpBuffer_Free(&overlay);
    if (status && error)
        *error = own;
    return status;
}

static void FreeTrial(Trial *trial) {
    free(trial->agreeing);
    free(trial->exact);
    free(trial->violating);
    trial->agreeing = trial->exact = NULL;
    trial->violating = NULL;
}

/* Returns the reading under which a candidate agrees most often. */
static uint32_t BestReading(const Trial *trial, uint32_t candidate) {
    uint32_t best = 0;
    const uint16_t *agreeing = trial->agreeing + candidate * PROBE_MAX_READINGS;
    const uint16_t *exact = trial->exact + candidate * PROBE_MAX_READINGS;
    for (uint32_t i = 1; i < trial->cases->reading_count; i++)
        if (agreeing[i] > agreeing[best] ||
            (agreeing[i] == agreeing[best] && exact[i] > exact[best]))
            best = i;
    return best;
}

static uint32_t Agreeing(const Trial *trial, uint32_t candidate) {
    return trial->agreeing[candidate * PROBE_MAX_READINGS + BestReading(trial, candidate)];
}

/* Returns whether enough cases agree. Not all of them must, because an original may follow several
 * other readings at once, and a case may lie on the edge of one of them. */
static bool Reproduces(const Trial *trial, uint32_t candidate) {
    uint32_t cases = trial->case_count, spare = cases / 16;
    uint32_t needed = spare == 0 && cases >= FIRST_CASES ? cases - 1 : cases - spare;
    return !trial->violating[candidate] && Agreeing(trial, candidate) >= needed;
}

/* ---- rounds ---------------------------------------------------------------------------------- */

/* Runs the candidates over `case_count` cases, and keeps those that reproduce the formula. */
static RpStatus Round(const ProbeTrials *trials, const ProbeCases *cases, uint32_t case_count,
                      ProbeCandidates *candidates, ProbeFinding *finding, Trial *trial,
                      RpError *error) {
    *trial = (Trial){.trials = trials,
                     .signature = cases->signature,
                     .finding = finding,
                     .cases = cases,
                     .case_count = case_count < cases->count ? case_count : cases->count,
                     .calls = candidates->calls,
                     .call_count = candidates->count};
    uint32_t kept = 0;
    RpStatus status = RunTrial(trial, error);
    if (status || trial->unsupported || trial->broken[0])
        return status;
    bool any = false;
    for (uint32_t i = 0; i < candidates->count; i++)
        any |= Reproduces(trial, i);
    if (!any) {
        uint32_t nearest = 0;
        char call[240];
        for (uint32_t i = 1; i < trial->call_count; i++)
            if (Agreeing(trial, i) > Agreeing(trial, nearest))
                nearest = i;
        if (Agreeing(trial, nearest) == 0) {
            snprintf(trial->finding->words, sizeof trial->finding->words,
                     "no candidate reproduces the formula: %u tried, none in a single case",
                     trial->finding->tried);
        } else {
            ProbeCandidate_Describe(trial->signature, &trial->calls[nearest], call, sizeof call);
            snprintf(
                trial->finding->words, sizeof trial->finding->words,
                "no candidate reproduces the formula: %u tried, nearest: %s with %u of %u cases",
                trial->finding->tried, call, Agreeing(trial, nearest), trial->case_count);
        }
    }

    for (uint32_t i = 0; i < candidates->count; i++) {
        uint32_t reading = BestReading(trial, i);
        if (!Reproduces(trial, i))
            continue;
        if (kept == 0) {
            finding->asked = trial->case_count;
            finding->cases = Agreeing(trial, i);
            finding->exact = trial->exact[i * PROBE_MAX_READINGS + reading];
            snprintf(finding->reading, sizeof finding->reading, "%s", cases->readings[reading]);
        }
        candidates->calls[kept++] = candidates->calls[i];
    }
    candidates->count = kept;
    return RP_OK;
}

/* Returns true where nothing is left to continue with. */
static bool Settle(const Trial *trial, ProbeFinding *finding) {
    if (trial->unsupported) {
        finding->verdict = PROBE_NOT_CALLABLE;
        snprintf(finding->words, sizeof finding->words,
                 "this pair has no such function that may be called (docs/reference/host.md)");
    } else if (trial->broken[0]) {
        finding->verdict = PROBE_BROKEN;
        snprintf(finding->words, sizeof finding->words, "the pair broke: %s", trial->broken);
    }
    return finding->verdict != PROBE_NOT_TRIED;
}

static void NoneFits(ProbeFinding *finding) {
    uint32_t endings = finding->timed_out + finding->exited;
    finding->verdict = endings >= MOST_ENDINGS ? PROBE_BROKEN : PROBE_NONE_FITS;
    if (finding->verdict == PROBE_BROKEN)
        snprintf(finding->words, sizeof finding->words,
                 "given up: of the calls tried %u did not return in time and %u ended the process",
                 finding->timed_out, finding->exited);
}

/* ---- the conclusion -------------------------------------------------------------------------- */

static bool SameKind(const SignatureParam *a, const SignatureParam *b) {
    return a->direction == b->direction && a->type == b->type && a->count == b->count &&
           a->direction != SIGNATURE_OUT && a->direction != SIGNATURE_INOUT;
}

/* Returns how many parameters have the place that the tables give them. Of candidates that are
 * otherwise equal, the one with the most is the most likely. */
static uint32_t Orderliness(const OverlayCall *call) {
    uint32_t pairs = 0;
    for (int i = 0; i < call->param_count; i++)
        for (int k = i + 1; k < call->param_count; k++)
            pairs += call->order[i] < call->order[k];
    return pairs;
}

static void Conclude(const Signature *signature, const ProbeCandidates *candidates,
                     ProbeFinding *finding) {
    uint32_t best = 0;
    bool one_call = true;
    char text[240];
    for (uint32_t i = 1; i < candidates->count; i++) {
        /* Candidates may differ only in the order of two inputs of one kind. */
        const SignatureParam *params = signature->params;
        ProbeLayout one = ProbeLayout_Of(signature, &candidates->calls[0]);
        ProbeLayout other = ProbeLayout_Of(signature, &candidates->calls[i]);
        bool same =
            one.stack_count == other.stack_count && one.callee_pops == other.callee_pops &&
            (one.ecx < 0) == (other.ecx < 0) && (one.edx < 0) == (other.edx < 0) &&
            (one.ecx < 0 || SameKind(&params[one.ecx], &params[other.ecx]) ||
             one.ecx == other.ecx) &&
            (one.edx < 0 || SameKind(&params[one.edx], &params[other.edx]) || one.edx == other.edx);
        for (int k = 0; same && k < one.stack_count; k++)
            same = one.stack[k] == other.stack[k] ||
                   SameKind(&params[one.stack[k]], &params[other.stack[k]]);
        one_call &= same;
        if (Orderliness(&candidates->calls[i]) > Orderliness(&candidates->calls[best]))
            best = i;
    }
    finding->survivors = candidates->count;
    finding->call = candidates->calls[best];
    finding->interchangeable = candidates->count > 1;
    finding->verdict = one_call ? PROBE_FOUND : PROBE_AMBIGUOUS;
    ProbeCandidate_Describe(signature, &finding->call, text, sizeof text);
    if (finding->verdict == PROBE_AMBIGUOUS)
        snprintf(finding->words, sizeof finding->words,
                 "%u candidates reproduce the formula in %u cases; one of them: %s",
                 candidates->count, finding->cases, text);
    else
        snprintf(finding->words, sizeof finding->words, "%s in %u of %u cases%s", text,
                 finding->cases, finding->asked,
                 finding->interchangeable ? "; inputs of one kind may change places" : "");
}

/* ---- finding --------------------------------------------------------------------------------- */

static RpStatus FindWith(const ProbeTrials *trials, const OverlayCall *usual,
                         const ProbeStatic *facts, ProbeFinding *finding, RpError *error) {
    ProbeCandidates candidates;
    RpStatus status =
        ProbeCandidates_Make(trials->cases->signature, usual, facts, &candidates, error);
    if (status)
        return status;
    if (facts)
        finding->fitting = candidates.count;
    finding->possible = candidates.possible;
    finding->tried += candidates.count;

    /* A few cases for all candidates, and more for those that are left. */
    const uint32_t rounds[] = {FIRST_CASES, NEXT_CASES};
    bool settled = false;
    for (size_t i = 0; i < sizeof rounds / sizeof *rounds && candidates.count > 0; i++) {
        Trial trial;
        status = Round(trials, trials->cases, rounds[i], &candidates, finding, &trial, error);
        FreeTrial(&trial);
        settled = status || Settle(&trial, finding);
        if (settled)
            break;
    }

    /* If more than one candidate is left, they are tried with more and other inputs. */
    if (!settled && candidates.count > 1) {
        ProbeCases *cases;
        Trial trial;
        status = ProbeCases_Make(trials->cases->signature, trials->seed ^ LAST_SEED, LAST_CASES,
                                 trials->reference, &cases, error);
        if (!status) {
            status = Round(trials, cases, LAST_CASES, &candidates, finding, &trial, error);
            FreeTrial(&trial);
            settled = status || Settle(&trial, finding);
            ProbeCases_Free(cases);
        }
    }
    if (!status && !settled && candidates.count > 0)
        Conclude(trials->cases->signature, &candidates, finding);
    ProbeCandidates_Free(&candidates);
    return status;
}

RpStatus ProbeDynamic_Find(const ProbeTrials *trials, const ProbeStatic *facts,
                           ProbeFinding *finding, RpError *error) {
    OverlayCall usual;
    memset(finding, 0, sizeof *finding);
    RpStatus status = Overlay_CallOf(NULL, trials->cases->signature->function, &usual, error);
    if (!status && facts)
        status = FindWith(trials, &usual, facts, finding, error);
    if (!status && finding->verdict == PROBE_NOT_TRIED && !trials->only_fitting &&
        (!facts || finding->fitting < finding->possible))
        status = FindWith(trials, &usual, NULL, finding, error);
    if (!status && finding->verdict == PROBE_NOT_TRIED)
        NoneFits(finding);
    return status;
}

RpStatus ProbeDynamic_Check(const ProbeTrials *trials, const OverlayCall *call,
                            ProbeFinding *finding, RpError *error) {
    OverlayCall only = *call;
    ProbeCandidates candidates = {&only, 1, 1};
    Trial trial;
    memset(finding, 0, sizeof *finding);
    RpStatus status = Round(trials, trials->cases, NEXT_CASES, &candidates, finding, &trial, error);
    FreeTrial(&trial);
    if (status || Settle(&trial, finding))
        return status;
    if (candidates.count == 1)
        Conclude(trials->cases->signature, &candidates, finding);
    else
        NoneFits(finding);
    return RP_OK;
}
