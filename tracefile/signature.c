#include "tracefile/signature.h"

#include "core/bytes.h"
#include "core/span.h"
#include "core/text.h"
#include "tracefile/signature_state.h"

#include <string.h>

typedef struct TypeName {
    const char *name;
    SignatureType type;
    uint32_t bytes; /* size of one element in a trace */
} TypeName;

static const TypeName type_names[] = {
    {"void", SIGNATURE_VOID, 0},   {"f32", SIGNATURE_F32, 4},   {"i32", SIGNATURE_I32, 4},
    {"u32", SIGNATURE_U32, 4},     {"u8", SIGNATURE_U8, 1},     {"ref", SIGNATURE_REF, 8},
    {"cstr", SIGNATURE_CSTR, 0},   {"nres", SIGNATURE_NRES, 4}, {"struct", SIGNATURE_STRUCT, 0},
    {"state", SIGNATURE_STATE, 0}, {"any", SIGNATURE_ANY, 4},   {"slot", SIGNATURE_SLOT, 4},
};

static const char *const direction_names[] = {"", "in ", "out ", "inout "};

static const TypeName *FindType(const char *word, size_t length) {
    for (size_t i = 0; i < sizeof type_names / sizeof *type_names; i++)
        if (strlen(type_names[i].name) == length && memcmp(type_names[i].name, word, length) == 0)
            return &type_names[i];
    return NULL;
}

static const char *TypeText(SignatureType type) {
    for (size_t i = 0; i < sizeof type_names / sizeof *type_names; i++)
        if (type_names[i].type == type)
            return type_names[i].name;
    return "?";
}

static uint32_t PadTo4(uint32_t size) {
    return (size + 3) & ~3u;
}

/* ---- layouts --------------------------------------------------------------------------------- */

static const TypeName *FieldType(const AbiField *field) {
    return FindType(field->type, strlen(field->type));
}

uint32_t Signature_FieldBytes(const AbiField *field) {
    return PadTo4(FieldType(field)->bytes * field->count);
}

/* ---- parsing --------------------------------------------------------------------------------- */

typedef struct Parser {
    const AbiFunction *function;
    const char *cursor; /* the place in function->params */
    RpError *error;
} Parser;

static RpStatus Fail(const Parser *parser, const char *at, const char *expected) {
    return RpError_Set(parser->error, RP_INVALID, (uint64_t)(at - parser->function->params),
                       "malformed parameter list", parser->function->key, expected,
                       *at ? at : "the end");
}

static void SkipSpaces(Parser *parser) {
    while (*parser->cursor == ' ')
        parser->cursor++;
}

static bool IsWordCharacter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static Span ReadWord(Parser *parser) {
    SkipSpaces(parser);
    Span word = {parser->cursor, 0};
    while (IsWordCharacter(*parser->cursor))
        parser->cursor++;
    word.length = (size_t)(parser->cursor - word.start);
    return word;
}

static SignatureDirection ReadDirection(Parser *parser) {
    const char *start = parser->cursor;
    Span word = ReadWord(parser);
    if (Span_Is(word, "in"))
        return SIGNATURE_IN;
    if (Span_Is(word, "out"))
        return SIGNATURE_OUT;
    if (Span_Is(word, "inout"))
        return SIGNATURE_INOUT;
    parser->cursor = start;
    return SIGNATURE_VALUE;
}

static RpStatus ReadType(Parser *parser, SignatureParam *param) {
    Span word = ReadWord(parser);
    const TypeName *type = FindType(word.start, word.length);
    if (!type || type->type == SIGNATURE_VOID || type->type == SIGNATURE_U8 ||
        type->type == SIGNATURE_SLOT)
        return Fail(parser, word.start, "a type: f32 i32 u32 ref cstr nres struct state any");
    param->type = type->type;
    param->element_bytes = type->bytes;
    if (type->type == SIGNATURE_STRUCT) {
        Span name = ReadWord(parser);
        param->layout = Abi_FindStruct(name.start, name.length);
        if (!param->layout)
            return Fail(parser, name.start, "a layout of the ABI tables");

        uint32_t bytes = 0;
        for (size_t i = 0; i < param->layout->field_count; i++)
            bytes += Signature_FieldBytes(&param->layout->fields[i]);
        param->element_bytes = bytes;
    }
    bool pointer = param->direction != SIGNATURE_VALUE;
    if (type->type == SIGNATURE_STRUCT && !pointer)
        return Fail(parser, word.start, "a direction before a struct");
    if (type->type == SIGNATURE_CSTR && param->direction != SIGNATURE_IN)
        return Fail(parser, word.start, "text only as `in cstr`");
    if (type->type == SIGNATURE_NRES && pointer)
        return Fail(parser, word.start, "nres without a direction");
    if (type->type == SIGNATURE_STATE && param->direction != SIGNATURE_INOUT)
        return Fail(parser, word.start, "a state only as `inout state`");
    return RP_OK;
}

