#include "replay/compare/compare.h"

#include "replay/compare/condition.h"
#include "replay/compare/known.h"
#include "replay/compare/processor_freedom.h"
#include "replay/compare/tally_inputs.h"
#include "tracefile/format.h"
#include "tracefile/signature_state.h"
#include "tracefile/value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_DIFFERENCES 20u

struct Comparison {
    CompareOptions options;
    CompareFunction *functions; /* indexed by the row of abi_functions */
    size_t *touched;            /* the rows of `functions` in use, in the order of the ABI tables */
    size_t touched_count;
    Difference *differences;
    size_t difference_count, difference_capacity;
    CompareKnown *known;
    size_t known_count;
    CompareCondition *conditions;
    size_t condition_count;
    char (*origins)[sizeof((Difference){0}.trace)]; /* has TALLY_ORIGINS elements */
    size_t origin_count;
    uint32_t shift; /* positions are told apart by `position >> shift` at most */
};

struct Comparing {
    Comparison *comparison;
    TraceHeader header;       /* of side a's answers */
    const TraceReader *calls; /* has the memories to which the calls refer */
    const char *name;
    size_t condition; /* the index among the comparison's conditions */
    size_t origin;    /* the index among the comparison's origins */
    uint8_t *matched; /* indexed by the line of the known differences, for the current call */
    /* says what other makers' processors may give here; made when it is first asked */
    Processor *processor;
};

/* Everything that differs in one call, collected before it is decided whether it is known. */
typedef struct Finding {
    const TraceCall *a, *b;
    uint32_t elements;      /* the number of elements and states that differ */
    uint32_t unexplained;   /* those of `elements` that no known difference explains */
    uint32_t states;        /* those of `elements` that are not in the outputs */
    SignatureElement first; /* the first element that is not explained, or else the first */
    uint8_t a_bytes[12], b_bytes[12];
} Finding;

/* ---- one call ---------------------------------------------------------------------------------
 */

static bool EndedAbnormally(const TraceCall *call) {
    return call->outcome == TRACE_CRASHED || call->outcome == TRACE_EXITED ||
           call->outcome == TRACE_TIMED_OUT;
}

static void AddElement(Comparison *comparison, Finding *finding, uint8_t *matched,
                       const SignatureElement *element, const uint8_t *a, const uint8_t *b) {
    const TraceCall *call = finding->a;
    bool known = false;
    for (size_t i = 0; i < comparison->known_count; i++) {
        const KnownDifference *entry = comparison->known[i].entry;
        if (Selection_HasCall(entry->selection, call->function, call->sequence) &&
            Selection_Glob(entry->path, element->path))
            matched[i] = known = true;
    }

    if (finding->elements == 0 || (!known && finding->unexplained == 0)) {
        finding->first = *element;
        memset(finding->a_bytes, 0, sizeof finding->a_bytes);
        memset(finding->b_bytes, 0, sizeof finding->b_bytes);
        memcpy(finding->a_bytes, a, element->size);
        memcpy(finding->b_bytes, b, element->size);
    }
    finding->elements++;
    finding->unexplained += !known;
}

/* Adds a difference that is not in the outputs; it has a name instead of an element's path. */
static void AddState(Comparison *comparison, Finding *finding, uint8_t *matched, const char *name,
                     uint32_t a, uint32_t b) {
    SignatureElement element = {.type = SIGNATURE_U32, .size = 4, .compared = true};
    uint8_t a_bytes[4], b_bytes[4];
    if (a == b)
        return;
    snprintf(element.path, sizeof element.path, "%s", name);
    Bytes_PutU32(a_bytes, a);
    Bytes_PutU32(b_bytes, b);
    finding->states++;
    AddElement(comparison, finding, matched, &element, a_bytes, b_bytes);
}

bool Comparison_Alike(const TraceCall *a, const TraceCall *b) {
    return a->outcome == TRACE_RETURNED && b->outcome == TRACE_RETURNED &&
           (a->violations | b->violations) == 0 && a->control_out == b->control_out &&
           ((a->mxcsr_out ^ b->mxcsr_out) & ~COMPARE_MXCSR_STICKY) == 0 &&
           a->output_size == b->output_size && memcmp(a->outputs, b->outputs, a->output_size) == 0;
}

