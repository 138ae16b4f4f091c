#include "replay/lift/lift_input.h"

#include "core/bytes.h"
#include "replay/scenario/scenario.h"
#include "replay/scenario/values.h"
#include "tracefile/select.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PART_STEP      0x4000u  /* between the addresses of two parameters */
#define MEMORY_AT      0x80000u /* where memory behind references begins in the area */
#define MEMORY_STEP    0x1000u
#define MOST_ELEMENTS  4u /* of a list whose length another parameter gives */
#define MOST_KEPT      4096u
#define SEED           42u
#define SCENARIO_CALLS 400000u /* of a scenario, in which calls of one function are looked for */

/* ---- what an input is made of ---------------------------------------------------------------- */

const char *LiftInput_WhyNot(const AbiFunction *function) {
    Signature signature;
    if (function->provider == ABI_DATA)
        return "it is data";
    if (!Signature_IsKnown(function, &signature))
        return "its parameters are not known";
    if (Abi_WhyTrust(function))
        return "it changes the process or files";
    for (int i = 0; i < signature.param_count; i++) {
        const SignatureParam *param = &signature.params[i];
        switch (param->type) {
        case SIGNATURE_F32:
        case SIGNATURE_I32:
        case SIGNATURE_U32:
            break;
        case SIGNATURE_REF:
            if (param->direction != SIGNATURE_VALUE || strcmp(param->name, "piece") != 0)
                return "it takes a pointer to memory without a layout";
            break;
        case SIGNATURE_STRUCT:
            for (size_t k = 0; k < param->layout->field_count; k++)
                if (strcmp(param->layout->fields[k].type, "f32") != 0 &&
                    strcmp(param->layout->fields[k].type, "u32") != 0)
                    return "it takes a record with pointers";
            if (param->direction != SIGNATURE_IN)
                return "it changes a record";
            break;
        case SIGNATURE_STATE:
            return "it works on an object, and objects are not lifted";
        default:
            return "it takes texts, archives or opaque values";
        }
    }
    if (function->kind == ABI_EXPORT && function->provider != ABI_NATIVE)
        return "it computes nothing";
    if (signature.returns == SIGNATURE_SLOT || signature.returns == SIGNATURE_ANY)
        return "it returns what only this process knows";
    return signature.param_count == 0 ? "it has no inputs" : NULL;
}

/* ---- calls ----------------------------------------------------------------------------------- */

typedef struct KeptCall {
    uint8_t *bytes;
    uint32_t size;
} KeptCall;

struct LiftInputs {
    ScenarioSource *source;
    Signature **signatures; /* by the row of abi_functions; each is made when it is first needed */
    /* For a function that the source does not have: calls of a scenario that has it. */
    const AbiFunction *function;
    Selection *selection;
    TraceReader *reader;
    bool at_end;
    KeptCall *kept;
    uint32_t kept_count;
};

static RpStatus NoMemory(RpError *error) {
    return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for inputs", "", "", "");
}

RpStatus LiftInputs_Open(LiftInputs **result, RpError *error) {
    LiftInputs *inputs = calloc(1, sizeof *inputs);
    *result = NULL;
    if (inputs)
        inputs->signatures = calloc(abi_function_count, sizeof *inputs->signatures);
    if (!inputs || !inputs->signatures) {
        free(inputs);
        return NoMemory(error);
    }
    RpStatus status = ScenarioSource_Open(SEED, &inputs->source, error);
    if (status)
        LiftInputs_Close(inputs);
    else
        *result = inputs;
    return status;
}

/* Forgets the calls of a scenario. */
static void Forget(LiftInputs *inputs) {
    for (uint32_t i = 0; i < inputs->kept_count; i++)
        free(inputs->kept[i].bytes);
    free(inputs->kept);
    if (inputs->reader)
        TraceReader_Close(inputs->reader);
    Selection_Free(inputs->selection);
    inputs->kept = NULL;
    inputs->kept_count = 0;
    inputs->reader = NULL;
    inputs->selection = NULL;
    inputs->function = NULL;
    inputs->at_end = false;
}