/* Keeps the name of the counting parameter in `count_name` until all parameters are known. */
static RpStatus ReadCount(Parser *parser, SignatureParam *param, Span *count_name) {
    param->count = 1;
    param->count_param = -1;
    if (*parser->cursor != '[')
        return RP_OK;
    const char *start = parser->cursor++;
    if (param->direction == SIGNATURE_VALUE || param->type == SIGNATURE_CSTR ||
        param->type == SIGNATURE_STATE)
        return Fail(parser, start, "a count only behind a pointer to elements");
    Span word = ReadWord(parser);
    if (word.length == 0)
        return Fail(parser, word.start, "a count");
    if (word.start[0] >= '0' && word.start[0] <= '9') {
        uint32_t number = 0;
        for (size_t i = 0; i < word.length; i++) {
            if (word.start[i] < '0' || word.start[i] > '9')
                return Fail(parser, word.start, "a number");
            number = number * 10 + (uint32_t)(word.start[i] - '0');
            if (number > SIGNATURE_MAX_COUNT)
                return Fail(parser, word.start, "a count of at most 4096");
        }
        if (number == 0)
            return Fail(parser, word.start, "a count of at least 1");
        param->count = number;
        if (*parser->cursor == '*') {
            parser->cursor++;
            *count_name = ReadWord(parser);
            if (count_name->length == 0)
                return Fail(parser, parser->cursor, "the name of the counting parameter");
        }
    } else {
        *count_name = word;
    }
    if (*parser->cursor != ']')
        return Fail(parser, parser->cursor, "]");
    parser->cursor++;
    return RP_OK;
}

int Signature_StateParam(const Signature *signature) {
    for (int i = 0; i < signature->param_count; i++)
        if (signature->params[i].type == SIGNATURE_STATE)
            return i;
    return -1;
}

/* A count may come after what it counts. A reader therefore derives it from the size of the inputs.
 * This gives one answer only if there is one counting parameter and nothing else of variable
 * size. */
static RpStatus ResolveCounts(const Parser *parser, Signature *signature, const Span *count_names) {
    int counting = -1;
    bool varies = false;
    for (int i = 0; i < signature->param_count; i++) {
        SignatureParam *param = &signature->params[i];
        varies |= param->type == SIGNATURE_CSTR || param->type == SIGNATURE_STATE;
        if (count_names[i].length == 0)
            continue;
        int index = -1;
        for (int k = 0; k < signature->param_count; k++)
            if (Span_Is(count_names[i], signature->params[k].name)) {
                index = k;
                break;
            }

        if (index < 0 || signature->params[index].type != SIGNATURE_U32 ||
            signature->params[index].direction != SIGNATURE_VALUE)
            return Fail(parser, count_names[i].start, "the name of a u32 parameter by value");
        if (counting >= 0 && counting != index)
            return Fail(parser, count_names[i].start, "one counting parameter");
        param->count_param = counting = index;
    }
    if (counting >= 0 && varies)
        return Fail(parser, parser->function->params, "no text or state beside counted elements");
    return RP_OK;
}

/* Returns whether the parameter, or a field of its struct, is of this type. */
static bool HasType(const SignatureParam *param, SignatureType type) {
    bool has = param->type == type;
    for (size_t i = 0; param->layout && i < param->layout->field_count && !has; i++)
        has = FieldType(&param->layout->fields[i])->type == type;
    return has;
}

