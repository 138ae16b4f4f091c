#include "replay/composed/kinds.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void Composed_Count(Composed *composed, ComposedKind kind, int path, uint64_t calls,
                    uint64_t by_core) {
    composed->report->tallies[kind][path].calls += calls;
    composed->report->tallies[kind][path].by_core += by_core;
}

void Composed_PrintWords(RpBuffer *text, const char *name, const void *words, int count) {
    const uint8_t *bytes = words;
    RpBuffer_Print(text, " %s", name);
    for (int i = 0; i < count; i++) {
        uint32_t word;
        memcpy(&word, bytes + 4 * i, sizeof word);
        RpBuffer_Print(text, "%s%08" PRIX32, i ? " " : "=", word);
    }
}

RpBuffer *Composed_Differs(Composed *composed, ComposedKind kind, int path,
                           const ComposedCall *call, RpBuffer *text) {
    char words[RP_READINGS_TEXT];
    composed->report->tallies[kind][path].different++;
    if (composed->report->first[0])
        return NULL;
    RpBuffer_Init(text, NULL);
    RpReadings_Format(&call->settings.readings, RP_READS_RUNTIME, words, sizeof words);
    RpBuffer_Print(text,
                   "%s by %s: seed %" PRIu64 " block %" PRIu64
                   " control word %04X (thread %04X) mxcsr %04X build %s readings \"%s\"",
                   ComposedKind_Name(kind), ComposedPath_Name(path), composed->seed,
                   composed->block, (unsigned)call->settings.control_word,
                   (unsigned)call->rounding.control_word, (unsigned)call->rounding.mxcsr,
                   RpBuild_Name(call->settings.build), words);
    return text;
}

void Composed_Describe(Composed *composed, RpBuffer *text) {
    snprintf(composed->report->first, sizeof composed->report->first, "%.*s", (int)text->size,
             text->size ? (const char *)text->bytes : "out of memory");
    RpBuffer_Free(text);
}
