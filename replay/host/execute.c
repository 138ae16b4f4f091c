#include "replay/host/execute.h"

#include "core/bytes.h"
#include "replay/host/few_bytes.h"

#include <stdlib.h>
#include <string.h>

#define ROOM        0x400000u /* bytes for the buffers of one call */
#define GUARD       64u       /* bytes in front of, between and behind the buffers */
#define PLAIN_ROOM  0x100000u
#define GUARD_BYTE  0xC3
#define UNSET_BYTE  0xA5 /* what outputs hold before the call (docs/formats/trace.md) */
#define STRUCT_BYTE 1u   /* bytes of an element of a u8 field */

#define FLAG_DIRECTION 0x400u
#define MXCSR_RESERVED 0xFFFF0000u

RpStatus Execute_Begin(Executor *executor, Pair *pair, RpError *error) {
    Guest *guest = pair->guest;
    *executor = (Executor){.pair = pair, .frame = guest->frame};
    Memory_Begin(&executor->memory, guest);
    executor->states.memory = &executor->memory;
    executor->nresfiles.memory = &executor->memory;
    executor->room_address = Guest_Reserve(guest, ROOM);
    executor->plain_address = Guest_Reserve(guest, PLAIN_ROOM);
    if (executor->room_address && Guest_Commit(guest, executor->room_address, ROOM))
        executor->room = Guest_At(guest, executor->room_address);
    if (executor->plain_address && Guest_Commit(guest, executor->plain_address, PLAIN_ROOM))
        executor->plain_room = Guest_At(guest, executor->plain_address);
    executor->before = malloc(ROOM);
    executor->own_outputs = malloc(ROOM);
    executor->plans = calloc(abi_function_count, sizeof *executor->plans);
    if (executor->room && executor->plain_room && executor->before && executor->own_outputs &&
        executor->plans)
        return RP_OK;
    return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for calls", "", "", "");
}

void Execute_End(Executor *executor) {
    State_Free(&executor->states);
    NResFile_Free(&executor->nresfiles);
    Memory_Free(&executor->memory);
    free(executor->before);
    free(executor->own_outputs);
    free(executor->plans);
}

void Execute_Forget(Executor *executor) {
    State_Forget(&executor->states);
    NResFile_Forget(&executor->nresfiles);
    Memory_Forget(&executor->memory);
}

static uint32_t AddressOf(Executor *executor, const uint8_t *reference) {
    return Memory_Address(&executor->memory, Bytes_U32(reference), Bytes_U32(reference + 4));
}

static void PutReference(Executor *executor, uint8_t *reference, uint32_t address) {
    uint32_t id, offset;
    Memory_Canonical(&executor->memory, address, &id, &offset);
    Bytes_PutU32(reference, id);
    Bytes_PutU32(reference + 4, offset);
}

/* ---- layouts: the trace's run of fields <-> the record in memory -------------------------------
 */

/* Compares the first two letters only. They tell all types of fields apart, and this is asked
 * several times for each record. */
static bool IsType(const AbiField *field, const char *type) {
    return field->type[0] == type[0] && field->type[1] == type[1];
}

static uint32_t FieldDataBytes(const AbiField *field) {
    if (IsType(field, "u8"))
        return (field->count * STRUCT_BYTE + 3) & ~3u;
    return field->count * (IsType(field, "ref") ? 8u : 4u);
}

static void UnpackStruct(Executor *executor, const AbiStruct *layout, const uint8_t *data,
                         uint8_t *record) {
    memset(record, 0, layout->size);
    for (size_t i = 0; i < layout->field_count; i++) {
        const AbiField *field = &layout->fields[i];
        uint8_t *bytes = record + field->offset;
        if (IsType(field, "ref"))
            for (uint32_t k = 0; k < field->count; k++)
                Bytes_PutU32(bytes + 4 * k, AddressOf(executor, data + 8 * k));
        else
            memcpy(bytes, data, field->count * (IsType(field, "u8") ? STRUCT_BYTE : 4u));
        data += FieldDataBytes(field);
    }
}

