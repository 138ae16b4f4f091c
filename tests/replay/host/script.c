#include "script.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void Check(RpStatus status, const RpError *error) {
    char message[1024];
    if (status == RP_OK)
        return;
    RpError_Format(error, message, sizeof message);
    print_error("%s\n", message);
    fail();
}

void Script_Begin(Script *script, const char *name, const char *const *headers) {
    TraceHeader header;
    RpError error;
    memset(script, 0, sizeof *script);
    script->control = 0x007F;
    script->mxcsr = 0x1F80;
    snprintf(script->input, sizeof script->input, "%s/%s.in.rptrace", TEST_FOLDER, name);
    snprintf(script->output, sizeof script->output, "%s/%s.out.rptrace", TEST_FOLDER, name);
    TraceHeader_Init(&header);
    for (; headers && headers[0]; headers += 2)
        Check(TraceHeader_Set(&header, headers[0], headers[1], &error), &error);
    Check(TraceWriter_Create(script->input, &header, false, &script->writer, &error), &error);
}

void Script_Memory(Script *script, uint32_t id, const void *bytes, uint32_t size,
                   const TraceRelocation *relocations, uint32_t relocation_count) {
    RpError error;
    TraceMemory memory = {id, size, bytes, relocation_count, relocations};
    Check(TraceWriter_Memory(script->writer, &memory, &error), &error);
}

uint64_t Script_Call(Script *script, const char *key, const void *inputs, uint32_t size) {
    Signature signature;
    RpError error;
    const AbiFunction *function = Abi_Find(key);
    assert_non_null(function);
    Check(Signature_Parse(function, &signature, &error), &error);
    TraceCall call = {.function = function,
                      .signature = &signature,
                      .sequence = script->next,
                      .control_in = script->control,
                      .control_out = script->control,
                      .mxcsr_in = script->mxcsr,
                      .mxcsr_out = script->mxcsr,
                      .inputs = inputs,
                      .input_size = size};
    Check(TraceWriter_Call(script->writer, &call, &error), &error);
    return script->next++;
}

void Script_End(Script *script) {
    RpError error;
    Check(TraceWriter_Close(script->writer, &error), &error);
}

static void Keep(ScriptResults *results, const TraceCall *call) {
    assert_int_equal(call->sequence, results->count);
    /* the array grows when the count is a power of two */
    if ((results->count & (results->count - 1)) == 0) {
        size_t capacity = results->count ? (size_t)results->count * 2 : 1;
        results->calls = realloc(results->calls, capacity * sizeof *results->calls);
        assert_non_null(results->calls);
    }
    ScriptResult *result = &results->calls[results->count++];
    memset(result, 0, sizeof *result);
    result->outcome = call->outcome;
    result->violations = call->violations;
    result->control_out = call->control_out;
    result->mxcsr_out = call->mxcsr_out;
    result->size = call->output_size;
    assert_true(call->output_size <= sizeof result->words);
    memcpy(result->words, call->outputs, call->output_size);
}

ScriptResults Script_Run(const Script *script, const Provider *provider,
                         const ProviderOptions *options) {
    ScriptResults results = {0};
    TraceReader *reader;
    RpError error;
    Check(Provider_Run(provider, script->input, script->output, options, &error), &error);
    Check(TraceReader_Open(script->output, &reader, &error), &error);
    results.header = *TraceReader_Header(reader);
    for (;;) {
        TraceCall call;
        bool found;
        Check(TraceReader_Next(reader, &call, &found, &error), &error);
        if (!found)
            break;
        Keep(&results, &call);
    }
    assert_int_equal(results.count, script->next);
    TraceReader_Close(reader);
    remove(script->input);
    remove(script->output);
    return results;
}

void Script_Free(ScriptResults *results) {
    free(results->calls);
}
