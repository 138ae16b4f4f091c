/* Puts one call of a scenario together, argument by argument. */
#include "replay/scenario/calls.h"

#include "core/bytes.h"

#include <stdlib.h>
#include <string.h>

void Call_Begin(ScenarioCall *call, const char *key) {
    /* A key that has named a function before needs only one comparison. Its text may stand at any
     * address, and another text may come to stand there. */
    enum { PLACES = 2048 };
    static _Thread_local const AbiFunction *found[PLACES];
    const AbiFunction **place = &found[(uint32_t)(uintptr_t)key * 0x9E3779B9u >> 21];
    if (!*place || strcmp((*place)->key, key) != 0)
        *place = Abi_Find(key);

    call->function = *place;
    call->control = SCENARIO_CONTROL;
    call->mxcsr = SCENARIO_MXCSR;
    call->input_size = 0;
    call->memory_count = 0;
}

const Signature *Scenario_Signature(ScenarioContext *context, const AbiFunction *function) {
    if (!context->signatures)
        context->signatures = calloc(abi_function_count, sizeof *context->signatures);
    if (!context->signatures) {
        context->status = RpError_Set(context->error, RP_NO_MEMORY, RP_NOWHERE,
                                      "no memory for a scenario", "", "", "");
        return NULL;
    }
    Signature *signature = &context->signatures[function - abi_functions];
    if (!signature->function)
        context->status = Signature_Parse(function, signature, context->error);
    return context->status ? NULL : signature;
}

void Call_Word(ScenarioCall *call, uint32_t value) {
    Bytes_PutU32(call->inputs + call->input_size, value);
    call->input_size += 4;
}

void Call_Words(ScenarioCall *call, const uint32_t *values, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        Call_Word(call, values[i]);
}

static void NameMemory(ScenarioCall *call, uint32_t memory) {
    for (uint32_t i = 0; i < call->memory_count; i++)
        if (call->memories[i] == memory)
            return;
    call->memories[call->memory_count++] = memory;
}

void Call_Reference(ScenarioCall *call, uint32_t memory, uint32_t offset) {
    Call_Word(call, memory);
    Call_Word(call, offset);
    NameMemory(call, memory);
}

void Call_Null(ScenarioCall *call) {
    Call_Word(call, TRACE_NO_MEMORY);
    Call_Word(call, 0);
}

void Call_Image(ScenarioCall *call, uint32_t memory) {
    Call_Word(call, memory);
    NameMemory(call, memory);
}

void Call_Text(ScenarioCall *call, const char *text) {
    uint32_t size = (uint32_t)strlen(text) + 1;
    Call_Word(call, size);
    memcpy(call->inputs + call->input_size, text, size);
    call->input_size += size;
    while (call->input_size % 4 != 0)
        call->inputs[call->input_size++] = 0;
}

void Call_SetWord(Random *random, uint32_t word, ScenarioCall *call) {
    static const uint8_t precisions[3] = {0, 2, 3};
    uint32_t rounding = word / 3;
    uint32_t sse_rounding = Random_OneIn(random, 8) ? Random_Below(random, 4) : rounding;
    call->control = (uint16_t)(0x007Fu | (uint32_t)precisions[word % 3] << 8 | rounding << 10);
    call->mxcsr = SCENARIO_MXCSR | sse_rounding << 13;
}
