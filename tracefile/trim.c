#include "tracefile/trim.h"

#include "tracefile/format.h"

#include <stdlib.h>

struct TraceCopy {
    const TraceReader *reader;
    TraceWriter *writer;
    TraceIds written;
    const TraceMemory **stack; /* memories whose targets still have to be written */
    size_t stack_size;
};

static RpStatus NoMemory(RpError *error) {
    return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a trace", "", "", "");
}

RpStatus TraceCopy_Create(const char *path, const TraceReader *reader, bool compress,
                          TraceCopy **result, RpError *error) {
    return TraceCopy_CreateAs(path, TraceReader_Header(reader), reader, compress, result, error);
}

RpStatus TraceCopy_CreateAs(const char *path, const TraceHeader *header, const TraceReader *reader,
                            bool compress, TraceCopy **result, RpError *error) {
    *result = NULL;
    TraceCopy *copy = calloc(1, sizeof *copy);
    if (!copy)
        return NoMemory(error);
    copy->reader = reader;
    RpStatus status = TraceWriter_Create(path, header, compress, &copy->writer, error);
    if (status)
        free(copy);
    else
        *result = copy;
    return status;
}

/* Writes a memory unless it has been written. A new one is put on `stack`. */
static RpStatus WriteMemory(TraceCopy *copy, uint32_t id, size_t *depth, RpError *error) {
    uint32_t index;
    const TraceMemory *memory = TraceReader_Memory(copy->reader, id);
    if (!memory || TraceIds_Find(&copy->written, id, &index))
        return RP_OK;
    if (*depth == copy->stack_size) {
        size_t size = copy->stack_size * 2 + 64;
        const TraceMemory **stack = realloc(copy->stack, size * sizeof *stack);
        if (!stack)
            return NoMemory(error);
        copy->stack = stack;
        copy->stack_size = size;
    }
    if (TraceIds_Add(&copy->written, id, copy->written.count))
        return NoMemory(error);
    copy->stack[(*depth)++] = memory;
    return TraceWriter_Memory(copy->writer, memory, error);
}

static RpStatus WriteReference(void *context, uint32_t id, uint32_t offset, RpError *error) {
    (void)offset;

    TraceCopy *copy = context;
    size_t depth = 0;
    RpStatus status = WriteMemory(copy, id, &depth, error);
    while (depth > 0 && !status) {
        const TraceMemory *memory = copy->stack[--depth];
        for (uint32_t i = 0; i < memory->relocation_count && !status; i++)
            status = WriteMemory(copy, memory->relocations[i].target, &depth, error);
    }
    return status;
}

RpStatus TraceCopy_Call(TraceCopy *copy, const TraceCall *call, RpError *error) {
    RpStatus status = Trace_VisitReferences(call, false, WriteReference, copy, error);
    if (!status && call->outcome == TRACE_RETURNED)
        status = Trace_VisitReferences(call, true, WriteReference, copy, error);
    return status ? status : TraceWriter_Call(copy->writer, call, error);
}

static void FreeCopy(TraceCopy *copy) {
    TraceIds_Free(&copy->written);
    free(copy->stack);
    free(copy);
}

RpStatus TraceCopy_Close(TraceCopy *copy, RpError *error) {
    if (!copy)
        return RP_OK;
    RpStatus status = TraceWriter_Close(copy->writer, error);
    FreeCopy(copy);
    return status;
}

void TraceCopy_Abandon(TraceCopy *copy) {
    if (!copy)
        return;
    TraceWriter_Abandon(copy->writer);
    FreeCopy(copy);
}

RpStatus Trim_Calls(TraceReader *input, const char *output, const Selection *selection, bool strip,
                    bool compress, uint64_t *calls, RpError *cut, RpError *error) {
    TraceCopy *copy = NULL;
    RpError stopped = {.status = RP_OK};
    *calls = 0;
    if (cut)
        *cut = stopped;
    RpStatus status = TraceCopy_Create(output, input, compress, &copy, error);
    for (bool found = true; !status && found;) {
        TraceCall call;
        status = TraceReader_Next(input, &call, &found, &stopped);
        if (status || !found || !Selection_HasCall(selection, call.function, call.sequence))
            continue;
        if (strip) {
            call.outcome = TRACE_NOT_RUN;
            call.violations = 0;
            call.control_out = 0;
            call.mxcsr_out = 0;
            call.output_size = 0;
        }
        status = TraceCopy_Call(copy, &call, &stopped);
        *calls += status == RP_OK;
    }
    if (stopped.status && error)
        *error = stopped;
    if (cut && status == RP_TRUNCATED && *calls > 0) {
        *cut = stopped;
        status = RP_OK;
    }
    if (!status && *calls == 0)
        status = RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "the selection has no call",
                             TraceReader_Name(input), "at least one call", "");
    if (status)
        TraceCopy_Abandon(copy);
    else
        status = TraceCopy_Close(copy, error);
    return status;
}

RpStatus Trim_Trace(const char *input, const char *output, const Selection *selection, bool strip,
                    bool compress, uint64_t *calls, RpError *cut, RpError *error) {
    TraceReader *reader;
    *calls = 0;
    if (cut)
        *cut = (RpError){.status = RP_OK};
    RpStatus status = TraceReader_Open(input, &reader, error);
    if (!status)
        status = Trim_Calls(reader, output, selection, strip, compress, calls, cut, error);
    TraceReader_Close(reader);
    return status;
}
