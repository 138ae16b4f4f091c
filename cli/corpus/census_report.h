/* Reports on a census, whether it was counted in one run or in shards. */
#ifndef RETROPOSE_CLI_CORPUS_CENSUS_REPORT_H
#define RETROPOSE_CLI_CORPUS_CENSUS_REPORT_H

#include "formats/census/census.h"

/* The circumstances that a report states beside the counts. */
typedef struct CensusRun {
    uint64_t files;
    char version[96];    /* version of the program that counted */
    char processor[512]; /* on which; of shards each once, with "; " between them */
} CensusRun;
/* Sets version and processor to those of this program and machine. */
void CensusRun_Begin(CensusRun *run);

void CensusReport_Text(const Census *census, const CensusRun *run, RpBuffer *text);
RpStatus CensusReport_Json(const Census *census, const CensusRun *run, RpBuffer *text,
                           RpError *error);
/* Returns whether a number is not as published. */
bool CensusReport_Differs(const Census *census);

#endif
