/* The public interface of traces (retropose/trace.h). It gives access to the reader, except for its
 * memories, of which it gives only the models of samples. */
#include "retropose/trace.h"

#include "core/bytes.h"
#include "tracefile/trace_piece.h"
#include "tracefile/tracefile.h"

#include <assert.h>
#include <string.h>

static_assert((int)RP_TRACE_NOT_CALLED == TRACE_NOT_CALLED &&
                  (int)RP_TRACE_NOT_CALLED == TRACE_OUTCOME_COUNT - 1,
              "the numbers of the outcomes are those of the format");

static TraceReader *ReaderOf(const RpTrace *trace) {
    return (TraceReader *)(uintptr_t)trace;
}

RpStatus RpTrace_Open(const void *bytes, size_t size, const char *name, RpTrace **trace,
                      RpError *error) {
    TraceReader *reader;
    const RpStatus status = TraceReader_OpenBuffer(bytes, size, name, &reader, error);
    *trace = (RpTrace *)reader;
    return status;
}

void RpTrace_Close(RpTrace *trace) {
    TraceReader_Close(ReaderOf(trace));
}

bool RpTrace_Header(const RpTrace *trace, const char *key, char *value, size_t size) {
    return TraceHeader_Get(TraceReader_Header(ReaderOf(trace)), key, value, size);
}

RpStatus RpTrace_Next(RpTrace *trace, RpTraceCall *call, bool *found, RpError *error) {
    TraceCall read;
    const RpStatus status = TraceReader_Next(ReaderOf(trace), &read, found, error);
    if (status || !*found) {
        *call = (RpTraceCall){.function = ""};
        return status;
    }
    *call = (RpTraceCall){
        .function = read.function->key,
        .sequence = read.sequence,
        .outcome = (RpTraceOutcome)read.outcome,
        .control_word = read.control_in,
        .control_word_after = read.control_out,
        .mxcsr = read.mxcsr_in,
        .mxcsr_after = read.mxcsr_out,
        .violations = read.violations,
        .inputs = read.inputs,
        .outputs = read.outputs,
        .input_size = read.input_size,
        .output_size = read.output_size,
        .signature = read.signature,
    };
    return status;
}

/* ---- parameters ------------------------------------------------------------------------------ */

static bool CopyFloats(const RpTraceCall *call, const char *name, bool outputs, float *values,
                       size_t count) {
    const Signature *signature = call->signature;
    SignatureMap map;
    if (!signature || !Signature_Map(signature, call->inputs, (uint32_t)call->input_size, &map))
        return false;
    for (int i = 0; i < signature->param_count; i++) {
        const SignatureParam *param = &signature->params[i];
        if (strcmp(param->name, name) != 0)
            continue;
        const uint32_t bytes = outputs ? map.output_bytes[i] : map.input_bytes[i];
        const uint32_t offset = outputs ? map.output_offset[i] : map.input_offset[i];
        if (param->type != SIGNATURE_F32 || bytes == 0 || bytes / sizeof *values != count)
            return false;
        memcpy(values, (outputs ? call->outputs : call->inputs) + offset, bytes);
        return true;
    }
    return false;
}

bool RpTraceCall_Input(const RpTraceCall *call, const char *name, float *values, size_t count) {
    return CopyFloats(call, name, false, values, count);
}

bool RpTraceCall_Result(const RpTraceCall *call, const char *name, float *values, size_t count) {
    return call->outcome == RP_TRACE_RETURNED && CopyFloats(call, name, true, values, count);
}

bool RpTrace_Skeleton(const RpTrace *trace, const RpTraceCall *call, RpSkeleton *skeleton,
                      uint32_t *node) {
    const Signature *signature = call->signature;
    SignatureMap map;
    RpSkeleton found;
    if (!signature || !Signature_Map(signature, call->inputs, (uint32_t)call->input_size, &map))
        return false;
    for (int i = 0; i < signature->param_count; i++) {
        const uint8_t *reference = call->inputs + map.input_offset[i];
        if (signature->params[i].type != SIGNATURE_REF ||
            strcmp(signature->params[i].name, "piece") != 0)
            continue;
        if (!TracePiece_Find(ReaderOf(trace), Bytes_U32(reference), Bytes_U32(reference + 4),
                             &found, node))
            return false;
        *skeleton = found;
        return true;
    }
    return false;
}