static void FindDifferences(Comparison *comparison, Finding *finding, uint8_t *matched) {
    static const char *const violations[] = {"stack pointer", "saved register", "x87 stack",
                                             "direction flag", "outside write"};
    const TraceCall *a = finding->a, *b = finding->b;
    AddState(comparison, finding, matched, "outcome", a->outcome, b->outcome);
    if (a->outcome != b->outcome)
        return;
    for (unsigned i = 0; i < sizeof violations / sizeof *violations; i++)
        AddState(comparison, finding, matched, violations[i], a->violations >> i & 1,
                 b->violations >> i & 1);

    /* Only a call that returned has left more than a code. */
    if (a->outcome == TRACE_CRASHED)
        AddState(comparison, finding, matched, "exception", Bytes_U32(a->outputs),
                 Bytes_U32(b->outputs));
    if (a->outcome == TRACE_EXITED)
        AddState(comparison, finding, matched, "exit code", Bytes_U32(a->outputs),
                 Bytes_U32(b->outputs));
    if (a->outcome != TRACE_RETURNED)
        return;

    AddState(comparison, finding, matched, "control word", a->control_out, b->control_out);
    AddState(comparison, finding, matched, "MXCSR", a->mxcsr_out & ~COMPARE_MXCSR_STICKY,
             b->mxcsr_out & ~COMPARE_MXCSR_STICKY);
    if (memcmp(a->outputs, b->outputs, a->output_size) == 0)
        return;
    SignatureElement element;
    SignatureCursor cursor = Signature_OutputElements(a->signature, a->inputs, a->input_size);
    while (Signature_NextElement(&cursor, &element)) {
        const uint8_t *at_a = a->outputs + element.offset, *at_b = b->outputs + element.offset;
        if (element.compared && memcmp(at_a, at_b, element.size) != 0)
            AddElement(comparison, finding, matched, &element, at_a, at_b);
    }
}

/* ---- keeping details --------------------------------------------------------------------------
 */

/* Returns null where there is nothing to copy, and where memory is short; a report then leaves
 * this data out. */
static uint8_t *CopyBytes(const uint8_t *bytes, uint32_t size) {
    uint8_t *copy = size ? malloc(size) : NULL;
    if (copy)
        memcpy(copy, bytes, size);
    return copy;
}

uint32_t Comparison_MostDifferences(const Comparison *comparison) {
    return comparison->options.max_differences;
}

bool Comparison_Keeps(const Comparison *comparison, bool is_first) {
    return is_first || comparison->difference_count < comparison->options.max_differences;
}

Difference *Comparison_NewDifference(Comparison *comparison) {
    if (comparison->difference_count == comparison->difference_capacity) {
        size_t capacity = comparison->difference_capacity * 2 + 16;
        Difference *differences = realloc(comparison->differences, capacity * sizeof *differences);
        if (!differences)
            return NULL;
        comparison->differences = differences;
        comparison->difference_capacity = capacity;
    }
    Difference *difference = &comparison->differences[comparison->difference_count++];
    memset(difference, 0, sizeof *difference);
    return difference;
}

/* Frees what explaining a difference takes. */
static void Release(const Comparison *comparison, Difference *difference) {
    if (difference->captured)
        comparison->options.release(difference->captured);
    difference->captured = NULL;
}

/* ---- two traces -------------------------------------------------------------------------------
 */

static RpStatus OtherCalls(const TraceCall *call, const char *name, const char *expected,
                           const char *found, RpError *error) {
    char where[160];
    if (call)
        snprintf(where, sizeof where, "%.100s, call %llu", name,
                 (unsigned long long)call->sequence);
    else
        snprintf(where, sizeof where, "%.100s", name);
    return RpError_Set(error, RP_CORRUPT, RP_NOWHERE, "the traces are not of the same calls", where,
                       expected, found);
}

