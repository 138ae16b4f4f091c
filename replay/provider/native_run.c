/* Runs whole traces through the library of this process. Builds without files (WebAssembly) leave
 * this out. */
#include "replay/provider/in_process.h"

#include "core/system.h"
#include "replay/provider/native.h"

#define REPORT_CALLS 0x4000u

static RpStatus RunCalls(Native *native, TraceReader *reader, TraceWriter *writer,
                         const ProviderOptions *options, RpError *error) {
    RpStatus status = RP_OK;
    uint32_t memories = 0;
    for (uint64_t calls = 0; !status; calls++) {
        TraceCall call;
        bool more = false;
        if (options->progress && calls % REPORT_CALLS == 0)
            options->progress(options->context, calls);
        status = TraceReader_Next(reader, &call, &more, error);
        if (status || !more)
            break;
        while (!status && memories < TraceReader_MemoryCount(reader))
            status = TraceWriter_Memory(writer, TraceReader_MemoryAt(reader, memories++), error);
        if (!status)
            status = Native_Call(native, &call, error);
        /* A function that is not called for a stranger's trace gets the outcome that a pair of DLLs
         * gives it. The library has no such function itself. */
        if (!options->trust && Abi_WhyTrust(call.function)) {
            call.outcome = TRACE_NOT_CALLED;
            call.output_size = 0;
        }
        if (!status)
            status = TraceWriter_Call(writer, &call, error);
    }
    return status;
}

static RpStatus RunTrace(Native *native, TraceReader *reader, const char *output,
                         const ProviderOptions *options, RpError *error) {
    static const Provider self = {.kind = PROVIDER_NATIVE};
    TraceHeader header = *TraceReader_Header(reader);
    TraceWriter *writer;
    char system[128];
    Text described = Text_Begin(system, sizeof system);
    System_Describe(&described);
    Text_Append(&described, sizeof(void *) == 4 ? " (native, 32 bits)" : " (native, 64 bits)");
    const RpEstimates estimates =
        options->recorded_estimates ? Provider_EstimatesIn(&header) : options->estimates;
    Native_SetEstimates(native, estimates);
    RpStatus status = Native_ReadSettings(native, &header, error);
    if (!status)
        status = Provider_StateInHeader(&self, system, &header, error);
    if (!status)
        status = Provider_StateEstimates(estimates, &header, error);
    if (!status)
        status = TraceWriter_Create(output, &header, false, &writer, error);
    if (status)
        return status;
    Native_SetMemory(native, reader);
    status = RunCalls(native, reader, writer, options, error);
    if (!status)
        return TraceWriter_Close(writer, error);
    TraceWriter_Abandon(writer);
    return status;
}

RpStatus Provider_RunNative(const char *input, const char *output, const ProviderOptions *options,
                            RpError *error) {
    TraceReader *reader = NULL;
    Native *native = Native_Create();
    if (!native)
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a run", "", "", "");
    RpStatus status = TraceReader_Open(input, &reader, error);
    if (!status)
        status = RunTrace(native, reader, output, options, error);
    TraceReader_Close(reader);
    Native_Destroy(native);
    return status;
}
