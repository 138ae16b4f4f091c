/* The recorded provider, whose outcomes are those that the trace holds already, no matter who made
 * them. */
#include "replay/provider/in_process.h"

RpStatus Provider_RunRecorded(const char *input, const char *output, RpError *error) {
    TraceReader *reader = NULL;
    TraceWriter *writer = NULL;
    RpStatus status = TraceReader_Open(input, &reader, error);
    if (!status)
        status = TraceWriter_Create(output, TraceReader_Header(reader), false, &writer, error);
    uint32_t memories = 0;
    for (bool more = true; !status && more;) {
        TraceCall call;
        more = false;
        status = TraceReader_Next(reader, &call, &more, error);
        if (status || !more)
            break;
        if (call.outcome == TRACE_NOT_RUN)
            status =
                RpError_Set(error, RP_INVALID, RP_NOWHERE, "the trace has no recorded outcomes",
                            input, "a trace that a provider wrote", "calls that were not run");
        while (!status && memories < TraceReader_MemoryCount(reader))
            status = TraceWriter_Memory(writer, TraceReader_MemoryAt(reader, memories++), error);
        if (!status)
            status = TraceWriter_Call(writer, &call, error);
    }
    TraceReader_Close(reader);
    if (!writer)
        return status;
    if (!status)
        return TraceWriter_Close(writer, error);
    TraceWriter_Abandon(writer);
    return status;
}
