#include "replay/prove/result.h"

#include "core/text.h"
#include "ngi32/exact/arc.h"
#include "replay/provider/processor_state.h"
#include "replay/provider/provider.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#if MACHINE_HAS_X87
#include <cpuid.h>
#endif

/* ---- whose result ---------------------------------------------------------------------------- */

#if MACHINE_HAS_X87
/* Reads the processor's own name for itself, without the blanks and characters that JSON would have
 * to escape. */
static void NameProcessor(char name[49]) {
    unsigned words[12] = {0};
    size_t length = 0;
    for (unsigned i = 0; i < 3; i++)
        if (!__get_cpuid(0x80000002u + i, &words[4 * i], &words[4 * i + 1], &words[4 * i + 2],
                         &words[4 * i + 3]))
            memset(&words[4 * i], 0, 16);
    const char *text = (const char *)words;
    for (size_t i = 0; i < sizeof words && text[i]; i++) {
        const bool plain = text[i] > ' ' && text[i] <= '~' && text[i] != '"' && text[i] != '\\';
        if (plain)
            name[length++] = text[i];
        else if (length > 0 && name[length - 1] != ' ')
            name[length++] = ' ';
    }
    while (length > 0 && name[length - 1] == ' ')
        length--;
    name[length] = 0;
}
#else
static void NameProcessor(char name[49]) {
    name[0] = 0;
}
#endif

void ProveResult_Init(ProveResult *result, const ProveKernel *kernel, uint32_t shards) {
    memset(result, 0, sizeof *result);
    result->kernel = kernel;
    result->shards.of = shards;

    /* The core is described by a digest of its results, and of its tests of rounding, for some
     * thousand arguments. */
    enum { SAMPLES = 4096 };
    const double allowed[2] = {EXACT_WINDOW, EXACT_COSINE_ERROR};
    const uint64_t all = ProveKernel_Arguments(kernel);
    Digest digest;
    Digest_Begin(&digest);
    Digest_Add(&digest, allowed, sizeof allowed);
    const ProcessorState before = ProcessorState_Swap((ProcessorState){PROVE_CONTROL_WORD, 0x1F80});
    for (uint64_t i = 0; i < SAMPLES; i++) {
        ProveSample samples[PROVE_PARTS];
        kernel->evaluate(ProveKernel_Argument(kernel, i * (all / SAMPLES)), samples);
        for (int part = 0; part < PROVE_PARTS && kernel->parts[part].name; part++)
            Digest_Add(&digest, &samples[part].found, sizeof samples[part].found);
    }
    ProcessorState_Swap(before);
    Digest_End(&digest, result->core);

    Provider_Processor(result->processor, sizeof result->processor);
    NameProcessor(result->name);
    ProveTally_Init(&result->tally);
}

void ProveResult_Free(ProveResult *result) {
    ProveTally_Free(&result->tally);
}

/* ---- shards ---------------------------------------------------------------------------------- */

bool ProveResult_IsAlike(const ProveResult *a, const ProveResult *b) {
    return a->kernel == b->kernel && strcmp(a->core, b->core) == 0 &&
           strcmp(a->processor, b->processor) == 0 && strcmp(a->name, b->name) == 0;
}

RpStatus ProveResult_Merge(ProveResult *result, const ProveResult *other, RpError *error) {
    const RpStatus status = Shards_Add(&result->shards, &other->shards, result->processor, error);
    if (status)
        return status;
    return ProveTally_Add(&result->tally, &other->tally) ? RP_OK
                                                         : RpMemory_Refused(error, "a result");
}

/* ---- two processors -------------------------------------------------------------------------- */

static const ProveEntry *FindEntry(const RpBuffer *entries, uint32_t argument) {
    const ProveEntry *entry = (const ProveEntry *)(const void *)entries->bytes;
    for (size_t i = 0; i < entries->size / sizeof *entry; i++)
        if (entry[i].argument == argument)
            return &entry[i];
    return NULL;
}

/* Finds arguments that one result lists as different and the other does not list at all. In the
 * other one, the x87 gives what the core does. */
