/* Copies a trace with faults in its outcomes, so that a comparison of both has differences to
 * report:
 *
 *   faulty_trace IN OUT [KEY:EVERY:ULPS]...
 *
 * In every EVERYth call of a function, the bits of the first element that is compared grow by ULPS.
 * So do those of the last one, and those of all numbers of a matrix. */
#include "core/bytes.h"
#include "tracefile/tracefile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FAULTS = 16, MOST_OUTPUTS = 1 << 20 };

typedef struct Fault {
    char key[64];
    unsigned every, ulps, seen;
} Fault;

static Fault faults[MOST_FAULTS];
static int fault_count;
static uint8_t outputs[MOST_OUTPUTS];

static void Demand(bool good, const char *what) {
    if (!good) {
        fprintf(stderr, "faulty_trace: %s\n", what);
        exit(2);
    }
}

/* Returns whether the call gets a fault; *ulps is its size. */
static bool TakesFault(const TraceCall *call, unsigned *ulps) {
    for (int i = 0; i < fault_count; i++) {
        Fault *fault = &faults[i];
        if (strcmp(fault->key, call->function->key) == 0 && fault->seen++ % fault->every == 0) {
            *ulps = fault->ulps;
            return call->outcome == TRACE_RETURNED;
        }
    }
    return false;
}

static void Spoil(TraceCall *call, unsigned ulps) {
    SignatureElement element;
    uint32_t last = UINT32_MAX;
    memcpy(outputs, call->outputs, call->output_size);
    SignatureCursor cursor =
        Signature_OutputElements(call->signature, call->inputs, call->input_size);
    while (Signature_NextElement(&cursor, &element)) {
        if (!element.compared || element.size < 4)
            continue;
        if (last == UINT32_MAX || strstr(element.path, "]["))
            Bytes_PutU32(outputs + element.offset, Bytes_U32(outputs + element.offset) + ulps);
        last = element.offset;
    }
    if (last != UINT32_MAX && last > 0)
        Bytes_PutU32(outputs + last, Bytes_U32(outputs + last) + ulps);
    call->outputs = outputs;
}

static void CopyCalls(TraceReader *reader, TraceWriter *writer) {
    TraceCall call;
    bool found;
    uint32_t memories = 0;
    for (;;) {
        unsigned ulps = 0;
        Demand(TraceReader_Next(reader, &call, &found, NULL) == RP_OK, "a broken trace");
        for (; memories < TraceReader_MemoryCount(reader); memories++)
            Demand(TraceWriter_Memory(writer, TraceReader_MemoryAt(reader, memories), NULL) ==
                       RP_OK,
                   "cannot write a memory");
        if (!found)
            return;
        if (TakesFault(&call, &ulps))
            Spoil(&call, ulps);
        Demand(TraceWriter_Call(writer, &call, NULL) == RP_OK, "cannot write a call");
    }
}

int main(int argc, char **argv) {
    TraceReader *reader;
    TraceWriter *writer;
    Demand(argc >= 3, "usage: faulty_trace IN OUT [KEY:EVERY:ULPS]...");
    for (int i = 3; i < argc && fault_count < MOST_FAULTS; i++) {
        Fault *fault = &faults[fault_count++];
        Demand(sscanf(argv[i], "%63[^:]:%u:%u", fault->key, &fault->every, &fault->ulps) == 3 &&
                   fault->every > 0,
               "a fault is KEY:EVERY:ULPS");
    }
    Demand(TraceReader_Open(argv[1], &reader, NULL) == RP_OK, "cannot read the trace");
    Demand(TraceWriter_Create(argv[2], TraceReader_Header(reader), true, &writer, NULL) == RP_OK,
           "cannot write the trace");
    CopyCalls(reader, writer);
    Demand(TraceWriter_Close(writer, NULL) == RP_OK, "cannot end the trace");
    TraceReader_Close(reader);
    return 0;
}