static void PackStruct(Executor *executor, const AbiStruct *layout, const uint8_t *record,
                       uint8_t *data) {
    for (size_t i = 0; i < layout->field_count; i++) {
        const AbiField *field = &layout->fields[i];
        const uint8_t *bytes = record + field->offset;
        memset(data, 0, FieldDataBytes(field));
        if (IsType(field, "ref"))
            for (uint32_t k = 0; k < field->count; k++)
                PutReference(executor, data + 8 * k, Bytes_U32(bytes + 4 * k));
        else if (!IsType(field, "any"))
            memcpy(data, bytes, field->count * (IsType(field, "u8") ? STRUCT_BYTE : 4u));
        data += FieldDataBytes(field);
    }
}

static void Pack(Executor *executor, const SignatureParam *param, const Buffer *buffer,
                 uint8_t *data) {
    const uint8_t *bytes = executor->room + buffer->offset;
    uint32_t elements = param->element_bytes ? buffer->data_bytes / param->element_bytes : 0;
    switch (param->type) {
    case SIGNATURE_REF:
        for (uint32_t i = 0; i < elements; i++)
            PutReference(executor, data + 8 * i, Bytes_U32(bytes + 4 * i));
        break;
    case SIGNATURE_STRUCT:
        for (uint32_t i = 0; i < elements; i++)
            PackStruct(executor, param->layout, bytes + i * param->layout->size,
                       data + i * param->element_bytes);
        break;
    case SIGNATURE_ANY:
        memset(data, 0, buffer->data_bytes);
        break;
    default:
        HostBytes_Copy(data, bytes, buffer->bytes);
    }
}

/* ---- before the call ---------------------------------------------------------------------------
 */

static bool IsOutput(const SignatureParam *param) {
    return param->direction == SIGNATURE_OUT || param->direction == SIGNATURE_INOUT;
}

/* Measures the data of every parameter in the trace. If the signature has a fixed size, the inputs
 * need not be looked at. */
static RpStatus MeasureParams(Executor *executor, const TraceCall *call, RpError *error) {
    const Signature *signature = call->signature;
    SignatureMap map;
    const bool fixed = signature->fixed;
    if (!fixed && !Signature_Map(signature, call->inputs, call->input_size, &map))
        return RpError_Set(error, RP_CORRUPT, RP_NOWHERE, "malformed inputs of a call",
                           signature->function->key, "", "");
    for (int i = 0; i < signature->param_count; i++) {
        const SignatureParam *param = &signature->params[i];
        uint32_t bytes = fixed                               ? param->count * param->element_bytes
                         : param->direction == SIGNATURE_OUT ? map.output_bytes[i]
                                                             : map.input_bytes[i];
        executor->buffers[i].data_bytes = bytes;
        executor->buffers[i].output_bytes = !IsOutput(param) ? 0
                                            : fixed          ? bytes
                                                             : map.output_bytes[i];
    }
    return RP_OK;
}

/* Returns whether the parameter's data is written into a buffer of the room. The data of a state is
 * not. */
static bool IsBuffer(const SignatureParam *param) {
    return param->direction != SIGNATURE_VALUE && param->type != SIGNATURE_STATE;
}

static RpStatus PlaceBuffers(Executor *executor, const TraceCall *call, RpError *error) {
    uint32_t cursor = GUARD;
    for (int i = 0; i < call->signature->param_count; i++) {
        const SignatureParam *param = &call->signature->params[i];
        if (!IsBuffer(param))
            continue;

        /* The bytes that the data of the trace takes in memory. */
        Buffer *buffer = &executor->buffers[i];
        buffer->offset = cursor;
        buffer->bytes = buffer->data_bytes;
        if (param->type == SIGNATURE_REF)
            buffer->bytes /= 2;
        else if (param->type == SIGNATURE_STRUCT)
            buffer->bytes = buffer->data_bytes / param->element_bytes * param->layout->size;
        else if (param->type == SIGNATURE_CSTR)
            buffer->bytes -= 4;
        if (buffer->bytes > ROOM - cursor - 2 * GUARD)
            return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE, "a call needs too much memory",
                               call->function->key, "less than 4 MiB", "");
        cursor = (cursor + buffer->bytes + GUARD + 15) & ~15u;
    }
    executor->room_used = cursor;
    return RP_OK;
}

