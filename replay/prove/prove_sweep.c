#include "replay/prove/prove_sweep.h"

#include "core/text/shards.h"
#include "replay/process/thread.h"
#include "replay/provider/processor_state.h"

#include <stdlib.h>
#include <string.h>

/* ---- what was found -------------------------------------------------------------------------- */

void ProveTally_Init(ProveTally *tally) {
    memset(tally, 0, sizeof *tally);
    for (int i = 0; i < PROVE_PARTS; i++) {
        RpBuffer_Init(&tally->parts[i].undecided, NULL);
        RpBuffer_Init(&tally->parts[i].different, NULL);
    }
}

void ProveTally_Free(ProveTally *tally) {
    for (int i = 0; i < PROVE_PARTS; i++) {
        RpBuffer_Free(&tally->parts[i].undecided);
        RpBuffer_Free(&tally->parts[i].different);
    }
}

static int CompareEntries(const void *a, const void *b) {
    const ProveEntry *one = a, *other = b;
    return (one->argument > other->argument) - (one->argument < other->argument);
}

static bool AddEntries(RpBuffer *to, const RpBuffer *from) {
    if (from->size == 0)
        return true;
    if (!RpBuffer_Append(to, from->bytes, from->size))
        return false;
    qsort(to->bytes, to->size / sizeof(ProveEntry), sizeof(ProveEntry), CompareEntries);
    return true;
}

/* Keeps the largest error. If several arguments have the same error, the least argument is kept, so
 * that the order does not matter. A NaN counts as the largest error. */
static void KeepLargest(ProveFindings *findings, double error, uint32_t argument) {
    const bool above = !(error <= findings->largest);
    if (above || (error == findings->largest && argument < findings->largest_at)) {
        findings->largest = error;
        findings->largest_at = argument;
    }
}

bool ProveTally_Add(ProveTally *tally, const ProveTally *other) {
    bool good = true;
    for (int i = 0; i < PROVE_PARTS; i++) {
        ProveFindings *to = &tally->parts[i];
        const ProveFindings *from = &other->parts[i];
        if (tally->arguments == 0) {
            to->largest = from->largest;
            to->largest_at = from->largest_at;
        } else if (other->arguments > 0) {
            KeepLargest(to, from->largest, from->largest_at);
        }
        to->undecided_count += from->undecided_count;
        to->different_count += from->different_count;
        good = AddEntries(&to->undecided, &from->undecided) &&
               AddEntries(&to->different, &from->different) && good;
    }
    tally->arguments += other->arguments;
    return good;
}

bool ProveTally_IsProof(const ProveTally *tally, const ProveKernel *kernel) {
    bool proof = true;
    for (int i = 0; i < PROVE_PARTS && kernel->parts[i].name; i++)
        proof &= tally->parts[i].largest <= kernel->parts[i].bound &&
                 tally->parts[i].different_count == 0;
    return proof;
}

/* ---- one block ------------------------------------------------------------------------------- */

static uint32_t BitsOf(const float *number) {
    uint32_t bits;
    memcpy(&bits, number, sizeof bits);
    return bits;
}

static void Keep(RpBuffer *entries, uint32_t argument, const ProveSample *sample) {
    const ProveEntry entry = {argument, BitsOf(&sample->core), BitsOf(&sample->x87)};
    RpBuffer_Append(entries, &entry, sizeof entry);
}

bool Sweep_Block(const ProveKernel *kernel, uint64_t first, uint64_t count, uint64_t step,
                 ProveTally *tally) {
    unsigned kept[PROVE_PARTS][2] = {{0}};
    const ProcessorState before = ProcessorState_Swap((ProcessorState){PROVE_CONTROL_WORD, 0x1F80});
    for (uint64_t index = first; index < first + count; index += step) {
        ProveSample samples[PROVE_PARTS];
        const uint32_t argument = ProveKernel_Argument(kernel, index);
        kernel->evaluate(argument, samples);
        for (int i = 0; i < PROVE_PARTS && kernel->parts[i].name; i++) {
            ProveFindings *findings = &tally->parts[i];
            const ProveSample *sample = &samples[i];
            if (tally->arguments == 0)
                findings->largest_at = argument;
            KeepLargest(findings, sample->error, argument);
            if (!sample->decided) {
                findings->undecided_count++;
                if (kept[i][0]++ < PROVE_KEPT)
                    Keep(&findings->undecided, argument, sample);
            } else if (BitsOf(&sample->core) != BitsOf(&sample->x87)) {
                findings->different_count++;
                if (kept[i][1]++ < PROVE_KEPT)
                    Keep(&findings->different, argument, sample);
            }
        }
        tally->arguments++;
    }
    ProcessorState_Swap(before);
    bool good = true;
    for (int i = 0; i < PROVE_PARTS; i++)
        good &= !tally->parts[i].undecided.failed && !tally->parts[i].different.failed;
    return good;
}

