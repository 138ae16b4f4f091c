#include "replay/provider/answerer.h"

#include "core/system.h"
#include "replay/provider/native.h"
#include "tracefile/reader.h"

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

    RpStatus status = RP_OK;
    if (provider->kind == PROVIDER_NATIVE) {
        static const Provider self = {.kind = PROVIDER_NATIVE};
        char system[128];
        Text described = Text_Begin(system, sizeof system);
        System_Describe(&described);
        Text_Append(&described, sizeof(void *) == 4 ? " (native, 32 bits)" : " (native, 64 bits)");
        answerer->native = Native_Create();
        if (!options->trust)
            answerer->refused = calloc(abi_function_count, sizeof *answerer->refused);
        if (!answerer->native || (!options->trust && !answerer->refused)) {
            Answerer_Close(answerer);
            return NoMemory(error);
        }
        for (size_t i = 0; answerer->refused && i < abi_function_count; i++)
            answerer->refused[i] = Abi_WhyTrust(&abi_functions[i]) != NULL;

        const RpEstimates estimates = options->recorded_estimates
                                          ? Provider_EstimatesIn(&answerer->header)
                                          : options->estimates;
        Native_SetEstimates(answerer->native, estimates);
        Native_SetMemory(answerer->native, answerer->calls);
        status = Native_ReadSettings(answerer->native, &answerer->header, error);
        if (!status)
            status = Provider_StateInHeader(&self, system, &answerer->header, error);
        if (!status)
            status = Provider_StateEstimates(estimates, &answerer->header, error);
    }
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

/* What makes the answers of a reader. */
typedef struct Answers {
    TraceReader *calls;
    Answerer *answerer;
    const ProviderOptions *options;
    uint32_t memories;
    uint64_t answered;
} Answers;

static RpStatus NextAnswer(void *context, TraceReader *reader, TraceCall *call, bool *found,
                           RpError *error) {
    Answers *answers = context;
    const ProviderOptions *options = answers->options;
    if (options->progress && answers->answered % REPORT_CALLS == 0)
        options->progress(options->context, answers->answered);
    RpStatus status = TraceReader_Next(answers->calls, call, found, error);
    if (status || !*found)
        return status;
    while (!status && answers->memories < TraceReader_MemoryCount(answers->calls))
        status = TraceReader_Define(
            reader, TraceReader_MemoryAt(answers->calls, answers->memories++), error);
    answers->answered++;
    return status ? status : Answerer_Call(answers->answerer, call, call, error);
}

static void Release(void *context) {
    Answers *answers = context;
    Answerer_Close(answers->answerer);
    TraceReader_Close(answers->calls);
    free(answers);
}

RpStatus Answerer_Read(const Provider *provider, const char *input, const ProviderOptions *options,
                       TraceReader **result, RpError *error) {
    Answers *answers = calloc(1, sizeof *answers);
    *result = NULL;
    if (!answers)
        return NoMemory(error);
    answers->options = options;
    RpStatus status = TraceReader_Open(input, &answers->calls, error);
    if (!status)
        status = Answerer_Open(provider, TraceReader_Header(answers->calls), answers->calls,
                               options, &answers->answerer, error);
    if (status) {
        Release(answers);
        return status;
    }
    const TraceMaker maker = {NextAnswer, Release, answers};
    return TraceReader_OpenMaker(&maker, Answerer_Header(answers->answerer), input, result, error);
}

RpStatus Answerer_Run(const Provider *provider, const char *input, const char *output,
                      const ProviderOptions *options, RpError *error) {
    TraceReader *answers;
    TraceWriter *writer = NULL;
    RpStatus status = Answerer_Read(provider, input, options, &answers, error);
    if (!status)
        status = TraceWriter_Create(output, TraceReader_Header(answers), false, &writer, error);
    if (!status)
        status = TraceWriter_Calls(writer, answers, error);
    if (status)
        TraceWriter_Abandon(writer);
    else
        status = TraceWriter_Close(writer, error);
    TraceReader_Close(answers);
    return status;
}
