#include "dll/gate.h"

#include "dll/observer.h"

#include <string.h>

/* These are the same as in gates.S. */
enum { GATE_STRIDE = 8, ENTRY_STRIDE = 16, STUB_STRIDE = 8, STUB_MAX_POPS = 64 };

extern const char live_gate_code[], live_observed_entries[], live_stubs[];
extern const void *volatile live_gate_targets[], *volatile live_pool_targets[];

const LiveObserver *live_observer;

/* ---- the machine's call ---------------------------------------------------------------------- */

/* Says where each parameter of a call is: in ECX, in EDX or in a dword of the stack. */
typedef struct Placement {
    uint32_t in_register; /* bit i stands for the parameter at place i of the call */
    uint32_t dwords;      /* number of dwords on the stack */
} Placement;

static Placement PlaceOf(const Signature *signature, const OverlayCall *call) {
    uint32_t registers = call->convention == ABI_FASTCALL   ? 2
                         : call->convention == ABI_THISCALL ? 1
                                                            : 0;
    Placement placement = {0, 0};
    for (uint32_t i = 0; i < call->param_count; i++) {
        const SignatureParam *param = &signature->params[call->order[i]];
        bool is_float = param->direction == SIGNATURE_VALUE && param->type == SIGNATURE_F32;
        if (registers > 0 && !is_float) {
            placement.in_register |= 1u << i;
            registers--;
        } else {
            placement.dwords++;
        }
    }
    return placement;
}

static uint32_t PoppedBytes(const Signature *signature, const OverlayCall *call) {
    return call->convention == ABI_CDECL ? 0 : 4 * PlaceOf(signature, call).dwords;
}

OverlayCall Live_CompiledCall(const Signature *signature) {
    OverlayCall call = {.convention = signature->function->convention,
                        .param_count = (uint8_t)signature->param_count};
    for (uint8_t i = 0; i < call.param_count; i++)
        call.order[i] = i;
    return call;
}

bool Live_IsSameCall(const OverlayCall *a, const OverlayCall *b) {
    return a->convention == b->convention && a->param_count == b->param_count &&
           memcmp(a->order, b->order, a->param_count) == 0;
}

/* ---- the floating-point state ---------------------------------------------------------------- */

/* MXCSR exists only on processors with SSE, which some of the game's processors do not have. */
static bool HasMxcsr(void) {
    static int known; /* 1: no, 2: yes; all threads find the same value */
    if (!known) {
        uint32_t eax = 1, ebx, ecx, edx;
        __asm__ volatile("cpuid" : "+a"(eax), "=b"(ebx), "=c"(ecx), "=d"(edx));
        known = edx >> 25 & 1 ? 2 : 1;
    }
    return known == 2;
}

static uint32_t Mxcsr(void) {
    uint32_t mxcsr = 0;
    if (HasMxcsr())
        __asm__ volatile("stmxcsr %0" : "=m"(mxcsr));
    return mxcsr;
}

static uint16_t ControlWord(void) {
    uint16_t control;
    __asm__ volatile("fnstcw %0" : "=m"(control));
    return control;
}

void Live_SaveFpu(LiveFpu *state) {
    __asm__ volatile("fnsave %0\n\tfldcw %0" : "=m"(state->x87));
    state->mxcsr = Mxcsr();
}

void Live_RestoreFpu(const LiveFpu *state) {
    /* Without fninit, frstor would raise a pending exception. */
    __asm__ volatile("fninit\n\tfrstor %0" : : "m"(state->x87));
    if (HasMxcsr())
        __asm__ volatile("ldmxcsr %0" : : "m"(state->mxcsr));
}