static StepKind KindOf(const SignatureParam *param) {
    if (param->type == SIGNATURE_STATE)
        return STEP_STATE;
    switch (param->direction) {
    case SIGNATURE_IN:
        return STEP_IN;
    case SIGNATURE_OUT:
        return STEP_OUT;
    case SIGNATURE_INOUT:
        return STEP_INOUT;
    default:
        return param->type == SIGNATURE_REF ? STEP_REFERENCE : STEP_WORD;
    }
}

static RpStatus MakePlan(Executor *executor, const TraceCall *call, Plan *plan, RpError *error) {
    const Signature *signature = call->signature;
    RpStatus status = RP_OK;
    plan->refused = Abi_WhyTrust(call->function) != NULL;
    plan->state_param = Signature_StateParam(signature);
    if (signature->fixed) {
        status = MeasureParams(executor, call, error);
        if (!status)
            status = PlaceBuffers(executor, call, error);
        memcpy(plan->buffers, executor->buffers, sizeof plan->buffers);
        plan->room_used = executor->room_used;
    }
    if (status)
        return status;

    /* A function gets its part of the plain room, if it is plain and there is room for it. It is
     * plain if each of its parameters is a state, or has the same size in each call and the same
     * bytes in a trace and in memory. */
    uint32_t cursor = executor->plain_used + GUARD;
    plan->row = NULL;
    plan->plain = true;
    plan->base = executor->plain_used;
    plan->plain_outputs = Signature_ReturnBytes(signature);
    for (int i = 0; i < signature->param_count && plan->plain; i++) {
        const SignatureParam *param = &signature->params[i];
        Step *step = &plan->steps[i];
        *step = (Step){.kind = KindOf(param), .offset = cursor};
        if (step->kind == STEP_STATE)
            plan->before_state = plan->plain_outputs;
        if (IsBuffer(param)) {
            step->bytes = param->count * param->element_bytes;
            cursor = (cursor + step->bytes + GUARD + 15) & ~15u;
        }
        plan->plain_outputs += step->kind == STEP_OUT || step->kind == STEP_INOUT ? step->bytes : 0;
        const bool number = param->type == SIGNATURE_F32 || param->type == SIGNATURE_I32 ||
                            param->type == SIGNATURE_U32;
        plan->plain = ((number && param->count_param < 0) || param->type == SIGNATURE_STATE ||
                       (param->type == SIGNATURE_REF && param->direction == SIGNATURE_VALUE)) &&
                      cursor <= PLAIN_ROOM - GUARD;
    }
    if (plan->plain) {
        plan->size = cursor - plan->base;
        executor->plain_used = cursor;
        HostBytes_Fill(executor->plain_room + plan->base, GUARD_BYTE, plan->size);
    }
    plan->signature = signature;
    return RP_OK;
}

/* fastcall and thiscall pass the first dwords in registers, and never a float. */
static bool GoesInRegister(AbiConvention convention, const SignatureParam *param, int used) {
    bool real = param->direction == SIGNATURE_VALUE && param->type == SIGNATURE_F32;
    int registers = convention == ABI_FASTCALL ? 2 : convention == ABI_THISCALL ? 1 : 0;
    return used < registers && !real;
}

static uint32_t Argument(Executor *executor, const SignatureParam *param, const Buffer *buffer,
                         const uint8_t *data) {
    if (param->type == SIGNATURE_STATE)
        return executor->object_address;
    if (param->direction != SIGNATURE_VALUE)
        return executor->room_address + buffer->offset;
    if (param->type == SIGNATURE_REF)
        return AddressOf(executor, data);
    if (param->type == SIGNATURE_NRES) {
        Invoke_Leave(executor->pair->guest);
        return NResFile_Object(&executor->nresfiles, Bytes_U32(data));
    }
    return Bytes_U32(data);
}

