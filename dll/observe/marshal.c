#include "dll/observe/marshal.h"

#include "dll/observe/image.h"
#include "dll/observe/platform.h"
#include "dll/settings/decide.h"
#include "tracefile/format.h"

enum {
    TEXT_BYTES = 4096,
    OBJECT_BASE = 8, /* place of the image's address in an archive object (facts/ngi32.md E.6) */
    OBJECT_BYTES = 16,
    MOST_STREAMS = DRAFT_RELOCATIONS
};

const char *MarshalFault_Name(MarshalFault fault) {
    static const char *const names[] = {"",        "unreadable", "too-large", "count",
                                        "foreign", "archive",    "impure",    "busy"};
    return names[fault];
}

/* ---- rows ------------------------------------------------------------------------------------ */

static bool IsOutput(const SignatureParam *param) {
    return param->direction == SIGNATURE_OUT || param->direction == SIGNATURE_INOUT;
}

static bool IsBuffer(const SignatureParam *param) {
    return param->direction != SIGNATURE_VALUE;
}

void Marshal_Describe(const AbiFunction *function, Marshal *marshal) {
    memset(marshal, 0, sizeof *marshal);
    if (!Signature_IsKnown(function, &marshal->signature)) {
        marshal->signature.function = function;
        return;
    }
    marshal->can_record = Settings_CanRecord(&marshal->signature);
    marshal->can_shadow = Settings_CanShadow(&marshal->signature);
    for (int i = 0; i < marshal->signature.param_count; i++) {
        const SignatureParam *param = &marshal->signature.params[i];
        marshal->outputs_stay |= param->direction == SIGNATURE_OUT;
        marshal->settles |= param->direction == SIGNATURE_OUT && param->layout;
    }
}

/* ---- buffers --------------------------------------------------------------------------------- */

static MarshalFault ReadBuffer(Marshalled *call, int param_index) {
    const SignatureParam *param = &call->marshal->signature.params[param_index];
    MarshalBuffer *buffer = &call->buffers[param_index];
    buffer->address = call->arguments[param_index];
    buffer->offset = call->raw_bytes;
    if (param->type == SIGNATURE_CSTR) {
        /* A text goes to `before` with its NUL. */
        uint8_t *text = call->before + buffer->offset;
        for (uint32_t i = 0; i < TEXT_BYTES && buffer->offset + i < DRAFT_RAW_BYTES; i++) {
            if (!Platform_Read(text + i, buffer->address + i, 1))
                return MARSHAL_UNREADABLE;
            if (text[i] == 0) {
                buffer->bytes = i + 1;
                return MARSHAL_FINE;
            }
        }
        return MARSHAL_LARGE;
    }

    uint32_t elements = param->count;
    if (param->count_param >= 0) {
        uint64_t count = (uint64_t)param->count * call->arguments[param->count_param];
        elements = count > SIGNATURE_MAX_COUNT ? UINT32_MAX : (uint32_t)count;
    }

    if (elements == UINT32_MAX)
        return MARSHAL_COUNT;
    uint64_t bytes = (uint64_t)elements * (param->layout ? param->layout->size : 4);
    if (bytes > DRAFT_RAW_BYTES - call->raw_bytes)
        return MARSHAL_LARGE;
    buffer->bytes = (uint32_t)bytes;
    return Platform_Read(call->before + buffer->offset, buffer->address, buffer->bytes)
               ? MARSHAL_FINE
               : MARSHAL_UNREADABLE;
}

static bool Overlap(const MarshalBuffer *a, const MarshalBuffer *b) {
    return a->address - b->address < b->bytes || b->address - a->address < a->bytes;
}

