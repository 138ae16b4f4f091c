#include "replay/session/answer_digest.h"

#include "core/hash.h"
#include "replay/provider/answerer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* So many first calls of a scenario stand for all of its calls, because it is one stream of random
 * numbers: whatever changes one of its calls changes those after it. */
#define HASHED_CALLS 1000u
#define REPORT_CALLS 0x4000u /* the progress is told so often */

/* ---- making ----------------------------------------------------------------------------------
 */

void AnswerDigest_Name(AnswerDigest *digest, const Provider *provider, const char *processor,
                       const char *readings) {
    memset(digest, 0, sizeof *digest);
    snprintf(digest->by, sizeof digest->by, "%s", Provider_Name(provider));
    snprintf(digest->processor, sizeof digest->processor, "%s", processor);
    snprintf(digest->readings, sizeof digest->readings, "%s", readings ? readings : "");
    for (int i = 0; i < ABI_MODULE_COUNT; i++)
        snprintf(digest->sha256[i], sizeof digest->sha256[i], "%s", provider->sha256[i]);
}

static RpStatus MakeBlock(AnswerDigest *digest, const SessionInput *inputs, size_t count,
                          const AnswerSums *sums, RpError *error) {
    DigestBlock *blocks = realloc(digest->blocks, (digest->block_count + 1) * sizeof *blocks);
    if (!blocks)
        return RpMemory_Refused(error, "a digest");
    digest->blocks = blocks;
    DigestBlock *block = &blocks[digest->block_count++];
    *block =
        (DigestBlock){.scenario = inputs->scenario,
                      .inputs = calloc(count, sizeof *block->inputs),
                      .cells = calloc(abi_function_count * ANSWERS_KINDS, sizeof *block->cells)};
    if (!block->inputs || !block->cells)
        return RpMemory_Refused(error, "a digest");
    for (size_t i = 0; i < count; i++) {
        block->inputs[block->input_count] = inputs[i];
        /* a digest has one text of readings for all inputs */
        block->inputs[block->input_count++].readings = NULL;
    }

    /* A cell for each function and kind of which there is a call; it has the sums of all inputs. */
    for (size_t row = 0; row < abi_function_count; row++)
        for (int kind = 0; kind < ANSWERS_KINDS; kind++) {
            uint64_t hash = HASH_FNV64_BEGIN, answered = 0, unanswered = 0;
            for (size_t i = 0; i < count; i++) {
                const AnswerSum *sum = &sums[i].rows[row].sums[kind];
                hash = Hash_Fnv64(hash, &sum->sum, sizeof sum->sum);
                answered += sum->answered;
                unanswered += sum->unanswered;
            }
            if (answered + unanswered > 0)
                block->cells[block->cell_count++] =
                    (DigestCell){.function = &abi_functions[row],
                                 .kind = kind,
                                 .state = unanswered == 0 ? DIGEST_WHOLE
                                          : answered > 0  ? DIGEST_PART
                                                          : DIGEST_NONE,
                                 .digest = (uint32_t)hash};
        }

    /* The first calls of an input are digested, with the memories that they name. */
    uint64_t hash = HASH_FNV64_BEGIN;
    uint32_t memories = 0;
    TraceReader *reader;
    const ScenarioOptions options = {.seed = inputs->seed,
                                     .first = inputs->first,
                                     .count = inputs->count < HASHED_CALLS ? inputs->count
                                                                           : HASHED_CALLS,
                                     .force_cpu = -1,
                                     .readings = digest->readings};
    RpStatus status = Scenario_Open(inputs->scenario, &options, &reader, error);
    for (bool found = true; !status && found;) {
        TraceCall call;
        status = TraceReader_Next(reader, &call, &found, error);
        if (status || !found)
            break;
        while (memories < TraceReader_MemoryCount(reader)) {
            const TraceMemory *memory = TraceReader_MemoryAt(reader, memories++);
            hash = Hash_Fnv64(hash, memory->bytes, memory->size);
            for (uint32_t i = 0; i < memory->relocation_count; i++) {
                const TraceRelocation *relocation = &memory->relocations[i];
                hash = Hash_Fnv64(hash, &relocation->target, sizeof relocation->target);
            }
        }
        hash = Hash_Fnv64(hash, call.function->key, strlen(call.function->key));
        hash = Hash_Fnv64(hash, &call.control_in, sizeof call.control_in);
        hash = Hash_Fnv64(hash, &call.mxcsr_in, sizeof call.mxcsr_in);
        hash = Hash_Fnv64(hash, call.inputs, call.input_size);
    }
    TraceReader_Close(reader);
    block->calls = (uint32_t)hash;
    return status;
}

