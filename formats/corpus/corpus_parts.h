/* Declarations that the parts of the synthetic corpus share. */
#ifndef RETROPOSE_FORMATS_CORPUS_CORPUS_PARTS_H
#define RETROPOSE_FORMATS_CORPUS_CORPUS_PARTS_H

#include "formats/corpus/plan.h"

struct RpCorpus {
    CorpusPlan plan;
    RpReadings readings;
    const RpAllocator *allocator;
};

/* Makes the model in an initialised, empty archive. */
RpStatus CorpusModel_Make(const CorpusPlan *plan, uint32_t index, const RpReadings *readings,
                          RpNResArchive *archive, RpError *error);
/* Appends the image of a model. */
RpStatus CorpusModel_Write(const RpCorpus *corpus, uint32_t index, RpBuffer *image, RpError *error);

#endif