MarshalFault Marshal_Before(const Marshal *marshal, const uint32_t *arguments, Marshalled *call) {
    call->marshal = marshal;
    call->arguments = arguments;
    call->raw_bytes = call->copy_bytes = 0;
    for (int i = 0; i < marshal->signature.param_count; i++) {
        if (!IsBuffer(&marshal->signature.params[i]))
            continue;
        MarshalFault fault = ReadBuffer(call, i);
        if (fault)
            return fault;
        call->raw_bytes += (call->buffers[i].bytes + 3) & ~3u;
        if (call->raw_bytes > DRAFT_RAW_BYTES)
            return MARSHAL_LARGE;
    }

    const Signature *signature = &marshal->signature;
    call->aliased = false;
    for (int i = 0; !call->aliased && i < signature->param_count; i++)
        for (int j = 0; IsOutput(&signature->params[i]) && j < signature->param_count; j++)
            call->aliased |= i != j && IsBuffer(&signature->params[j]) &&
                             Overlap(&call->buffers[i], &call->buffers[j]);
    return MARSHAL_FINE;
}

MarshalFault Marshal_After(Marshalled *call) {
    const Signature *signature = &call->marshal->signature;
    for (int i = 0; i < signature->param_count; i++) {
        const MarshalBuffer *buffer = &call->buffers[i];
        if (IsOutput(&signature->params[i]) &&
            !Platform_Read(call->after + buffer->offset, buffer->address, buffer->bytes))
            return MARSHAL_UNREADABLE;
    }
    return MARSHAL_FINE;
}

/* ---- memories -------------------------------------------------------------------------------- */

static DraftMemory *AddMemory(Draft *draft) {
    if (draft->memory_count == DRAFT_MEMORIES)
        return NULL;
    DraftMemory *memory = &draft->memories[draft->memory_count];
    memory->large = false;
    memory->fetched = NULL;
    memory->relocation_count = 0;
    return memory;
}

static MarshalFault AddImage(Draft *draft, const Image *image, uint32_t *index) {
    for (uint32_t i = 0; i < draft->memory_count; i++)
        if (draft->memories[i].large && draft->memories[i].address == image->address) {
            *index = i;
            return MARSHAL_FINE;
        }
    DraftMemory *memory = AddMemory(draft);
    if (!memory)
        return MARSHAL_LARGE;
    memory->address = image->address;
    memory->size = image->size;
    memory->hash = image->hash;
    memory->large = true;
    *index = draft->memory_count++;
    return MARSHAL_FINE;
}

static bool IsRefField(const AbiField *field) {
    return strcmp(field->type, "ref") == 0;
}

/* The pointers of a layout. A field that has the name of a layout points to a record of that
 * layout; any other pointer leads into the model's image. */
typedef struct Shape {
    bool known;
    uint32_t count;
    struct {
        uint32_t offset;
        const AbiStruct *layout;
    } fields[DRAFT_RELOCATIONS];
} Shape;

enum { MOST_LAYOUTS = 16 };
static Shape shapes[MOST_LAYOUTS];

void Marshal_Open(void) {
    for (size_t i = 0; i < abi_struct_count && i < MOST_LAYOUTS; i++) {
        Shape *shape = &shapes[i];
        const AbiStruct *layout = &abi_structs[i];
        shape->known = layout->size <= DRAFT_RECORD_BYTES;
        shape->count = 0;
        for (size_t j = 0; j < layout->field_count; j++) {
            const AbiField *field = &layout->fields[j];
            if (!IsRefField(field))
                continue;
            if (field->count != 1 || shape->count == DRAFT_RELOCATIONS) {
                shape->known = false;
                break;
            }
            shape->fields[shape->count].offset = field->offset;
            shape->fields[shape->count++].layout = Abi_FindStruct(field->name, strlen(field->name));
        }
    }
}

static MarshalFault AddRecord(Draft *draft, const AbiStruct *layout, uint32_t address,
                              uint32_t depth, uint32_t *index);

typedef struct Streams {
    uint32_t count;
    uint32_t fields[MOST_STREAMS], pointers[MOST_STREAMS];
} Streams;

