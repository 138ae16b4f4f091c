#include "replay/lift/lift_capture.h"

#include "replay/lift/lift_parting.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct Captured {
    LiftInput input;
    Signature signature; /* a copy, because the reader's own ends with the reader */
    LiftSetup setup;
    char readings[2048], force_cpu[16];
    RpError error; /* why the call cannot be lifted; RP_OK where it can */
} Captured;

void *LiftCapture_Call(const TraceHeader *header, const TraceReader *memories,
                       const TraceCall *call) {
    Captured *captured = calloc(1, sizeof *captured);
    if (!captured)
        return NULL;
    RpError *error = &captured->error;
    captured->signature = *call->signature;
    captured->setup = LiftSetup_Default();
    TraceHeader_Get(header, "hypotheses", captured->readings, sizeof captured->readings);
    TraceHeader_Get(header, "force-cpu", captured->force_cpu, sizeof captured->force_cpu);
    captured->setup.readings = captured->readings;
    captured->setup.force_cpu = captured->force_cpu;
    captured->setup.control = call->control_in;
    captured->setup.mxcsr = call->mxcsr_in;
    error->status = Provider_SlotBuild(header, &captured->setup.build, error);
    if (captured->setup.build == PROVIDER_SLOTS_SSE)
        captured->setup.processor = "pentium3";
    if (!error->status)
        error->status =
            LiftInput_OfCall(call, memories, &captured->signature, &captured->input, error);
    return captured;
}

void LiftCapture_Free(void *captured) {
    if (captured)
        LiftInput_Free(&((Captured *)captured)->input);
    free(captured);
}

const char *LiftCapture_Readings(const void *captured) {
    return ((const Captured *)captured)->readings;
}

void LiftCapture_Explain(const void *of, const LiftFiles *const sides[LIFT_SIDES],
                         const char *processor, Parting *parting) {
    const Captured *captured = of;
    const char *const processors[] = {captured->setup.processor, processor};
    *parting = (Parting){.is_branch = false};
    if (captured->error.status)
        RpError_Format(&captured->error, parting->why_not, sizeof parting->why_not);
    for (int i = 0; i < 2 && !captured->error.status && (i == 0 || parting->why_not[0]); i++) {
        LiftSetup setup = captured->setup;
        LiftPairs pairs;
        RpError error;
        setup.processor = processors[i];
        RpStatus status = LiftPairs_Open(sides, &setup, &pairs, &error);
        if (!status)
            status = LiftParting_Find(pairs.sides, &captured->input, parting, &error);
        if (status)
            RpError_Format(&error, parting->why_not, sizeof parting->why_not);
        LiftPairs_Close(&pairs);
    }
}