/* ---- counting ---------------------------------------------------------------------------------
 */

CompareFunction *Comparison_Touch(Comparison *comparison, const AbiFunction *function) {
    size_t row = (size_t)(function - abi_functions);
    CompareFunction *entry = &comparison->functions[row];
    if (!entry->function) {
        size_t at = comparison->touched_count++;
        for (; at > 0 && comparison->touched[at - 1] > row; at--)
            comparison->touched[at] = comparison->touched[at - 1];
        comparison->touched[at] = row;
        entry->function = function;
    }
    return entry;
}

static bool IsStale(const CompareKnown *known) {
    return known->covered > 0 && known->matched == 0;
}

/* Returns whether a call that returned left anything, beside the machine's state, in which two
 * sides can differ. A function that declares neither a result nor an output determines that
 * state alone. */
static bool IsComparable(const TraceCall *call) {
    const Signature *signature = call->signature;
    SignatureElement element;
    bool declares = signature->returns != SIGNATURE_VOID;
    if (declares && signature->returns != SIGNATURE_ANY)
        return true;
    for (int i = 0; i < signature->param_count; i++) {
        const SignatureParam *param = &signature->params[i];
        if (param->direction != SIGNATURE_OUT && param->direction != SIGNATURE_INOUT)
            continue;
        if (param->type == SIGNATURE_F32 && param->count_param < 0)
            return true;
        declares = true;
    }
    if (!declares)
        return true;

    /* All elements of a state are compared, so a first range that has one is enough. */
    SignatureMap map;
    const int param = Signature_StateParam(signature);
    if (param >= 0 && Signature_Map(signature, call->inputs, call->input_size, &map)) {
        const SignatureState state = Signature_ReadState(call->inputs + map.input_offset[param]);
        if (state.range_count > 0 &&
            SignatureState_Elements(Bytes_U32(state.ranges), Bytes_U32(state.ranges + 4)) > 0)
            return true;
    }

    SignatureCursor cursor = Signature_OutputElements(signature, call->inputs, call->input_size);
    while (Signature_NextElement(&cursor, &element))
        if (element.compared)
            return true;
    return false;
}

/* Returns whether the two sides ran on processors of different makers and differ no more than
 * such processors may. */
static bool IsOfTheProcessor(const Finding *finding, Comparing *comparing) {
    const Comparison *comparison = comparing->comparison;
    const CompareCondition *condition = &comparison->conditions[comparing->condition];
    if (finding->states > 0 || comparison->options.allow_unlike || !condition->other_processor ||
        (condition->same_estimates && Processor_Estimates(finding->a->function)))
        return false;
    if (!comparing->processor)
        comparing->processor = Processor_Create(&comparing->header, comparing->calls);
    return comparing->processor && Processor_Explains(comparing->processor, finding->a, finding->b);
}

