/* Gives our AniMesh.dll the means to record and compare calls in this process. */
#include "dll/observer.h"

#include "dll/gate.h"
#include "dll/ngi32/module.h"

static bool SlotCall(uint32_t slot, OverlayCall *call) {
    const LiveGate *gate = slot < ABI_NGI32_FASTPROC_COUNT ? Gates_FindSlot(slot) : NULL;
    if (!gate || !gate->callable)
        return false;
    *call = gate->incoming;
    return true;
}

static bool OwnSlot(uint32_t slot, LiveSlot *own) {
    const LiveGate *gate = slot < ABI_NGI32_FASTPROC_COUNT ? Gates_FindSlot(slot) : NULL;
    if (!gate || !gate->callable)
        return false;
    *own = (LiveSlot){
        .entry = Gate_Code(gate), .code = gate->replacement.code, .target = Gate_Target(gate)};
    return true;
}

const LiveObserver ngi32_observer = {.open = Observe_Open,
                                     .change = Observe_Change,
                                     .end_process = Observe_EndProcess,
                                     .run = Observe_Run,
                                     .slot_call = SlotCall,
                                     .own_slot = OwnSlot,
                                     .arithmetic = Dispatch_Arithmetic};

ABI_PROTO_ngi32_RetroposeObserver(RetroposeObserver) {
    return version == LIVE_OBSERVER_VERSION ? (uintptr_t)&ngi32_observer : 0;
}