/* Prepares what the function is given for each parameter, in the order of the signature. */
static void PrepareBuffers(Executor *executor, const TraceCall *call, uint32_t *arguments) {
    const uint8_t *data = call->inputs;
    for (int i = 0; i < call->signature->param_count; i++) {
        const SignatureParam *param = &call->signature->params[i];
        if (IsBuffer(param) && IsOutput(param))
            HostBytes_Fill(executor->room + executor->buffers[i].offset, UNSET_BYTE,
                           executor->buffers[i].bytes);
        if (IsBuffer(param) && param->direction != SIGNATURE_OUT) {
            const Buffer *buffer = &executor->buffers[i];
            uint8_t *bytes = executor->room + buffer->offset;
            uint32_t elements =
                param->element_bytes ? buffer->data_bytes / param->element_bytes : 0;
            switch (param->type) {
            case SIGNATURE_REF:
                for (uint32_t k = 0; k < elements; k++)
                    Bytes_PutU32(bytes + 4 * k, AddressOf(executor, data + 8 * k));
                break;
            case SIGNATURE_STRUCT:
                for (uint32_t k = 0; k < elements; k++)
                    UnpackStruct(executor, param->layout, data + k * param->element_bytes,
                                 bytes + k * param->layout->size);
                break;
            case SIGNATURE_CSTR:
                memcpy(bytes, data + 4, buffer->bytes);
                break;
            default:
                HostBytes_Copy(bytes, data, buffer->bytes);
            }
        }
        arguments[i] = Argument(executor, param, &executor->buffers[i], data);
        if (param->direction != SIGNATURE_OUT)
            data += executor->buffers[i].data_bytes;
    }
    HostBytes_Copy(executor->before, executor->room, executor->room_used);
}

static void PlaceArguments(Executor *executor, const Signature *signature,
                           const OverlayCall *machine, const uint32_t *arguments, uint32_t *stack) {
    int registers = 0;
    executor->frame->in_ecx = executor->frame->in_edx = INVOKE_SENTINEL_EAX;
    executor->frame->stack = stack;
    executor->frame->stack_count = 0;
    for (int i = 0; i < machine->param_count; i++) {
        uint32_t argument = arguments[machine->order[i]];
        if (!GoesInRegister(machine->convention, &signature->params[machine->order[i]], registers))
            stack[executor->frame->stack_count++] = argument;
        else if (registers++ == 0)
            executor->frame->in_ecx = argument;
        else
            executor->frame->in_edx = argument;
    }
}

/* ---- behind the call ---------------------------------------------------------------------------
 */

/* Returns whether everything in the room but the outputs is unchanged. */
static bool RoomIsUntouched(Executor *executor, const Signature *signature) {
    uint32_t cursor = 0;
    for (int i = 0; i < signature->param_count; i++)
        if (IsBuffer(&signature->params[i]) && IsOutput(&signature->params[i])) {
            if (!HostBytes_Equal(executor->room + cursor, executor->before + cursor,
                                 executor->buffers[i].offset - cursor))
                return false;
            cursor = executor->buffers[i].offset + executor->buffers[i].bytes;
        }
    return HostBytes_Equal(executor->room + cursor, executor->before + cursor,
                           executor->room_used - cursor);
}

static uint8_t *PackReturn(Executor *executor, const TraceCall *call, uint8_t *data) {
    switch (call->signature->returns) {
    case SIGNATURE_VOID:
        return data;
    case SIGNATURE_F32:
        memcpy(data, executor->frame->st0, 10);
        memset(data + 10, 0, 2);
        return data + 12;
    case SIGNATURE_REF:
        PutReference(executor, data, executor->frame->eax);
        return data + 8;
    /* Several entries may share a routine; the one that was asked for is preferred. */
    case SIGNATURE_SLOT:
        Bytes_PutU32(data,
                     Pair_SlotOf(executor->pair, executor->frame->eax, Bytes_U32(call->inputs)));
        return data + 4;
    default:
        Bytes_PutU32(data, call->signature->returns == SIGNATURE_ANY ? 0 : executor->frame->eax);
        return data + 4;
    }
}

