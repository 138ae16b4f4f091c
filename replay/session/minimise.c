#include "replay/session/minimise.h"

#include "core/files/output.h"
#include "retropose/arithmetic.h"
#include "tracefile/format.h"
#include "tracefile/trim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each attempt to simplify an input costs a run, so it is only made for a handful of calls. */
#define SIMPLIFY_CALLS 4

typedef struct Minimiser {
    const MinimiseOptions *options;
    TraceReader *reader;
    TraceCall *calls; /* the calls, with copies of their inputs and without outcomes */
    size_t count;
    bool *kept;
    MinimiseResult *result;
} Minimiser;

static RpStatus NoMemory(RpError *error) {
    return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory to minimise", "", "", "");
}

/* ---- trying -----------------------------------------------------------------------------------
 */

static uint64_t CountKept(const Minimiser *m) {
    uint64_t kept = 0;
    for (size_t i = 0; i < m->count; i++)
        kept += m->kept[i];
    return kept;
}

static RpStatus WriteKept(const Minimiser *m, const char *path, bool compress, RpError *error) {
    TraceCopy *copy;
    RpStatus status = TraceCopy_Create(path, m->reader, compress, &copy, error);
    if (status)
        return status;
    for (size_t i = 0; i < m->count && !status; i++)
        if (m->kept[i])
            status = TraceCopy_Call(copy, &m->calls[i], error);
    if (!status)
        return TraceCopy_Close(copy, error);
    TraceCopy_Abandon(copy);
    return status;
}

static RpStatus Try(Minimiser *m, bool *differs, RpError *error) {
    const MinimiseOptions *options = m->options;
    RpStatus status = WriteKept(m, options->candidate, false, error);
    if (!status)
        status = options->differs(options->context, options->candidate, differs, error);
    m->result->tries++;
    if (options->progress)
        options->progress(options->progress_context, m->result->tries, CountKept(m));
    return status;
}

/* ---- fewest calls -----------------------------------------------------------------------------
 */

static size_t CollectKept(const Minimiser *m, size_t *positions) {
    size_t count = 0;
    for (size_t i = 0; i < m->count; i++)
        if (m->kept[i])
            positions[count++] = i;
    return count;
}

/* Tries one granularity: finds out whether one of the parts, or all calls without one of them,
 * still differ. */
static RpStatus TryParts(Minimiser *m, const size_t *positions, size_t count, size_t parts,
                         bool *part_alone, bool *differs, RpError *error) {
    for (int complement = 0; complement < 2; complement++) {
        if (complement && parts == 2)
            break; /* if there are two parts, each is the rest of the other */
        for (size_t part = 0; part < parts; part++) {
            const size_t first = count * part / parts, last = count * (part + 1) / parts;
            memset(m->kept, 0, m->count * sizeof *m->kept);
            for (size_t i = 0; i < count; i++)
                m->kept[positions[i]] = (i >= first && i < last) != (complement != 0);
            RpStatus status = Try(m, differs, error);
            if (status || *differs) {
                *part_alone = !complement;
                return status;
            }
        }
    }
    return RP_OK;
}

static RpStatus ReduceCalls(Minimiser *m, size_t *positions, RpError *error) {
    size_t count = CollectKept(m, positions), parts = 2;
    while (count >= 2) {
        bool differs = false, part_alone = false;
        RpStatus status = TryParts(m, positions, count, parts, &part_alone, &differs, error);
        if (status)
            return status;
        if (differs) {
            count = CollectKept(m, positions);
            parts = part_alone ? 2 : parts - 1;
        } else if (parts == count) {
            break;
        } else {
            parts = parts * 2;
        }
        if (parts > count)
            parts = count;
        if (parts < 2)
            parts = 2;
    }
    memset(m->kept, 0, m->count * sizeof *m->kept);
    for (size_t i = 0; i < count; i++)
        m->kept[positions[i]] = true;
    return RP_OK;
}

/* ---- simplest inputs --------------------------------------------------------------------------
 */

/* The simpler a number is, the earlier it comes. */
static const uint32_t simple_floats[] = {0x00000000, 0x3F800000, 0xBF800000, 0x3F000000};
static const uint32_t simple_integers[] = {0, 1};

static RpStatus TryWord(Minimiser *m, uint8_t *word, uint32_t value, bool *better, RpError *error) {
    uint32_t old = Bytes_U32(word);
    bool differs = false;
    *better = false;
    if (old == value)
        return RP_OK;
    Bytes_PutU32(word, value);
    RpStatus status = Try(m, &differs, error);
    if (status || !differs)
        Bytes_PutU32(word, old);
    *better = differs && !status;
    m->result->simplified += *better;
    return status;
}

/* Tries simple values, and then, for a float, fewer bits of the fraction. References, texts and
 * counts are left alone, because with others it would be another call. */
