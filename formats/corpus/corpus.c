#include "formats/corpus/corpus_parts.h"
#include "ngi32/processor/modes.h"

#include <stdio.h>
#include <string.h>

RpCorpusOptions RpCorpusOptions_Default(void) {
    return (RpCorpusOptions){.seed = 1};
}

RpStatus RpCorpus_New(const RpCorpusOptions *options, const RpAllocator *allocator,
                      RpCorpus **corpus, RpError *error) {
    MODES_OF_C();
    const RpCorpusOptions used = options ? *options : RpCorpusOptions_Default();

    /* A choice that does not exist has no name, so parsing refuses it. */
    const RpReadings *readings = &used.readings;
    char text[RP_READINGS_TEXT];
    RpReadings parsed;
    RpReadings_Format(readings, RP_READS_FILES, text, sizeof text);
    RpStatus status = RpReadings_Parse(&parsed, RP_READS_FILES, text, error);
    if (status)
        return status;
    RpCorpus *made = RpMemory_Resize(allocator, NULL, sizeof *made);
    if (!made)
        return RpMemory_Refused(error, "the plan of the corpus");
    memset(made, 0, sizeof *made);
    made->readings = used.readings;
    made->allocator = allocator;
    status = CorpusPlan_Make(&made->plan, used.seed, allocator, error);
    if (status)
        RpCorpus_Free(made);
    else
        *corpus = made;
    return status;
}

void RpCorpus_Free(RpCorpus *corpus) {
    if (corpus)
        RpMemory_Free(corpus->allocator, corpus);
}

/* ---- models ---------------------------------------------------------------------------------- */

RpCorpusModel RpCorpus_ModelInfo(const RpCorpus *corpus, uint32_t index) {
    const PlannedModel *model = &corpus->plan.models[index];
    return (RpCorpusModel){.name = model->name,
                           .library = CorpusFamily_Library(model->family),
                           .nodes = model->node_count,
                           .animated = model->animated,
                           .frames = model->frames,
                           .keys = model->keys,
                           .slots = model->slot_count,
                           .batches = model->batch_count,
                           .triangles = model->triangles,
                           .lit = model->lit,
                           .paths = model->paths,
                           .expected = model->expected};
}

int32_t RpCorpus_FindModel(const RpCorpus *corpus, const char *name) {
    for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++)
        if (RpNRes_CompareName(corpus->plan.models[i].name, name) == 0)
            return (int32_t)i;
    return -1;
}

RpStatus RpCorpus_Model(const RpCorpus *corpus, uint32_t index, RpNResArchive *archive,
                        RpError *error) {
    MODES_OF_C();
    if (index >= RP_CORPUS_MODELS)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "there is no such model in the corpus",
                           "", "0 to 434", "");
    return CorpusModel_Make(&corpus->plan, index, &corpus->readings, archive, error);
}

RpStatus CorpusModel_Write(const RpCorpus *corpus, uint32_t index, RpBuffer *image,
                           RpError *error) {
    RpNResArchive archive;
    RpNResArchive_Init(&archive, corpus->allocator);
    RpStatus status = RpCorpus_Model(corpus, index, &archive, error);
    if (!status)
        status = RpNResArchive_Write(&archive, RP_NRES_CANONICAL, image, error);
    RpNResArchive_Free(&archive);
    return status;
}

uint32_t RpCorpus_Benchmark(void) {
    return CorpusPlan_Largest();
}