/* Records a call that returned, whose outputs end at `end`. */
static void RecordState(Executor *executor, TraceCall *call, const uint8_t *end,
                        AbiConvention convention) {
    const InvokeFrame *frame = executor->frame;
    const uint32_t popped = convention == ABI_CDECL ? 0 : 4 * frame->stack_count;
    if (frame->esp_after != frame->esp_before + popped)
        call->violations |= TRACE_STACK_POINTER;
    if (frame->ebx != INVOKE_SENTINEL_EBX || frame->esi != INVOKE_SENTINEL_ESI ||
        frame->edi != INVOKE_SENTINEL_EDI || frame->ebp != INVOKE_SENTINEL_EBP)
        call->violations |= TRACE_SAVED_REGISTER;
    if (!frame->x87_clean)
        call->violations |= TRACE_X87_STACK;
    if (frame->eflags & FLAG_DIRECTION)
        call->violations |= TRACE_DIRECTION_FLAG;
    call->output_size = (uint32_t)(end - executor->outputs);
    call->control_out = (uint16_t)frame->control_out;
    call->mxcsr_out = frame->mxcsr_out;
}

static void RecordCrash(Executor *executor, TraceCall *call) {
    uint32_t offset, module;
    Pair_Locate(executor->pair, executor->frame->fault_address, &offset, &module);
    Bytes_PutU32(executor->outputs, executor->frame->fault_code);
    Bytes_PutU32(executor->outputs + 4, offset);
    Bytes_PutU32(executor->outputs + 8, module);
    call->output_size = 12;
}

/* ---- plain functions ---------------------------------------------------------------------------
 */

enum { WORD_ECX, WORD_EDX, WORD_STACK, MOST_WORDS = WORD_STACK + SIGNATURE_MAX_PARAMS };

static uint32_t ObjectOutputBytes(Executor *executor) {
    uint32_t dwords = 0;
    for (uint32_t i = 0; i < executor->object.range_count; i++)
        dwords += Bytes_U32(executor->object.ranges + 8 * (size_t)i + 4);
    return 4 * dwords;
}

static RpStatus PutArguments(Executor *executor, const TraceCall *call, const Plan *plan,
                             uint32_t words[MOST_WORDS], RpError *error) {
    const uint8_t *data = call->inputs;
    words[WORD_ECX] = words[WORD_EDX] = INVOKE_SENTINEL_EAX;
    for (const Step *step = plan->steps, *end = step + plan->signature->param_count; step < end;
         step++) {
        uint8_t *buffer = executor->plain_room + step->offset;
        uint32_t word = executor->plain_address + step->offset;
        if (step->kind == STEP_WORD) {
            word = Bytes_U32(data);
            data += 4;
        } else if (step->kind == STEP_REFERENCE) {
            word = AddressOf(executor, data);
            data += 8;
        } else if (step->kind == STEP_STATE) {
            executor->object = Signature_ReadState(data);
            data = executor->object.ranges + 8 * (size_t)executor->object.range_count;
            RpStatus status =
                State_Begin(&executor->states, &executor->object, &executor->object_address, error);
            if (status)
                return status;
            word = executor->object_address;
        } else if (step->kind == STEP_OUT) {
            HostBytes_Fill(buffer, UNSET_BYTE, step->bytes);
        } else {
            HostBytes_Copy(buffer, data, step->bytes);
            data += step->bytes;
        }
        words[step->place] = word;
    }
    return RP_OK;
}

/* Returns whether the bytes around the function's buffers still have the value that they were
 * filled with. */
static bool GuardsHold(Executor *executor, const Plan *plan) {
    uint32_t cursor = plan->base;
    bool hold = true;
    for (int i = 0; i < plan->signature->param_count; i++) {
        const Step *step = &plan->steps[i];
        if (!IsBuffer(&plan->signature->params[i]))
            continue;
        hold &= HostBytes_Are(executor->plain_room + cursor, GUARD_BYTE, step->offset - cursor);
        cursor = step->offset + step->bytes;
    }
    return hold && HostBytes_Are(executor->plain_room + cursor, GUARD_BYTE,
                                 plan->base + plan->size - cursor);
}

void Execute_DeferGuards(Executor *executor) {
    executor->defers_guards = true;
}

bool Execute_GuardsHold(Executor *executor) {
    bool hold = true;
    for (size_t i = 0; i < abi_function_count; i++)
        hold &= !executor->plans[i].signature || !executor->plans[i].plain ||
                GuardsHold(executor, &executor->plans[i]);
    return hold;
}

/* Returns whether everything in the function's part of the plain room except its outputs is
 * unchanged. If guards are deferred, Execute_GuardsHold checks the bytes between the buffers
 * later. */