/* Targets come first in the draft. So a record is read into a copy, and is added after the memories
 * that it points to. */
static MarshalFault ReadPointers(Draft *draft, const Shape *shape, uint32_t depth, uint8_t *content,
                                 DraftRelocation *relocations, uint32_t *count) {
    Streams streams = {.count = 0};
    *count = 0;
    for (uint32_t i = 0; i < shape->count; i++) {
        uint32_t offset = shape->fields[i].offset, pointer = Bytes_U32(content + offset);
        const AbiStruct *layout = shape->fields[i].layout;
        if (!pointer)
            continue;
        Bytes_PutU32(content + offset, 0);
        if (!layout) {
            streams.fields[streams.count] = offset;
            streams.pointers[streams.count++] = pointer;
            continue;
        }
        DraftRelocation *relocation = &relocations[(*count)++];
        *relocation = (DraftRelocation){.offset = offset};
        MarshalFault fault = AddRecord(draft, layout, pointer, depth + 1, &relocation->target);
        if (fault)
            return fault;
    }
    if (streams.count == 0)
        return MARSHAL_FINE;

    /* All streams of a record lie in one image. */
    Image image;
    uint32_t target;
    if (!Images_Around(streams.pointers, streams.count, &image))
        return MARSHAL_FOREIGN;
    MarshalFault fault = AddImage(draft, &image, &target);
    for (uint32_t i = 0; i < streams.count; i++)
        relocations[(*count)++] =
            (DraftRelocation){streams.fields[i], target, streams.pointers[i] - image.address};
    return fault;
}

static MarshalFault AddRecord(Draft *draft, const AbiStruct *layout, uint32_t address,
                              uint32_t depth, uint32_t *index) {
    uint8_t content[DRAFT_RECORD_BYTES];
    DraftRelocation relocations[DRAFT_RELOCATIONS];
    size_t number = (size_t)(layout - abi_structs);
    const Shape *shape = number < MOST_LAYOUTS && shapes[number].known ? &shapes[number] : NULL;
    uint32_t count;
    if (depth > 2 || !shape)
        return MARSHAL_FOREIGN;
    if (!Platform_Read(content, address, layout->size))
        return MARSHAL_UNREADABLE;
    MarshalFault fault = ReadPointers(draft, shape, depth, content, relocations, &count);
    if (fault)
        return fault;
    DraftMemory *memory = AddMemory(draft);
    if (!memory)
        return MARSHAL_LARGE;
    memory->address = address;
    memory->size = layout->size;
    memory->relocation_count = count;
    memcpy(memory->content, content, layout->size);
    memcpy(memory->relocations, relocations, count * sizeof *relocations);

    /* A memory is hashed together with the memories that it points to. Equal hashes thus mean that
     * these are equal, too. */
    Fingerprint hash = Fingerprint_Start(memory->size);
    Fingerprint_Add(&hash, memory->content, memory->size);
    for (uint32_t i = 0; i < memory->relocation_count; i++) {
        const DraftRelocation *relocation = &memory->relocations[i];
        const Fingerprint *target = &draft->memories[relocation->target].hash;
        Fingerprint_AddWord(&hash, relocation->offset);
        Fingerprint_AddWord(&hash, target->lanes[0]);
        Fingerprint_AddWord(&hash, target->lanes[1] ^ target->lanes[2]);
        Fingerprint_AddWord(&hash, relocation->target_offset);
    }
    memory->hash = Fingerprint_End(hash);

    *index = draft->memory_count++;
    return MARSHAL_FINE;
}

static MarshalFault AddReference(Draft *draft, bool in_outputs, uint32_t at, bool pair,
                                 uint32_t memory, uint32_t offset) {
    if (draft->reference_count == DRAFT_REFERENCES)
        return MARSHAL_LARGE;
    draft->references[draft->reference_count++] =
        (DraftReference){in_outputs, at, pair, memory, offset};
    return MARSHAL_FINE;
}