RpStatus Signature_Parse(const AbiFunction *function, Signature *signature, RpError *error) {
    Parser parser = {function, function->params, error};
    Span count_names[SIGNATURE_MAX_PARAMS] = {{NULL, 0}};
    memset(signature, 0, sizeof *signature);
    signature->function = function;

    static const uint32_t allowed =
        1u << SIGNATURE_VOID | 1u << SIGNATURE_F32 | 1u << SIGNATURE_I32 | 1u << SIGNATURE_U32 |
        1u << SIGNATURE_REF | 1u << SIGNATURE_ANY | 1u << SIGNATURE_SLOT;
    const TypeName *returns = FindType(function->returns, strlen(function->returns));
    if (!returns || !(allowed >> returns->type & 1))
        return RpError_Set(error, RP_INVALID, 0, "malformed return type", function->key,
                           "void u32 i32 f32 ref any slot", function->returns);
    signature->returns = returns->type;

    RpStatus status = RP_OK;
    SkipSpaces(&parser);
    for (bool more = *parser.cursor != 0; more;) {
        if (signature->param_count == SIGNATURE_MAX_PARAMS)
            return Fail(&parser, parser.cursor, "at most 10 parameters");
        SignatureParam *param = &signature->params[signature->param_count];
        param->direction = ReadDirection(&parser);
        status = ReadType(&parser, param);
        if (!status)
            status = ReadCount(&parser, param, &count_names[signature->param_count]);
        if (status)
            return status;

        const Span name = ReadWord(&parser);
        if (name.length == 0)
            return Fail(&parser, name.start, "a name");
        if (param->type == SIGNATURE_STATE && Signature_StateParam(signature) >= 0)
            return Fail(&parser, name.start, "one state");
        if (name.length >= sizeof param->name)
            return Fail(&parser, name.start, "a name of at most 31 characters");
        for (int i = 0; i < signature->param_count; i++)
            if (Span_Is(name, signature->params[i].name))
                return Fail(&parser, name.start, "a name used once");
        memcpy(param->name, name.start, name.length);
        param->name[name.length] = 0;

        SkipSpaces(&parser);
        if (*parser.cursor && *parser.cursor != ',')
            return Fail(&parser, parser.cursor, "a comma");
        signature->param_count++;
        more = *parser.cursor == ',';
        parser.cursor += more;
    }
    status = ResolveCounts(&parser, signature, count_names);
    if (!status) {
        signature->fixed = true;
        signature->opaque_outputs = signature->returns == SIGNATURE_ANY;
        signature->fixed_outputs = Signature_ReturnBytes(signature);
        for (int i = 0; i < signature->param_count; i++) {
            const SignatureParam *param = &signature->params[i];
            const uint32_t bytes = param->count * param->element_bytes;
            signature->fixed &= param->count_param < 0 && param->element_bytes > 0;
            signature->refers |= HasType(param, SIGNATURE_REF) || param->type == SIGNATURE_NRES ||
                                 param->type == SIGNATURE_STATE;
            if (param->direction != SIGNATURE_OUT) {
                signature->fixed_inputs += bytes;
                signature->opaque_inputs |= HasType(param, SIGNATURE_ANY);
            }
            if (param->direction == SIGNATURE_OUT || param->direction == SIGNATURE_INOUT) {
                signature->fixed_outputs += bytes;
                signature->opaque_outputs |= HasType(param, SIGNATURE_ANY);
            }
        }
    }
    return status;
}

bool Signature_IsKnown(const AbiFunction *function, Signature *signature) {
    return function->params_evidence != ABI_UNKNOWN &&
           Signature_Parse(function, signature, NULL) == RP_OK;
}

/* ---- text ------------------------------------------------------------------------------------ */