void LiftInputs_Close(LiftInputs *inputs) {
    if (!inputs)
        return;
    Forget(inputs);
    for (size_t i = 0; i < abi_function_count; i++)
        free(inputs->signatures[i]);
    free(inputs->signatures);
    ScenarioSource_Close(inputs->source);
    free(inputs);
}

/* Makes the inputs of call `number` in the form of a trace, and says who knows the memories that
 * they name. The bytes are valid until the next call. */
static RpStatus MakeCall(LiftInputs *inputs, const AbiFunction *function, uint64_t number,
                         const uint8_t **bytes, uint32_t *size, const TraceReader **memories,
                         RpError *error) {
    TraceCall call;
    bool found = true;
    if (ScenarioSource_Has(function)) {
        RpStatus status = ScenarioSource_Call(inputs->source, function, number, &call, error);
        *bytes = call.inputs;
        *size = call.input_size;
        *memories = ScenarioSource_Memory(inputs->source);
        return status;
    }

    RpStatus status = RP_OK;
    if (inputs->function != function) {
        /* The scenario that has calls of a function which the source has none of. */
        Forget(inputs);
        const bool takes_piece = strstr(function->params, "ref piece") != NULL;
        const Scenario *scenario = Scenario_Find(takes_piece ? "models" : "mesh");
        inputs->selection = Selection_OfFunction(function);
        status = inputs->selection ? RP_OK : NoMemory(error);
        const ScenarioOptions options = {
            .seed = SEED, .count = SCENARIO_CALLS, .force_cpu = -1, .selection = inputs->selection};
        if (!status)
            status = Scenario_Open(scenario, &options, &inputs->reader, error);
        if (!status) {
            inputs->kept = calloc(MOST_KEPT, sizeof *inputs->kept);
            inputs->function = function;
            if (!inputs->kept)
                status = NoMemory(error);
        }
    }
    while (!status && !inputs->at_end && inputs->kept_count <= number &&
           inputs->kept_count < MOST_KEPT) {
        status = TraceReader_Next(inputs->reader, &call, &found, error);
        inputs->at_end = !found;
        if (status || !found)
            break;
        KeptCall *kept = &inputs->kept[inputs->kept_count];
        kept->size = call.input_size;
        kept->bytes = malloc(call.input_size + 1u);
        if (!kept->bytes)
            return NoMemory(error);
        memcpy(kept->bytes, call.inputs, call.input_size);
        inputs->kept_count++;
    }
    if (status)
        return status;
    if (inputs->kept_count == 0)
        return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE, "no scenario has calls of a function",
                           function->key, "", "");
    const KeptCall *call_kept = &inputs->kept[number % inputs->kept_count];
    *bytes = call_kept->bytes;
    *size = call_kept->size;
    *memories = inputs->reader;
    return RP_OK;
}

/* ---- parts ----------------------------------------------------------------------------------- */

static LiftPart *AddPart(LiftInput *input, const char *name, uint32_t address, const uint8_t *bytes,
                         uint32_t size) {
    uint8_t *longer = input->part_count < LIFT_MOST_PARTS
                          ? realloc(input->bytes, input->byte_count + size + 1u)
                          : NULL;
    if (!longer)
        return NULL;
    input->bytes = longer;
    if (bytes)
        memcpy(input->bytes + input->byte_count, bytes, size);
    else
        memset(input->bytes + input->byte_count, 0xA5, size); /* as outputs in a trace are */
    LiftPart *part = &input->parts[input->part_count++];
    *part = (LiftPart){.address = address, .first = input->byte_count, .size = size, .param = -1};
    snprintf(part->name, sizeof part->name, "%s", name);
    input->byte_count += size;
    return part;
}

#define NULL_TARGET 0xFFu /* of a link that is a null pointer */

