#include "replay/lift/lift_trace.h"

#include "core/bytes.h"

#include <stdlib.h>
#include <string.h>

struct LiftTrace {
    TraceWriter *writer;
    const LiftSetup *setup;
    uint64_t calls;
    uint32_t memories;
};

static RpStatus NoMemory(RpError *error) {
    return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for the calls of paths", "", "",
                       "");
}

RpStatus LiftTrace_Create(const char *path, const LiftSetup *setup, LiftTrace **result,
                          RpError *error) {
    const char *const lines[][2] = {
        {"producer", "retropose same"},
        {"slot-build", setup->build == PROVIDER_SLOTS_BY_CLASS ? "" : LiftSetup_BuildName(setup)},
        {"hypotheses", setup->readings},
        {"force-cpu", setup->force_cpu},
    };
    TraceHeader header;
    RpStatus status = RP_OK;
    *result = NULL;
    TraceHeader_Init(&header);
    for (size_t i = 0; i < sizeof lines / sizeof *lines && !status; i++)
        if (lines[i][1][0])
            status = TraceHeader_Set(&header, lines[i][0], lines[i][1], error);
    LiftTrace *trace = calloc(1, sizeof *trace);
    if (!status && !trace)
        status = NoMemory(error);
    if (!status)
        status = TraceWriter_Create(path, &header, false, &trace->writer, error);
    if (status) {
        free(trace);
        return status;
    }
    trace->setup = setup;
    *result = trace;
    return RP_OK;
}

/* Writes a piece, its reader, and the streams of its model, as three memories; in the input each
 * stream is a part of its own. `id` is that of the first memory. */
static RpStatus WritePiece(LiftTrace *trace, const LiftInput *input, uint32_t piece,
                           RpError *error) {
    enum { PIECE, READER, IMAGE, MEMORIES };
    TraceRelocation relocations[MEMORIES][LIFT_MOST_LINKS];
    TraceMemory memories[MEMORIES] = {{.id = trace->memories}};
    uint32_t image_begin = UINT32_MAX, image_end = 0;
    for (uint32_t p = piece + 2; p < input->part_count && input->parts[p].param < 0; p++) {
        const LiftPart *stream = &input->parts[p];
        if (stream->address < image_begin)
            image_begin = stream->address;
        if (stream->address + stream->size > image_end)
            image_end = stream->address + stream->size;
    }
    const uint32_t image_size = image_end > image_begin ? image_end - image_begin : 0;
    uint8_t *image = calloc(1, image_size + 1u);
    uint8_t *copies[2] = {NULL, NULL}; /* of the piece and of its reader, without their pointers */
    RpStatus status = image ? RP_OK : NoMemory(error);
    for (uint32_t p = piece; p < input->part_count && input->parts[p].param < 0 && !status; p++) {
        const LiftPart *part = &input->parts[p];
        const uint8_t *bytes = input->bytes + part->first;
        if (p - piece >= IMAGE) {
            memcpy(image + (part->address - image_begin), bytes, part->size);
            continue;
        }
        uint8_t *copy = copies[p - piece] = malloc(part->size + 1u);
        if (!copy)
            status = NoMemory(error);
        else
            memcpy(copy, bytes, part->size);
        memories[p - piece] =
            (TraceMemory){.id = trace->memories + (p - piece), .size = part->size, .bytes = copy};
    }
    memories[IMAGE] =
        (TraceMemory){.id = trace->memories + IMAGE, .size = image_size, .bytes = image};
    for (uint32_t i = 0; i < input->link_count && !status; i++) {
        const LiftLink *link = &input->links[i];
        const uint32_t from = link->part - piece;
        if (from >= IMAGE)
            continue;
        Bytes_PutU32(copies[from] + link->offset, 0);
        if (link->target >= input->part_count)
            continue; /* a null pointer */
        TraceMemory *memory = &memories[from];
        const bool is_stream = link->target - piece >= IMAGE;
        const uint32_t begin = is_stream ? input->parts[link->target].address - image_begin : 0;
        relocations[from][memory->relocation_count++] = (TraceRelocation){
            .offset = link->offset,
            .target = trace->memories + (is_stream ? (uint32_t)IMAGE : link->target - piece),
            .target_offset = begin + link->target_offset};
        memory->relocations = relocations[from];
    }

    /* A memory has to be there before the one that points into it. */
    for (int i = MEMORIES - 1; i >= 0 && !status; i--)
        if (memories[i].size > 0)
            status = TraceWriter_Memory(trace->writer, &memories[i], error);
    trace->memories += MEMORIES;
    free(copies[0]);
    free(copies[1]);
    free(image);
    return status;
}