/* ---- inputs ---------------------------------------------------------------------------------- */

typedef struct Data { /* data of the inputs, or of the outputs */
    Draft *draft;
    bool outputs;
    uint8_t *bytes;
    uint32_t size;
} Data;

static void Append32(Data *data, uint32_t word) {
    Bytes_PutU32(data->bytes + data->size, word);
    data->size += 4;
}

static void AppendPadded(Data *data, const void *bytes, uint32_t size) {
    uint32_t padded = Trace_PadTo4(size);
    memcpy(data->bytes + data->size, bytes, size);
    memset(data->bytes + data->size + size, 0, padded - size);
    data->size += padded;
}

static MarshalFault PutValue(const SignatureParam *param, uint32_t argument, Data *data) {
    if (param->type == SIGNATURE_REF) {
        /* A parameter that has the name of a layout points to a record of that layout. */
        const AbiStruct *layout = Abi_FindStruct(param->name, strlen(param->name));
        uint32_t memory;
        Append32(data, TRACE_NO_MEMORY);
        Append32(data, 0);
        if (!argument)
            return MARSHAL_FINE;
        MarshalFault fault =
            layout ? AddRecord(data->draft, layout, argument, 0, &memory) : MARSHAL_FOREIGN;
        return fault ? fault : AddReference(data->draft, false, data->size - 8, true, memory, 0);
    }
    if (param->type == SIGNATURE_NRES) {
        uint8_t fields[OBJECT_BYTES];
        Image image;
        uint32_t memory;
        Append32(data, TRACE_NO_MEMORY);
        if (!Platform_Read(fields, argument, sizeof fields))
            return MARSHAL_UNREADABLE;
        if (!Images_At(Bytes_U32(fields + OBJECT_BASE), &image))
            return MARSHAL_ARCHIVE;
        MarshalFault fault = AddImage(data->draft, &image, &memory);
        return fault ? fault : AddReference(data->draft, false, data->size - 4, false, memory, 0);
    }
    Append32(data, param->type == SIGNATURE_ANY ? 0 : argument);
    return MARSHAL_FINE;
}

/* Finds, among the memories of this call, the one that a pointer in the outputs leads to. */
static MarshalFault PutFoundReference(uint32_t pointer, Data *data) {
    Append32(data, pointer ? TRACE_FOREIGN_MEMORY : TRACE_NO_MEMORY);
    Append32(data, 0);
    for (uint32_t i = 0; pointer && i < data->draft->memory_count; i++) {
        const DraftMemory *memory = &data->draft->memories[i];
        if (pointer - memory->address <= memory->size)
            return AddReference(data->draft, data->outputs, data->size - 8, true, i,
                                pointer - memory->address);
    }
    return MARSHAL_FINE;
}

static MarshalFault PutField(const AbiField *field, const uint8_t *record, Data *data) {
    const uint8_t *bytes = record + field->offset;
    MarshalFault fault = MARSHAL_FINE;
    if (strcmp(field->type, "u8") == 0) {
        AppendPadded(data, bytes, field->count);
        return MARSHAL_FINE;
    }
    for (uint32_t i = 0; i < field->count && !fault; i++) {
        uint32_t word = Bytes_U32(bytes + 4 * i);
        if (IsRefField(field))
            fault = PutFoundReference(word, data);
        else
            Append32(data, strcmp(field->type, "any") == 0 ? 0 : word);
    }
    return fault;
}