static void ContrastDifferent(const ProveResult *a, const ProveResult *b, int part, int side,
                              RpBuffer *contrasts) {
    const RpBuffer *entries = &a->tally.parts[part].different;
    const ProveEntry *entry = (const ProveEntry *)(const void *)entries->bytes;
    for (size_t i = 0; i < entries->size / sizeof *entry; i++) {
        const ProveEntry *same = FindEntry(&b->tally.parts[part].different, entry[i].argument);
        ProveContrast contrast = {.part = part, .argument = entry[i].argument};
        contrast.x87[side] = entry[i].x87;
        contrast.x87[1 - side] = same ? same->x87 : entry[i].core;
        if (contrast.x87[0] != contrast.x87[1] && (!same || side == 0))
            RpBuffer_Append(contrasts, &contrast, sizeof contrast);
    }
}

bool ProveResult_Contrast(const ProveResult *a, const ProveResult *b, RpBuffer *contrasts) {
    for (int part = 0; part < PROVE_PARTS; part++) {
        const RpBuffer *entries = &a->tally.parts[part].undecided;
        const ProveEntry *entry = (const ProveEntry *)(const void *)entries->bytes;
        for (size_t i = 0; i < entries->size / sizeof *entry; i++) {
            const ProveEntry *same = FindEntry(&b->tally.parts[part].undecided, entry[i].argument);
            const ProveContrast contrast = {
                part, entry[i].argument, {entry[i].x87, same ? same->x87 : entry[i].x87}};
            if (contrast.x87[0] != contrast.x87[1])
                RpBuffer_Append(contrasts, &contrast, sizeof contrast);
        }
        ContrastDifferent(a, b, part, 0, contrasts);
        ContrastDifferent(b, a, part, 1, contrasts);
    }
    return !contrasts->failed;
}

/* ---- the text -------------------------------------------------------------------------------- */

void ProveResult_Text(const ProveResult *result, RpBuffer *text) {
    const ProveKernel *kernel = result->kernel;
    RpBuffer_Print(text, "%s on %s%s%s%s, control word %04x\n", kernel->name, result->processor,
                   result->name[0] ? " (" : "", result->name, result->name[0] ? ")" : "",
                   (unsigned)PROVE_CONTROL_WORD);
    RpBuffer_Print(text, "  %-13s %9s  %-10s %9s %8s %10s %10s\n", "part", "largest", "at",
                   "proven", "allowed", "undecided", "different");
    for (int i = 0; i < PROVE_PARTS && kernel->parts[i].name; i++) {
        const ProvePart *part = &kernel->parts[i];
        const ProveFindings *findings = &result->tally.parts[i];
        RpBuffer_Print(text,
                       "  %-13s %9.4f  0x%08" PRIx32 " %9.2f %8.0f %10" PRIu64 " %10" PRIu64 "\n",
                       part->name, findings->largest, findings->largest_at, part->bound,
                       part->allowed, findings->undecided_count, findings->different_count);
        const ProveEntry *entry = (const ProveEntry *)(const void *)findings->different.bytes;
        for (size_t k = 0; k < findings->different.size / sizeof *entry && k < 10; k++)
            RpBuffer_Print(text,
                           "    different: %s of 0x%08" PRIx32 ": core 0x%08" PRIx32
                           ", x87 0x%08" PRIx32 "\n",
                           part->name, entry[k].argument, entry[k].core, entry[k].x87);
    }
    RpBuffer_Print(text, "%" PRIu64 " of %" PRIu64 " arguments", result->tally.arguments,
                   ProveKernel_Arguments(kernel));
    if (!Shards_AreComplete(&result->shards)) {
        RpBuffer_AppendText(text, ", shards ");
        Shards_Text(&result->shards, true, text);
    }
    RpBuffer_Print(text, ": %s\n",
                   !ProveTally_IsProof(&result->tally, kernel) ? "THE CORE IS NOT EXACT HERE"
                   : Shards_AreComplete(&result->shards)
                       ? "every rounding is right or refused"
                       : "every rounding of these is right or refused");
}
