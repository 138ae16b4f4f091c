/* Writes a trace call by call, has it run by a provider, and gives the results by sequence
 * number. */
#ifndef RETROPOSE_TESTS_REPLAY_HOST_SCRIPT_H
#define RETROPOSE_TESTS_REPLAY_HOST_SCRIPT_H

#include "replay/provider/provider.h"

#include <string.h>

typedef struct Script {
    TraceWriter *writer;
    char input[512], output[512];
    uint64_t next; /* next sequence number */
    uint16_t control;
    uint32_t mxcsr;
} Script;

typedef struct ScriptResult {
    uint8_t outcome, violations;
    uint16_t control_out;
    uint32_t mxcsr_out;
    uint32_t size;
    uint32_t words[352]; /* the beginning of the outputs */
} ScriptResult;

typedef struct ScriptResults {
    ScriptResult *calls; /* indexed by sequence number */
    uint64_t count;
    TraceHeader header;
} ScriptResults;

/* Begins a trace. `headers` is a list of keys and values that ends with null. */
void Script_Begin(Script *script, const char *name, const char *const *headers);
void Script_Memory(Script *script, uint32_t id, const void *bytes, uint32_t size,
                   const TraceRelocation *relocations, uint32_t relocation_count);
/* Adds a call and returns its sequence number. */
uint64_t Script_Call(Script *script, const char *key, const void *inputs, uint32_t size);
void Script_End(Script *script);
/* Runs the trace and demands that every call came back, in order. */
ScriptResults Script_Run(const Script *script, const Provider *provider,
                         const ProviderOptions *options);
void Script_Free(ScriptResults *results);

/* Returns an argument or a result as its dword. */
static inline uint32_t Bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Demands that a result begins with these words. */
#define SCRIPT_BEGINS(result, ...)                                                                 \
    assert_memory_equal((result).words, ((const uint32_t[]){__VA_ARGS__}),                         \
                        sizeof((const uint32_t[]){__VA_ARGS__}))

#endif