int Signature_Text(const Signature *signature, char *buffer, size_t size) {
    Text text = Text_Begin(buffer, size);
    Text_Append(&text, AbiConvention_Name(signature->function->convention));
    Text_AppendChar(&text, ' ');
    Text_Append(&text, TypeText(signature->returns));
    Text_Append(&text, " (");
    for (int i = 0; i < signature->param_count; i++) {
        Text_Append(&text, i ? ", " : "");

        const SignatureParam *param = &signature->params[i];
        Text_Append(&text, direction_names[param->direction]);
        Text_Append(&text, TypeText(param->type));
        if (param->layout) {
            Text_AppendChar(&text, ' ');
            Text_Append(&text, param->layout->name);
        }

        bool array = param->direction != SIGNATURE_VALUE && param->type != SIGNATURE_CSTR &&
                     param->type != SIGNATURE_STRUCT && param->type != SIGNATURE_STATE;
        bool counted = param->count_param >= 0;
        if (counted || array || param->count != 1) {
            Text_AppendChar(&text, '[');
            if (!counted || param->count != 1)
                Text_AppendDecimal(&text, param->count);
            if (counted && param->count != 1)
                Text_AppendChar(&text, '*');
            if (counted)
                Text_Append(&text, signature->params[param->count_param].name);
            Text_AppendChar(&text, ']');
        }

        Text_AppendChar(&text, ' ');
        Text_Append(&text, param->name);
    }
    Text_AppendChar(&text, ')');
    return (int)text.length;
}

/* ---- the inputs of one call ------------------------------------------------------------------ */

static bool IsInput(const SignatureParam *param) {
    return param->direction != SIGNATURE_OUT;
}

static bool IsOutput(const SignatureParam *param) {
    return param->direction == SIGNATURE_OUT || param->direction == SIGNATURE_INOUT;
}

#define STATE_HEAD_BYTES 16u /* memory, offset, number of patches, number of ranges */
#define STATE_PAIR_BYTES 8u

typedef struct InputFault {
    uint32_t offset;
    const char *expected;
    uint32_t found;
} InputFault;

static bool Fault(InputFault *fault, uint32_t offset, const char *expected, uint32_t found) {
    *fault = (InputFault){offset, expected, found};
    return false;
}

static bool ParamElements(const SignatureParam *param, uint32_t count, uint64_t *elements) {
    *elements = param->count_param >= 0 ? (uint64_t)param->count * count : param->count;
    return *elements <= SIGNATURE_MAX_COUNT;
}

/* Checks pairs of dwords. A patch changes one dword. A range covers as many dwords as its second
 * word says. */
static bool CheckPairs(const uint8_t *pairs, uint32_t count, bool ranges, uint32_t at,
                       uint32_t *dwords, InputFault *fault) {
    uint64_t end = 0;
    *dwords = 0;
    for (uint32_t i = 0; i < count; i++, at += STATE_PAIR_BYTES) {
        uint32_t offset = Bytes_U32(pairs + STATE_PAIR_BYTES * i);
        uint32_t length = ranges ? Bytes_U32(pairs + STATE_PAIR_BYTES * i + 4) : 1;
        if (offset % 4 != 0 || offset < end)
            return Fault(fault, at, "rising offsets, multiples of 4", offset);
        if (length == 0 || length > SIGNATURE_MAX_STATE - *dwords)
            return Fault(fault, at + 4, "ranges of at least one dword, 65536 in all", length);
        end = (uint64_t)offset + 4 * (uint64_t)length;
        if (end > (uint64_t)UINT32_MAX + 1)
            return Fault(fault, at + 4, "a range that does not wrap", length);
        *dwords += length;
    }
    return true;
}

SignatureState Signature_ReadState(const uint8_t *data) {
    SignatureState state = {Bytes_U32(data),      Bytes_U32(data + 4),     Bytes_U32(data + 8),
                            Bytes_U32(data + 12), data + STATE_HEAD_BYTES, NULL};
    state.ranges = state.patches + STATE_PAIR_BYTES * state.patch_count;
    return state;
}

