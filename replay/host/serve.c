#include "replay/host/serve.h"

#include "replay/host/few_bytes.h"
#include "replay/host/os.h"
#include "replay/host/parent.h"

#include <stdio.h>
#include <stdlib.h>

static RpStatus CheckSize(const char *what, size_t size, size_t found, RpError *error) {
    char numbers[2][32];
    if (size == found)
        return RP_OK;
    snprintf(numbers[0], sizeof numbers[0], "%zu bytes", size);
    snprintf(numbers[1], sizeof numbers[1], "%zu bytes", found);
    return RpError_Set(error, RP_INVALID, RP_NOWHERE, what, "", numbers[0], numbers[1]);
}

RpStatus Serve_Open(const HostChar *inputs, const HostChar *outputs, ServeFiles *files,
                    RpError *error) {
    size_t input_size = 0, output_size = 0;
    files->inputs = Os_Share(inputs, &input_size, false, error);
    files->outputs = files->inputs ? Os_Share(outputs, &output_size, true, error) : NULL;
    if (!files->outputs)
        return RP_IO;
    RpStatus status =
        CheckSize("this is no file of batches", sizeof *files->inputs, input_size, error);
    if (!status)
        status =
            CheckSize("this is no file for outcomes", sizeof *files->outputs, output_size, error);
    if (!status && files->inputs->abi != Abi_Digest())
        status = RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE, "batches of another build", "",
                             "the tables of this host", "");
    return status;
}

static RpStatus Refuse(const char *what, RpError *error) {
    return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE, what, "a batch", "", "");
}

/* ---- one record -------------------------------------------------------------------------------
 */

static RpStatus RunCall(const BatchRecord *record, Host *host, bool trust, HostProgress *progress,
                        BatchOutcome *outcome, RpError *error) {
    static TraceCall call; /* static, because what is not set here is never looked at */
    static Signature *signatures;
    const uint32_t capacity =
        record->result > BATCH_LEAST_OUTPUTS ? record->result : BATCH_LEAST_OUTPUTS;
    if (!signatures)
        signatures = calloc(abi_function_count, sizeof *signatures);
    if (!signatures || record->row >= abi_function_count)
        return Refuse("no signature", error);
    Signature *signature = &signatures[record->row];
    RpStatus status = signature->function
                          ? RP_OK
                          : Signature_Parse(&abi_functions[record->row], signature, error);
    if (status)
        return status;

    call.signature = signature;
    call.function = call.signature->function;
    call.sequence = record->sequence;
    call.control_in = record->control;
    call.mxcsr_in = record->mxcsr;
    call.inputs = (const uint8_t *)(record + 1);
    call.input_size = record->size;
    progress->sequence = call.sequence;
    progress->state = HOST_CALLING;
    status = Execute_Call(&host->executor, &call, trust, (uint8_t *)(outcome + 1), capacity, error);
    Parent_Follow(&call, host->guest.frame);
    progress->state = HOST_BETWEEN_CALLS;
    progress->finished++;
    if (status)
        return status;
    if (call.outcome == TRACE_TIMED_OUT)
        return Refuse("a call did not come to an end", error);
    if (call.violations & TRACE_OUTSIDE_WRITE)
        return Refuse("a call wrote outside of its outputs", error);
    outcome->bytes = Batch_PadTo8((uint32_t)sizeof *outcome + call.output_size);
    outcome->size = call.output_size;
    outcome->mxcsr = call.mxcsr_out;
    outcome->control = call.control_out;
    outcome->outcome = call.outcome;
    outcome->violations = call.violations;
    return RP_OK;
}

/* ---- a batch ----------------------------------------------------------------------------------
 */

RpStatus Serve_Run(const ServeFiles *files, Host *host, bool trust, HostProgress *progress,
                   RpError *error) {
    State_KeepOpen(&host->executor.states);
    Execute_DeferGuards(&host->executor);
    progress->state = HOST_BETWEEN_CALLS;
    BatchOrder order;
    while (Parent_Next(&order)) {
        const BatchPart *inputs = &files->inputs->parts[order.work & BATCH_INPUT_MASK];
        BatchPart *outputs =
            &files->outputs->parts[(order.work & BATCH_OUTPUT_MASK) >> BATCH_OUTPUT_SHIFT];
        const bool again = (order.work & BATCH_AGAIN) != 0;
        if (order.work >> BATCH_BUILD_SHIFT >= PROVIDER_SLOTS_COUNT)
            return Refuse("no such builds", error);
        RpStatus status = Batch_Check(inputs, error);
        if (!status && inputs->fresh && !again)
            Execute_Forget(&host->executor);
        if (!status)
            status = Pair_UseBuilds(&host->pair,
                                    (ProviderSlotBuild)(order.work >> BATCH_BUILD_SHIFT), error);
        if (!status) {
            const uint8_t *from = inputs->records, *end = from + inputs->bytes;
            uint8_t *to = outputs->records;
            while (!status && from < end) {
                const BatchRecord *record = (const BatchRecord *)from;
                if (record->kind == BATCH_CALL) {
                    BatchOutcome *outcome = (BatchOutcome *)to;
                    Memory_Ready(&host->executor.memory);
                    status = RunCall(record, host, trust, progress, outcome, error);
                    to += status ? 0 : outcome->bytes;
                } else if (!again) {
                    const uint8_t *bytes = (const uint8_t *)(record + 1);
                    const TraceRelocation *relocations =
                        (const TraceRelocation *)(bytes + Batch_PadTo8(record->size));
                    const TraceMemory memory = {.id = record->id,
                                                .size = record->size,
                                                .bytes = bytes,
                                                .relocation_count = record->result,
                                                .relocations = relocations};
                    Invoke_Leave(&host->guest);
                    status = Memory_Place(&host->executor.memory, &memory, error);
                }
                from += record->bytes;
            }
            Invoke_Leave(&host->guest);
            outputs->bytes = (uint32_t)(to - outputs->records);
        }
        if (!status && !State_IsClean(&host->executor.states))
            status = Refuse("a call wrote outside of what its state may change", error);
        if (!status && !Execute_GuardsHold(&host->executor))
            status = Refuse("a call wrote around its outputs", error);
        if (status)
            return status;

        if (!Parent_Answer(&order))
            return RpError_Set(error, RP_IO, RP_NOWHERE, "cannot answer an order", "", "", "");
    }
    return RP_OK; /* the other end of the pipe was closed */
}
