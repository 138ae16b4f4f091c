/* Runs a trace of any bytes through the library. There is no crash and no endless call, outputs
 * have the size that the signature says, and the same call gives the same bits. */
#include "fuzz.h"
#include "replay/provider/native.h"
#include "trace_bytes.h"
#include "tracefile/format.h"

#include <stdlib.h>
#include <string.h>

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    return TraceBytes_Mutate(data, size, most, seed);
}

/* The outputs belong to the provider and are valid until its next call. */
static void CallTwice(Native *native, const TraceCall *call) {
    TraceCall first = *call, second = *call;
    if (Native_Call(native, &first, NULL))
        return;
    if (first.output_size !=
        Trace_OutputBytes(first.outcome, call->signature, call->inputs, call->input_size))
        abort();
    HEAP uint8_t *outputs = malloc(first.output_size + 1u);
    if (!outputs)
        return;
    memcpy(outputs, first.outputs, first.output_size);
    if (Native_Call(native, &second, NULL) == RP_OK &&
        (second.outcome != first.outcome || second.violations != first.violations ||
         second.control_out != first.control_out ||
         memcmp(outputs, second.outputs, first.output_size) != 0))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    TraceReader *reader;
    TraceCall call;
    bool found = true;
    if (TraceReader_OpenBuffer(data, size, "fuzz", &reader, NULL))
        return 0;
    Native *native = Native_Create();
    if (native && !Native_ReadSettings(native, TraceReader_Header(reader), NULL)) {
        Native_SetMemory(native, reader);
        while (TraceReader_Next(reader, &call, &found, NULL) == RP_OK && found)
            CallTwice(native, &call);
    }
    Native_Destroy(native);
    TraceReader_Close(reader);
    return 0;
}