static bool AddLink(LiftInput *input, uint32_t part, uint32_t offset, uint32_t target,
                    uint32_t target_offset) {
    if (input->link_count == LIFT_MOST_LINKS)
        return false;
    input->links[input->link_count++] =
        (LiftLink){(uint8_t)part, (uint8_t)target, offset, target_offset};
    const LiftPart *from = &input->parts[part];
    Bytes_PutU32(input->bytes + from->first + offset,
                 target == NULL_TARGET ? 0 : input->parts[target].address + target_offset);
    return true;
}

typedef struct Stream {
    const char *name;
    uint32_t offset; /* in the model's image */
} Stream;

/* Adds a piece, its reader, and the streams of the model behind the reader. Each stream is a part
 * of its own, so that expressions do not depend on where a model's file has it. */
static bool AddPiece(LiftInput *input, const TraceReader *memories, uint32_t id, uint32_t offset) {
    const TraceMemory *pieces = TraceReader_Memory(memories, id);
    const TraceRelocation *to_reader =
        pieces ? TraceReader_Relocation(memories, id, offset + PIECE_AT_reader) : NULL;
    const TraceMemory *reader = to_reader ? TraceReader_Memory(memories, to_reader->target) : NULL;
    const AbiStruct *layout = Abi_FindStruct("reader", strlen("reader"));
    if (!pieces || offset > pieces->size || pieces->size - offset < ABI_PIECE_SIZE)
        return false;

    uint32_t at = LIFT_AREA + MEMORY_AT;
    const uint32_t piece_part = input->part_count;
    LiftPart *part = AddPart(input, "piece", at, pieces->bytes + offset, ABI_PIECE_SIZE);
    if (!part)
        return false;
    part->layout = Abi_FindStruct("piece", strlen("piece"));
    if (!to_reader)
        return AddLink(input, piece_part, PIECE_AT_reader, NULL_TARGET, 0);
    if (!reader || to_reader->target_offset > reader->size ||
        reader->size - to_reader->target_offset < ABI_READER_SIZE)
        return false;
    at += MEMORY_STEP;
    const uint32_t reader_part = input->part_count;
    part = AddPart(input, "reader", at, reader->bytes + to_reader->target_offset, ABI_READER_SIZE);
    if (!part)
        return false;
    part->layout = layout;
    at += MEMORY_STEP;
    if (!AddLink(input, piece_part, PIECE_AT_reader, reader_part, 0))
        return false;

    /* The streams in the order of their places; two fields of the reader may name the same one. */
    Stream streams[LIFT_MOST_PARTS];
    uint32_t count = 0;
    const TraceMemory *image = NULL;
    for (size_t i = 0; i < layout->field_count; i++) {
        const AbiField *field = &layout->fields[i];
        const TraceRelocation *to =
            TraceReader_Relocation(memories, reader->id, to_reader->target_offset + field->offset);
        if (strcmp(field->type, "ref") != 0 || !to)
            continue;
        image = image ? image : TraceReader_Memory(memories, to->target);
        if (!image || image->id != to->target || to->target_offset > image->size)
            return false;
        uint32_t place = 0;
        while (place < count && streams[place].offset < to->target_offset)
            place++;
        if (place < count && streams[place].offset == to->target_offset)
            continue;
        if (count == LIFT_MOST_PARTS)
            return false;
        memmove(&streams[place + 1], &streams[place], (count - place) * sizeof *streams);
        streams[place] = (Stream){field->name, to->target_offset};
        count++;
    }
    const uint32_t first_stream = input->part_count;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t end = i + 1 < count ? streams[i + 1].offset : image->size;
        if (!AddPart(input, streams[i].name, at + streams[i].offset,
                     image->bytes + streams[i].offset, end - streams[i].offset))
            return false;
    }
    for (size_t i = 0; i < layout->field_count; i++) {
        const AbiField *field = &layout->fields[i];
        if (strcmp(field->type, "ref") != 0)
            continue;
        const TraceRelocation *to =
            TraceReader_Relocation(memories, reader->id, to_reader->target_offset + field->offset);
        uint32_t target = 0;
        while (to && streams[target].offset != to->target_offset)
            target++;
        if (!AddLink(input, reader_part, field->offset, to ? first_stream + target : NULL_TARGET,
                     0))
            return false;
    }
    return true;
}

