/* Exceptions inside a foreign call: the call's outcome, never the host's end. */
#include "invoke.h"

#include <malloc.h>
#include <windows.h>

InvokeFrame invoke_frame;

/* Registered by invoke.S. cdecl, as the system calls it. */
EXCEPTION_DISPOSITION Invoke_Handler(EXCEPTION_RECORD *record, void *registration, CONTEXT *context,
                                     void *dispatcher);

EXCEPTION_DISPOSITION Invoke_Handler(EXCEPTION_RECORD *record, void *registration, CONTEXT *context,
                                     void *dispatcher) {
    (void)registration;
    (void)context;
    (void)dispatcher;
    if (record->ExceptionFlags & (EXCEPTION_UNWINDING | EXCEPTION_EXIT_UNWIND))
        return ExceptionContinueSearch;
    invoke_frame.fault_code = record->ExceptionCode;
    invoke_frame.fault_address = (uint32_t)(uintptr_t)record->ExceptionAddress;
    Invoke_Abandon();
}