static bool MapInput(const SignatureParam *param, const uint8_t *inputs, uint32_t input_size,
                     uint32_t cursor, uint32_t count, uint32_t *input_bytes, uint32_t *output_bytes,
                     InputFault *fault) {
    uint64_t elements;
    if (param->type == SIGNATURE_CSTR) {
        if (input_size - cursor < 4)
            return Fault(fault, cursor, "the size of a text", input_size - cursor);
        uint32_t size = Bytes_U32(inputs + cursor), room = input_size - cursor - 4;
        if (size == 0 || size > room || PadTo4(size) > room)
            return Fault(fault, cursor, "a text inside the inputs", size);
        const uint8_t *text = inputs + cursor + 4;
        if (memchr(text, 0, size) != text + size - 1)
            return Fault(fault, cursor + 4, "a text with one NUL at its end", text[size - 1]);
        for (uint32_t i = size; i < PadTo4(size); i++)
            if (text[i] != 0)
                return Fault(fault, cursor + 4 + i, "zero padding", text[i]);
        *input_bytes = 4 + PadTo4(size);
        return true;
    }
    if (param->type == SIGNATURE_STATE) {
        uint32_t room = input_size - cursor, dwords;
        if (room < STATE_HEAD_BYTES)
            return Fault(fault, cursor, "the head of a state", room);
        uint32_t patches = Bytes_U32(inputs + cursor + 8), ranges = Bytes_U32(inputs + cursor + 12);
        if (patches > SIGNATURE_MAX_STATE)
            return Fault(fault, cursor + 8, "at most 65536 patches", patches);
        if (ranges > SIGNATURE_MAX_STATE)
            return Fault(fault, cursor + 12, "at most 65536 ranges", ranges);
        *input_bytes = STATE_HEAD_BYTES + STATE_PAIR_BYTES * (patches + ranges);
        if (*input_bytes > room)
            return Fault(fault, cursor, "the patches and ranges of a state", room);
        SignatureState state = Signature_ReadState(inputs + cursor);
        uint32_t at = cursor + STATE_HEAD_BYTES;
        if (!CheckPairs(state.patches, patches, false, at, &dwords, fault) ||
            !CheckPairs(state.ranges, ranges, true, at + STATE_PAIR_BYTES * patches, &dwords,
                        fault))
            return false;
        *output_bytes = 4 * dwords;
        return true;
    }
    if (!ParamElements(param, count, &elements))
        return Fault(fault, cursor, "at most 4096 elements", count);
    if (elements * param->element_bytes > input_size - cursor)
        return Fault(fault, cursor, "the data of every input", input_size - cursor);
    *input_bytes = (uint32_t)elements * param->element_bytes;
    *output_bytes = IsOutput(param) ? *input_bytes : 0;
    return true;
}

static bool MapInputs(const Signature *signature, const uint8_t *inputs, uint32_t input_size,
                      SignatureMap *map, InputFault *fault) {
    int counting = -1;
    map->count = 0;

    /* The count is derived from the size of the inputs, if elements that it counts are among
     * them. */
    uint64_t fixed = 0, counted = 0;
    for (int i = 0; i < signature->param_count; i++) {
        const SignatureParam *param = &signature->params[i];
        if (!IsInput(param))
            continue;
        uint64_t bytes = (uint64_t)param->element_bytes * param->count;
        if (param->count_param >= 0)
            counted += bytes;
        else
            fixed += bytes;
    }
    const bool derived = counted > 0;
    if (derived && (input_size < fixed || (input_size - fixed) % counted != 0))
        return Fault(fault, input_size, "a whole number of counted elements", input_size);
    if (derived)
        map->count = (uint32_t)((input_size - fixed) / counted);

    uint32_t cursor = 0;
    for (int i = 0; i < signature->param_count; i++) {
        const SignatureParam *param = &signature->params[i];
        map->input_offset[i] = cursor;
        map->input_bytes[i] = map->output_bytes[i] = 0;
        if (param->count_param >= 0)
            counting = param->count_param;
        if (IsInput(param) && !MapInput(param, inputs, input_size, cursor, map->count,
                                        &map->input_bytes[i], &map->output_bytes[i], fault))
            return false;
        cursor += map->input_bytes[i];
    }
    if (cursor != input_size)
        return Fault(fault, cursor, "the end of the inputs", input_size - cursor);
    if (counting >= 0) {
        uint32_t value = Bytes_U32(inputs + map->input_offset[counting]);
        if (derived && value != map->count)
            return Fault(fault, map->input_offset[counting], "the count that the size implies",
                         value);
        map->count = value;
    }
    map->output_size = Signature_ReturnBytes(signature);
    for (int i = 0; i < signature->param_count; i++) {
        const SignatureParam *param = &signature->params[i];
        uint64_t elements;
        if (!IsInput(param)) {
            if (!ParamElements(param, map->count, &elements))
                return Fault(fault, map->input_offset[counting], "a count of at most 4096 elements",
                             map->count);
            map->output_bytes[i] = (uint32_t)elements * param->element_bytes;
        }
        map->output_offset[i] = map->output_size;
        map->output_size += map->output_bytes[i];
    }
    return true;
}

