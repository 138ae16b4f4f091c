#include "replay/provider/answerer.h"

#include "core/system.h"
#include "replay/provider/native.h"

#include <stdlib.h>

#define REPORT_CALLS 0x4000u

struct Answerer {
    const TraceReader *calls;
    TraceHeader header;
    Native *native; /* null for recorded outcomes */
    /* Indexed by the row of abi_functions: the function is not called for a stranger's trace. Null
     * if the traces are trusted. */
    bool *refused;
};

static RpStatus NoMemory(RpError *error) {
    return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a run", "", "", "");
}

static RpStatus OpenNative(Answerer *answerer, const ProviderOptions *options, RpError *error) {
    static const Provider self = {.kind = PROVIDER_NATIVE};
    TraceHeader *header = &answerer->header;
    char system[128];
    Text described = Text_Begin(system, sizeof system);
    System_Describe(&described);
    Text_Append(&described, sizeof(void *) == 4 ? " (native, 32 bits)" : " (native, 64 bits)");
    answerer->native = Native_Create();
    if (!options->trust)
        answerer->refused = calloc(abi_function_count, sizeof *answerer->refused);
    if (!answerer->native || (!options->trust && !answerer->refused))
        return NoMemory(error);
    for (size_t i = 0; answerer->refused && i < abi_function_count; i++)
        answerer->refused[i] = Abi_WhyTrust(&abi_functions[i]) != NULL;

    const RpEstimates estimates =
        options->recorded_estimates ? Provider_EstimatesIn(header) : options->estimates;
    Native_SetEstimates(answerer->native, estimates);
    Native_SetMemory(answerer->native, answerer->calls);
    RpStatus status = Native_ReadSettings(answerer->native, header, error);
    if (!status)
        status = Provider_StateInHeader(&self, system, header, error);
    return status ? status : Provider_StateEstimates(estimates, header, error);
}

bool Answerer_Has(const Provider *provider) {
    return provider->kind == PROVIDER_NATIVE || provider->kind == PROVIDER_RECORDED;
}

RpStatus Answerer_Open(const Provider *provider, const TraceHeader *header,
                       const TraceReader *calls, const ProviderOptions *options, Answerer **result,
                       RpError *error) {
    Answerer *answerer = calloc(1, sizeof *answerer);
    *result = NULL;
    if (!answerer)
        return NoMemory(error);
    answerer->calls = calls;
    answerer->header = *header;
    const RpStatus status =
        provider->kind == PROVIDER_NATIVE ? OpenNative(answerer, options, error) : RP_OK;
    if (status)
        Answerer_Close(answerer);
    else
        *result = answerer;
    return status;
}

const TraceHeader *Answerer_Header(const Answerer *answerer) {
    return &answerer->header;
}

RpStatus Answerer_Call(Answerer *answerer, const TraceCall *call, TraceCall *answer,
                       RpError *error) {
    *answer = *call;
    if (!answerer->native && call->outcome == TRACE_NOT_RUN)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the trace has no recorded outcomes",
                           TraceReader_Name(answerer->calls), "a trace that a provider wrote",
                           "calls that were not run");
    if (!answerer->native)
        return RP_OK;
    const RpStatus status = Native_Call(answerer->native, answer, error);
    if (status)
        return status;
    /* A function that is not called for a stranger's trace gets the outcome that a pair of DLLs
     * gives it. The library has no such function itself. */
    if (answerer->refused && answerer->refused[call->function - abi_functions]) {
        answer->outcome = TRACE_NOT_CALLED;
        answer->output_size = 0;
    }
    return answer->outcome == TRACE_RETURNED
               ? Signature_CheckOutputs(answer->signature, answer->inputs, answer->input_size,
                                        answer->outputs, error)
               : RP_OK;
}

void Answerer_Close(Answerer *answerer) {
    if (!answerer)
        return;
    Native_Destroy(answerer->native);
    free(answerer->refused);
    free(answerer);
}

/* ---- whole traces ----------------------------------------------------------------------------
 */

static RpStatus RunCalls(Answerer *answerer, TraceReader *reader, TraceWriter *writer,
                         const ProviderOptions *options, RpError *error) {
    RpStatus status = RP_OK;
    uint32_t memories = 0;
    for (uint64_t calls = 0; !status; calls++) {
        TraceCall call, answer;
        bool more = false;
        if (options->progress && calls % REPORT_CALLS == 0)
            options->progress(options->context, calls);
        status = TraceReader_Next(reader, &call, &more, error);
        if (status || !more)
            break;
        while (!status && memories < TraceReader_MemoryCount(reader))
            status = TraceWriter_Memory(writer, TraceReader_MemoryAt(reader, memories++), error);
        if (!status)
            status = Answerer_Call(answerer, &call, &answer, error);
        if (!status)
            status = TraceWriter_Call(writer, &answer, error);
    }
    return status;
}

RpStatus Answerer_Run(const Provider *provider, const char *input, const char *output,
                      const ProviderOptions *options, RpError *error) {
    TraceReader *reader = NULL;
    Answerer *answerer = NULL;
    TraceWriter *writer = NULL;
    RpStatus status = TraceReader_Open(input, &reader, error);
    if (!status)
        status =
            Answerer_Open(provider, TraceReader_Header(reader), reader, options, &answerer, error);
    if (!status)
        status = TraceWriter_Create(output, Answerer_Header(answerer), false, &writer, error);
    if (!status)
        status = RunCalls(answerer, reader, writer, options, error);
    if (status)
        TraceWriter_Abandon(writer);
    else
        status = TraceWriter_Close(writer, error);
    Answerer_Close(answerer);
    TraceReader_Close(reader);
    return status;
}