/* Makes the parts of a call's inputs. A list has room for `elements`; if the call has more, the
 * others are left out. */
static bool AddParts(LiftInput *input, const uint8_t *data, uint32_t data_bytes,
                     const TraceReader *memories, uint32_t elements) {
    const Signature *signature = input->signature;
    SignatureMap map;
    if (!Signature_Map(signature, data, data_bytes, &map))
        return false;
    for (int i = 0; i < signature->param_count; i++) {
        const SignatureParam *param = &signature->params[i];
        const bool is_value = param->direction == SIGNATURE_VALUE;
        const uint8_t *bytes = data + map.input_offset[i];
        input->arguments[i] = (uint8_t)input->part_count;
        if (is_value && param->type == SIGNATURE_REF) {
            if (!AddPiece(input, memories, Bytes_U32(bytes), Bytes_U32(bytes + 4)))
                return false;
            continue;
        }

        /* A list has room for its most elements, so that their number is an input like others. */
        uint32_t size = is_value ? 4 : param->count * param->element_bytes;
        if (param->count_param >= 0) {
            if (elements > PART_STEP / (size + 1))
                return false;
            size *= elements;
        }
        uint32_t given = param->direction == SIGNATURE_OUT ? 0 : map.input_bytes[i];
        if (param->count_param >= 0 && given > size)
            given = size;
        LiftPart *part =
            given <= size && size <= PART_STEP
                ? AddPart(input, param->name, is_value ? 0 : LIFT_AREA + PART_STEP * (uint32_t)i,
                          NULL, size)
                : NULL;
        if (!part)
            return false;
        memcpy(input->bytes + part->first, bytes, given);
        if (param->count_param >= 0)
            memset(input->bytes + part->first + given, 0, size - given);
        part->param = i;
        part->layout = param->layout;
        part->is_output = param->direction == SIGNATURE_OUT;
        for (int k = 0; k < signature->param_count; k++)
            if (signature->params[k].count_param == i) {
                part->most = elements;
                if (map.count > elements)
                    Bytes_PutU32(input->bytes + part->first, elements);
            }
    }
    return true;
}

/* ---- changing -------------------------------------------------------------------------------- */

/* Returns whether the dword at an offset of a part is a binary32 that may be changed to any
 * other. */
static bool IsFloat(const LiftInput *input, const LiftPart *part, uint32_t offset) {
    enum { KEY_BYTES = 24, KEY_FLOATS = 16 };
    if (part->param >= 0 && input->signature->params[part->param].type == SIGNATURE_F32)
        return !part->is_output;
    if (part->param < 0 && strcmp(part->name, "keys") == 0)
        return offset % KEY_BYTES < KEY_FLOATS;
    for (size_t i = 0; part->param >= 0 && part->layout && i < part->layout->field_count; i++) {
        const AbiField *field = &part->layout->fields[i];
        if (offset >= field->offset && offset < field->offset + 4u * field->count)
            return strcmp(field->type, "f32") == 0;
    }
    return false;
}

/* Returns whether a path read a dword of a part. Of a parameter by value, which is on the stack,
 * that is not known: it counts as read. */
static bool IsRead(const LiftPart *part, uint32_t offset, const ExpressionGraph *graph,
                   const LiftPath *path) {
    bool is_read = part->address == 0;
    for (uint32_t r = 0; !is_read && r < path->read_count; r++) {
        const LiftRange *range = &path->reads[r];
        is_read = offset + 4 > range->offset && offset < range->offset + range->size &&
                  strcmp(ExpressionGraph_NameOf(graph, range->region), part->name) == 0;
    }
    return is_read;
}