/* Counts a call that differs, and keeps what a report shows of it. */
static RpStatus CountDifference(Comparing *comparing, CompareCounts *counts, const Finding *finding,
                                RpError *error) {
    Comparison *comparison = comparing->comparison;
    const bool known = finding->unexplained == 0;
    if (known || IsOfTheProcessor(finding, comparing)) {
        if (finding->a->violations & finding->b->violations & TRACE_OUTSIDE_WRITE) {
            /* what excuses a difference in the outputs says nothing about what was written
             * outside of them */
            counts->wrote_outside++;
            return RP_OK;
        }
        counts->compared++;
        counts->known += known;
        counts->processor += !known;
        return RP_OK;
    }
    counts->compared++;
    counts->different++;
    counts->crashed += EndedAbnormally(finding->a) || EndedAbnormally(finding->b);
    const bool is_first = counts->different == 1; /* reports show the first one as a whole */
    if (!Comparison_Keeps(comparison, is_first))
        return RP_OK;
    const char *name = comparing->name;
    const TraceCall *a = finding->a, *b = finding->b;
    Difference *difference = Comparison_NewDifference(comparison);
    Signature *signature = difference ? malloc(sizeof *signature) : NULL;
    if (!signature)
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a difference", name, "",
                           "");
    *signature = *a->signature; /* a copy, because the reader's own ends with the reader */

    /* The element that a report shows. */
    const SignatureElement *first = &finding->first;
    difference->function = a->function;
    difference->signature = signature;
    snprintf(difference->trace, sizeof difference->trace, "%s", name);
    snprintf(difference->path, sizeof difference->path, "%s", first->path);
    difference->type = first->type;
    difference->size = first->size;
    difference->elements = finding->elements;
    memcpy(difference->a, finding->a_bytes, sizeof difference->a);
    memcpy(difference->b, finding->b_bytes, sizeof difference->b);
    difference->ulps = Value_Ulps(first->type, first->size, difference->a, difference->b);

    /* The whole call, and what each side made of it. */
    difference->sequence = a->sequence;
    difference->inputs = CopyBytes(a->inputs, a->input_size);
    difference->outputs_a = CopyBytes(a->outputs, a->output_size);
    difference->outputs_b = CopyBytes(b->outputs, b->output_size);
    difference->input_size = difference->inputs ? a->input_size : 0;
    difference->output_size_a = difference->outputs_a ? a->output_size : 0;
    difference->output_size_b = difference->outputs_b ? b->output_size : 0;
    difference->control_in = a->control_in;
    difference->control_out_a = a->control_out;
    difference->control_out_b = b->control_out;
    difference->mxcsr_in = a->mxcsr_in;
    difference->mxcsr_out_a = a->mxcsr_out;
    difference->mxcsr_out_b = b->mxcsr_out;
    difference->outcome_a = a->outcome;
    difference->outcome_b = b->outcome;
    difference->violations_a = a->violations;
    difference->violations_b = b->violations;
    if (is_first)
        difference->followed = Follow_Call(comparing->calls, a, difference->path);
    if (is_first && comparison->options.capture)
        difference->captured = comparison->options.capture(&comparing->header, comparing->calls, a);
    return RP_OK;
}

RpStatus Comparing_Call(Comparing *comparing, const TraceCall *a, const TraceCall *b,
                        RpError *error) {
    Comparison *comparison = comparing->comparison;
    if (!Selection_HasCall(comparison->options.selection, a->function, a->sequence))
        return RP_OK;
    CompareFunction *function = Comparison_Touch(comparison, a->function);
    CompareCounts *counts = &function->counts;
    Finding finding = {.a = a, .b = b};
    comparison->conditions[comparing->condition].calls++;
    if (a->outcome == TRACE_NOT_CALLED || b->outcome == TRACE_NOT_CALLED) {
        counts->not_called++;
        return RP_OK;
    }
    if (a->outcome == TRACE_UNSUPPORTED || b->outcome == TRACE_UNSUPPORTED) {
        counts->unsupported++;
        return RP_OK;
    }

    function->crashed_a += EndedAbnormally(a);
    function->crashed_b += EndedAbnormally(b);
    counts->violated += a->violations != 0 && b->violations != 0;
    if (comparison->known_count > 0)
        memset(comparing->matched, 0, comparison->known_count);
    if (!Comparison_Alike(a, b))
        FindDifferences(comparison, &finding, comparing->matched);
    const uint64_t compared = counts->compared, different = counts->different;
    RpStatus status = RP_OK;
    if (finding.elements > 0)
        status = CountDifference(comparing, counts, &finding, error);
    else if (a->outcome != TRACE_RETURNED)
        counts->failed_alike++;
    else if (a->violations & TRACE_OUTSIDE_WRITE)
        counts->wrote_outside++;
    else if (!IsComparable(a))
        counts->not_comparable++;
    else
        counts->compared++;
    if (counts->compared == compared)
        return status;

    /* Whatever was compared also counts for the known differences and in the function's tally. */
    for (size_t i = 0; i < comparison->known_count; i++) {
        CompareKnown *known = &comparison->known[i];
        known->covered += Selection_HasCall(known->entry->selection, a->function, a->sequence);
        known->matched += comparing->matched[i];
        known->stale = IsStale(known);
    }
    Tally *tally = &function->tally;
    const bool differs = counts->different > different;
    TallyRun_Add(&tally->run, a->sequence >> comparison->shift, comparison->shift, 1, differs);
    TallyInputs_Add(&tally->inputs_compared, a->signature, a->inputs, a->input_size);
    tally->compared[comparing->origin]++;
    if (differs) {
        TallyInputs_Add(&tally->inputs_different, a->signature, a->inputs, a->input_size);
        tally->different[comparing->origin]++;

        /* The elements that differ are counted by their distance. */
        for (uint32_t i = 0; i < finding.states; i++)
            TallyUlps_Add(&tally->ulps, false, 0);
        SignatureElement element;
        SignatureCursor cursor = Signature_OutputElements(a->signature, a->inputs, a->input_size);
        while (finding.elements != finding.states && Signature_NextElement(&cursor, &element)) {
            const uint8_t *at_a = a->outputs + element.offset, *at_b = b->outputs + element.offset;
            if (element.compared && memcmp(at_a, at_b, element.size) != 0)
                TallyUlps_Add(&tally->ulps, element.type == SIGNATURE_F32,
                              Value_Ulps(element.type, element.size, at_a, at_b));
        }
    }
    return status;
}

