/* Counts what a trace contains. */
#ifndef RETROPOSE_TRACEFILE_STAT_H
#define RETROPOSE_TRACEFILE_STAT_H

#include "tracefile/select.h"
#include "tracefile/tracefile.h"

#define STAT_STATES 64 /* distinct control words that are counted separately */

typedef struct StatState {
    uint16_t control;
    uint64_t calls;
} StatState;

typedef struct Stat {
    uint64_t calls, input_bytes, output_bytes, violations;
    uint64_t outcomes[TRACE_OUTCOME_COUNT];
    uint64_t first_sequence, last_sequence;
    uint64_t *by_function; /* for each row of abi_functions */
    StatState states[STAT_STATES];
    unsigned state_count;
    uint64_t other_states; /* calls under control words for which the table has no room */
    uint32_t memories;
    uint64_t memory_bytes;
} Stat;

/* Counts the selected calls. After an error, also RP_TRUNCATED, `stat` has the calls before it. */
RpStatus Stat_Collect(TraceReader *reader, const Selection *selection, Stat *stat, RpError *error);
void Stat_Free(Stat *stat);

#endif