static RpStatus WriteCall(LiftTrace *trace, const LiftInput *input, RpError *error) {
    const Signature *signature = input->signature;
    RpBuffer bytes;
    RpStatus status = RP_OK;
    RpBuffer_Init(&bytes, NULL);
    for (int i = 0; i < signature->param_count && !status; i++) {
        const SignatureParam *param = &signature->params[i];
        const LiftPart *part = &input->parts[input->arguments[i]];
        if (param->direction == SIGNATURE_OUT)
            continue;
        if (param->type == SIGNATURE_REF) {
            uint8_t reference[8] = {0};
            Bytes_PutU32(reference, trace->memories);
            RpBuffer_Append(&bytes, reference, sizeof reference);
            status = WritePiece(trace, input, input->arguments[i], error);
            continue;
        }
        uint32_t size = part->size;
        if (param->count_param >= 0) {
            const LiftPart *counter = &input->parts[input->arguments[param->count_param]];
            const uint32_t listed =
                Bytes_U32(input->bytes + counter->first) * param->count * param->element_bytes;
            size = listed < size ? listed : size;
        }
        RpBuffer_Append(&bytes, input->bytes + part->first, size);
    }
    const TraceCall call = {.function = input->function,
                            .signature = signature,
                            .sequence = trace->calls,
                            .control_in = trace->setup->control,
                            .control_out = trace->setup->control,
                            .mxcsr_in = trace->setup->mxcsr,
                            .mxcsr_out = trace->setup->mxcsr,
                            .outcome = TRACE_NOT_RUN,
                            .inputs = bytes.bytes,
                            .input_size = (uint32_t)bytes.size};
    if (!status && bytes.failed)
        status = NoMemory(error);
    if (!status)
        status = TraceWriter_Call(trace->writer, &call, error);
    trace->calls++;
    RpBuffer_Free(&bytes);
    return status;
}

RpStatus LiftTrace_Add(LiftTrace *trace, const LiftPaths *paths, const LiftSame *same,
                       RpError *error) {
    RpStatus status = RP_OK;
    for (int side = 0; side < LIFT_SIDES; side++)
        for (uint32_t i = 0; i < paths->found_count[side] && !status; i++) {
            const LiftInput *input = &paths->found[side][i].input;
            bool is_known = false;
            for (uint32_t k = 0; side > 0 && k < paths->found_count[0] && !is_known; k++) {
                const LiftInput *known = &paths->found[0][k].input;
                is_known = known->byte_count == input->byte_count &&
                           memcmp(known->bytes, input->bytes, known->byte_count) == 0;
            }
            if (!is_known)
                status = WriteCall(trace, input, error);
        }
    if (!status && same && same->has_difference && same->difference.has_witness)
        status = WriteCall(trace, &same->difference.witness, error);
    return status;
}

RpStatus LiftTrace_Close(LiftTrace *trace, RpStatus status, RpError *error) {
    if (!trace)
        return status;
    if (status)
        TraceWriter_Abandon(trace->writer);
    else
        status = TraceWriter_Close(trace->writer, error);
    free(trace);
    return status;
}