bool Signature_Map(const Signature *signature, const uint8_t *inputs, uint32_t input_size,
                   SignatureMap *map) {
    InputFault fault;
    return MapInputs(signature, inputs, input_size, map, &fault);
}

/* Checks that an opaque value is 0. Such a value means something only in the process that it comes
 * from, so a trace has 0 for it. Any other number would be passed to a function as if it were an
 * address. */
static bool OpaqueIsZero(const uint8_t *data, uint32_t bytes, uint32_t offset, InputFault *fault) {
    for (uint32_t i = 0; i < bytes; i += 4)
        if (Bytes_U32(data + offset + i) != 0)
            return Fault(fault, offset + i, "0 for what is opaque", Bytes_U32(data + offset + i));
    return true;
}

static bool ParamIsZeroWhereOpaque(const SignatureParam *param, const uint8_t *data, uint32_t bytes,
                                   uint32_t offset, InputFault *fault) {
    if (param->type == SIGNATURE_ANY)
        return OpaqueIsZero(data, bytes, offset, fault);
    for (uint32_t i = 0; param->type == SIGNATURE_STRUCT && i < bytes; i += param->element_bytes) {
        uint32_t at = offset + i;
        for (size_t k = 0; k < param->layout->field_count; k++) {
            const uint32_t size = Signature_FieldBytes(&param->layout->fields[k]);
            if (FieldType(&param->layout->fields[k])->type == SIGNATURE_ANY &&
                !OpaqueIsZero(data, size, at, fault))
                return false;
            at += size;
        }
    }
    return true;
}

static RpStatus BadData(const Signature *signature, const char *what, const InputFault *fault,
                        RpError *error) {
    char found[32];
    Text text = Text_Begin(found, sizeof found);
    Text_AppendDecimal(&text, fault->found);
    return RpError_Set(error, RP_CORRUPT, fault->offset, what, signature->function->key,
                       fault->expected, found);
}

RpStatus Signature_CheckInputs(const Signature *signature, const uint8_t *inputs,
                               uint32_t input_size, RpError *error) {
    SignatureMap map;
    InputFault fault;
    if (signature->fixed && !signature->opaque_inputs && input_size == signature->fixed_inputs)
        return RP_OK;
    bool fits = MapInputs(signature, inputs, input_size, &map, &fault);
    for (int i = 0; fits && signature->opaque_inputs && i < signature->param_count; i++)
        fits = ParamIsZeroWhereOpaque(&signature->params[i], inputs, map.input_bytes[i],
                                      map.input_offset[i], &fault);
    return fits ? RP_OK : BadData(signature, "the inputs do not fit the signature", &fault, error);
}

RpStatus Signature_CheckOutputs(const Signature *signature, const uint8_t *inputs,
                                uint32_t input_size, const uint8_t *outputs, RpError *error) {
    SignatureMap map;
    InputFault fault;
    if (!signature->opaque_outputs || !Signature_Map(signature, inputs, input_size, &map))
        return RP_OK;
    bool fits = signature->returns != SIGNATURE_ANY || OpaqueIsZero(outputs, 4, 0, &fault);
    for (int i = 0; fits && i < signature->param_count; i++)
        fits = ParamIsZeroWhereOpaque(&signature->params[i], outputs, map.output_bytes[i],
                                      map.output_offset[i], &fault);
    return fits ? RP_OK : BadData(signature, "the outputs do not fit the signature", &fault, error);
}

uint32_t Signature_ParamBytes(const Signature *signature, int param, const uint8_t *inputs,
                              uint32_t input_size) {
    SignatureMap map;
    if (param < 0 || param >= signature->param_count ||
        !Signature_Map(signature, inputs, input_size, &map))
        return SIGNATURE_MALFORMED;
    return IsInput(&signature->params[param]) ? map.input_bytes[param] : map.output_bytes[param];
}

