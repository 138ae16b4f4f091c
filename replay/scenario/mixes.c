/* Makes the scenarios that put other values, control words or processor classes around the same
 * calls. */
#include "core/bytes.h"
#include "replay/scenario/calls.h"

#include "exports/ngi32.abi.h"

#include <string.h>

/* ---- edges ----------------------------------------------------------------------------------- */

void Call_FindFloats(ScenarioContext *context, const ScenarioCall *call, FloatInputs *floats) {
    SignatureMap map;
    const Signature *signature = Scenario_Signature(context, call->function);
    floats->count = 0;
    if (!signature || !Signature_Map(signature, call->inputs, call->input_size, &map))
        return;
    for (int i = 0; i < signature->param_count; i++) {
        if (signature->params[i].type != SIGNATURE_F32 ||
            signature->params[i].direction == SIGNATURE_OUT)
            continue;
        for (uint32_t at = 0; at < map.input_bytes[i]; at += 4)
            floats->offsets[floats->count++] = (uint16_t)(map.input_offset[i] + at);
    }
}

/* Repairs t_a, t_b and the weight of a blend. They follow the reference to the piece. */
static void RepairBlend(ScenarioCall *call) {
    uint32_t values[3];
    for (uint32_t i = 0; i < 3; i++)
        values[i] = Bytes_U32(call->inputs + 8 + 4 * i);
    Blend_Repair(&values[0], &values[1], &values[2]);
    for (uint32_t i = 0; i < 3; i++)
        Bytes_PutU32(call->inputs + 8 + 4 * i, values[i]);
}

/* Puts special values into the inputs of a call. The first pass over a function puts each of
 * them into each position, one at a time; after that, positions and values are random, often two
 * at once. */
static void PutSpecials(Random *random, uint64_t turn, const FloatInputs *floats,
                        ScenarioCall *call) {
    if (floats->count == 0)
        return;
    uint64_t pass = (uint64_t)floats->count * special_value_count;
    if (turn < pass) {
        Bytes_PutU32(call->inputs + floats->offsets[turn % floats->count],
                     special_values[turn / floats->count]);
        return;
    }
    uint32_t count = 1 + Random_Below(random, 3);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t place = Random_Below(random, floats->count);
        Bytes_PutU32(call->inputs + floats->offsets[place], Value_Special(random));
    }
}

void Edges_Call(ScenarioContext *context, uint64_t index, ScenarioCall *call) {
    Random random = Random_Start(context->name, context->seed, index);
    uint32_t functions = numeric_function_count + 2;
    uint32_t function = (uint32_t)(index % functions);
    FloatInputs floats;
    if (function < numeric_function_count)
        numeric_functions[function].make(context, &random, call);
    else if (function == numeric_function_count)
        Pose_Call(context, &random, call);
    else
        Blend_Call(context, &random, call);
    if (context->status == RP_OK)
        Call_FindFloats(context, call, &floats);
    if (context->status != RP_OK)
        return;
    PutSpecials(&random, index / functions, &floats, call);
    if (function == numeric_function_count + 1)
        RepairBlend(call);
}

/* ---- control words --------------------------------------------------------------------------- */

/* There are three precisions (24, 53 and 64 bits; 01 is reserved) and four roundings. 0x007F is the
 * game's word, 0x027F that of Windows, 0x037F the processor's. MXCSR mostly rounds as the word
 * does. */
#define WORDS 12
/* Makes the calls of other scenarios. Each call is made under all words before the next one, so
 * that a difference under one word stands beside the same call under the others. */
void Words_Call(ScenarioContext *context, uint64_t index, ScenarioCall *call) {
    static const struct {
        ScenarioMaker *make;
        uint8_t share,
            /* the maker makes `share` of every eight calls, and this is number `place` of these */
            place;
    } kinds[8] = {{Poses_Call, 1, 0},  {Edges_Call, 2, 0}, {Slots_Call, 4, 0}, {Slots_Call, 4, 1},
                  {Blends_Call, 1, 0}, {Edges_Call, 2, 1}, {Slots_Call, 4, 2}, {Slots_Call, 4, 3}};
    uint64_t turn = index / WORDS, kind = turn % 8;
    Random random = Random_Start("control words", context->seed, index);
    /* If only the words change, the last call is still in *call. */
    if (context->last_made != call || context->last_turn != turn)
        kinds[kind].make(context, turn / 8 * kinds[kind].share + kinds[kind].place, call);
    context->last_made = context->status == RP_OK ? call : NULL;
    context->last_turn = turn;
    Call_SetWord(&random, (uint32_t)(index % WORDS), call);
}