static bool PlainIsUntouched(Executor *executor, const TraceCall *call, const Plan *plan) {
    const uint8_t *data = call->inputs;
    bool same = executor->defers_guards || GuardsHold(executor, plan);
    for (const Step *step = plan->steps, *end = step + plan->signature->param_count; step < end;
         step++) {
        if (step->kind == STEP_WORD || step->kind == STEP_REFERENCE) {
            data += step->kind == STEP_WORD ? 4 : 8;
            continue;
        }
        if (step->kind == STEP_STATE) {
            data = executor->object.ranges + 8 * (size_t)executor->object.range_count;
            continue;
        }
        if (step->kind == STEP_IN)
            same &= HostBytes_Equal(executor->plain_room + step->offset, data, step->bytes);
        if (step->kind != STEP_OUT)
            data += step->bytes;
    }
    return same;
}

static RpStatus TooManyOutputs(const TraceCall *call, RpError *error) {
    return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE, "a call has too many outputs",
                       call->function->key, "", "");
}

static RpStatus CallPlain(Executor *executor, Plan *plan, const PairFunction *row, TraceCall *call,
                          uint32_t capacity, RpError *error) {
    uint32_t words[MOST_WORDS];
    const bool has_state = plan->state_param >= 0;

    /* Where each argument goes: into ECX, EDX, or onto the stack. */
    if (plan->row != row) {
        const OverlayCall *machine = &row->call;
        int registers = 0;
        plan->row = row->ranged ? NULL : row;
        plan->stack_count = 0;
        for (int i = 0; i < machine->param_count; i++) {
            const int param = machine->order[i];
            if (GoesInRegister(machine->convention, &plan->signature->params[param], registers))
                plan->steps[param].place = registers++ == 0 ? WORD_ECX : WORD_EDX;
            else
                plan->steps[param].place = WORD_STACK + plan->stack_count++;
        }
    }

    if (!has_state)
        Memory_Seal(&executor->memory);
    RpStatus status = PutArguments(executor, call, plan, words, error);
    if (status)
        return status;
    if (plan->plain_outputs + (has_state ? ObjectOutputBytes(executor) : 0) > capacity)
        return TooManyOutputs(call, error);
    executor->frame->in_ecx = words[WORD_ECX];
    executor->frame->in_edx = words[WORD_EDX];
    executor->frame->stack = words + WORD_STACK;
    executor->frame->stack_count = plan->stack_count;
    Invoke_Guarded(executor->pair->guest);

    const bool untouched = PlainIsUntouched(executor, call, plan);
    bool wrote = has_state && State_End(&executor->states, &executor->object,
                                        executor->outputs + plan->before_state);
    wrote |= Memory_TakeWrites(&executor->memory);
    if (wrote || !untouched)
        call->violations |= TRACE_OUTSIDE_WRITE;
    call->outcome = executor->frame->outcome;
    if (call->outcome == TRACE_CRASHED)
        RecordCrash(executor, call);

    uint8_t *data =
        call->outcome == TRACE_RETURNED ? PackReturn(executor, call, executor->outputs) : NULL;
    for (int i = 0; data && i < plan->signature->param_count; i++) {
        const Step *step = &plan->steps[i];
        if (step->kind == STEP_STATE)
            /* the outputs of a state have been written already */
            data += ObjectOutputBytes(executor);
        if (step->kind != STEP_OUT && step->kind != STEP_INOUT)
            continue;
        HostBytes_Copy(data, executor->plain_room + step->offset, step->bytes);
        data += step->bytes;
    }
    if (data)
        RecordState(executor, call, data, row->call.convention);
    if (!untouched)
        HostBytes_Fill(executor->plain_room + plan->base, GUARD_BYTE, plan->size);
    return RP_OK;
}

/* ---- one call ----------------------------------------------------------------------------------
 */

