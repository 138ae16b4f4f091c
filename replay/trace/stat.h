/* What a trace holds, counted. */
#ifndef RETROPOSE_REPLAY_TRACE_STAT_H
#define RETROPOSE_REPLAY_TRACE_STAT_H

#include "replay/trace/select.h"
#include "replay/trace/trace.h"

#define STAT_STATES 64 /* distinct control words that are told apart */

typedef struct StatState {
    uint16_t control;
    uint64_t calls;
} StatState;

typedef struct Stat {
    uint64_t calls, input_bytes, output_bytes, violations;
    uint64_t outcomes[TRACE_OUTCOME_COUNT];
    uint64_t first_sequence, last_sequence;
    uint64_t *by_function; /* by row of abi_functions */
    StatState states[STAT_STATES];
    unsigned state_count;
    uint64_t other_states; /* calls under control words past the table */
    uint32_t memories;
    uint64_t memory_bytes;
} Stat;

/* Counts the selected calls. After RP_TRUNCATED and other errors `stat` holds what came before. */
RpStatus Stat_Collect(TraceReader *reader, const Selection *selection, Stat *stat, RpError *error);
void Stat_Free(Stat *stat);

#endif