/* Takes each of the 65536 control words once, those with unmasked exceptions and reserved bits,
 * too. Multiplying by an odd number permutes the words, so that every slice has words of each
 * kind. */
void ControlWords_Call(ScenarioContext *context, uint64_t index, ScenarioCall *call) {
    (void)context;
    Call_Begin(call, "ngi32.SetFpuControlWord");
    call->control = (uint16_t)(index * 0x9E37u);
}

/* ---- processor classes ----------------------------------------------------------------------- */

/* Makes calls whose result depends on the processor's class: calls of the slots, and of what uses
 * them. */
void Classes_Call(ScenarioContext *context, uint64_t index, ScenarioCall *call) {
    Random random = Random_Start(context->name, context->seed, index);
    do {
        /* Numbers three times out of four, else a pose or a blend. */
        switch (Random_Below(&random, 8)) {
        case 0:
            Pose_Call(context, &random, call);
            break;
        case 1:
            Blend_Call(context, &random, call);
            break;
        default:
            numeric_functions[Random_Below(&random, numeric_function_count)].make(context, &random,
                                                                                  call);
            break;
        }
    } while (context->status == RP_OK && !(call->function->kind == ABI_SLOT ||
                                           strcmp(call->function->name, "SampleNode") == 0 ||
                                           strcmp(call->function->name, "BlendPoses") == 0));
}

/* ---- one function ---------------------------------------------------------------------------- */

/* Returns whether `rows` calls the function: every slot that computes something, with or without
 * a maker of its own. */
static bool IsRow(const AbiFunction *function) {
    return function->kind == ABI_SLOT && function->provider == ABI_NATIVE;
}

enum { MOST_ELEMENTS = 8 }; /* the most elements of a list whose length another parameter gives */

void Row_Call(ScenarioContext *context, Random *random, ScenarioCall *call) {
    const uint32_t elements = Random_Below(random, MOST_ELEMENTS + 1);
    Call_Begin(call, context->function->key);
    const Signature *signature = Scenario_Signature(context, context->function);
    for (int i = 0; signature && i < signature->param_count; i++)
        if (signature->params[i].direction != SIGNATURE_OUT) {
            const SignatureParam *param = &signature->params[i];
            const uint32_t count = param->count * (param->count_param >= 0 ? elements : 1);
            const Magnitude magnitude = Value_Magnitude(random);
            bool is_count = false; /* whether it says how many elements another one has */
            for (int k = 0; k < signature->param_count; k++)
                is_count |= signature->params[k].count_param == i;
            for (uint32_t element = 0; element < count; element++)
                if (is_count)
                    Call_Word(call, elements);
                else if (param->type == SIGNATURE_REF)
                    Call_Null(call);
                else if (param->type == SIGNATURE_F32)
                    Call_Word(call, Value_Random(random, magnitude));
                else
                    Call_Word(call, Random_Below(random, MOST_ELEMENTS));
        }
}

CallMaker *Function_Maker(const AbiFunction *function) {
    static const NumericFunction others[] = {{"animesh.SampleNode", Pose_Call},
                                             {"animesh.BlendPoses", Blend_Call},
                                             {"animesh.PoseWalk", StillWalk_Call},
                                             {"animesh.IAnimation.25", StillPhase_Call},
                                             {"animesh.IAnimation.10", StillNodePhase_Call}};
    for (uint32_t i = 0; i < numeric_maker_count; i++)
        if (strcmp(numeric_functions[i].key, function->key) == 0)
            return numeric_functions[i].make;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(others[i].key, function->key) == 0)
            return others[i].make;
    return IsRow(function) ? Row_Call : NULL;
}

/* Makes a call of one function. Of eight calls four are ordinary, three hold special values, and
 * two run under another word; one of these two holds special values, too. A search gets more NaNs
 * than `rows`. */
