#include "core/guard/guard.h"

#include <windows.h>

typedef struct GuardFrame { /* the layout is that of guard.S */
    void *previous, *handler;
    GuardFault *fault;
    uint32_t ebx, esi, edi, ebp;
} GuardFrame;

/* This function is in guard.S. The result is false after Guard_Abandon, which ends the run that
 * this frame guards. */
uint32_t Guard_Enter(void (*run)(void *context), void *context, GuardFault *fault);
__attribute__((noreturn)) void Guard_Abandon(GuardFrame *frame);

/* Guard_Enter registers this handler. It is cdecl, because the system calls handlers so. */
EXCEPTION_DISPOSITION Guard_Handler(EXCEPTION_RECORD *record, void *registration, CONTEXT *context,
                                    void *dispatcher);

/* Leaves by a jump instead of asking the system to continue elsewhere. The system refuses that for
 * an exception that cannot be continued: it raises another exception, which comes here again, until
 * the stack is full. */
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

/* Does what _resetstkoflw of the C runtime does. The lowest page of the stack that can be touched
 * reports an overflow only once; unless it is marked again, the next overflow ends the process. */
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
        /* Wine reserves the last page; the loop skips it. */
    } while (region.State != MEM_COMMIT || region.Protect == PAGE_NOACCESS);
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