static RpStatus ComparePairs(Comparing *comparing, TraceReader *a, TraceReader *b, RpError *error) {
    const char *name = comparing->name;
    for (;;) {
        TraceCall call_a, call_b;
        bool found_a, found_b;
        RpStatus status = TraceReader_Next(a, &call_a, &found_a, error);
        if (!status)
            status = TraceReader_Next(b, &call_b, &found_b, error);
        if (status)
            return status;
        if (!found_a && !found_b) {
            /* Only if both traces define the same memories, equal references mean equal data. */
            char found[32];
            for (uint32_t i = 0; i < TraceReader_MemoryCount(a); i++) {
                const TraceMemory *one = TraceReader_MemoryAt(a, i);
                const TraceMemory *other = TraceReader_Memory(b, one->id);
                if (other && one->size == other->size &&
                    one->relocation_count == other->relocation_count &&
                    memcmp(one->bytes, other->bytes, one->size) == 0 &&
                    (one->relocation_count == 0 ||
                     memcmp(one->relocations, other->relocations,
                            one->relocation_count * sizeof *one->relocations) == 0))
                    continue;
                snprintf(found, sizeof found, "memory %u differs", one->id);
                return OtherCalls(NULL, name, "the same memories", found, error);
            }
            if (TraceReader_MemoryCount(a) != TraceReader_MemoryCount(b))
                return OtherCalls(NULL, name, "the same memories", "more on one side", error);
            return RP_OK;
        }
        if (found_a != found_b)
            return OtherCalls(found_a ? &call_a : &call_b, name, "as many calls on both sides",
                              found_a ? "fewer on the second" : "fewer on the first", error);

        char expected[32], found[32];
        if (call_a.function != call_b.function)
            return OtherCalls(&call_a, name, call_a.function->key, call_b.function->key, error);
        if (call_a.sequence != call_b.sequence) {
            snprintf(expected, sizeof expected, "%llu", (unsigned long long)call_a.sequence);
            snprintf(found, sizeof found, "%llu", (unsigned long long)call_b.sequence);
            return OtherCalls(&call_a, name, expected, found, error);
        }
        if (call_a.control_in != call_b.control_in || call_a.mxcsr_in != call_b.mxcsr_in)
            return OtherCalls(&call_a, name, "the same machine state before", "another", error);
        if (call_a.input_size != call_b.input_size ||
            memcmp(call_a.inputs, call_b.inputs, call_a.input_size) != 0)
            return OtherCalls(&call_a, name, "the same inputs", "others", error);
        if (call_a.outcome == TRACE_NOT_RUN || call_b.outcome == TRACE_NOT_RUN)
            return RpError_Set(error, RP_INVALID, RP_NOWHERE,
                               "the trace holds calls that were not run", name,
                               "traces that a provider wrote", "");
        status = Comparing_Call(comparing, &call_a, &call_b, error);
        if (status)
            return status;
    }
}