static MarshalFault PutBuffer(const SignatureParam *param, const MarshalBuffer *buffer,
                              const uint8_t *raw, Data *data) {
    const uint8_t *bytes = raw + buffer->offset;

    const uint64_t more = param->layout
                              ? (uint64_t)buffer->bytes / param->layout->size * param->element_bytes
                              : buffer->bytes + 8ull;
    if (more > DRAFT_DATA_BYTES - data->size)
        return MARSHAL_LARGE;

    if (param->layout) {
        const AbiStruct *layout = param->layout;
        MarshalFault fault = MARSHAL_FINE;
        for (uint32_t at = 0; at < buffer->bytes && !fault; at += layout->size)
            for (size_t i = 0; i < layout->field_count && !fault; i++)
                fault = PutField(&layout->fields[i], bytes + at, data);
        return fault;
    }
    if (param->type == SIGNATURE_CSTR)
        Append32(data, buffer->bytes);
    AppendPadded(data, bytes, buffer->bytes);
    return MARSHAL_FINE;
}

MarshalFault Marshal_Inputs(Marshalled *call) {
    const Signature *signature = &call->marshal->signature;
    Draft *draft = &call->draft;
    Data data = {draft, false, draft->inputs, 0};
    MarshalFault fault = MARSHAL_FINE;
    draft->signature = signature;
    draft->memory_count = draft->reference_count = 0;
    draft->input_size = draft->output_size = 0;
    for (int i = 0; i < signature->param_count && !fault; i++) {
        const SignatureParam *param = &signature->params[i];
        if (!IsBuffer(param))
            fault = PutValue(param, call->arguments[i], &data);
        else if (param->direction != SIGNATURE_OUT)
            fault = PutBuffer(param, &call->buffers[i], call->before, &data);
    }
    draft->input_size = data.size;
    return fault;
}

/* ---- outputs --------------------------------------------------------------------------------- */

MarshalFault Marshal_Outputs(Marshalled *call, const LiveResult *result, const uint8_t *after) {
    const Signature *signature = &call->marshal->signature;
    Data data = {&call->draft, true, call->draft.outputs, 0};
    while (call->draft.reference_count > 0 &&
           call->draft.references[call->draft.reference_count - 1].in_outputs)
        call->draft.reference_count--;

    MarshalFault fault = MARSHAL_FINE;
    switch (signature->returns) {
    case SIGNATURE_VOID:
        break;
    case SIGNATURE_F32:
        memcpy(data.bytes, result->st0, 10);
        memset(data.bytes + 10, 0, 2);
        data.size += 12;
        break;
    case SIGNATURE_REF:
        fault = PutFoundReference(result->eax, &data);
        break;
    default:
        Append32(&data, signature->returns == SIGNATURE_ANY ? 0 : result->eax);
    }

    for (int i = 0; i < signature->param_count && !fault; i++)
        if (IsOutput(&signature->params[i]))
            fault = PutBuffer(&signature->params[i], &call->buffers[i], after, &data);
    call->draft.output_size = data.size;
    call->draft.control_out = result->control_out;
    call->draft.mxcsr_out = result->mxcsr_out;
    return fault;
}

/* ---- copies ---------------------------------------------------------------------------------- */

