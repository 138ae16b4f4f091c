/* Gates: the one way into every function that this DLL has for the game.
 *
 * A gate is `jmp *target`. Its target is the original's function, or ours, or the gate's observed
 * entry. The observed entry takes the arguments as the caller's convention passes them, and makes
 * the call anew: it is recorded, compared, or only made with another convention. Targets and plans
 * are single words that may change while the game runs. A call that has begun is not affected.
 *
 * These functions are reached through gates: exports of code, all slots of g_FastProc, and internal
 * functions of ours (and of the original's, if they are redirected). gates-NAME.h, made from the
 * ABI tables, lists the gates; gate i is row i of that list.
 */
#ifndef RETROPOSE_DLL_GATE_H
#define RETROPOSE_DLL_GATE_H

#include "dll/observe/observe.h"
#include "dll/settings/decide.h"

typedef struct LiveGateRow {
    const AbiFunction *function; /* null for a slot of which nothing is published */
    int slot;                    /* -1: not a slot */
} LiveGateRow;

typedef struct LiveGate {
    const AbiFunction *function;
    int slot;
    /* its arguments are known, so that it can be called through the observed entry */
    bool callable;
    Signature signature;  /* valid if `callable` */
    OverlayCall incoming; /* how the game makes the call */
    uint32_t popped;      /* bytes that such a call pops */
    LiveTarget original;  /* a target whose code is null does not exist */
    LiveTarget replacement;
    uint32_t plan;         /* a LivePlan; accessed atomically */
    LiveDecision decision; /* the mode and its reason (gate_modes.c) */
} LiveGate;

/* What happens to a call. The original serves it, unless a bit says otherwise. */
typedef enum LivePlan { PLAN_REPLACEMENT = 1, PLAN_SHADOW = 2, PLAN_RECORD = 4 } LivePlan;

/* These are in rows.c, compiled for each DLL. */
extern const LiveGateRow live_gate_rows[];
extern LiveGate live_gates[];
/* includes the gates for calls out of this DLL, which come last */
extern const uint32_t live_gate_count;
extern const uint32_t live_outgoing_count;

/* Sets replacements, signatures and calls as they were compiled. Until an original is known, the
 * gates lead to the replacements. */
void Gates_Open(void);
/* Returns null when there is no such gate. */
LiveGate *Gates_Find(const AbiFunction *function);
LiveGate *Gates_FindSlot(uint32_t slot);
/* Returns the gate's code, whose address the game gets. */
const void *Gate_Code(const LiveGate *gate);
/* Returns the address of the gate's target, which may change while the game runs. */
const void *const volatile *Gate_Target(const LiveGate *gate);
/* Returns the observed entry. Whatever the plan is, it makes the call by the serving target's
 * convention. */
const void *Gate_Entry(const LiveGate *gate);
/* Sets the function that a slot of g_FastProc leads to without an original. */
void Gates_SetSlot(uint32_t slot, const void *code);
const void *Gates_SlotCode(uint32_t slot);

/* Sets how the game makes the call. Use it before anything calls the gate, because it holds for all
 * later calls. */
void Gate_SetIncoming(LiveGate *gate, const OverlayCall *call);
/* Sets the plan, at any time. Without an original the replacement serves, whatever the plan
 * says. */
void Gate_SetPlan(LiveGate *gate, uint32_t plan);

/* Returns the convention and order with which our own code was compiled. */
OverlayCall Live_CompiledCall(const Signature *signature);
bool Live_IsSameCall(const OverlayCall *a, const OverlayCall *b);

/* ---- the machine's call ---------------------------------------------------------------------- */

/* A call by any convention. The stack is repaired whether the caller or the function pops the
 * arguments (gates.S). */
typedef struct MachineCall {
    const void *code;
    uint32_t ecx, edx;
    const uint32_t *stack;
    uint32_t dwords;
    uint32_t eax, edx_after;
} MachineCall;

void Live_CallMachine(MachineCall *call);

/* ---- the pool of gates for exports that no row knows ----------------------------------------- */

void Pool_SetTarget(uint32_t number, const void *code);
/* Makes the gate do what the original's empty function does. Returns false when there is no stub
 * that pops that many bytes. */
bool Pool_SetStub(uint32_t number, uint32_t pops, bool clears);
/* Gives the name of the export behind a gate, for the message that is shown when the gate is called
 * and nothing can serve it. */
typedef const char *(*PoolName)(uint32_t number, char *buffer, size_t size);
extern PoolName live_pool_name;

#endif