size_t Comparison_EnterOrigin(Comparison *comparison, const char *name) {
    const size_t room = sizeof *comparison->origins;
    for (size_t i = 0; i < comparison->origin_count; i++)
        if (strncmp(comparison->origins[i], name, room - 1) == 0)
            return i;
    const size_t index = comparison->origin_count;
    const bool others = index >= TALLY_ORIGINS - 1;
    snprintf(comparison->origins[others ? TALLY_ORIGINS - 1 : index], room, "%s",
             others ? "others" : name);
    comparison->origin_count = others ? TALLY_ORIGINS : index + 1;
    return others ? TALLY_ORIGINS - 1 : index;
}

/* Finds the condition among those that the comparison has, or adds it with a count of 0 calls.
 * Takes over the text `readings`, also after an error. */
static RpStatus TakeCondition(Comparison *comparison, CompareCondition *condition, const char *name,
                              size_t *index, RpError *error) {
    for (size_t i = 0; i < comparison->condition_count; i++)
        if (Condition_Same(&comparison->conditions[i], condition)) {
            free(condition->readings);
            *index = i;
            return RP_OK;
        }
    CompareCondition *grown =
        realloc(comparison->conditions, (comparison->condition_count + 1) * sizeof *grown);
    if (!grown) {
        free(condition->readings);
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a comparison", name, "",
                           "");
    }
    comparison->conditions = grown;
    *index = comparison->condition_count++;
    grown[*index] = *condition;
    grown[*index].calls = 0;
    return RP_OK;
}

RpStatus Comparison_AddCondition(Comparison *comparison, CompareCondition *condition,
                                 RpError *error) {
    const uint64_t calls = condition->calls;
    size_t index;
    const RpStatus status = TakeCondition(comparison, condition, "", &index, error);
    if (!status)
        comparison->conditions[index].calls += calls;
    return status;
}

void Comparison_AddKnown(Comparison *comparison, size_t index, uint64_t covered, uint64_t matched) {
    CompareKnown *known = &comparison->known[index];
    known->covered += covered;
    known->matched += matched;
    known->stale = IsStale(known);
}

void Comparison_BeginSlice(Comparison *comparison, uint64_t first, uint64_t count) {
    comparison->shift = count ? TallyRun_Shift(first, count) : 0;
}

RpStatus Comparison_Begin(Comparison *comparison, const TraceHeader *a, const TraceHeader *b,
                          const TraceReader *calls, const char *name, Comparing **result,
                          RpError *error) {
    Comparing *comparing = *result = calloc(1, sizeof *comparing);
    uint8_t *matched = malloc(comparison->known_count + 1);
    RpStatus status = RP_OK;
    if (!comparing || !matched) {
        status = RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a comparison", name,
                             "", "");
    } else {
        comparing->comparison = comparison;
        comparing->header = *a;
        comparing->calls = calls;
        comparing->name = name;
        comparing->matched = matched;

        /* The condition of these two headers is among those of earlier traces, or becomes one of
         * them. */
        CompareCondition condition;
        status = Condition_Read(a, b, comparison->options.allow_unlike, name, &condition, error);
        if (!status)
            status = TakeCondition(comparison, &condition, name, &comparing->condition, error);

        comparing->origin = Comparison_EnterOrigin(comparison, name);
    }
    if (status) {
        free(matched);
        free(comparing);
        *result = NULL;
    }
    return status;
}

void Comparing_End(Comparing *comparing) {
    if (!comparing)
        return;
    Processor_Destroy(comparing->processor);
    free(comparing->matched);
    free(comparing);
}

RpStatus Comparison_Add(Comparison *comparison, TraceReader *a, TraceReader *b, const char *name,
                        RpError *error) {
    Comparing *comparing;
    RpStatus status = Comparison_Begin(comparison, TraceReader_Header(a), TraceReader_Header(b), a,
                                       name, &comparing, error);
    if (!status)
        status = ComparePairs(comparing, a, b, error);
    Comparing_End(comparing);
    return status;
}