RpStatus AnswerDigest_Make(AnswerDigest *digest, const SessionInput *inputs, size_t count,
                           const AnswerSums *sums, RpError *error) {
    RpStatus status = RP_OK;
    for (size_t i = 0, together; i < count && !status; i += together) {
        const SessionInput *first = &inputs[i];
        together = 1;
        while (i + together < count && first[together].scenario == first->scenario &&
               first[together].seed == first->seed && first[together].first == first->first)
            together++;
        status = MakeBlock(digest, &inputs[i], together, &sums[i], error);
    }
    return status;
}

void AnswerDigest_Free(AnswerDigest *digest) {
    for (size_t i = 0; i < digest->block_count; i++) {
        free(digest->blocks[i].inputs);
        free(digest->blocks[i].cells);
    }
    free(digest->blocks);
    digest->blocks = NULL;
    digest->block_count = 0;
}

/* ---- answering -------------------------------------------------------------------------------
 */

uint64_t AnswerDigest_Calls(const AnswerDigest *digest) {
    uint64_t calls = 0;
    for (size_t i = 0; i < digest->block_count; i++)
        for (size_t j = 0; j < digest->blocks[i].input_count; j++)
            calls += digest->blocks[i].inputs[j].count;
    return calls;
}

typedef struct Asking {
    const Provider *provider;
    const ProviderOptions *options;
    char calls[1400], answers[1400]; /* the files of calls and answers */
    uint64_t done;                   /* the number of calls */
} Asking;

static void OnProgress(void *context, uint64_t calls) {
    const Asking *asking = context;
    if (asking->options->progress)
        asking->options->progress(asking->options->context, asking->done + calls);
}

/* Has a provider of this process answer. */
static RpStatus AskHere(Asking *asking, const Scenario *scenario, const ScenarioOptions *calls,
                        AnswerSums *sums, RpError *error) {
    TraceReader *reader;
    Answerer *answerer = NULL;
    uint64_t answered = 0;
    RpStatus status = Scenario_Open(scenario, calls, &reader, error);
    if (!status)
        status = Answerer_Open(asking->provider, TraceReader_Header(reader), reader,
                               asking->options, &answerer, error);
    for (bool found = true; !status && found;) {
        TraceCall call;
        if (answered++ % REPORT_CALLS == 0)
            OnProgress(asking, answered - 1);
        status = TraceReader_Next(reader, &call, &found, error);
        if (!status && found)
            status = Answerer_Call(answerer, &call, &call, error);
        if (!status && found)
            AnswerSums_Call(sums, &call);
    }
    Answerer_Close(answerer);
    TraceReader_Close(reader);
    return status;
}

static RpStatus AskHost(Asking *asking, const Scenario *scenario, const ScenarioOptions *calls,
                        AnswerSums *sums, RpError *error) {
    TraceReader *reader = NULL;
    ProviderOptions options = *asking->options;
    options.progress = OnProgress;
    options.context = asking;
    RpStatus status = Scenario_Write(scenario, calls, asking->calls, error);
    if (!status)
        status = Provider_Run(asking->provider, asking->calls, asking->answers, &options, error);
    if (!status)
        status = TraceReader_Open(asking->answers, &reader, error);
    if (!status)
        status = AnswerSums_Trace(sums, reader, error);
    TraceReader_Close(reader);
    remove(asking->calls);
    remove(asking->answers);
    return status;
}

RpStatus AnswerDigest_Answer(const AnswerDigest *asked, const Provider *provider,
                             const ProviderOptions *options, const char *work_directory,
                             AnswerDigest *answer, RpError *error) {
    char processor[128];
    RpStatus status = RP_OK;
    Asking asking = {.provider = provider, .options = options};
    Provider_Processor(processor, sizeof processor);
    AnswerDigest_Name(answer, provider, processor, asked->readings);
    snprintf(asking.calls, sizeof asking.calls, "%.1300s/digest-calls.trace", work_directory);
    snprintf(asking.answers, sizeof asking.answers, "%.1300s/digest-answers.trace", work_directory);
    for (size_t b = 0; b < asked->block_count && !status; b++) {
        const DigestBlock *block = &asked->blocks[b];
        AnswerSums *sums = calloc(block->input_count, sizeof *sums);
        status = sums ? RP_OK : RpMemory_Refused(error, "a digest");
        for (size_t i = 0; i < block->input_count && !status; i++) {
            const SessionInput *input = &block->inputs[i];
            if (!AnswerSums_Init(&sums[i]))
                status = RpMemory_Refused(error, "a digest");
            for (uint64_t done = 0; done < input->count && !status; done += SESSION_SLICE_CALLS) {
                const uint64_t left = input->count - done;
                const uint64_t count = left < SESSION_SLICE_CALLS ? left : SESSION_SLICE_CALLS;
                const ScenarioOptions calls = {.seed = input->seed,
                                               .first = input->first + done,
                                               .count = count,
                                               .force_cpu = input->force_cpu,
                                               .slot_build = input->slot_build,
                                               .readings = asked->readings};
                status = (Answerer_Has(provider) ? AskHere : AskHost)(&asking, input->scenario,
                                                                      &calls, &sums[i], error);
                asking.done += count;
            }
        }
        if (!status)
            status = MakeBlock(answer, block->inputs, block->input_count, sums, error);
        for (size_t i = 0; sums && i < block->input_count; i++)
            AnswerSums_Free(&sums[i]);
        free(sums);
    }
    return status;
}

