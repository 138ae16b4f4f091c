/* Makes an exception inside of a foreign call the outcome of that call. It never ends the host. */
#include "core/guard/guard.h"
#include "replay/host/guest.h"

InvokeFrame invoke_frame = {.fresh = 1};

static void Run(void *nothing) {
    (void)nothing;
    Invoke_Run();
}

void Invoke_Leave(Guest *guest) {
    (void)guest;
    if (!invoke_frame.fresh)
        Invoke_Restore();
    invoke_frame.fresh = 1;
}

void Invoke_Guarded(Guest *guest) {
    GuardFault fault;
    invoke_frame.outcome = TRACE_RETURNED;
    if (Guard_Run(Run, NULL, &fault))
        return;
    Invoke_Leave(guest);
    invoke_frame.outcome = TRACE_CRASHED;
    invoke_frame.fault_code = fault.code;
    invoke_frame.fault_address = fault.address;
}