uint32_t LiftInput_Words(const LiftInput *input, const ExpressionGraph *graph, const LiftPath *path,
                         uint32_t *words, uint32_t most) {
    uint32_t count = 0;
    for (uint32_t p = 0; p < input->part_count; p++) {
        const LiftPart *part = &input->parts[p];
        for (uint32_t offset = 0; offset + 4 <= part->size && count < most; offset += 4) {
            const bool is_count = part->most > 0 && part->address == 0;
            if ((!path || IsRead(part, offset, graph, path)) &&
                (is_count || IsFloat(input, part, offset)))
                words[count++] = part->first + offset;
        }
    }
    return count;
}

static const LiftPart *PartOfByte(const LiftInput *input, uint32_t at) {
    const LiftPart *part = input->parts;
    while (at < part->first || at >= part->first + part->size)
        part++;
    return part;
}

void LiftInput_Change(LiftInput *input, uint64_t random, const uint32_t *words, uint32_t count) {
    Random draws = {random};
    if (count == 0)
        return;
    uint8_t *word = input->bytes + words[Random_Below(&draws, count)];
    const uint8_t *other = input->bytes + words[Random_Below(&draws, count)];
    const LiftPart *part = PartOfByte(input, (uint32_t)(word - input->bytes));
    const uint32_t now = Bytes_U32(word);
    uint32_t value = now;
    if (part->most > 0) {
        Bytes_PutU32(word, Random_Below(&draws, part->most + 1));
        return;
    }
    switch (Random_Below(&draws, 12)) {
    case 0:
        value = 0;
        break;
    case 1:
        value = Bytes_U32(other);
        break;
    case 2:
        value = now ^ FLOAT_SIGN;
        break;
    case 3:
        value = Bytes_U32(other) ^ FLOAT_SIGN;
        break;
    case 4:
        value = Value_Special(&draws);
        break;
    case 5:
        value = Value_Random(&draws, Value_Magnitude(&draws));
        break;
    case 6:
        value = FLOAT_ONE | (now & FLOAT_SIGN);
        break;
    case 7: {
        const int32_t steps = 1 << Random_Below(&draws, 24);
        value = Float_Step(now, Random_OneIn(&draws, 2) ? steps : -steps);
        break;
    }
    case 8: /* twice as much, or half of it */
        value = now + (Random_OneIn(&draws, 2) ? FLOAT_MIN : 0u - FLOAT_MIN);
        break;
    case 9: /* A vector becomes another one; in larger records, vectors follow each other. */
        for (uint32_t i = 0; i < 12; i += 4) {
            const uint32_t to = (uint32_t)(word - input->bytes) - part->first;
            const LiftPart *from = PartOfByte(input, (uint32_t)(other - input->bytes));
            const uint32_t at = (uint32_t)(other - input->bytes) - from->first;
            const uint32_t to_vector = to - to % 12, from_vector = at - at % 12;
            if (to_vector + 12 <= part->size && from_vector + 12 <= from->size &&
                IsFloat(input, part, to_vector + i))
                Bytes_PutU32(input->bytes + part->first + to_vector + i,
                             Bytes_U32(input->bytes + from->first + from_vector + i));
        }
        return;
    default: { /* A whole parameter becomes zero, a copy of another one, or its negation. */
        const LiftPart *from = PartOfByte(input, (uint32_t)(other - input->bytes));
        const uint32_t kind = Random_Below(&draws, 3);
        for (uint32_t i = 0; part->param >= 0 && i + 4 <= part->size; i += 4) {
            uint8_t *to = input->bytes + part->first + i;
            const uint32_t bits = from->size == part->size
                                      ? Bytes_U32(input->bytes + from->first + i)
                                      : Bytes_U32(to);
            if (IsFloat(input, part, i))
                Bytes_PutU32(to, kind == 0 ? 0 : kind == 1 ? bits : bits ^ FLOAT_SIGN);
        }
        return;
    }
    }
    Bytes_PutU32(word, value);
}