uint32_t Signature_ReturnBytes(const Signature *signature) {
    switch (signature->returns) {
    case SIGNATURE_VOID:
        return 0;
    case SIGNATURE_F32:
        return 12;
    case SIGNATURE_REF:
        return 8;
    default:
        return 4;
    }
}

uint32_t Signature_OutputBytes(const Signature *signature, const uint8_t *inputs,
                               uint32_t input_size) {
    SignatureMap map;
    if (signature->fixed && input_size == signature->fixed_inputs)
        return signature->fixed_outputs;
    return Signature_Map(signature, inputs, input_size, &map) ? map.output_size
                                                              : SIGNATURE_MALFORMED;
}

/* ---- elements -------------------------------------------------------------------------------- */

static void AppendIndex(Text *text, uint32_t index) {
    Text_AppendChar(text, '[');
    Text_AppendDecimal(text, index);
    Text_AppendChar(text, ']');
}

static uint32_t FieldElements(const AbiStruct *layout) {
    uint32_t elements = 0;
    for (size_t i = 0; i < layout->field_count; i++)
        elements += layout->fields[i].count;
    return elements;
}

static void ParamElement(const SignatureParam *param, uint32_t bytes, uint32_t index,
                         uint32_t offset, SignatureElement *element) {
    Text path = Text_Begin(element->path, sizeof element->path);
    Text_Append(&path, param->name);
    if (param->type == SIGNATURE_CSTR) {
        element->type = SIGNATURE_CSTR;
        element->offset = offset + 4;
        return;
    }
    uint32_t fields = param->layout ? FieldElements(param->layout) : 1;

    /* An element is at "[5]", or at "[1][1]" if the elements are laid out in rows: 3x4 and 4x4
     * matrices, and counted records. */
    const uint32_t position = index / fields;
    uint32_t row = param->count_param >= 0 ? param->count : 4;
    bool matrix = param->type == SIGNATURE_F32 && param->count_param < 0 &&
                  (param->count == 16 || param->count == 12);
    if (matrix || (param->count_param >= 0 && param->count > 1)) {
        AppendIndex(&path, position / row);
        AppendIndex(&path, position % row);
    } else if ((bytes / param->element_bytes) > 1 || param->count_param >= 0) {
        AppendIndex(&path, position);
    }

    if (param->layout) {
        /* One element of a record: the fields before it are passed over. */
        const AbiField *field = param->layout->fields;
        uint32_t within = index % fields, at = offset + index / fields * param->element_bytes;
        for (; within >= field->count; field++) {
            within -= field->count;
            at += Signature_FieldBytes(field);
        }
        const TypeName *type = FieldType(field);
        Text_AppendChar(&path, '.');
        Text_Append(&path, field->name);
        if (field->count > 1)
            AppendIndex(&path, within);
        element->type = type->type;
        element->size = type->bytes;
        element->offset = at + within * type->bytes;
        return;
    }
    element->type = param->type;
    element->size = param->element_bytes;
    element->offset = offset + index * param->element_bytes;
}

/* Patches and ranges are both runs of dwords at offsets of the memory. In the inputs, the data of a
 * patch follows its offset. In the outputs, the data of all ranges stands in a row. */
static uint32_t RunDwords(const SignatureState *state, bool outputs, uint32_t run) {
    return outputs ? Bytes_U32(state->ranges + STATE_PAIR_BYTES * run + 4) : 1;
}

static uint32_t RunOffset(const SignatureState *state, bool outputs, uint32_t run) {
    return Bytes_U32((outputs ? state->ranges : state->patches) + STATE_PAIR_BYTES * run);
}

static void EnterRun(SignatureCursor *cursor) {
    const SignatureState *state = &cursor->state;
    uint32_t runs = cursor->outputs ? state->range_count : state->patch_count;
    cursor->run_next = cursor->run_count = 0;
    if (cursor->run < runs)
        cursor->run_count = SignatureState_Elements(RunOffset(state, cursor->outputs, cursor->run),
                                                    RunDwords(state, cursor->outputs, cursor->run));
}

static uint32_t ParamOffset(const SignatureCursor *cursor) {
    const SignatureMap *map = &cursor->map;
    return cursor->outputs ? map->output_offset[cursor->param] : map->input_offset[cursor->param];
}