/* ---- parts of a comparison ---------------------------------------------------------------------
 */

Comparison *Comparison_CreatePart(const Comparison *whole) {
    return Comparison_Create(&whole->options);
}

RpStatus Comparison_Merge(Comparison *comparison, Comparison *part, RpError *error) {
    size_t origins[TALLY_ORIGINS];
    RpStatus status = RP_OK;
    for (size_t i = 0; i < part->condition_count && !status; i++) {
        CompareCondition condition = part->conditions[i];
        part->conditions[i].readings = NULL; /* it is taken over */
        status = Comparison_AddCondition(comparison, &condition, error);
    }
    /* `origins` are the places in the whole of the part's origins. */
    for (size_t i = 0; i < part->origin_count; i++)
        origins[i] = Comparison_EnterOrigin(comparison, part->origins[i]);
    for (size_t i = 0; i < part->touched_count; i++) {
        const CompareFunction *from = &part->functions[part->touched[i]];
        CompareFunction *to = Comparison_Touch(comparison, from->function);
        CompareCounts_Add(&to->counts, &from->counts);
        to->crashed_a += from->crashed_a;
        to->crashed_b += from->crashed_b;

        Tally *tally = &to->tally;
        const Tally *other = &from->tally;
        const TallyRun *run = &other->run;
        for (uint64_t k = 0; run->any && k <= run->last - run->first; k++)
            if (run->compared[k] > 0)
                TallyRun_Add(&tally->run, run->first + k, run->shift, run->compared[k],
                             run->different[k]);
        TallyUlps_Merge(&tally->ulps, &other->ulps);
        TallyInputs_Merge(&tally->inputs_compared, &other->inputs_compared);
        TallyInputs_Merge(&tally->inputs_different, &other->inputs_different);
        for (size_t k = 0; k < part->origin_count; k++) {
            tally->compared[origins[k]] += other->compared[k];
            tally->different[origins[k]] += other->different[k];
        }
    }
    for (size_t i = 0; i < part->known_count; i++)
        Comparison_AddKnown(comparison, i, part->known[i].covered, part->known[i].matched);

    /* A part keeps every difference that the whole keeps, and perhaps more. */
    for (size_t i = 0; i < part->difference_count && !status; i++) {
        Difference *from = &part->differences[i];
        const bool is_first = !Comparison_FirstDifference(comparison, from->function);
        if (!Comparison_Keeps(comparison, is_first))
            continue;
        Difference *to = Comparison_NewDifference(comparison);
        if (!to) {
            status = RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a difference",
                                 from->trace, "", "");
            break;
        }
        *to = *from;
        memset(from, 0, sizeof *from);
        if (!is_first) {
            free(to->followed);
            to->followed = NULL;
            Release(comparison, to);
        }
    }
    return status;
}

RpStatus Comparison_Explain(Comparison *comparison,
                            void (*explain)(void *context, const Difference *difference,
                                            Parting *parting),
                            void *context, RpError *error) {
    for (size_t i = 0; i < comparison->difference_count; i++) {
        Difference *difference = &comparison->differences[i];
        if (!difference->captured)
            continue;
        difference->parting = calloc(1, sizeof *difference->parting);
        if (!difference->parting)
            return RpMemory_Refused(error, "no memory to explain a difference");
        explain(context, difference, difference->parting);
        Release(comparison, difference);
    }
    return RP_OK;
}

/* ---- results ----------------------------------------------------------------------------------
 */

