#include "core/guard/guard.h"

#include <windows.h>

typedef struct GuardFrame { /* guard.S */
    void *previous, *handler;
    GuardFault *fault;
    uint32_t ebx, esi, edi, ebp;
} GuardFrame;

/* guard.S: false after Guard_Abandon, which ends the run of its frame. */
uint32_t Guard_Enter(void (*run)(void *context), void *context, GuardFault *fault);
__attribute__((noreturn)) void Guard_Abandon(GuardFrame *frame);

/* Registered by Guard_Enter; cdecl, as the system calls it. */
EXCEPTION_DISPOSITION Guard_Handler(EXCEPTION_RECORD *record, void *registration, CONTEXT *context,
                                    void *dispatcher);

/* It leaves by a jump. To ask the system to continue elsewhere is refused for an exception that
 * cannot be continued: that raises another one, which comes here again, until the stack is full. */
EXCEPTION_DISPOSITION Guard_Handler(EXCEPTION_RECORD *record, void *registration, CONTEXT *context,
                                    void *dispatcher) {
    GuardFrame *frame = registration;
    (void)context;
    (void)dispatcher;
    if (record->ExceptionFlags & (EXCEPTION_UNWINDING | EXCEPTION_EXIT_UNWIND))
        return ExceptionContinueSearch;
    frame->fault->code = record->ExceptionCode;
    frame->fault->address = (uint32_t)(uintptr_t)record->ExceptionAddress;
    Guard_Abandon(frame);
}

/* What _resetstkoflw of the C runtime does: the lowest page of the stack that can be touched tells
 * of an overflow once only, and then ends the process unless it is marked again. */
static void MarkGuardPage(void) {
    enum { PAGE_BYTES = 4096 };
    MEMORY_BASIC_INFORMATION region;
    DWORD before;
    if (!VirtualQuery(&region, &region, sizeof region))
        return;
    const uint8_t *at = region.AllocationBase;
    do {
        if (!VirtualQuery(at, &region, sizeof region))
            return;
        at = (const uint8_t *)region.BaseAddress + region.RegionSize;
    } while (region.State != MEM_COMMIT || region.Protect == PAGE_NOACCESS); /* Wine's last page */
    if (!(region.Protect & PAGE_GUARD))
        VirtualProtect(region.BaseAddress, PAGE_BYTES, PAGE_READWRITE | PAGE_GUARD, &before);
}

bool Guard_Run(void (*run)(void *context), void *context, GuardFault *fault) {
    if (Guard_Enter(run, context, fault))
        return true;
    if (fault->code == EXCEPTION_STACK_OVERFLOW)
        MarkGuardPage();
    return false;
}
