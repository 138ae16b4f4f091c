#include "dll/gate_modes.h"

#include "core/text.h"
#include "dll/base/log.h"
#include "dll/gate.h"
#include "dll/observer.h"

/* ---- calls ----------------------------------------------------------------------------------- */

void Modes_SetCalls(const Modes *modes) {
    for (uint32_t i = 0; i < live_gate_count - live_outgoing_count; i++) {
        LiveGate *gate = &live_gates[i];
        OverlayCall call;
        if (!gate->callable || !modes->overlay)
            continue;
        const AbiModule module = gate->function->module;
        const LiveModule *file = &modes->modules[module];
        if (!modes->overlay->modules[module].known ||
            (file->hosted && !Overlay_IsFor(modes->overlay, module, file->sha256)) ||
            Overlay_CallOf(modes->overlay, gate->function, &call, NULL) != RP_OK)
            continue;
        gate->original.call = call;
        Gate_SetIncoming(gate, &call);
    }
}

/* ---- decisions ------------------------------------------------------------------------------- */

static LiveDecision StayOriginal(LiveDecision decision, LiveReason reason) {
    decision.effective = LIVE_ORIGINAL;
    decision.reason = reason;
    return decision;
}

static LiveDecision Decide(const Modes *modes, const LiveGate *gate) {
    LiveDecision decision =
        Settings_Decide(modes->settings, modes->overlay, modes->modules, gate->function);
    const bool hosted = modes->modules[gate->function->module].hosted;
    const bool internal = /* methods count as internal, because objects that the original made lead
                             to them */
        gate->function->kind == ABI_INTERNAL || gate->function->kind == ABI_METHOD;
    if (modes->our_objects && hosted && gate->original.code)
        decision = Settings_WithOurObjects(decision, gate->function);
    if (hosted && !internal && !gate->original.code)
        return (LiveDecision){decision.asked, LIVE_REPLACEMENT, LIVE_OURS_ALONE};
    if (decision.effective == LIVE_ORIGINAL || !hosted)
        return decision;
    if (internal && !gate->original.code)
        return StayOriginal(decision, LIVE_NOT_REDIRECTED);
    if (decision.effective == LIVE_SHADOW && !live_observer)
        return StayOriginal(decision, LIVE_NO_OBSERVER);
    return decision;
}

bool Modes_Apply(Modes *modes) {
    bool changed = false;
    modes->our_objects |= Settings_MakesObjects(modes->settings, modes->overlay, modes->modules);
    for (uint32_t i = 0; i < live_gate_count - live_outgoing_count; i++) {
        LiveGate *gate = &live_gates[i];
        /* The original keeps a slot of which nothing is published. */
        uint32_t before = gate->plan, plan = 0;
        if (gate->function) {
            gate->decision = Decide(modes, gate);
            plan = gate->decision.effective == LIVE_REPLACEMENT ? PLAN_REPLACEMENT
                   : gate->decision.effective == LIVE_SHADOW    ? PLAN_SHADOW
                                                                : 0;

            /* If the arguments of a call may be others than the tables say, the call is never
             * recorded or compared. */
            LiveReason reason;
            const LiveModule *module = &modes->modules[gate->function->module];
            if (modes->settings->record && live_observer && gate->callable &&
                Settings_Records(modes->settings, gate->function) &&
                Settings_CanRecord(&gate->signature) &&
                (!module->hosted ||
                 Settings_IsVerified(modes->overlay, module, gate->function, &reason)))
                plan |= PLAN_RECORD;
        }
        Gate_SetPlan(gate, plan);
        changed |= plan != before;
    }
    return changed;
}

/* ---- the log --------------------------------------------------------------------------------- */

void Modes_Log(void) {
    static const LiveMode all[] = {LIVE_ORIGINAL, LIVE_REPLACEMENT, LIVE_SHADOW};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (int reason = LIVE_AS_ASKED; reason <= LIVE_NO_OBSERVER; reason++) {
            const LiveReason why = (LiveReason)reason;
            char names[LOG_LINE_BYTES - 200];
            Text text = Text_Begin(names, sizeof names);
            uint32_t count = 0, recorded = 0;
            for (uint32_t k = 0; k < live_gate_count - live_outgoing_count; k++) {
                const LiveGate *gate = &live_gates[k];
                if (!gate->function || gate->decision.effective != all[i] ||
                    gate->decision.reason != why)
                    continue;
                Text_Append(&text, count++ ? " " : "");
                Text_Append(&text, gate->function->key);
                recorded += gate->plan & PLAN_RECORD ? 1 : 0;
            }
            if (count)
                Log_Write("%s, %u function%s, %u recorded (%s): %s%s", LiveMode_Name(all[i]), count,
                          Text_Plural(count), recorded, LiveReason_Text(why), names,
                          text.length < sizeof names ? "" : " ...");
        }
}