/* ---- comparing -------------------------------------------------------------------------------
 */

const char *DigestVerdict_Name(DigestVerdict verdict) {
    static const char *const names[] = {"different", "as processors may", "cannot be told", "same"};
    return names[verdict];
}

static bool SameInputs(const DigestBlock *a, const DigestBlock *b) {
    if (a->scenario != b->scenario || a->input_count != b->input_count)
        return false;
    for (size_t i = 0; i < a->input_count; i++) {
        const SessionInput *x = &a->inputs[i], *y = &b->inputs[i];
        if (x->seed != y->seed || x->first != y->first || x->count != y->count ||
            x->force_cpu != y->force_cpu || strcmp(x->name, y->name) != 0)
            return false;
    }
    return true;
}

RpStatus AnswerDigest_Compare(const AnswerDigest *a, const AnswerDigest *b, DigestRows *rows,
                              RpError *error) {
    memset(rows, 0, sizeof *rows);
    if (strcmp(a->readings, b->readings) != 0)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the digests are of other readings", "",
                           a->readings[0] ? a->readings : "default",
                           b->readings[0] ? b->readings : "default");
    rows->rows = calloc(abi_function_count, sizeof *rows->rows);
    if (!rows->rows)
        return RpMemory_Refused(error, "a comparison of digests");

    const bool other_processor = Provider_OtherProcessor(a->processor, b->processor);
    for (size_t i = 0; i < a->block_count; i++) {
        const DigestBlock *block = &a->blocks[i], *same = NULL;
        for (size_t k = 0; k < b->block_count && !same; k++)
            if (SameInputs(&b->blocks[k], block))
                same = &b->blocks[k];
        if (same && same->calls != block->calls)
            same = NULL;
        rows->other_calls += !same;
        for (size_t j = 0; j < block->cell_count; j++) {
            /* A cell is judged by the same cell of the other block, and counted in the row of its
             * function. */
            const DigestCell *cell = &block->cells[j];
            DigestRow *row = &rows->rows[cell->function - abi_functions];
            const DigestCell *found = NULL;
            for (size_t k = 0; same && k < same->cell_count && !found; k++)
                if (same->cells[k].function == cell->function && same->cells[k].kind == cell->kind)
                    found = &same->cells[k];

            DigestVerdict verdict = DIGEST_DIFFERENT;
            if (!found || cell->state != DIGEST_WHOLE || found->state != DIGEST_WHOLE)
                verdict = DIGEST_UNTOLD;
            else if (cell->digest == found->digest)
                verdict = DIGEST_SAME;
            else if (other_processor && cell->kind == ANSWERS_OF_PROCESSOR)
                verdict = DIGEST_AS_PROCESSORS_MAY;

            if (!row->function)
                *row = (DigestRow){.function = cell->function, .verdict = DIGEST_SAME};
            row->cells[verdict]++;
            if (verdict < row->verdict)
                row->verdict = verdict;

            /* The two kinds of a scenario come one after the other, and name it once. */
            const char *scenario = block->scenario->name;
            char *names = row->scenarios[verdict];
            const size_t length = strlen(names), name = strlen(scenario);
            if (length < name || strcmp(names + length - name, scenario) != 0)
                snprintf(names + length, sizeof row->scenarios[verdict] - length, "%s%s",
                         length ? ", " : "", scenario);
        }
    }

    /* The rows of functions that no cell has are left out. */
    for (size_t i = 0; i < abi_function_count; i++)
        if (rows->rows[i].function)
            rows->rows[rows->count++] = rows->rows[i];
    for (size_t i = 0; i < rows->count; i++)
        rows->verdicts[rows->rows[i].verdict]++;
    return RP_OK;
}

void DigestRows_Free(DigestRows *rows) {
    free(rows->rows);
    rows->rows = NULL;
}
