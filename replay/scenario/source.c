#include "replay/scenario/source.h"

#include "animesh/records.h"
#include "core/bytes.h"
#include "replay/scenario/calls.h"

#include <stdlib.h>

struct ScenarioSource {
    ScenarioContext context;
    RpBuffer memory_bytes; /* a trace without calls */
    TraceReader *memory;
    CallMaker **makers;
    ScenarioCall call;
};

/* At the ends of the 16-bit range the ways to scale a component differ in whether they are exact.
 * Hardly any key of the corpus has such components, so every fifth key here gets a rotation that
 * does. */
static void PutExtremes(Random *random, ModelImage *image) {
    static const int16_t extremes[] = {32767, -32767, -32768, 0, 0, 0, 1, 16384};
    const ModelStream *keys = ModelImage_Stream(image, 8);
    for (uint32_t key = Random_Below(random, 2); key < image->key_count; key += 5)
        for (uint32_t i = 0; i < 4; i++) {
            uint8_t *at = image->bytes + keys->offset + key * KEY_BYTES + KEY_AT_rotation + 2 * i;
            Bytes_PutU16(at, (uint16_t)extremes[Random_Below(random, 8)]);
        }
}

/* Puts two neighbouring keys at right angles, so that each product has its own negative among the
 * others and the dot product is 0. Then only the order of the sum decides its sign, and with it
 * which of the keys is negated. No other angle shows this. */
static void PutRightAngles(Random *random, ModelImage *image) {
    static const uint8_t partners[3][4] = {{1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}};
    uint8_t *keys = image->bytes + ModelImage_Stream(image, 8)->offset;
    for (uint32_t k = Random_Below(random, 4); k + 1 < image->key_count; k += 6) {
        const uint8_t *from = keys + k * KEY_BYTES, *partner = partners[Random_Below(random, 3)];
        for (uint32_t i = 0; i < 4; i++) {
            int value = (int16_t)Bytes_U16(from + KEY_AT_rotation + (size_t)2 * partner[i]);
            value = value == -32768 ? 0 : partner[i] > i ? -value : value;
            uint8_t *to = keys + (k + 1) * KEY_BYTES + KEY_AT_rotation + 2 * i;
            Bytes_PutU16(to, (uint32_t)value);
        }
    }
}

RpStatus ScenarioSource_Open(uint64_t seed, ScenarioSource **result, RpError *error) {
    TraceCall call;
    bool found;
    ScenarioSource *source = calloc(1, sizeof *source);
    *result = NULL;
    if (!source)
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for calls", "", "", "");
    RpBuffer_Init(&source->memory_bytes, NULL);
    source->context.name = "function";
    source->context.is_search = true;
    source->context.seed = seed;
    source->context.error = error;
    source->makers = calloc(abi_function_count, sizeof *source->makers);
    RpStatus status = source->makers ? RP_OK
                                     : RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE,
                                                   "no memory for calls", "", "", "");
    TraceHeader header;
    TraceWriter *writer = NULL;
    TraceHeader_Init(&header);
    if (!status)
        status = TraceHeader_Set(&header, "producer", "retropose", error);
    if (!status)
        status = TraceWriter_CreateBuffer(&source->memory_bytes, &header, &writer, error);
    if (!status) {
        ScenarioContext *context = &source->context;
        Random random = Random_Start("extremes", seed, 0);
        for (uint32_t i = 0; i < CORPUS_MODELS && !status; i++) {
            if (Scenario_Model(context, i)) {
                PutExtremes(&random, &context->models[i]);
                PutRightAngles(&random, &context->models[i]);
            } else {
                status = context->status;
            }
        }
        if (!status)
            status = Scenario_WriteMemories(context, writer);
        if (!status)
            status = TraceWriter_Close(writer, error);
        else
            TraceWriter_Abandon(writer);
    }

    /* The trace is read to its end, because a reader knows only the memories that it has read
     * past. */
    if (!status)
        status = TraceReader_OpenBuffer(source->memory_bytes.bytes, source->memory_bytes.size,
                                        "the memories of calls", &source->memory, error);
    if (!status)
        status = TraceReader_Next(source->memory, &call, &found, error);
    for (size_t i = 0; !status && i < abi_function_count; i++)
        source->makers[i] = Function_Maker(&abi_functions[i]);
    if (status)
        ScenarioSource_Close(source);
    else
        *result = source;
    return status;
}

void ScenarioSource_Close(ScenarioSource *source) {
    if (!source)
        return;
    Scenario_Free(&source->context);
    TraceReader_Close(source->memory);
    RpBuffer_Free(&source->memory_bytes);
    free(source->makers);
    free(source);
}

bool ScenarioSource_Has(const AbiFunction *function) {
    return Function_Maker(function) != NULL;
}

const TraceReader *ScenarioSource_Memory(const ScenarioSource *source) {
    return source->memory;
}

RpStatus ScenarioSource_Call(ScenarioSource *source, const AbiFunction *function, uint64_t index,
                             TraceCall *call, RpError *error) {
    ScenarioCall *made = &source->call;
    source->context.error = error;
    const Signature *signature = Scenario_Signature(&source->context, function);
    if (!signature)
        return source->context.status;
    source->context.function = function;
    Function_Call(&source->context, source->makers[function - abi_functions], index, made);
    if (source->context.status)
        return source->context.status;
    *call = ScenarioCall_ToRun(made, function, index);
    call->signature = signature;
    return RP_OK;
}