static RpStatus SimplifyElement(Minimiser *m, TraceCall *call, const SignatureElement *element,
                                RpError *error) {
    const Signature *signature = call->signature;
    uint8_t *word = (uint8_t *)(uintptr_t)call->inputs + element->offset;
    const bool real = element->type == SIGNATURE_F32;
    if (!real && element->type != SIGNATURE_I32 && element->type != SIGNATURE_U32)
        return RP_OK;
    for (int i = 0; i < signature->param_count && !real; i++) {
        const int counting = signature->params[i].count_param;
        if (counting >= 0 && strcmp(signature->params[counting].name, element->path) == 0)
            return RP_OK;
    }

    const uint32_t *simple = real ? simple_floats : simple_integers;
    const size_t count = real ? sizeof simple_floats / sizeof *simple_floats
                              : sizeof simple_integers / sizeof *simple_integers;
    bool better = false;
    for (size_t i = 0; i < count; i++)
        better |= Bytes_U32(word) == simple[i];
    RpStatus status = RP_OK;
    for (size_t i = 0; i < count && !better && !status; i++)
        status = TryWord(m, word, simple[i], &better, error);
    for (uint32_t bits = 23; real && bits >= 4 && !better && !status; bits -= 4)
        status = TryWord(m, word, Bytes_U32(word) & ~((1u << bits) - 1), &better, error);
    return status;
}

/* ---- fewest patches ---------------------------------------------------------------------------
 */

enum { STATE_HEAD_BYTES = 16, PATCH_COUNT_AT = 8, PATCH_BYTES = 8 };

/* Tries to drop all patches, then halves, quarters, and finally single ones. */
static RpStatus DropPatches(Minimiser *m, TraceCall *call, RpError *error) {
    SignatureMap map;
    int param = Signature_StateParam(call->signature);
    if (param < 0 || !Signature_Map(call->signature, call->inputs, call->input_size, &map))
        return RP_OK;
    uint32_t state = map.input_offset[param];
    uint32_t count = Signature_ReadState(call->inputs + state).patch_count;
    RpStatus status = RP_OK;
    for (uint32_t part = count; part > 0 && !status; part /= 2)
        for (uint32_t first = 0; first < count && !status;) {
            const uint32_t tried = part < count - first ? part : count - first;
            const uint32_t from = state + STATE_HEAD_BYTES + PATCH_BYTES * first;
            const uint32_t gap = PATCH_BYTES * tried;
            const TraceCall old = *call;
            uint8_t *inputs = malloc(old.input_size);
            if (!inputs)
                return NoMemory(error);
            memcpy(inputs, old.inputs, from);
            memcpy(inputs + from, old.inputs + from + gap, old.input_size - from - gap);
            Bytes_PutU32(inputs + state + PATCH_COUNT_AT,
                         Bytes_U32(old.inputs + state + PATCH_COUNT_AT) - tried);
            call->inputs = inputs;
            call->input_size = old.input_size - gap;

            /* If the call still differs, these patches are left out for good. */
            bool better = false;
            status = Try(m, &better, error);
            better = better && !status;
            m->result->simplified += better ? tried : 0;
            free((void *)(uintptr_t)(better ? old.inputs : inputs));
            if (!better)
                *call = old;
            count -= better ? tried : 0;
            first += better ? 0 : tried;
        }
    return status;
}

static RpStatus SimplifyCalls(Minimiser *m, RpError *error) {
    RpStatus status = RP_OK;
    if (CountKept(m) > SIMPLIFY_CALLS)
        return RP_OK;
    for (size_t i = 0; i < m->count && !status; i++) {
        TraceCall *call = &m->calls[i];
        SignatureElement element;
        if (!m->kept[i])
            continue;

        /* First the state that the machine has in the game. */
        if (call->control_in != RP_GAMES_CONTROL_WORD || call->mxcsr_in != TRACE_GAMES_MXCSR) {
            const TraceCall old = *call;
            bool differs = false;
            call->control_in = RP_GAMES_CONTROL_WORD;
            call->mxcsr_in = TRACE_GAMES_MXCSR;
            status = Try(m, &differs, error);
            if (status || !differs)
                *call = old;
            else
                m->result->simplified++;
        }

        if (!status)
            status = DropPatches(m, call, error);
        SignatureCursor cursor =
            Signature_InputElements(call->signature, call->inputs, call->input_size);
        while (!status && Signature_NextElement(&cursor, &element))
            status = SimplifyElement(m, call, &element, error);
    }
    return status;
}

/* ---- the whole --------------------------------------------------------------------------------
 */

