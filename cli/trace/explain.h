/* Says, below each function's first difference, at which instruction the code of both sides parts.
 */
#ifndef RETROPOSE_CLI_TRACE_EXPLAIN_H
#define RETROPOSE_CLI_TRACE_EXPLAIN_H

#include "cli/trace/provider_pair.h"

/* Explains the first differences of a comparison whose options are from Explain_Options. Where a
 * side is no pair of DLLs, or the lifter cannot follow it, the reports say so. */
RpStatus Explain_Differences(const ProviderPair *pair, Comparison *comparison, RpError *error);
/* Adds to the options what keeps a call until it is explained. */
void Explain_Options(CompareOptions *options);

#endif
