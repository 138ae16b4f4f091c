/* Executes one call of a trace: makes arguments and memory of its inputs, and outputs of what it
 * did. */
#ifndef RETROPOSE_REPLAY_HOST_EXECUTE_H
#define RETROPOSE_REPLAY_HOST_EXECUTE_H

#include "replay/host/invoke.h"
#include "replay/host/memory.h"
#include "replay/host/nresfile.h"
#include "replay/host/pair.h"
#include "replay/host/state.h"

typedef struct Buffer {
    uint32_t offset, bytes; /* of what the function sees, within the room */
    uint32_t data_bytes;    /* of the same data in a trace */
    uint32_t output_bytes;  /* in the outputs; of a state its ranges, else data_bytes or 0 */
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
    uint32_t place;         /* of the argument in `words` of CallPlain */
    uint32_t offset, bytes; /* of the buffer, within the plain room */
} Step;

/* What stays the same for every call of a function. Plain functions take numbers, references,
 * buffers of numbers, and as many of these in each call, and perhaps a state. Each of them has
 * buffers of its own, whose surroundings stay filled from call to call. */
typedef struct Plan {
    const Signature *signature; /* that it was made for; null: it was not made yet */
    bool refused;               /* not without --trust */
    bool plain;
    int state_param;
    Buffer buffers[SIGNATURE_MAX_PARAMS]; /* these two where the signature is fixed */
    uint32_t room_used;
    const PairFunction *row; /* that the places of the steps were made for; null: for none */
    uint32_t stack_count;
    uint32_t base, size;    /* of the function's part of the plain room */
    uint32_t plain_outputs; /* bytes of a plain function's outputs but for those of its state */
    uint32_t before_state;  /* bytes of outputs in front of those of its state */
    Step steps[SIGNATURE_MAX_PARAMS];
} Plan;

/* All that the calls of a trace need besides the pair. */
typedef struct Executor {
    Pair *pair;
    InvokeFrame *frame; /* of the pair's guest */
    Memory memory;
    States states;
    NResFiles nresfiles;
    Plan *plans;         /* by row of abi_functions */
    uint8_t *room;       /* what the function is given */
    uint8_t *before;     /* a copy of the room as the function was given it */
    uint8_t *plain_room; /* what plain functions are given */
    uint32_t room_address, plain_address;
    uint32_t plain_used;
    bool defers_guards;
    uint8_t *own_outputs;
    /* Of the current call: */
    uint8_t *outputs;
    uint32_t room_used;
    Buffer buffers[SIGNATURE_MAX_PARAMS];
    SignatureState object;
    uint32_t object_address;
} Executor;

/* To be called with a loaded pair, which must outlive the executor. Execute_End frees what it has,
 * also after an error. */
RpStatus Execute_Begin(Executor *executor, Pair *pair, RpError *error);
void Execute_End(Executor *executor);
/* Forgets the memories of the trace, so that another trace may follow. */
void Execute_Forget(Executor *executor);

/* From now on Execute_Call does not look at what surrounds buffers of numbers. Execute_GuardsHold
 * does so for all calls since the last time, and does not find out which call it was. */
void Execute_DeferGuards(Executor *executor);
bool Execute_GuardsHold(Executor *executor);

/* Fills outcome, violations, outputs and the state words of `call`. The outputs are written to
 * `outputs`, where there are `capacity` bytes, at least those of a crash. Null `outputs`: they are
 * valid until the next call. Without `trust`, functions that Abi_WhyTrust names are not called.
 * Returns RP_OK whatever the function did, and an error where the call cannot be set up. After
 * TRACE_EXITED and TRACE_TIMED_OUT nobody knows what the pair is in the middle of, so no further
 * call may follow. */
RpStatus Execute_Call(Executor *executor, TraceCall *call, bool trust, uint8_t *outputs,
                      uint32_t capacity, RpError *error);

#endif