static RpStatus Minimise(Minimiser *m, const char *input, const char *output, RpError *error) {
    bool differs = false, found = true;
    RpStatus status = RP_OK;
    while (!status && found) {
        TraceCall call;
        status = TraceReader_Next(m->reader, &call, &found, error);
        if (status || !found)
            break;
        if ((m->count & (m->count - 1)) == 0) {
            TraceCall *calls = realloc(m->calls, (m->count ? m->count * 2 : 1) * sizeof *calls);
            if (!calls)
                return NoMemory(error);
            m->calls = calls;
        }
        uint8_t *inputs = malloc(call.input_size + 1u);
        if (!inputs)
            return NoMemory(error);
        memcpy(inputs, call.inputs, call.input_size);
        m->calls[m->count++] = (TraceCall){.function = call.function,
                                           .signature = call.signature,
                                           .sequence = call.sequence,
                                           .control_in = call.control_in,
                                           .mxcsr_in = call.mxcsr_in,
                                           .inputs = inputs,
                                           .input_size = call.input_size};
    }
    if (status)
        return status;

    m->kept = malloc((m->count + 1) * sizeof *m->kept);
    size_t *positions = malloc((m->count + 1) * sizeof *positions);
    if (!m->kept || !positions) {
        free(positions);
        return NoMemory(error);
    }
    for (size_t i = 0; i < m->count; i++)
        m->kept[i] = true;
    m->result->calls_before = m->count;
    status = Try(m, &differs, error);
    if (!status && !differs)
        status = RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "nothing to minimise", input,
                             "a trace that shows a difference", "no difference");
    if (!status)
        status = ReduceCalls(m, positions, error);
    free(positions);
    if (!status)
        status = SimplifyCalls(m, error);
    m->result->calls_after = CountKept(m);
    if (status)
        return status;
    const MinimiseOptions *options = m->options;
    if (!options->again)
        return WriteKept(m, output, true, error);

    /* The result is run once more, from the bytes that were written, and written as it was
     * answered. */
    uint64_t calls;
    differs = false;
    status = WriteKept(m, options->candidate, false, error);
    if (!status)
        status = options->again(options->again_context, options->candidate, &differs, error);
    if (!status && !differs)
        status = RpError_Set(error, RP_CORRUPT, RP_NOWHERE,
                             "the smallest trace differed, and does not when it is run again",
                             output, "the same difference in each run", "no difference");
    return status ? status
                  : Trim_Trace(options->answered, output, NULL, false, true, &calls, NULL, error);
}

RpStatus Minimise_Trace(const char *input, const char *output, const MinimiseOptions *options,
                        MinimiseResult *result, RpError *error) {
    Minimiser m = {.options = options, .result = result};
    memset(result, 0, sizeof *result);
    RpStatus status = TraceReader_Open(input, &m.reader, error);
    if (!status)
        status = Output_Check(output, error);
    if (!status)
        status = Minimise(&m, input, output, error);
    remove(options->candidate);
    for (size_t i = 0; i < m.count; i++)
        free((void *)(uintptr_t)m.calls[i].inputs);
    free(m.calls);
    free(m.kept);
    TraceReader_Close(m.reader);
    return status;
}

/* ---- two providers ----------------------------------------------------------------------------
 */

RpStatus MinimisePair_Again(void *context, const char *path, bool *differs, RpError *error) {
    MinimisePair *pair = context;
    TraceReader *a = NULL, *b = NULL;
    static const CompareOptions usual = {.max_differences = 1};
    Comparison *comparison = Comparison_Create(pair->compare ? pair->compare : &usual);
    if (!comparison)
        return NoMemory(error);
    Comparison_Destroy(pair->last);
    pair->last = comparison;
    RpStatus status = Provider_Run(pair->a, path, pair->result_a, pair->options, error);
    if (!status)
        status = Provider_Run(pair->b, path, pair->result_b, pair->options, error);
    if (!status)
        status = TraceReader_Open(pair->result_a, &a, error);
    if (!status)
        status = TraceReader_Open(pair->result_b, &b, error);
    if (!status)
        status = Comparison_Add(comparison, a, b, pair->result_a, error);
    TraceReader_Close(a);
    TraceReader_Close(b);

    /* The first function that differs is the one that all attempts are about. */
    *differs = false;
    for (size_t i = 0; !status && !*differs && i < Comparison_DifferenceCount(comparison); i++) {
        const AbiFunction *function = Comparison_DifferenceAt(comparison, i)->function;
        if (!pair->function)
            pair->function = function;
        *differs = function == pair->function;
    }
    return status;
}

RpStatus MinimisePair_Differs(void *context, const char *path, bool *differs, RpError *error) {
    const MinimisePair *pair = context;
    const RpStatus status = MinimisePair_Again(context, path, differs, error);
    remove(pair->result_a);
    remove(pair->result_b);
    return status;
}