static void Invoke(const LiveTarget *target, const Signature *signature, const uint32_t *arguments,
                   LiveResult *result) {
    uint32_t stack[OVERLAY_MAX_PARAMS];
    MachineCall call = {.code = target->code, .stack = stack};
    Placement placement = PlaceOf(signature, &target->call);
    uint32_t *registers[] = {&call.ecx, &call.edx}, used = 0;
    for (uint32_t i = 0; i < target->call.param_count; i++) {
        uint32_t argument = arguments[target->call.order[i]];
        if (placement.in_register >> i & 1)
            *registers[used++] = argument;
        else
            stack[call.dwords++] = argument;
    }
    Live_CallMachine(&call);
    result->eax = call.eax;
    result->edx = call.edx_after;
}

void Live_Invoke(const LiveTarget *target, const Signature *signature, const uint32_t *arguments,
                 LiveResult *result) {
    Invoke(target, signature, arguments, result);
    if (signature->returns == SIGNATURE_F32) {
        /* The copy of ST0 leaves the control, status and tag words and all registers as they are.
         * Popping the number and pushing it again would take a tenth of the time, but would raise a
         * pending exception and clear the condition codes. */
        enum { SUMMARY_AND_CONDITIONS = 0x4780, REGISTERS_AT = 28 };
        uint8_t state[108];
        uint16_t status;
        __asm__ volatile("fnstsw %0" : "=m"(status));
        if (status & SUMMARY_AND_CONDITIONS) {
            __asm__ volatile("fnsave %0\n\tfrstor %0" : "=m"(state));
            memcpy(result->st0, state + REGISTERS_AT, 10);
        } else {
            __asm__ volatile("fstpt %0\n\tfldt %0" : "=m"(*(uint8_t(*)[10])result->st0));
        }
        memset(result->st0 + 10, 0, 2);
    }
    result->control_out = ControlWord();
    result->mxcsr_out = Mxcsr();
}

/* ---- the call that a gate has captured ------------------------------------------------------- */

typedef struct LiveFrame { /* pushed by gates.S, in the order of PUSHAD */
    uint32_t edi, esi, ebp, esp, ebx, edx, ecx, eax;
    uint32_t flags, gate, return_address;
    uint32_t stack[];
} LiveFrame;

/* Returns null if the gate has no such target. */
static const LiveTarget *TargetOf(const LiveGate *gate, bool replacement) {
    const LiveTarget *target = replacement ? &gate->replacement : &gate->original;
    return target->code ? target : NULL;
}

static const LiveTarget *ServingTarget(const LiveGate *gate, uint32_t plan) {
    const LiveTarget *target = TargetOf(gate, plan & PLAN_REPLACEMENT);
    return target ? target : TargetOf(gate, !(plan & PLAN_REPLACEMENT));
}

/* Returns the target whose result is compared with that of `serving`, or null. */
static const LiveTarget *ShadowTarget(const LiveGate *gate, uint32_t plan,
                                      const LiveTarget *serving) {
    const LiveTarget *other = TargetOf(gate, serving == &gate->original);
    return plan & PLAN_SHADOW && other != serving ? other : NULL;
}

__attribute__((used)) uint32_t Gate_Run(LiveFrame *frame) {
    const LiveGate *gate = &live_gates[frame->gate];
    uint32_t plan = __atomic_load_n(&gate->plan, __ATOMIC_ACQUIRE);
    uint32_t arguments[SIGNATURE_MAX_PARAMS], used = 0, dwords = 0;
    Placement placement = PlaceOf(&gate->signature, &gate->incoming);
    const uint32_t registers[] = {frame->ecx, frame->edx};
    for (uint32_t i = 0; i < gate->incoming.param_count; i++)
        arguments[gate->incoming.order[i]] =
            placement.in_register >> i & 1 ? registers[used++] : frame->stack[dwords++];
    ObservedCall call = {.signature = &gate->signature,
                         .serving = ServingTarget(gate, plan),
                         .record = plan & PLAN_RECORD,
                         .arguments = arguments};
    call.shadow = ShadowTarget(gate, plan, call.serving);
    call.by_replacement = call.serving == &gate->replacement;
    if (live_observer && (call.shadow || call.record)) {
        call.control_in = ControlWord();
        call.mxcsr_in = Mxcsr();
        live_observer->run(&call);
    } else {
        Invoke(call.serving, call.signature, arguments, &call.result);
    }
    frame->eax = call.result.eax;
    frame->edx = call.result.edx;
    return gate->popped;
}

