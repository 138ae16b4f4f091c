#include "replay/provider/native_trace.h"

#include "core/files/output.h"
#include "replay/provider/provider.h"
#include "retropose/memory.h"
#include "tracefile/format.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define MXCSR 0x1F80u

RpStatus NativeTrace_Begin(const NativeTraceSpec *spec, NativeTrace *trace, RpError *error) {
    char digest[24];
    TraceHeader header;
    *trace = (NativeTrace){.spec = spec, .error = error};
    RpStatus status = Output_Check(spec->path, error);
    if (!status)
        status = Output_MakeScratch(trace->inputs, sizeof trace->inputs, error);
    if (status)
        return status;

    trace->signatures = calloc(spec->key_count, sizeof *trace->signatures);
    if (!trace->signatures)
        status = RpMemory_Refused(error, "a trace");
    snprintf(digest, sizeof digest, "%016" PRIx64, Abi_Digest());
    TraceHeader_Init(&header);
    if (!status)
        status = TraceHeader_Set(&header, "producer", spec->producer, error);
    if (!status)
        status = TraceHeader_Set(&header, "abi", digest, error);
    if (!status && spec->readings && spec->readings[0])
        status = TraceHeader_Set(&header, "hypotheses", spec->readings, error);
    if (!status)
        status = TraceHeader_Set(&header, "provider", "none", error);
    for (size_t i = 0; !status && i < spec->key_count; i++)
        status = Signature_Parse(Abi_Find(spec->keys[i]), &trace->signatures[i], error);
    if (!status)
        status = TraceWriter_CreateGrowing(trace->inputs, &header, &trace->writer, error);
    if (status) {
        Output_DropScratch(trace->inputs);
        free(trace->signatures);
    }
    return status;
}

RpStatus NativeTrace_Call(NativeTrace *trace, size_t key, const uint32_t *words, uint32_t count) {
    uint8_t *inputs = malloc(4 * (size_t)count);
    if (!inputs)
        return RpMemory_Refused(trace->error, "a call");
    for (uint32_t i = 0; i < count; i++)
        Bytes_PutU32(inputs + 4 * (size_t)i, words[i]);
    const TraceCall call = {.function = trace->signatures[key].function,
                            .signature = &trace->signatures[key],
                            .sequence = trace->calls++,
                            .control_in = trace->spec->control,
                            .control_out = trace->spec->control,
                            .mxcsr_in = MXCSR,
                            .mxcsr_out = MXCSR,
                            .outcome = TRACE_NOT_RUN,
                            .inputs = inputs,
                            .input_size = 4 * count};
    RpStatus status = TraceWriter_Call(trace->writer, &call, trace->error);
    free(inputs);
    return status;
}

RpStatus NativeTrace_End(NativeTrace *trace, RpStatus status) {
    static const Provider native = {.kind = PROVIDER_NATIVE};
    const ProviderOptions run = {.host = NULL};
    if (status)
        TraceWriter_Abandon(trace->writer);
    else
        status = TraceWriter_Close(trace->writer, trace->error);
    if (!status)
        status = Provider_Run(&native, trace->inputs, trace->spec->path, &run, trace->error);
    Output_DropScratch(trace->inputs);
    free(trace->signatures);
    return status;
}