static RpStatus CallAny(Executor *executor, const Plan *plan, const PairFunction *row,
                        TraceCall *call, uint32_t capacity, RpError *error) {
    uint32_t arguments[SIGNATURE_MAX_PARAMS], stack[SIGNATURE_MAX_PARAMS];
    const Signature *signature = call->signature;
    const Buffer *buffers = executor->buffers;
    RpStatus status = RP_OK;

    /* The buffers get their places in the room, and everything that is not a buffer is filled. */
    if (signature->fixed) {
        HostBytes_Copy(executor->buffers, plan->buffers,
                       (uint32_t)signature->param_count * (uint32_t)sizeof *executor->buffers);
        executor->room_used = plan->room_used;
    } else {
        status = MeasureParams(executor, call, error);
        if (!status)
            status = PlaceBuffers(executor, call, error);
    }
    if (!status)
        HostBytes_Fill(executor->room, GUARD_BYTE, executor->room_used);

    uint32_t bytes = Signature_ReturnBytes(signature);
    for (int i = 0; !status && i < signature->param_count; i++)
        bytes += buffers[i].output_bytes;
    if (!status && bytes > capacity)
        status = TooManyOutputs(call, error);

    /* The object of the call is put into the state that the trace gives it. */
    if (plan->state_param < 0) {
        Memory_Seal(&executor->memory);
    } else if (!status) {
        const uint8_t *data = call->inputs;
        for (int i = 0; i < plan->state_param; i++)
            data += signature->params[i].direction == SIGNATURE_OUT ? 0 : buffers[i].data_bytes;
        executor->object = Signature_ReadState(data);
        status =
            State_Begin(&executor->states, &executor->object, &executor->object_address, error);
    }
    if (status)
        return status;
    PrepareBuffers(executor, call, arguments);
    PlaceArguments(executor, signature, &row->call, arguments, stack);
    Invoke_Guarded(executor->pair->guest);

    /* The dwords of the state's ranges are stored in their place among the outputs. Then nothing
     * else may have been written. */
    bool wrote = false;
    if (plan->state_param >= 0) {
        uint8_t *data = executor->outputs + Signature_ReturnBytes(signature);
        for (int i = 0; i < plan->state_param; i++)
            data += buffers[i].output_bytes;
        wrote = State_End(&executor->states, &executor->object, data);
    }
    wrote |= Memory_TakeWrites(&executor->memory);
    if (wrote || !RoomIsUntouched(executor, signature))
        call->violations |= TRACE_OUTSIDE_WRITE;
    call->outcome = executor->frame->outcome;
    if (call->outcome == TRACE_CRASHED)
        RecordCrash(executor, call);
    if (call->outcome != TRACE_RETURNED)
        return RP_OK;

    uint8_t *data = PackReturn(executor, call, executor->outputs);
    for (int i = 0; i < signature->param_count; i++) {
        const SignatureParam *param = &signature->params[i];
        if (IsBuffer(param) && IsOutput(param))
            Pack(executor, param, &buffers[i], data);
        /* the outputs of a state have been written already */
        data += buffers[i].output_bytes;
    }
    RecordState(executor, call, data, row->call.convention);
    return RP_OK;
}

RpStatus Execute_Call(Executor *executor, TraceCall *call, bool trust, uint8_t *to,
                      uint32_t capacity, RpError *error) {
    Plan *plan = &executor->plans[call->function - abi_functions];
    RpStatus status =
        plan->signature == call->signature ? RP_OK : MakePlan(executor, call, plan, error);
    if (status)
        return status;
    executor->outputs = to ? to : executor->own_outputs;
    call->outputs = executor->outputs;
    call->output_size = 0;
    call->violations = 0;
    call->control_out = call->control_in;
    call->mxcsr_out = call->mxcsr_in;
    call->outcome = TRACE_NOT_CALLED;
    if (!trust && plan->refused)
        return RP_OK;
    call->outcome = TRACE_UNSUPPORTED;
    const PairFunction *row = Pair_Function(executor->pair, call->function, call->sequence);
    executor->frame->function = row->target;
    executor->frame->reason[0] = 0;
    if (!row->target)
        return RP_OK;
    executor->frame->control_in = call->control_in;
    executor->frame->mxcsr_in = call->mxcsr_in & ~MXCSR_RESERVED;
    executor->frame->returns_float = call->signature->returns == SIGNATURE_F32;
    capacity = to ? capacity : ROOM;
    return plan->plain ? CallPlain(executor, plan, row, call, capacity, error)
                       : CallAny(executor, plan, row, call, capacity, error);
}
