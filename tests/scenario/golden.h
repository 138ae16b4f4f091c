/* Lists the calls in golden-1.0.rptrace: every outcome, violation, kind of input and kind of
 * reference. */
#ifndef RETROPOSE_TESTS_SCENARIO_GOLDEN_H
#define RETROPOSE_TESTS_SCENARIO_GOLDEN_H

#include "tracefile/tracefile.h"

extern const char *const golden_header[][2];
extern const size_t golden_header_count;
extern const TraceMemory golden_memories[];
extern const size_t golden_memory_count;
extern const size_t golden_call_count;

/* Returns the index-th call. Its signature is parsed into the caller's. */
TraceCall Golden_Call(size_t index, Signature *signature);

#endif
