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
#ifndef RETROPOSE_LIVE_DLL_GATE_H
#define RETROPOSE_LIVE_DLL_GATE_H

#include "live/dll/observe/observe.h"
#include "live/settings/decide.h"

typedef struct LiveGateRow {
    const AbiFunction *function; /* null: a slot without public facts */
    int slot;                    /* -1: no slot */
} LiveGateRow;

typedef struct LiveGate {
    const AbiFunction *function;
    int slot;
    bool callable;        /* its arguments are known, so that it can be called anew */
    Signature signature;  /* when callable */
    OverlayCall incoming; /* how the game calls it */
    uint32_t popped;      /* bytes that such a call pops */
    LiveTarget original;  /* code null: there is none */
    LiveTarget replacement;
    uint32_t plan;         /* LivePlan; atomic */
    LiveDecision decision; /* why (modes.c) */
} LiveGate;

/* What becomes of a call: the original, or ... */
typedef enum LivePlan { PLAN_REPLACEMENT = 1, PLAN_SHADOW = 2, PLAN_RECORD = 4 } LivePlan;

/* rows.c, for each DLL */
extern const LiveGateRow live_gate_rows[];
extern LiveGate live_gates[];
extern const uint32_t live_gate_count; /* with those of calls out of this DLL, which come last */
extern const uint32_t live_outgoing_count;

/* Replacements, signatures and calls as compiled. Before that, gates lead to the replacements. */
void Gates_Open(void);
/* Null when there is none. */
LiveGate *Gates_Find(const AbiFunction *function);
LiveGate *Gates_FindSlot(uint32_t slot);
/* The gate itself: what the game is given. */
const void *Gate_Code(const LiveGate *gate);
/* Its observed entry: makes the call by the serving target's convention, whatever the plan. */
const void *Gate_Entry(const LiveGate *gate);
/* For g_FastProc: what a slot has when there is no original. */
void Gates_SetSlot(uint32_t slot, const void *code);
const void *Gates_SlotCode(uint32_t slot);

/* The call that the game makes: all later calls are taken for it. Before anything calls. */
void Gate_SetIncoming(LiveGate *gate, const OverlayCall *call);
/* Any time. Without an original the replacement serves, whatever the plan says. */
void Gate_SetPlan(LiveGate *gate, uint32_t plan);

/* The convention and order that our own code was compiled with. */
OverlayCall Live_CompiledCall(const Signature *signature);
bool Live_IsSameCall(const OverlayCall *a, const OverlayCall *b);

/* ---- the machine's call -----------------------------------------------------------------------
 */

/* A call of whatever convention: the stack is repaired, whoever pops (gates.S). */
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
/* Does what the original's empty function does. False when no stub pops that much. */
bool Pool_SetStub(uint32_t number, uint32_t pops, bool clears);
/* `name` of the export behind a gate, for the message when it is called and cannot be served. */
typedef const char *(*PoolName)(uint32_t number, char *buffer, size_t size);
extern PoolName live_pool_name;

#endif