/* ---- making ---------------------------------------------------------------------------------- */

static RpStatus NoNumbers(const AbiFunction *function, const char *why, RpError *error) {
    return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE, why, function->key,
                       "a function of numbers", "");
}

static RpStatus DoesNotFit(const AbiFunction *function, RpError *error) {
    return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE,
                       "a call's inputs do not fit into the lifter's area", function->key, "", "");
}

RpStatus LiftInputs_Make(LiftInputs *inputs, const AbiFunction *function, uint64_t number,
                         LiftInput *input, RpError *error) {
    enum { MOST_WORDS = 256 };
    const uint8_t *bytes = NULL;
    const TraceReader *memories = NULL;
    const char *why = LiftInput_WhyNot(function);
    *input = (LiftInput){.function = function};
    if (why)
        return NoNumbers(function, why, error);
    Signature **signature = &inputs->signatures[function - abi_functions];
    if (!*signature) {
        *signature = calloc(1, sizeof **signature);
        if (!*signature)
            return NoMemory(error);
        RpStatus status = Signature_Parse(function, *signature, error);
        if (status)
            return status;
    }
    input->signature = *signature;

    /* Every other input is a call of a scenario that was changed in a few words. */
    const bool is_changed = number % 2 == 1;
    uint32_t size = 0;
    RpStatus status = MakeCall(inputs, function, number / 2, &bytes, &size, &memories, error);
    if (status)
        return status;
    if (!AddParts(input, bytes, size, memories, MOST_ELEMENTS))
        return DoesNotFit(function, error);
    if (is_changed) {
        uint32_t words[MOST_WORDS];
        Random random = Random_Start("lift", SEED, number);
        const uint32_t count = LiftInput_Words(input, NULL, NULL, words, MOST_WORDS);
        for (uint32_t changes = 1 + Random_Below(&random, 3); changes > 0; changes--)
            LiftInput_Change(input, Random_Next(&random), words, count);
    }
    return RP_OK;
}

RpStatus LiftInput_OfCall(const TraceCall *call, const TraceReader *memories,
                          const Signature *signature, LiftInput *input, RpError *error) {
    SignatureMap map;
    const char *why = LiftInput_WhyNot(call->function);
    *input = (LiftInput){.function = call->function, .signature = signature};
    if (why)
        return NoNumbers(call->function, why, error);
    const bool is_mapped = Signature_Map(signature, call->inputs, call->input_size, &map);
    const uint32_t elements = is_mapped && map.count > MOST_ELEMENTS ? map.count : MOST_ELEMENTS;
    return is_mapped && AddParts(input, call->inputs, call->input_size, memories, elements)
               ? RP_OK
               : DoesNotFit(call->function, error);
}

RpStatus LiftInput_Copy(const LiftInput *from, LiftInput *input, RpError *error) {
    *input = *from;
    input->bytes = malloc(from->byte_count + 1u);
    if (!input->bytes)
        return NoMemory(error);
    memcpy(input->bytes, from->bytes, from->byte_count);
    return RP_OK;
}

void LiftInput_Free(LiftInput *input) {
    free(input->bytes);
    input->bytes = NULL;
}

const LiftPart *LiftInput_Part(const LiftInput *input, const char *name) {
    for (uint32_t i = 0; i < input->part_count; i++)
        if (strcmp(input->parts[i].name, name) == 0)
            return &input->parts[i];
    return NULL;
}

uint8_t *LiftInput_At(const LiftInput *input, const char *name, uint32_t offset, uint32_t size) {
    const LiftPart *part = LiftInput_Part(input, name);
    return part && offset <= part->size && part->size - offset >= size
               ? input->bytes + part->first + offset
               : NULL;
}

