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

/* A recording may end anywhere. The calls before its end count. */
static RpStatus VisitTrace(Run *run, const Native *machine, int trace, VisitCall *visit,
                           void *context, RpError *error) {
    TraceReader *reader = run->traces[trace];
    TraceCall call;
    bool found = true;
    TraceReader_Rewind(reader);
    for (uint64_t calls = 0;; calls++) {
        RpStatus status = TraceReader_Next(reader, &call, &found, error);
        if (status == RP_TRUNCATED || (!status && !found))
            return RP_OK;
        if (!status && calls % REPORT_CALLS == 0)
            Run_Progress(run, "traces", calls, TraceReader_CallCount(reader));
        Work *work = NULL;
        if (!status && call.outcome != TRACE_NOT_RUN && call.outcome != TRACE_UNSUPPORTED &&
            call.outcome != TRACE_NOT_CALLED) {
            RpBuild build = call.function->kind == ABI_SLOT ? Native_BuildOf(machine, call.function)
                                                            : Native_Build(machine);
            for (size_t i = 0; !work && i < run->count; i++)
                if (Subjects_Find(&run->works[i].subject, 1, call.function, build))
                    work = &run->works[i];
        }
        if (work)
            status = visit(run, work, &call, reader, trace, context, error);
        else
            run->skipped++;
        if (status)
            return status;
    }
}

RpStatus Run_VisitTraces(Run *run, VisitCall *visit, void *context, RpError *error) {
    Native *machine = Native_Create();
    RpStatus status = machine ? RP_OK
                              : RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE,
                                            "no memory to calibrate", "", "", "");
    run->skipped = 0;
    for (size_t i = 0; !status && i < run->options->trace_count; i++) {
        status = Native_ReadMachine(machine, TraceReader_Header(run->traces[i]), error);
        if (!status)
            status = VisitTrace(run, machine, (int)i, visit, context, error);
    }
    Native_Destroy(machine);
    return status;
}
