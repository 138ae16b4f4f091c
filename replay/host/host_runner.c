#include "replay/host/host_runner.h"

#include "core/bytes.h"

#include <string.h>

static RpStatus OpenHost(HostRunner *runner, RpError *error) {
    const RpStatus status = Host_Open(&runner->host, &runner->header, runner->options, error);
    if (status || !runner->reached)
        return status;
    return Pair_NoteReached(&runner->host.pair, runner->reached, runner->reached_size, error);
}

RpStatus HostRunner_Open(HostRunner *runner, RpError *error) {
    runner->calls.last = UINT64_MAX;
    runner->header = *TraceReader_Header(runner->calls.reader);
    return OpenHost(runner, error);
}

void HostRunner_Close(HostRunner *runner) {
    Host_Close(&runner->host);
}

RpStatus HostRunner_Next(HostRunner *runner, TraceCall *call, bool *found, RpError *error) {
    runner->reason[0] = 0;
    RpStatus status = HostRun_Next(&runner->calls, &runner->host, call, found, error);
    if (status || !*found)
        return status;
    if (runner->endings == runner->most_endings) {
        TraceCall_EndWithout(call, TRACE_NOT_CALLED, NULL, 0);
        return RP_OK;
    }
    status = Execute_Call(&runner->host.executor, call, runner->trust, NULL, 0, error);
    if (status)
        return status;
    const InvokeFrame *frame = runner->host.guest.frame;
    memcpy(runner->reason, frame->reason, sizeof runner->reason);
    if (call->outcome != TRACE_EXITED && call->outcome != TRACE_TIMED_OUT)
        return RP_OK;

    /* Nobody knows what the pair was doing when the call ended, so the other calls get a fresh
     * pair. */
    Bytes_PutU32(runner->exit_code, frame->exit_code);
    TraceCall_EndWithout(call, (TraceOutcome)call->outcome, runner->exit_code,
                         call->outcome == TRACE_EXITED ? sizeof runner->exit_code : 0);
    runner->endings++;
    Host_Close(&runner->host);
    return OpenHost(runner, error);
}