static bool GiveBytes(void *context, uint32_t region, uint32_t offset, uint8_t *to, uint32_t size) {
    const LiftInputContext *inputs = context;
    const uint8_t *bytes =
        LiftInput_At(inputs->input, ExpressionGraph_NameOf(inputs->graph, region), offset, size);
    if (bytes)
        memcpy(to, bytes, size);
    return bytes != NULL;
}

static bool GiveAddress(void *context, uint32_t region, uint32_t *address) {
    const LiftInputContext *inputs = context;
    const LiftPart *part =
        LiftInput_Part(inputs->input, ExpressionGraph_NameOf(inputs->graph, region));
    if (!part || part->address == 0)
        return false;
    *address = part->address;
    return true;
}

ExpressionInputs LiftInput_ForEvaluator(LiftInputContext *context) {
    return (ExpressionInputs){.bytes = GiveBytes, .address = GiveAddress, .context = context};
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Appends the name of the dword at an offset of a part. */
static void PrintWord(const LiftInput *input, const LiftPart *part, uint32_t offset,
                      RpBuffer *text) {
    static const char axes[] = "wxyz";
    const uint32_t element = offset / 4, count = part->size / 4;
    RpBuffer_AppendText(text, part->name);
    if (part->address == 0)
        return;
    for (size_t i = 0; part->layout && i < part->layout->field_count; i++) {
        const AbiField *field = &part->layout->fields[i];
        if (offset < field->offset || offset >= field->offset + 4u * field->count)
            continue;
        RpBuffer_Print(text, ".%s", field->name);
        if (field->count > 1)
            RpBuffer_Print(text, "[%" PRIu32 "]", (offset - field->offset) / 4);
        return;
    }
    const bool is_float =
        part->param >= 0 && input->signature->params[part->param].type == SIGNATURE_F32;
    if (is_float && count == 4 && strcmp(part->name, "plane") != 0)
        RpBuffer_Print(text, ".%c", axes[element]);
    else if (is_float && count == 3)
        RpBuffer_Print(text, ".%c", axes[element + 1]);
    else if (part->param >= 0)
        RpBuffer_Print(text, "[%" PRIu32 "]", element);
    else
        RpBuffer_Print(text, "[%" PRIu32 "]", offset);
}

void LiftInput_NameOf(void *context, uint32_t region, uint32_t offset, uint32_t bits,
                      RpBuffer *text) {
    const LiftInputContext *inputs = context;
    const char *name = ExpressionGraph_NameOf(inputs->graph, region);
    const LiftPart *part = LiftInput_Part(inputs->input, name);
    if (!part) {
        RpBuffer_Print(text, "%s[%" PRIu32 "]", name, offset);
        return;
    }
    const uint32_t aligned = part->param >= 0 || part->layout ? offset & ~3u : offset;
    PrintWord(inputs->input, part, aligned, text);
    if (bits != 32 || offset != aligned)
        RpBuffer_Print(text, ":%" PRIu32 ".%" PRIu32, 8 * (offset - aligned), bits);
}

void LiftInput_Print(const LiftInput *input, const ExpressionGraph *graph, const LiftPath *path,
                     RpBuffer *text) {
    bool is_first = true;
    for (uint32_t p = 0; p < input->part_count; p++) {
        const LiftPart *part = &input->parts[p];
        for (uint32_t offset = 0; offset + 4 <= part->size && !part->is_output; offset += 4) {
            bool is_link = false;
            for (uint32_t i = 0; i < input->link_count; i++)
                is_link |= input->links[i].part == p && input->links[i].offset == offset;
            if (is_link || !IsRead(part, offset, graph, path))
                continue;
            RpBuffer_AppendText(text, is_first ? "" : ", ");
            PrintWord(input, part, offset, text);
            RpBuffer_Print(text, " %08" PRIX32, Bytes_U32(input->bytes + part->first + offset));
            is_first = false;
        }
    }
}
