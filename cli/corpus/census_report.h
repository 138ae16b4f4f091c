/* How a census is told, be it counted at once or in shards. */
#ifndef RETROPOSE_CLI_CORPUS_CENSUS_REPORT_H
#define RETROPOSE_CLI_CORPUS_CENSUS_REPORT_H

#include "formats/census/census.h"

void CensusReport_Text(const Census *census, uint64_t files, RpBuffer *text);
RpStatus CensusReport_Json(const Census *census, uint64_t files, RpBuffer *text, RpError *error);
/* Returns whether a number is not as published. */
bool CensusReport_Differs(const Census *census);

#endif