bool Sweep_Sample(const ProveKernel *kernel, uint64_t step, ProveTally *tally) {
    const uint64_t all = ProveKernel_Arguments(kernel), most = PROVE_BLOCK * step;
    bool good = true;
    for (uint64_t first = 0; first < all && good; first += most)
        good = Sweep_Block(kernel, first, all - first < most ? all - first : most, step, tally);
    return good;
}

/* ---- one shard, in several threads ----------------------------------------------------------- */

typedef struct Sweep {
    const SweepOptions *options;
    ProveTally *tally;
    Mutex mutex;
    uint64_t next, end, done, total; /* counted in arguments */
    bool failed;
} Sweep;

/* Runs one job, which evaluates a few blocks at a time and hands in what it found after each
 * time. */
static void RunJob(void *context) {
    Sweep *sweep = context;
    const SweepOptions *options = sweep->options;
    for (;;) {
        ProveTally tally;
        Mutex_Lock(&sweep->mutex);
        const uint64_t first = sweep->next, left = sweep->end - first;
        const uint64_t count = left < PROVE_BLOCK ? left : PROVE_BLOCK;
        sweep->next += count;
        const bool over = count == 0 || sweep->failed;
        Mutex_Unlock(&sweep->mutex);
        if (over)
            return;
        ProveTally_Init(&tally);
        const bool good = Sweep_Block(options->kernel, first, count, 1, &tally);
        Mutex_Lock(&sweep->mutex);
        sweep->failed |= !ProveTally_Add(sweep->tally, &tally) || !good;
        sweep->done += count;
        if (options->progress)
            options->progress(options->context, sweep->done, sweep->total);
        Mutex_Unlock(&sweep->mutex);
        ProveTally_Free(&tally);
    }
}

uint64_t Sweep_Edge(const ProveKernel *kernel, uint32_t shard, uint32_t of) {
    const uint64_t all = ProveKernel_Arguments(kernel);
    const uint64_t blocks = (all + PROVE_BLOCK - 1) / PROVE_BLOCK,
                   edge = Shard_Edge(blocks, shard, of);
    return edge * PROVE_BLOCK < all ? edge * PROVE_BLOCK : all;
}

RpStatus Sweep_Run(const SweepOptions *options, ProveTally *tally, RpError *error) {
    Sweep sweep = {.options = options,
                   .tally = tally,
                   .next = Sweep_Edge(options->kernel, options->shard - 1, options->of),
                   .end = Sweep_Edge(options->kernel, options->shard, options->of)};
    unsigned started = 0;
    sweep.total = sweep.end - sweep.next;
#if MACHINE_HAS_X87
    if (!__builtin_cpu_supports("sse2"))
        return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE, "the exact core needs SSE2", "",
                           "a processor with SSE2", "one without");
#else
    if (RpFpu_IsIdeal())
        return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE,
                           "what is proven is how the exact core compares with an x87", "",
                           "a processor with an x87", "software arithmetic");
#endif
    Thread *threads = calloc(options->jobs, sizeof *threads);
    Mutex_Init(&sweep.mutex);
    while (threads && started < options->jobs && Thread_Start(&threads[started], RunJob, &sweep))
        started++;
    for (unsigned i = 0; i < started; i++)
        Thread_Join(threads[i]);
    Mutex_Destroy(&sweep.mutex);
    free(threads);
    return started == 0 || sweep.failed ? RpMemory_Refused(error, "a sweep") : RP_OK;
}