bool Marshal_Copy(Marshalled *call, bool together) {
    const Signature *signature = &call->marshal->signature;

    /* If a buffer may share memory with another one that begins earlier, as much room is left
     * before its copy as the largest buffer has. All of this must fit into `copy`. */
    uint32_t cursor = MARSHAL_GUARD, largest = 0;
    for (int i = 0; i < signature->param_count; i++)
        if (IsBuffer(&signature->params[i]) && call->buffers[i].bytes > largest)
            largest = call->buffers[i].bytes;
    for (int i = 0; i < signature->param_count; i++) {
        MarshalBuffer *buffer = &call->buffers[i];
        if (!IsBuffer(&signature->params[i]))
            continue;

        /* A buffer that shares memory with an earlier one is placed relative to that one. */
        const MarshalBuffer *beside = NULL;
        for (int k = 0; together && !beside && k < i; k++)
            if (IsBuffer(&signature->params[k]) && Overlap(buffer, &call->buffers[k]))
                beside = &call->buffers[k];
        if (beside) {
            buffer->copy = beside->copy + (buffer->address - beside->address);
            continue;
        }
        uint32_t slack = together && call->aliased ? largest : 0;

        /* A copy begins at the first offset that is aligned as the buffer is, modulo 64, because
         * code may depend on the alignment. */
        const uint32_t offset = cursor + slack;
        uint32_t base = (uint32_t)(uintptr_t)call->copy;
        buffer->copy = offset + ((buffer->address - (base + offset)) & 63u);

        cursor = buffer->copy + buffer->bytes + slack + MARSHAL_GUARD;
    }
    call->copy_bytes = cursor + MARSHAL_GUARD;

    if (call->copy_bytes > sizeof call->copy)
        return false;
    memset(call->copy, 0xC3, call->copy_bytes);
    for (int i = 0; i < signature->param_count; i++) {
        const MarshalBuffer *buffer = &call->buffers[i];
        call->copied[i] = call->arguments[i];
        if (!IsBuffer(&signature->params[i]))
            continue;
        call->copied[i] = (uint32_t)(uintptr_t)(call->copy + buffer->copy);
        if (!together && signature->params[i].direction == SIGNATURE_OUT)
            memset(call->copy + buffer->copy, MARSHAL_UNSET, buffer->bytes);
        else
            memcpy(call->copy + buffer->copy, call->before + buffer->offset, buffer->bytes);
    }
    memcpy(call->sealed, call->copy, call->copy_bytes);
    return true;
}

bool Marshal_CopyIsSound(const Marshalled *call) {
    const Signature *signature = &call->marshal->signature;
    for (uint32_t at = 0; at < call->copy_bytes; at++) {
        if (call->copy[at] == call->sealed[at])
            continue;
        bool inside = false;
        for (int i = 0; i < signature->param_count; i++)
            inside |= IsOutput(&signature->params[i]) &&
                      at - call->buffers[i].copy < call->buffers[i].bytes;
        if (!inside)
            return false;
    }
    return true;
}

void Marshal_FromCopy(const Marshalled *call, uint8_t *after) {
    const Signature *signature = &call->marshal->signature;
    for (int i = 0; i < signature->param_count; i++)
        if (IsBuffer(&signature->params[i]))
            memcpy(after + call->buffers[i].offset, call->copy + call->buffers[i].copy,
                   call->buffers[i].bytes);
}

/* ---- settling -------------------------------------------------------------------------------- */

bool Marshal_NeedsSettling(const Marshalled *call) {
    const Signature *signature = &call->marshal->signature;
    if (call->aliased || call->marshal->settles)
        return true;
    for (int i = 0; call->marshal->outputs_stay && i < signature->param_count; i++) {
        const MarshalBuffer *buffer = &call->buffers[i];
        if (signature->params[i].direction == SIGNATURE_OUT &&
            memcmp(call->before + buffer->offset, call->after + buffer->offset, buffer->bytes) == 0)
            return true;
    }
    return false;
}

bool Marshal_Settles(const Marshalled *call, const LiveResult *first, const LiveResult *second,
                     const uint8_t *again) {
    const Signature *signature = &call->marshal->signature;
    const SignatureType returns = signature->returns;
    const bool same = returns == SIGNATURE_VOID || returns == SIGNATURE_ANY ||
                      (returns == SIGNATURE_F32 ? memcmp(first->st0, second->st0, 10) == 0
                                                : first->eax == second->eax);
    if (!same || first->control_out != second->control_out)
        return false;

    /* Each byte was written twice with the same value, or not at all. */
    for (int i = 0; i < signature->param_count; i++) {
        const MarshalBuffer *buffer = &call->buffers[i];
        if (!IsOutput(&signature->params[i]))
            continue;
        for (uint32_t at = buffer->offset; at < buffer->offset + buffer->bytes; at++)
            if (call->after[at] != again[at] &&
                !(again[at] == MARSHAL_UNSET && call->after[at] == call->before[at]))
                return false;
    }
    return true;
}
