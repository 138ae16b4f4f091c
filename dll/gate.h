/* Gates: the one way into every function that this DLL has for the game.
 *
 * A gate is `jmp *target`. Its target is the original's function or ours, or, where something has
 * to be done about a call, the gate's observed entry: that captures the arguments as the caller's
 * convention passes them and makes the call anew, recorded, compared, or only with another
 * convention. Targets and plans are single words that change while the game runs: a call that is on
 * its way ends as it began.
 *
 * What is reached through gates: exports of code, all slots of g_FastProc, internal functions of
 * ours (and, where they are redirected, the original's). gates-NAME.h, made from the ABI tables,
 * lists them; index i is row i of it.
 */
#ifndef RETROPOSE_DLL_GATE_H
#define RETROPOSE_DLL_GATE_H

#include "dll/observe/observe.h"
#include "dll/settings/decide.h"

typedef struct LiveGateRow {
    const AbiFunction *function; /* null: a slot of which nothing is published */
    int slot;                    /* -1: not a slot */
} LiveGateRow;

typedef struct LiveGate {
    const AbiFunction *function;
    int slot;
    /* its arguments are known, so that it can be called through the observed entry */
    bool callable;
    Signature signature;  /* valid where callable */
    OverlayCall incoming; /* the call that the game makes */
    uint32_t popped;      /* bytes that such a call pops */
    LiveTarget original;  /* a target whose code is null does not exist */
    LiveTarget replacement;
    uint32_t plan;         /* a LivePlan; accessed atomically */
    LiveDecision decision; /* and its reason (modes.c) */
} LiveGate;

/* What becomes of a call: the original serves it, unless a bit says otherwise. */
typedef enum LivePlan { PLAN_REPLACEMENT = 1, PLAN_SHADOW = 2, PLAN_RECORD = 4 } LivePlan;

/* From rows.c, for each DLL. */
extern const LiveGateRow live_gate_rows[];
extern LiveGate live_gates[];
/* counts the gates for calls out of this DLL, too, which come last */
extern const uint32_t live_gate_count;
extern const uint32_t live_outgoing_count;

/* Sets replacements, signatures and calls as compiled. Until then, the gates lead to the
 * replacements. */
void Gates_Open(void);
/* Returns null where there is none. */
LiveGate *Gates_Find(const AbiFunction *function);
LiveGate *Gates_FindSlot(uint32_t slot);
/* Returns the gate itself, which is what the game is given. */
const void *Gate_Code(const LiveGate *gate);
/* Returns where the gate's target is kept, which changes while the game runs. */
const void *const volatile *Gate_Target(const LiveGate *gate);
/* Returns the observed entry, which makes the call by the serving target's convention whatever
 * the plan is. */
const void *Gate_Entry(const LiveGate *gate);
/* Sets what a slot of g_FastProc leads to without an original. */
void Gates_SetSlot(uint32_t slot, const void *code);
const void *Gates_SlotCode(uint32_t slot);

/* Sets the call that the game makes, for all later calls. To be used before anything calls. */
void Gate_SetIncoming(LiveGate *gate, const OverlayCall *call);
/* May be used at any time. Without an original the replacement serves, whatever the plan says. */
void Gate_SetPlan(LiveGate *gate, uint32_t plan);

/* Returns the convention and order with which our own code was compiled. */
OverlayCall Live_CompiledCall(const Signature *signature);
bool Live_IsSameCall(const OverlayCall *a, const OverlayCall *b);

/* ---- the machine's call -----------------------------------------------------------------------
 */

/* A call by any convention. The stack is repaired whoever pops the arguments (gates.S). */
typedef struct MachineCall {
    const void *code;
    uint32_t ecx, edx;
    const uint32_t *stack;
    uint32_t dwords;
    uint32_t eax, edx_after;
} MachineCall;

void Live_CallMachine(MachineCall *call);

/* ---- the pool of gates for exports that no row knows ------------------------------------------
 */

void Pool_SetTarget(uint32_t number, const void *code);
/* Lets the gate do what the original's empty function does. Returns false where no stub pops
 * that many bytes. */
bool Pool_SetStub(uint32_t number, uint32_t pops, bool clears);
/* Gives the name of the export behind a gate, for the message when it is called and nothing can
 * serve it. */
typedef const char *(*PoolName)(uint32_t number, char *buffer, size_t size);
extern PoolName live_pool_name;

#endif
