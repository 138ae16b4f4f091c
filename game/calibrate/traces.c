/* Recorded traces as evidence: calls that an original has answered already. */
#include "game/calibrate/calibrate_run.h"

#include <stdlib.h>

#define REPORT_CALLS 0x4000u

RpStatus Run_OpenTraces(Run *run, RpError *error) {
    size_t count = run->options->trace_count;
    RpStatus status = RP_OK;
    run->traces = calloc(count ? count : 1, sizeof *run->traces);
    if (!run->traces)
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory to calibrate", "", "", "");
    for (size_t i = 0; !status && i < count; i++)
        status = TraceReader_Open(run->options->traces[i], &run->traces[i], error);
    return status;
}

void Run_CloseTraces(Run *run) {
    for (size_t i = 0; run->traces && i < run->options->trace_count; i++)
        TraceReader_Close(run->traces[i]);
    free(run->traces);
}

RpStatus Run_VisitTraces(Run *run, VisitCall *visit, void *context, RpError *error) {
    Native *machine = Native_Create();
    RpStatus status = machine ? RP_OK
                              : RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE,
                                            "no memory to calibrate", "", "", "");
    run->skipped = 0;
    for (size_t i = 0; !status && i < run->options->trace_count; i++) {
        TraceReader *reader = run->traces[i];
        bool found = true;
        status = Native_ReadMachine(machine, TraceReader_Header(reader), error);
        if (!status)
            TraceReader_Rewind(reader);
        for (uint64_t calls = 0; !status && found; calls++) {
            TraceCall call;
            status = TraceReader_Next(reader, &call, &found, error);
            if (status == RP_TRUNCATED) {
                /* A recording may end anywhere. The calls before its end count. */
                status = RP_OK;
                break;
            }
            if (status || !found)
                break;
            if (calls % REPORT_CALLS == 0)
                Run_Progress(run, "traces", calls, TraceReader_CallCount(reader));

            /* The function that was called, in the build that was called. */
            Work *work = NULL;
            const RpBuild build = call.function->kind == ABI_SLOT
                                      ? Native_BuildOf(machine, call.function)
                                      : Native_Build(machine);
            const bool answered = call.outcome != TRACE_NOT_RUN &&
                                  call.outcome != TRACE_UNSUPPORTED &&
                                  call.outcome != TRACE_NOT_CALLED;
            for (size_t k = 0; answered && !work && k < run->count; k++)
                if (Subjects_Find(&run->works[k].subject, 1, call.function, build))
                    work = &run->works[k];
            if (work)
                status = visit(run, work, &call, reader, (int)i, context, error);
            else
                run->skipped++;
        }
    }
    Native_Destroy(machine);
    return status;
}
