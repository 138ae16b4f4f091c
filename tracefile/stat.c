#include "tracefile/stat.h"

#include <stdlib.h>
#include <string.h>

RpStatus Stat_Collect(TraceReader *reader, const Selection *selection, Stat *stat, RpError *error) {
    TraceCall call;
    bool found = true;
    memset(stat, 0, sizeof *stat);
    stat->by_function = calloc(abi_function_count, sizeof *stat->by_function);
    if (!stat->by_function)
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory to count", "", "", "");
    RpStatus status = TraceReader_Next(reader, &call, &found, error);
    while (!status && found) {
        if (Selection_HasCall(selection, call.function, call.sequence)) {
            if (stat->calls++ == 0)
                stat->first_sequence = call.sequence;
            stat->last_sequence = call.sequence;
            stat->input_bytes += call.input_size;
            stat->output_bytes += call.output_size;
            stat->violations += call.violations != 0;
            stat->outcomes[call.outcome]++;
            stat->by_function[call.function - abi_functions]++;

            unsigned state = 0;
            while (state < stat->state_count && stat->states[state].control != call.control_in)
                state++;
            if (state < stat->state_count)
                stat->states[state].calls++;
            else if (stat->state_count < STAT_STATES)
                stat->states[stat->state_count++] = (StatState){call.control_in, 1};
            else
                stat->other_states++;
        }
        status = TraceReader_Next(reader, &call, &found, error);
    }

    stat->memories = TraceReader_MemoryCount(reader);
    for (uint32_t i = 0; i < stat->memories; i++)
        stat->memory_bytes += TraceReader_MemoryAt(reader, i)->size;

    return status;
}

void Stat_Free(Stat *stat) {
    free(stat->by_function);
    stat->by_function = NULL;
}