Comparison *Comparison_Create(const CompareOptions *options) {
    const KnownDifferences *known = options->known;
    const size_t known_count = known ? known->count : 0;
    Comparison *comparison = calloc(1, sizeof *comparison);
    if (!comparison)
        return NULL;
    comparison->options = *options;
    if (comparison->options.max_differences == 0)
        comparison->options.max_differences = DEFAULT_DIFFERENCES;
    comparison->functions = calloc(abi_function_count, sizeof *comparison->functions);
    comparison->touched = calloc(abi_function_count, sizeof *comparison->touched);
    comparison->origins = calloc(TALLY_ORIGINS, sizeof *comparison->origins);
    if (known_count > 0)
        comparison->known = calloc(known_count, sizeof *comparison->known);
    if (!comparison->functions || !comparison->touched || !comparison->origins ||
        (known_count > 0 && !comparison->known)) {
        Comparison_Destroy(comparison);
        return NULL;
    }
    comparison->known_count = known_count;
    for (size_t i = 0; i < known_count; i++)
        comparison->known[i].entry = &known->entries[i];
    return comparison;
}

void CompareCounts_Add(CompareCounts *sum, const CompareCounts *counts) {
    sum->compared += counts->compared;
    sum->different += counts->different;
    sum->known += counts->known;
    sum->processor += counts->processor;
    sum->crashed += counts->crashed;
    sum->failed_alike += counts->failed_alike;
    sum->wrote_outside += counts->wrote_outside;
    sum->not_comparable += counts->not_comparable;
    sum->not_called += counts->not_called;
    sum->unsupported += counts->unsupported;
    sum->violated += counts->violated;
}

uint64_t CompareCounts_Rest(const CompareCounts *counts) {
    return counts->failed_alike + counts->wrote_outside + counts->not_comparable +
           counts->not_called + counts->unsupported;
}

void Comparison_Totals(const Comparison *comparison, CompareTotals *totals) {
    memset(totals, 0, sizeof *totals);
    for (size_t i = 0; i < comparison->touched_count; i++) {
        const CompareFunction *function = Comparison_FunctionAt(comparison, i);
        CompareCounts_Add(&totals->counts, &function->counts);
    }
    for (size_t i = 0; i < comparison->known_count; i++)
        totals->stale += comparison->known[i].stale;
}

size_t Comparison_FunctionCount(const Comparison *comparison) {
    return comparison->touched_count;
}

const CompareFunction *Comparison_FunctionAt(const Comparison *comparison, size_t index) {
    return &comparison->functions[comparison->touched[index]];
}

const char *Comparison_OriginAt(const Comparison *comparison, size_t index) {
    return index < TALLY_ORIGINS && comparison->origins[index][0] ? comparison->origins[index]
                                                                  : NULL;
}

size_t Comparison_DifferenceCount(const Comparison *comparison) {
    return comparison->difference_count;
}

const Difference *Comparison_DifferenceAt(const Comparison *comparison, size_t index) {
    return &comparison->differences[index];
}

const Difference *Comparison_FirstDifference(const Comparison *comparison,
                                             const AbiFunction *function) {
    for (size_t i = 0; i < Comparison_DifferenceCount(comparison); i++)
        if (Comparison_DifferenceAt(comparison, i)->function == function)
            return Comparison_DifferenceAt(comparison, i);
    return NULL;
}

size_t Comparison_ConditionCount(const Comparison *comparison) {
    return comparison->condition_count;
}

const CompareCondition *Comparison_ConditionAt(const Comparison *comparison, size_t index) {
    return &comparison->conditions[index];
}

size_t Comparison_KnownCount(const Comparison *comparison) {
    return comparison->known_count;
}

const CompareKnown *Comparison_KnownAt(const Comparison *comparison, size_t index) {
    return &comparison->known[index];
}

void Comparison_Destroy(Comparison *comparison) {
    if (!comparison)
        return;
    for (size_t i = 0; i < comparison->difference_count; i++) {
        Difference *difference = &comparison->differences[i];
        free(difference->inputs);
        free(difference->outputs_a);
        free(difference->outputs_b);
        free((void *)(uintptr_t)difference->signature);
        free(difference->followed);
        free(difference->parting);
        Release(comparison, difference);
    }
    free(comparison->differences);
    free(comparison->functions);
    free(comparison->touched);
    free(comparison->origins);
    free(comparison->known);
    for (size_t i = 0; i < comparison->condition_count; i++)
        free(comparison->conditions[i].readings);
    free(comparison->conditions);
    free(comparison);
}
