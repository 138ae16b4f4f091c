/* How a census is told, be it counted at once or in shards. */
#ifndef RETROPOSE_CLI_CORPUS_CENSUS_REPORT_H
#define RETROPOSE_CLI_CORPUS_CENSUS_REPORT_H

#include "formats/census/census.h"

/* What a report says beside the rows. */
typedef struct CensusRun {
    uint64_t files;
    char version[96];    /* of the program that counted */
    char processor[512]; /* on which; of shards each once, with "; " between them */
} CensusRun;
/* Says that this program counts, on this processor. */
void CensusRun_Begin(CensusRun *run);

void CensusReport_Text(const Census *census, const CensusRun *run, RpBuffer *text);
RpStatus CensusReport_Json(const Census *census, const CensusRun *run, RpBuffer *text,
                           RpError *error);
/* Returns whether a number is not as published. */
bool CensusReport_Differs(const Census *census);

#endif