static uint32_t ParamBytes(const SignatureCursor *cursor) {
    const SignatureMap *map = &cursor->map;
    return cursor->outputs ? map->output_bytes[cursor->param] : map->input_bytes[cursor->param];
}

/* Makes `cursor->param` the current parameter, if it occurs in what the cursor walks over (inputs
 * or outputs). */
static void EnterParam(SignatureCursor *cursor) {
    cursor->next = cursor->count = cursor->run = cursor->run_count = 0;
    if (cursor->param < 0 || cursor->param >= cursor->signature->param_count)
        return;
    const SignatureParam *param = &cursor->signature->params[cursor->param];
    if (!(cursor->outputs ? IsOutput(param) : IsInput(param)))
        return;
    if (param->type != SIGNATURE_STATE) {
        const uint32_t bytes = ParamBytes(cursor);
        cursor->count = 1;
        if (param->type != SIGNATURE_CSTR) {
            uint32_t records = bytes / param->element_bytes;
            cursor->count = param->layout ? records * FieldElements(param->layout) : records;
        }

        return;
    }
    cursor->state = Signature_ReadState(cursor->inputs + cursor->map.input_offset[cursor->param]);
    cursor->count = !cursor->outputs; /* the pointer */
    cursor->run_offset = ParamOffset(cursor) + (cursor->outputs ? 0 : STATE_HEAD_BYTES + 4);
    EnterRun(cursor);
}

static SignatureCursor Begin(const Signature *signature, const uint8_t *inputs, uint32_t input_size,
                             bool outputs) {
    SignatureCursor cursor = {.signature = signature, .inputs = inputs, .outputs = outputs};
    if (!Signature_Map(signature, inputs, input_size, &cursor.map))
        cursor.param = signature->param_count;
    else if (outputs && Signature_ReturnBytes(signature) > 0)
        cursor.param = -1;
    EnterParam(&cursor);
    return cursor;
}

SignatureCursor Signature_OutputElements(const Signature *signature, const uint8_t *inputs,
                                         uint32_t input_size) {
    return Begin(signature, inputs, input_size, true);
}

SignatureCursor Signature_InputElements(const Signature *signature, const uint8_t *inputs,
                                        uint32_t input_size) {
    return Begin(signature, inputs, input_size, false);
}

bool Signature_NextElement(SignatureCursor *cursor, SignatureElement *element) {
    const Signature *signature = cursor->signature;
    if (cursor->param < 0) {
        Text path = Text_Begin(element->path, sizeof element->path);
        Text_Append(&path, "return");
        element->type = signature->returns;
        element->offset = 0;
        element->size = Signature_ReturnBytes(signature);

        cursor->param++;
        EnterParam(cursor);
    } else {
        for (; cursor->next == cursor->count && cursor->run_count == 0; EnterParam(cursor))
            if (++cursor->param >= signature->param_count)
                return false;
        const SignatureParam *param = &signature->params[cursor->param];
        if (cursor->next == cursor->count) {
            SignatureState_Element(RunOffset(&cursor->state, cursor->outputs, cursor->run),
                                   cursor->run_next++, element);
            element->offset += cursor->run_offset;
            if (cursor->run_next >= cursor->run_count) {
                cursor->run_offset += cursor->outputs
                                          ? 4 * RunDwords(&cursor->state, true, cursor->run)
                                          : STATE_PAIR_BYTES;
                cursor->run++;
                EnterRun(cursor);
            }
        } else if (param->type == SIGNATURE_STATE) {
            /* The pointer of a state is its first element in the inputs. */
            const uint32_t offset = ParamOffset(cursor);
            Text path = Text_Begin(element->path, sizeof element->path);
            Text_Append(&path, param->name);
            element->type = SIGNATURE_REF;
            element->size = 8;
            element->offset = offset;
        } else {
            ParamElement(param, ParamBytes(cursor), cursor->next, ParamOffset(cursor), element);
        }
        if (param->type == SIGNATURE_CSTR)
            element->size = Bytes_U32(cursor->inputs + ParamOffset(cursor));
        cursor->next += cursor->next < cursor->count;
    }
    element->compared = element->type != SIGNATURE_ANY;
    return true;
}
