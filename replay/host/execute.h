/* Executes one call of a trace: makes arguments and memory of its inputs, and outputs of what the
 * call did. */
#ifndef RETROPOSE_REPLAY_HOST_EXECUTE_H
#define RETROPOSE_REPLAY_HOST_EXECUTE_H

#include "replay/host/invoke.h"
#include "replay/host/nresfile.h"
#include "replay/host/pair.h"
#include "replay/host/state_memory.h"
#include "replay/host/trace_memory.h"

typedef struct Buffer {
    uint32_t offset, bytes; /* the bytes that the function sees, within the room */
    uint32_t data_bytes;    /* the size of the same data in a trace */
    /* the size in the outputs: that of its ranges for a state, otherwise data_bytes or 0 */
    uint32_t output_bytes;
} Buffer;

/* How a parameter of a plain function is passed. */
typedef enum StepKind {
    STEP_WORD,
    STEP_REFERENCE,
    STEP_IN,
    STEP_OUT,
    STEP_INOUT,
    STEP_STATE
} StepKind;

typedef struct Step {
    StepKind kind;
    uint32_t place;         /* the place of the argument in `words` of CallPlain */
    uint32_t offset, bytes; /* the buffer, within the plain room */
} Step;

/* What stays the same for every call of a function. A function is plain if its parameters are
 * numbers, references, buffers whose number of elements is the same in each call, and perhaps a
 * state. Each plain function has buffers of its own, and the bytes around them stay filled from
 * call to call. */
typedef struct Plan {
    /* the signature for which it was made; null while it has not been made */
    const Signature *signature;
    bool refused; /* not called unless --trust is given */
    bool plain;
    int state_param;
    /* this and room_used count only if the signature is fixed */
    Buffer buffers[SIGNATURE_MAX_PARAMS];
    uint32_t room_used;
    /* the row for which the places of the steps were made; null while there is none */
    const PairFunction *row;
    uint32_t stack_count;
    uint32_t base, size;    /* the function's part of the plain room */
    uint32_t plain_outputs; /* bytes of a plain function's outputs without those of its state */
    uint32_t before_state;  /* bytes of outputs in front of those of its state */
    Step steps[SIGNATURE_MAX_PARAMS];
} Plan;

/* All that the calls of a trace need besides the pair. */
typedef struct Executor {
    Pair *pair;
    InvokeFrame *frame; /* the frame of the pair's guest */
    Memory memory;
    States states;
    NResFiles nresfiles;
    Plan *plans;         /* indexed by the row of abi_functions */
    uint8_t *room;       /* what the function is given */
    uint8_t *before;     /* a copy of the room as the function was given it */
    uint8_t *plain_room; /* what plain functions are given */
    uint32_t room_address, plain_address;
    uint32_t plain_used;
    bool defers_guards;
    uint8_t *own_outputs;
    /* The rest is about the current call. */
    uint8_t *outputs;
    uint32_t room_used;
    Buffer buffers[SIGNATURE_MAX_PARAMS];
    SignatureState object;
    uint32_t object_address;
} Executor;

/* Begins with a loaded pair, which must outlive the executor. Execute_End frees what the executor
 * has, also after an error. */
RpStatus Execute_Begin(Executor *executor, Pair *pair, RpError *error);
void Execute_End(Executor *executor);
/* Forgets the memories of the trace, so that another trace may follow. */
void Execute_Forget(Executor *executor);

/* From now on Execute_Call does not check the bytes around buffers of numbers. Execute_GuardsHold
 * checks them for all calls since the last time, but cannot tell which call changed them. */
void Execute_DeferGuards(Executor *executor);
bool Execute_GuardsHold(Executor *executor);

/* Makes the call, and fills outcome, violations, outputs and the state words of `call`. The outputs
 * are written to `outputs`, which has room for `capacity` bytes, at least for those of a crash. If
 * `outputs` is null, the outputs are valid until the next call. Without `trust`, functions that
 * Abi_WhyTrust names are not called. Returns RP_OK whatever the function did, and an error where
 * the call cannot be set up. After TRACE_EXITED and TRACE_TIMED_OUT nobody knows what the pair was
 * doing, so no further call may follow. */
RpStatus Execute_Call(Executor *executor, TraceCall *call, bool trust, uint8_t *outputs,
                      uint32_t capacity, RpError *error);

#endif
