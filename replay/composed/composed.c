#include "replay/composed/composed.h"

#include "replay/composed/kinds.h"
#include "retropose/corpus.h"

#include <string.h>

/* The least number of calls that a block makes of each kind. */
enum {
    SLERPS = 4096,
    POSES = 6144, /* together for samples, blends and skeletons */
    OBJECTS = 1024,
    QUERIES = 512,
    CALLS_OF_BLOCK = SLERPS + POSES + OBJECTS + QUERIES
};

RpStatus Composed_Run(const ComposedOptions *options, ComposedReport *report, RpError *error) {
    static const char what[] = "there is no such shard";
    Composed composed = {.report = report, .seed = options->seed};
    memset(report, 0, sizeof *report);
    if (options->shard < 1 || options->shard > options->shards)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, what, "", "", "");

    /* The models move, and are spread evenly over the corpus. */
    RpCorpus *corpus;
    RpStatus status = RpCorpus_New(NULL, NULL, &corpus, error);
    if (status)
        return status;
    for (uint32_t i = 0; i < RP_CORPUS_MODELS && status == RP_OK; i += 4) {
        const RpCorpusModel info = RpCorpus_ModelInfo(corpus, i);
        if (composed.model_count == COMPOSED_MODELS || info.animated == 0 || info.nodes > 128)
            continue;
        ComposedModel *model = &composed.models[composed.model_count++];
        RpNResArchive archive;
        RpNResArchive_Init(&archive, NULL);
        RpBuffer_Init(&model->image, NULL);
        status = RpCorpus_Model(corpus, i, &archive, error);
        if (status == RP_OK)
            status = RpNResArchive_Write(&archive, RP_NRES_CANONICAL, &model->image, error);
        if (status == RP_OK)
            status =
                RpSkeleton_FromNRes(model->image.bytes, model->image.size, &model->skeleton, error);
        RpNResArchive_Free(&archive);
    }
    RpCorpus_Free(corpus);

    if (status == RP_OK) {
        const Rounding before = Rounding_Get();
        const uint64_t blocks = (options->calls + CALLS_OF_BLOCK - 1) / CALLS_OF_BLOCK;
        Rounding_Set((Rounding){COMPOSED_GAMES_WORD, COMPOSED_STANDARD});
        for (uint64_t block = options->shard - 1; block < blocks && status == RP_OK;
             block += options->shards) {
            composed.block = block;
            composed.random = Random_Start("composed", composed.seed, block);
            Composed_Slerps(&composed, SLERPS);
            Composed_Poses(&composed, POSES);
            status = Composed_Objects(&composed, OBJECTS, QUERIES);
        }
        Rounding_Set(before);
        if (status)
            status = RpMemory_Refused(error, "objects");
    }
    for (uint32_t i = 0; i < composed.model_count; i++)
        RpBuffer_Free(&composed.models[i].image);
    return status;
}