void Function_Call(ScenarioContext *context, CallMaker *make, uint64_t index, ScenarioCall *call) {
    Random random = Random_Start("function", context->seed, index);
    uint32_t kind = (uint32_t)(index % 8);
    FloatInputs floats;
    (kind == 6 && make == Blend_Call ? KeyBlend_Call : make)(context, &random, call);
    if (context->status != RP_OK)
        return;
    if (kind == 7 && index % 64 == 7 &&
        (strcmp(call->function->key, "ngi32.slot17") == 0 ||
         strcmp(call->function->key, "ngi32.slot22") == 0)) {
        /* The quaternions have the dot product 1 - 43980465 * 2^-42. It lies between the two
         * readings of 1e-5: 43980464 * 2^-42 as binary32, 43980465.11 * 2^-42 as binary64. */
        uint32_t place = Random_Below(&random, 4),
                 other = (place + 1 + Random_Below(&random, 3)) % 4;
        for (uint32_t i = 0; i < 8; i++)
            Bytes_PutU32(call->inputs + 4 * i, 0);
        Bytes_PutU32(call->inputs + 4 * place, FLOAT_ONE);
        Bytes_PutU32(call->inputs + 16 + 4 * place, Float_FromInteger((1 << 24) - 168, -24));
        Bytes_PutU32(call->inputs + 4 * other, Float_FromInteger(1, -20));
        Bytes_PutU32(call->inputs + 16 + 4 * other, Float_FromInteger(59727, -22));
    }
    if (kind == 1 || kind == 3 || kind == 5) {
        Call_FindFloats(context, call, &floats);
        if (context->status == RP_OK)
            PutSpecials(&random, index / 8 * 3 + kind / 2, &floats, call);
        if (context->status == RP_OK && context->is_search && index % 32 == 9) {
            /* Half of the inputs become NaNs, and half of these are signalling. No two have the
             * same payload, so that the result tells which of them it is (reading operands). */
            enum { QUIET = 0x00400000, PAYLOAD = 0x003FFFFF };
            for (uint32_t i = 0; i < floats.count; i++) {
                const uint32_t draw = (uint32_t)Random_Next(&random);
                const uint32_t payload = (draw & PAYLOAD & ~0x3Fu) | (i + 1);
                if (draw & 1u << 30)
                    Bytes_PutU32(call->inputs + floats.offsets[i],
                                 (draw & FLOAT_SIGN) | FLOAT_INFINITY | (draw & QUIET) | payload);
            }
        }
        if (make == Blend_Call)
            RepairBlend(call);
    }
    if (kind == 5 || kind == 7)
        Call_SetWord(&random, Random_Below(&random, WORDS), call);
}

/* Takes the slots in turn, each with calls of its own stream, so that a new row of the table
 * changes the places of the calls and not the calls. */
void Rows_Call(ScenarioContext *context, uint64_t index, ScenarioCall *call) {
    uint32_t count = 0;
    for (size_t i = 0; i < abi_function_count; i++)
        count += IsRow(&abi_functions[i]);
    uint64_t place = index % count;
    context->function = abi_functions;
    while (!IsRow(context->function) || place-- > 0)
        context->function++;
    Function_Call(context, Function_Maker(context->function), index / count, call);
}

/* ---- functions that do nothing --------------------------------------------------------------- */

static bool IsStub(const AbiFunction *function) {
    return function->kind == ABI_EXPORT && function->provider == ABI_NOOP &&
           function->params_evidence != ABI_UNKNOWN;
}

/* Calls the empty exports, of which only the result and the stack can be compared. One call in
 * sixteen writes a line of debug output. */
void Stubs_Call(ScenarioContext *context, uint64_t index, ScenarioCall *call) {
    static const char *const lines[] = {"", "a", "one line\n", "100% of %s and %d"};
    Random random = Random_Start(context->name, context->seed, index);
    if (index % 16 == 0) {
        Call_Begin(call, "ngi32.niOutputDebugString");
        Call_Text(call, lines[Random_Below(&random, sizeof lines / sizeof *lines)]);
    } else {
        uint32_t count = 0;
        for (size_t i = 0; i < abi_function_count; i++)
            count += IsStub(&abi_functions[i]);
        uint32_t wanted = (uint32_t)((index / 16 * 15 + index % 16) % count);
        const AbiFunction *function = abi_functions;
        while (!(IsStub(function) && wanted-- == 0))
            function++;
        Call_Begin(call, function->key);
        for (const char *param = function->params; *param; param++)
            if (param == function->params || param[-1] == ',')
                Call_Word(call, (uint32_t)Random_Next(&random));
    }
}

/* Asks for the entries one after the other, beginning where the seed says. What the original
 * returns for an index past the table is not published. */
void Table_Call(ScenarioContext *context, uint64_t index, ScenarioCall *call) {
    const uint64_t entries = ABI_NGI32_FASTPROC_COUNT;
    Random random = Random_Start(context->name, context->seed, index / entries);
    const uint32_t first = Random_Below(&random, ABI_NGI32_FASTPROC_COUNT);
    Call_Begin(call, "ngi32.niGetProcAddress");
    Call_Word(call, (uint32_t)((first + index) % entries));
}