/* ---- gates ----------------------------------------------------------------------------------- */

static uint32_t IndexOf(const LiveGate *gate) {
    return (uint32_t)(gate - live_gates);
}

static bool IsOutgoing(uint32_t index) {
    return index >= live_gate_count - live_outgoing_count;
}

const void *Gate_Entry(const LiveGate *gate) {
    return live_observed_entries + IndexOf(gate) * ENTRY_STRIDE;
}

void Gates_Open(void) {
    for (uint32_t i = 0; i < live_gate_count; i++) {
        LiveGate *gate = &live_gates[i];
        const LiveGateRow *row = &live_gate_rows[i];
        gate->function = row->function;
        gate->slot = row->slot;
        if (!IsOutgoing(i) && row->slot < 0)
            gate->replacement.code = live_gate_targets[i];
        gate->callable = row->function && Signature_IsKnown(row->function, &gate->signature);
        if (gate->callable) {
            gate->incoming = gate->original.call = gate->replacement.call =
                Live_CompiledCall(&gate->signature);
            gate->popped = PoppedBytes(&gate->signature, &gate->incoming);
        }

        live_gates[i].plan = PLAN_REPLACEMENT;
    }
}

LiveGate *Gates_Find(const AbiFunction *function) {
    for (uint32_t i = 0; i < live_gate_count; i++)
        if (live_gates[i].function == function)
            return &live_gates[i];
    return NULL;
}

LiveGate *Gates_FindSlot(uint32_t slot) {
    for (uint32_t i = 0; i < live_gate_count; i++)
        if (live_gates[i].slot == (int)slot)
            return &live_gates[i];
    return NULL;
}

const void *Gate_Code(const LiveGate *gate) {
    return live_gate_code + IndexOf(gate) * GATE_STRIDE;
}

const void *const volatile *Gate_Target(const LiveGate *gate) {
    return &live_gate_targets[IndexOf(gate)];
}

void Gates_SetSlot(uint32_t slot, const void *code) {
    LiveGate *gate = Gates_FindSlot(slot);
    gate->replacement.code = code;
    Gate_SetPlan(gate, PLAN_REPLACEMENT);
}

const void *Gates_SlotCode(uint32_t slot) {
    return Gate_Code(Gates_FindSlot(slot));
}

void Gate_SetIncoming(LiveGate *gate, const OverlayCall *call) {
    gate->incoming = *call;
    gate->popped = PoppedBytes(&gate->signature, call);
}

void Gate_SetPlan(LiveGate *gate, uint32_t plan) {
    __atomic_store_n(&gate->plan, plan, __ATOMIC_RELEASE);
    if (IsOutgoing(IndexOf(gate)))
        return;
    const LiveTarget *serving = ServingTarget(gate, plan);
    if (!serving)
        return;

    /* If the function's arguments are unknown, its jump never leads to the observed entry. */
    bool observed = ShadowTarget(gate, plan, serving) || plan & PLAN_RECORD ||
                    !Live_IsSameCall(&serving->call, &gate->incoming);
    const void *target = gate->callable && observed ? Gate_Entry(gate) : serving->code;
    __atomic_store_n(&live_gate_targets[IndexOf(gate)], target, __ATOMIC_RELEASE);
}

/* ---- the pool -------------------------------------------------------------------------------- */

PoolName live_pool_name;

void Pool_SetTarget(uint32_t number, const void *code) {
    __atomic_store_n(&live_pool_targets[number], code, __ATOMIC_RELEASE);
}

bool Pool_SetStub(uint32_t number, uint32_t pops, bool clears) {
    if (pops > STUB_MAX_POPS || pops % 4 != 0)
        return false;
    Pool_SetTarget(number, live_stubs + (pops / 4 * 2 + clears) * STUB_STRIDE);
    return true;
}
