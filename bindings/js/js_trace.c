/* Functions for traces, on top of retropose/trace.h. */
#include "bindings/js/binding.h"

#include <stdlib.h>

typedef struct JsTrace {
    JsImage *image;
    RpTrace *trace;
    RpTraceCall call; /* the call that was read last */
    bool has_call;
} JsTrace;

static const char *const outcomes[] = {"not run",   "returned",    "crashed",   "exited",
                                       "timed out", "unsupported", "not called"};

JS_EXPORT(JsTrace_Close) void JsTrace_Close(JsTrace *trace) {
    RpTrace_Close(trace->trace);
    JsImage_Release(trace->image);
    free(trace);
}

/* The next call that is read is the first one. */
JS_EXPORT(JsTrace_Rewind) RpStatus JsTrace_Rewind(JsTrace *trace) {
    RpTrace_Close(trace->trace);
    trace->has_call = false;
    return RpTrace_Open(trace->image->bytes, trace->image->size, "trace", &trace->trace, &js_error);
}

/* Opens a trace. Takes over the caller's reference to the image, even after a failure. */
JS_EXPORT(JsTrace_Open) JsTrace *JsTrace_Open(JsImage *image) {
    JsTrace *trace = calloc(1, sizeof *trace);
    if (!trace) {
        JsImage_Release(image);
        RpMemory_Refused(&js_error, "a trace");
        return NULL;
    }
    trace->image = image;
    if (JsTrace_Rewind(trace) == RP_OK)
        return trace;
    JsTrace_Close(trace);
    return NULL;
}

/* Writes whether the header has the key, and the key's value. */
JS_EXPORT(JsTrace_Header) RpStatus JsTrace_Header(const JsTrace *trace, const char *key) {
    char value[8192];
    JsResult_Begin();
    JsResult_U32(RpTrace_Header(trace->trace, key, value, sizeof value));
    JsResult_Text(value);
    return JsResult_End();
}

/* Reads the next call. Writes whether there is one, and what it was. */
JS_EXPORT(JsTrace_Next) RpStatus JsTrace_Next(JsTrace *trace) {
    const RpTraceCall *call = &trace->call;
    bool found = false;
    const RpStatus status = RpTrace_Next(trace->trace, &trace->call, &found, &js_error);
    trace->has_call = !status && found;
    JsResult_Begin();
    JsResult_U32(trace->has_call);
    if (!trace->has_call)
        return status;
    JsResult_Text(call->function);
    JsResult_F64((double)call->sequence);
    JsResult_Text((unsigned)call->outcome < sizeof outcomes / sizeof *outcomes
                      ? outcomes[call->outcome]
                      : "");
    JsResult_U32(call->control_word);
    JsResult_U32(call->control_word_after);
    JsResult_U32(call->mxcsr);
    JsResult_U32(call->mxcsr_after);
    JsResult_U32(call->violations);
    JsResult_Bytes(call->inputs, call->input_size);
    JsResult_Bytes(call->outputs, call->output_size);
    return JsResult_End();
}

/* Copies the numbers of one parameter of the call that was read last. */
JS_EXPORT(JsTrace_Numbers)
bool JsTrace_Numbers(const JsTrace *trace, const char *name, bool result, float *values,
                     uint32_t count) {
    if (!trace->has_call)
        return false;
    return result ? RpTraceCall_Result(&trace->call, name, values, count)
                  : RpTraceCall_Input(&trace->call, name, values, count);
}

/* Writes whether the call that was read last poses a node of a model and, if so, the node and the
 * model's streams. */
JS_EXPORT(JsTrace_Skeleton) RpStatus JsTrace_Skeleton(const JsTrace *trace) {
    RpSkeleton skeleton;
    uint32_t node;
    const bool found =
        trace->has_call && RpTrace_Skeleton(trace->trace, &trace->call, &skeleton, &node);
    JsResult_Begin();
    JsResult_U32(found);
    if (found) {
        JsResult_U32(node);
        JsResult_U32(skeleton.frame_count);
        JsResult_Bytes(skeleton.nodes, skeleton.node_bytes);
        JsResult_Bytes(skeleton.keys, skeleton.key_bytes);
        JsResult_Bytes(skeleton.frame_map, skeleton.frame_map_bytes);
    }
    return JsResult_End();
}
